// SPDX-License-Identifier: Apache-2.0
#include "bench/hash.h"

#include <fmt/format.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace belay::bench {

std::string HashOf(const std::vector<std::string_view>& texts) {
  std::string all;
  for (const std::string_view text : texts) {
    all += fmt::format("{}:", text.size());
    all += text;
  }
  const XXH128_hash_t hash = XXH3_128bits(all.data(), all.size());
  return fmt::format("{:016x}{:016x}", hash.high64, hash.low64);
}

uint64_t SeedOf(std::string_view text, uint64_t seed) {
  return XXH3_64bits_withSeed(text.data(), text.size(), seed);
}

}  // namespace belay::bench
