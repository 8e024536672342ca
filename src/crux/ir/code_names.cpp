// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/code_names.h"

#include "crux/ir/visit_names.h"

namespace belay::crux::code {
namespace {

auto VisitorInto(NamesIn& names) {
  return NameVisitor(
      [&names](NameRole role, const std::string& name, uint64_t hash) {
        switch (role) {
          case NameRole::kInteger:
            return names.integers.insert(name, hash);
          case NameRole::kDefinedInteger:
            return names.defined_integers.insert(name, hash);
          case NameRole::kSetInteger:
            return names.set_integers.insert(name, hash);
          case NameRole::kTensor:
            return names.tensors.insert(name, hash);
          case NameRole::kDefinedTensor:
            return names.defined_tensors.insert(name, hash);
        }
      });
}

}  // namespace

void AddNames(const Stmt& stmt, NamesIn& names) {
  VisitorInto(names).All(stmt);
}

void AddDefinitions(const Block& block, NamesIn& names) {
  VisitorInto(names).Definitions(block);
}

}  // namespace belay::crux::code
