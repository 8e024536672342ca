// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_CODE_NAMES_H_
#define BELAY_CRUX_IR_CODE_NAMES_H_

// Which names code uses and defines.

#include <set>
#include <string>

#include "crux/ir/code.h"

namespace belay::crux::code {

// Statements inside are counted, too.
struct NamesIn {
  std::set<std::string> integers;          // used, host values among them
  std::set<std::string> defined_integers;  // kLet, kScalarLet, kVariable, kFor,
                                           // kCall
  std::set<std::string> set_integers;      // by kSet
  std::set<std::string> tensors;           // LocalTensors used
  std::set<std::string> defined_tensors;
};

void AddNames(const Stmt& stmt, NamesIn& names);
void AddNames(const Block& block, NamesIn& names);

}  // namespace belay::crux::code

#endif  // BELAY_CRUX_IR_CODE_NAMES_H_
