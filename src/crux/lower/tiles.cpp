// SPDX-License-Identifier: Apache-2.0
// Expressions whose value is a tile: names, loads, parts of tiles.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "crux/lower/lowering.h"

namespace belay::crux::lower {
namespace {

using ir::IndexKind;
using typed::ExprKind;
using typed::SubscriptKind;

bool IsWholeIndex(const ir::Index& index) {
  return index.kind == IndexKind::kRange && index.start.Is(0) &&
         index.step.Is(1) && Same(index.extent.size, index.dim);
}

}  // namespace

const ir::Tile& Lowering::TileAt(int id) const {
  return kernel_.tiles.at(static_cast<size_t>(id));
}

ir::Stmt& Lowering::Emit(ir::StmtKind kind, int line) {
  auto stmt = std::make_shared<ir::Stmt>();
  stmt->kind = kind;
  stmt->line = line;
  block_->push_back(stmt);
  return *stmt;
}

int Lowering::ResultTile(Target* target, std::string_view wish, DType dtype,
                         std::vector<Dim> dims, int line) {
  if (target == nullptr) {
    return kernel_.NewTile(wish, dtype, std::move(dims), line).id;
  }
  target->used = true;
  if (target->home < 0) {
    return kernel_.NewTile(target->name, dtype, std::move(dims), line).id;
  }
  Forget(target->home);
  return target->home;
}

void Lowering::Forget(int tile) {
  reads_.erase(tile);
  affine_.erase(tile);
  tile_bounds_.erase(tile);
}

DType Lowering::DtypeOf(const Element& element) const {
  if (element.variable == nullptr) return element.dtype;
  for (size_t i = 0; i < source_.dtypes.size(); ++i) {
    if (source_.dtypes[i] == element.variable) return kernel_.dtypes[i];
  }
  // No parameter uses it: one of its line that one does decides, else the
  // first it allows.
  for (size_t i = 0; i < source_.dtypes.size(); ++i) {
    const DtypeVariable& other = *source_.dtypes[i];
    if (other.group != element.variable->group) continue;
    for (size_t n = 0; n < other.allowed.size(); ++n) {
      if (other.allowed[n] == kernel_.dtypes[i]) {
        return element.variable->allowed[n];
      }
    }
  }
  return element.variable->allowed.front();
}

ir::Operand Lowering::OperandOf(const Expr& expr, Target* target) {
  switch (expr.kind) {
    case ExprKind::kVariable: {
      const Value& value = variables_[static_cast<size_t>(expr.variable->id)];
      if (const int* tile = std::get_if<int>(&value)) return *tile;
      break;
    }
    case ExprKind::kFromHost:
      return LowerFromHost(expr);
    case ExprKind::kOperation:
      if (expr.type.kind == TypeKind::kTile) {
        return LowerOperation(expr, target);
      }
      break;
    case ExprKind::kSelect:
      if (expr.type.kind == TypeKind::kTile) {
        return OperandOf(Decide(*expr.args[1]) ? *expr.args[0] : *expr.args[2],
                         target);
      }
      break;
    case ExprKind::kSubscript:
      return LowerSubscript(expr, target);
    case ExprKind::kAcrossValue:
      return LowerAcrossValue(expr, target);
    case ExprKind::kAcrossPrefix:
      return LowerAcrossPrefix(expr, target);
    case ExprKind::kItem: {
      const auto pair = LowerPair(*expr.args[0], nullptr, nullptr);
      return expr.item == 0 ? pair.first : pair.second;
    }
    default:
      break;
  }
  if (expr.type.kind == TypeKind::kIndex ||
      expr.type.kind == TypeKind::kHostInt ||
      expr.type.kind == TypeKind::kHostBool) {
    return IntegerNumber(IntOf(expr));
  }
  if (expr.kind == ExprKind::kVariable) {
    ir::Refuse(code::kX301, expr.range,
               fmt::format("`{}` has no value in this variant of the kernel",
                           expr.variable->name),
               "assign it before it is used, on every path");
  }
  throw InternalError("[crux] an expression that is no tile");
}

int Lowering::Materialised(const ir::Operand& operand, DType dtype,
                           Target* target, int line) {
  if (const int* tile = std::get_if<int>(&operand)) return *tile;
  return Compute(Op::kFull, {operand}, dtype, {}, target, line);
}

int Lowering::TileOf(const Expr& expr, Target* target) {
  const ir::Operand operand = OperandOf(expr, target);
  const DType dtype = expr.type.kind == TypeKind::kTile
                          ? DtypeOf(expr.type.element)
                          : DType::kInt64;
  return Materialised(operand, dtype, target, expr.range.line);
}

ir::Operand Lowering::LowerFromHost(const Expr& expr) {
  const Expr& from = *expr.args[0];
  if (from.type.is_tile()) {
    const int tile = TileOf(from);
    const DType dtype = DtypeOf(expr.type.element);
    if (TileAt(tile).dtype == dtype) return tile;
    ir::Stmt stmt;
    stmt.op = Op::kTo;
    stmt.line = expr.range.line;
    stmt.operands = {tile};
    stmt.round = abi::Round::kRint;
    return Compute(std::move(stmt), dtype, TileAt(tile).dims, nullptr);
  }
  if (from.type.kind == TypeKind::kIndex) return IntegerNumber(IntOf(from));
  ir::Number number = HostNumber(from);
  if (number.kind == ir::Number::Kind::kInt) {
    RequireHeld(number.integer, DtypeOf(expr.type.element), expr.range);
  }
  return number;
}

int Lowering::TurnedRound(int tile, int line) {
  const std::vector<Dim> dims = TileAt(tile).dims;
  if (dims.empty() || dims.back().is_one()) return tile;
  std::vector<ir::Index> indices;
  for (const Dim& dim : dims) {
    indices.push_back(WholeIndex(dim));
    indices.back().axis = static_cast<int>(indices.size()) - 1;
  }
  indices.back().start = dims.back().size - Int(1);
  indices.back().step = -1;
  return Sliced(tile, std::move(indices), dims, "_turned", nullptr, line);
}

int Lowering::Sliced(int tile, std::vector<ir::Index> indices,
                     std::vector<Dim> dims, std::string_view ending,
                     Target* target, int line) {
  // A part cannot be written over what it is taken from.
  if (target != nullptr && target->home == tile) target = nullptr;
  const int result = ResultTile(target, TileAt(tile).name + std::string(ending),
                                TileAt(tile).dtype, std::move(dims), line);
  ir::Stmt& slice = Emit(ir::StmtKind::kSlice, line);
  slice.operands = {tile};
  slice.results = {result};
  slice.slice = std::move(indices);
  return result;
}

int Lowering::Reshaped(int tile, std::vector<Dim> dims, Target* target,
                       int line) {
  const std::string wish = TileAt(tile).name;
  const DType dtype = TileAt(tile).dtype;
  const int result = ResultTile(target, wish, dtype, std::move(dims), line);
  ir::Stmt& stmt = Emit(ir::StmtKind::kReshape, line);
  stmt.operands = {tile};
  stmt.results = {result};
  return result;
}

int Lowering::Taken(int tile, int indices, int axis, Target* target, int line) {
  std::vector<Dim> dims = TileAt(tile).dims;
  const std::vector<Dim>& shape = TileAt(indices).dims;
  const auto place = dims.erase(dims.begin() + axis);
  dims.insert(place, shape.begin(), shape.end());
  ir::Stmt stmt;
  stmt.op = Op::kTake;
  stmt.line = line;
  stmt.operands = {tile, indices};
  stmt.axes = {axis};
  return Compute(std::move(stmt), TileAt(tile).dtype, std::move(dims), target);
}

int Lowering::LowerSubscript(const Expr& expr, Target* target) {
  const int line = expr.range.line;
  int tile = TileOf(*expr.args[0]);
  std::vector<Dim> dims;
  std::vector<ir::Index> indices = IndicesOf(expr.subscripts, TileAt(tile).dims,
                                             expr.type.dims, &dims, true);
  RequireInside(indices, expr.range, code::kX191);
  bool adds_axes = false;
  for (const typed::Subscript& subscript : expr.subscripts) {
    adds_axes |= subscript.kind == SubscriptKind::kNewAxis;
  }
  const auto gather = std::find_if(
      indices.begin(), indices.end(),
      [](const ir::Index& index) { return index.kind == IndexKind::kTile; });
  if (gather != indices.end()) {
    const auto axis = static_cast<int>(gather - indices.begin());
    const int positions = gather->tile;
    std::vector<ir::Index> whole;
    for (const Dim& dim : TileAt(positions).dims) {
      ir::Index& index = whole.emplace_back();
      index.kind = IndexKind::kRange;
      index.dim = dim.size;
      index.extent = dim;
    }
    indices.insert(indices.erase(indices.begin() + axis), whole.begin(),
                   whole.end());
    const bool last =
        !adds_axes && std::all_of(indices.begin(), indices.end(), IsWholeIndex);
    tile = Taken(tile, positions, axis, last ? target : nullptr, line);
    int next = 0;
    for (ir::Index& index : indices) {
      if (index.kind == IndexKind::kRange) index.axis = next++;
    }
  }
  if (!std::all_of(indices.begin(), indices.end(), IsWholeIndex)) {
    tile = Sliced(tile, std::move(indices), dims, "_part",
                  adds_axes ? nullptr : target, line);
  }
  if (!adds_axes) return tile;
  std::vector<Dim> shape;
  size_t next = 0;
  for (const typed::Subscript& subscript : expr.subscripts) {
    switch (subscript.kind) {
      case SubscriptKind::kNewAxis:
        shape.push_back({1, 1});
        break;
      case SubscriptKind::kPoint:
        break;
      case SubscriptKind::kGather:
        for (int i = 0; i < subscript.value->type.rank(); ++i) {
          shape.push_back(dims[next++]);
        }
        break;
      default:
        shape.push_back(dims[next++]);
    }
  }
  while (next < dims.size()) shape.push_back(dims[next++]);
  return Reshaped(tile, std::move(shape), target, line);
}

int Lowering::LowerLoad(const Expr& expr, Target* target) {
  const Expr& view = *expr.args[0];
  std::vector<Dim> dims;
  ir::Access access = AccessOf(view, &dims, true);
  std::optional<ir::Number> fill;
  if (expr.args.size() > 1 && expr.args[1] != nullptr) {
    const Expr& given = *expr.args[1];
    const ir::Operand operand = OperandOf(given);
    if (const auto* number = std::get_if<ir::Number>(&operand)) {
      fill = *number;
    } else if (!IsFloating(DtypeOf(given.type.element))) {
      fill = IntegerNumber(IntOf(given));
    } else {
      return LoadFilledBy(std::get<int>(operand), std::move(access),
                          std::move(dims), target, expr.range.line);
    }
  }
  if (!fill) RequireInside(access.indices, view.range, code::kX181);
  const ir::Tensor& tensor =
      kernel_.tensors.at(static_cast<size_t>(access.tensor));
  const int line = expr.range.line;
  const int result = ResultTile(target, tensor.name + "_local", tensor.dtype,
                                std::move(dims), line);
  ir::Stmt& load = Emit(ir::StmtKind::kLoad, line);
  load.results = {result};
  load.access = std::move(access);
  load.fill = std::move(fill);
  return result;
}

int Lowering::LowerAcrossValue(const Expr& expr, Target* target) {
  const Value& value =
      variables_[static_cast<size_t>(expr.args[0]->variable->id)];
  const int id = std::get<AcrossName>(value).id;
  const auto found = totals_.find(id);
  if (found != totals_.end()) return found->second;
  const ir::Across& across = kernel_.across.at(static_cast<size_t>(id));
  if (target != nullptr && target->home >= 0) target = nullptr;
  const int result = ResultTile(target, across.name + "_total", across.dtype,
                                across.dims, expr.range.line);
  ir::Stmt& stmt = Emit(ir::StmtKind::kAcrossValue, expr.range.line);
  stmt.results = {result};
  stmt.across = id;
  totals_.emplace(id, result);
  return result;
}

int Lowering::LowerAcrossPrefix(const Expr& expr, Target* target) {
  const Value& value =
      variables_[static_cast<size_t>(expr.args[0]->variable->id)];
  const int id = std::get<AcrossName>(value).id;
  const ir::Across& across = kernel_.across.at(static_cast<size_t>(id));
  std::vector<const typed::Loop*> loops;
  for (size_t i = 1; i < expr.args.size(); ++i) {
    loops.push_back(expr.args[i]->loop);
  }
  const int result = ResultTile(target, across.name + "_before", across.dtype,
                                across.dims, expr.range.line);
  ir::Stmt& stmt = Emit(ir::StmtKind::kAcrossPrefix, expr.range.line);
  stmt.results = {result};
  stmt.across = id;
  stmt.slice = IterationsOf(loops);
  stmt.name = ToText(loop_names_[static_cast<size_t>(loops.back()->id)]);
  return result;
}

}  // namespace belay::crux::lower
