// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_HIGH_LEVEL_NORM_MODEL_H_
#define BELAY_TESTS_HIGH_LEVEL_NORM_MODEL_H_

// Normalisation of rows in double, and the shapes the tests draw.

#include "row_case.h"
#include "tiling/high_level/normalization.h"

namespace belay::library::norm {

using AscendC::TensorShape;

constexpr int kCases = 20;
template <typename T>
constexpr double kUlps = sizeof(T) == 2 ? 1.1 : 24;
constexpr double kEpsilon = 0.0009765625;  // a power of two: exact in half

struct Shape {
  uint32_t rows;
  uint32_t width;
  uint32_t columns;

  TensorShape Host() const {
    return TensorShape(std::vector<int64_t>{1, rows, width, columns});
  }
  TensorShape Host3(uint32_t last) const {
    return TensorShape(std::vector<int64_t>{1, rows, last});
  }
};

template <typename T>
Shape DrawShape() {
  static constexpr uint32_t kWidths[] = {16, 32, 64, 96, 128, 512, 1024, 2032};
  Shape shape;
  shape.width = kWidths[Below(8)];
  shape.rows = 1 + Below(std::min<uint32_t>(40, 5000 / shape.width));
  if (Below(8) == 0) {
    // More rows than an instruction has repeats.
    shape.width = 16;
    shape.rows = 260 + Below(150);
  }
  shape.columns = shape.width - Below(2) * Below(32 / sizeof(T));
  return shape;
}

// Data with zeros in the padding, as the functions ask for.
template <typename T>
std::vector<T> Padded(const Shape& shape, double low, double high) {
  auto data = Uniform<T>(shape.rows * shape.width, low, high);
  for (uint32_t i = 0; i < data.size(); ++i) {
    if (i % shape.width >= shape.columns) data[i] = T(0);
  }
  return data;
}

template <typename T>
std::vector<T> Columns(const Shape& shape, const std::vector<T>& whole) {
  std::vector<T> result;
  for (uint32_t i = 0; i < whole.size(); ++i) {
    if (i % shape.width < shape.columns) result.push_back(whole[i]);
  }
  return result;
}

struct Model {
  std::vector<double> mean, variance, rstd;
  std::vector<double> normalised;  // [rows, columns]
};
inline Model ModelOf(const Shape& shape, const std::vector<double>& data,
                     bool is_centred = true) {
  Model model;
  for (uint32_t row = 0; row < shape.rows; ++row) {
    const double* x = data.data() + row * shape.width;
    double mean = 0;
    for (uint32_t i = 0; i < shape.columns; ++i) mean += x[i];
    mean = is_centred ? mean / shape.columns : 0;
    double variance = 0;
    for (uint32_t i = 0; i < shape.columns; ++i) {
      variance += (x[i] - mean) * (x[i] - mean);
    }
    variance /= shape.columns;
    model.mean.push_back(mean);
    model.variance.push_back(variance);
    model.rstd.push_back(1 / std::sqrt(variance + kEpsilon));
    for (uint32_t i = 0; i < shape.columns; ++i) {
      model.normalised.push_back((x[i] - mean) * model.rstd.back());
    }
  }
  return model;
}
inline std::vector<double> Scaled(const Shape& shape,
                                  const std::vector<double>& normalised,
                                  const std::vector<double>& gamma,
                                  const std::vector<double>& beta) {
  std::vector<double> result = normalised;
  for (size_t i = 0; i < result.size(); ++i) {
    const size_t column = i % shape.columns;
    if (!gamma.empty()) result[i] *= gamma[column];
    if (!beta.empty()) result[i] += beta[column];
  }
  return result;
}

inline std::string NameOf(const Shape& shape, int number) {
  return "[" + std::to_string(shape.rows) + ", " +
         std::to_string(shape.columns) + " of " + std::to_string(shape.width) +
         "] seed " + std::to_string(number);
}

}  // namespace belay::library::norm

#endif  // BELAY_TESTS_HIGH_LEVEL_NORM_MODEL_H_
