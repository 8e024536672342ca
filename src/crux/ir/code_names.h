// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_CODE_NAMES_H_
#define BELAY_CRUX_IR_CODE_NAMES_H_

// Which names code uses and defines.

#include "crux/ir/code.h"
#include "crux/ir/name_set.h"

namespace belay::crux::code {

// Statements inside are counted, too.
struct NamesIn {
  ir::NameSet integers;          // used, host values among them
  ir::NameSet defined_integers;  // kLet, kScalarLet, kVariable, kFor,
                                 // kCall
  ir::NameSet set_integers;      // by kSet
  ir::NameSet tensors;           // LocalTensors used
  ir::NameSet defined_tensors;
};

void AddNames(const Stmt& stmt, NamesIn& names);
// Only what is defined, which takes much less time.
void AddDefinitions(const Block& block, NamesIn& names);

}  // namespace belay::crux::code

#endif  // BELAY_CRUX_IR_CODE_NAMES_H_
