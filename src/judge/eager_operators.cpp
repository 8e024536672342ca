// SPDX-License-Identifier: Apache-2.0
#include "judge/eager_operators.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "judge/smaller_case.h"

namespace belay::judge {
namespace {

using bench::EagerOperator;
using List = std::vector<EagerOperator>;

constexpr int64_t kSmall = int64_t{1} << 19;
constexpr int64_t kMostCut = int64_t{1} << 22;
constexpr int64_t kMostWhole = int64_t{1} << 26;
constexpr int kPoints = 5;  // at 1, 2, … times the step
constexpr size_t kMostPlaces = 4;
constexpr int kMostCuts = 3;           // sizes cut at a time
constexpr int64_t kMostFactor = 1024;  // by which one is cut
// Elements of all calls on smaller cases; a call counts for some more.
constexpr int64_t kMostInAll = int64_t{1} << 25;
constexpr int64_t kCallElements = int64_t{1} << 15;

constexpr std::array kFigures = {
    &EagerOperator::bytes_read, &EagerOperator::bytes_written,
    &EagerOperator::vector_bytes, &EagerOperator::cube_flops};

// The polynomial of degree 3 through the first four values, at `x` (the first
// is at 1).
double Continue(const std::array<double, kPoints>& values, double x) {
  std::array<double, kPoints> difference = values;
  double sum = 0;
  double choose = 1;  // (x - 1) over k
  for (int k = 0; k < kPoints - 1; ++k) {
    sum += choose * difference[0];
    choose *= (x - 1 - k) / (k + 1);
    for (int i = 0; i + 1 < kPoints - k; ++i) {
      difference[i] = difference[i + 1] - difference[i];
    }
  }
  return sum;
}

bool SameNames(const List& a, const List& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const EagerOperator& one, const EagerOperator& other) {
                      return one.name == other.name &&
                             one.cube_dtype == other.cube_dtype;
                    });
}

std::optional<List> Extrapolate(const std::array<List, kPoints>& lists,
                                double x) {
  for (const List& list : lists) {
    if (!SameNames(list, lists[0])) return std::nullopt;
  }
  List found = lists[0];
  for (size_t i = 0; i < found.size(); ++i) {
    for (const auto figure : kFigures) {
      std::array<double, kPoints> values;
      for (int k = 0; k < kPoints; ++k) {
        values[k] = static_cast<double>(lists[k][i].*figure);
      }
      const double last = values[kPoints - 1];
      double whole = Continue(values, x);
      // What depends on the data grows with the size, give or take.
      if (std::abs(Continue(values, kPoints) - last) > 1e-6 * last) {
        whole = last * x / kPoints;
      }
      found[i].*figure =
          static_cast<uint64_t>(std::llround(std::max(0., whole)));
    }
  }
  return found;
}

// The step whose fifth multiple makes the case small, or one that makes it much
// smaller; 0: none.
int64_t StepOf(const bench::Task& task, const bench::Case& one_case,
               const SizePlace& place) {
  int64_t step = place.size;
  const auto is_small = [&] {
    return kPoints * step < place.size &&
           bench::ElementsOf(
               task, WithSize(task, one_case, place, kPoints * step)) <= kSmall;
  };
  while (step > 1 && place.size / step < kMostFactor && !is_small()) step /= 2;
  return kPoints * step < place.size ? step : 0;
}

class Lister {
 public:
  Lister(const bench::Task& task, bench::ReferenceRunner& runner)
      : task_(task), runner_(runner) {}

  // Nothing when the case is too large and cannot be cut. `note` names the
  // sizes that were.
  std::optional<List> Of(const bench::Case& one_case, int cuts,
                         std::string* note) {
    const int64_t elements = bench::ElementsOf(task_, one_case);
    if (elements > kSmall && cuts < kMostCuts) {
      const std::vector<SizePlace> places = SizesOf(one_case);
      for (size_t i = 0; i < places.size() && i < kMostPlaces; ++i) {
        std::string inner;
        if (auto list = Cut(one_case, places[i], cuts, &inner)) {
          *note = inner.find(places[i].pointer) == std::string::npos
                      ? places[i].pointer + " " + inner
                      : inner;
          return list;
        }
      }
    }
    if (elements > (cuts == 0 ? kMostWhole : kMostCut)) return std::nullopt;
    if (cuts != 0 && (left_ -= elements + kCallElements) < 0) {
      return std::nullopt;
    }
    return runner_.EagerOperators(one_case, runner_.Inputs(one_case));
  }

 private:
  std::optional<List> Cut(const bench::Case& one_case, const SizePlace& place,
                          int cuts, std::string* note) {
    int64_t step = 0;
    try {
      step = StepOf(task_, one_case, place);
    } catch (const UserError&) {
      return std::nullopt;
    }
    // Windows must fit into what is left: longer steps may do.
    for (; step != 0 && kPoints * step < place.size; step *= 4) {
      if (auto list = CutBy(step, one_case, place, cuts, note)) return list;
    }
    return std::nullopt;
  }

  std::optional<List> CutBy(int64_t step, const bench::Case& one_case,
                            const SizePlace& place, int cuts,
                            std::string* note) {
    try {
      std::array<List, kPoints> lists;
      for (int k = 0; k < kPoints; ++k) {
        auto list = Of(WithSize(task_, one_case, place, (k + 1) * step),
                       cuts + 1, note);
        if (!list) return std::nullopt;
        lists[k] = *std::move(list);
      }
      return Extrapolate(
          lists, static_cast<double>(place.size) / static_cast<double>(step));
    } catch (const UserError&) {
      // Sizes that belong together cannot be cut alone.
      return std::nullopt;
    }
  }

  const bench::Task& task_;
  bench::ReferenceRunner& runner_;
  int64_t left_ = kMostInAll;
};

}  // namespace

EagerList ListEager(const bench::Task& task, const bench::Case& one_case,
                    bench::ReferenceRunner& runner) {
  std::string sizes;
  auto list = Lister(task, runner).Of(one_case, 0, &sizes);
  if (!list) return {{}, "too large to be run, and no size of it can be cut"};
  while (sizes.ends_with(' ')) sizes.pop_back();
  return {*std::move(list),
          sizes.empty() ? "" : "continued from smaller sizes " + sizes};
}

}  // namespace belay::judge
