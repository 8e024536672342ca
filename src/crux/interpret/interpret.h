// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_INTERPRET_H_
#define BELAY_CRUX_INTERPRET_INTERPRET_H_

// The definition of what a Crux program means: one core, from top to bottom,
// whole tensors. Obviously right rather than fast.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/npy.h"
#include "crux/interpret/budget.h"
#include "crux/interpret/numbers.h"
#include "crux/typed.h"

namespace belay::crux::interpret {

// One array, or the elements of a list parameter.
struct TensorArgument {
  std::vector<Array> arrays;
  bool list = false;
};

using AttributeValue =
    std::variant<bool, int64_t, double, std::string, std::vector<int64_t>>;

struct Arguments {
  // In, inout and value parameters by name; optional ones may be missing. A
  // u16 array stands for bf16 where the parameter takes bf16 and not u16.
  std::map<std::string, TensorArgument, std::less<>> tensors;
  std::map<std::string, AttributeValue, std::less<>> attributes;
  // Optional outputs that are to be computed.
  std::set<std::string, std::less<>> wanted;
  // Dtype variables that no tensor binds; else the first allowed is taken.
  std::map<std::string, DType, std::less<>> dtypes;
};

struct Options {
  Arithmetic arithmetic = Arithmetic::kExact;
  bool bounds = true;       // carry error bounds (exact arithmetic only)
  int64_t auto_tile = 251;  // what tile=auto means
  bool fits = true;         // what fits() answers
  // Those that differ from the two above.
  std::map<const typed::Loop*, int64_t> tile_of;
  std::map<const typed::Statement*, bool> fits_of;
  Limits limits;
  std::string file;  // what diagnostics call the program's file
};

struct OutputTensor {
  std::string name;       // "y", or "y[2]" in a list
  std::string parameter;  // "y"
  size_t index = 0;       // in a list
  // Its own dtype; f64 for floating dtypes in float64 arithmetic.
  Array array;
  // f64, as many elements; no elements when none were carried.
  Array bounds;
  // Which elements the kernel stored, or were given; empty: all.
  std::vector<bool> stored;
};

struct Results {
  // At most one error, then no outputs; warnings come with outputs.
  std::vector<Diagnostic> diagnostics;
  std::vector<OutputTensor> outputs;  // out and inout, in the kernel's order
  uint64_t steps = 0;

  bool ok() const;
  // Null if there is none.
  const OutputTensor* Find(std::string_view name) const;
};

// Runs the kernel. What the program or the call does wrong is a diagnostic;
// throws InternalError only for a bug of ours.
Results Interpret(const typed::Kernel& kernel, const Arguments& arguments,
                  const Options& options);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_INTERPRET_H_
