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
#include "crux/interpret/matmul.h"
#include "crux/interpret/order.h"
#include "crux/interpret/philox.h"
#include "crux/interpret/reduce.h"
#include "crux/interpret/reshape.h"
#include "crux/interpret/scan.h"

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

  // Positions in memory in the order of the view; -1: outside.
  std::vector<int64_t> PositionsOf(const ir::Access& access, Shape& shape) {
    std::vector<int64_t> positions = {0};
    for (const ir::Index& index : access.indices) {
      const Selection selection = SelectionOf(index);
      const int64_t dim = Value(index.dim);
      shape.insert(shape.end(), selection.shape.begin(), selection.shape.end());
      std::vector<int64_t> next;
      for (const int64_t base : positions) {
        for (const int64_t at : selection.where) {
          const bool inside = base >= 0 && at >= 0 && at < dim;
          next.push_back(inside ? base * dim + at : -1);
        }
      }
      positions = std::move(next);
    }
    return positions;
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

  TilePtr Truth(const TilePtr& tile) const {
    if (tile->dtype == DType::kBool) return tile;
    return interpret::Convert(context_, *tile, DType::kBool, Round::kTrunc);
  }

  void Compute(const Stmt& stmt) {
    switch (InfoOf(stmt.op).family) {
      case OpFamily::kElementwise:
      case OpFamily::kCompare:
        return Assign(stmt, 0, Elementwise(stmt));
      case OpFamily::kMake:
        return Assign(stmt, 0, Made(stmt));
      case OpFamily::kReduce:
        return Assign(stmt, 0, Reduced(stmt));
      default:
        return Moved(stmt);
    }
  }

  TilePtr Elementwise(const Stmt& stmt) const {
    const size_t count = stmt.operands.size();
    if (stmt.op == Op::kWhere) {
      const DType dtype = Info(stmt.results[0]).dtype;
      const auto last = [&](size_t i) {
        return OperandOf(stmt, count - 2 + i, dtype);
      };
      TilePtr condition;
      if (stmt.compare) {
        const DType compared = SharedDtype(stmt, 0, 2);
        condition = interpret::Compare(context_, *stmt.compare,
                                       *OperandOf(stmt, 0, compared),
                                       *OperandOf(stmt, 1, compared));
      } else {
        condition = Truth(OperandOf(stmt, 0, DType::kBool));
      }
      return interpret::Where(context_, *condition, *last(0), *last(1));
    }
    const DType dtype = SharedDtype(stmt, 0, count);
    std::vector<TilePtr> args;
    for (size_t i = 0; i < count; ++i) {
      args.push_back(OperandOf(stmt, i, dtype));
    }
    switch (stmt.op) {
      case Op::kLess:
      case Op::kLessEqual:
      case Op::kGreater:
      case Op::kGreaterEqual:
      case Op::kEqual:
      case Op::kNotEqual: {
        const TilePtr made =
            interpret::Compare(context_, stmt.op, *args[0], *args[1]);
        return interpret::Convert(context_, *made, Info(stmt.results[0]).dtype,
                                  Round::kRint);
      }
      case Op::kIsNan:
      case Op::kIsInf:
      case Op::kIsFinite: {
        const TilePtr made = interpret::Classify(context_, stmt.op, *args[0]);
        return interpret::Convert(context_, *made, Info(stmt.results[0]).dtype,
                                  Round::kRint);
      }
      case Op::kGelu:
        if (stmt.tanh) {
          return interpret::ApplyUnary(context_, interpret::TanhGeluRule(),
                                       *args[0]);
        }
        break;
      default:
        break;
    }
    switch (count) {
      case 1:
        return interpret::Unary(context_, stmt.op, *args[0]);
      case 2:
        return interpret::Binary(context_, stmt.op, *args[0], *args[1]);
      default:
        return interpret::Ternary(context_, stmt.op, *args[0], *args[1],
                                  *args[2]);
    }
  }

  TilePtr Made(const Stmt& stmt) const {
    const ir::Tile& info = Info(stmt.results[0]);
    const Shape shape = ShapeOf(info.dims);
    const auto integer = [&](size_t i) {
      return OperandOf(stmt, i, DType::kInt64)->whole.at(0);
    };
    if (stmt.op == Op::kPhilox) {
      return interpret::Philox(context_, integer(0), integer(1), info.dtype,
                               shape);
    }
    if (stmt.op == Op::kFull) {
      return interpret::BroadcastTo(context_, *OperandOf(stmt, 0, info.dtype),
                                    shape);
    }
    auto tile = interpret::NewTile(context_, DType::kInt64, shape);
    for (size_t i = 0; i < tile->whole.size(); ++i) {
      tile->whole[i] = integer(0) + static_cast<int64_t>(i);
    }
    return interpret::Convert(context_, *tile, info.dtype, Round::kRint);
  }

  TilePtr Reduced(const Stmt& stmt) const {
    const TilePtr tile = OperandOf(stmt, 0, {});
    const bool keeps = Info(stmt.results[0]).dims.size() == tile->shape.size();
    switch (stmt.op) {
      case Op::kArgmax:
      case Op::kArgmin:
        return interpret::ReduceIndex(context_, stmt.op, *tile, stmt.axes,
                                      keeps);
      case Op::kNorm:
        return interpret::Norm(context_, *tile, stmt.axes, keeps, stmt.order);
      default:
        return interpret::Reduce(context_, stmt.op, *tile, stmt.axes, keeps);
    }
  }

  TilePtr Converted(const Stmt& stmt) const {
    const TilePtr tile = OperandOf(stmt, 0, {});
    const DType dtype = Info(stmt.results[0]).dtype;
    const Round usual =
        tile->floating() && !IsFloating(dtype) ? Round::kTrunc : Round::kRint;
    return interpret::Convert(context_, *tile, dtype,
                              stmt.round.value_or(usual));
  }

  void AssignPair(const Stmt& stmt, interpret::TilePair pair, bool checked) {
    Assign(stmt, 0, std::move(pair.first), checked);
    Assign(stmt, 1, std::move(pair.second), checked);
  }

  void Moved(const Stmt& stmt) {
    const auto tile = [&](size_t i) { return OperandOf(stmt, i, {}); };
    const int axis = stmt.axes.empty() ? 0 : stmt.axes[0];
    const ir::Tile& info = Info(stmt.results[0]);
    switch (stmt.op) {
      case Op::kTo:
        return Assign(stmt, 0, Converted(stmt));
      case Op::kBitcast:
        return Assign(stmt, 0,
                      interpret::Bitcast(context_, *tile(0), info.dtype));
      case Op::kCumsum:
      case Op::kCumprod:
      case Op::kCummax:
        return Assign(stmt, 0,
                      interpret::Scan(context_, stmt.op, *tile(0), axis,
                                      stmt.reverse, stmt.exclusive));
      case Op::kLast:
        return Assign(stmt, 0, interpret::Last(context_, *tile(0), axis));
      case Op::kTranspose:
        return Assign(stmt, 0,
                      interpret::Transpose(context_, *tile(0), stmt.axes));
      case Op::kConcat: {
        std::vector<TilePtr> parts;
        for (size_t i = 0; i < stmt.operands.size(); ++i) {
          parts.push_back(tile(i));
        }
        return Assign(stmt, 0, interpret::Concat(context_, parts, axis));
      }
      case Op::kBroadcast:
        return Assign(
            stmt, 0,
            interpret::BroadcastTo(context_, *OperandOf(stmt, 0, info.dtype),
                                   ShapeOf(info.dims)));
      case Op::kSort:
        return Assign(
            stmt, 0,
            interpret::Sort(context_, *tile(0), axis, stmt.descending));
      case Op::kArgsort:
        return Assign(
            stmt, 0,
            interpret::Argsort(context_, *tile(0), axis, stmt.descending));
      case Op::kTopk:
        return AssignPair(
            stmt,
            interpret::Topk(context_, *tile(0),
                            ShapeOf(info.dims)[static_cast<size_t>(axis)], axis,
                            stmt.largest),
            true);
      case Op::kMergeTopk:
        return AssignPair(
            stmt,
            interpret::MergeTopk(context_, *tile(0), *tile(1), *tile(2),
                                 *tile(3), axis, stmt.largest),
            true);
      case Op::kTake:
        return Assign(stmt, 0,
                      interpret::Take(context_, *tile(0), *tile(1), axis));
      case Op::kCompress:
        return AssignPair(
            stmt, interpret::Compress(context_, *tile(0), *Truth(tile(1))),
            false);
      case Op::kDeinterleave:
        return AssignPair(stmt, interpret::Deinterleave(context_, *tile(0)),
                          true);
      case Op::kMatmul:
        return Assign(stmt, 0, interpret::Matmul(context_, *tile(0), *tile(1)));
      default:
        throw InternalError("an operation that tiles have not");
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

// Where element e of an array of `shape` lies in one of `whole`.
size_t PlaceIn(const Shape& whole, const Shape& shape, size_t e) {
  size_t place = 0;
  size_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    const auto size = static_cast<size_t>(shape[d]);
    place += e % size * stride;
    e /= size;
    stride *= static_cast<size_t>(whole[d]);
  }
  return place;
}

std::string Compared(const interpret::OutputTensor& real,
                     const interpret::OutputTensor& exact, const Tile& tile,
                     const Shape& whole) {
  const std::vector<double> wanted = NumbersOf(real.array);
  const std::vector<double> bounds = NumbersOf(exact.bounds);
  std::string text;
  for (size_t e = 0; e < wanted.size(); ++e) {
    if (!bounds.empty() && !std::isfinite(bounds[e])) continue;
    const double got = tile.NumberAt(PlaceIn(whole, real.array.shape, e));
    const double allowed = 1e-6 * std::max(1.0, std::fabs(wanted[e])) +
                           (bounds.empty() ? 0 : bounds[e]);
    if (got == wanted[e] || (std::isnan(got) && std::isnan(wanted[e])) ||
        std::fabs(got - wanted[e]) <= allowed) {
      continue;
    }
    text += fmt::format("{}[{}]: tiles {:.17g}, interpreted {:.17g}\n",
                        real.name, e, got, wanted[e]);
    if (text.size() > 400) break;
  }
  return text;
}

}  // namespace

std::string DifferencesOfTiles(const ir::Kernel& kernel,
                               const crux::typed::Kernel& source,
                               const interpret::Arguments& arguments,
                               const TileOptions& options, bool fits) {
  interpret::Options how;
  how.fits = fits;
  how.auto_tile = options.piece;
  const interpret::Results exact = Interpret(source, arguments, how);
  how.arithmetic = Arithmetic::kFloat64;
  const interpret::Results real = Interpret(source, arguments, how);
  if (!exact.ok() || !real.ok()) return "the interpreter refuses the call\n";
  HostCall call(source, arguments, "program");
  call.Choose([&](const crux::typed::Statement&) { return fits; });
  TileMachine machine(kernel, call, arguments, options);
  try {
    machine.Run();
  } catch (const InternalError& error) {
    return std::string(error.what()) + "\n";
  } catch (const interpret::Fault& fault) {
    return fault.message() + "\n";
  }
  std::string text;
  for (size_t i = 0; i < real.outputs.size(); ++i) {
    const interpret::OutputTensor& output = real.outputs[i];
    const Tile* tile = machine.Find(output.parameter, output.index);
    if (tile == nullptr) continue;
    text += Compared(output, exact.outputs[i], *tile, tile->shape);
  }
  return text;
}

}  // namespace belay::testing
