// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_TYPED_H_
#define BELAY_CRUX_TYPED_H_

// The typed tree: a program whose names are resolved and whose expressions
// have types. It holds all that the interpreter and the compiler need; nothing
// in it can be wrong by the rules of the front end. Everything belongs to the
// Program and dies with it; pointers within it are never null unless said.
//
// Order: statements run from top to bottom; an expression's arguments from left
// to right. Expressions have no effects. @inline helpers are gone: their
// statements stand before the statement that called them.

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "crux/operations.h"
#include "crux/size.h"
#include "crux/source.h"
#include "crux/type.h"

namespace belay::crux::typed {

struct Expr;
struct Loop;
struct Parameter;
struct Statement;
using Block = std::vector<const Statement*>;

// A local. Assigned again only with an equal type: in one kernel a name and a
// type are one variable. Host types: a host line. kIndex, kRange and kTile: as
// they say. kTensor: a scratch, or another name for a tensor (`xs =
// x.around(1)`). kAcross: an across_cores value.
struct Variable {
  int id = 0;  // position in Kernel::variables
  std::string name;
  Type type;
  SourceRange range;  // of the first assignment
  // kTensor: the parameter whose memory it is; null for a scratch.
  const Parameter* root = nullptr;
};

enum class ExprKind : uint8_t {
  // Host number, bool or string: integer, real, integer, text. inf and nan are
  // real. type: kHostInt, kHostFloat, kHostBool, kHostString.
  kLiteral,
  kSize,       // size name bound by a shape: text. kHostInt
  kPackSize,   // S.size, the product of the sizes of a pack: text. kHostInt
  kParameter,  // parameter: tensor, list, attribute or value list
  kVariable,   // variable: its value at this point
  kLoopIndex,  // loop: its variable. kIndex or kRange
  kAuto,       // tile=auto
  kFunction,   // across_cores(sum, …): type.combine
  kType,       // f32[i, j]: type.element; args = sizes (host integer, index or
               // scalar integer tile; a range stands for its extent). type.kind
               // is kType
  kTuple,      // args; type.members
  kOperation,  // op; args in the order of OpInfo::parameters, null where an
               // optional one is left out; axes, if the operation has axis=
  // A host number, an index, or a scalar tile of another kind made a scalar of
  // dtype type.element: args[0] is kHostInt, kHostFloat, kHostBool or kIndex.
  kFromHost,
  // args[0] if args[1] else args[2]; the condition is a host bool.
  kSelect,
  kHostElement,  // args[0][args[1]]: list(int) attribute or value(…) by a host
                 // integer (kHostInt) or an index (kIndex)
  kHostLogic,    // and, or, not of host bools: text is the word
  kDtypeIs,      // T == f32 (a variant): args = two kType. kHostBool
  // Tensors. type.kind is kTensor.
  kListElement,  // args[0][args[1]]: a list parameter by a host integer or by
                 // the index of an `each` loop
  kFlat,         // args[0].flat: rank 1
  kReshaped,     // args[0].view(args[1…]); a literal -1 is worked out
  kAround,       // args[0].around(args[1]): rank 3
  // Properties. kHostInt (kIndex where the tensor is a list element by index).
  kTensorSize,  // args[0].size
  kTensorRank,  // args[0].rank
  kDimension,   // args[0].shape[args[1]]
  kListCount,   // args[0].count
  kRangeStart,  // args[0].start: kIndex
  kRangeStop,   // args[0].stop: one past the last position: kIndex
  kRangeSize,   // args[0].size: kIndex
  // args[0] is a tensor, subscripts index it. type.kind is kView.
  kView,
  // args[0] is a tile, subscripts take part of it. type.kind is kTile.
  kSubscript,
  // args[0] is a kVariable of kind kAcross after its loop: the combined tile.
  kAcrossValue,
  // across_cores(cumsum, …)[i, c]: args[0] the variable, args[1…] the loop
  // indices of a nest over the same space: the combination of what the
  // iterations before this one added. kTile.
  kAcrossPrefix,
  kItem,  // member `item` of args[0], which is a tuple
};

enum class SubscriptKind : uint8_t {
  kPoint,    // value: host integer, index or scalar integer tile; drops the dim
  kRange,    // value: a kRange expression
  kSlice,    // low:high:step, null where nothing stands
  kGather,   // value: an integer tile of rank ≥ 1, in whose shape elements come
  kNewAxis,  // None: a new dimension of size 1 (tiles only)
};

// Subscripts that end early mean `:` for the rest.
struct Subscript {
  SubscriptKind kind = SubscriptKind::kPoint;
  const Expr* value = nullptr;
  const Expr* low = nullptr;
  const Expr* high = nullptr;
  const Expr* step = nullptr;  // a positive host integer
  SourceRange range;
};

struct Expr {
  ExprKind kind = ExprKind::kLiteral;
  Op op = Op::kLoad;
  Type type;
  SourceRange range;
  // Of an integer on host or device: what it is in terms of sizes, loop indices
  // and variables; unknown if that cannot be said. A range: its start.
  Size value = Size::Unknown();
  int64_t integer = 0;
  double real = 0;
  int item = 0;
  std::string text;
  const Parameter* parameter = nullptr;
  const Variable* variable = nullptr;
  const Loop* loop = nullptr;
  std::vector<const Expr*> args;
  std::vector<int> axes;  // not negative, ascending; Transpose: in its order
  std::vector<Subscript> subscripts;
};

enum class ParameterRole : uint8_t { kIn, kOut, kInOut, kValue, kAttribute };

struct ParameterDim {
  Size size;                   // symbolic
  const Expr* expr = nullptr;  // host integer; null for a pack
  std::string pack;            // name of `*S`, or empty
  bool upto = false;   // upto(N): at most this many, known after the run
  bool binds = false;  // a bare size name in an input: binds it
};

struct Parameter {
  int id = 0;  // position in Kernel::parameters
  std::string name;
  ParameterRole role = ParameterRole::kIn;
  bool optional = false;
  bool list = false;
  Type type;  // kTensor, kTensorList, kHostList or a host type
  std::vector<ParameterDim> dims;
  // Of an attribute; null if it must be given. A literal, or a kTuple of
  // literals for list(int).
  const Expr* fallback = nullptr;
  SourceRange range;
};

enum class LoopKind : uint8_t { kCores, kTiles, kRange, kEach };

struct Loop {
  int id = 0;  // position in Kernel::loops
  LoopKind kind = LoopKind::kTiles;
  std::string name;            // the loop variable
  Type type;                   // of the loop variable: kIndex or kRange
  const Expr* low = nullptr;   // null: 0. Integers of host or device
  const Expr* high = nullptr;  // null for kEach
  const Expr* step = nullptr;  // kRange only; null: 1
  const Expr* tile = nullptr;  // null: an index; kAuto, or a host integer
  // The last piece first; pieces stay the same. A host bool; null: false.
  const Expr* reverse = nullptr;
  const Expr* list = nullptr;  // kEach: the list
  // Variables of outside that the body assigns; empty for kCores.
  std::vector<const Variable*> carried;
  Block body;
};

enum class StatementKind : uint8_t {
  // Each targets[i] gets values[i], all evaluated first. Or one value of kind
  // kTuple type that is not a kTuple expression (compress, topk): its members.
  kAssign,
  kLoop,       // loop
  kIf,         // condition, how, body, otherwise
  kStore,      // target (kView), value
  kAtomicAdd,  // target, value
  // acc += v and the like: target is the kVariable, or a kSubscript of it;
  // value is a tile; the operation is target's type.combine.
  kAcrossUpdate,
  kAssert,  // condition: a host bool; text: the message, or empty
};

enum class IfKind : uint8_t {
  kVariant,  // a host condition: one of the blocks is the program
  kFits,     // if fits():
  kDevice,   // a scalar bool tile
};

struct Statement {
  StatementKind kind = StatementKind::kAssign;
  SourceRange range;
  std::vector<const Variable*> targets;
  std::vector<const Expr*> values;
  const Loop* loop = nullptr;
  IfKind how = IfKind::kVariant;
  const Expr* condition = nullptr;
  Block body;
  Block otherwise;
  bool has_otherwise = false;
  const Expr* target = nullptr;
  const Expr* value = nullptr;
  std::string text;
};

struct Kernel {
  std::string name;
  bool fast = false;
  SourceRange range;
  std::vector<const Parameter*> parameters;
  std::vector<std::string> sizes;  // names bound by shapes, in order
  std::vector<std::string> packs;
  std::vector<const DtypeVariable*> dtypes;  // those the parameters use
  std::vector<const Variable*> variables;
  std::vector<const Loop*> loops;
  Block body;

