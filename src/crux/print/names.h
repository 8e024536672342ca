// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_NAMES_H_
#define BELAY_CRUX_PRINT_NAMES_H_

// Names of a kernel as identifiers of C++: no keyword, none twice.

#include <array>
#include <string>
#include <string_view>
#include <unordered_map>

#include "crux/ir/name_set.h"

namespace belay::crux::print {

enum class NameKind : uint8_t {
  kGlobal,  // members have a trailing underscore
  kList,
  kQueue,
  kBuffer,
  kKept,      // a LocalTensor that stays from function to function
  kField,     // of the tiling data: a scope of its own
  kVariable,  // integers, scalars, LocalTensors, parameters
  kFunction,
  kKinds,  // how many
};

class Names {
 public:
  // The identifier of a name; the same whenever it is asked for.
  const std::string& Of(NameKind kind, const std::string& name);
  // A variable that is a member.
  const std::string& Keep(const std::string& variable) {
    return KnownOf(NameKind::kVariable)[variable] =
               Of(NameKind::kKept, variable);
  }
  // Nobody gets this identifier any more.
  void Take(std::string_view identifier) { taken_.insert(identifier); }

 private:
  using Known = std::unordered_map<std::string, std::string, ir::NameHash>;

  Known& KnownOf(NameKind kind) { return known_[static_cast<size_t>(kind)]; }

  std::array<Known, static_cast<size_t>(NameKind::kKinds)> known_;
  ir::NameSet taken_;
  ir::NameSet fields_;
};

// Whether an identifier or a number may have the character.
inline bool IsWordPart(char c) {
  static constexpr auto kParts = [] {
    std::array<bool, 256> parts = {};
    for (int i = '0'; i <= '9'; ++i) parts[i] = true;
    for (int i = 'A'; i <= 'Z'; ++i) parts[i] = true;
    for (int i = 'a'; i <= 'z'; ++i) parts[i] = true;
    parts['_'] = true;
    return parts;
  }();
  return kParts[static_cast<unsigned char>(c)];
}

// Whether C++, AscendC's macros or the printed frame have it.
bool IsReserved(std::string_view identifier);

// The name itself, or with "_value" behind it if it is reserved.
std::string LegalName(std::string_view name);

// "layer_norm" → "LayerNorm": an operator's type and its class.
std::string CamelCase(std::string_view name);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_NAMES_H_
