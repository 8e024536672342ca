// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CPU_DEBUG_LAUNCH_H_
#define BELAY_CPU_DEBUG_LAUNCH_H_

// Programs include this to launch kernels on a CPU with <<<…>>>. Every launch
// of Belay's does, so that there is nothing to add.

#include "belay/host_launch.h"  // IWYU pragma: export
#include "kernel_operator.h"    // IWYU pragma: export

#endif  // BELAY_CPU_DEBUG_LAUNCH_H_
