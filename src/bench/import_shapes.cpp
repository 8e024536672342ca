// SPDX-License-Identifier: Apache-2.0
#include "bench/import_shapes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/import_text.h"

namespace belay::bench {
namespace {

// A size of the cases, one value for each observation.
struct SizeColumn {
  std::string name;
  std::vector<int64_t> values;
};

std::vector<SizeColumn> SizeColumns(
    const Model& model, const std::vector<Observation>& observations) {
  std::vector<SizeColumn> columns;
  for (const ModelSize& size : model.sizes) {
    const size_t count = size.value.is_array() ? size.value.size() : 1;
    for (size_t i = 0; i < count; ++i) {
      SizeColumn column;
      column.name = size.value.is_array() ? fmt::format("{}[{}]", size.name, i)
                                          : size.name;
      for (const Observation& one : observations) {
        const Value& value = one.sizes.at(size.name);
        column.values.push_back(
            (value.is_array() ? value.at(i) : value).get<int64_t>());
      }
      columns.push_back(std::move(column));
    }
  }
  // Sizes of inputs that are computed from others.
  for (const ModelInput& input : model.inputs) {
    if (!input.shape.starts_with('[')) continue;
    for (const std::string& part : SplitArguments(
             std::string_view(input.shape).substr(1, input.shape.size() - 2))) {
      if (part.starts_with('*')) continue;
      SizeColumn column;
      column.name = part;
      const Expression expression = Expression::Parse(part);
      for (const Observation& one : observations) {
        column.values.push_back(expression.Evaluate(one.sizes).get<int64_t>());
      }
      columns.push_back(std::move(column));
    }
  }
  return columns;
}

// (size + shift) // step + 1, as windows give it; "" if nothing fits.
std::string FindWindow(const SizeColumn& column,
                       const std::vector<int64_t>& wanted) {
  for (int64_t step = 1; step <= 16; ++step) {
    for (int64_t shift = -64; shift <= 64; ++shift) {
      bool holds = true;
      for (size_t i = 0; i < wanted.size() && holds; ++i) {
        const int64_t sum = column.values[i] + shift;
        holds = sum >= 0 && sum / step + 1 == wanted[i];
      }
      if (holds)
        return fmt::format("({} + {}) // {} + 1", column.name, shift, step);
    }
  }
  return "";
}

std::string FindAxis(const std::vector<SizeColumn>& columns,
                     const std::vector<int64_t>& wanted) {
  for (const SizeColumn& column : columns) {
    if (column.values == wanted) return column.name;
  }
  if (std::all_of(wanted.begin(), wanted.end(),
                  [&](int64_t one) { return one == wanted.front(); })) {
    return std::to_string(wanted.front());
  }
  for (const SizeColumn& column : columns) {
    const std::string window = FindWindow(column, wanted);
    if (!window.empty()) return window;
  }
  return "";
}

}  // namespace

std::string FindShape(const Model& model,
                      const std::vector<Observation>& observations,
                      size_t output) {
  std::vector<Shape> shapes;
  for (const Observation& one : observations) {
    shapes.push_back(one.outputs.at(output).tensors.at(0).shape);
  }
  for (const ModelInput& input : model.inputs) {
    const Expression expression = Expression::Parse(input.shape);
    bool holds = true;
    for (size_t i = 0; i < shapes.size() && holds; ++i) {
      holds = expression.Evaluate(observations[i].sizes) == Value(shapes[i]);
    }
    if (holds) return input.shape;
  }
  const size_t rank = shapes.front().size();
  if (std::any_of(shapes.begin(), shapes.end(),
                  [&](const Shape& one) { return one.size() != rank; })) {
    return "?";
  }
  const std::vector<SizeColumn> columns = SizeColumns(model, observations);
  std::vector<std::string> axes;
  for (size_t axis = 0; axis < rank; ++axis) {
    std::vector<int64_t> wanted;
    for (const Shape& shape : shapes) wanted.push_back(shape[axis]);
    axes.push_back(FindAxis(columns, wanted));
    if (axes.back().empty()) return "?";
  }
  return fmt::format("[{}]", fmt::join(axes, ", "));
}

}  // namespace belay::bench
