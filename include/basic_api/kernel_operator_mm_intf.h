// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASIC_API_KERNEL_OPERATOR_MM_INTF_H_
#define BELAY_BASIC_API_KERNEL_OPERATOR_MM_INTF_H_

// A name of AscendC's for what lies in our own files.

#include "ascendc/cube/load_data.h"  // IWYU pragma: export
#include "ascendc/cube/mmad.h"       // IWYU pragma: export
#include "belay/launch.h"            // IWYU pragma: export

#endif  // BELAY_BASIC_API_KERNEL_OPERATOR_MM_INTF_H_
