// SPDX-License-Identifier: Apache-2.0
#include "judge/caged_calls.h"

#include <fmt/format.h>

#include <random>
#include <utility>

#include "base/catalogue.h"
#include "base/error.h"

namespace belay::judge {
namespace {

// For a child whose channel is closed to end by itself.
constexpr double kEndSeconds = 5;

uint64_t MakeQuestionNumber() {
  std::random_device random;
  return uint64_t{random()} << 32 | random();
}

CagedAnswer InfrastructureFailed(std::string trouble) {
  CagedAnswer answer;
  answer.kind = CagedAnswer::Kind::kInfrastructure;
  answer.trouble = std::move(trouble);
  return answer;
}

}  // namespace

Diagnostic MakeError(const char* code, std::string message, std::string fix) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.fix = std::move(fix);
  return diagnostic;
}

CagedCalls::CagedCalls(guest::Broker& broker, std::string service,
                       guest::CageOptions options, std::string what)
    : broker_(broker),
      service_(std::move(service)),
      options_(std::move(options)),
      what_(std::move(what)) {}

CagedAnswer CagedCalls::Ask(nlohmann::json question,
                            const std::vector<int>& descriptors,
                            double seconds) {
  try {
    if (!child_) child_ = broker_.Start(service_, options_);
    const uint64_t number = MakeQuestionNumber();
    question["number"] = number;
    CagedAnswer answer;
    auto status = guest::Channel::Status::kClosed;
    if (child_->channel().Send(question, {}, descriptors)) {
      status = child_->channel().Receive(answer.message, seconds);
    }
    if (status == guest::Channel::Status::kMessage) {
      const nlohmann::json& value = answer.message.value;
      const auto found = value.find("number");
      if (value.is_object() && found != value.end() &&
          found->is_number_unsigned() && found->get<uint64_t>() == number) {
        return answer;
      }
      status = guest::Channel::Status::kMalformed;
    }
    return End(status, seconds);
  } catch (const InternalError& error) {
    child_.reset();
    return InfrastructureFailed(error.what());
  }
}

CagedAnswer CagedCalls::End(guest::Channel::Status status, double seconds) {
  CagedAnswer answer;
  answer.kind = CagedAnswer::Kind::kFault;
  const std::unique_ptr<guest::CagedChild> child = std::move(child_);
  if (status == guest::Channel::Status::kTimeout) {
    answer.end.out_of_time = true;
  } else if (status == guest::Channel::Status::kClosed) {
    answer.end = child->Wait(kEndSeconds);
  }
  if (answer.end.machines_fault()) {
    return InfrastructureFailed(
        fmt::format("{} {}", what_, answer.end.ToText()));
  }
  if (answer.end.out_of_time) {
    answer.diagnostic = MakeError(
        code::kJ101,
        status == guest::Channel::Status::kTimeout
            ? fmt::format("{} did not end within {:g} s", what_, seconds)
            : fmt::format("{} used up its {:g} s of processor time", what_,
                          options_.limits.cpu_seconds));
  } else if (answer.end.out_of_memory) {
    answer.diagnostic = MakeError(
        code::kJ102, fmt::format("{} needs more than its {} MB of memory",
                                 what_, options_.limits.memory_bytes >> 20));
  } else if (answer.end.forbidden_call) {
    answer.diagnostic = MakeError(
        code::kJ103, fmt::format("{} made the forbidden system call {}", what_,
                                 answer.end.forbidden_name));
  } else {
    answer.diagnostic =
        MakeError(code::kJ104,
                  status == guest::Channel::Status::kMalformed
                      ? fmt::format("{} answered with what is no answer", what_)
                      : fmt::format("{} {}", what_, answer.end.ToText()));
  }
  return answer;
}

}  // namespace belay::judge
