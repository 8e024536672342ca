// SPDX-License-Identifier: Apache-2.0
// Checker: the type of what an operation gives.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "crux/checker.h"

namespace belay::crux {
namespace {

const typed::Expr* Typed(typed::Expr* call, Type type) {
  call->type = std::move(type);
  return call;
}

Size Product(const std::vector<Size>& dims) {
  Size product(1);
  for (const Size& dim : dims) product = product * dim;
  return product;
}

bool HasDivision(const Size& size) {
  for (const SizeTerm& term : size.terms()) {
    for (const SizeAtom* atom : term.atoms) {
      if (atom->kind == SizeAtomKind::kFloorDiv ||
          atom->kind == SizeAtomKind::kCeilDiv ||
          atom->kind == SizeAtomKind::kMod ||
          atom->kind == SizeAtomKind::kOpaque) {
        return true;
      }
    }
  }
  return false;
}

}  // namespace

const typed::Expr* Checker::Finish(const OpInfo& info, Expr* call) {
  switch (info.family) {
    case OpFamily::kMove:
      if (info.op != Op::kLoad) {
        return Fail(code::kX163, call->range,
                    fmt::format("'{}' gives no value", info.spelling),
                    "write it on a line of its own");
      }
      CheckRead(call->args[0], call->range);
      if (call->args[1]) {
        call->args[1] = FromHost(call->args[1], call->args[0]->type.element);
        if (call->args[1]->type.is_error()) return call->args[1];
        if (!Equal(call->args[1]->type.element, call->args[0]->type.element)) {
          return Fail(code::kX130, call->args[1]->range,
                      fmt::format("fill= is {}, the tensor holds {}",
                                  ToText(call->args[1]->type),
                                  ToText(call->args[0]->type.element)),
                      "write a number");
        }
      }
      return Typed(call, TileType(call->args[0]->type.element,
                                  call->args[0]->type.dims));
    case OpFamily::kMake:
      return FinishMake(call);
    case OpFamily::kConvert:
      return FinishConvert(call);
    case OpFamily::kElementwise:
    case OpFamily::kCompare: {
      if (info.op == Op::kWhere) return FinishWhere(call);
      std::vector<const Expr*> args = call->args;
      const Expr* option = nullptr;
      if (info.op == Op::kGelu) {
        option = args.back();
        args.pop_back();
      }
      const bool tiles =
          std::any_of(args.begin(), args.end(),
                      [](const Expr* arg) { return arg->type.is_tile(); });
      if (tiles) {
        const Expr* result =
            TileOperation(info.op, std::move(args), call->range, call->range);
        if (result->type.is_error()) return result;
        call->type = result->type;
        call->value = result->value;
        call->args = result->args;
        if (info.op == Op::kGelu) call->args.push_back(option);
        return call;
      }
      const bool numbers =
          std::all_of(args.begin(), args.end(), [](const Expr* arg) {
            return arg->type.is_host_number() ||
                   arg->type.kind == TypeKind::kIndex;
          });
      if (!info.hosted || !numbers) {
        return Fail(code::kX128, call->range,
                    fmt::format("'{}' takes tiles, {} is {}", info.spelling,
                                Quote(args[0]->range), ToText(args[0]->type)),
                    "load a tile, or make one with full(f32, value)");
      }
      return HostOperation(info.op, std::move(args), call->range);
    }
    case OpFamily::kCube:
      return FinishMatmul(call, call->range);
    case OpFamily::kCores:
      return FinishCores(call);
    case OpFamily::kHost:
      return FinishHost(call);
    default:
      break;
  }
  // The rest takes tiles first.
  if (info.op != Op::kConcat) {
    const Expr* tile = call->args[0];
    if (!tile->type.is_tile()) {
      return Fail(
          code::kX128, tile->range,
          fmt::format("'{}' takes a tile, {} is {}", info.spelling,
                      Quote(tile->range), ToText(tile->type)),
          tile->type.is_host_number() && info.family == OpFamily::kReduce
              ? "of numbers there are maximum(a, b), minimum(a, b)"
              : "load one: load(x[…])");
    }
    if (!AllowDtype(info.op, tile, call->range)) return Error(call->range);
  }
  switch (info.family) {
    case OpFamily::kReduce:
      return FinishReduce(info, call);
    case OpFamily::kScan:
      return FinishScan(info, call);
    case OpFamily::kShape:
      return FinishShape(info, call);
    default:
      return FinishOrder(info, call);
  }
}

const typed::Expr* Checker::FinishMake(Expr* call) {
  switch (call->op) {
    case Op::kFull: {
      const Type& type = call->args[0]->type;
      call->args[1] = FromHost(call->args[1], type.element);
      const Type& value = call->args[1]->type;
      if (value.is_error()) return call->args[1];
      if (!Equal(value.element, type.element)) {
        return Fail(code::kX130, call->args[1]->range,
                    fmt::format("the value of full(…) is {}, the type is {}",
                                ToText(value), ToText(type.element)),
                    fmt::format("convert it: .to({})", ToText(type.element)));
      }
      Typed(call, TileType(type.element, type.dims));
      if (IsIntegerScalar(call->type)) call->value = call->args[1]->value;
      return call;
    }
    case Op::kZeros: {
      const Type& type = call->args[0]->type;
      Typed(call, TileType(type.element, type.dims));
      if (IsIntegerScalar(call->type)) call->value = Size(0);
      return call;
    }
    case Op::kPhilox: {
      const Type type =
          TileType(call->args[2]->type.element, call->args[2]->type.dims);
      if (FirstRefused(type.element, OpDtypes::kRandom)) {
        return Fail(code::kX131, call->args[2]->range,
                    fmt::format("philox gives u32 or f32, not {}",
                                ToText(type.element)),
                    "write philox(seed, offset, f32[c])");
      }
      return Typed(call, type);
    }
    default: {
      const Element element =
          call->args[1] ? call->args[1]->type.element : kIndexElement;
      if (FirstRefused(element, OpDtypes::kInteger)) {
        return Fail(
            code::kX131, call->args[1]->range,
            fmt::format("arange gives integers, not {}", ToText(element)),
            "convert it: arange(n).to(f32)");
      }
      const Expr* extent = call->args[0];
      Size size = extent->type.kind == TypeKind::kRange ? extent->type.dims[0]
                                                        : extent->value;
      if (!size.known()) {
        size = sizes_.Fresh(SizeAtomKind::kDevice, source_.Text(extent->range));
      }
      return Typed(call, TileType(element, {size}));
    }
  }
}

const typed::Expr* Checker::FinishConvert(Expr* call) {
  const Expr* tile = call->args[0];
  const Element& to = call->args[1]->type.element;
  if (tile->type.kind == TypeKind::kIndex || tile->type.is_host_number()) {
    return Fail(code::kX128, call->range,
                fmt::format("{} is {} and has no dtype to convert",
                            Quote(tile->range), ToText(tile->type)),
                fmt::format("it takes the dtype of the tile it meets; a tile "
                            "of its own is full({}, {})",
                            ToText(to), source_.Text(tile->range)));
  }
  if (!tile->type.is_tile()) {
    return Fail(code::kX128, call->range,
                fmt::format("{} is {}, not a tile", Quote(tile->range),
                            ToText(tile->type)));
  }
  if (call->op == Op::kBitcast && !Equal(tile->type.element, to)) {
    for (const DType from : InstancesOf(tile->type.element)) {
      for (const DType into : InstancesOf(to)) {
        if (BitsOf(from) == BitsOf(into)) continue;
        return Fail(code::kX131, call->range,
                    fmt::format("bitcast from {} to {} changes the width",
                                belay::NameOf(from), belay::NameOf(into)),
                    "choose a dtype of equal width, or convert with .to(…)");
      }
    }
  }
  Typed(call, TileType(to, tile->type.dims));
  if (IsIntegerScalar(call->type) && IsIntegerScalar(tile->type)) {
    call->value = tile->value;
  }
  return call;
}

const typed::Expr* Checker::FinishWhere(Expr* call) {
  const Expr* cond = call->args[0];
  if (cond->type.kind == TypeKind::kHostBool) {
    return Fail(
        code::kX158, cond->range,
        fmt::format("{} is a condition of the host", Quote(cond->range)),
        "write `a if condition else b`, or `if condition:`");
  }
  if (!cond->type.is_tile()) {
    return Fail(code::kX128, cond->range,
                fmt::format("the condition of where is a bool tile, {} is {}",
                            Quote(cond->range), ToText(cond->type)),
                "compare: where(t > 0, a, b)");
  }
  if (!AllowDtype(Op::kWhere, cond, cond->range)) return Error(call->range);
  const bool tiles =
      call->args[1]->type.is_tile() || call->args[2]->type.is_tile();
  if (!tiles) {
    const bool integers = IsIntegerScalar(call->args[1]->type) &&
                          IsIntegerScalar(call->args[2]->type);
    if (integers && cond->type.rank() == 0) {
      Typed(call, PlainType(TypeKind::kIndex));
      call->value =
          sizes_.Fresh(SizeAtomKind::kDevice, source_.Text(call->range));
      return call;
    }
    return Fail(
        code::kX133, call->range,
        "both values of where are numbers, so its dtype is not known",
        fmt::format("write full(f32, {}) for one of them, or ({}).to(f32)",
                    source_.Text(call->args[1]->range),
                    source_.Text(cond->range)));
  }
  Element element;
  if (!Unify(Op::kWhere, &call->args, 1, call->range, &element)) {
    return Error(call->range);
  }
  std::vector<Size> dims;
  if (!Broadcast("where", call->args, call->range, &dims)) {
    return Error(call->range);
  }
  return Typed(call, TileType(element, std::move(dims)));
}

// Axes counted from the front, sorted; false after a message.
bool Checker::ReadAxes(Expr* call, int rank) {
  for (int& axis : call->axes) {
    const int written = axis;
    if (axis < 0) axis += rank;
    if (axis >= 0 && axis < rank) continue;
    Report(code::kX141, call->range,
           fmt::format("axis {} of a tile of rank {}", written, rank),
           rank == 0 ? "a scalar has no axes"
           : rank == 1
               ? "the only axis is 0; the axis of a tile is that of the "
                 "tile, not of the tensor"
               : fmt::format("axes are 0 to {}, or -1 to -{} from the "
                             "end; the axis of a tile is that of the "
                             "tile, not of the tensor",
                             rank - 1, rank));
    return false;
  }
  std::vector<int> sorted = call->axes;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    Report(code::kX141, call->range, "one axis is named twice",
           "name each axis once");
    return false;
  }
  if (call->op != Op::kTranspose) call->axes = std::move(sorted);
  return true;
}

