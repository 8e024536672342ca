// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_TILING_STRUCTS_H_
#define BELAY_RUNTIME_OPERATORS_TILING_STRUCTS_H_

// The registered tiling classes as C++ text for kernel code.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/operators/registry.h"

namespace belay::runtime {

// Packed structs in the global namespace, with the padding as fields of its
// own, each behind those it holds; then `using BelayTilingData = X;` for the
// class registered for the type, which GET_TILING_DATA takes whatever the key
// (without one, for type and key). Structs of the library are included, not
// written. "" without classes. Adds a sentence to
// `problems` when two different classes have one name, or when a class holds
// one that is not registered.
std::string TilingStructsText(const std::vector<RegisteredTilingClass>& classes,
                              const std::string& type, uint64_t key,
                              std::vector<std::string>& problems);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_TILING_STRUCTS_H_
