// SPDX-License-Identifier: Apache-2.0
#include "check/cross_core.h"

#include <fmt/format.h>

#include <utility>

#include "base/catalogue.h"
#include "npu/names.h"

namespace belay::check {
namespace {

using abi::Op;
using npu::Participant;

// Ids that SyncAll uses.
constexpr uint32_t kFirstOfSyncAll = 11;
constexpr uint32_t kLastOfSyncAll = 14;

bool IsLibrarys(const abi::Instruction& set) {
  return set.mode >= npu::kOneVectorCore;
}

std::string NameOf(const Participant& core) {
  return fmt::format("{} {}", core.cube ? "aic" : "aiv", core.index);
}

// Whether a mode has somebody to tell in a kernel of this shape.
bool TellsSomebody(const npu::LaunchShape& shape, bool cube, uint32_t mode) {
  if (mode == 0) return true;
  if (mode == 1) return !cube;
  return shape.cube > 0 && shape.vector > 0;
}

}  // namespace

void CrossCoreChecker::OnLaunch(const npu::LaunchEvent& event) {
  shape_ = npu::ShapeOf(event);
  has_scheduler_ = event.has_scheduler;
  flags_ = npu::CrossCoreFlags<uint64_t, KeepLast>(shape_);
  cores_.clear();
  ended_ = 0;
  meets_ = false;
  library_ids_ = 0;
}

void CrossCoreChecker::OnBlockBegin(const npu::Core& core) {
  cores_[npu::ParticipantOf(core)] = &core;
}

void CrossCoreChecker::OnBlockEnd(const npu::Core&) { ++ended_; }

void CrossCoreChecker::Add(std::string_view code,
                           const npu::InstructionEvent& event,
                           std::string message, std::string fix) {
  if (findings_.CountIfKnown(code, event.instruction.pc, 0)) return;
  findings_.Add(MakeFinding(code, event.core, npu::NameOf(event.pipe),
                            event.instruction.pc, std::move(message),
                            std::move(fix)));
}

void CrossCoreChecker::OnInstruction(const npu::InstructionEvent& event) {
  const abi::Instruction& instruction = event.instruction;
  switch (instruction.op) {
    case Op::kSyncAll:
      // Without a workspace the scheduler does it.
      meets_ |= instruction.dst.address == 0;
      break;
    case Op::kCrossCoreSetFlag:
      if (IsLibrarys(instruction)) {
        library_ids_ |= 1u << npu::CrossCoreFlagOf(instruction.sync.id);
      } else {
        CheckSet(event);
      }
      break;
    case Op::kCrossCoreWaitFlag:
      CheckId(event);
      break;
    default:
      break;
  }
}

void CrossCoreChecker::OnWaited(const npu::InstructionEvent& event) {
  if (event.instruction.op != Op::kCrossCoreWaitFlag) return;
  const Participant core = npu::ParticipantOf(event.core);
  const uint32_t id = event.instruction.sync.id;
  if (flags_.CountOf(core, id) > 0) flags_.Take(core, id);
}

void CrossCoreChecker::CheckId(const npu::InstructionEvent& event) {
  const uint32_t id = event.instruction.sync.id;
  if (id < npu::kCrossCoreFlags) return;
  Add(code::kS133, event,
      fmt::format(
          "[{}] flag id {} is out of range: 0 to {}; the chip takes its "
          "low four bits, {}",
          npu::NameOf(event.instruction.op), id, npu::kCrossCoreFlags - 1,
          npu::CrossCoreFlagOf(id)),
      "use ids 0 to 10");
}

void CrossCoreChecker::CheckSharing(const npu::InstructionEvent& event) {
  const uint32_t flag = npu::CrossCoreFlagOf(event.instruction.sync.id);
  const bool by_meeting =
      meets_ && flag >= kFirstOfSyncAll && flag <= kLastOfSyncAll;
  const bool by_matmul = (library_ids_ >> flag & 1) != 0;
  if (!by_meeting && !by_matmul) return;
  Add(code::kS134, event,
      fmt::format("[CrossCoreSetFlag] flag id {} is used by {} of this kernel "
                  "too",
                  flag, by_matmul ? "the Matmul objects" : "SyncAll()"),
      by_matmul ? "use ids from twice the number of Matmul objects on, up to 10"
                : "use ids 0 to 10: SyncAll() takes 11 to 14");
}

void CrossCoreChecker::CheckSet(const npu::InstructionEvent& event) {
  const abi::Instruction& set = event.instruction;
  const Participant setter = npu::ParticipantOf(event.core);
  CheckId(event);
  CheckSharing(event);
  // The C interface may name the scalar pipe.
  const bool is_c_call = set.sync.block != 0;
  if (set.sync.from == abi::Pipe::kAll ||
      (set.sync.from == abi::Pipe::kS && !is_c_call)) {
    Add(code::kS136, event,
        fmt::format("[CrossCoreSetFlag] pipe {} cannot set a flag between "
                    "cores",
                    npu::NameOf(set.sync.from)),
        "name the pipe that moves the data the other core waits for: "
        "PIPE_MTE3 or PIPE_FIX for results in global memory");
  }
  if (!has_scheduler_) {
    Add(code::kS131, event,
        "[CrossCoreSetFlag] the kernel runs on one type of core without the "
        "scheduler that passes flags on (__vector__, __cube__, "
        "KERNEL_TYPE_AIV_ONLY or KERNEL_TYPE_AIC_ONLY)",
        "mark it __mix__(0, 1) or __mix__(1, 0), or KERNEL_TYPE_MIX_AIV_1_0 or "
        "KERNEL_TYPE_MIX_AIC_1_0");
  } else if (!TellsSomebody(shape_, setter.cube, set.mode)) {
    Add(code::kS131, event,
        fmt::format("[CrossCoreSetFlag] mode {} tells nobody: it is for {}",
                    set.mode,
                    set.mode == 1 ? "the vector cores of a block among each "
                                    "other, and this is a cube core"
                                  : "blocks of cube and vector cores"),
        "mark the kernel __mix__(1, 1) or __mix__(1, 2), or use mode 0");
  }
  flags_.Set(setter, set.mode, set.sync.id, set.pc);
  CheckCount(event);
}

void CrossCoreChecker::CheckCount(const npu::InstructionEvent& event) {
  const abi::Instruction& set = event.instruction;
  const Participant setter = npu::ParticipantOf(event.core);
  for (const Participant& told : flags_.modes().Told(setter, set.mode)) {
    const size_t count = flags_.CountOf(told, set.sync.id);
    if (count <= npu::kMaxCrossCoreCount) continue;
    Add(code::kS135, event,
        fmt::format(
            "[CrossCoreSetFlag] nothing keeps this core from setting flag {} "
            "{} times before {} waits for it: its counter holds {}, and the "
            "chip stops with an error when it would rise further",
            npu::CrossCoreFlagOf(set.sync.id), count, NameOf(told),
            npu::kMaxCrossCoreCount),
        "let the other side answer with a flag of its own, and wait for that "
        "every few rounds");
    return;
  }
}

void CrossCoreChecker::OnLaunchEnd() {
  if (ended_ != shape_.blocks * (shape_.cube + shape_.vector)) return;
  const auto add = [&](const Participant& core, uint64_t pc,
                       std::string message) {
    const auto found = cores_.find(core);
    if (found == cores_.end() || findings_.CountIfKnown(code::kS132, pc, 0)) {
      return;
    }
    findings_.Add(MakeFinding(
        code::kS132, *found->second, "", pc, std::move(message),
        "let CrossCoreSetFlag and CrossCoreWaitFlag come in pairs, also behind "
        "the last round of a loop"));
  };
  flags_.ForEachLeft(
      [&](const Participant& core, uint32_t flag, const auto& steps) {
        add(core, steps.back(),
            fmt::format("[CrossCoreSetFlag] {} has not waited for flag {} as "
                        "often as it was set: its counter is {} when the "
                        "kernel ends, and what follows is not defined",
                        NameOf(core), flag, steps.size()));
      },
      [&](const Participant& setter, uint32_t mode, uint32_t flag,
          const auto& sets) {
        add(setter, sets.back(),
            fmt::format("[CrossCoreSetFlag] {} has set flag {} in mode {} {} "
                        "more often than the others who must: no counter has "
                        "risen for that, and what follows is not defined",
                        NameOf(setter), flag, mode,
                        sets.size() == 1
                            ? "once"
                            : fmt::format("{} times", sets.size())));
      });
}

}  // namespace belay::check
