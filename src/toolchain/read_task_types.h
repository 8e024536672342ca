// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_READ_TASK_TYPES_H_
#define BELAY_TOOLCHAIN_READ_TASK_TYPES_H_

// Pass: KERNEL_TASK_TYPE_DEFAULT(…), a call of belay_task_type in the body of a
// kernel, becomes the kernel's kind; KERNEL_TASK_TYPE(key, …) its kind under
// one tiling key.

#include <llvm/IR/Module.h>

namespace belay::toolchain {

// Removes the calls. One in a function that is no kernel says nothing, and a
// mark of the kernel itself (__vector__, __cube__, __mix__) goes before
// KERNEL_TASK_TYPE_DEFAULT, both before what library code suggests
// (belay_suggest_task_type), and that before what InferCores found. Needs
// ReadAnnotations before.
void ReadTaskTypes(llvm::Module& module);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_READ_TASK_TYPES_H_
