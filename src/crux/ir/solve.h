// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_SOLVE_H_
#define BELAY_CRUX_IR_SOLVE_H_

// How the tiling chooses the sizes of pieces: as large as on-chip memory
// allows, then so that all cores have work. The printed tiling function does
// the same, line by line.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace belay::crux::ir {

// A TileParameter whose expressions are worked out.
struct PieceRequest {
  bool shared = false;  // kCores, kRows: pieces are shared out over the cores
  int64_t extent = 0;
  int64_t unit = 1;
  int64_t most = int64_t{1} << 30;  // a multiple of the unit, or rounded down
  // Pieces above it are multiples of it, those below four of it of its half
  // where that has eight units: a multiple of the unit, or below it, of no
  // account. 8 are rows taken eight at a time: so may be nearly two eights.
  int64_t grain = 1;
  // Those of a group share the memory: while one is chosen, those of it that
  // follow are taken to be as large in proportion, each to what it would be
  // alone. 0: of none.
  int group = 0;
};

// Bytes of on-chip memory that all queues and buffers take with these pieces.
// Never less for a larger piece.
using BytesFor = std::function<int64_t(std::span<const int64_t> pieces)>;

// How often the loop of a request is gone through where those before it have
// their pieces.
using OuterFor =
    std::function<int64_t(size_t request, std::span<const int64_t> pieces)>;

// For the requests in their order: the largest multiple of the unit, at most
// the extent rounded up and `most`, with which, and with those after it at
// their unit or as `group` says, the bytes are at most `room`; made smaller
// where that gives more cores work or more even pieces.
// False when not even the units fit: pieces are then the units.
bool Solve(std::span<const PieceRequest> requests, int64_t core_count,
           int64_t room, const BytesFor& bytes_for, const OuterFor& outer_for,
           std::vector<int64_t>& pieces);

// The piece that shares ceil(extent / piece) pieces, `outer` times, out evenly:
// more and smaller pieces, as long as no core gets more of them.
int64_t BalancedPiece(const PieceRequest& request, int64_t piece, int64_t outer,
                      int64_t core_count);

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_SOLVE_H_
