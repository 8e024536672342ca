// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/across.h"

#include <algorithm>
#include <limits>
#include <map>

#include "base/error.h"
#include "crux/ir/refusal.h"
#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Dim;
using ir::Index;
using ir::IndexKind;
using ir::Int;
using ir::Kernel;
using ir::Stmt;
using ir::StmtKind;
using StmtPtr = std::shared_ptr<Stmt>;

// The operation of two values that a reduction repeats.
Op StepOf(Op combine) {
  switch (combine) {
    case Op::kSum:
    case Op::kCumsum:
      return Op::kAdd;
    case Op::kMax:
      return Op::kMaximum;
    case Op::kMin:
      return Op::kMinimum;
    case Op::kAny:
      return Op::kBitOr;
    case Op::kAll:
      return Op::kBitAnd;
    default:
      throw InternalError("[crux] no step of a reduction");
  }
}

int64_t LowestOf(DType dtype) {
  if (!IsSigned(dtype)) return 0;
  const int bits = BitsOf(dtype);
  return bits == 64 ? std::numeric_limits<int64_t>::min()
                    : -(int64_t{1} << (bits - 1));
}

int64_t HighestOf(DType dtype) {
  const int bits = BitsOf(dtype) - (IsSigned(dtype) ? 1 : 0);
  return bits >= 63 ? std::numeric_limits<int64_t>::max()
                    : (int64_t{1} << bits) - 1;
}

// What combines with any value to that value.
ir::Number NeutralOf(Op combine, DType dtype) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (combine) {
    case Op::kMax:
      return IsFloating(dtype) ? RealNumber(-infinity)
                               : IntNumber(LowestOf(dtype));
    case Op::kMin:
      return IsFloating(dtype) ? RealNumber(infinity)
                               : IntNumber(HighestOf(dtype));
    case Op::kAll:
      return IntNumber(1);
    default:
      return IsFloating(dtype) ? RealNumber(0) : IntNumber(0);
  }
}

bool HoldsUpdate(const Block& block, int across) {
  bool holds = false;
  ForEachStmt(block, [&](const Stmt& stmt) {
    holds = holds || (stmt.kind == StmtKind::kAcrossUpdate &&
                      stmt.across == across);
  });
  return holds;
}

class Lowering {
 public:
  explicit Lowering(Kernel& kernel) : kernel_(kernel) {}

  void Run() {
    MeasureOpenOutputs();
    for (const ir::Across& across : kernel_.across) {
      if (across.combine == Op::kCumsum) {
        LowerPrefix(across);
      } else {
        LowerTotal(across);
      }
    }
  }

 private:
  // --- building ---------------------------------------------------------------

  int NewTile(const std::string& wish, DType dtype,
              const std::vector<Dim>& dims) {
    return kernel_.NewTile(wish, dtype, dims, line_).id;
  }

  int NewWorkspace(const std::string& wish, DType dtype, const Int& elements) {
    ir::Tensor tensor;
    tensor.id = static_cast<int>(kernel_.tensors.size());
    tensor.name = kernel_.FreshName(wish);
    tensor.dtype = dtype;
    tensor.role = ir::TensorRole::kScratch;
    tensor.elements = elements;
    kernel_.tensors.push_back(tensor);
    return tensor.id;
  }

  static Int ElementsOf(const std::vector<Dim>& dims) {
    Int elements = 1;
    for (const Dim& dim : dims) elements = elements * dim.capacity;
    return elements;
  }

  static Index PointAt(const Int& dim, const Int& at) {
    Index index;
    index.kind = IndexKind::kPoint;
    index.dim = dim;
    index.start = at;
    return index;
  }

  static void AddWhole(const std::vector<Dim>& dims,
                       std::vector<Index>& indices) {
    for (size_t i = 0; i < dims.size(); ++i) {
      Index index;
      index.kind = IndexKind::kRange;
      index.dim = dims[i].capacity;
      index.extent = dims[i];
      index.axis = static_cast<int>(i);
      indices.push_back(index);
    }
  }

  StmtPtr Full(int tile, const ir::Number& value) const {
    return Compute(Op::kFull, tile, {value}, line_);
  }

