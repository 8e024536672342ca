// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_NAMES_H_
#define BELAY_CRUX_PRINT_NAMES_H_

// Names of a kernel as identifiers of C++: no keyword, none twice.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace belay::crux::print {

enum class NameKind : uint8_t {
  kGlobal,  // members have a trailing underscore
  kList,
  kQueue,
  kBuffer,
  kField,     // of the tiling data: a scope of its own
  kVariable,  // integers, scalars, LocalTensors, parameters
  kFunction,
};

class Names {
 public:
  // The identifier of a name; the same whenever it is asked for.
  const std::string& Of(NameKind kind, const std::string& name);
  // Nobody gets this identifier any more.
  void Take(std::string identifier) { taken_.insert(std::move(identifier)); }

 private:
  std::map<std::pair<NameKind, std::string>, std::string> known_;
  std::set<std::string> taken_;
  std::set<std::string> fields_;
};

// Whether C++, AscendC's macros or the printed frame have it.
bool IsReserved(std::string_view identifier);

// The name itself, or with "_value" behind it if it is reserved.
std::string LegalName(std::string_view name);

// "layer_norm" → "LayerNorm": an operator's type and its class.
std::string CamelCase(std::string_view name);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_NAMES_H_
