// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_KERNEL_OPERATOR_LAYOUT_H_
#define BELAY_KERNEL_OPERATOR_LAYOUT_H_

// A name of AscendC's for what lies in our own files.

#include "ascendc/layout.h"  // IWYU pragma: export
#include "belay/launch.h"    // IWYU pragma: export

#endif  // BELAY_KERNEL_OPERATOR_LAYOUT_H_
