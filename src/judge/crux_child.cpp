// SPDX-License-Identifier: Apache-2.0
#include "judge/crux_child.h"

#include <fmt/format.h>

#include <cstring>
#include <utility>

#include "base/catalogue.h"
#include "base/error.h"
#include "base/resources.h"
#include "judge/crux_service.h"
#include "judge/tensor_message.h"
#include "npu/chip_spec.h"

namespace belay::judge {
namespace {

// After so much work a process makes way for a fresh one.
constexpr int kMostCandidates = 500;
constexpr double kMostSeconds = 900;
// Processor time of a process, far above kMostSeconds and any one call.
constexpr double kCageSeconds = 6 * 3600;
constexpr double kDropSeconds = 60;
// Room for the program itself, beside what a candidate may use.
constexpr uint64_t kOwnBytes = uint64_t{2} << 30;
// At most so many ranges of addresses as long as global memory.
constexpr uint64_t kReservations = 16;

CallEnd EndOf(const std::string& word) {
  for (const CallEnd end :
       {CallEnd::kFinished, CallEnd::kNotCompiled, CallEnd::kRefused,
        CallEnd::kFault, CallEnd::kInfrastructure}) {
    if (EndName(end) == word) return end;
  }
  throw MessageError("an answer ends in an unknown way");
}

CruxReply Fault(const char* code, std::string message, std::string fix,
                const std::string& file) {
  CruxReply reply;
  reply.end = CallEnd::kFault;
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = "[crux] " + std::move(message);
  diagnostic.fix = std::move(fix);
  diagnostic.location.file = file;
  reply.diagnostics.push_back(std::move(diagnostic));
  return reply;
}

CruxReply Trouble(std::string what) {
  CruxReply reply;
  reply.end = CallEnd::kInfrastructure;
  reply.trouble = std::move(what);
  return reply;
}

CruxReply ReadAnswer(guest::Message message) {
  CruxReply reply;
  reply.end = EndOf(MemberOf<std::string>(message.value, "end"));
  reply.diagnostics =
      MemberOf<std::vector<Diagnostic>>(message.value, "diagnostics");
  if (reply.end == CallEnd::kInfrastructure) {
    reply.trouble = "[crux] " + MemberOf<std::string>(message.value, "text");
  }
  reply.value = std::move(message.value);
  reply.bytes = std::move(message.bytes);
  return reply;
}

}  // namespace

std::shared_ptr<CruxChild> CruxChild::Of(guest::Broker& broker) {
  std::shared_ptr<void>& kept = broker.kept(kCruxService);
  if (!kept) kept = std::make_shared<CruxChild>(broker);
  return std::static_pointer_cast<CruxChild>(kept);
}

int CruxChild::Generation(const SessionOptions& options) {
  const bool fresh = child_ && candidates_ < kMostCandidates &&
                     seconds_ < kMostSeconds &&
                     memory_bytes_ == options.limits.memory_bytes;
  if (!fresh) Start(options);
  return generation_;
}

void CruxChild::Start(const SessionOptions& options) {
  child_.reset();
  guest::CageOptions cage;
  cage.limits.cpu_seconds = kCageSeconds;
  // Addresses of the chip's global memory and of its checkers' shadows are
  // reserved whole; what a call takes of them is checked before it is launched.
  cage.limits.memory_bytes =
      options.limits.memory_bytes + kOwnBytes +
      kReservations * npu::LoadChip(options.chip).BytesOf(abi::Memory::kGm);
  cage.limits.resident_bytes = options.limits.memory_bytes + kOwnBytes;
  cage.readable = {Resource("data").string()};
  child_ = broker_.Start(kCruxService, cage);
  memory_bytes_ = options.limits.memory_bytes;
  ++generation_;
  candidates_ = 0;
  seconds_ = 0;
}

CruxReply CruxChild::Ask(const nlohmann::json& request,
                         const std::vector<std::byte>& bytes, double seconds,
                         const std::string& file) {
  if (!child_) return Trouble("[crux] there is no process to ask");
  guest::Message message;
  guest::Channel::Status status = guest::Channel::Status::kClosed;
  if (child_->channel().Send(request, bytes)) {
    status = child_->channel().Receive(message, seconds);
  }
  if (status != guest::Channel::Status::kMessage) return Mourn(status, file);
  try {
    seconds_ = MemberOf<double>(message.value, "seconds");
    return ReadAnswer(std::move(message));
  } catch (const MessageError& error) {
    child_.reset();
    return Fault(code::kJ104, error.what(), "", file);
  }
}

void CruxChild::Forget(int generation, int program) {
  if (!child_ || generation != generation_) return;
  Ask({{"do", "drop"}, {"program", program}}, {}, kDropSeconds, "");
}

CruxReply CruxChild::Mourn(guest::Channel::Status status,
                           const std::string& file) {
  const bool late = status == guest::Channel::Status::kTimeout;
  guest::ChildEnd end;
  try {
    end = child_->Wait(late ? 0 : 5);
  } catch (const InternalError& error) {  // the broker is gone
    child_.reset();
    return Trouble(error.what());
  }
  child_.reset();
  if (late || end.out_of_time) {
    return Fault(code::kJ101, "the call took longer than it may",
                 "do less work, or work in larger pieces", file);
  }
  if (end.out_of_memory) {
    return Fault(code::kJ102, "the call needs more memory than it may use",
                 "use less scratch memory", file);
  }
  if (end.forbidden_call) {
    return Fault(
        code::kJ103,
        fmt::format("the process made a forbidden system call{}{}",
                    end.forbidden_name.empty() ? "" : ": ", end.forbidden_name),
        "", file);
  }
  if (status == guest::Channel::Status::kMalformed) {
    return Fault(code::kJ104, "the process sent what is no message", "", file);
  }
  if (end.machines_fault() || end.ok()) {
    return Trouble("[crux] the process was ended by somebody else");
  }
  return Fault(
      code::kJ104,
      end.signal != 0
          ? fmt::format("the process ended by signal {} ({})", end.signal,
                        strsignal(end.signal))
          : fmt::format("the process ended with exit code {}", end.exit_code),
      "", file);
}

}  // namespace belay::judge
