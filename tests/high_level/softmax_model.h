// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_HIGH_LEVEL_SOFTMAX_MODEL_H_
#define BELAY_TESTS_HIGH_LEVEL_SOFTMAX_MODEL_H_

// Softmax of rows in double, and the shapes and formats the tests draw.

#include "row_case.h"
#include "tiling/high_level/softmax.h"

namespace belay::library::softmax {

using AscendC::SoftMaxShapeInfo;
using AscendC::TensorShape;

struct Shape {
  uint32_t rows;
  uint32_t width;
  uint32_t columns;

  SoftMaxShapeInfo Info() const { return {rows, width, rows, columns}; }
  TensorShape Host() const {
    return TensorShape(std::vector<int64_t>{rows, width});
  }
  std::string Text() const {
    return "[" + std::to_string(rows) + ", " + std::to_string(columns) +
           " of " + std::to_string(width) + "]";
  }
};

template <typename T>
Shape DrawShape(bool is_nz = false, bool may_be_wide_in_nz = false) {
  const uint32_t step = is_nz ? 16 : 32 / sizeof(T);
  static constexpr uint32_t kWidths[] = {16, 32, 64, 96, 128, 512, 1024, 2080};
  Shape shape;
  shape.width = kWidths[Below(8)];
  shape.rows = 1 + Below(std::min<uint32_t>(40, 6000 / shape.width));
  if (is_nz) shape.rows = (shape.rows + 15) / 16 * 16;
  if (is_nz && shape.width > 128) {
    shape.width = may_be_wide_in_nz && shape.rows == 16 ? 2064 : 128;
  }
  if (Below(8) == 0) {
    // More rows than an instruction has repeats.
    shape.width = 16;
    shape.rows = 16 * (17 + Below(10)) + (is_nz ? 0 : Below(16));
  }
  shape.columns = shape.width - Below(2) * Below(step);
  return shape;
}

// Where element (row, column) lies.
inline size_t Place(const Shape& shape, bool is_nz, uint32_t row,
                    uint32_t column) {
  return is_nz ? (size_t{column / 16} * shape.rows + row) * 16 + column % 16
               : size_t{row} * shape.width + column;
}

// What softmax of rows is, in double. Results cover the columns of the data.
struct Model {
  std::vector<double> max, sum, ratio;
  std::vector<double> exp;  // [rows, columns]
};

template <typename T>
Model ModelOf(const Shape& shape, bool is_nz, const std::vector<T>& data,
              const std::vector<double>& max_before,
              const std::vector<double>& sum_before) {
  Model model;
  for (uint32_t row = 0; row < shape.rows; ++row) {
    double max = max_before.empty() ? -INFINITY : max_before[row];
    for (uint32_t i = 0; i < shape.columns; ++i) {
      max = std::max(max, Widen(data[Place(shape, is_nz, row, i)]));
    }
    const double ratio =
        max_before.empty() ? 0 : std::exp(max_before[row] - max);
    double sum = max_before.empty() ? 0 : ratio * sum_before[row];
    for (uint32_t i = 0; i < shape.columns; ++i) {
      const double x = Widen(data[Place(shape, is_nz, row, i)]);
      model.exp.push_back(std::exp(x - max));
      sum += model.exp.back();
    }
    model.max.push_back(max);
    model.sum.push_back(sum);
    model.ratio.push_back(ratio);
  }
  return model;
}

// The data's columns of a result, row after row.
template <typename T>
std::vector<T> Columns(const Shape& shape, bool is_nz,
                       const std::vector<T>& whole) {
  std::vector<T> result;
  for (uint32_t row = 0; row < shape.rows; ++row) {
    for (uint32_t i = 0; i < shape.columns; ++i) {
      result.push_back(whole[Place(shape, is_nz, row, i)]);
    }
  }
  return result;
}

// `per_row` equal values for each row.
template <typename U>
std::vector<U> Spread(const std::vector<double>& values, uint32_t per_row) {
  std::vector<U> result;
  for (const double value : values) {
    result.insert(result.end(), per_row, Narrow<U>(value));
  }
  return result;
}
inline std::vector<double> Repeated(const std::vector<double>& values,
                                    uint32_t per_row) {
  std::vector<double> result;
  for (const double value : values) {
    result.insert(result.end(), per_row, value);
  }
  return result;
}

constexpr int kCases = 24;
template <typename T>
constexpr double kDataUlps = sizeof(T) == 2 ? 1.01 : 24;

}  // namespace belay::library::softmax

#endif  // BELAY_TESTS_HIGH_LEVEL_SOFTMAX_MODEL_H_
