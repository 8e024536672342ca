// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_UTILS_DEBUG_ASC_DUMP_H_
#define BELAY_UTILS_DEBUG_ASC_DUMP_H_

// A name of AscendC's for what lies in our own files.

#include "ascendc/dump.h"  // IWYU pragma: export
#include "belay/launch.h"  // IWYU pragma: export

#endif  // BELAY_UTILS_DEBUG_ASC_DUMP_H_
