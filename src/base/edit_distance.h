// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_EDIT_DISTANCE_H_
#define BELAY_BASE_EDIT_DISTANCE_H_

// How far two names are apart, for "did you mean …?".

#include <string_view>

namespace belay {

// Levenshtein's distance, with a swap of neighbours as one step. O(|a| * |b|).
int EditDistance(std::string_view a, std::string_view b);

}  // namespace belay

#endif  // BELAY_BASE_EDIT_DISTANCE_H_
