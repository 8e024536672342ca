// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_LOWER_LOWERING_H_
#define BELAY_CRUX_LOWER_LOWERING_H_

// One lowering of one kernel: walks the typed tree in the order it runs and
// emits statements on tiles.

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "crux/ir/linear.h"
#include "crux/ir/refusal.h"
#include "crux/lower/facts.h"
#include "crux/lower/lower.h"
#include "crux/lower/value.h"
#include "crux/passes/lanes.h"

namespace belay::crux::lower {

class Lowering {
 public:
  // All must outlive it.
  Lowering(const typed::Kernel& source, const std::vector<DType>& dtypes,
           HostOracle& oracle);

  ir::Kernel Run();

 private:
  using Expr = typed::Expr;

  // Statements (statements.cpp).
  void LowerBlock(const typed::Block& block);
  void LowerStatement(const typed::Statement& statement);
  void Assign(const typed::Statement& statement);
  void AssignTuple(const typed::Statement& statement, const Expr& value);
  void AssignCopy(const typed::Variable& variable, int tile);
  // The value in a tile of its own.
  int AssignedTile(const Expr& value, Target target);
  // Of a variable that is no tile.
  Value ValueOf(const typed::Variable& variable, const Expr& value);
  void Bind(const typed::Variable& variable, Value value);
  Value MakeScratch(const typed::Variable& variable, const Expr& value);
  Value MakeAcross(const typed::Variable& variable, const Expr& value);
  void LowerIf(const typed::Statement& statement);
  void LowerDeviceIf(const typed::Statement& statement, const Int& condition);
  void LowerStore(const typed::Statement& statement);
  void LowerAcrossUpdate(const typed::Statement& statement);
  void LowerAssert(const typed::Statement& statement);
  Target TargetOf(const typed::Variable& variable);
  // The statements of the block, with what they assign forgotten afterwards.
  ir::Block LowerInside(const typed::Block& block);

  // Loops (loops.cpp).
  void LowerLoop(const typed::Loop& loop, int line);
  Int PieceOf(const typed::Loop& loop, const Int& low, const Int& high);
  Int OuterIterations();
  // Turns of a loop that is written out turn by turn (unroll.cpp).
  std::optional<int64_t> TurnsToWriteOut(const typed::Loop& loop);
  void WriteOut(const typed::Loop& loop, int64_t turns);
  // Variables that are assigned again: from here on they have a home.
  std::vector<int> EnterHomes(const std::vector<const typed::Variable*>& names);
  void LeaveHomes(const std::vector<int>& ids);
  void LinkPrefixLoops();
  std::vector<ir::Index> IterationsOf(
      const std::vector<const typed::Loop*>& loops) const;

  // Host values (host.cpp).
  // Of a host integer or bool.
  Int HostInt(const Expr& expr, std::string_view wish = "");
  std::optional<Int> HostArithmetic(const Expr& expr);
  ir::Number HostNumber(const Expr& expr, std::string_view wish = "");
  HostLine LowerHostLine(const typed::Variable& variable, const Expr& expr);
  // A host integer of a form that Int has not.
  Int OpaqueInt(const Expr& expr, std::string_view wish);
  Int NamedFormula(const Int& formula, const typed::Variable& variable);
  // A very long integer by a name of its own.
  Int Shortened(const Int& value, std::string_view name, int line);
  // Names of host lines and of views written out.
  const Expr* Inlined(const Expr& expr);
  Expr* NewExpr(typed::ExprKind kind, TypeKind type);
  ir::HostValue& AddHost(std::string_view wish, ir::HostSource source);
  Int SizeNamed(const std::string& name);
  Int PackSize(const std::string& name, const Size& size);
  // The integer that a symbolic size is, where all its names are known.
  std::optional<Int> Known(const Size& size);
  std::optional<Int> KnownAtom(const SizeAtom& atom);
  void Learn(const Size& size, const Int& value);
  // A formula that has a name, by its name.
  Int Canonical(const Int& value) const;
  // The `each` loop whose element the expression speaks of; null: none.
  const typed::Loop* EachLoopIn(const Expr& expr) const;

