// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REWRITE_C_LIBRARY_H_
#define BELAY_REWRITE_C_LIBRARY_H_

// Names the C library has taken: a kernel of such a name cannot have C linkage.

#include <string_view>

namespace belay::rewrite {

// Whether the C library's headers declare a function of this name.
bool IsCLibraryName(std::string_view name);

}  // namespace belay::rewrite

#endif  // BELAY_REWRITE_C_LIBRARY_H_
