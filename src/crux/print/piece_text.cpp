// SPDX-License-Identifier: Apache-2.0
#include "crux/print/piece_text.h"

#include <initializer_list>

namespace belay::crux::print {

std::vector<std::string> PieceDefinitions(bool in_turns) {
  std::vector<std::string> lines = {
      "// The largest multiple of `unit`, at most `extent` rounded up and "
      "`most`,",
      "// whose bytes fit; then more even pieces, as long as none of `cores` "
      "gets more",
      "// of them, multiples of `grain` where they are larger, of half of it "
      "where they",
      "// are below four of it.",
      "template <typename Bytes>",
  };
  const auto add = [&](std::initializer_list<const char*> more) {
    lines.insert(lines.end(), more.begin(), more.end());
  };
  if (in_turns) {
    add(
        {"int64_t Piece(int64_t extent, int64_t outer, int64_t unit, int64_t "
         "grain,",
         "              int64_t most, uint64_t room, int64_t cores, const "
         "Bytes& "
         "bytes) {",
         "  outer = std::max<int64_t>(outer, 1);"});
  } else {
    add(
        {"int64_t Piece(int64_t extent, int64_t unit, int64_t grain, int64_t "
         "most,",
         "              uint64_t room, int64_t cores, const Bytes& bytes) {"});
  }
  add({"  extent = std::max<int64_t>(extent, 1);",
       "  most = std::min(AlignUp(extent, unit), most);",
       "  int64_t piece = unit;",
       "  for (int64_t step = unit << 40; step >= unit; step /= 2) {",
       "    if (piece + step <= most && bytes(piece + step) <= room) piece += "
       "step;",
       "  }", "  if (piece < 4 * grain && grain >= 16 * unit) grain /= 2;",
       "  // Fourteen or fifteen rows are better than eight.",
       "  if (piece > grain && (grain > 8 || piece / 2 != 7)) piece -= piece % "
       "grain;"});
  if (in_turns) {
    add({"  const int64_t pieces = CeilDiv(extent, piece);",
         "  const int64_t rounds = CeilDiv(outer * pieces, cores);",
         "  const int64_t parts = std::max(pieces, rounds * cores / outer);",
         "  const int64_t share = CeilDiv(extent, parts);"});
  } else {
    add(
        {"  const int64_t share = CeilDiv(extent, AlignUp(CeilDiv(extent, "
         "piece), cores));"});
  }
  add(
      {"  return std::min(piece, AlignUp(share, share > grain ? grain : "
       "unit));",
       "}"});
  return lines;
}

}  // namespace belay::crux::print