  // Refusals (require.cpp): of calls in which what stands at `range` is reached
  // and has no meaning. Nothing is asked that only the device knows.
  void Require(Int condition, const SourceRange& range,
               const std::string& message, const char* code = code::kX193);
  void RequireAtMost(const Int& a, const Int& b, const SourceRange& range,
                     const std::string& message,
                     const char* code = code::kX193);
  // Points and ranges lie inside their dimensions; X181 and X182 say of a
  // tensor, X191 of a tile.
  void RequireInside(const std::vector<ir::Index>& indices,
                     const SourceRange& range, const char* code);
  // Whether it is all of its dimension, or in turn each part of that.
  bool TakesAllOf(const ir::Index& index) const;
  // Whether a is never more than b, as far as it is easily seen.
  bool IsAtMost(const Int& a, const Int& b) const;
  bool IsNatural(ir::Linear sum) const;
  // As IsNotNegative, in what loops around run once or more.
  bool IsNaturalHere(const Int& value) const;
  // Of a condition that is asserted: which size is what.
  void LearnEquality(const Expr& condition);
  // With what named values, and sizes that are asserted, are made of.
  Int WrittenOut(const Int& value) const;
  std::optional<Int> FormulaOf(const Expr& expr) const;
  // An integer of 8 or 16 bits holds the value.
  // That a list of integers has element `at`; that those do whose elements a
  // host expression reads, whatever its conditions are.
  void RequireElement(const typed::Expr& list, const Int& at,
                      const SourceRange& range);
  void RequireElements(const typed::Expr& expr);
  void RequireHeld(const Int& value, DType dtype, const SourceRange& range);
  void RequireProduct(const Int& product, const Int& elements,
                      const SourceRange& range);
  // What an integer is in the first and the last turns of the loops it grows
  // evenly with, of pieces by their size; nothing if it depends on other names
  // of the device.
  struct Ends {
    Int first;
    Int last;
  };
  std::optional<Ends> EndsOf(const Int& value);
  // A host integer as an expression of the program; null: it has none.
  const Expr* HostExpr(const Int& value);
  // Of `a if condition else b`, the one that this variant has.
  const Expr* Chosen(const Expr& expr) const;

  // Integers (integers.cpp).
  // Of a host integer, an index, an integer scalar of the device; of a range:
  // its extent.
  Int IntOf(const Expr& expr);
  Int IndexOperation(const Expr& expr);
  Int ReadTile(int tile, std::string_view wish, const Expr* expr);
  Range RangeOf(const Expr& expr);
  // A condition of the device or host as 0 or 1.
  Int ConditionOf(const Expr& expr);
  bool IsHost(const Int& value) const;
  bool IsNotNegative(const Int& value) const;
  std::optional<Int> Upper(const Int& value);
  std::optional<Int> Lower(const Int& value);
  // A dimension of that size. Without a bound of its own it takes `bound`;
  // without that the program is refused.
  Dim BoundedDim(const Int& size, const std::optional<Int>& bound,
                 const SourceRange& range);
  Dim DimOf(const Expr& size);
  std::optional<Int> BoundByUse(const Size& length);

  // Tensors (tensors.cpp).
  TensorView ViewOf(const Expr& tensor);
  TensorView ListElementView(const Expr& tensor);
  TensorView AroundView(const Expr& tensor);
  // The dimension around(…) names, where sizes on both sides have names.
  std::optional<size_t> PlaceAround(const TensorView& view,
                                    const Expr& tensor) const;
  // As IndicesOf.
  ir::Access AccessOf(const Expr& view, std::vector<Dim>* dims,
                      bool falls = false);
  // One index for each dimension, and the dimensions of what they select.
  // Positions by tiles are kept, or made ranges where they run; along the last
  // dimension they may fall if `falls`.
  std::vector<ir::Index> IndicesOf(
      const std::vector<typed::Subscript>& subscripts,
      const std::vector<Dim>& dims, const std::vector<Size>& sizes,
      std::vector<Dim>* result, bool falls = false);
  ir::Index SliceIndex(const typed::Subscript& subscript, const Dim& dim,
                       const Size* size);

  // Tiles (tiles.cpp).
  // A tile, or a number that takes the dtype of what it meets.
  ir::Operand OperandOf(const Expr& expr, Target* target = nullptr);
  int TileOf(const Expr& expr, Target* target = nullptr);
  int Materialised(const ir::Operand& operand, DType dtype, Target* target,
                   int line);
  ir::Operand LowerFromHost(const Expr& expr);
  int LowerSubscript(const Expr& expr, Target* target);
  int LowerLoad(const Expr& expr, Target* target);
  int LoadFilledBy(int fill, ir::Access access, std::vector<Dim> dims,
                   Target* target, int line);
  // Where positions lie inside the tensor; broadcasts to dims.
  int InsideMask(const ir::Access& access, const std::vector<Dim>& dims,
                 int line);
  int LowerAcrossValue(const Expr& expr, Target* target);
  int LowerAcrossPrefix(const Expr& expr, Target* target);
  // A new tile, or the target's, of dims `dims`: what `indices` take of `tile`.
  // `ending`: of its name.
  int Sliced(int tile, std::vector<ir::Index> indices, std::vector<Dim> dims,
             std::string_view ending, Target* target, int line);
  // The elements along the last axis from the last one on.
  int TurnedRound(int tile, int line);
  int Reshaped(int tile, std::vector<Dim> dims, Target* target, int line);
  int Taken(int tile, int indices, int axis, Target* target, int line);

