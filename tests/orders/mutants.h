// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_MUTANTS_H_
#define BELAY_TESTS_ORDERS_MUTANTS_H_

// Kernels with one thing wrong, made mechanically from a recorded launch.

#include <string>
#include <utility>
#include <vector>

#include "recording.h"

namespace belay::orders {

// One change to the events of a recording.
struct Mutant {
  std::string group;  // "flag", "barrier", "queue", …
  std::string what;
  std::vector<int> removed;
  std::vector<std::pair<int, abi::Instruction>> changed;
  // An event, and the one it is moved in front of.
  std::vector<std::pair<int, int>> moved;
};

// Every flag, barrier, meeting and flag of blocks, queue call, event id,
// buffer count, length and alignment of the launch, changed in turn: all
// instances of a call at once, and the first and last of them alone.
std::vector<Mutant> MakeMutants(const Recording& recording);

std::vector<Event> Apply(const Mutant& mutant, const Recording& recording);

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_MUTANTS_H_