// An operation along one axis: rank 1 has only one, else it must be said.
bool Checker::NeedAxis(Expr* call, int rank, int fallback) {
  if (rank == 0) {
    Report(code::kX141, call->range,
           fmt::format("'{}' works along an axis, and a scalar has none",
                       InfoOf(call->op).spelling),
           "it takes tiles of rank 1 or more");
    return false;
  }
  if (call->axes.empty()) {
    if (rank > 1 && fallback == kNoAxis) {
      Report(code::kX141, call->range,
             fmt::format("'{}' of a tile of rank {} needs an axis",
                         InfoOf(call->op).spelling, rank),
             "write axis=0, or axis=-1 for the last");
      return false;
    }
    call->axes = {fallback == kNoAxis ? 0 : fallback};
  }
  return ReadAxes(call, rank);
}

const typed::Expr* Checker::FinishReduce(const OpInfo& info, Expr* call) {
  const Type& tile = call->args[0]->type;
  const bool keep = call->args[2] && call->args[2]->integer != 0;
  if (call->axes.empty()) {
    call->axes.resize(tile.rank());
    std::iota(call->axes.begin(), call->axes.end(), 0);
  } else if (!ReadAxes(call, tile.rank())) {
    return Error(call->range);
  }
  std::vector<Size> dims;
  for (int i = 0; i < tile.rank(); ++i) {
    const bool reduced =
        std::find(call->axes.begin(), call->axes.end(), i) != call->axes.end();
    if (!reduced) dims.push_back(tile.dims[i]);
    if (reduced && keep) dims.emplace_back(1);
  }
  const Element element =
      info.result == OpResult::kReduceIndex ? kIndexElement : tile.element;
  return Typed(call, TileType(element, std::move(dims)));
}

