// SPDX-License-Identifier: Apache-2.0
#include "tile_compute.h"

#include "base/error.h"
#include "crux/interpret/elementwise.h"
#include "crux/interpret/matmul.h"
#include "crux/interpret/order.h"
#include "crux/interpret/philox.h"
#include "crux/interpret/real_rules.h"
#include "crux/interpret/reduce.h"
#include "crux/interpret/reshape.h"
#include "crux/interpret/scan.h"

namespace belay::testing {
namespace {

using crux::InfoOf;
using crux::Op;
using crux::OpFamily;
using crux::interpret::Context;
using crux::interpret::TilePtr;
using crux::ir::Stmt;
namespace interpret = crux::interpret;

using Tiles = std::vector<TilePtr>;

TilePtr Truth(const Context& context, const TilePtr& tile) {
  if (tile->dtype == DType::kBool) return tile;
  return interpret::Convert(context, *tile, DType::kBool, Round::kTrunc);
}

TilePtr Elementwise(const Context& context, const Stmt& stmt, const Tiles& args,
                    DType dtype) {
  const auto as_wanted = [&](const TilePtr& truth) {
    return interpret::Convert(context, *truth, dtype, Round::kRint);
  };
  switch (stmt.op) {
    case Op::kWhere: {
      const TilePtr condition =
          stmt.compare ? interpret::Compare(context, *stmt.compare, *args.at(0),
                                            *args.at(1))
                       : Truth(context, args.at(0));
      const size_t count = args.size();
      return interpret::Where(context, *condition, *args.at(count - 2),
                              *args.at(count - 1));
    }
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kGreater:
    case Op::kGreaterEqual:
    case Op::kEqual:
    case Op::kNotEqual:
      return as_wanted(
          interpret::Compare(context, stmt.op, *args.at(0), *args.at(1)));
    case Op::kIsNan:
    case Op::kIsInf:
    case Op::kIsFinite:
      return as_wanted(interpret::Classify(context, stmt.op, *args.at(0)));
    case Op::kMul:
      if (args.size() == 3) {
        const TilePtr product =
            interpret::Binary(context, Op::kMul, *args[0], *args[1]);
        return interpret::Binary(context, Op::kAdd, *product, *args[2]);
      }
      break;
    case Op::kNegate:
      if (stmt.of_size) {
        const TilePtr size = interpret::Unary(context, Op::kAbs, *args.at(0));
        return interpret::Unary(context, Op::kNegate, *size);
      }
      break;
    case Op::kGelu:
      if (stmt.tanh) {
        return interpret::ApplyUnary(context, interpret::TanhGeluRule(),
                                     *args.at(0));
      }
      break;
    default:
      break;
  }
  switch (args.size()) {
    case 1:
      return interpret::Unary(context, stmt.op, *args[0]);
    case 2:
      return interpret::Binary(context, stmt.op, *args[0], *args[1]);
    default:
      return interpret::Ternary(context, stmt.op, *args.at(0), *args.at(1),
                                *args.at(2));
  }
}

TilePtr Made(const Context& context, const Stmt& stmt, const Tiles& args,
             const TileResult& wanted) {
  if (stmt.op == Op::kPhilox) {
    return interpret::Philox(context, args.at(0)->whole.at(0),
                             args.at(1)->whole.at(0), wanted.dtype,
                             wanted.shape);
  }
  if (stmt.op == Op::kFull) {
    return interpret::BroadcastTo(context, *args.at(0), wanted.shape);
  }
  auto tile = interpret::NewTile(context, DType::kInt64, wanted.shape);
  for (size_t i = 0; i < tile->whole.size(); ++i) {
    tile->whole[i] = args.at(0)->whole.at(0) + static_cast<int64_t>(i);
  }
  return interpret::Convert(context, *tile, wanted.dtype, Round::kRint);
}

TilePtr Reduced(const Context& context, const Stmt& stmt, const TilePtr& tile,
                bool keeps) {
  switch (stmt.op) {
    case Op::kArgmax:
    case Op::kArgmin:
      return interpret::ReduceIndex(context, stmt.op, *tile, stmt.axes, keeps);
    case Op::kNorm:
      return interpret::Norm(context, *tile, stmt.axes, keeps, stmt.order);
    case Op::kAny:
    case Op::kAll:
      if (!tile->floating()) break;
      return interpret::Reduce(context,
                               stmt.op == Op::kAny ? Op::kMax : Op::kMin, *tile,
                               stmt.axes, keeps);
    default:
      break;
  }
  return interpret::Reduce(context, stmt.op, *tile, stmt.axes, keeps);
}

Tiles PairOf(interpret::TilePair pair) {
  return {std::move(pair.first), std::move(pair.second)};
}

TilePtr TakenByRows(const Context& context, const interpret::Tile& rows,
                    const interpret::Tile& at) {
  auto taken = interpret::NewTile(context, rows.dtype, at.shape);
  const auto length = static_cast<size_t>(rows.shape.at(1));
  for (size_t r = 0; r < at.size(); ++r) {
    const auto position = static_cast<size_t>(at.whole.at(r));
    interpret::CopyElement(rows, r * length + position, *taken, r);
  }
  return taken;
}

// One element of each tile after the other along the last axis.
TilePtr InTurns(const Context& context, const Tiles& tiles,
                const Shape& shape) {
  auto result = interpret::NewTile(context, tiles.at(0)->dtype, shape);
  const auto length = static_cast<size_t>(shape.back());
  for (size_t i = 0; i < result->size(); ++i) {
    const size_t column = i % length;
    const interpret::Tile& from = *tiles.at(column % tiles.size());
    const size_t row = i / length * static_cast<size_t>(from.shape.back());
    interpret::CopyElement(from, row + column / tiles.size(), *result, i);
  }
  return result;
}

Tiles Moved(const Context& context, const Stmt& stmt, const Tiles& args,
            const TileResult& wanted) {
  const interpret::Tile& tile = *args.at(0);
  const int axis = stmt.axes.empty() ? 0 : stmt.axes[0];
  switch (stmt.op) {
    case Op::kTo: {
      const Round usual = tile.floating() && !IsFloating(wanted.dtype)
                              ? Round::kTrunc
                              : Round::kRint;
      return {interpret::Convert(context, tile, wanted.dtype,
                                 stmt.round.value_or(usual))};
    }
    case Op::kBitcast:
      return {interpret::Bitcast(context, tile, wanted.dtype)};
    case Op::kCumsum:
    case Op::kCumprod:
    case Op::kCummax:
      return {interpret::Scan(context, stmt.op, tile, axis, stmt.reverse,
                              stmt.exclusive)};
    case Op::kLast:
      return {interpret::Last(context, tile, axis)};
    case Op::kTranspose:
      return {interpret::Transpose(context, tile, stmt.axes)};
    case Op::kConcat:
      if (stmt.in_turns) return {InTurns(context, args, wanted.shape)};
      return {interpret::Concat(context, args, axis)};
    case Op::kBroadcast:
      return {interpret::BroadcastTo(context, tile, wanted.shape)};
    case Op::kSort:
      return {interpret::Sort(context, tile, axis, stmt.descending)};
    case Op::kArgsort:
      return {interpret::Argsort(context, tile, axis, stmt.descending)};
    case Op::kTopk:
      return PairOf(interpret::Topk(context, tile,
                                    wanted.shape.at(static_cast<size_t>(axis)),
                                    axis, stmt.largest));
    case Op::kMergeTopk:
      return PairOf(interpret::MergeTopk(context, tile, *args.at(1),
                                         *args.at(2), *args.at(3), axis,
                                         stmt.largest));
    case Op::kTake:
      if (stmt.by_rows) return {TakenByRows(context, tile, *args.at(1))};
      return {interpret::Take(context, tile, *args.at(1), axis)};
    case Op::kCompress:
      return PairOf(
          interpret::Compress(context, tile, *Truth(context, args.at(1))));
    case Op::kDeinterleave:
      return PairOf(interpret::Deinterleave(context, tile));
    case Op::kMatmul:
      return {interpret::Matmul(context, tile, *args.at(1))};
    default:
      throw InternalError("an operation that tiles have not");
  }
}

}  // namespace

std::vector<TilePtr> ComputeTiles(const Context& context, const Stmt& stmt,
                                  const std::vector<TilePtr>& args,
                                  const TileResult& wanted) {
  switch (InfoOf(stmt.op).family) {
    case OpFamily::kElementwise:
    case OpFamily::kCompare:
      return {Elementwise(context, stmt, args, wanted.dtype)};
    case OpFamily::kMake:
      return {Made(context, stmt, args, wanted)};
    case OpFamily::kReduce:
      return {Reduced(context, stmt, args.at(0),
                      wanted.rank == args.at(0)->shape.size())};
    default:
      return Moved(context, stmt, args, wanted);
  }
}

}  // namespace belay::testing
