// SPDX-License-Identifier: Apache-2.0
#include "judge/row_period.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "bench/tensor_edit.h"
#include "judge/smaller_case.h"
#include "npu/repeated_pages.h"

namespace belay::judge {
namespace {

constexpr int64_t kMostPeriodElements = int64_t{1} << 20;
constexpr int64_t kMostRowElements = int64_t{1} << 22;
constexpr int64_t kFewestRows = 3;
constexpr uint64_t kMostPatternBytes = uint64_t{1} << 29;
// Longer patterns need fewer mappings.
constexpr uint64_t kFewestPatternBytes = uint64_t{4} << 20;

// Whether the shapes are the same but for the leading sizes given.
bool DifferInRows(const Shape& whole, const Shape& cut, int64_t rows,
                  int64_t cut_rows) {
  return !whole.empty() && whole.size() == cut.size() && whole[0] == rows &&
         cut[0] == cut_rows &&
         std::equal(whole.begin() + 1, whole.end(), cut.begin() + 1);
}

// For each input whether it has the rows; nothing where the size is not the
// leading one of all outputs and of some input alone.
std::optional<std::vector<bool>> InputsWithRows(const bench::Task& task,
                                                const bench::Case& one_case,
                                                const SizePlace& place) {
  const int64_t fewer = place.size - 1;
  const bench::Case cut = WithSize(task, one_case, place, fewer);
  std::vector<bool> with_rows;
  for (const bench::InputSpec& input : task.inputs) {
    with_rows.push_back(false);
    if (!bench::IsPresent(input, one_case)) continue;
    if (input.list) return std::nullopt;
    const Shape whole = bench::InputShapes(input, one_case).at(0);
    const Shape smaller = bench::InputShapes(input, cut).at(0);
    if (whole == smaller) continue;
    if (!DifferInRows(whole, smaller, place.size, fewer)) return std::nullopt;
    with_rows.back() = true;
  }
  for (const bench::OutputSpec& output : task.outputs) {
    if (!bench::IsPresent(output, one_case)) continue;
    const auto whole = bench::OutputShapes(output, one_case);
    const auto smaller = bench::OutputShapes(output, cut);
    if (output.list || !output.in_place.empty() || !whole ||
        !DifferInRows(whole->at(0), smaller->at(0), place.size, fewer)) {
      return std::nullopt;
    }
  }
  if (std::ranges::find(with_rows, true) == with_rows.end()) {
    return std::nullopt;
  }
  return with_rows;
}

// How many rows to draw, 0 for none: if possible no power of two, so that a
// tile that is one does not always begin at the same row, and such that
// patterns of whole pages stay short.
int64_t PeriodOf(const bench::Task& task, const bench::Case& one_case,
                 const std::vector<bool>& with_rows, int64_t rows) {
  constexpr auto kPage = static_cast<int64_t>(npu::kRepeatedPageBytes);
  int64_t row_elements = 1;
  int64_t unit = 1;  // rows that are whole pages of all inputs
  int64_t row_bytes = 1;
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    if (!with_rows[i]) continue;
    const Shape shape = bench::InputShapes(task.inputs[i], one_case).at(0);
    const int64_t elements = ElementCount(shape) / rows;
    const auto bytes = static_cast<int64_t>(
        BytesOf(bench::DTypeOf(task.inputs[i].dtype, one_case),
                static_cast<size_t>(elements)));
    row_elements = std::max(row_elements, elements);
    row_bytes = std::max(row_bytes, bytes);
    if (bytes == 0) return 0;
    unit = std::max(unit, kPage / std::gcd(bytes, kPage));
  }
  for (const bench::OutputSpec& output : task.outputs) {
    if (!bench::IsPresent(output, one_case)) continue;
    const Shape shape = bench::OutputShapes(output, one_case)->at(0);
    row_elements = std::max(row_elements, ElementCount(shape) / rows);
  }
  if (row_elements > kMostRowElements) return 0;
  const auto odd = [](int64_t value) { return value - 1 + value % 2; };
  const int64_t most =
      std::max(kFewestRows, kMostPeriodElements / row_elements);
  int64_t period = odd(most);
  if (const int64_t times = most / unit; times >= kFewestRows) {
    period = unit * odd(times);
  } else if (period * unit * row_bytes >
             static_cast<int64_t>(kMostPatternBytes)) {
    // Rows of an odd length: any number of them is.
    period = std::bit_floor(static_cast<uint64_t>(most));
    if (std::max(period, unit) * row_bytes >
        static_cast<int64_t>(kMostPatternBytes)) {
      return 0;
    }
  }
  return 2 * period <= rows ? period : 0;
}

// Rows [first, first + count) of the tensor.
Array RowsOf(const Array& tensor, int64_t first, int64_t count) {
  Array rows = tensor;
  const size_t row = tensor.data.size() / static_cast<size_t>(tensor.shape[0]);
  rows.shape[0] = count;
  const auto begin =
      tensor.data.begin() + static_cast<std::ptrdiff_t>(row * first);
  rows.data.assign(begin, begin + static_cast<std::ptrdiff_t>(row * count));
  return rows;
}

bool Near(const Array& a, const Array& b) {
  if (a.shape != b.shape || a.dtype != b.dtype) return false;
  const int64_t count = bench::CountOf(a);
  for (int64_t i = 0; i < count; ++i) {
    const double one = bench::NumberAt(a, i);
    const double other = bench::NumberAt(b, i);
    if (std::isnan(one) && std::isnan(other)) continue;
    if (one == other) continue;
    if (!(std::abs(one - other) <= 1e-9 * std::max(1.0, std::abs(one)))) {
      return false;
    }
  }
  return true;
}

// Whether the results of two periods are those of each.
bool RowsAreApart(const bench::Task& task, const bench::Case& one_case,
                  const SizePlace& place, int64_t period,
                  const std::vector<bool>& with_rows,
                  bench::ReferenceRunner& runner) {
  const bench::Case twice = WithSize(task, one_case, place, 2 * period);
  const bench::Case once = WithSize(task, one_case, place, period);
  const bench::Arguments both = runner.Inputs(twice);
  const bench::Arguments golden = runner.Reference(twice, both);
  for (const int64_t first : {int64_t{0}, period}) {
    bench::Arguments half = both;
    for (size_t i = 0; i < half.size(); ++i) {
      if (!with_rows[i]) continue;
      Array& tensor = half[i].tensors.at(0);
      tensor = RowsOf(tensor, first, period);
    }
    const bench::Arguments own = runner.Reference(once, half);
    for (size_t i = 0; i < own.size(); ++i) {
      if (!own[i].present) continue;
      const Array rows = RowsOf(golden[i].tensors.at(0), first, period);
      if (!Near(own[i].tensors.at(0), rows)) return false;
    }
  }
  return true;
}

}  // namespace

