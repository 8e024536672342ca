// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_PLAN_CALL_H_
#define BELAY_CRUX_RUN_PLAN_CALL_H_

// The host's part of a launch: what the printed tiling function works out.

#include <cstdint>

#include "crux/interpret/host_call.h"
#include "crux/ir/code.h"
#include "crux/run/frame.h"
#include "npu/chip_spec.h"

namespace belay::crux::run {

struct CallPlan {
  HostTable host;
  bool fits = true;
  int64_t ub_bytes = 0;  // with the pieces chosen; the smallest when not `fits`
  int64_t ub_room = 0;
  int64_t blocks = 1;
  int64_t workspace_bytes = 0;
  uint64_t tiling_bytes = 0;
};

// Throws interpret::CallRefused.
CallPlan PlanCall(const code::Kernel& kernel, interpret::HostCall& call,
                  const npu::ChipSpec& chip);

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_PLAN_CALL_H_
