// SPDX-License-Identifier: Apache-2.0
#include "tile_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "call.h"
#include "crux/interpret/across.h"
#include "crux/interpret/arrays.h"
#include "crux/interpret/elementwise.h"
#include "crux/interpret/host_call.h"
#include "crux/interpret/reshape.h"
#include "tile_compare.h"
#include "tile_compute.h"

namespace belay::testing {
namespace {

using crux::InfoOf;
using crux::Op;
using crux::OpFamily;
using crux::interpret::Arithmetic;
using crux::interpret::Context;
using crux::interpret::HostCall;
using crux::interpret::Selection;
using crux::interpret::Tile;
using crux::interpret::TilePtr;
using crux::ir::HostSource;
using crux::ir::IndexKind;
using crux::ir::Int;
using crux::ir::Stmt;
using crux::ir::StmtKind;
namespace interpret = crux::interpret;
namespace ir = crux::ir;

// One tensor: its elements in one row.
using Memory = std::shared_ptr<Tile>;

class TileMachine {
 public:
  TileMachine(const ir::Kernel& kernel, HostCall& call,
              const interpret::Arguments& arguments, const TileOptions& options)
      : kernel_(kernel),
        call_(call),
        arguments_(arguments),
        budget_(interpret::Limits()),
        context_{Arithmetic::kFloat64, false, &budget_},
        tiles_(kernel.tiles.size()) {
    names_ = {{"block_idx", 0},
              {"block_num", 1},
              {"core_count", 1},
              {"ub_size", 192 * 1024}};
    for (const ir::HostValue& value : kernel.host) Define(value, options);
    for (const ir::Across& across : kernel.across) {
      across_.push_back(std::make_unique<interpret::Across>(
          context_, across.combine, across.dtype, ShapeOf(across.dims)));
    }
  }

  void Run() { Execute(kernel_.body); }

  // Null: never touched.
  const Tile* Find(const std::string& parameter, size_t element) const {
    for (const ir::Tensor& tensor : kernel_.tensors) {
      if (tensor.parameter == nullptr || tensor.parameter->name != parameter) {
        continue;
      }
      const auto found = memory_.find({tensor.id, element});
      if (found != memory_.end()) return found->second.get();
    }
    return nullptr;
  }

 private:
  int64_t Value(const Int& value) const {
    return Evaluate(value, [&](const std::string& name, int64_t index) {
      if (index >= 0) {
        const auto& array = arrays_.at(name);
        return array.at(static_cast<size_t>(index));
      }
      const auto found = names_.find(name);
      if (found == names_.end()) {
        throw InternalError("nothing defines " + name);
      }
      return found->second;
    });
  }

  void Define(const ir::HostValue& value, const TileOptions& options) {
    switch (value.source) {
      case HostSource::kSize:
        names_[value.name] = call_.Size(value.name);
        return;
      case HostSource::kExpr:
        if (value.real) {
          reals_[value.name] = call_.Real(*value.expr);
        } else {
          names_[value.name] = call_.Integer(*value.expr);
        }
        return;
      case HostSource::kPerItem:
        arrays_[value.name] = call_.PerItem(*value.loop, *value.expr);
        return;
      case HostSource::kList:
        arrays_[value.name] = call_.List(*value.expr);
        return;
      case HostSource::kLargest: {
        const auto& array = arrays_.at(value.formula.name());
        names_[value.name] =
            array.empty() ? 0 : *std::max_element(array.begin(), array.end());
        return;
      }
      case HostSource::kFormula:
        names_[value.name] = Value(value.formula);
        return;
      case HostSource::kChosen:
        names_[value.name] = options.piece;
        return;
      case HostSource::kSlots:
        return;  // tiles know no queues
    }
  }

  Shape ShapeOf(const std::vector<ir::Dim>& dims) const {
    Shape shape;
    for (const ir::Dim& dim : dims) {
      const int64_t size = Value(dim.size);
      const int64_t capacity = Value(dim.capacity);
      if (size > capacity) {
        throw InternalError(
            fmt::format("{} elements where at most {} fit", size, capacity));
      }
      shape.push_back(size);
    }
    return shape;
  }

  const ir::Tile& Info(int id) const {
    return kernel_.tiles.at(static_cast<size_t>(id));
  }

