// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_HIGH_LEVEL_LIBRARY_BENCH_H_
#define BELAY_TESTS_HIGH_LEVEL_LIBRARY_BENCH_H_

// Calls functions of the high-level library as a kernel does and measures
// their results against a model in double.

#include <cstdint>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "bench.h"
#include "kernel_operator.h"

namespace belay::library {

// --- UB ----------------------------------------------------------------------

// A tensor of `count` elements at a byte offset of UB.
template <typename T>
AscendC::LocalTensor<T> At(uint32_t offset, uint32_t count) {
  return AscendC::LocalTensor<T>(AscendC::TPosition::VECCALC, offset, count);
}

// What UB holds when the next kernel starts.
template <typename T>
void Put(uint32_t offset, const std::vector<T>& values) {
  std::memcpy(sweep::Bench::Get().image() + offset, values.data(),
              values.size() * sizeof(T));
}

// What the last kernel left there.
template <typename T>
std::vector<T> Take(uint32_t offset, size_t count) {
  std::vector<T> values(count);
  std::memcpy(static_cast<void*>(values.data()),
              sweep::Bench::Get().ub_after() + offset, count * sizeof(T));
  return values;
}

// Runs `kernel` as one block with a TPipe; the first `taken` bytes of UB are
// not PopStackBuffer's. Returns the code of its diagnostic, or nothing.
std::string Run(uint32_t taken, const std::function<void()>& kernel);
// The same for a kernel that must end without one.
void MustRun(uint32_t taken, const std::function<void()>& kernel);

// --- numbers -----------------------------------------------------------------

template <typename T>
double Widen(T value) {
  return static_cast<double>(static_cast<float>(value));
}
template <typename T>
T Narrow(double value) {
  return static_cast<T>(static_cast<float>(value));
}

// The distance of neighbouring numbers of T around `exact`.
template <typename T>
double UlpAt(double exact);
template <>
double UlpAt<float>(double exact);
template <>
double UlpAt<half>(double exact);
template <>
double UlpAt<bfloat16_t>(double exact);

// How far `got` is from `exact` in units of T's last place; 0 for the same
// NaN or infinity, a huge number for a different one. What rounds to infinity
// in T may be infinite. For results below `floor` the unit is that of `floor`.
template <typename T>
double UlpError(T got, double exact, double floor = 0);

// The greatest error of a comparison and where it was.
struct Worst {
  double error = 0;
  double input = 0;
  double got = 0;
  double exact = 0;

  void Note(double error, double input, double got, double exact);
  std::string Text() const;
};

template <typename T>
Worst Compare(const std::vector<T>& got, const std::vector<T>& inputs,
              const std::function<double(double)>& model, double floor = 0);

// --- inputs ------------------------------------------------------------------

// Random numbers from the run's seed.
std::mt19937_64& Random();
template <typename T>
std::vector<T> Uniform(size_t count, double low, double high);
// Magnitudes spread evenly over their exponents, both signs if `low` < 0 is
// asked for by `signs`.
template <typename T>
std::vector<T> LogUniform(size_t count, double low, double high, bool signs);

}  // namespace belay::library

#endif  // BELAY_TESTS_HIGH_LEVEL_LIBRARY_BENCH_H_
