// SPDX-License-Identifier: Apache-2.0
#include "bench/lint_suite.h"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/catalogue.h"
#include "base/error.h"
#include "bench/duplicates.h"

namespace belay::bench {
namespace {

using Clock = std::chrono::steady_clock;

bool ReadAll(int file, void* to, size_t bytes) {
  auto* at = static_cast<char*>(to);
  while (bytes > 0) {
    const ssize_t got = read(file, at, bytes);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    bytes -= static_cast<size_t>(got);
  }
  return true;
}

bool WriteAll(int file, const void* from, size_t bytes) {
  const auto* at = static_cast<const char*>(from);
  while (bytes > 0) {
    const ssize_t put = send(file, at, bytes, MSG_NOSIGNAL);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) return false;
    at += put;
    bytes -= static_cast<size_t>(put);
  }
  return true;
}

// A process that lints the tasks whose places it is sent.
class Worker {
 public:
  explicit Worker(const std::vector<const Task*>& tasks) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
      throw UserError(fmt::format("[tasks lint] no socket for a worker: {}",
                                  std::strerror(errno)));
    }
    process_ = fork();
    if (process_ < 0) {
      close(ends[0]);
      close(ends[1]);
      throw UserError(fmt::format("[tasks lint] cannot start a worker: {}",
                                  std::strerror(errno)));
    }
    if (process_ == 0) {
      close(ends[0]);
      Serve(ends[1], tasks);
      _exit(0);
    }
    close(ends[1]);
    channel_ = ends[0];
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    close(channel_);
    kill(process_, SIGKILL);
    if (!reaped_) waitpid(process_, nullptr, 0);
  }

  int channel() const { return channel_; }
  size_t task() const { return *task_; }
  double RunsFor() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }

  bool Give(size_t task) {
    task_ = task;
    begin_ = Clock::now();
    const auto place = static_cast<uint64_t>(task);
    return WriteAll(channel_, &place, sizeof(place));
  }

  // Nothing if the process has ended instead.
  std::optional<LintReport> Take() {
    uint64_t length = 0;
    std::string text;
    if (!ReadAll(channel_, &length, sizeof(length))) return std::nullopt;
    text.resize(length);
    if (!ReadAll(channel_, text.data(), length)) return std::nullopt;
    task_.reset();
    return nlohmann::json::parse(text).get<LintReport>();
  }

  // How the process ended, in words.
  std::string Ending() {
    int status = 0;
    waitpid(process_, &status, 0);
    reaped_ = true;
    if (WIFSIGNALED(status)) {
      return fmt::format("ended by signal {} ({})", WTERMSIG(status),
                         strsignal(WTERMSIG(status)));
    }
    return fmt::format("ended with status {}", WEXITSTATUS(status));
  }

 private:
  static void Serve(int channel, const std::vector<const Task*>& tasks) {
    uint64_t place = 0;
    while (ReadAll(channel, &place, sizeof(place))) {
      const std::string text =
          nlohmann::json(LintTask(*tasks[place]))
              .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
      const uint64_t length = text.size();
      if (!WriteAll(channel, &length, sizeof(length)) ||
          !WriteAll(channel, text.data(), length)) {
        return;
      }
    }
  }

  pid_t process_ = -1;
  int channel_ = -1;
  bool reaped_ = false;
  std::optional<size_t> task_;
  Clock::time_point begin_;
};

LintReport LostReport(const Task& task, double seconds,
                      const std::string& ending) {
  LintReport report;
  report.id = task.id;
  report.seconds = seconds;
  Diagnostic finding;
  finding.code = code::kK126;
  finding.location.file = task.reference_file.string();
  finding.message = fmt::format(
      "[lint] {}: the process that ran reference.py {} after "
      "{:.1f} s",
      task.id, ending, seconds);
  finding.fix =
      "run `belay tasks run` on the task to see which case it is; make the "
      "case smaller or the function faster";
  report.findings.push_back(std::move(finding));
  return report;
}

}  // namespace

std::vector<LintReport> LintTasks(const std::vector<const Task*>& tasks,
                                  const LintOptions& options) {
  std::vector<LintReport> reports(tasks.size());
  std::vector<std::unique_ptr<Worker>> workers;
  const size_t jobs =
      std::min(static_cast<size_t>(std::max(options.jobs, 1)), tasks.size());
  size_t next = 0;
  size_t done = 0;
  const auto feed = [&](std::unique_ptr<Worker>& worker) {
    if (next >= tasks.size()) {
      worker.reset();
      return;
    }
    if (worker == nullptr) worker = std::make_unique<Worker>(tasks);
    worker->Give(next++);
  };
  const auto finish = [&](size_t task, LintReport report) {
    reports[task] = std::move(report);
    ++done;
    if (options.progress) options.progress(reports[task], done);
  };
  workers.resize(jobs);
  for (auto& worker : workers) feed(worker);
  while (done < tasks.size()) {
    std::vector<pollfd> waiting;
    std::vector<size_t> owners;
    for (size_t i = 0; i < workers.size(); ++i) {
      if (workers[i] == nullptr) continue;
      waiting.push_back({workers[i]->channel(), POLLIN, 0});
      owners.push_back(i);
    }
    poll(waiting.data(), waiting.size(), /*milliseconds=*/500);
    for (size_t k = 0; k < waiting.size(); ++k) {
      auto& worker = workers[owners[k]];
      const size_t task = worker->task();
      const double seconds = worker->RunsFor();
      if (waiting[k].revents != 0) {
        std::optional<LintReport> report = worker->Take();
        if (report) {
          finish(task, std::move(*report));
        } else {
          finish(task, LostReport(*tasks[task], seconds, worker->Ending()));
          worker.reset();
        }
        feed(worker);
      } else if (seconds > options.seconds) {
        worker.reset();
        finish(task, LostReport(*tasks[task], seconds, "was stopped"));
        feed(worker);
      }
    }
  }
  AddDuplicates(tasks, reports);
  return reports;
}

}  // namespace belay::bench
