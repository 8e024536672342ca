// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_DEADLOCK_H_
#define BELAY_RUNTIME_DEADLOCK_H_

// What to say when no block of a wave can go on: who waits where, for whom,
// and the circle they form.

#include <vector>

#include "npu/fault.h"
#include "runtime/device.h"

namespace belay::runtime {

// At least one block of `wave` must wait, and none be ready. A counter of a
// flag between cores that would rise above its limit is named as such.
npu::Fault DescribeDeadlock(const std::vector<Block>& wave,
                            const npu::LaunchShape& shape);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_DEADLOCK_H_