const typed::Expr* Checker::FinishScan(const OpInfo& info, Expr* call) {
  const Type& tile = call->args[0]->type;
  if (!NeedAxis(call, tile.rank(), kNoAxis)) return Error(call->range);
  Type type = TileType(tile.element, tile.dims);
  if (info.result == OpResult::kDropAxis) {
    type.dims.erase(type.dims.begin() + call->axes[0]);
  }
  return Typed(call, std::move(type));
}

const typed::Expr* Checker::FinishMatmul(Expr* call, const SourceRange& place) {
  const Expr* a = call->args[0];
  const Expr* b = call->args[1];
  if (!a->type.is_tile() || !b->type.is_tile()) {
    return Fail(code::kX146, place,
                fmt::format("'@' multiplies two matrices, here are {} and {}",
                            ToText(a->type), ToText(b->type)),
                "multiply by a number with *");
  }
  if (!Equal(a->type.element, b->type.element)) {
    return Fail(
        code::kX130, place,
        fmt::format("'@' mixes {} and {}", ToText(a->type.element),
                    ToText(b->type.element)),
        fmt::format("convert one side: .to({})", ToText(b->type.element)));
  }
  if (!AllowDtype(Op::kMatmul, a, place)) return Error(call->range);
  if (a->type.rank() != 2 || b->type.rank() != 2) {
    return Fail(code::kX146, place,
                fmt::format("'@' takes tiles of rank 2, here are {} and {}",
                            ToText(a->type), ToText(b->type)),
                "a row is t[None, :], a column t[:, None]; batches are loops");
  }
  if (!Equal(a->type.dims[1], b->type.dims[0])) {
    std::string fix = "columns of the left must equal rows of the right";
    if (Equal(a->type.dims[1], b->type.dims[1])) {
      fix = fmt::format("write transpose({}) on the right",
                        source_.Text(b->range));
    } else if (Equal(a->type.dims[0], b->type.dims[0])) {
      fix = fmt::format("write transpose({}) on the left",
                        source_.Text(a->range));
    }
    return Fail(code::kX146, place,
                fmt::format("'@' of {} and {}: {} columns meet {} rows",
                            ToText(a->type), ToText(b->type),
                            ToText(a->type.dims[1]), ToText(b->type.dims[0])),
                fix);
  }
  bool integer = false;
  bool floating = false;
  for (const DType dtype : InstancesOf(a->type.element)) {
    (dtype == DType::kInt8 ? integer : floating) = true;
  }
  if (integer && floating) {
    return Fail(code::kX131, place,
                fmt::format("'@' of {} gives i32 for i8 and f32 for the others",
                            ToText(a->type.element)),
                "write a kernel for i8 of its own");
  }
  const Element element = {integer ? DType::kInt32 : DType::kFloat, nullptr};
  return Typed(call, TileType(element, {a->type.dims[0], b->type.dims[1]}));
}

