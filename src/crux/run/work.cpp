// SPDX-License-Identifier: Apache-2.0
#include "crux/run/work.h"

#include "belay/guest_abi.h"
#include "belay/scalar_work.h"

namespace belay::crux::run {

void Spend(const Work& work) {
  belay_scalar_work[0] += work.words[0];
  belay_scalar_work[1] += work.words[1];
  belay_budget -= work.all;
  if (belay_budget < 0) belay_tick();
}

}  // namespace belay::crux::run
