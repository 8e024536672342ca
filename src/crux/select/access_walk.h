// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_ACCESS_WALK_H_
#define BELAY_CRUX_SELECT_ACCESS_WALK_H_

// An access in terms of memory: where every index of a tile's axes leads, and
// in which order a move goes over them.

#include <string>
#include <vector>

#include "crux/select/emitter.h"

namespace belay::crux::select {

struct Walk {
  std::string global;
  DType dtype = DType::kNone;
  int64_t bytes = 0;         // of an element
  std::vector<Int> strides;  // of the tensor's dimensions, in elements
  int inner = -1;  // index whose elements are neighbours in both memories
};

Walk WalkOf(const Emitter& emitter, const ir::Access& access,
            const Layout& layout);

// The position in the tensor's dimension that `index` gives for an element of
// the tile.
Int PositionOf(Emitter& emitter, const ir::Index& index,
               const std::vector<Int>& at);

// Which positions of a range lie in the tensor: from `low` to before `high`.
struct Clip {
  Int low = 0;
  Int high;
};

Clip ClipOf(const ir::Index& index);

// A row axis and the axes that are looped over around it.
struct Nest {
  int row = -1;  // index
  std::vector<int> outer;
};

// Whether a move may go over the index's range by rows: it knows no way back.
bool GoesByRows(const ir::Index& index);

// Every index but `inner` that makes an axis; the last range of them that may
// go by rows, the others in loops.
Nest NestOf(const Emitter& emitter, const ir::Access& access, int inner);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_ACCESS_WALK_H_