  TilePtr TileOf(int id) const {
    const TilePtr& tile = tiles_.at(static_cast<size_t>(id));
    if (tile == nullptr) {
      throw InternalError(Info(id).name + " is read before it is assigned");
    }
    return tile;
  }

  TilePtr NumberOf(const ir::Number& number, DType dtype) const {
    switch (number.kind) {
      case ir::Number::Kind::kReal:
        return Scalar(number.real, dtype);
      case ir::Number::Kind::kHostReal:
        return Scalar(reals_.at(number.name), dtype);
      case ir::Number::Kind::kInt:
        break;
    }
    const int64_t whole = Value(number.integer);
    if (IsFloating(dtype)) {
      return interpret::ScalarOf(context_, dtype, static_cast<double>(whole));
    }
    return interpret::Convert(
        context_, *interpret::WholeScalar(context_, DType::kInt64, whole),
        dtype, Round::kRint);
  }

  TilePtr Scalar(double real, DType dtype) const {
    if (IsFloating(dtype)) return interpret::ScalarOf(context_, dtype, real);
    return interpret::WholeScalar(context_, dtype, static_cast<int64_t>(real));
  }

  TilePtr OperandOf(const Stmt& stmt, size_t i, DType dtype) const {
    const ir::Operand& operand = stmt.operands.at(i);
    if (const int* id = std::get_if<int>(&operand)) return TileOf(*id);
    return NumberOf(std::get<ir::Number>(operand), dtype);
  }

  // Of the tiles among operands `from` and on.
  DType SharedDtype(const Stmt& stmt, size_t from, size_t to) const {
    for (size_t i = from; i < to; ++i) {
      if (const int* id = std::get_if<int>(&stmt.operands[i])) {
        return Info(*id).dtype;
      }
    }
    return Info(stmt.results[0]).dtype;
  }

  void Assign(const Stmt& stmt, size_t i, TilePtr tile, bool checked = true) {
    const ir::Tile& info = Info(stmt.results.at(i));
    if (checked && tile->shape != ShapeOf(info.dims)) {
      throw InternalError(fmt::format(
          "{} has the shape ({}) where its sizes are ({})", info.name,
          belay::ToText(tile->shape), belay::ToText(ShapeOf(info.dims))));
    }
    if (tile->dtype != info.dtype) {
      throw InternalError(fmt::format("{} is {} and gets {}", info.name,
                                      NameOf(info.dtype), NameOf(tile->dtype)));
    }
    tiles_[static_cast<size_t>(info.id)] = std::move(tile);
  }

  void Execute(const ir::Block& block) {
    for (const auto& stmt : block) {
      try {
        Execute(*stmt);
      } catch (const InternalError& error) {
        if (std::string_view(error.what()).starts_with("line ")) throw;
        throw InternalError(fmt::format("line {}: {} {}: {}", stmt->line,
                                        static_cast<int>(stmt->kind),
                                        InfoOf(stmt->op).id, error.what()));
      }
    }
  }

  void Execute(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kCompute:
        return Compute(stmt);
      case StmtKind::kSlice:
        return Assign(stmt, 0, Sliced(stmt));
      case StmtKind::kReshape:
        return Assign(stmt, 0,
                      interpret::Reshape(context_, *OperandOf(stmt, 0, {}),
                                         ShapeOf(Info(stmt.results[0]).dims)));
      case StmtKind::kTurn:
        return Assign(stmt, 0, Turned(stmt));
      case StmtKind::kTurnBack:
        return Assign(stmt, 0, TurnedBack(stmt));
      case StmtKind::kLoad:
        return Load(stmt);
      case StmtKind::kStore:
      case StmtKind::kAtomicAdd:
        return Store(stmt);
      case StmtKind::kRead: {
        const TilePtr tile = OperandOf(stmt, 0, {});
        names_[stmt.name] = tile->floating()
                                ? static_cast<int64_t>(tile->real.at(0))
                                : tile->whole.at(0);
        return;
      }
      case StmtKind::kLoop:
        return RunLoop(*stmt.loop);
      case StmtKind::kIf:
        return Execute(Value(stmt.condition) != 0 ? stmt.body : stmt.otherwise);
      case StmtKind::kAcrossUpdate: {
        std::vector<Selection> selections;
        for (const ir::Index& index : stmt.slice) {
          selections.push_back(SelectionOf(index));
        }
        const auto id = static_cast<size_t>(stmt.across);
        across_[id]->Update(context_, selections,
                            *OperandOf(stmt, 0, kernel_.across[id].dtype),
                            positions_);
        return;
      }
      case StmtKind::kAcrossValue:
        return Assign(stmt, 0,
                      across_[static_cast<size_t>(stmt.across)]->total());
      case StmtKind::kAcrossPrefix: {
        std::vector<int64_t> positions;
        for (const ir::Index& index : stmt.slice) {
          positions.push_back(Value(index.start));
        }
        return Assign(stmt, 0,
                      across_[static_cast<size_t>(stmt.across)]->Prefix(
                          context_, positions));
      }
      case StmtKind::kSyncAll:
        return;
    }
  }

