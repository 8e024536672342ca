// SPDX-License-Identifier: Apache-2.0
#include "bench/shortcuts.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/output_shortcuts.h"
#include "bench/reference_text.h"
#include "bench/task_error.h"
#include "bench/tensor_edit.h"

namespace belay::bench {
namespace {

// What reference() says for changed inputs or attributes, as a kernel would
// write it. Where reference() cannot be run on them there is no such kernel.
Arguments Rerun(const Truth& truth, const Case& one_case,
                const Arguments& inputs, ReferenceRunner& runner) {
  try {
    return RoundToDeclared(*truth.task, one_case,
                           runner.Reference(one_case, inputs));
  } catch (const TaskError&) {
    return {};
  }
}

Shortcut IgnoresInput(const InputSpec& input, size_t place,
                      const std::string& how,
                      const std::function<bool(const Truth&, ReferenceRunner&,
                                               Argument&)>& change) {
  Shortcut shortcut;
  shortcut.name = "ignore:" + input.name;
  shortcut.what = fmt::format("ignores the input {}: {}", input.name, how);
  shortcut.make = [place, change](
                      const Truth& truth,
                      ReferenceRunner& runner) -> std::optional<Arguments> {
    if (!truth.inputs[place].present) return std::nullopt;
    Arguments inputs = truth.inputs;
    if (!change(truth, runner, inputs[place])) return std::nullopt;
    return Rerun(truth, truth.one_case, inputs, runner);
  };
  return shortcut;
}

// Zeros and ones may be no such values: then other ones are tried, which for
// plain numbers would say less.
bool FollowsRegime(ValueKind kind) {
  switch (kind) {
    case ValueKind::kReal:
    case ValueKind::kPositive:
    case ValueKind::kNonNegative:
    case ValueKind::kNonZero:
    case ValueKind::kUnit:
    case ValueKind::kFraction:
    case ValueKind::kCopy:
      return true;
    default:
      return false;
  }
}

void AddInputShortcuts(const InputSpec& input, size_t place,
                       std::vector<Shortcut>& shortcuts) {
  for (const double constant : {0.0, 1.0}) {
    shortcuts.push_back(IgnoresInput(
        input, place, constant == 0 ? "takes zeros" : "takes ones",
        [constant](const Truth&, ReferenceRunner&, Argument& argument) {
          for (Array& array : argument.tensors) Fill(array, constant, 0);
          return true;
        }));
  }
  if (!FollowsRegime(input.values.kind)) {
    shortcuts.push_back(
        IgnoresInput(input, place, "takes other values of the same kind",
                     [place](const Truth& truth, ReferenceRunner& runner,
                             Argument& argument) {
                       Case other = truth.one_case;
                       other.seed ^= 0x5bd1e995cafef00dull;
                       Argument redrawn;
                       try {
                         redrawn = runner.Inputs(other)[place];
                       } catch (const TaskError&) {
                         return false;
                       }
                       if (SameBytes(redrawn, argument)) return false;
                       argument = std::move(redrawn);
                       return true;
                     }));
  }
  if (input.optional) {
    shortcuts.push_back(
        IgnoresInput(input, place, "takes it as absent",
                     [](const Truth&, ReferenceRunner&, Argument& argument) {
                       argument.present = false;
                       argument.tensors.clear();
                       return true;
                     }));
  }
  Shortcut half;
  half.name = "first-block:" + input.name;
  half.what =
      fmt::format("reads only the first half of the input {}", input.name);
  half.make = [place](const Truth& truth,
                      ReferenceRunner& runner) -> std::optional<Arguments> {
    if (!truth.inputs[place].present) return std::nullopt;
    Arguments inputs = truth.inputs;
    for (Array& array : inputs[place].tensors) {
      Fill(array, 0, (CountOf(array) + 1) / 2);
    }
    if (SameBytes(inputs[place], truth.inputs[place])) return std::nullopt;
    return Rerun(truth, truth.one_case, inputs, runner);
  };
  shortcuts.push_back(std::move(half));
}

void AddAttributeShortcuts(const AttributeSpec& attribute,
                           const std::vector<Case>& cases,
                           std::vector<Shortcut>& shortcuts) {
  constexpr size_t kMostValues = 3;
  const std::vector<Value> taken = ValuesTaken(attribute, cases);
  for (size_t i = 0; i < std::min(taken.size(), kMostValues); ++i) {
    Shortcut shortcut;
    shortcut.name = "ignore:" + attribute.name;
    shortcut.what = fmt::format("ignores the attribute {}: takes {} always",
                                attribute.name, taken[i].dump());
    shortcut.make = [name = attribute.name, value = taken[i]](
                        const Truth& truth,
                        ReferenceRunner& runner) -> std::optional<Arguments> {
      if (truth.one_case.attributes.at(name) == value) return std::nullopt;
      Case other = truth.one_case;
      other.attributes[name] = value;
      return Rerun(truth, other, truth.inputs, runner);
    };
    shortcuts.push_back(std::move(shortcut));
  }
}

// Whether all reals of a case are f32 and there are some.
bool IsFloatCase(const Truth& truth) {
  bool found = false;
  for (const Arguments* arguments : {&truth.inputs, &truth.rounded}) {
    for (const Argument& argument : *arguments) {
      for (const Array& array : argument.tensors) {
        if (!IsReal(array.dtype)) continue;
        if (array.dtype != DType::kFloat) return false;
        found = true;
      }
    }
  }
  return found;
}

void NarrowToHalf(Arguments& arguments) {
  for (Argument& argument : arguments) {
    for (Array& array : argument.tensors) {
      if (array.dtype != DType::kFloat) continue;
      Transform(array, [](double value) {
        return static_cast<double>(ToFloat(HalfFromDouble(value)));
      });
    }
  }
}

Shortcut ComputedInHalf() {
  Shortcut shortcut;
  shortcut.name = "f16";
  shortcut.what = "computes an f32 case in f16";
  shortcut.scope = ShortcutScope::kTypes;
  shortcut.make = [](const Truth& truth,
                     ReferenceRunner& runner) -> std::optional<Arguments> {
    if (!IsFloatCase(truth)) return std::nullopt;
    Arguments inputs = truth.inputs;
    NarrowToHalf(inputs);
    Arguments outputs = Rerun(truth, truth.one_case, inputs, runner);
    NarrowToHalf(outputs);
    return outputs;
  };
  return shortcut;
}

// The 16-bit type of a case, f16 before bf16; nothing where there is none.
std::optional<DType> NarrowTypeOf(const Truth& truth) {
  std::optional<DType> type;
  for (const Arguments* arguments : {&truth.inputs, &truth.rounded}) {
    for (const Argument& argument : *arguments) {
      for (const Array& array : argument.tensors) {
        if (array.dtype == DType::kHalf) return DType::kHalf;
        if (array.dtype == DType::kBfloat16) type = DType::kBfloat16;
      }
    }
  }
  return type;
}

Shortcut AccumulatesInHalf() {
  Shortcut shortcut;
  shortcut.name = "f16-accumulator";
  shortcut.what = "sums f16 or bf16 in accumulators of that type";
  shortcut.scope = ShortcutScope::kTypes;
  shortcut.terms = std::make_shared<int64_t>(0);
  shortcut.make = [terms = shortcut.terms](
                      const Truth& truth,
                      ReferenceRunner& runner) -> std::optional<Arguments> {
    *terms = 0;
    const std::optional<DType> type = NarrowTypeOf(truth);
    if (!type) return std::nullopt;
    try {
      Arguments outputs =
          runner.Narrow(truth.one_case, truth.inputs, *type, terms.get());
      if (*terms < kLongSum) return std::nullopt;
      return outputs;
    } catch (const TaskError&) {
      return std::nullopt;
    }
  };
  return shortcut;
}

}  // namespace

std::vector<Value> ValuesTaken(const AttributeSpec& attribute,
                               const std::vector<Case>& cases) {
  std::vector<Value> taken;
  const auto add = [&](const Value& value) {
    if (std::find(taken.begin(), taken.end(), value) == taken.end()) {
      taken.push_back(value);
    }
  };
  for (const Case& one_case : cases) {
    add(one_case.attributes.at(attribute.name));
  }
  if (!attribute.fallback.is_null()) add(attribute.fallback);
  return taken;
}

std::vector<Shortcut> ShortcutsOf(const Task& task,
                                  const std::vector<Case>& cases) {
  std::vector<Shortcut> shortcuts;
  for (size_t i = 0; i < task.outputs.size(); ++i) {
    AddOutputShortcuts(task, i, shortcuts);
  }
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    AddInputShortcuts(task.inputs[i], i, shortcuts);
  }
  for (const AttributeSpec& attribute : task.attributes) {
    if (!attribute.value.empty()) continue;
    AddAttributeShortcuts(attribute, cases, shortcuts);
  }
  shortcuts.push_back(ComputedInHalf());
  shortcuts.push_back(AccumulatesInHalf());
  return shortcuts;
}

}  // namespace belay::bench
