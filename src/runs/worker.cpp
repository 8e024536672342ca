// SPDX-License-Identifier: Apache-2.0
#include "runs/worker.h"

#include <chrono>
#include <cstring>

#include "base/error.h"
#include "bench/task_error.h"

namespace belay::runs {
namespace {

using guest::Channel;
using guest::Message;
using nlohmann::json;

// How often a worker says that it is alive.
constexpr std::chrono::milliseconds kBetweenProgress{500};

std::string DumpAnyText(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

void SendVerdict(Channel& channel, const judge::Verdict& verdict,
                 const judge::Extras& extras) {
  const std::string first = DumpAnyText(verdict);
  const std::string second = DumpAnyText(extras);
  std::vector<std::byte> bytes(first.size() + second.size());
  std::memcpy(bytes.data(), first.data(), first.size());
  std::memcpy(bytes.data() + first.size(), second.data(), second.size());
  channel.Send({{"verdict", first.size()}}, bytes);
}

void SendTrouble(Channel& channel, const char* what, bool again) {
  channel.Send(json::parse(DumpAnyText({{"trouble", what}, {"again", again}})));
}

class SampleServer {
 public:
  SampleServer(Channel& channel, SampleJudge& judge)
      : channel_(channel), judge_(judge) {}

  void Serve() {
    Message message;
    while (channel_.Receive(message) == Channel::Status::kMessage) {
      if (message.value.contains("setup")) {
        how_ = message.value.at("setup");
        secret_.assign(reinterpret_cast<const char*>(message.bytes.data()),
                       message.bytes.size());
        continue;
      }
      try {
        Judge(SampleOf(message.value.at("sample"), "sample", "."));
      } catch (const bench::TaskError& error) {
        SendTrouble(channel_, error.what(), false);
      } catch (const std::exception& error) {
        SendTrouble(channel_, error.what(), true);
      }
    }
  }

 private:
  void Judge(const Sample& sample) {
    if (!ready_) judge_.Setup(how_, secret_);
    ready_ = true;
    auto last = std::chrono::steady_clock::now();
    judge::Extras extras;
    const judge::Verdict verdict =
        judge_.Try(sample, extras, [&](const judge::JudgeProgress& progress) {
          const auto now = std::chrono::steady_clock::now();
          if (now - last < kBetweenProgress) return;
          last = now;
          channel_.Send({{"stage", NameOf(progress.stage)},
                         {"calls", progress.calls},
                         {"of", progress.of}});
        });
    SendVerdict(channel_, verdict, extras);
  }

  Channel& channel_;
  SampleJudge& judge_;
  json how_;
  std::string secret_;
  bool ready_ = false;
};

}  // namespace

void ServeSamples(Channel& channel, const MakeSampleJudge& make) {
  const std::unique_ptr<SampleJudge> judge = make();
  SampleServer(channel, *judge).Serve();
}

json SetupMessage(const json& how) { return {{"setup", how}}; }

json SampleMessage(const Sample& sample) {
  return {{"sample", ToJson(sample)}};
}

WorkerReport ReadReport(const Message& message) {
  WorkerReport report;
  try {
    const json& value = message.value;
    if (value.contains("verdict")) {
      const size_t first = value.at("verdict").get<size_t>();
      if (first > message.bytes.size()) {
        throw InternalError("[bench] a worker's verdict is cut short");
      }
      const auto* text = reinterpret_cast<const char*>(message.bytes.data());
      report.kind = WorkerReport::Kind::kVerdict;
      report.verdict.assign(text, first);
      report.extras.assign(text + first, message.bytes.size() - first);
    } else if (value.contains("trouble")) {
      report.kind = WorkerReport::Kind::kTrouble;
      value.at("trouble").get_to(report.trouble);
      value.at("again").get_to(report.again);
    } else {
      report.progress.stage =
          judge::ParseStage(value.at("stage").get<std::string>())
              .value_or(judge::Stage::kCompile);
      value.at("calls").get_to(report.progress.calls);
      value.at("of").get_to(report.progress.of);
    }
  } catch (const json::exception& error) {
    throw InternalError(std::string("[bench] a worker's message: ") +
                        error.what());
  }
  return report;
}

}  // namespace belay::runs