  // How many rows of how many elements a turned tile has room for.
  std::pair<int64_t, int64_t> RowsOf(int turned) const {
    const Shape shape = ShapeOf(Info(turned).dims);
    int64_t elements = 1;
    for (const int64_t size : shape) elements *= size;
    return {shape.back(), elements / std::max<int64_t>(shape.back(), 1)};
  }

  TilePtr Turned(const Stmt& stmt) const {
    const int result = stmt.results[0];
    const auto [rows, length] = RowsOf(result);
    const TilePtr flat = OperandOf(stmt, 0, {});
    const TilePtr rest = interpret::BroadcastTo(
        context_, *Scalar(0, flat->dtype), {rows * length - flat->shape[0]});
    const TilePtr all = interpret::Concat(context_, {flat, rest}, 0);
    const TilePtr turned = interpret::Transpose(
        context_, *interpret::Reshape(context_, *all, {rows, length}), {1, 0});
    return interpret::Reshape(context_, *turned, ShapeOf(Info(result).dims));
  }

  TilePtr TurnedBack(const Stmt& stmt) const {
    const auto [rows, length] = RowsOf(std::get<int>(stmt.operands[0]));
    const TilePtr turned =
        interpret::Reshape(context_, *OperandOf(stmt, 0, {}), {length, rows});
    const TilePtr all = interpret::Reshape(
        context_, *interpret::Transpose(context_, *turned, {1, 0}),
        {rows * length});
    Selection there;
    there.shape = ShapeOf(Info(stmt.results[0]).dims);
    for (int64_t i = 0; i < there.shape[0]; ++i) there.where.push_back(i);
    return interpret::Select(context_, *all, {there});
  }

  void RunLoop(const ir::Loop& loop) {
    const int64_t low = Value(loop.low);
    const int64_t high = Value(loop.high);
    const int64_t step = Value(loop.step);
    if (step == 0) throw InternalError("a loop with a step of 0");
    const int64_t span = step > 0 ? high - low : low - high;
    const int64_t stride = std::abs(step);
    const int64_t count = span <= 0 ? 0 : (span + stride - 1) / stride;
    if (loop.cores) positions_.push_back(0);
    for (int64_t n = 0; n < count; ++n) {
      const int64_t at = low + (loop.reverse ? count - 1 - n : n) * step;
      names_[loop.name] = at;
      if (!loop.extent.empty()) names_[loop.extent] = std::min(step, high - at);
      if (loop.cores) positions_.back() = at;
      Execute(loop.body);
    }
    if (loop.cores) positions_.pop_back();
  }

  Selection SelectionOf(const ir::Index& index) const {
    Selection selection;
    switch (index.kind) {
      case IndexKind::kPoint:
        selection.where = {Value(index.start)};
        break;
      case IndexKind::kRange: {
        const int64_t start = Value(index.start);
        const int64_t step = Value(index.step);
        selection.shape = ShapeOf({index.extent});
        for (int64_t i = 0; i < selection.shape[0]; ++i) {
          selection.where.push_back(start + i * step);
        }
        break;
      }
      case IndexKind::kTile: {
        const TilePtr tile = TileOf(index.tile);
        selection.shape = tile->shape;
        selection.where = tile->whole;
        break;
      }
    }
    return selection;
  }

