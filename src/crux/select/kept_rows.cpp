// SPDX-License-Identifier: Apache-2.0
#include "crux/select/kept_rows.h"

#include <utility>

namespace belay::crux::select {

bool KeptRows::Find(const ir::Loop& loop, const Int& again) {
  bool any = false;
  for (const auto& stmt : loop.body) {
    if (stmt->kind != ir::StmtKind::kLoad) continue;
    const int tile = stmt->results[0];
    const Storage& storage = plan_.tiles[tile];
    if (storage.home != Home::kQueueIn || storage.direct) continue;
    auto overlap = OverlapOf(kernel_, emitter_.layouts(), loop, *stmt);
    if (!overlap) continue;
    const Int elements = overlap->rows * overlap->pitch;
    const std::string buffer =
        emitter_.Kept(kernel_.tiles[tile].dtype, elements, "kept");
    kept_.emplace(tile, Kept{*std::move(overlap), again, buffer});
    any = true;
  }
  return any;
}

Int KeptRows::SkippedBy(int tile) const {
  const auto found = kept_.find(tile);
  if (found == kept_.end()) return 0;
  return found->second.again * found->second.overlap.rows;
}

void KeptRows::TakeOver(int tile) {
  const auto found = kept_.find(tile);
  if (found == kept_.end()) return;
  const Overlap& overlap = found->second.overlap;
  const Int count = overlap.rows * overlap.pitch;
  const Int first = overlap.next * overlap.pitch;
  const Local kept =
      emitter_.AllOf(found->second.buffer, kernel_.tiles[tile].dtype, "kept");
  emitter_.If(Less(0, overlap.rows), [&] {
    emitter_.If(found->second.again, [&] {
      emitter_.Call("DataCopy", {emitter_.At(tile), kept, count});
    });
    emitter_.Call("DataCopy", {kept, emitter_.At(tile, first), count});
  });
}

}  // namespace belay::crux::select
