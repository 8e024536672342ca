// SPDX-License-Identifier: Apache-2.0
#include "bench/output_shortcuts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>

#include "bench/tensor_edit.h"

namespace belay::bench {
namespace {

// Changes the tensors of one output; false: this case does not tell.
using Change = std::function<bool(const Truth&, Argument&)>;

Shortcut WrongOutput(const Task& task, size_t output, const std::string& kind,
                     const std::string& what, const Change& change) {
  Shortcut shortcut;
  shortcut.name = kind + ":" + task.outputs[output].name;
  shortcut.what = fmt::format("{} {}", what, task.outputs[output].name);
  shortcut.scope = ShortcutScope::kTypes;
  shortcut.make = [output, change](
                      const Truth& truth,
                      ReferenceRunner&) -> std::optional<Arguments> {
    if (!truth.rounded[output].present) return std::nullopt;
    Arguments outputs = truth.rounded;
    if (!change(truth, outputs[output])) return std::nullopt;
    return outputs;
  };
  return shortcut;
}

// Applies `edit` to every tensor; false if it changes none of their bytes
// because none has room for the change.
Change ForEachTensor(const std::function<bool(Array&)>& edit) {
  return [edit](const Truth&, Argument& argument) {
    bool told = false;
    for (Array& array : argument.tensors) told |= edit(array);
    return told;
  };
}

bool FillWithMean(Array& array) {
  const int64_t count = CountOf(array);
  if (count < 2) return false;
  double sum = 0;
  int64_t finite = 0;
  for (int64_t i = 0; i < count; ++i) {
    const double value = NumberAt(array, i);
    if (!std::isfinite(value)) continue;
    sum += value;
    ++finite;
  }
  Fill(array, finite == 0 ? 0 : sum / static_cast<double>(finite), 0);
  return true;
}

// Zeros from the middle of every row on.
bool KeepFirstColumns(Array& array) {
  const int64_t row = array.shape.empty() ? 1 : array.shape.back();
  const int64_t count = CountOf(array);
  if (row < 2 || count == 0) return false;
  const int64_t parts = count / ElementCount(array.shape);
  for (int64_t i = 0; i < count; ++i) {
    if ((i / parts) % row >= (row + 1) / 2) PutNumber(array, i, 0);
  }
  return true;
}

bool KeepFirst(Array& array, int64_t kept) {
  if (kept < 1 || kept >= CountOf(array)) return false;
  Fill(array, 0, kept);
  return true;
}

bool FirstTensorOnly(const Truth&, Argument& argument) {
  if (argument.tensors.size() < 2) return false;
  for (size_t i = 1; i < argument.tensors.size(); ++i) {
    Fill(argument.tensors[i], 0, 0);
  }
  return true;
}

// The input's elements, in the dtype of the output.
bool CopyElements(const Argument& input, Argument& output) {
  if (input.tensors.size() != output.tensors.size()) return false;
  for (size_t k = 0; k < input.tensors.size(); ++k) {
    const Array& from = input.tensors[k];
    Array& to = output.tensors[k];
    if (CountOf(from) != CountOf(to)) return false;
    if (from.dtype == to.dtype) {
      to.data = from.data;
      continue;
    }
    for (int64_t i = 0; i < CountOf(from); ++i) {
      PutNumber(to, i, NumberAt(from, i));
    }
  }
  return true;
}

void AddIdentity(const Task& task, size_t output, size_t input,
                 std::vector<Shortcut>& shortcuts) {
  Shortcut shortcut;
  shortcut.name = "identity:" + task.outputs[output].name;
  shortcut.what = fmt::format("copies {} to {}", task.inputs[input].name,
                              task.outputs[output].name);
  shortcut.scope = ShortcutScope::kTypes;
  shortcut.make = [output, input](
                      const Truth& truth,
                      ReferenceRunner&) -> std::optional<Arguments> {
    if (!truth.rounded[output].present) return std::nullopt;
    Arguments outputs = truth.rounded;
    if (!truth.inputs[input].present ||
        !CopyElements(truth.inputs[input], outputs[output])) {
      return Arguments{};
    }
    return outputs;
  };
  shortcuts.push_back(std::move(shortcut));
}

struct Line {
  double slope = 0;
  double offset = 0;
};

// By least squares over finite pairs; nothing with fewer than three distinct
// arguments.
std::optional<Line> FitLine(const Argument& input, const Argument& output) {
  double count = 0;
  double mean_x = 0;
  double mean_y = 0;
  double spread = 0;
  double together = 0;
  for (size_t k = 0; k < input.tensors.size(); ++k) {
    for (int64_t i = 0; i < CountOf(input.tensors[k]); ++i) {
      const double x = NumberAt(input.tensors[k], i);
      const double y = NumberAt(output.tensors[k], i);
      if (!std::isfinite(x) || !std::isfinite(y)) continue;
      count += 1;
      const double step = x - mean_x;
      mean_x += step / count;
      mean_y += (y - mean_y) / count;
      spread += step * (x - mean_x);
      together += step * (y - mean_y);
    }
  }
  if (count < 3 || !(spread > 0)) return std::nullopt;
  Line line;
  line.slope = together / spread;
  line.offset = mean_y - line.slope * mean_x;
  return line;
}

// a·x + b with constants fitted to the first case of each column of dtypes
// that has enough elements, and kept.
void AddAffine(const Task& task, size_t output, size_t input,
               std::vector<Shortcut>& shortcuts) {
  using Lines = std::map<std::map<std::string, DType>, Line>;
  auto lines = std::make_shared<Lines>();
  Shortcut shortcut;
  shortcut.name = "affine:" + task.outputs[output].name;
  shortcut.what =
      fmt::format("writes a·{} + b with constant a and b to {}",
                  task.inputs[input].name, task.outputs[output].name);
  shortcut.scope = ShortcutScope::kTypes;
  shortcut.make = [output, input, lines](
                      const Truth& truth,
                      ReferenceRunner&) -> std::optional<Arguments> {
    if (!truth.rounded[output].present) return std::nullopt;
    Arguments outputs = truth.rounded;
    if (!truth.inputs[input].present ||
        !CopyElements(truth.inputs[input], outputs[output])) {
      return Arguments{};
    }
    auto line = lines->find(truth.one_case.types);
    if (line == lines->end()) {
      const std::optional<Line> fitted =
          FitLine(truth.inputs[input], truth.golden[output]);
      if (!fitted) return std::nullopt;
      line = lines->emplace(truth.one_case.types, *fitted).first;
    }
    for (size_t k = 0; k < outputs[output].tensors.size(); ++k) {
      Array& to = outputs[output].tensors[k];
      const Array& from = truth.inputs[input].tensors[k];
      for (int64_t i = 0; i < CountOf(to); ++i) {
        PutNumber(to, i,
                  line->second.slope * NumberAt(from, i) + line->second.offset);
      }
    }
    return outputs;
  };
  shortcuts.push_back(std::move(shortcut));
}

bool MayBeReal(const Task& task, const std::string& word) {
  if (const auto dtype = ParseDType(word)) return IsFloating(*dtype);
  return std::any_of(task.types.begin(), task.types.end(), [&](const auto& c) {
    const auto found = c.find(word);
    return found != c.end() && IsFloating(found->second);
  });
}

void AddConstants(const Task& task, size_t output,
                  std::vector<Shortcut>& shortcuts) {
  const auto fill = [](double value) {
    return ForEachTensor([value](Array& array) {
      Fill(array, value, 0);
      return true;
    });
  };
  shortcuts.push_back(
      WrongOutput(task, output, "constant", "writes zeros to", fill(0)));
  shortcuts.push_back(
      WrongOutput(task, output, "constant", "writes ones to", fill(1)));
  shortcuts.push_back(
      WrongOutput(task, output, "constant", "writes NaN everywhere to",
                  ForEachTensor([](Array& array) {
                    if (!IsReal(array.dtype)) return false;
                    Fill(array, std::numeric_limits<double>::quiet_NaN(), 0);
                    return true;
                  })));
  shortcuts.push_back(WrongOutput(task, output, "constant",
                                  "writes its mean everywhere to",
                                  ForEachTensor(FillWithMean)));
}

void AddBlocks(const Task& task, size_t output,
               std::vector<Shortcut>& shortcuts) {
  const auto add = [&](const std::string& what, const Change& change) {
    shortcuts.push_back(WrongOutput(task, output, "first-block", what, change));
  };
  add("writes only the first half, then zeros, of",
      ForEachTensor([](Array& array) {
        return KeepFirst(array, (CountOf(array) + 1) / 2);
      }));
  add("writes zeros to the last eighth of", ForEachTensor([](Array& array) {
        return KeepFirst(array, CountOf(array) - (CountOf(array) + 7) / 8);
      }));
  add("writes only the first half of each row, then zeros, of",
      ForEachTensor(KeepFirstColumns));
  if (task.outputs[output].list) {
    add("writes only the first tensor, then zeros, of", FirstTensorOnly);
  }
}

}  // namespace

void AddOutputShortcuts(const Task& task, size_t output,
                        std::vector<Shortcut>& shortcuts) {
  const OutputSpec& spec = task.outputs[output];
  AddConstants(task, output, shortcuts);
  AddBlocks(task, output, shortcuts);
  for (size_t input = 0; input < task.inputs.size(); ++input) {
    if (task.inputs[input].list != spec.list) continue;
    AddIdentity(task, output, input, shortcuts);
    if (MayBeReal(task, task.inputs[input].dtype) &&
        MayBeReal(task, spec.dtype)) {
      AddAffine(task, output, input, shortcuts);
    }
  }
  if (spec.precision != Precision::kUlp) return;
  shortcuts.push_back(WrongOutput(
      task, output, "noise", "is 32 t too large in every element of",
      [](const Truth&, Argument& argument) {
        bool told = false;
        for (Array& array : argument.tensors) {
          if (!IsReal(array.dtype)) continue;
          const double factor = 1 + 32 * ToleranceOf(array.dtype);
          Transform(array, [factor](double value) { return value * factor; });
          told = true;
        }
        return told;
      }));
}

}  // namespace belay::bench
