// SPDX-License-Identifier: Apache-2.0
#include "crux/select/extremes.h"

#include <algorithm>

#include "crux/select/vector.h"

namespace belay::crux::select {

bool HasPlainRows(const Layout& layout) {
  return std::count_if(layout.dims.begin(), layout.dims.end(),
                       [](const ir::Dim& dim) { return !dim.is_one(); }) <= 2;
}

Int ExtremeOf(Emitter& emitter, const std::string& function,
              const Local& numbers, const Layout& layout, int64_t start,
              const char* wish) {
  constexpr int64_t kLanes = 64;
  const Int length = layout.last < 0
                         ? Int(1)
                         : layout.dims[static_cast<size_t>(layout.last)].size;
  const Local lanes = emitter.Scratch(DType::kInt32, kLanes, wish);
  emitter.Call("Duplicate", {lanes, Whole(DType::kInt32, start), Int(kLanes)},
               {DType::kInt32});
  emitter.Counting(DType::kInt32, length, [&] {
    emitter.For("row", 0, layout.Rows(), 1, [&](const Int& row) {
      emitter.Call(function,
                   {lanes, Moved(numbers, row * layout.pitch), lanes,
                    Emitter::Unmasked(), Int(1),
                    code::Struct{"BinaryRepeatParams", {1, 1, 1, 0, 8, 0}, {}}},
                   {DType::kInt32, std::string("false")});
    });
  });
  const std::string name = wish;
  const Local floats = emitter.Scratch(DType::kFloat, kLanes, name + "_of");
  const Local one = emitter.Scratch(DType::kFloat, kLanes, name + "_one");
  emitter.Call("Cast",
               {floats, lanes, Word{"RoundMode::CAST_RINT"}, Int(kLanes)});
  emitter.Call("WholeReduce" + function,
               {one, floats, Int(kLanes), Int(1), Int(1), Int(1), Int(8),
                Word{"ReduceOrder::ORDER_ONLY_VALUE"}},
               {DType::kFloat});
  emitter.Call("Cast", {lanes, one, Word{"RoundMode::CAST_RINT"}, Int(1)});
  return emitter.LetInt(wish, Element(DType::kInt32, lanes));
}

}  // namespace belay::crux::select
