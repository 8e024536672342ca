// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_CALL_OUTCOME_H_
#define BELAY_JUDGE_CALL_OUTCOME_H_

// What the end of a call says about a candidate, before values are compared.

#include "judge/session.h"
#include "judge/verdict.h"

namespace belay::judge {

Outcome OutcomeOf(CallEnd end);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_CALL_OUTCOME_H_
