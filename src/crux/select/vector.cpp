// SPDX-License-Identifier: Apache-2.0
#include "crux/select/vector.h"

#include <algorithm>
#include <utility>

#include "base/error.h"

namespace belay::crux::select {

int64_t LanesOfBlock(DType dtype) {
  return 32 / static_cast<int64_t>(BytesOf(dtype));
}

int64_t LanesOfRepeat(DType dtype) { return 8 * LanesOfBlock(dtype); }

Local Moved(const Local& place, const Int& elements) {
  return {place.name, place.offset + elements};
}

Lane LaneOf(Emitter& emitter, int tile) {
  return {emitter.At(tile), emitter.TileOf(tile).dims, false, tile};
}

Lane ViewAs(Emitter& emitter, const Lane& lane, DType dtype) {
  if (emitter.DtypeOf(lane.place) == dtype) return lane;
  Lane view = lane;
  view.place = emitter.Cast(lane.place, dtype, lane.place.name + "_bits");
  return view;
}

Lane ScratchLike(Emitter& emitter, const std::vector<ir::Dim>& dims,
                 DType dtype, std::string_view wish) {
  const Layout layout = LayoutOf(dims, emitter.padding());
  return {emitter.Scratch(dtype, layout.elements, wish), dims};
}

Lane FilledWith(Emitter& emitter, DType dtype, const ScalarPtr& value) {
  return {emitter.Filled(dtype, value), {}, true};
}

Int CountOf(const Emitter& emitter, const Lane& lane) {
  return LayoutOf(lane.dims, emitter.padding()).Count();
}

bool CountsRows(const ir::Kernel& kernel, const Int& capacity) {
  if (capacity.kind() != ir::IntKind::kName) return false;
  return std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                     [&](const ir::TileParameter& one) {
                       return one.name == capacity.name() &&
                              one.role == ir::TileParameter::Role::kRows;
                     });
}

namespace {

// What an instruction from all of `a` to all of `dst` works on.
Int LanesFor(const Emitter& emitter, const Lane& dst, const Lane& a) {
  const Layout layout = LayoutOf(dst.dims, emitter.padding());
  if (layout.last < 0) return LanesForOne(emitter, {dst, a});
  if (!layout.is_flat() || !dst.place.offset.Is(0) || !a.place.offset.Is(0) ||
      !CountsRows(emitter.kernel(), layout.dims[layout.last].capacity)) {
    return layout.Count();
  }
  return WholeRepeats(layout.elements, DType::kFloat);
}

}  // namespace

Int LanesForOne(const Emitter& emitter, const std::vector<Lane>& lanes) {
  int64_t least = LanesOfRepeat(DType::kHalf);
  for (const Lane& one : lanes) {
    const DType dtype = emitter.DtypeOf(one.place);
    if (!one.place.offset.Is(0) || BytesOf(dtype) > sizeof(float)) return 1;
    least = std::min(least, LanesOfRepeat(dtype));
  }
  return least;
}

Int WholeRepeats(const Int& count, DType dtype) {
  return AlignUp(count, LanesOfRepeat(dtype));
}

void BroadcastTo(Emitter& emitter, const Lane& dst, const Lane& source) {
  const DType word =
      BytesOf(emitter.DtypeOf(dst.place)) == 2 ? DType::kInt16 : DType::kInt32;
  const Lane bits = ViewAs(emitter, source, word);
  VectorBinary(emitter, "Max", ViewAs(emitter, dst, word), bits, bits);
}

Lane Dense(Emitter& emitter, const Lane& source,
           const std::vector<ir::Dim>& dims) {
  if (!source.filled && SamePlaces(LayoutOf(source.dims, emitter.padding()),
                                   LayoutOf(dims, emitter.padding()))) {
    Lane same = source;
    same.dims = dims;
    return same;
  }
  const Lane copy =
      ScratchLike(emitter, dims, emitter.DtypeOf(source.place), "broadcast");
  BroadcastTo(emitter, copy, source);
  return copy;
}

void VectorUnary(Emitter& emitter, const std::string& function, const Lane& dst,
                 const Lane& a) {
  emitter.Call(function, {dst.place, a.place, LanesFor(emitter, dst, a)});
}

void VectorScalar(Emitter& emitter, const std::string& function,
                  const Lane& dst, const Lane& a, ScalarPtr scalar) {
  emitter.Call(function, {dst.place, a.place, std::move(scalar),
                          LanesFor(emitter, dst, a)});
}

void VectorCast(Emitter& emitter, const Lane& dst, const Lane& a,
                abi::Round mode) {
  emitter.Call("Cast", {dst.place, a.place, Word{std::string(WordOf(mode))},
                        LanesFor(emitter, dst, a)});
}

std::string_view WordOf(abi::Round mode) {
  switch (mode) {
    case abi::Round::kNone:
      return "RoundMode::CAST_NONE";
    case abi::Round::kRint:
      return "RoundMode::CAST_RINT";
    case abi::Round::kFloor:
      return "RoundMode::CAST_FLOOR";
    case abi::Round::kCeil:
      return "RoundMode::CAST_CEIL";
    case abi::Round::kRound:
      return "RoundMode::CAST_ROUND";
    case abi::Round::kTrunc:
      return "RoundMode::CAST_TRUNC";
    case abi::Round::kOdd:
      return "RoundMode::CAST_ODD";
  }
  throw InternalError("[crux] a round mode of no kind");
}

}  // namespace belay::crux::select
