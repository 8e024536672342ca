// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_RESOURCES_H_
#define BELAY_BASE_RESOURCES_H_

// Where Belay's own files lie: headers kernels include, chip data, the
// precompiled header.

#include <filesystem>
#include <string_view>

namespace belay {

// A file or folder Belay ships, by its path in the source tree ("include",
// "data/chips"). Looks under $BELAY_HOME, then ../share/belay beside the
// program, then beside the library this code is part of, then the tree it was
// built from. Throws UserError if absent.
std::filesystem::path Resource(std::string_view relative);

}  // namespace belay

#endif  // BELAY_BASE_RESOURCES_H_
