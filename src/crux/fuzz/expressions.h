// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_EXPRESSIONS_H_
#define BELAY_CRUX_FUZZ_EXPRESSIONS_H_

// Writes random expressions of a wanted type, out of the operations of the
// registry and whatever the scope offers.

#include <string>
#include <vector>

#include "crux/fuzz/scope.h"

namespace belay::crux::fuzz {

class Expressions {
 public:
  explicit Expressions(Scope& scope) : scope_(scope) {}

  // The text of a tile of exactly this type, parenthesised where it must be.
  // May write lines before: operations that give two values. At most `depth`
  // operations deep.
  std::string Tile(const TileType& want, int depth);

  // A host number that every instance of the dtype can take; not for bool.
  std::string Number(const Dtype& dtype);

  // A dtype of the program that the rule allows; f32, i32 or bool where the
  // program has none.
  Dtype DtypeFor(OpDtypes rule);

  // A random type that can be written here, of rank 0 to 3.
  TileType AnyType();

  // A scalar of the device: a bool.
  std::string Condition(int depth);

 private:
  using Maker = std::string (Expressions::*)(const OpInfo&, const TileType&,
                                             int);

  // Null if the rule cannot give the type.
  Maker MakerOf(const OpInfo& op, const TileType& want);

  std::string Leaf(const TileType& want);
  std::string Load(const TileType& want);
  std::string Operation(const TileType& want, int depth);
  // What is no operation of the registry: subscripts, host choice, helpers.
  std::string Other(const TileType& want, int depth);

  std::string Same(const OpInfo& op, const TileType& want, int depth);
  std::string Broadcasting(const OpInfo& op, const TileType& want, int depth);
  std::string Comparison(const OpInfo& op, const TileType& want, int depth);
  std::string Where(const OpInfo& op, const TileType& want, int depth);
  std::string Cast(const OpInfo& op, const TileType& want, int depth);
  std::string Reduction(const OpInfo& op, const TileType& want, int depth);
  std::string Arange(const OpInfo& op, const TileType& want, int depth);
  std::string Made(const OpInfo& op, const TileType& want, int depth);
  std::string Argsort(const OpInfo& op, const TileType& want, int depth);
  std::string Topk(const OpInfo& op, const TileType& want, int depth);
  std::string MergeTopk(const OpInfo& op, const TileType& want, int depth);
  std::string Take(const OpInfo& op, const TileType& want, int depth);
  std::string Compress(const OpInfo& op, const TileType& want, int depth);
  std::string Deinterleave(const OpInfo& op, const TileType& want, int depth);
  std::string Matmul(const OpInfo& op, const TileType& want, int depth);
  std::string Reshape(const OpInfo& op, const TileType& want, int depth);
  std::string Transpose(const OpInfo& op, const TileType& want, int depth);
  std::string Concat(const OpInfo& op, const TileType& want, int depth);
  std::string BroadcastTo(const OpInfo& op, const TileType& want, int depth);

  // Elements of an input at positions that a tile gives.
  std::string Gather(const TileType& want, int depth);
  // An integer of the device: a loop's variable, or the ends of its range.
  std::string Position();

  // An operand that broadcasts to `want`: a tile, or a number.
  std::string Operand(const TileType& want, int depth);
  // Nonzero in every element.
  std::string Divisor(const TileType& want, int depth);
  // Dimensions that broadcast to these.
  Dims Narrower(const Dims& dims);
  // One that no tile here has to have: to reduce over, to take from.
  Dim FurtherDim(const Dims& held);
  std::string AxisText(size_t axis, size_t rank);
  std::string FlagText();
  std::vector<size_t> AxesWith(const Dims& dims, bool (*test)(const Dim&));

  Scope& scope_;
};

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_EXPRESSIONS_H_
