// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_OPERATIONS_H_
#define BELAY_CRUX_OPERATIONS_H_

// The registry of operations: what they are called, what they take and give.
// The checker, the interpreter, the fuzzers and docs/crux_operations.md read
// this one table.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace belay::crux {

enum class Op : uint8_t {
#define CRUX_OPERATION(id, spelling, family, parameters, dtypes, result, \
                       hosted, text)                                     \
  k##id,
#include "crux/operations.def"
#undef CRUX_OPERATION
};

enum class OpFamily : uint8_t {
  kMove,
  kMake,
  kConvert,
  kElementwise,
  kCompare,
  kReduce,
  kScan,
  kShape,
  kOrder,
  kCube,
  kCores,
  kHost,
};

// Which dtypes the first tile operand may have. Further tile operands have the
// same one, but for Where (a, b: any, equal), Take and MergeTopk (positions:
// integers) and Compress (mask: bool).
enum class OpDtypes : uint8_t {
  kAny,      // every dtype, bool included
  kNumeric,  // every dtype but bool
  kFloat,    // f16, bf16, f32
  kInteger,  // i8 u8 i16 u16 i32 u32 i64 u64
  kBits,     // integers and bool
  kBool,
  kAtomic,  // f16, bf16, f32, i8, i16, i32
  kMatmul,  // f16, bf16, f32, i8
  kRandom,  // u32, f32
};

// Dtype and shape of the result. "Same" is that of the first tile.
enum class OpResult : uint8_t {
  kNothing,
  kView,    // the view's dtype and shape
  kType,    // the type given
  kArange,  // i32 or dtype=, [n]
  kCast,    // dtype given, shape same
  kSame,
  kSameBool,       // bool, shape same
  kSameIndex,      // i32, shape same
  kBroadcast,      // dtype same, operands broadcast by NumPy's rule
  kBroadcastBool,  // bool, broadcast
  kWhere,          // dtype of a and b, all three broadcast
  kReduce,         // dtype same, axes dropped (size 1 with keepdims)
  kReduceIndex,    // i32, axes dropped
  kDropAxis,       // dtype same, axis dropped
  kReshape,
  kTranspose,
  kConcat,
  kSizes,         // dtype same, the shape given
  kTopk,          // (same, i32), k along axis
  kMergeTopk,     // (first's type, second's type)
  kTake,          // dtype same, axis replaced by the shape of the indices
  kCompress,      // (same, i32 scalar)
  kDeinterleave,  // (same, same), half along the last axis
  kMatmul,        // f32 or i32, [rows of a, columns of b]
  kAcross,        // typed::Type::Kind::kAcross
  kScratch,       // a tensor
  kHostBool,
  kInteger,  // host integer, or index when an operand is one
};

// What an argument must be.
enum class ArgRole : uint8_t {
  kView,      // x[…], a view of a tensor
  kTile,      // a tile, or a number that takes the dtype of the tiles
  kTiles,     // a tuple or list of tiles
  kNumber,    // a host number or a scalar tile of the right dtype
  kInteger,   // a host integer, an index or a device integer
  kSize,      // a host integer known by name
  kSizes,     // a tuple of sizes
  kExtent,    // an integer as kInteger, or a range
  kType,      // f32[i, j], T[c], f32
  kDtype,     // f32, T
  kAxis,      // an integer literal; negative counts from the end
  kAxes,      // an integer literal or a tuple of them
  kOrder,     // transpose: a tuple of axes; norm: 1, 2, … or inf
  kFlag,      // True, False or a host bool
  kMode,      // a rounding mode
  kGelu,      // "none" or "tanh"
  kCombine,   // sum, max, min, any, all, cumsum
  kOptional,  // the name of an optional parameter
  kChoices,   // any number of host integers
};

struct OpParameter {
  std::string_view name;
  ArgRole role = ArgRole::kTile;
  bool keyword = false;   // only by keyword
  bool optional = false;  // may be left out
};

struct OpInfo {
  Op op;
  std::string_view id;        // "Add"
  std::string_view spelling;  // "exp", " + ", ".to"
  OpFamily family;
  std::string_view signature;  // as in operations.def
  OpDtypes dtypes;
  OpResult result;
  bool hosted;
  std::string_view text;
  std::vector<OpParameter> parameters;  // the signature, parsed

  bool is_operator() const;  // " + ", "-", "~": not called by name
  bool is_method() const { return spelling.starts_with('.'); }
};

// In the order of operations.def.
std::span<const OpInfo> AllOperations();
const OpInfo& InfoOf(Op op);

// By the name a program calls ("exp", "pow", "neg"), operators and methods left
// out. Null if there is none.
const OpInfo* FindOperation(std::string_view name);

std::string_view NameOf(OpFamily family);
std::string_view NameOf(OpDtypes dtypes);  // "f16, bf16, f32"
std::string_view NameOf(
    OpResult result);  // "dtype and shape of the first tile"
std::string_view NameOf(ArgRole role);

}  // namespace belay::crux

#endif  // BELAY_CRUX_OPERATIONS_H_
