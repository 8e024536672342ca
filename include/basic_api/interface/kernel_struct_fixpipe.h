// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASIC_API_INTERFACE_KERNEL_STRUCT_FIXPIPE_H_
#define BELAY_BASIC_API_INTERFACE_KERNEL_STRUCT_FIXPIPE_H_

// A name of AscendC's for what lies in our own files.

#include "ascendc/cube/fixpipe_params.h"  // IWYU pragma: export

#endif  // BELAY_BASIC_API_INTERFACE_KERNEL_STRUCT_FIXPIPE_H_
