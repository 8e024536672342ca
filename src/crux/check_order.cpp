// SPDX-License-Identifier: Apache-2.0
// Checker: types of sort, topk, take, compress and of values across cores.

#include <fmt/format.h>

#include "crux/checker.h"

namespace belay::crux {
namespace {

Type TupleOf(std::vector<Type> members) {
  Type type = PlainType(TypeKind::kTuple);
  type.members = std::move(members);
  return type;
}

}  // namespace

const typed::Expr* Checker::FinishOrder(const OpInfo& info, Expr* call) {
  const Type& tile = call->args[0]->type;
  const auto need_tile = [&](size_t i) -> bool {
    if (call->args[i]->type.is_tile()) return true;
    Report(
        code::kX128, call->args[i]->range,
        fmt::format("the argument '{}' of '{}' is a tile, {} is {}",
                    info.parameters[i].name, info.spelling,
                    Quote(call->args[i]->range), ToText(call->args[i]->type)),
        info.op == Op::kTake ? fmt::format("one element is {}[{}]",
                                           source_.Text(call->args[0]->range),
                                           source_.Text(call->args[i]->range))
                             : "");
    return false;
  };
  switch (info.op) {
    case Op::kSort:
    case Op::kArgsort:
      if (!NeedAxis(call, tile.rank(), -1)) return Error(call->range);
      call->type = TileType(info.op == Op::kSort ? tile.element : kIndexElement,
                            tile.dims);
      return call;
    case Op::kTopk: {
      if (!NeedAxis(call, tile.rank(), -1)) return Error(call->range);
      const Size& k = call->args[1]->value;
      const auto constant = k.constant();
      const auto extent = tile.dims[call->axes[0]].constant();
      if (constant && (*constant < 0 || (extent && *constant > *extent))) {
        return Fail(code::kX144, call->args[1]->range,
                    fmt::format("topk of {} elements of an axis of {}",
                                *constant, ToText(tile.dims[call->axes[0]])),
                    "k is at most the size of the axis");
      }
      Type values = TileType(tile.element, tile.dims);
      values.dims[call->axes[0]] = k;
      call->type = TupleOf({values, TileType(kIndexElement, values.dims)});
      return call;
    }
    case Op::kMergeTopk: {
      for (size_t i = 1; i < 4; ++i) {
        if (!need_tile(i)) return Error(call->range);
      }
      if (!NeedAxis(call, tile.rank(), -1)) return Error(call->range);
      const Type& at = call->args[1]->type;
      const Type& more = call->args[2]->type;
      const Type& more_at = call->args[3]->type;
      if (!Equal(tile.element, more.element) ||
          !Equal(at.element, more_at.element)) {
        return Fail(code::kX130, call->range,
                    fmt::format("merge_topk mixes {} with {} and positions {} "
                                "with {}",
                                ToText(tile.element), ToText(more.element),
                                ToText(at.element), ToText(more_at.element)),
                    "values have one dtype, positions have one");
      }
      if (FirstRefused(at.element, OpDtypes::kInteger)) {
        return Fail(
            code::kX131, call->args[1]->range,
            fmt::format("positions are integers, not {}", ToText(at.element)));
      }
      bool fits = more.rank() == tile.rank();
      for (int d = 0; fits && d < tile.rank(); ++d) {
        fits = d == call->axes[0] || Equal(tile.dims[d], more.dims[d]);
      }
      std::vector<Size> dims;
      if (!fits || !Equal(TileType(at.element, tile.dims), at)) {
        return Fail(
            code::kX140, call->range,
            fmt::format("merge_topk along axis {} of {}, {} and {}",
                        call->axes[0], ToText(tile), ToText(at), ToText(more)),
            "all shapes are equal but along the axis; positions are "
            "shaped as their values");
      }
      if (!Broadcast("merge_topk", {call->args[2], call->args[3]}, call->range,
                     &dims)) {
        return Error(call->range);
      }
      if (!Equal(TileType(more.element, dims), more)) {
        return Fail(code::kX140, call->args[3]->range,
                    fmt::format("positions {} do not broadcast to values {}",
                                ToText(more_at), ToText(more)),
                    "give each value one position");
      }
      call->type = TupleOf({tile, at});
      return call;
    }
    case Op::kTake: {
      if (!need_tile(1)) return Error(call->range);
      const Type& indices = call->args[1]->type;
      if (FirstRefused(indices.element, OpDtypes::kInteger)) {
        return Fail(code::kX131, call->args[1]->range,
                    fmt::format("indices are integers, not {}",
                                ToText(indices.element)),
                    "convert them: .to(i32)");
      }
      if (!NeedAxis(call, tile.rank(), kNoAxis)) return Error(call->range);
      Type type = TileType(tile.element, tile.dims);
      const auto place = type.dims.begin() + call->axes[0];
      type.dims.insert(type.dims.erase(place), indices.dims.begin(),
                       indices.dims.end());
      call->type = type;
      return call;
    }
    case Op::kCompress: {
      if (!need_tile(1)) return Error(call->range);
      const Type& mask = call->args[1]->type;
      if (FirstRefused(mask.element, OpDtypes::kBool)) {
        return Fail(code::kX131, call->args[1]->range,
                    fmt::format("the mask of compress is bool, not {}",
                                ToText(mask.element)),
                    "write compress(tile, mask); compare to get a mask: t > 0");
      }
      if (tile.rank() != 1 || mask.rank() != 1) {
        return Fail(code::kX140, call->range,
                    fmt::format("compress takes tiles of rank 1, here are {} "
                                "and {}",
                                ToText(tile), ToText(mask)),
                    "write reshape(t, (-1,)) first");
      }
      std::vector<Size> dims;
      if (!Broadcast("compress", call->args, call->range, &dims)) {
        return Error(call->range);
      }
      call->type =
          TupleOf({TileType(tile.element, dims), TileType(kIndexElement, {})});
      return call;
    }
    default: {
      if (tile.rank() == 0) {
        return Fail(code::kX141, call->range, "deinterleave of a scalar",
                    "it takes tiles of rank 1 or more");
      }
      Type half = TileType(tile.element, tile.dims);
      half.dims.back() = sizes_.FloorDiv(half.dims.back(), Size(2));
      call->type = TupleOf({half, half});
      return call;
    }
  }
}

const typed::Expr* Checker::FinishCores(Expr* call) {
  const Expr* type = call->args.back();
  for (size_t i = 0; i < scope_.depth(); ++i) {
    if (scope_.at(i).kind != FrameKind::kLoop) continue;
    return Fail(code::kX168, call->range,
                fmt::format("{} stands in the loop over '{}'",
                            InfoOf(call->op).spelling, scope_.at(i).loop->name),
                "it is shared by all cores: write it before the loop");
  }
  for (const Expr* size : type->args) {
    if (size->type.kind == TypeKind::kHostInt) continue;
    return Fail(code::kX170, size->range,
                fmt::format("a size of {} must be known on the host, {} is {}",
                            InfoOf(call->op).spelling, Quote(size->range),
                            ToText(size->type)),
                "sizes come from shapes, attributes and host lines");
  }
  call->type = type->type;
  if (call->op == Op::kScratch) {
    if (type->type.dims.empty()) {
      return Fail(code::kX128, type->range, "scratch of a scalar",
                  "write scratch(f32[1])");
    }
    call->type.kind = TypeKind::kTensor;
    return call;
  }
  const Op combine = call->args[0]->type.combine;
  const bool logical = combine == Op::kAny || combine == Op::kAll;
  const std::optional<DType> refused = FirstRefused(
      type->type.element, logical ? OpDtypes::kBool : OpDtypes::kNumeric);
  if (refused) {
    return Fail(code::kX131, type->range,
                fmt::format("across_cores({}, …) is not defined for {}",
                            InfoOf(combine).spelling, belay::NameOf(*refused)),
                logical ? "any and all combine bool"
                        : "combine i32 or f32; bool is combined by any and "
                          "all");
  }
  call->type.kind = TypeKind::kAcross;
  call->type.combine = combine;
  return call;
}

}  // namespace belay::crux
