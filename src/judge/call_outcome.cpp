// SPDX-License-Identifier: Apache-2.0
#include "judge/call_outcome.h"

namespace belay::judge {

Outcome OutcomeOf(CallEnd end) {
  switch (end) {
    case CallEnd::kFinished:
      return Outcome::kPassed;
    case CallEnd::kNotCompiled:
      return Outcome::kNotCompiled;
    case CallEnd::kRefused:
    case CallEnd::kFault:
      return Outcome::kFailed;
    case CallEnd::kInfrastructure:
      return Outcome::kInfrastructure;
  }
  return Outcome::kInfrastructure;
}

}  // namespace belay::judge
