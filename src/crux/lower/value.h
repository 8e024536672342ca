// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_LOWER_VALUE_H_
#define BELAY_CRUX_LOWER_VALUE_H_

// What a name or an expression of the program is while it is lowered.

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "crux/ir/tile.h"
#include "crux/typed.h"

namespace belay::crux::lower {

using ir::Dim;
using ir::Int;

// A value of the host. expr has names of host lines written out; integers also
// have the form that the device uses.
struct HostLine {
  const typed::Expr* expr = nullptr;
  std::optional<Int> integer;
};

// start, start + step, …
struct Range {
  Int start;
  Int step = 1;
  Dim extent;
};

// An integer or a range that changes in a loop: it lives in tiles, and is read
// where it is used.
struct IntegerCell {
  int tile = 0;
};
struct RangeCell {
  int start = 0;
  int step = 0;
  Dim extent;
};

// A tensor under a view: an expression of kParameter, kListElement, kFlat,
// kReshaped, kAround, or kVariable for a scratch.
struct TensorName {
  const typed::Expr* expr = nullptr;
};

struct AcrossName {
  int id = 0;
};

// Nothing (monostate): not assigned yet. An int: a tile by its id.
using Value = std::variant<std::monostate, HostLine, Int, Range, IntegerCell,
                           RangeCell, TensorName, AcrossName, int>;

// The tensor and dimensions that a view stands for.
struct TensorView {
  int tensor = 0;
  Int element;  // of a list
  // A pack counts as one dimension, its product; 0 in lists, where it has no
  // name.
  std::vector<Int> dims;
  int pack = -1;  // position of the pack
  Int elements;   // of the tensor
};

// Where the result of an expression is wanted.
struct Target {
  std::string name;  // of the variable
  int home = -1;     // the tile to assign, or -1 for a new one
  bool used = false;
};

}  // namespace belay::crux::lower

#endif  // BELAY_CRUX_LOWER_VALUE_H_
