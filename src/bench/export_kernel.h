// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_EXPORT_KERNEL_H_
#define BELAY_BENCH_EXPORT_KERNEL_H_

// The kernel's file of an exported question, its body left out.

#include <string>

#include "bench/export_signature.h"

namespace belay::bench {

// op_kernel/<kernel>.cpp. `only`: constants with the shapes and attributes of
// this case stand in front of the kernel.
std::string KernelText(const Task& task, const ExportSignature& signature,
                       const Case* only);

}  // namespace belay::bench

#endif  // BELAY_BENCH_EXPORT_KERNEL_H_
