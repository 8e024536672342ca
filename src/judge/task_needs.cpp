// SPDX-License-Identifier: Apache-2.0
#include "judge/task_needs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "bench/tensor_edit.h"
#include "judge/smaller_case.h"

namespace belay::judge {
namespace {

constexpr int64_t kFewest = 64;  // elements, for a case that shows anything
constexpr int64_t kMost = int64_t{1} << 16;
constexpr int kTries = 12;

bool IsLike(const bench::Case& other, const bench::Case& one_case) {
  return other.attributes == one_case.attributes &&
         other.absent == one_case.absent && other.types == one_case.types &&
         other.regime == bench::Regime::kNormal;
}

// The largest of the task's cases like this one that is small, or this one
// with a size cut.
std::optional<bench::Case> SmallCaseLike(const bench::Task& task,
                                         const bench::Case& one_case) {
  std::optional<bench::Case> best;
  int64_t most = kFewest - 1;
  for (bench::Case& other : bench::ExpandCases(task)) {
    if (!IsLike(other, one_case)) continue;
    const int64_t elements = bench::ElementsOf(task, other);
    if (elements <= most || elements > kMost) continue;
    most = elements;
    best = std::move(other);
  }
  if (best) return best;
  try {
    bench::Case cut = one_case;
    while (bench::ElementsOf(task, cut) > kMost) {
      const SizePlace largest = SizesOf(cut).at(0);
      cut = WithSize(task, cut, largest, largest.size / 2);
    }
    if (bench::ElementsOf(task, cut) >= kFewest) return cut;
  } catch (const std::exception&) {
    // Sizes and attributes that belong together cannot be cut alone.
  }
  return std::nullopt;
}

// Other values an element may be changed to. A change to what cannot be is
// noticed by an exception.
std::vector<double> ChangesOf(double value, DType dtype) {
  if (dtype == DType::kBool) return {value == 0 ? 1.0 : 0.0};
  if (bench::IsReal(dtype)) {
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    return {std::numeric_limits<double>::quiet_NaN(),
            kInfinity,
            -kInfinity,
            1e4,
            -1e4,
            0,
            -value};
  }
  return {value + 1, value - 1, 0, 1, -value, 127, -128};
}

class Prober {
 public:
  Prober(const bench::Task& task, const bench::Case& one_case,
         bench::ReferenceRunner& runner)
      : task_(task),
        case_(one_case),
        runner_(runner),
        inputs_(runner.Inputs(one_case)),
        golden_(runner.Reference(one_case, inputs_)) {}

  bool IsRead(size_t input) {
    bench::Argument& argument = inputs_[input];
    int64_t count = 0;
    for (const Array& tensor : argument.tensors) {
      count += bench::CountOf(tensor);
    }
    if (count == 0) return false;
    for (int i = 0; i < kTries; ++i) {
      // Spread over all elements, the first and the last among them.
      int64_t at = (count - 1) * i / (kTries - 1);
      size_t tensor = 0;
      while (at >= bench::CountOf(argument.tensors[tensor])) {
        at -= bench::CountOf(argument.tensors[tensor++]);
      }
      if (!Notices(argument.tensors[tensor], at)) return false;
    }
    return true;
  }

  bool IsWritten(size_t output) const {
    const bench::OutputSpec& spec = task_.outputs[output];
    if (!golden_[output].present) return false;
    if (spec.in_place.empty()) return true;
    const bench::Arguments rounded =
        bench::RoundToDeclared(task_, case_, golden_);
    const auto before =
        std::ranges::find(inputs_, spec.in_place, &bench::Argument::name);
    if (before == inputs_.end()) return false;
    int64_t count = 0;
    int64_t changed = 0;
    for (size_t i = 0; i < rounded[output].tensors.size(); ++i) {
      const Array& now = rounded[output].tensors[i];
      const Array& then = before->tensors.at(i);
      const int64_t elements = bench::CountOf(now);
      if (elements != bench::CountOf(then)) return false;
      count += elements;
      for (int64_t k = 0; k < elements; ++k) {
        changed += bench::NumberAt(now, k) != bench::NumberAt(then, k);
      }
    }
    return changed * 64 >= count * 63;
  }

 private:
  bool Notices(Array& tensor, int64_t at) {
    const DType part = bench::PartOf(tensor.dtype);
    std::byte* element = tensor.data.data() + at * BytesOf(part);
    const std::vector<std::byte> before(element, element + BytesOf(part));
    bool noticed = false;
    std::vector<double> changes = ChangesOf(bench::NumberAt(tensor, at), part);
    // What comparisons wait for.
    for (const bench::Argument& other : inputs_) {
      for (const Array& beside : other.tensors) {
        if (bench::CountOf(beside) == bench::CountOf(tensor)) {
          changes.push_back(bench::NumberAt(beside, at));
        }
      }
    }
    for (const double change : changes) {
      bench::PutNumber(tensor, at, change);
      noticed = Differs();
      std::ranges::copy(before, element);
      if (noticed) break;
    }
    return noticed;
  }

  bool Differs() {
    try {
      const bench::Arguments changed = runner_.Reference(case_, inputs_);
      for (size_t i = 0; i < golden_.size(); ++i) {
        if (!bench::SameBytes(changed[i], golden_[i])) return true;
      }
      return false;
    } catch (const UserError&) {
      return true;
    }
  }

  const bench::Task& task_;
  const bench::Case& case_;
  bench::ReferenceRunner& runner_;
  bench::Arguments inputs_;
  const bench::Arguments golden_;
};

}  // namespace

TaskNeeds ProbeNeeds(const bench::Task& task, const bench::Case& one_case,
                     bench::ReferenceRunner& runner) {
  TaskNeeds unknown;
  unknown.inputs.resize(task.inputs.size());
  for (const bench::OutputSpec& output : task.outputs) {
    unknown.outputs.push_back(output.in_place.empty());
  }
  const std::optional<bench::Case> small = SmallCaseLike(task, one_case);
  if (!small) return unknown;
  TaskNeeds needs = unknown;
  try {
    Prober prober(task, *small, runner);
    for (size_t i = 0; i < task.inputs.size(); ++i) {
      needs.inputs[i] = prober.IsRead(i);
    }
    for (size_t i = 0; i < task.outputs.size(); ++i) {
      needs.outputs[i] = prober.IsWritten(i);
    }
  } catch (const UserError&) {
    // A size that was cut belongs to another one: nothing is known.
    return unknown;
  }
  return needs;
}

}  // namespace belay::judge
