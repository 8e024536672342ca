// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_MEMORY_REGISTERS_H_
#define BELAY_CHECK_MEMORY_REGISTERS_H_

// Registers of one core that a kernel set and must put back before it ends,
// because the next kernel on the core finds them as they were left.

#include "check/findings.h"
#include "npu/observer.h"

namespace belay::check {

class RegisterWatch {
 public:
  // Takes an instruction of the Register family.
  void Apply(const abi::Instruction& instruction);

  // Compares with what the core had at launch.
  void Report(const npu::Core& core, Findings& findings) const;

 private:
  // Where the kernel last changed each; 0: never.
  uint64_t atomic_pc_ = 0;
  uint64_t mode_pc_ = 0;
  uint64_t mask_pc_ = 0;
  uint64_t control_pc_ = 0;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_MEMORY_REGISTERS_H_