const typed::Expr* Checker::FinishShape(const OpInfo& info, Expr* call) {
  if (info.op == Op::kConcat) {
    std::vector<const Expr*> tiles = call->args[0]->args;
    if (tiles.empty()) {
      return Fail(code::kX127, call->range, "concat of no tiles",
                  "write concat((a, b), axis=0)");
    }
    const Type& first = tiles[0]->type;
    if (!NeedAxis(call, first.rank(), 0)) return Error(call->range);
    const int axis = call->axes[0];
    Type type = TileType(first.element, first.dims);
    for (size_t i = 1; i < tiles.size(); ++i) {
      const Type& next = tiles[i]->type;
      if (!Equal(next.element, first.element)) {
        return Fail(code::kX130, tiles[i]->range,
                    fmt::format("concat mixes {} and {}", ToText(first.element),
                                ToText(next.element)),
                    fmt::format("convert one: .to({})", ToText(first.element)));
      }
      bool fits = next.rank() == first.rank();
      for (int d = 0; fits && d < first.rank(); ++d) {
        fits = d == axis || Equal(first.dims[d], next.dims[d]);
      }
      if (!fits) {
        return Fail(code::kX140, tiles[i]->range,
                    fmt::format("concat along axis {} of {} and {}", axis,
                                ToText(first), ToText(next)),
                    "the other sizes must be equal");
      }
      type.dims[axis] = type.dims[axis] + next.dims[axis];
    }
    return Typed(call, std::move(type));
  }
  const Type& tile = call->args[0]->type;
  if (info.op == Op::kTranspose) {
    if (!call->args[1]) {
      call->axes.resize(tile.rank());
      std::iota(call->axes.rbegin(), call->axes.rend(), 0);
    }
    if (!ReadAxes(call, tile.rank())) return Error(call->range);
    if (static_cast<int>(call->axes.size()) != tile.rank()) {
      return Fail(code::kX141, call->range,
                  fmt::format("transpose of a tile of rank {} names {} axes",
                              tile.rank(), call->axes.size()),
                  "name every axis once: transpose(t, (1, 0))");
    }
    std::vector<Size> dims;
    for (const int axis : call->axes) dims.push_back(tile.dims[axis]);
    return Typed(call, TileType(tile.element, std::move(dims)));
  }
  std::vector<Size> dims;
  int inferred = -1;
  for (size_t i = 0; i < call->args[1]->args.size(); ++i) {
    const Expr* size = call->args[1]->args[i];
    const bool range = size->type.kind == TypeKind::kRange;
    Size dim = range ? size->type.dims[0] : size->value;
    if (!dim.known()) {
      dim = sizes_.Fresh(SizeAtomKind::kDevice, source_.Text(size->range));
    }
    if (const auto constant = dim.constant(); constant && *constant < 0) {
      if (*constant != -1 || inferred >= 0 || info.op != Op::kReshape) {
        return Fail(code::kX145, size->range,
                    fmt::format("a size cannot be {}", *constant),
                    "sizes are 0 or more; one size of reshape may be -1");
      }
      inferred = static_cast<int>(i);
      dim = Size(1);
    }
    dims.push_back(dim);
  }
  if (info.op == Op::kBroadcast) {
    Expr* shape = New(typed::ExprKind::kLiteral, TypeKind::kTile, call->range);
    shape->type = TileType(tile.element, dims);
    std::vector<Size> joined;
    if (!Broadcast("broadcast", {shape, call->args[0]}, call->range, &joined)) {
      return Error(call->range);
    }
    const Type result = TileType(tile.element, std::move(joined));
    if (!Equal(result, shape->type)) {
      return Fail(code::kX140, call->range,
                  fmt::format("{} does not broadcast to {}", ToText(tile),
                              ToText(shape->type)),
                  "sizes must be equal or 1, matched from the last axis");
    }
    return Typed(call, result);
  }
  const Size before = Product(tile.dims);
  if (inferred >= 0) {
    const Size rest = Product(dims);
    dims[inferred] = sizes_.FloorDiv(before, rest);
  }
  // Whether a division leaves no rest is seen when the kernel runs.
  const bool decided =
      !HasDivision(Expanded(before)) && !HasDivision(Expanded(Product(dims)));
  if (decided && inferred < 0 && !Equal(Product(dims), before)) {
    return Fail(
        code::kX145, call->range,
        fmt::format("reshape of {} with {} elements to {} elements",
                    ToText(tile), ToText(before), ToText(Product(dims))),
        "the number of elements stays; say it with the same names");
  }
  return Typed(call, TileType(tile.element, std::move(dims)));
}

const typed::Expr* Checker::FinishHost(Expr* call) {
  switch (call->op) {
    case Op::kFits:
      return Fail(code::kX157, call->range,
                  "fits() asks about the block below it and stands alone",
                  "write `if fits():` with the block, and `else:` for what is "
                  "done when it does not fit");
    case Op::kPresent:
      return Typed(call, PlainType(TypeKind::kHostBool));
    case Op::kChoose:
      if (call->args.empty()) {
        return Fail(code::kX127, call->range, "choose needs values",
                    "write choose(64, 128, 256)");
      }
      Typed(call, PlainType(TypeKind::kHostInt));
      call->value =
          sizes_.Fresh(SizeAtomKind::kOpaque, source_.Text(call->range));
      return call;
    default:
      break;
  }
  if (call->args[0]->type.is_tile() || call->args[1]->type.is_tile()) {
    return Fail(code::kX170, call->range,
                "ceil_div is for host integers and indices",
                "write (a + b - 1) // b");
  }
  return HostOperation(call->op, call->args, call->range);
}

}  // namespace belay::crux