  // Operations (operations.cpp, order.cpp).
  ir::Operand LowerOperation(const Expr& expr, Target* target);
  ir::Operand LowerElementwise(const Expr& expr, Target* target);
  int LowerMake(const Expr& expr, Target* target);
  int LowerArange(const Expr& expr, Target* target);
  ir::Operand LowerConvert(const Expr& expr, Target* target);
  int LowerReduce(const Expr& expr, Target* target);
  int LowerShape(const Expr& expr, Target* target);
  int LowerAlongAxis(const Expr& expr, Target* target);
  // The two results of topk, merge_topk, compress and deinterleave.
  int LastOf(int tile, int axis, Target* target, int line);
  std::pair<int, int> LowerPair(const Expr& expr, Target* first,
                                Target* second);
  // Nothing: an order that has no operation of its own.
  std::optional<double> NormOrder(const Expr& order);
  int NormByPowers(int tile, const Expr& order, ir::Stmt sum,
                   std::vector<Dim> dims, Target* target);
  const Expr* LiteralLike(const Expr& expr, double number);
  std::vector<Dim> DimsOfSizes(const Expr& call, int tile);
  // Emits a computation whose result goes to the target, if it may.
  int Compute(ir::Stmt stmt, DType dtype, std::vector<Dim> dims,
              Target* target);
  std::string ResultName(const ir::Stmt& stmt, DType dtype) const;
  int Compute(Op op, std::vector<ir::Operand> operands, DType dtype,
              std::vector<Dim> dims, Target* target, int line);
  bool Flag(const Expr* expr, bool fallback);
  // What is known of the integers that a computation gives.
  void LearnFacts(const ir::Stmt& stmt);
  std::optional<Int> ScalarOf(const ir::Operand& operand);

  // Results and statements.
  ir::Stmt& Emit(ir::StmtKind kind, int line);
  int ResultTile(Target* target, std::string_view wish, DType dtype,
                 std::vector<Dim> dims, int line);
  const ir::Tile& TileAt(int id) const;
  void Forget(int tile);
  DType DtypeOf(const Element& element) const;
  bool Decide(const Expr& condition);
  // Whether rows lie on lanes (lower.cpp).
  void AskForLanes();
  const Expr* AreShort(const passes::ShortRows& rows);
  // Sizes that the answer makes constants.
  void LearnEqualities(const Expr& condition, bool answer);

  struct Bound {
    std::optional<Int> low;
    std::optional<Int> high;
  };

  const typed::Kernel& source_;
  HostOracle& oracle_;
  Facts facts_;
  ir::Kernel kernel_;
  ir::Block* block_ = nullptr;
  bool too_large_ = false;  // some fits() was answered no
  int device_ifs_ = 0;      // around what is lowered

  std::vector<Value> variables_;
  std::vector<Int> loop_names_;    // by the loop's id: index or start
  std::vector<Dim> loop_extents_;  // of pieces
  std::vector<const typed::Loop*> running_;
  std::map<const typed::Loop*, const ir::Loop*> lowered_;
  std::map<const typed::Loop*, std::string> pieces_;  // tile parameters
  std::map<const typed::Loop*, const typed::Loop*> linked_;
  std::map<int, int> homes_;  // of a variable: the tile to assign
  std::map<const typed::Parameter*, int> tensors_;
  std::map<const typed::Variable*, int> scratches_;
  std::map<int, std::vector<Int>> scratch_dims_;
  std::map<std::string, Int> packs_;  // their products
  std::set<int> used_tensors_;

  std::set<std::string> host_names_;
  std::set<std::string> not_negative_;
  std::map<std::string, Int> asserted_;  // of a size, what it is
  std::map<const SizeAtom*, Int> atoms_;
  std::map<std::string, int64_t> constants_;  // host values that are known
  std::vector<const SizeAtom*> learned_;      // atoms in the order they came
  // Host values made of an expression, by its `each` loop and text.
  std::map<std::pair<const typed::Loop*, std::string>, std::string> opaque_;
  std::map<std::string, Bound> bounds_;  // of names of the device
  std::map<int, Bound> tile_bounds_;     // of integer scalars
  std::map<int, Range> affine_;          // tiles that are a range
  std::map<int, Int> reads_;             // tile to the name read from it
  std::map<int, int> totals_;            // across value to its tile
};

// "exp", "bit_and": what a temporary is called.
std::string NameOfOperation(Op op);
ir::Number IntegerNumber(Int value);
// All of a dimension.
ir::Index WholeIndex(const Dim& dim);
// Of two shapes that broadcast.
std::vector<Dim> BroadcastDims(std::vector<Dim> a, const std::vector<Dim>& b);
Int Product(const std::vector<Int>& factors);

}  // namespace belay::crux::lower

#endif  // BELAY_CRUX_LOWER_LOWERING_H_
