// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_CRUX_FIT_H_
#define BELAY_JUDGE_CRUX_FIT_H_

// Which parameter of a Crux kernel is which input, output or attribute of a
// task's operator: they go by their names.

#include <string>
#include <vector>

#include "crux/interpret/interpret.h"
#include "crux/typed.h"
#include "judge/crux_call.h"

namespace belay::judge {

struct CruxFit {
  crux::interpret::Arguments arguments;
  // For each output of the call the parameter that holds it; null: absent.
  std::vector<const crux::typed::Parameter*> outputs;
};

// Takes the elements out of the call's inputs. `in`, `inout` and `value`
// parameters are inputs, `inout` ones with an output in their place; host
// scalars and lists of numbers may be tensors of one dimension, too. Inputs and
// attributes a kernel does not name are left out. Throws
// interpret::CallRefused (BLY-J105) naming the parameter that does not fit.
CruxFit FitCall(const crux::typed::Kernel& kernel, CruxCall& call,
                const std::string& file);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_CRUX_FIT_H_
