// SPDX-License-Identifier: Apache-2.0
// The call-back that -fsanitize-coverage=trace-pc puts into every basic block:
// what makes loops without any access end by fuel.

#include "library/tsan_place.h"

extern "C" void __sanitizer_cov_trace_pc() {
  if (belay::library::InKernel()) belay::library::Meter(BELAY_GUEST_PC());
}
