// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_CAGE_FILTER_H_
#define BELAY_GUEST_CAGE_FILTER_H_

// The cage's filter of system calls: an allow-list. What is not on it ends the
// process by SIGSYS.

#include <string>

namespace belay::guest {

// Which call was forbidden, in memory that the killed process shares with who
// wants to know. Hostile input: a number, no more.
struct ForbiddenCall {
  volatile int number = -1;
};

// "socket"; "" where none was forbidden.
std::string NameOf(const ForbiddenCall& call);

// Where the filter of this process writes; null: nowhere.
void SetForbiddenCallPlace(ForbiddenCall* place);
ForbiddenCall* ForbiddenCallPlace();

bool FilterIsAvailable();

// Closes the filter for ever. Throws InternalError where that fails.
void EnterFilter(bool may_fork);

// On top of it: no processes, no signals to others, no anonymous files, no
// change of limits, no further filters.
void EnterInnerFilter();

}  // namespace belay::guest

#endif  // BELAY_GUEST_CAGE_FILTER_H_
