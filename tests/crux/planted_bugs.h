// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_PLANTED_BUGS_H_
#define BELAY_TESTS_CRUX_PLANTED_BUGS_H_

// Bugs that a pass of the compiler might have, as edits of what it leaves.

#include <functional>
#include <string>
#include <vector>

#include "crux/ir/code.h"
#include "crux/ir/tile.h"

namespace belay::testing {

struct PlantedBug {
  std::string name;
  // The pass whose result is edited; "select": its code.
  std::string after;
  // One of the two. Whether there was anything to edit.
  std::function<bool(crux::ir::Kernel&)> in_tiles;
  std::function<bool(crux::code::Kernel&)> in_code;
};

std::vector<PlantedBug> BugsInTiles();
std::vector<PlantedBug> BugsInCode();

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_PLANTED_BUGS_H_
