// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_TILE_H_
#define BELAY_CRUX_IR_TILE_H_

// A kernel as operations on tiles: one choice of dtypes and of host conditions,
// everything a statement of its own, sizes as integers that are known when it
// runs. Passes rewrite it step by step; docs/crux_compiler.md lists them.
//
// Meaning: every core runs the statements from top to bottom. Loops over cores
// share their iterations out; everything else is done by every core, but stores
// outside such loops are done by the first core alone. No statement reads what
// another core writes without a kSyncAll between.
//
// Tiles are variables: assigned by the statements whose result they are, before
// they are read, with the same type every time.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/dtype.h"
#include "crux/ir/integer.h"
#include "crux/typed.h"

namespace belay::crux::ir {

// How many elements a tile has along an axis: `size` in this iteration, never
// more than `capacity`, which is known on the host. Constant 1: broadcasts.
struct Dim {
  Int capacity;
  Int size;

  bool is_one() const { return capacity.Is(1) && size.Is(1); }
};

struct Tile {
  int id = 0;        // position in Kernel::tiles
  std::string name;  // unique; of the program's variable where there is one
  DType dtype = DType::kNone;
  std::vector<Dim> dims;  // row-major; none: a scalar
  int line = 0;           // of the program; 0: none
};

// A number that all elements share: an operand in place of a tile, or a fill.
struct Number {
  enum class Kind : uint8_t {
    kReal,      // real
    kHostReal,  // name: a floating HostValue
    kInt,       // integer
  };
  Kind kind = Kind::kReal;
  double real = 0;
  std::string name;
  Int integer;
};

// A tile by its id, or a number that takes the dtype of the other operands.
using Operand = std::variant<int, Number>;

// Where the value of a host integer, number or array comes from.
enum class HostSource : uint8_t {
  kSize,     // bound by the shape of an argument, under its own name
  kExpr,     // expr, a host expression of the program (int, bool or float)
  kPerItem,  // an array: expr for each element of the list of `loop` (kEach)
  kList,     // an array: the list(int) or value(…) parameter that expr is
  kLargest,  // the largest element of the array whose name formula is, or 0
  kFormula,  // formula, over values before it
  kChosen,   // a tile parameter: chosen by the tiling, see TileParameter
  kSlots,    // chosen by it as well, see code::Kernel::slots
};

// A field of the tiling data. In expr names of host lines and of views of
// tensors are written out: it speaks of parameters and sizes only, in kPerItem
// of the index of `loop` too.
struct HostValue {
  std::string name;
  HostSource source = HostSource::kSize;
  bool real = false;  // kExpr: a float, else an integer
  const typed::Expr* expr = nullptr;
  const typed::Loop* loop = nullptr;
  Int formula;
  // The host line that it is the value of; null: none.
  const typed::Variable* variable = nullptr;
};

// A size of pieces that the tiling chooses as large as memory allows, and so
// that all cores have work.
struct TileParameter {
  enum class Role : uint8_t {
    kCores,  // pieces of a loop over cores
    kRows,   // how many iterations of a loop over cores run as one
    kPiece,  // pieces of a loop in order
  };
  std::string name;  // of its HostValue
  Role role = Role::kPiece;
  Int extent;          // what is cut up: no piece is larger
  Int outer = 1;       // how often it is: iterations of the loops over cores
                       // around it (kCores, kRows)
  int64_t unit = 1;    // pieces are multiples of this, save the last
  int64_t grain = 1;   // of larger pieces, as PieceRequest has it
  Int most = 1 << 30;  // no piece is larger: what instructions take, or what
                       // the host finds best
  // Those of the program that it cuts up (kCores, kPiece).
  std::vector<const typed::Loop*> loops;
};

enum class TensorRole : uint8_t { kIn, kOut, kInOut, kScratch };

// Global memory: a parameter, one element of a list parameter, or workspace.
struct Tensor {
  int id = 0;  // position in Kernel::tensors
  std::string name;
  DType dtype = DType::kNone;
  TensorRole role = TensorRole::kIn;
  const typed::Parameter* parameter = nullptr;  // null: workspace
  bool list = false;                            // accesses say which element
  Int elements;  // of one tensor; of a list: not used
  // Of an output with open sizes, until they are measured; a pack is one.
  std::vector<Int> dims;
  // Workspace that tells how much was stored of a tensor with open sizes, by
  // its id: one integer for each of its parameter's dimensions. -1: another.
  int extent_of = -1;
};

enum class IndexKind : uint8_t {
  kPoint,  // start
  kRange,  // start, start + step, …: extent of them
  kTile,   // positions from a tile of integers
};

// How one dimension of a tensor (or of a tile: kSlice) is addressed.
struct Index {
  IndexKind kind = IndexKind::kPoint;
  Int dim;    // how large the dimension is
  Int start;  // may lie outside
  Int step = 1;
  Dim extent;     // kRange
  int axis = 0;   // kRange, kTile: the (first) axis of the result it makes
  int tile = -1;  // kTile
};

struct Access {
  int tensor = 0;
  Int element;  // of a list
  // Row-major, over the tensor's memory seen under these dimensions.
  std::vector<Index> indices;
};

// A value combined over the cores.
struct Across {
  int id = 0;
  std::string name;
  Op combine = Op::kSum;  // kSum, kMax, kMin, kAny, kAll, kCumsum
  DType dtype = DType::kNone;
  std::vector<Dim> dims;
};

struct Stmt;
using Block = std::vector<std::shared_ptr<Stmt>>;

struct Loop {
  bool cores = false;
  std::string name;  // an integer: the index, or the first position of a piece
  Int low;
  Int high;
  Int step = 1;  // a piece: its capacity. Negative only in order
  // Pieces: the integer that holds how many positions this one has,
  // min(step, high - name). Empty: an index.
  std::string extent;
  bool reverse = false;  // the last piece first
  Block body;
};

enum class StmtKind : uint8_t {
  // results = op(operands) along axes. Operands broadcast by NumPy's rule.
  // A third operand of kMul is added to the product, which is rounded before.
  kCompute,
  kSlice,  // results[0] = part `slice` of operands[0]
  // results[0] = operands[0]: another name for a tile's elements in row-major
  // order, under dims of equal product. A tile that is assigned again is
  // copied.
  kReshape,
  // Rows on lanes. operands[0] has one axis: rows one after the other. In
  // results[0] the last axis is the rows, all of its capacity; those that are
  // not there are 0.
  kTurn,
  kTurnBack,   // the other way; results[0] has the rows that are there
  kLoad,       // results[0] from access; outside: fill, or a fault without
  kStore,      // operands[0], broadcast, to access
  kAtomicAdd,  // likewise
  kRead,       // name = the one element of operands[0], an integer or bool
  kLoop,
  kIf,            // condition, body, otherwise
  kAcrossUpdate,  // across op= operands[0], at `slice` (empty: all of it)
  kAcrossValue,   // results[0] = what all cores made of across
  // results[0] = what the iterations before this one added. `slice` has one
  // kPoint for each loop over cores, whose start is the loop's variable.
  kAcrossPrefix,
  kSyncAll,  // all cores meet; what was stored before is seen after
};

struct Stmt {
  StmtKind kind = StmtKind::kCompute;
  int line = 0;
  Op op = Op::kAdd;
  std::vector<int> results;
  std::vector<Operand> operands;
  std::vector<int> axes;
  // Of kCompute, where the operation has them.
  std::optional<abi::Round> round;  // kTo
  bool reverse = false;             // scans
  bool exclusive = false;           // scans
  bool descending = false;          // sort, argsort
  bool largest = true;              // topk, merge_topk
  bool tanh = false;                // gelu
  bool within = false;              // take: all positions are inside
  bool by_rows = false;  // take along axis 1: row r of [0] at position [1][r]
  // concat along the last axis: one element of each operand after the other,
  // the first ones of which may have one more than the others.
  bool in_turns = false;
  bool of_size = false;  // negate: of the absolute value
  double order = 2;      // norm
  // where: a comparison of operands[0] and [1] is the condition.
  std::optional<Op> compare;

