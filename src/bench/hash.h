// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_HASH_H_
#define BELAY_BENCH_HASH_H_

// Hashes that name the exact text of tasks and seed their inputs.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace belay::bench {

// 128 bits of XXH3 over the texts and their lengths, 32 hex digits.
std::string HashOf(const std::vector<std::string_view>& texts);

// 64 bits of XXH3 with a seed.
uint64_t SeedOf(std::string_view text, uint64_t seed);

}  // namespace belay::bench

#endif  // BELAY_BENCH_HASH_H_
