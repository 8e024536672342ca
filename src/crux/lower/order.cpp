// SPDX-License-Identifier: Apache-2.0
// Reductions, scans, shapes and order.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "crux/lower/lowering.h"

namespace belay::crux::lower {
namespace {

using typed::ExprKind;

const typed::Expr* OptionAt(const typed::Expr& expr, size_t i) {
  return i < expr.args.size() ? expr.args[i] : nullptr;
}

Dim ProductOfDims(const std::vector<Dim>& dims) {
  Dim product{1, 1};
  for (const Dim& dim : dims) {
    product.capacity = product.capacity * dim.capacity;
    product.size = product.size * dim.size;
  }
  return product;
}

}  // namespace

int Lowering::LowerReduce(const Expr& expr, Target* target) {
  const int line = expr.range.line;
  int tile = TileOf(*expr.args[0]);
  const Expr* keep = OptionAt(expr, 2);
  const bool keeps = keep != nullptr && keep->integer != 0;
  const std::vector<Dim> before = TileAt(tile).dims;
  ir::Stmt stmt;
  stmt.op = expr.op;
  stmt.line = line;
  stmt.axes = expr.axes;
  const Expr* given = expr.op == Op::kNorm ? OptionAt(expr, 3) : nullptr;
  const Expr* order = given != nullptr ? Inlined(*given) : nullptr;
  const std::optional<double> known = order != nullptr ? NormOrder(*order) : 2;
  stmt.order = known.value_or(0);
  const bool positions = expr.op == Op::kArgmax || expr.op == Op::kArgmin;
  const bool flat = before.empty() || (positions && stmt.axes.size() > 1);
  if (flat) {
    tile = Reshaped(tile, {ProductOfDims(before)}, nullptr, line);
    stmt.axes = {0};
  }
  std::vector<Dim> dims;
  const std::vector<Dim>& from = TileAt(tile).dims;
  for (size_t i = 0; i < from.size(); ++i) {
    const bool reduced = std::find(stmt.axes.begin(), stmt.axes.end(),
                                   static_cast<int>(i)) != stmt.axes.end();
    if (!reduced) dims.push_back(from[i]);
    if (reduced && keeps && !flat) dims.push_back({1, 1});
  }
  stmt.operands = {tile};
  if (!known) {
    return NormByPowers(tile, *order, std::move(stmt), std::move(dims), target);
  }
  const bool shaped = flat && keeps && !before.empty();
  const int result = Compute(std::move(stmt), DtypeOf(expr.type.element),
                             std::move(dims), shaped ? nullptr : target);
  if (!shaped) return result;
  return Reshaped(result, std::vector<Dim>(before.size(), Dim{1, 1}), target,
                  line);
}

std::vector<Dim> Lowering::DimsOfSizes(const Expr& call, int tile) {
  const Expr& sizes = *call.args[1];
  std::vector<const Expr*> given = {&sizes};
  if (sizes.kind == ExprKind::kTuple) given = sizes.args;
  const Dim all = ProductOfDims(TileAt(tile).dims);
  std::vector<Dim> dims;
  std::optional<size_t> open;
  Int rest = 1;
  for (const Expr* size : given) {
    Dim dim;
    if (size->type.kind == TypeKind::kRange) {
      dim = RangeOf(*size).extent;
    } else {
      const Int value = IntOf(*size);
      if (value.Is(-1)) {
        open = dims.size();
        dims.push_back(dim);
        continue;
      }
      dim = BoundedDim(value, all.capacity, size->range);
    }
    rest = rest * dim.size;
    dims.push_back(dim);
  }
  if (open) {
    const auto known = Known(call.type.dims[*open]);
    dims[*open] = BoundedDim(known ? *known : FloorDiv(all.size, rest),
                             all.capacity, call.range);
  }
  return dims;
}

int Lowering::LowerShape(const Expr& expr, Target* target) {
  const int line = expr.range.line;
  ir::Stmt stmt;
  stmt.op = expr.op;
  stmt.line = line;
  stmt.axes = expr.axes;
  if (expr.op == Op::kConcat) {
    std::vector<Dim> dims;
    const auto axis = static_cast<size_t>(expr.axes.at(0));
    for (const Expr* part : expr.args[0]->args) {
      const int tile = TileOf(*part);
      stmt.operands.emplace_back(tile);
      const std::vector<Dim>& next = TileAt(tile).dims;
      if (dims.empty()) {
        dims = next;
        continue;
      }
      dims[axis].capacity = dims[axis].capacity + next[axis].capacity;
      dims[axis].size = dims[axis].size + next[axis].size;
    }
    if (const auto known = Known(expr.type.dims[axis]);
        known && IsHost(*known)) {
      dims[axis] = {*known, *known};
    }
    const DType dtype = DtypeOf(expr.type.element);
    return Compute(std::move(stmt), dtype, std::move(dims), target);
  }
  const int tile = TileOf(*expr.args[0]);
  const DType dtype = TileAt(tile).dtype;
  if (expr.op == Op::kReshape) {
    return Reshaped(tile, DimsOfSizes(expr, tile), target, line);
  }
  stmt.operands = {tile};
  if (expr.op == Op::kBroadcast) {
    std::vector<Dim> dims = DimsOfSizes(expr, tile);
    stmt.axes.clear();
    return Compute(std::move(stmt), dtype, std::move(dims), target);
  }
  std::vector<Dim> dims;
  for (const int axis : expr.axes) {
    dims.push_back(TileAt(tile).dims[static_cast<size_t>(axis)]);
  }
  return Compute(std::move(stmt), dtype, std::move(dims), target);
}

int Lowering::LowerAlongAxis(const Expr& expr, Target* target) {
  const int line = expr.range.line;
  const int tile = TileOf(*expr.args[0]);
  if (expr.op == Op::kTake) {
    return Taken(tile, TileOf(*expr.args[1]), expr.axes.at(0), target, line);
  }
  ir::Stmt stmt;
  stmt.op = expr.op;
  stmt.line = line;
  stmt.axes = expr.axes;
  stmt.operands = {tile};
  std::vector<Dim> dims = TileAt(tile).dims;
  switch (expr.op) {
    case Op::kCumsum:
    case Op::kCumprod:
    case Op::kCummax:
      stmt.reverse = Flag(OptionAt(expr, 2), false);
      stmt.exclusive = Flag(OptionAt(expr, 3), false);
      break;
    case Op::kLast:
      RequireAtMost(1, dims[static_cast<size_t>(expr.axes.at(0))].size,
                    expr.range, "the last element of nothing");
      if (expr.axes.at(0) + 1 < static_cast<int>(dims.size())) {
        return LastOf(tile, expr.axes.at(0), target, line);
      }
      dims.erase(dims.begin() + expr.axes.at(0));
      break;
    case Op::kSort:
    case Op::kArgsort:
      stmt.descending = Flag(OptionAt(expr, 2), false);
      break;
    default:
      throw InternalError(fmt::format("[crux] {} gives more than one tile",
                                      InfoOf(expr.op).id));
  }
  const DType dtype = DtypeOf(expr.type.element);
  return Compute(std::move(stmt), dtype, std::move(dims), target);
}

// A slice: rows stay rows.
int Lowering::LastOf(int tile, int axis, Target* target, int line) {
  const std::vector<Dim> from = TileAt(tile).dims;
  std::vector<Dim> dims;
  std::vector<ir::Index> indices;
  for (size_t i = 0; i < from.size(); ++i) {
    ir::Index& index = indices.emplace_back(WholeIndex(from[i]));
    if (static_cast<int>(i) == axis) {
      index.kind = ir::IndexKind::kPoint;
      index.start = from[i].size - Int(1);
      index.extent = {1, 1};
      continue;
    }
    index.axis = static_cast<int>(dims.size());
    dims.push_back(from[i]);
  }
  return Sliced(tile, std::move(indices), std::move(dims), "_last", target,
                line);
}

std::pair<int, int> Lowering::LowerPair(const Expr& expr, Target* first,
                                        Target* second) {
  if (expr.op == Op::kCompress && first != nullptr && first->home >= 0) {
    ir::Refuse(code::kX301, expr.range,
               "a value that a loop carries is given by compress, and would "
               "change its length",
               "give what compress returns a name of its own");
  }
  ir::Stmt stmt;
  stmt.kind = ir::StmtKind::kCompute;
  stmt.op = expr.op;
  stmt.line = expr.range.line;
  stmt.axes = expr.axes;
  const size_t tiles = expr.op == Op::kMergeTopk  ? 4
                       : expr.op == Op::kCompress ? 2
                                                  : 1;
  std::vector<int> operands;
  for (size_t i = 0; i < tiles; ++i) operands.push_back(TileOf(*expr.args[i]));
  stmt.operands.assign(operands.begin(), operands.end());
  for (Target** target : {&first, &second}) {
    if (*target == nullptr || (*target)->home < 0) continue;
    if (std::find(operands.begin(), operands.end(), (*target)->home) !=
        operands.end()) {
      *target = nullptr;
    }
  }
  std::vector<Dim> dims = TileAt(operands[0]).dims;
  const DType dtype = TileAt(operands[0]).dtype;
  DType other = DType::kInt32;
  std::string wishes[] = {"values", "positions"};
  switch (expr.op) {
    case Op::kTopk: {
      Dim& dim = dims[static_cast<size_t>(expr.axes.at(0))];
      const Dim kept = DimOf(*expr.args[1]);
      RequireAtMost(kept.size, dim.size, expr.range,
                    "topk of more elements than there are");
      dim = kept;
      stmt.largest = Flag(OptionAt(expr, 3), true);
      break;
    }
    case Op::kMergeTopk:
      other = TileAt(operands[1]).dtype;
      stmt.largest = Flag(OptionAt(expr, 5), true);
      break;
    case Op::kDeinterleave: {
      other = dtype;
      Dim& last = dims.back();
      Require(Int::Of(ir::IntKind::kEqual, Mod(last.size, 2), 0), expr.range,
              "deinterleave of an odd number of elements");
      const Size& size = expr.type.members.at(0).dims.back();
      const auto known = Known(size);
      const Int half = known ? *known : FloorDiv(last.size, 2);
      last = IsHost(half) ? Dim{half, half}
                          : Dim{FloorDiv(last.capacity, 2), half};
      wishes[0] = "even";
      wishes[1] = "odd";
      break;
    }
    case Op::kCompress: {
      wishes[0] = "kept";
      wishes[1] = "count";
      const int count = ResultTile(second, wishes[1], other, {}, stmt.line);
      tile_bounds_[count] = {Int(0), dims[0].capacity};
      stmt.results = {-1, count};
      block_->push_back(std::make_shared<ir::Stmt>(std::move(stmt)));
      const auto compress = block_->back();
      const Int length = ReadTile(count, TileAt(count).name, nullptr);
      const int kept = ResultTile(first, wishes[0], dtype,
                                  {{dims[0].capacity, length}}, compress->line);
      compress->results[0] = kept;
      return {kept, count};
    }
    default:
      throw InternalError(
          fmt::format("[crux] {} gives one tile", InfoOf(expr.op).id));
  }
  std::vector<Dim> same = dims;
  const int values =
      ResultTile(first, wishes[0], dtype, std::move(dims), stmt.line);
  const int positions =
      ResultTile(second, wishes[1], other, std::move(same), stmt.line);
  stmt.results = {values, positions};
  block_->push_back(std::make_shared<ir::Stmt>(std::move(stmt)));
  return {values, positions};
}

}  // namespace belay::crux::lower
