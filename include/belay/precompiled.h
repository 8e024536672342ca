// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_PRECOMPILED_H_
#define BELAY_PRECOMPILED_H_

// What is compiled ahead of time for every guest program.

#include "acl/acl.h"
#include "kernel_operator.h"

#endif  // BELAY_PRECOMPILED_H_
