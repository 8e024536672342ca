// SPDX-License-Identifier: Apache-2.0
#include "bench/mutate_cases.h"

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "bench/case.h"
#include "bench/compare.h"
#include "bench/lint.h"
#include "bench/random.h"
#include "bench/task_error.h"

namespace belay::bench {
namespace {

// Sizes of 0 and 1 are what they are for; others move by up to an eighth.
int64_t OtherSize(int64_t size, Random& random) {
  if (size < 2) return size;
  const int64_t reach = size / 8 + 1;
  int64_t step = random.Integer(1, reach);
  if (random.Chance(0.5) && size - step > 1) step = -step;
  return size + step;
}

// Which of the numbers of a size may move: all of them, or only the first of
// each list, which is a batch more often than not.
enum class Reach { kAll, kFirst };

void ChangeSizes(Value& value, Reach reach, Random& random) {
  if (value.is_number_integer()) {
    value = OtherSize(value.get<int64_t>(), random);
    return;
  }
  if (!value.is_array()) return;
  bool first = true;
  for (Value& item : value) {
    if (first || reach == Reach::kAll || item.is_array()) {
      ChangeSizes(item, reach, random);
    }
    first = false;
  }
}

// Reals move by up to a quarter and keep three digits; 0 and 1 stay, they are
// often what a case is about.
void ChangeAttributes(Value& attributes, Random& random) {
  for (auto& [name, value] : attributes.items()) {
    if (!value.is_number_float()) continue;
    const double old = value.get<double>();
    if (old == 0 || old == 1 || !std::isfinite(old)) continue;
    const double moved = old * random.Uniform(0.75, 1.25);
    value = std::stod(fmt::format("{:.3g}", moved));
  }
}

// Whether reference() runs on every case of group `place`, and eager() agrees
// with it.
bool Runs(const Task& task, size_t place) {
  try {
    const auto runner = MakeReferenceRunner(task);
    for (const Case& one_case : ExpandCases(task)) {
      if (one_case.line != task.groups[place].line) continue;
      if (ElementsOf(task, one_case) > kMostCaseElements) continue;
      const Truth truth = MakeTruth(task, one_case, *runner);
      const Arguments eager = runner->Eager(one_case, truth.inputs);
      if (!Judge(truth, eager, *runner).accepted) return false;
    }
    return true;
  } catch (const TaskError&) {
    return false;
  }
}

}  // namespace

std::vector<bool> MutateCases(const Task& task, uint64_t seed,
                              std::vector<CaseGroup>& groups) {
  struct Attempt {
    bool sizes;
    Reach reach;
    bool attributes;
  };
  constexpr Attempt kAttempts[] = {{true, Reach::kAll, true},
                                   {true, Reach::kAll, false},
                                   {true, Reach::kFirst, true},
                                   {true, Reach::kFirst, false},
                                   {false, Reach::kFirst, true}};
  std::vector<bool> changed(groups.size(), false);
  for (size_t i = 0; i < groups.size(); ++i) {
    Random random(seed * 1000003 + i);
    for (const Attempt& attempt : kAttempts) {
      Task other = task;
      other.groups[i].lint = true;
      CaseGroup& group = other.groups[i];
      if (attempt.sizes) {
        for (Value& sizes : group.sizes) {
          for (auto& [name, value] : sizes.items()) {
            ChangeSizes(value, attempt.reach, random);
          }
        }
      }
      if (attempt.attributes) {
        for (Value& values : group.attributes) ChangeAttributes(values, random);
      }
      if (group.sizes == task.groups[i].sizes &&
          group.attributes == task.groups[i].attributes) {
        continue;
      }
      if (!Runs(other, i)) continue;
      groups[i].sizes = group.sizes;
      groups[i].attributes = group.attributes;
      changed[i] = true;
      break;
    }
  }
  return changed;
}

}  // namespace belay::bench