  StmtPtr Move(StmtKind kind, int tensor, std::vector<Index> indices,
               int tile) const {
    auto stmt = std::make_shared<Stmt>();
    stmt->kind = kind;
    stmt->line = line_;
    stmt->access.tensor = tensor;
    stmt->access.indices = std::move(indices);
    if (kind == StmtKind::kLoad) {
      stmt->results = {tile};
    } else {
      stmt->operands = {tile};
      stmt->every_core = true;
    }
    return stmt;
  }

  StmtPtr Meet() const {
    auto stmt = std::make_shared<Stmt>();
    stmt->kind = StmtKind::kSyncAll;
    stmt->line = line_;
    return stmt;
  }

  StmtPtr Turns(const std::string& name, const Int& high, Block body) const {
    auto stmt = std::make_shared<Stmt>();
    stmt->kind = StmtKind::kLoop;
    stmt->line = line_;
    stmt->loop = std::make_shared<ir::Loop>();
    stmt->loop->name = name;
    stmt->loop->high = high;
    stmt->loop->body = std::move(body);
    return stmt;
  }

  // How many cores there are, as a field of the tiling data.
  Int Cores() {
    if (cores_.empty()) {
      cores_ = kernel_.FreshName("core_total");
      ir::HostValue value;
      value.name = cores_;
      value.source = ir::HostSource::kFormula;
      value.formula = Int::Name("core_count");
      kernel_.host.push_back(value);
    }
    return Int::Name(cores_);
  }

  // The dtype in which values are combined: halves in f32, as sums are.
  static DType WorkDtype(const ir::Across& across) {
    const bool half =
        across.dtype == DType::kHalf || across.dtype == DType::kBfloat16;
    return half && across.combine == Op::kSum ? DType::kFloat : across.dtype;
  }

  // `source` in dtype, converted by a statement if need be.
  ir::Operand Converted(const ir::Operand& source, DType dtype, Block& out) {
    const int* tile = std::get_if<int>(&source);
    if (tile == nullptr || kernel_.tiles[*tile].dtype == dtype) return source;
    const int id = *tile;
    const int result = NewTile(kernel_.tiles[id].name + "_wide", dtype,
                               kernel_.tiles[id].dims);
    out.push_back(Compute(Op::kTo, result, {id}, line_));
    return result;
  }

  // --- where things go --------------------------------------------------------

  // The positions of the kernel's own statements that update the value.
  std::pair<size_t, size_t> UpdatingStatements(int across) const {
    size_t first = kernel_.body.size();
    size_t last = 0;
    for (size_t i = 0; i < kernel_.body.size(); ++i) {
      if (!HoldsUpdate({kernel_.body[i]}, across)) continue;
      first = std::min(first, i);
      last = i;
    }
    return {first, last};
  }

  void Insert(size_t at, Block block) {
    kernel_.body.insert(kernel_.body.begin() + static_cast<std::ptrdiff_t>(at),
                        block.begin(), block.end());
  }

  void RequireReadsBehind(const ir::Across& across, size_t last) const {
    for (size_t i = 0; i <= last && i < kernel_.body.size(); ++i) {
      ForEachStmt({kernel_.body[i]}, [&](const Stmt& stmt) {
        const bool reads = stmt.kind == StmtKind::kAcrossValue ||
                           stmt.kind == StmtKind::kAcrossPrefix;
        if (reads && stmt.across == across.id) {
          ir::Refuse(code::kX301, stmt.line,
                     "`" + across.name + "` is read before it is complete",
                     "read it behind the last loop that changes it");
        }
      });
    }
  }

  // --- totals -----------------------------------------------------------------

