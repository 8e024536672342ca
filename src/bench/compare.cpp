// SPDX-License-Identifier: Apache-2.0
#include "bench/compare.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/tensor_edit.h"

namespace belay::bench {
namespace {

Measure MeasureTensor(const Truth& truth, size_t output, size_t tensor,
                      const Array& candidate) {
  const OutputSpec& spec = truth.task->outputs[output];
  const Array& rounded = truth.rounded[output].tensors[tensor];
  switch (spec.precision) {
    case Precision::kChecked:
      return {};
    case Precision::kExact:
      return MeasureExact(rounded, candidate);
    case Precision::kQuantised:
      return MeasureQuantised(rounded, candidate);
    case Precision::kUlp:
      break;
  }
  const bool real =
      IsFloating(rounded.dtype) || rounded.dtype == DType::kComplex64;
  if (!real) return MeasureExact(rounded, candidate);
  const Argument& scale = truth.scale[output];
  return MeasureReal(truth.golden[output].tensors[tensor],
                     scale.present ? &scale.tensors[tensor] : nullptr,
                     candidate);
}

}  // namespace

Truth MakeTruth(const Task& task, const Case& one_case,
                ReferenceRunner& runner) {
  Truth truth;
  truth.task = &task;
  truth.one_case = one_case;
  truth.inputs = runner.Inputs(one_case);
  truth.golden = runner.Reference(one_case, truth.inputs);
  truth.rounded = RoundToDeclared(task, one_case, truth.golden);
  const bool scaled =
      std::any_of(task.outputs.begin(), task.outputs.end(),
                  [](const OutputSpec& output) { return output.scale; });
  if (scaled) {
    truth.scale = runner.Scale(one_case, truth.inputs);
  } else {
    truth.scale.resize(task.outputs.size());
    for (Argument& argument : truth.scale) argument.present = false;
  }
  for (size_t i = 0; i < truth.scale.size(); ++i) {
    // An output that is absent in this case has no scale either.
    if (!truth.golden[i].present) truth.scale[i].present = false;
  }
  return truth;
}

std::string DifferenceInForm(const Arguments& expected,
                             const Arguments& candidate) {
  if (expected.size() != candidate.size()) {
    return fmt::format("there are {} outputs and must be {}", candidate.size(),
                       expected.size());
  }
  for (size_t i = 0; i < expected.size(); ++i) {
    const Argument& right = expected[i];
    const Argument& given = candidate[i];
    if (right.present != given.present) {
      return fmt::format("'{}' must {}be there", right.name,
                         right.present ? "" : "not ");
    }
    if (right.tensors.size() != given.tensors.size()) {
      return fmt::format("'{}' has {} tensors and must have {}", right.name,
                         given.tensors.size(), right.tensors.size());
    }
    for (size_t k = 0; k < right.tensors.size(); ++k) {
      const Array& truth = right.tensors[k];
      const Array& actual = given.tensors[k];
      if (truth.dtype != actual.dtype) {
        return fmt::format("'{}' is of {} and must be of {}", right.name,
                           NameOf(actual.dtype), NameOf(truth.dtype));
      }
      if (truth.shape != actual.shape ||
          truth.data.size() != actual.data.size()) {
        return fmt::format("'{}' has the shape [{}] and must have [{}]",
                           right.name, ToText(actual.shape),
                           ToText(truth.shape));
      }
    }
  }
  return "";
}

Verdict Judge(const Truth& truth, const Arguments& candidate,
              ReferenceRunner& runner) {
  Verdict verdict;
  verdict.reason = DifferenceInForm(truth.rounded, candidate);
  if (!verdict.reason.empty()) {
    verdict.accepted = false;
    return verdict;
  }
  for (size_t i = 0; i < candidate.size(); ++i) {
    OutputVerdict output;
    output.output = candidate[i].name;
    for (size_t k = 0; k < candidate[i].tensors.size(); ++k) {
      const Measure measure =
          MeasureTensor(truth, i, k, candidate[i].tensors[k]);
      // A tensor that is refused comes before those that are not.
      const bool refused_first = output.accepted && !measure.accepted;
      if (measure.worst >= 0 &&
          (output.worst < 0 || refused_first ||
           (output.accepted && measure.largest > output.largest))) {
        output.worst = measure.worst;
        output.worst_tensor = k;
      }
      output.mean = std::max(output.mean, measure.mean);
      output.largest = std::max(output.largest, measure.largest);
      output.elements += CountOf(candidate[i].tensors[k]);
      output.wrong += measure.wrong;
      if (measure.accepted) continue;
      output.accepted = false;
      if (!verdict.accepted) continue;
      verdict.accepted = false;
      verdict.reason = fmt::format(
          "'{}'{}: {}", candidate[i].name,
          candidate[i].list ? fmt::format("[{}]", k) : "", measure.complaint);
    }
    verdict.outputs.push_back(std::move(output));
  }
  if (verdict.accepted && runner.Has("check")) {
    verdict.reason = runner.Check(truth.one_case, truth.inputs, candidate);
    verdict.accepted = verdict.reason.empty();
  }
  return verdict;
}

}  // namespace belay::bench