std::optional<RowPeriod> FindRowPeriod(const bench::Task& task,
                                       const bench::Case& one_case,
                                       bench::ReferenceRunner& runner,
                                       std::string* reason) {
  *reason = "no size is that of rows";
  for (const SizePlace& place : SizesOf(one_case)) {
    if (place.size < 2 * kFewestRows) continue;
    try {
      const auto with_rows = InputsWithRows(task, one_case, place);
      if (!with_rows) continue;
      const int64_t period = PeriodOf(task, one_case, *with_rows, place.size);
      if (period == 0) {
        *reason = "rows are too long or too few";
        continue;
      }
      if (!RowsAreApart(task, one_case, place, period, *with_rows, runner)) {
        *reason = "rows depend on each other";
        continue;
      }
      RowPeriod found;
      found.rows = place.size;
      found.period = period;
      found.inputs = *with_rows;
      found.truth = bench::MakeTruth(
          task, WithSize(task, one_case, place, period), runner);
      return found;
    } catch (const UserError&) {
      // A size that belongs to another one cannot be cut alone.
      continue;
    }
  }
  return std::nullopt;
}

RepeatedInputs RepeatRows(const bench::Task& task, const bench::Case& one_case,
                          const RowPeriod& period) {
  RepeatedInputs repeated;
  repeated.inputs = bench::DrawInputs(
      task, one_case, [](const bench::InputSpec&) { return false; });
  for (size_t i = 0; i < repeated.inputs.size(); ++i) {
    if (!repeated.inputs[i].present) continue;
    const std::vector<std::byte>& data =
        period.truth.inputs[i].tensors.at(0).data;
    if (!period.inputs[i]) {
      repeated.inputs[i].tensors.at(0).data = data;
      continue;
    }
    const uint64_t whole_pages =
        npu::kRepeatedPageBytes /
        std::gcd<uint64_t>(data.size(), npu::kRepeatedPageBytes);
    const uint64_t turns =
        whole_pages * ((kFewestPatternBytes + data.size() * whole_pages - 1) /
                       (data.size() * whole_pages));
    InputPattern pattern{i, 0, {}};
    pattern.bytes.reserve(data.size() * turns);
    for (uint64_t turn = 0; turn < turns; ++turn) {
      pattern.bytes.insert(pattern.bytes.end(), data.begin(), data.end());
    }
    repeated.patterns.push_back(std::move(pattern));
  }
  return repeated;
}

}  // namespace belay::judge
