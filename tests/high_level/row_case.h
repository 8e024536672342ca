// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_HIGH_LEVEL_ROW_CASE_H_
#define BELAY_TESTS_HIGH_LEVEL_ROW_CASE_H_

// One call of a library function that goes by rows: its operands in UB, its
// temporary buffer, and the proof that it wrote nothing else.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "library_bench.h"

namespace belay::library {

inline uint32_t Below(uint32_t limit) {
  return std::uniform_int_distribution<uint32_t>(0, limit - 1)(Random());
}

// A size between the least and the most a function can use.
inline uint32_t DrawSize(uint32_t least, uint32_t most) {
  return Below(3) == 0 ? least : least + Below(most - least + 1);
}

// A seed of its own for each call of a test, so that one can be run again.
inline void SeedCase(int number) {
  Random().seed(20261 + static_cast<uint64_t>(number));
}

template <typename T>
struct Buffer {
  uint32_t at = 0;
  uint32_t count = 0;

  AscendC::LocalTensor<T> tensor() const { return At<T>(at, count); }
  std::vector<T> Result() const { return Take<T>(at, count); }
};

class RowCase {
 public:
  RowCase() {
    uint8_t* image = sweep::Bench::Get().image();
    std::fill(image, image + kUbBytes, 0xAB);
  }

  template <typename T>
  Buffer<T> Input(const std::vector<T>& values) {
    Buffer<T> buffer = Reserve<T>(values.size());
    library::Put(buffer.at, values);
    return buffer;
  }
  template <typename T>
  Buffer<T> Output(size_t count) {
    Buffer<T> buffer = Reserve<T>(count);
    written_.push_back({buffer.at, count * sizeof(T)});
    return buffer;
  }
  // An input that is written over.
  template <typename T>
  void Overwritten(const Buffer<T>& buffer) {
    written_.push_back({buffer.at, buffer.count * sizeof(T)});
  }
  // The temporary buffer comes last.
  Buffer<uint8_t> Temporary(uint32_t bytes) {
    return Output<uint8_t>((bytes + 31) / 32 * 32);
  }

  // Runs the kernel, which must end well and leave all else as it was.
  void Run(const std::function<void()>& kernel) {
    const uint8_t* before = sweep::Bench::Get().image();
    const std::vector<uint8_t> image(before, before + kUbBytes);
    MustRun(top_, kernel);
    const uint8_t* after = sweep::Bench::Get().ub_after();
    std::vector<bool> may_change(kUbBytes);
    for (const auto& [at, bytes] : written_) {
      std::fill_n(may_change.begin() + at, bytes, true);
    }
    for (uint32_t i = 0; i < top_; ++i) {
      if (!may_change[i] && after[i] != image[i]) {
        ADD_FAILURE() << "byte " << i << " of UB was written over";
        return;
      }
    }
  }
  uint32_t top() const { return top_; }

 private:
  static constexpr uint32_t kUbBytes = 184 * 1024;

  template <typename T>
  Buffer<T> Reserve(size_t count) {
    const Buffer<T> buffer{top_, static_cast<uint32_t>(count)};
    // A block between buffers shows what runs over their ends.
    top_ += static_cast<uint32_t>((count * sizeof(T) + 31) / 32 * 32) + 32;
    if (top_ > kUbBytes) throw std::length_error("the case is too large");
    return buffer;
  }

  uint32_t top_ = 0;
  std::vector<std::pair<uint32_t, size_t>> written_;
};

// The greatest error over all results, in units of the last place of T around
// the exact value, but of no less than `floor`.
template <typename T>
void ExpectNear(const std::vector<T>& got, const std::vector<double>& exact,
                double most_ulps, double floor, Worst& worst,
                const std::string& what) {
  ASSERT_EQ(got.size(), exact.size());
  for (size_t i = 0; i < got.size(); ++i) {
    const double value = Widen(got[i]);
    double error = std::abs(value - exact[i]) /
                   std::max(UlpAt<T>(exact[i]), UlpAt<T>(floor));
    if (std::isnan(error)) error = 1e9;
    worst.Note(error, static_cast<double>(i), value, exact[i]);
    if (error > most_ulps) {
      FAIL() << what << ": element " << i << " is " << value << ", exactly "
             << exact[i] << ": " << error << " units in the last place";
    }
  }
}

template <typename T>
std::vector<double> Widened(const std::vector<T>& values) {
  std::vector<double> result;
  for (const T value : values) result.push_back(Widen(value));
  return result;
}

}  // namespace belay::library

#endif  // BELAY_TESTS_HIGH_LEVEL_ROW_CASE_H_
