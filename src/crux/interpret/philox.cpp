// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/philox.h"

namespace belay::crux::interpret {

std::array<uint32_t, 4> Philox4x32(std::array<uint32_t, 4> counter,
                                   std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = uint64_t{0xD2511F53} * counter[0];
    const uint64_t second = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(second >> 32) ^ counter[1] ^ key[0],
               static_cast<uint32_t>(second),
               static_cast<uint32_t>(first >> 32) ^ counter[3] ^ key[1],
               static_cast<uint32_t>(first)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

TilePtr Philox(const Context& context, int64_t seed, int64_t offset,
               DType dtype, const Shape& shape) {
  auto tile = NewTile(context, dtype, shape);
  const auto words = [](uint64_t value) {
    return std::array<uint32_t, 2>{static_cast<uint32_t>(value),
                                   static_cast<uint32_t>(value >> 32)};
  };
  const auto key = words(static_cast<uint64_t>(seed));
  for (size_t i = 0; i < tile->size(); ++i) {
    const auto at = words(static_cast<uint64_t>(offset) + i);
    const uint32_t word = Philox4x32({at[0], at[1], 0, 0}, key)[0];
    if (tile->floating()) {
      tile->real[i] = (word >> 8) * 0x1p-24;
    } else {
      tile->whole[i] = word;
    }
  }
  return tile;
}

}  // namespace belay::crux::interpret
