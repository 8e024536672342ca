// SPDX-License-Identifier: Apache-2.0
#include "judge/part_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "bench/compare.h"
#include "clock/compare_logs.h"
#include "judge/block_ranges.h"
#include "judge/row_period.h"

namespace belay::judge {
namespace {

constexpr size_t kMostPartBlocks = 8;
constexpr int kSecretBlocks = 1;
constexpr int kSecretPlaces = 2;  // in each block
constexpr size_t kMostWindows = size_t{1} << 16;

// A tensor of the call in the log of its launch.
struct CallTensor {
  size_t output = 0;  // its number, for outputs
  bool is_output = false;
  std::string label;
  uint64_t row_bytes = 0;
  std::vector<uint64_t> limits;  // offsets where numbers get longer
  std::map<int, BlockRanges> blocks;
};

std::vector<uint64_t> LimitsOf(uint64_t bytes, uint64_t width) {
  std::set<uint64_t> limits;
  for (const uint64_t limit : {uint64_t{1} << 31, uint64_t{1} << 32}) {
    limits.insert(limit);
    limits.insert(limit * width);
  }
  std::erase_if(limits, [&](uint64_t limit) { return limit >= bytes; });
  return {limits.begin(), limits.end()};
}

bool Holds(const std::vector<clock::ByteRange>& ranges, uint64_t offset) {
  return std::ranges::any_of(ranges, [&](const clock::ByteRange& range) {
    return range.begin <= offset && offset < range.end;
  });
}

std::optional<CallTensor> TensorIn(const clock::LaunchLog& log,
                                   std::string label, DType dtype,
                                   int64_t rows) {
  const auto found =
      std::ranges::find(log.allocations, label, &clock::LoggedAllocation::name);
  if (found == log.allocations.end()) return std::nullopt;
  CallTensor tensor;
  tensor.label = std::move(label);
  tensor.row_bytes = found->bytes / static_cast<uint64_t>(rows);
  tensor.limits = LimitsOf(found->bytes, BytesOf(dtype));
  tensor.blocks = RangesByBlock(log, *found);
  return tensor;
}

// The tensors with rows; nothing when an output is not in the log.
std::optional<std::vector<CallTensor>> TensorsOfCall(
    const bench::Task& task, const bench::Case& one_case,
    const RowPeriod& period, const clock::LaunchLog& log) {
  std::vector<CallTensor> tensors;
  for (size_t i = 0; i < task.inputs.size(); ++i) {
    if (!period.inputs[i]) continue;
    auto tensor =
        TensorIn(log, fmt::format("input '{}'", task.inputs[i].name),
                 bench::DTypeOf(task.inputs[i].dtype, one_case), period.rows);
    if (tensor) tensors.push_back(*std::move(tensor));
  }
  for (size_t i = 0; i < task.outputs.size(); ++i) {
    if (!bench::IsPresent(task.outputs[i], one_case)) continue;
    auto tensor =
        TensorIn(log, fmt::format("output '{}'", task.outputs[i].name),
                 bench::DTypeOf(task.outputs[i].dtype, one_case), period.rows);
    if (!tensor) return std::nullopt;
    tensor->output = i;
    tensor->is_output = true;
    tensors.push_back(*std::move(tensor));
  }
  return tensors;
}

// The blocks to run, and what for.
std::map<int, std::string> ChooseBlocks(const std::vector<CallTensor>& tensors,
                                        std::mt19937_64& random) {
  std::map<int, std::string> chosen;
  std::set<int> writers;
  for (const CallTensor& tensor : tensors) {
    for (const auto& [block, ranges] : tensor.blocks) {
      if (tensor.is_output && !ranges.written.empty()) writers.insert(block);
    }
  }
  if (writers.empty()) return chosen;
  chosen[*writers.begin()] = fmt::format("block {}", *writers.begin());
  chosen[*writers.rbegin()] = fmt::format("block {}", *writers.rbegin());
  for (const CallTensor& tensor : tensors) {
    for (const uint64_t limit : tensor.limits) {
      for (const auto& [block, ranges] : tensor.blocks) {
        if (!writers.contains(block) || chosen.size() >= kMostPartBlocks)
          continue;
        const auto& touched = tensor.is_output ? ranges.written : ranges.read;
        if (!Holds(touched, limit) && !Holds(touched, limit - 1)) continue;
        std::string& text = chosen[block];
        if (text.empty()) text = fmt::format("block {}", block);
        text += fmt::format(", byte {} of {}", limit, tensor.label);
        break;
      }
    }
  }
  std::vector<int> others;
  std::ranges::copy_if(writers, std::back_inserter(others),
                       [&](int block) { return !chosen.contains(block); });
  for (int i = 0; i < kSecretBlocks && !others.empty(); ++i) {
    const auto one =
        others.begin() + static_cast<std::ptrdiff_t>(random() % others.size());
    chosen[*one] = fmt::format("block {}, by chance", *one);
    others.erase(one);
  }
  return chosen;
}

// The periods of rows in which a block's writes are looked at.
std::set<uint64_t> ChoosePeriods(const CallTensor& output,
                                 const std::vector<clock::ByteRange>& written,
                                 uint64_t period_bytes,
                                 std::mt19937_64& random) {
  std::set<uint64_t> periods;
  if (written.empty()) return periods;
  const auto at = [&](uint64_t offset) {
    periods.insert(offset / period_bytes);
  };
  const uint64_t first = written.front().begin;
  const uint64_t last = written.back().end - 1;
  at(first);
  at(last);
  for (int i = 0; i < kSecretPlaces; ++i) {
    const uint64_t place = first + random() % (last - first + 1);
    const auto range =
        std::ranges::upper_bound(written, place, {}, &clock::ByteRange::end);
    if (range != written.end()) at(std::max(place, range->begin));
  }
  for (const uint64_t limit : output.limits) {
    if (Holds(written, limit)) at(limit);
    if (Holds(written, limit - 1)) at(limit - 1);
  }
  return periods;
}

// What one block wrote in one period: windows `first` to before `last`.
struct Look {
  int block = 0;
  uint64_t period = 0;
  size_t first = 0;
  size_t last = 0;
};

std::vector<Look> MakeLooks(const std::vector<CallTensor>& tensors,
                            const std::map<int, std::string>& blocks,
                            const RowPeriod& period, std::mt19937_64& random,
                            PartRequest& request) {
  std::vector<Look> looks;
  for (const auto& [block, text] : blocks) {
    std::set<uint64_t> periods;
    const auto bytes_of = [&](const CallTensor& tensor) {
      return tensor.row_bytes * static_cast<uint64_t>(period.period);
    };
    for (const CallTensor& tensor : tensors) {
      const auto own = tensor.blocks.find(block);
      if (!tensor.is_output || own == tensor.blocks.end()) continue;
      periods.merge(
          ChoosePeriods(tensor, own->second.written, bytes_of(tensor), random));
    }
    for (const uint64_t one : periods) {
      Look look{block, one, request.windows.size(), 0};
      for (const CallTensor& tensor : tensors) {
        const auto own = tensor.blocks.find(block);
        if (!tensor.is_output || own == tensor.blocks.end()) continue;
        const uint64_t begin = one * bytes_of(tensor);
        const uint64_t end = begin + bytes_of(tensor);
        const auto& written = own->second.written;
        for (auto range = std::ranges::upper_bound(written, begin, {},
                                                   &clock::ByteRange::end);
             range != written.end() && range->begin < end; ++range) {
          request.windows.push_back({tensor.output, 0,
                                     std::max(begin, range->begin),
                                     std::min(end, range->end)});
        }
      }
      look.last = request.windows.size();
      if (look.last > kMostWindows) {
        request.windows.resize(look.first);
        return looks;
      }
      looks.push_back(look);
    }
  }
  return looks;
}

// The truth of one period with what the block wrote in its place.
bench::Arguments Overlay(const Look& look, const PartRequest& request,
                         const std::vector<size_t>& starts,
                         const std::vector<std::byte>& bytes,
                         const bench::Truth& truth) {
  bench::Arguments outputs = truth.rounded;
  for (size_t i = look.first; i < look.last; ++i) {
    const OutputWindow& window = request.windows[i];
    Array& tensor = outputs[window.output].tensors.at(0);
    const uint64_t begin = window.begin - look.period * tensor.data.size();
    std::memcpy(tensor.data.data() + begin, bytes.data() + starts[i],
                window.end - window.begin);
  }
  return outputs;
}

PartCheck Unchecked(std::string why) {
  PartCheck check;
  check.parts.push_back("not checked by blocks: " + std::move(why));
  return check;
}

}  // namespace

PartCheck CheckParts(const bench::Task& task, const bench::Case& one_case,
                     Session& session, bench::ReferenceRunner& runner,
                     const std::vector<clock::LaunchLog>& launches,
                     uint64_t secret) {
  if (launches.size() != 1) return Unchecked("there are several launches");
  const clock::LaunchLog& log = launches.front();
  if (BlocksWait(log)) return Unchecked("blocks wait for each other");
  std::string why;
  const auto period = FindRowPeriod(task, one_case, runner, &why);
  if (!period) return Unchecked(why);
  const auto tensors = TensorsOfCall(task, one_case, *period, log);
  if (!tensors) return Unchecked("an output has no memory of its own");

  std::mt19937_64 random(secret);
  const std::map<int, std::string> blocks = ChooseBlocks(*tensors, random);
  PartRequest request;
  request.record = log.pretended_reads != 0;
  const std::vector<Look> looks =
      MakeLooks(*tensors, blocks, *period, random, request);
  if (looks.empty()) return Unchecked("writes are too scattered");
  RepeatedInputs repeated = RepeatRows(task, one_case, *period);
  request.patterns = std::move(repeated.patterns);
  for (const auto& [block, text] : blocks) request.blocks.insert(block);
  PartReport report = session.RunParts(one_case, repeated.inputs, request);
  if (!report.supported) return Unchecked("such candidates cannot be");

  PartCheck check;
  check.diagnostics = std::move(report.diagnostics);
  if (report.end != CallEnd::kFinished) {
    check.outcome = report.end == CallEnd::kInfrastructure
                        ? Outcome::kInfrastructure
                        : Outcome::kFailed;
    check.reason = report.end == CallEnd::kInfrastructure
                       ? report.trouble
                       : "some of its blocks failed when run with values";
    return check;
  }
  std::vector<size_t> starts;
  size_t total = 0;
  for (const OutputWindow& window : request.windows) {
    starts.push_back(total);
    total += window.end - window.begin;
  }
  if (report.bytes.size() != total) {
    check.outcome = Outcome::kInfrastructure;
    check.reason = fmt::format("{} bytes of outputs came, {} were asked for",
                               report.bytes.size(), total);
    return check;
  }
  for (const Look& look : looks) {
    const bench::Verdict values = bench::Judge(
        period->truth,
        Overlay(look, request, starts, report.bytes, period->truth), runner);
    if (values.accepted) continue;
    const auto first = static_cast<int64_t>(look.period) * period->period;
    check.outcome = Outcome::kWrong;
    check.reason = fmt::format(
        "block {}, rows {} to {}: {}", look.block, first,
        std::min(first + period->period, period->rows) - 1, values.reason);
    return check;
  }
  for (const clock::LaunchLog& with_values : report.launches) {
    if (const auto differs = clock::FirstOtherWork(with_values, log)) {
      check.outcome = Outcome::kForbidden;
      check.reason = fmt::format(
          "block {} does something else with values ({}) than when it is timed "
          "({}): its time cannot be known",
          differs->block, differs->of_some, differs->of_all);
      return check;
    }
  }
  for (const auto& [block, text] : blocks) check.parts.push_back(text);
  return check;
}

}  // namespace belay::judge
