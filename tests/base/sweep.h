// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_BASE_SWEEP_H_
#define BELAY_TESTS_BASE_SWEEP_H_

// Values that conversions are tested on: edges, and a seeded random sweep.

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <limits>
#include <random>
#include <vector>

#include "base/float16.h"

namespace belay {

// BELAY_TEST_SEED, or a fixed number; printed, so that a failure can be run
// again.
inline uint64_t Seed() {
  const char* text = std::getenv("BELAY_TEST_SEED");
  const uint64_t seed = text ? std::strtoull(text, nullptr, 0) : 20240229;
  std::cout << "seed: " << seed << " (set BELAY_TEST_SEED to change)\n";
  return seed;
}

inline std::vector<float> AllHalves() {
  std::vector<float> values;
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    values.push_back(ToFloat(Half{static_cast<uint16_t>(bits)}));
  }
  return values;
}

// Every value with its neighbours in float.
inline std::vector<float> WithNeighbours(const std::vector<float>& values) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  std::vector<float> result;
  for (const float value : values) {
    result.push_back(std::nextafterf(value, -kInfinity));
    result.push_back(value);
    result.push_back(std::nextafterf(value, kInfinity));
  }
  return result;
}

// Infinities, NaNs, zeros, powers of two and their halves and sums, each with
// its neighbours and both signs.
inline std::vector<float> EdgeFloats() {
  std::vector<float> values = {0.0f, std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN(),
                               std::bit_cast<float>(0x7f800001u),  // signalling
                               std::numeric_limits<float>::max()};
  for (int e = -149; e <= 127; ++e) {
    values.push_back(std::ldexp(1.0f, e));
    values.push_back(std::ldexp(1.5f, e));
  }
  for (int i = 0; i < 600; ++i) {
    values.push_back(static_cast<float>(i) * 0.5f);
    values.push_back(65504.0f + static_cast<float>(i));
    values.push_back(32768.0f - 150.0f + static_cast<float>(i) * 0.5f);
  }
  std::vector<float> result = WithNeighbours(values);
  const size_t positive = result.size();
  for (size_t i = 0; i < positive; ++i) {
    result.push_back(-result[i]);
  }
  return result;
}

// Uniform over the bits of float, and uniform over bits of the exponents where
// half and the integers live.
inline std::vector<float> RandomFloats(uint64_t seed, size_t count) {
  std::mt19937_64 random(seed);
  std::vector<float> values;
  for (size_t i = 0; i < count; ++i) {
    auto bits = static_cast<uint32_t>(random());
    if (i % 2 == 0) {
      const auto exponent = static_cast<uint32_t>(random() % 100 + 95);
      bits = (bits & 0x807fffffu) | exponent << 23;
    }
    if (i % 8 < 2) bits &= 0xffffe000u;  // short mantissas: exact values, ties
    values.push_back(std::bit_cast<float>(bits));
  }
  return values;
}

}  // namespace belay

#endif  // BELAY_TESTS_BASE_SWEEP_H_
