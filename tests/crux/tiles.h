// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_TILES_H_
#define BELAY_TESTS_CRUX_TILES_H_

// Tiles for tests of single operations.

#include <cstdlib>
#include <initializer_list>
#include <iostream>
#include <random>
#include <vector>

#include "crux/interpret/value.h"

namespace belay::crux::interpret {

// BELAY_SEED, or a fixed number; printed, so that a failure can be run again.
inline uint64_t TestSeed() {
  const char* text = std::getenv("BELAY_SEED");
  const uint64_t seed = text ? std::strtoull(text, nullptr, 0) : 20260115;
  std::cout << "seed: " << seed << " (set BELAY_SEED to change)\n";
  return seed;
}

// Both arithmetics over one budget.
class TileTest {
 public:
  Context exact{Arithmetic::kExact, true, &budget_};
  Context real{Arithmetic::kFloat64, true, &budget_};

  std::shared_ptr<Tile> Make(DType dtype, Shape shape,
                             const std::vector<double>& values) {
    auto tile = NewTile(exact, dtype, std::move(shape));
    for (size_t i = 0; i < tile->size(); ++i) {
      if (tile->floating()) {
        tile->real[i] = RoundTo(dtype, values.at(i));
      } else {
        tile->whole[i] = WrapTo(
            dtype, static_cast<uint64_t>(static_cast<int64_t>(values.at(i))));
      }
    }
    return tile;
  }

  std::shared_ptr<Tile> Make(DType dtype, const std::vector<double>& values) {
    return Make(dtype, {static_cast<int64_t>(values.size())}, values);
  }

 private:
  Budget budget_{Limits{}};
};

inline std::vector<double> NumbersOf(const Tile& tile) {
  std::vector<double> numbers;
  for (size_t i = 0; i < tile.size(); ++i) numbers.push_back(tile.NumberAt(i));
  return numbers;
}

}  // namespace belay::crux::interpret

#endif  // BELAY_TESTS_CRUX_TILES_H_
