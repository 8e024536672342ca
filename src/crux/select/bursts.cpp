// SPDX-License-Identifier: Apache-2.0
#include "crux/select/bursts.h"

#include "crux/ir/bounds.h"

namespace belay::crux::select {
namespace {

// Blocks of one DataCopyPad.
constexpr int64_t kMostBlocks = 4095;
constexpr int64_t kBlockBytes = 32;

Int GapInBlocks(const Runs& runs, int64_t block, const Int& before) {
  if (runs.gap) return FloorDiv(*runs.gap, block);
  if (runs.rows.Is(1)) return 0;
  return FloorDiv(runs.local_distance, block) -
         CeilDiv(before + runs.length, block);
}

Int GapInBytes(const Runs& runs, int64_t bytes) {
  if (runs.rows.Is(1)) return 0;
  return (runs.global_distance - runs.length) * bytes;
}

}  // namespace

Int GapToJoin(Emitter& emitter, const Runs& runs, const Int& capacity) {
  return emitter.Let("gap",
                     Max(runs.local_distance - runs.length, Mod(capacity, 2)));
}

Int ApartUnlessWhole(Emitter& emitter, const Runs& runs, const Int& whole,
                     const Int& most) {
  return emitter.Let("apart", Max(runs.local_distance - whole, whole - most));
}

code::Struct CopyParams(const Runs& runs, int64_t bytes, bool loads,
                        const Int& before) {
  const Int on_chip = GapInBlocks(runs, kBlockBytes / bytes, before);
  const Int in_memory = GapInBytes(runs, bytes);
  Int rows = runs.rows;
  Int length = runs.length;
  if (const auto& several = runs.gap ? runs.gap : runs.apart) {
    length = Int::Select(*several, 1, rows) * length;
    rows = Int::Select(*several, rows, 1);
  }
  return {"DataCopyExtParams",
          {rows, length * bytes, loads ? in_memory : on_chip,
           loads ? on_chip : in_memory, 0},
          nullptr};
}

void ByMostBlocks(
    Emitter& emitter, const Runs& runs, const Int& capacity,
    const std::function<void(const Runs&, const Int& first)>& copy) {
  const auto most = ir::Most(emitter.kernel(), capacity);
  if (most && *most <= kMostBlocks) return copy(runs, 0);
  emitter.For("first", 0, runs.rows, kMostBlocks, [&](const Int& first) {
    Runs part = runs;
    part.rows = Min(runs.rows - first, kMostBlocks);
    copy(part, first);
  });
}

}  // namespace belay::crux::select