  void LowerTotal(const ir::Across& across) {
    line_ = 0;
    bool parts = false;
    ForEachStmt(kernel_.body, [&](const Stmt& stmt) {
      if (stmt.kind != StmtKind::kAcrossUpdate || stmt.across != across.id) {
        return;
      }
      parts = parts || !stmt.slice.empty();
      if (line_ == 0) line_ = stmt.line;
    });
    const DType dtype = WorkDtype(across);
    const int own = NewTile(across.name, dtype, across.dims);
    const int workspace =
        NewWorkspace(across.name + "_of_cores", dtype,
                     Cores() * ElementsOf(across.dims));
    std::vector<Index> mine = {PointAt(Cores(), Int::Name("block_idx"))};
    AddWhole(across.dims, mine);

    const auto [first, last] = UpdatingStatements(across.id);
    const bool updated = first < kernel_.body.size();
    RequireReadsBehind(across, updated ? last : 0);
    if (parts) {
      UpdateParts(across, dtype, workspace);
    } else {
      UpdateWhole(across, dtype, own);
    }
    const int total =
        NewTile(across.name + "_total", across.dtype, across.dims);
    Block after;
    if (!parts) {
      after.push_back(Move(StmtKind::kStore, workspace, mine, own));
    }
    after.push_back(Meet());
    AddCombined(across, dtype, workspace, total, after);
    Insert(updated ? last + 1 : 0, std::move(after));
    Block before;
    before.push_back(Full(own, NeutralOf(across.combine, dtype)));
    if (parts) before.push_back(Move(StmtKind::kStore, workspace, mine, own));
    Insert(updated ? first : 0, std::move(before));
    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Block {
      if (stmt->kind != StmtKind::kAcrossValue || stmt->across != across.id) {
        return {stmt};
      }
      return {Reshape(stmt->results[0], total, stmt->line)};
    });
  }

  void UpdateWhole(const ir::Across& across, DType dtype, int own) {
    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Block {
      if (stmt->kind != StmtKind::kAcrossUpdate ||
          stmt->across != across.id) {
        return {stmt};
      }
      line_ = stmt->line;
      Block made;
      const ir::Operand value = Converted(stmt->operands[0], dtype, made);
      made.push_back(
          Compute(StepOf(across.combine), own, {own, value}, stmt->line));
      return made;
    });
  }

  // Parts live in workspace: read, combined, written back.
  void UpdateParts(const ir::Across& across, DType dtype, int workspace) {
    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Block {
      if (stmt->kind != StmtKind::kAcrossUpdate ||
          stmt->across != across.id) {
        return {stmt};
      }
      line_ = stmt->line;
      Block made;
      const ir::Operand value = Converted(stmt->operands[0], dtype, made);
      std::vector<Index> where = {PointAt(Cores(), Int::Name("block_idx"))};
      if (stmt->slice.empty()) {
        AddWhole(across.dims, where);
      } else {
        where.insert(where.end(), stmt->slice.begin(), stmt->slice.end());
      }
      const std::vector<Dim> dims = DimsOf(kernel_, where);
      const int before = NewTile(across.name + "_before", dtype, dims);
      const int after = NewTile(across.name + "_after", dtype, dims);
      made.push_back(Move(StmtKind::kLoad, workspace, where, before));
      made.push_back(
          Compute(StepOf(across.combine), after, {before, value}, stmt->line));
      made.push_back(Move(StmtKind::kStore, workspace, where, after));
      return made;
    });
  }

  // total = what the cores have, combined in their order.
  void AddCombined(const ir::Across& across, DType dtype, int workspace,
                   int total, Block& out) {
    const std::string core = kernel_.FreshName("core");
    std::vector<Index> theirs = {PointAt(Cores(), Int::Name(core))};
    AddWhole(across.dims, theirs);
    const int sum = NewTile(across.name + "_sum", dtype, across.dims);
    const int one = NewTile(across.name + "_core", dtype, across.dims);
    out.push_back(Full(sum, NeutralOf(across.combine, dtype)));
    Block body;
    body.push_back(Move(StmtKind::kLoad, workspace, theirs, one));
    body.push_back(Compute(StepOf(across.combine), sum, {sum, one}, line_));
    out.push_back(Turns(core, Int::Name("block_num"), std::move(body)));
    if (dtype == across.dtype) {
      out.push_back(Copy(total, sum, line_));
    } else {
      out.push_back(Compute(Op::kTo, total, {sum}, line_));
    }
  }

  // --- prefixes ---------------------------------------------------------------

  // The loops over cores around the innermost block that updates the value,
  // outermost first, and that block.
  static bool FindNest(const Block& block, int across,
                       std::vector<ir::Loop*>& loops) {
    for (const StmtPtr& stmt : block) {
      if (stmt->kind == StmtKind::kAcrossUpdate && stmt->across == across) {
        return true;
      }
      if (stmt->kind == StmtKind::kIf &&
          (FindNest(stmt->body, across, loops) ||
           FindNest(stmt->otherwise, across, loops))) {
        return true;
      }
      if (stmt->kind != StmtKind::kLoop) continue;
      if (stmt->loop->cores) loops.push_back(stmt->loop.get());
      if (FindNest(stmt->loop->body, across, loops)) return true;
      if (stmt->loop->cores) loops.pop_back();
    }
    return false;
  }

  static Int TurnsOf(const ir::Loop& loop) {
    return Max(0, CeilDiv(loop.high - loop.low, loop.step));
  }

  // Which iteration of the nest this is, counted from 0.
  static Int ItemOf(const std::vector<ir::Loop*>& loops,
                    const std::vector<Int>& positions) {
    Int item = 0;
    for (size_t i = 0; i < loops.size(); ++i) {
      item = item * TurnsOf(*loops[i]) +
             FloorDiv(positions[i] - loops[i]->low, loops[i]->step);
    }
    return item;
  }

  void LowerPrefix(const ir::Across& across) {
    std::vector<ir::Loop*> loops;
    const bool updated = FindNest(kernel_.body, across.id, loops);
    if (!updated || loops.empty()) {
      ir::Refuse(code::kX301, 0,
                 "`" + across.name + "` is never added to in a loop over cores",
                 "add to it in a loop over cores");
    }
    ShareTiles(across, loops);
    Int items = 1;
    for (const ir::Loop* loop : loops) items = items * TurnsOf(*loop);
    const Int size = ElementsOf(across.dims);
    const int added = NewWorkspace(across.name + "_added", across.dtype,
                                   items * size);
    const int before = NewWorkspace(across.name + "_before", across.dtype,
                                    items * size);
    const int totals = NewWorkspace(across.name + "_of_cores", across.dtype,
                                    Cores() * size);
    const auto at = [&](int, const Int& dim, const Int& position) {
      std::vector<Index> indices = {PointAt(dim, position)};
      AddWhole(across.dims, indices);
      return indices;
    };
    // First sweep: what each iteration adds, and each core in all.
    const int own = NewTile(across.name, across.dtype, across.dims);
    const int turn = NewTile(across.name + "_turn", across.dtype, across.dims);
    std::vector<Int> here;
    for (const ir::Loop* loop : loops) here.push_back(Int::Name(loop->name));
    const Int item = ItemOf(loops, here);
    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Block {
      if (stmt->kind != StmtKind::kAcrossUpdate ||
          stmt->across != across.id) {
        return {stmt};
      }
      line_ = stmt->line;
      return {Compute(Op::kAdd, turn, {turn, stmt->operands[0]}, stmt->line)};
    });
    Block& body = loops.back()->body;
    body.insert(body.begin(), Full(turn, NeutralOf(Op::kSum, across.dtype)));
    body.push_back(Compute(Op::kAdd, own, {own, turn}, line_));
    body.push_back(Move(StmtKind::kStore, added, at(0, items, item), turn));

    // Second sweep: what was added before each iteration.
    Block after;
    after.push_back(Move(StmtKind::kStore, totals,
                         at(0, Cores(), Int::Name("block_idx")), own));
    after.push_back(Meet());
    const int sum = NewTile(across.name + "_sum", across.dtype, across.dims);
    const int one = NewTile(across.name + "_core", across.dtype, across.dims);
    after.push_back(Full(sum, NeutralOf(Op::kSum, across.dtype)));
    const std::string core = kernel_.FreshName("core");
    after.push_back(Turns(
        core, Int::Name("block_idx"),
        {Move(StmtKind::kLoad, totals, at(0, Cores(), Int::Name(core)), one),
         Compute(Op::kAdd, sum, {sum, one}, line_)}));
    const std::string each = kernel_.FreshName("iteration");
    const int value = NewTile(across.name + "_value", across.dtype,
                              across.dims);
    Block sweep = {
        Move(StmtKind::kLoad, added, at(0, items, Int::Name(each)), value),
        Move(StmtKind::kStore, before, at(0, items, Int::Name(each)), sum),
        Compute(Op::kAdd, sum, {sum, value}, line_)};
    StmtPtr again = Turns(each, items, std::move(sweep));
    again->loop->cores = true;
    after.push_back(std::move(again));
    after.push_back(Meet());
    const auto [first, last] = UpdatingLoop(loops.front());
    Insert(last + 1, std::move(after));
    Insert(first, {Full(own, NeutralOf(Op::kSum, across.dtype))});

    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Block {
      if (stmt->across != across.id) return {stmt};
      if (stmt->kind == StmtKind::kAcrossValue) {
        ir::Refuse(code::kX301, stmt->line,
                   "the total of a running sum across cores is not compiled",
                   "add an across_cores(sum, …) for the total");
      }
      if (stmt->kind != StmtKind::kAcrossPrefix) return {stmt};
      std::vector<Int> positions;
      for (const Index& index : stmt->slice) positions.push_back(index.start);
      line_ = stmt->line;
      return {Move(StmtKind::kLoad, before,
                   at(0, items, ItemOf(loops, positions)), stmt->results[0])};
    });
  }

  std::pair<size_t, size_t> UpdatingLoop(const ir::Loop* loop) const {
    for (size_t i = 0; i < kernel_.body.size(); ++i) {
      bool holds = false;
      ForEachStmt({kernel_.body[i]}, [&](const Stmt& stmt) {
        holds = holds || stmt.loop.get() == loop;
      });
      if (holds) return {i, i};
    }
    throw InternalError("[crux] a loop outside the kernel");
  }

  // Loops that read a prefix cut their space into the pieces of the loops that
  // made it.
  void ShareTiles(const ir::Across& across,
                  const std::vector<ir::Loop*>& loops) {
    std::map<std::string, std::string> rename;
    std::map<std::string, const ir::Loop*> by_name;
    ForEachStmt(kernel_.body, [&](const Stmt& stmt) {
      if (stmt.kind == StmtKind::kLoop) {
        by_name[stmt.loop->name] = stmt.loop.get();
      }
    });
    ForEachStmt(kernel_.body, [&](const Stmt& stmt) {
      if (stmt.kind != StmtKind::kAcrossPrefix || stmt.across != across.id) {
        return;
      }
      for (size_t i = 0; i < stmt.slice.size() && i < loops.size(); ++i) {
        const auto found = by_name.find(stmt.slice[i].start.name());
        if (found == by_name.end()) continue;
        const Int& theirs = found->second->step;
        const Int& ours = loops[i]->step;
        if (theirs.kind() == ir::IntKind::kName &&
            ours.kind() == ir::IntKind::kName &&
            theirs.name() != ours.name()) {
          rename[theirs.name()] = ours.name();
        }
      }
    });
    if (!rename.empty()) Rename(kernel_, rename);
  }

  static void Rename(Kernel& kernel,
                     const std::map<std::string, std::string>& rename) {
    const auto of = [&](Int& expr) {
      expr = Substitute(expr, [&](const std::string& name) {
        const auto found = rename.find(name);
        return found == rename.end() ? std::nullopt
                                     : std::optional(Int::Name(found->second));
      });
    };
    const auto dim = [&](Dim& one) {
      of(one.capacity);
      of(one.size);
    };
    const auto indices = [&](std::vector<Index>& these) {
      for (Index& index : these) {
        of(index.dim);
        of(index.start);
        of(index.step);
        dim(index.extent);
      }
    };
    for (ir::Tile& tile : kernel.tiles) {
      for (Dim& one : tile.dims) dim(one);
    }
    ForEachBlock(kernel.body, [&](Block& block) {
      for (const StmtPtr& stmt : block) {
        indices(stmt->access.indices);
        indices(stmt->slice);
        of(stmt->condition);
        for (ir::Operand& operand : stmt->operands) {
          if (auto* number = std::get_if<ir::Number>(&operand)) {
            of(number->integer);
          }
        }
        if (stmt->kind != StmtKind::kLoop) continue;
        of(stmt->loop->low);
        of(stmt->loop->high);
        of(stmt->loop->step);
      }
    });
    for (ir::TileParameter& kept : kernel.parameters) {
      for (const ir::TileParameter& gone : kernel.parameters) {
        const auto found = rename.find(gone.name);
        if (found == rename.end() || found->second != kept.name) continue;
        kept.loops.insert(kept.loops.end(), gone.loops.begin(),
                          gone.loops.end());
      }
    }
    std::erase_if(kernel.parameters, [&](const ir::TileParameter& one) {
      return rename.contains(one.name);
    });
    std::erase_if(kernel.host, [&](const ir::HostValue& one) {
      return rename.contains(one.name);
    });
  }

  // --- outputs with open sizes ------------------------------------------------

  // One across value for each: one more than the largest position stored.
  void MeasureOpenOutputs() {
    const size_t tensors = kernel_.tensors.size();
    for (size_t id = 0; id < tensors; ++id) {
      const typed::Parameter* parameter = kernel_.tensors[id].parameter;
      if (parameter == nullptr || kernel_.tensors[id].list) continue;
      if (parameter->role != typed::ParameterRole::kOut) continue;
      for (size_t axis = 0; axis < parameter->dims.size(); ++axis) {
        if (parameter->dims[axis].upto) Measure(static_cast<int>(id), axis);
      }
    }
  }

  void Measure(int tensor, size_t axis) {
    ir::Across across;
    across.id = static_cast<int>(kernel_.across.size());
    across.name = kernel_.FreshName(kernel_.tensors[tensor].name + "_end");
    across.combine = Op::kMax;
    across.dtype = DType::kInt64;
    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Block {
      const bool stores = stmt->kind == StmtKind::kStore &&
                          stmt->access.tensor == tensor;
      if (!stores) return {stmt};
      if (axis >= stmt->access.indices.size()) return {stmt};
      line_ = stmt->line;
      const Index& index = stmt->access.indices[axis];
      auto update = std::make_shared<Stmt>();
      update->kind = StmtKind::kAcrossUpdate;
      update->line = stmt->line;
      update->across = across.id;
      Block made = {stmt};
      if (index.kind == IndexKind::kTile) {
        update->operands = {EndOf(index.tile, made)};
      } else {
        const int end = NewTile(across.name + "_here", DType::kInt64, {});
        const Int last = index.kind == IndexKind::kPoint
                             ? index.start + 1
                             : Int::Select(Less(0, index.extent.size),
                                           index.start +
                                               (index.extent.size - 1) *
                                                   index.step +
                                               1,
                                           0);
        made.push_back(Full(end, IntNumber(last)));
        update->operands = {end};
      }
      made.push_back(update);
      return made;
    });
    kernel_.across.push_back(across);
    const int extent = NewWorkspace(
        kernel_.tensors[tensor].name + "_extent", DType::kInt64,
        static_cast<int64_t>(kernel_.tensors[tensor].parameter->dims.size()));
    const int value = NewTile(across.name + "_all", DType::kInt64, {});
    auto read = std::make_shared<Stmt>();
    read->kind = StmtKind::kAcrossValue;
    read->line = line_;
    read->across = across.id;
    read->results = {value};
    const int stored = NewTile(across.name + "_stored", DType::kInt64, {});
    kernel_.body.push_back(read);
    kernel_.body.push_back(
        Compute(Op::kMaximum, stored, {value, IntNumber(0)}, line_));
    StmtPtr store = Move(
        StmtKind::kStore, extent,
        {PointAt(static_cast<int64_t>(
                     kernel_.tensors[tensor].parameter->dims.size()),
                 static_cast<int64_t>(axis))},
        stored);
    store->every_core = false;
    kernel_.body.push_back(store);
  }

  // One more than the largest element of a tile of positions.
  int EndOf(int tile, Block& out) {
    const std::vector<Dim>& dims = kernel_.tiles[tile].dims;
    const int wide = NewTile("positions", DType::kInt64, dims);
    const int largest = NewTile("largest", DType::kInt64, {});
    const int end = NewTile("end", DType::kInt64, {});
    out.push_back(Compute(Op::kTo, wide, {tile}, line_));
    auto reduce = Compute(Op::kMax, largest, {wide}, line_);
    for (size_t i = 0; i < dims.size(); ++i) {
      reduce->axes.push_back(static_cast<int>(i));
    }
    out.push_back(reduce);
    out.push_back(Compute(Op::kAdd, end, {largest, IntNumber(1)}, line_));
    return end;
  }

  Kernel& kernel_;
  std::string cores_;
  int line_ = 0;
};

}  // namespace

void LowerAcross(Kernel& kernel) { Lowering(kernel).Run(); }

}  // namespace belay::crux::passes
