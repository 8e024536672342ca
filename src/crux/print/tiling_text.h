// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_TILING_TEXT_H_
#define BELAY_CRUX_PRINT_TILING_TEXT_H_

// The host's part of a launch in C++: from shapes and attributes to the tiling
// data, the tiling key, the number of cores and the workspace. An operator
// project has it in its tiling function, a single source in main.

#include <map>
#include <string>
#include <vector>

#include "crux/print/compiled.h"
#include "crux/print/host_text.h"
#include "crux/print/text.h"

namespace belay::crux::print {

enum class Road : uint8_t { kProject, kSource };

// A member of the tiling data: "int64_t", "float"; an array has kArraySize.
struct TilingField {
  std::string type;
  bool array = false;
};
using TilingFields = std::map<std::string, TilingField>;  // by host value
inline constexpr int kArraySize = 256;

// Variants of one choice of dtypes, in the order they are tried; their tiling
// keys are 1, 2, …
struct DtypeChoice {
  std::vector<DType> dtypes;
  std::vector<const CompiledVariant*> variants;
};
std::vector<DtypeChoice> ChoicesOf(const Compiled& compiled);

// Those that `used` names, and what the tiling itself needs to keep.
TilingFields FieldsOf(const Compiled& compiled,
                      const std::set<std::string>& used);

// The struct itself, with both sides' include guard left to the caller.
Text TilingStruct(const std::string& type, const TilingFields& fields);

struct TilingText {
  // Needs `tiling` (a pointer to the struct), core_count, ub_size and what
  // `needs` says; leaves key, blocks and, unless there is none,
  // workspace_bytes. Not declared before.
  Text body;
  HostNeeds needs;
  std::string late;              // as LateOfSome gives it
  bool chooses_pieces = false;   // uses Piece
  bool pieces_in_turns = false;  // with `outer`: of loops inside others
};

// A variant and the tiling key that asks for it.
struct KeyedVariant {
  const CompiledVariant* variant = nullptr;
  int key = 1;
};

// `groups`: variants that share a class share statements of the tiling.
TilingText PrintTiling(const Compiled& compiled, const TilingFields& fields,
                       std::vector<std::vector<KeyedVariant>> groups,
                       Road road);

// A refusal of the call where `condition` holds.
std::string RefusalText(const std::string& condition,
                        const std::string& message, Road road);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_TILING_TEXT_H_
