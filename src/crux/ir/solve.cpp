// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/solve.h"

#include <algorithm>
#include <utility>

namespace belay::crux::ir {
namespace {

int64_t DivideUp(int64_t a, int64_t b) { return (a + b - 1) / b; }

}  // namespace

int64_t BalancedPiece(const PieceRequest& request, int64_t piece, int64_t outer,
                      int64_t core_count) {
  const int64_t extent = std::max<int64_t>(request.extent, 1);
  outer = std::max<int64_t>(outer, 1);
  int64_t grain = std::max(request.grain, request.unit);
  if (piece < 4 * grain && grain >= 16 * request.unit) grain /= 2;
  // Fourteen or fifteen rows are better than eight.
  if (piece > grain && (grain > 8 || piece / 2 != 7)) piece -= piece % grain;
  const int64_t pieces = DivideUp(extent, piece);
  const int64_t rounds = DivideUp(outer * pieces, core_count);
  const int64_t more = std::max(pieces, rounds * core_count / outer);
  const int64_t share = DivideUp(extent, more);
  const int64_t step = share > grain ? grain : request.unit;
  return std::min(piece, DivideUp(share, step) * step);
}

bool Solve(std::span<const PieceRequest> requests, int64_t core_count,
           int64_t room, const BytesFor& bytes_for, const OuterFor& outer_for,
           std::vector<int64_t>& pieces) {
  pieces.clear();
  for (const PieceRequest& request : requests) pieces.push_back(request.unit);
  if (bytes_for(pieces) > room) return false;
  // Sets pieces[i]; prepare() sets those that go with it.
  const auto choose = [&](size_t i, int64_t outer, const auto& prepare) {
    const PieceRequest& request = requests[i];
    int64_t fits = 1;  // in units
    const int64_t extent = std::max<int64_t>(request.extent, 1);
    int64_t high =
        std::min(DivideUp(extent, request.unit), request.most / request.unit);
    while (fits < high) {
      const int64_t middle = fits + (high - fits + 1) / 2;
      pieces[i] = middle * request.unit;
      prepare();
      if (bytes_for(pieces) <= room) {
        fits = middle;
      } else {
        high = middle - 1;
      }
    }
    pieces[i] = BalancedPiece(request, fits * request.unit, outer,
                              request.shared ? core_count : 1);
  };
  std::vector<int64_t> alone = pieces;
  for (size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].group == 0) continue;
    choose(i, 1, [] {});
    std::swap(alone[i], pieces[i]);
  }
  for (size_t i = 0; i < requests.size(); ++i) {
    const auto set_others = [&](const auto& piece_of) {
      if (requests[i].group == 0) return;
      for (size_t j = i + 1; j < requests.size(); ++j) {
        if (requests[j].group == requests[i].group) pieces[j] = piece_of(j);
      }
    };
    const int64_t outer = requests[i].shared ? outer_for(i, pieces) : 1;
    choose(i, outer, [&] {
      set_others([&](size_t j) {
        return std::max(alone[j] * pieces[i] / alone[i], requests[j].unit);
      });
    });
    set_others([&](size_t j) { return requests[j].unit; });
  }
  return true;
}

}  // namespace belay::crux::ir