  TilePtr Sliced(const Stmt& stmt) const {
    std::vector<Selection> selections;
    for (const ir::Index& index : stmt.slice) {
      selections.push_back(SelectionOf(index));
    }
    return interpret::Select(context_, *OperandOf(stmt, 0, {}), selections);
  }

  Tile& MemoryOf(const ir::Access& access) {
    const ir::Tensor& tensor =
        kernel_.tensors.at(static_cast<size_t>(access.tensor));
    const auto element =
        static_cast<size_t>(tensor.list ? Value(access.element) : 0);
    Memory& memory = memory_[{tensor.id, element}];
    if (memory != nullptr) return *memory;
    if (tensor.parameter == nullptr) {
      memory =
          interpret::NewTile(context_, tensor.dtype, {Value(tensor.elements)});
      return *memory;
    }
    const auto given = arguments_.tensors.find(tensor.parameter->name);
    if (given != arguments_.tensors.end()) {
      Array array = given->second.arrays.at(element);
      if (tensor.dtype == DType::kBfloat16) array.dtype = DType::kBfloat16;
      memory = interpret::TileOfArray(context_, array);
    } else {
      memory = interpret::NewTile(context_, tensor.dtype,
                                  call_.ShapeOf(*tensor.parameter, element));
    }
    return *memory;
  }

  // Positions in memory in the order of the tile; -1: outside. `shape` is that
  // of the tile.
  std::vector<int64_t> PositionsOf(const ir::Access& access, Shape& shape) {
    std::vector<int64_t> positions = {0};
    Shape found;            // in the order of the indices
    std::vector<int> axes;  // of the tile
    for (const ir::Index& index : access.indices) {
      const Selection selection = SelectionOf(index);
      const int64_t dim = Value(index.dim);
      for (size_t i = 0; i < selection.shape.size(); ++i) {
        found.push_back(selection.shape[i]);
        axes.push_back(index.axis + static_cast<int>(i));
      }
      std::vector<int64_t> next;
      for (const int64_t base : positions) {
        for (const int64_t at : selection.where) {
          const bool inside = base >= 0 && at >= 0 && at < dim;
          next.push_back(inside ? base * dim + at : -1);
        }
      }
      positions = std::move(next);
    }
    auto tile = interpret::NewTile(context_, DType::kInt64, found);
    tile->whole = std::move(positions);
    std::vector<int> order(axes.size());
    for (size_t i = 0; i < axes.size(); ++i) {
      order.at(static_cast<size_t>(axes[i])) = static_cast<int>(i);
    }
    const TilePtr turned = interpret::Transpose(context_, *tile, order);
    shape = turned->shape;
    return turned->whole;
  }

  // Numbers of bool tensors may be tiles of u8.
  static void CopyNumber(const Tile& from, size_t i, Tile& to, size_t j) {
    if (to.floating()) {
      to.real.at(j) = from.NumberAt(i);
    } else {
      to.whole.at(j) = from.whole.at(i);
    }
  }

  void Load(const Stmt& stmt) {
    Shape shape;
    const std::vector<int64_t> positions = PositionsOf(stmt.access, shape);
    const Tile& memory = MemoryOf(stmt.access);
    const DType dtype = Info(stmt.results[0]).dtype;
    auto tile = interpret::NewTile(context_, dtype, shape);
    for (size_t i = 0; i < positions.size(); ++i) {
      if (positions[i] >= 0) {
        CopyNumber(memory, static_cast<size_t>(positions[i]), *tile, i);
      } else if (stmt.fill) {
        CopyNumber(*NumberOf(*stmt.fill, dtype), 0, *tile, i);
      } else {
        throw InternalError("a load outside the tensor");
      }
    }
    Assign(stmt, 0, tile);
  }

  void Store(const Stmt& stmt) {
    Shape shape;
    const std::vector<int64_t> positions = PositionsOf(stmt.access, shape);
    Tile& memory = MemoryOf(stmt.access);
    const TilePtr value = interpret::BroadcastTo(
        context_, *OperandOf(stmt, 0, memory.dtype), shape);
    for (size_t i = 0; i < positions.size(); ++i) {
      if (positions[i] < 0) throw InternalError("a store outside the tensor");
      const auto at = static_cast<size_t>(positions[i]);
      if (stmt.kind == StmtKind::kStore) {
        CopyNumber(*value, i, memory, at);
        continue;
      }
      if (memory.floating()) {
        memory.real[at] += value->real[i];
      } else {
        const auto sum = interpret::WholeScalar(
            context_, DType::kInt64, memory.whole[at] + value->whole[i]);
        memory.whole[at] =
            interpret::Convert(context_, *sum, memory.dtype, Round::kRint)
                ->whole[0];
      }
    }
  }

