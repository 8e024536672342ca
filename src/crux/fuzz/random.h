// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_RANDOM_H_
#define BELAY_CRUX_FUZZ_RANDOM_H_

// Random choices that are the same for a seed on every machine.

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>

namespace belay::crux::fuzz {

class Random {
 public:
  explicit Random(uint64_t seed) : engine_(seed) {}

  uint64_t Bits() { return engine_(); }

  // 0 … n - 1; n is at least 1.
  int Below(size_t n) { return static_cast<int>(engine_() % n); }

  // Both ends included.
  int Between(int low, int high) {
    return low + Below(static_cast<size_t>(high - low + 1));
  }

  bool Chance(int percent) { return Below(100) < percent; }

  // In [0, 1).
  double Uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

  // An element of a container that is not empty.
  template <class Container>
  const auto& Pick(const Container& container) {
    return container[static_cast<size_t>(Below(std::size(container)))];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_RANDOM_H_
