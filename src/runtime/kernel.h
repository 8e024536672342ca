// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_KERNEL_H_
#define BELAY_RUNTIME_KERNEL_H_

// A kernel as the compiled guest hands it over, and the cores it takes.

#include <string>

#include "belay/guest_abi.h"
#include "npu/cross_core_flags.h"

namespace belay::runtime {

struct Kernel {
  std::string name;
  std::string kind;  // as abi::KernelRecord says
  void (*entry)(void* arguments) = nullptr;
  // On cube cores; null when one function serves both types of core.
  void (*cube_entry)(void* arguments) = nullptr;
};

// The kernel of a record, as it is under a tiling key.
Kernel KernelOf(const abi::KernelRecord& record, uint64_t tiling_key);

// The cores that `blocks` blocks of a kernel take. Throws UserError for a kind
// that no kernel of this chip has.
npu::LaunchShape ShapeOf(const Kernel& kernel, int blocks);

// Whether the chip's scheduler passes flags between cores on for it: not for
// kernels that were declared for cores of one type alone.
inline bool HasScheduler(const Kernel& kernel) {
  return kernel.kind != "vector" && kernel.kind != "cube";
}

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_KERNEL_H_
