// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_FIELDS_H_
#define BELAY_CRUX_SELECT_FIELDS_H_

#include <string>
#include <vector>

#include "crux/ir/code.h"
#include "crux/ir/tile.h"

namespace belay::crux::select {

// The tensors in global memory, workspace one after the other.
void AddGlobals(const ir::Kernel& kernel, code::Kernel& out);

// The host values that code on the device and the sizes of its memory use.
std::vector<std::string> FieldsOf(const ir::Kernel& kernel,
                                  const code::Kernel& out);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_FIELDS_H_
