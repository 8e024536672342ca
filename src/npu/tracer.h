// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_TRACER_H_
#define BELAY_NPU_TRACER_H_

// An observer that prints every instruction and every scalar access, one line
// each.

#include <cstdio>
#include <functional>
#include <string>

#include "npu/chip.h"

namespace belay::npu {

class Tracer : public Observer {
 public:
  // `locate` turns a guest program counter into "file:line"; called once per
  // line printed, so it should remember its answers.
  using Locate = std::function<std::string(uint64_t pc)>;

  // `out` stays the caller's.
  Tracer(const Chip& chip, std::FILE* out, Locate locate)
      : chip_(chip), out_(out), locate_(std::move(locate)) {}

  void OnLaunch(const LaunchEvent& event) override;
  void OnInstruction(const InstructionEvent& event) override;
  void OnScalar(const ScalarEvent& event) override;
  void OnBlockEnd(const Core& core) override;

  // One instruction's operands and parameters, as a trace line shows them.
  std::string Describe(const Core& core, const abi::Instruction& instruction,
                       const Lanes* lanes) const;

 private:
  // "UB+0x40", or the address itself in global memory.
  std::string Address(const Core& core, uint64_t address) const;
  std::string Operand(const Core& core, const char* role,
                      const abi::Operand& operand) const;
  void Print(const Core& core, std::string_view pipe, const std::string& text,
             uint64_t pc);

  const Chip& chip_;
  std::FILE* out_;
  Locate locate_;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_TRACER_H_
