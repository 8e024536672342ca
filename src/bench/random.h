// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_RANDOM_H_
#define BELAY_BENCH_RANDOM_H_

// A small generator whose numbers are the same on every machine: integer
// arithmetic and exact conversions only.

#include <cstdint>

namespace belay::bench {

class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  // SplitMix64.
  uint64_t Next() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  // In [0, 1).
  double Uniform() { return static_cast<double>(Next() >> 11) * 0x1p-53; }

  double Uniform(double low, double high) {
    return low + (high - low) * Uniform();
  }

  // In [low, high], low <= high.
  int64_t Integer(int64_t low, int64_t high) {
    const uint64_t span =
        static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
    const uint64_t draw = Next();
    return static_cast<int64_t>(static_cast<uint64_t>(low) +
                                (span == 0 ? draw : draw % span));
  }

  // Mean 0, variance 1, within ±6: the sum of twelve uniform numbers.
  double Normal() {
    int64_t sum = 0;
    for (int word = 0; word < 3; ++word) {
      const uint64_t bits = Next();
      for (int part = 0; part < 4; ++part) {
        sum += static_cast<int64_t>((bits >> (16 * part)) & 0xffff);
      }
    }
    // Each part has mean 32767.5 and variance (2^32 - 1) / 12.
    return (static_cast<double>(sum) - 12 * 32767.5) * 0x1p-16;
  }

  bool Chance(double probability) { return Uniform() < probability; }

 private:
  uint64_t state_;
};

}  // namespace belay::bench

#endif  // BELAY_BENCH_RANDOM_H_