  // Null if there is none.
  const Parameter* FindParameter(std::string_view name) const;
};

// Each allowed choice of dtypes of the kernel's variables, in the order of
// Kernel::dtypes. One empty choice for a kernel without variables.
std::vector<std::vector<DType>> InstancesOf(const Kernel& kernel);

class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  std::vector<const Kernel*> kernels;

  const Kernel* FindKernel(std::string_view name) const;  // null: none

  Expr* NewExpr() { return &exprs_.emplace_back(); }
  Statement* NewStatement() { return &statements_.emplace_back(); }
  Loop* NewLoop() { return &loops_.emplace_back(); }
  Variable* NewVariable() { return &variables_.emplace_back(); }
  Parameter* NewParameter() { return &parameters_.emplace_back(); }
  Kernel* NewKernel() { return &kernels_.emplace_back(); }
  DtypeVariable* NewDtype() { return &dtypes_.emplace_back(); }
  SizeTable& sizes() { return sizes_; }

 private:
  std::deque<Expr> exprs_;
  std::deque<Statement> statements_;
  std::deque<Loop> loops_;
  std::deque<Variable> variables_;
  std::deque<Parameter> parameters_;
  std::deque<Kernel> kernels_;
  std::deque<DtypeVariable> dtypes_;
  SizeTable sizes_;
};

}  // namespace belay::crux::typed

#endif  // BELAY_CRUX_TYPED_H_
