// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/choose_column.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/catalogue.h"
#include "runtime/operators/json.h"

namespace belay::runtime {
namespace {

bool Fits(const Parameter& parameter, const CallArgument& argument,
          size_t column) {
  return std::all_of(argument.begin(), argument.end(),
                     [&](const CallTensor& tensor) {
                       return tensor.dtype == parameter.dtypes[column];
                     });
}

// "x f16, y f32" of one column.
std::string ColumnText(const OperatorSignature& signature, size_t column) {
  std::vector<std::string> texts;
  for (const auto* parameters : {&signature.inputs, &signature.outputs}) {
    for (const Parameter& parameter : *parameters) {
      texts.push_back(fmt::format("{} {}", parameter.name,
                                  DTypeToText(parameter.dtypes[column])));
    }
  }
  return fmt::format("{}", fmt::join(texts, ", "));
}

void AddText(const Parameter& parameter, const CallArgument& argument,
             std::vector<std::string>& texts) {
  if (argument.empty()) return;
  const bool same = std::all_of(argument.begin(), argument.end(),
                                [&](const CallTensor& tensor) {
                                  return tensor.dtype == argument.front().dtype;
                                });
  texts.push_back(fmt::format(
      "{} {}", parameter.name,
      same ? DTypeToText(argument.front().dtype) : "of several types"));
}

}  // namespace

std::vector<size_t> FittingColumns(
    const OperatorSignature& signature, const std::vector<CallArgument>& inputs,
    const std::vector<std::optional<CallArgument>>& outputs) {
  std::vector<size_t> columns;
  for (size_t column = 0; column < signature.columns(); ++column) {
    bool fits = true;
    for (size_t i = 0; i < inputs.size(); ++i) {
      fits = fits && Fits(signature.inputs[i], inputs[i], column);
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
      fits = fits &&
             (!outputs[i] || Fits(signature.outputs[i], *outputs[i], column));
    }
    if (fits) columns.push_back(column);
  }
  return columns;
}

Diagnostic NoColumnFits(
    const OperatorSignature& signature, const std::vector<CallArgument>& inputs,
    const std::vector<std::optional<CallArgument>>& outputs) {
  std::vector<std::string> given;
  for (size_t i = 0; i < inputs.size(); ++i) {
    AddText(signature.inputs[i], inputs[i], given);
  }
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i]) AddText(signature.outputs[i], *outputs[i], given);
  }
  Diagnostic diagnostic;
  diagnostic.code = code::kH113;
  diagnostic.message = fmt::format("[{}] no column of types fits {}",
                                   signature.type, fmt::join(given, ", "));
  constexpr size_t kShown = 12;
  const size_t columns = signature.columns();
  for (size_t column = 0; column < std::min(columns, kShown); ++column) {
    diagnostic.notes.push_back(
        {fmt::format("column {}: {}", column, ColumnText(signature, column)),
         {}});
  }
  if (columns > kShown) {
    diagnostic.notes.push_back(
        {fmt::format("and {} columns more", columns - kShown), {}});
  }
  diagnostic.fix =
      "give inputs of the types of one column, or add a column to DataType of "
      "every parameter";
  return diagnostic;
}

}  // namespace belay::runtime