  // A number takes the dtype of the tiles beside it.
  DType NumberDtype(const Stmt& stmt, size_t i) const {
    const DType result = Info(stmt.results[0]).dtype;
    const size_t count = stmt.operands.size();
    switch (stmt.op) {
      case Op::kFull:
      case Op::kBroadcast:
        return result;
      case Op::kArange:
      case Op::kPhilox:
        return DType::kInt64;
      case Op::kWhere:
        if (i + 2 >= count) return result;
        return stmt.compare ? SharedDtype(stmt, 0, 2) : DType::kBool;
      default:
        return SharedDtype(stmt, 0, count);
    }
  }

  void Compute(const Stmt& stmt) {
    std::vector<TilePtr> args;
    for (size_t i = 0; i < stmt.operands.size(); ++i) {
      args.push_back(OperandOf(stmt, i, NumberDtype(stmt, i)));
    }
    // How much compress keeps is known after it.
    const bool sized = stmt.op != Op::kCompress;
    TileResult wanted;
    wanted.dtype = Info(stmt.results[0]).dtype;
    wanted.rank = Info(stmt.results[0]).dims.size();
    if (sized) wanted.shape = ShapeOf(Info(stmt.results[0]).dims);
    std::vector<TilePtr> made = ComputeTiles(context_, stmt, args, wanted);
    // What is the same for all rows may be assigned to all of them.
    const crux::OpFamily family = InfoOf(stmt.op).family;
    if (family == crux::OpFamily::kElementwise ||
        family == crux::OpFamily::kCompare ||
        family == crux::OpFamily::kConvert) {
      made[0] = interpret::BroadcastTo(context_, *made[0], wanted.shape);
    }
    for (size_t i = 0; i < stmt.results.size(); ++i) {
      Assign(stmt, i, std::move(made.at(i)), sized);
    }
  }

  const ir::Kernel& kernel_;
  HostCall& call_;
  const interpret::Arguments& arguments_;
  interpret::Budget budget_;
  Context context_;
  std::vector<TilePtr> tiles_;
  std::map<std::string, int64_t> names_;
  std::map<std::string, std::vector<int64_t>> arrays_;
  std::map<std::string, double> reals_;
  std::vector<std::unique_ptr<interpret::Across>> across_;
  std::vector<int64_t> positions_;
  std::map<std::pair<int, size_t>, Memory> memory_;
};

}  // namespace

Reference Interpreted(const crux::typed::Kernel& source,
                      const interpret::Arguments& arguments,
                      const TileOptions& options) {
  interpret::Options how;
  how.fits = options.fits;
  how.auto_tile = options.piece;
  Reference reference;
  reference.exact = Interpret(source, arguments, how);
  how.arithmetic = Arithmetic::kFloat64;
  reference.real = Interpret(source, arguments, how);
  return reference;
}

std::string DifferencesOfTiles(const ir::Kernel& kernel,
                               const crux::typed::Kernel& source,
                               const interpret::Arguments& arguments,
                               const TileOptions& options,
                               const Reference& reference) {
  if (!reference.exact.ok() || !reference.real.ok()) {
    return "the interpreter refuses the call\n";
  }
  HostCall call(source, arguments, "program");
  call.Choose([&](const crux::typed::Statement&) { return options.fits; });
  TileMachine machine(kernel, call, arguments, options);
  try {
    machine.Run();
  } catch (const InternalError& error) {
    return std::string(error.what()) + "\n";
  } catch (const interpret::Fault& fault) {
    return fault.message() + "\n";
  }
  std::string text;
  for (size_t i = 0; i < reference.real.outputs.size(); ++i) {
    const interpret::OutputTensor& output = reference.real.outputs[i];
    const Tile* tile = machine.Find(output.parameter, output.index);
    if (tile == nullptr) continue;
    text += Compared(output, reference.exact.outputs[i], *tile, tile->shape);
  }
  return text;
}

}  // namespace belay::testing
