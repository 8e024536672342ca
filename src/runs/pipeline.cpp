// SPDX-License-Identifier: Apache-2.0
#include "runs/pipeline.h"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "runs/task_queue.h"
#include "runs/worker.h"

namespace belay::runs {
namespace {

using guest::Channel;
using guest::Message;
using Clock = std::chrono::steady_clock;

// For the rest of a message whose beginning has come.
constexpr double kMessageSeconds = 60;
// For a worker that was asked to go, to take its children and files along.
constexpr double kGraceSeconds = 10;
constexpr int kTickMilliseconds = 1000;

class Pipeline {
 public:
  Pipeline(Nursery& nursery, const std::vector<Sample>& samples,
           const std::vector<size_t>& todo, const PipelineOptions& options,
           const PipelineEvents& events, const std::atomic<bool>& stop)
      : nursery_(nursery),
        samples_(samples),
        options_(options),
        events_(events),
        stop_(stop),
        attempts_(samples.size(), 0) {
    for (const auto& [task, cost] : options.costs) queue_.SetCost(task, cost);
    for (const size_t sample : todo) queue_.Add(samples[sample].task, sample);
    const size_t wanted = static_cast<size_t>(std::max(1, options.workers));
    slots_.resize(std::min(wanted, std::max<size_t>(1, todo.size())));
  }

  // Workers that still run are killed: nobody waits for what they do.
  ~Pipeline() {
    for (Slot& slot : slots_) {
      try {
        Dismiss(slot, 0);
      } catch (const std::exception&) {
        // The nursery is gone, and its workers with it.
      }
    }
  }

  void Run() {
    while (!stop_ && (!queue_.empty() || AnyBusy())) {
      for (Slot& slot : slots_) {
        if (!slot.sample) HandOut(slot);
      }
      Listen();
      GiveUpTheSilent();
      if (events_.tick) events_.tick();
    }
    if (stop_) return;
    for (Slot& slot : slots_) Dismiss(slot, kGraceSeconds);
  }

 private:
  struct Slot {
    std::optional<Nursery::Worker> worker;
    std::optional<size_t> sample;
    std::string task;  // of the last sample
    Clock::time_point last_word;
  };

  bool AnyBusy() const {
    return std::ranges::any_of(
        slots_, [](const Slot& slot) { return slot.sample.has_value(); });
  }

  void Dismiss(Slot& slot, double grace) {
    if (!slot.worker) return;
    const pid_t pid = slot.worker->pid;
    slot.worker.reset();  // closes the channel, which ends a worker at rest
    nursery_.End(pid, grace);
  }

  void HandOut(Slot& slot) {
    std::multiset<std::string> busy;
    for (const Slot& other : slots_) {
      if (other.sample) busy.insert(other.task);
    }
    const std::optional<size_t> sample = queue_.Take(slot.task, busy);
    if (!sample) return;
    slot.sample = sample;
    slot.task = samples_[*sample].task;
    slot.last_word = Clock::now();
    ++attempts_[*sample];
    bool sent = true;
    if (!slot.worker) {
      slot.worker = nursery_.Start();
      std::vector<std::byte> secret(options_.secret.size());
      std::memcpy(secret.data(), options_.secret.data(), secret.size());
      sent = slot.worker->channel.Send(SetupMessage(options_.setup), secret);
    }
    sent = sent && slot.worker->channel.Send(SampleMessage(samples_[*sample]));
    if (!sent) LostWorker(slot, "a worker is gone");
  }

  // Waits for the next word of anybody and hears what has come.
  void Listen() {
    std::vector<pollfd> polled;
    std::vector<Slot*> asked;
    for (Slot& slot : slots_) {
      if (!slot.sample) continue;
      polled.push_back({slot.worker->channel.descriptor(), POLLIN, 0});
      asked.push_back(&slot);
    }
    if (polled.empty()) return;
    const int ready = poll(polled.data(), polled.size(), kTickMilliseconds);
    if (ready < 0 && errno != EINTR) {
      throw InternalError(
          fmt::format("[bench] poll failed: {}", std::strerror(errno)));
    }
    if (ready <= 0) return;
    for (size_t i = 0; i < polled.size(); ++i) {
      if (polled[i].revents != 0) Hear(*asked[i]);
    }
  }

  void Hear(Slot& slot) {
    Message message;
    if (slot.worker->channel.Receive(message, kMessageSeconds) !=
        Channel::Status::kMessage) {
      LostWorker(slot, "the worker ended");
      return;
    }
    slot.last_word = Clock::now();
    WorkerReport report = ReadReport(message);
    switch (report.kind) {
      case WorkerReport::Kind::kProgress:
        return;
      case WorkerReport::Kind::kTrouble:
        Trouble(slot, report.trouble, report.again, {});
        return;
      case WorkerReport::Kind::kVerdict:
        break;
    }
    SampleEnd end{std::move(report.verdict), std::move(report.extras), "", 0};
    const auto verdict = nlohmann::json::parse(end.verdict);
    if (verdict.at("outcome") == NameOf(judge::Outcome::kInfrastructure)) {
      const std::string why = verdict.at("reason").get<std::string>();
      Trouble(slot, why.empty() ? "the judge could not judge" : why, true,
              std::move(end));
      return;
    }
    Finish(slot, std::move(end));
  }

  void GiveUpTheSilent() {
    for (Slot& slot : slots_) {
      if (!slot.sample) continue;
      const std::chrono::duration<double> silent =
          Clock::now() - slot.last_word;
      if (silent.count() > options_.silence_seconds) {
        LostWorker(slot, fmt::format("no word of the worker for {:.0f} s",
                                     silent.count()));
      }
    }
  }

  void LostWorker(Slot& slot, const std::string& what) {
    const pid_t pid = slot.worker->pid;
    slot.worker.reset();
    // What ended by itself is reaped; what hangs is killed.
    const std::string how = nursery_.End(pid, 0.05);
    Trouble(slot, fmt::format("{} ({})", what, how), true, {});
  }

  // A new worker tries again: whatever troubled this one may still be there.
  void Trouble(Slot& slot, const std::string& why, bool again, SampleEnd last) {
    Dismiss(slot, kGraceSeconds);  // at rest: it has just told its trouble
    const size_t sample = *slot.sample;
    if (again && attempts_[sample] <= options_.retries) {
      slot.sample.reset();
      queue_.AddAgain(samples_[sample].task, sample);
      return;
    }
    last.trouble = why;
    Finish(slot, std::move(last));
  }

  void Finish(Slot& slot, SampleEnd end) {
    const size_t sample = *slot.sample;
    slot.sample.reset();
    end.attempts = attempts_[sample];
    events_.ended(sample, end);
  }

  Nursery& nursery_;
  const std::vector<Sample>& samples_;
  const PipelineOptions& options_;
  const PipelineEvents& events_;
  const std::atomic<bool>& stop_;
  std::vector<int> attempts_;
  TaskQueue queue_;
  std::vector<Slot> slots_;
};

}  // namespace

void RunPipeline(Nursery& nursery, const std::vector<Sample>& samples,
                 const std::vector<size_t>& todo,
                 const PipelineOptions& options, const PipelineEvents& events,
                 const std::atomic<bool>& stop) {
  Pipeline(nursery, samples, todo, options, events, stop).Run();
}

}  // namespace belay::runs
