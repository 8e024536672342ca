// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TOOLCHAIN_LINK_H_
#define BELAY_TOOLCHAIN_LINK_H_

// Objects to a shared object, with lld in process.

#include <string>
#include <vector>

namespace belay::toolchain {

struct LinkResult {
  bool ok = false;
  // lld's complaints, one per line.
  std::vector<std::string> errors;
};

// Undefined symbols are left for the loader.
LinkResult Link(const std::vector<std::string>& objects,
                const std::string& output);

// Mangled names a shared object needs from whoever loads it; weak references
// are not among them.
std::vector<std::string> UndefinedSymbols(const std::string& shared_object);

}  // namespace belay::toolchain

#endif  // BELAY_TOOLCHAIN_LINK_H_