  Access access;
  // kStore outside loops over cores: by every core, not by the first alone.
  bool every_core = false;
  std::optional<Number> fill;
  std::vector<Index> slice;
  std::string name;
  std::shared_ptr<Loop> loop;
  Int condition;
  Block body;
  Block otherwise;
  int across = -1;
};

// Calls in which the condition does not hold are refused.
struct Assertion {
  const typed::Expr* condition = nullptr;
  std::string message;
  // Above 0: the program does not say it; without it what stands in that line
  // has no meaning.
  int line = 0;
  const char* code = nullptr;  // of the diagnostic then

  // With the line, if it has one.
  std::string Text() const;
};

struct Kernel {
  std::string name;
  const typed::Kernel* source = nullptr;
  std::vector<DType> dtypes;  // in the order of typed::Kernel::dtypes
  bool fast = false;
  bool rows_on_lanes = false;     // for calls whose rows are short
  bool columns_on_lanes = false;  // for calls of which several columns fit
  // Host values, and what they are at most in the calls that it is for.
  std::vector<std::pair<std::string, int64_t>> most;

  std::deque<Tile> tiles;
  std::vector<Tensor> tensors;  // parameters in order, then workspace
  std::vector<Across> across;
  std::vector<HostValue> host;  // each may use those before it
  std::vector<TileParameter> parameters;
  std::vector<Assertion> asserts;
  Block body;

  Tile& NewTile(std::string_view wish, DType dtype, std::vector<Dim> dims,
                int line);
  // A name nobody has, the wish itself if it is free.
  std::string FreshName(std::string_view wish);

  NameSet used_names;
  // Host expressions that the program does not hold.
  std::shared_ptr<std::deque<typed::Expr>> made;
};

// The kernel as text: docs/crux_compiler.md shows how to read it.
std::string ToText(const Kernel& kernel);

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_TILE_H_
