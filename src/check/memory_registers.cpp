// SPDX-License-Identifier: Apache-2.0
#include "check/memory_registers.h"

#include <fmt/format.h>

#include "base/catalogue.h"

namespace belay::check {
namespace {

using abi::Op;

void Add(Findings& findings, const npu::Core& core, uint64_t pc,
         std::string what, std::string fix) {
  if (findings.CountIfKnown(code::kM110, pc, 0)) return;
  findings.Add(
      MakeFinding(code::kM110, core, "S", pc, std::move(what), std::move(fix)));
}

std::string_view NameOf(abi::Atomic atomic) {
  constexpr std::string_view kNames[] = {"none", "add", "max", "min"};
  return kNames[static_cast<int>(atomic)];
}

}  // namespace

void RegisterWatch::Apply(const abi::Instruction& instruction) {
  switch (instruction.op) {
    case Op::kSetAtomic:
      atomic_pc_ = instruction.pc;
      break;
    case Op::kSetMaskCount:
    case Op::kSetMaskNorm:
      mode_pc_ = instruction.pc;
      break;
    case Op::kSetVectorMask:
      mask_pc_ = instruction.pc;
      break;
    case Op::kResetMask:
      mask_pc_ = 0;
      break;
    case Op::kSetCtrl:
      control_pc_ = instruction.pc;
      break;
    default:
      break;
  }
}

void RegisterWatch::Report(const npu::Core& core, Findings& findings) const {
  const npu::VectorState& now = core.vector;
  const npu::VectorState fresh;
  if (atomic_pc_ != 0 && now.atomic != abi::Atomic::kNone) {
    Add(findings, core, atomic_pc_,
        fmt::format("[SetAtomic] the block ends while moves to global memory "
                    "still accumulate ({}): the next kernel's would too",
                    NameOf(now.atomic)),
        "call SetAtomicNone() after the last move that is to accumulate");
  }
  if (mode_pc_ != 0 && now.counter_mode) {
    Add(findings, core, mode_pc_,
        "[SetMaskCount] the block ends in counter mode: the next kernel's "
        "masks would be taken for counts",
        "call SetMaskNorm() and ResetMask() behind the calls that need it");
  } else if (mask_pc_ != 0 &&
             (now.mask[0] != fresh.mask[0] || now.mask[1] != fresh.mask[1])) {
    // Calls with a mask argument leave it in the register as well; only what
    // the kernel set itself is its own to take back.
    Add(findings, core, mask_pc_,
        fmt::format("[SetVectorMask] the block ends with mask {:#x}, {:#x}: "
                    "lanes stay switched off for the next kernel",
                    now.mask[1], now.mask[0]),
        "call ResetMask() behind the calls that need the mask");
  }
  if (control_pc_ != 0 && now.control != fresh.control) {
    Add(findings, core, control_pc_,
        fmt::format("[SetCtrlSpr] the block ends with CTRL {:#x}, which was "
                    "{:#x} when the kernel started",
                    now.control, fresh.control),
        "put back what the register held before");
  }
}

}  // namespace belay::check
