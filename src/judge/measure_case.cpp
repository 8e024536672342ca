// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "bench/element.h"
#include "clock/bound.h"
#include "clock/replay.h"
#include "clock/vector_flops.h"
#include "judge/call_outcome.h"
#include "judge/coverage.h"
#include "judge/part_check.h"
#include "judge/performance.h"
#include "npu/names.h"

namespace belay::judge {
namespace {

constexpr size_t kMostSlices = 400;
// Of all blocks of a call: beyond, a replay would not end in any useful time.
constexpr uint64_t kMostRecords = uint64_t{1} << 32;
constexpr double kMostBytes = 0x1p44;
// Values of a call whose course depends on them.
constexpr int64_t kMostWithValues = int64_t{1} << 26;
// Cases whose inputs can be made as the reference sees them.
constexpr int64_t kMostPrepared = int64_t{1} << 24;

// The first core's instructions, from the beginning of the launch.
class TimelineTaker : public clock::TimelineSink {
 public:
  TimelineTaker(const clock::LaunchLog& log, double clock_mhz,
                Timeline& timeline)
      : log_(log), clock_mhz_(clock_mhz), timeline_(timeline) {}

  void OnSpan(const clock::Span& span) override {
    const clock::BlockLog& first = log_.logs.front();
    if (span.core != first.core || span.cube != first.cube ||
        span.pipe == abi::Pipe::kS) {
      return;
    }
    if (timeline_.slices.size() >= kMostSlices) {
      timeline_.cut = true;
      return;
    }
    TimelineSlice slice;
    slice.pipe = npu::NameOf(span.pipe);
    slice.what = npu::NameOf(span.record->op);
    slice.begin = clock::ToMicroseconds(span.start, clock_mhz_);
    slice.end = clock::ToMicroseconds(span.end, clock_mhz_);
    if (const auto place = log_.places.find(span.record->place);
        place != log_.places.end()) {
      slice.file = place->second.file;
      slice.line = place->second.line;
    }
    timeline_.slices.push_back(std::move(slice));
  }

 private:
  const clock::LaunchLog& log_;
  const double clock_mhz_;
  Timeline& timeline_;
};

// What a launch's log adds up to.
struct Totals {
  uint64_t records = 0;
  double bytes = 0;
  uint64_t flops = 0;
  bool scalar_only = true;
};

Totals TotalsOf(const std::vector<clock::LaunchLog>& launches) {
  Totals totals;
  for (const clock::LaunchLog& log : launches) {
    for (const clock::BlockLog& block : log.logs) {
      totals.records += std::min(block.records.size(), kMostRecords);
      block.records.ForEachFolded(
          [&](const clock::Record& record, uint64_t times) {
            switch (record.kind) {
              case clock::Kind::kVector:
                totals.flops +=
                    times * record.vector.elements *
                    static_cast<uint64_t>(clock::VectorFlops(record.op));
                break;
              case clock::Kind::kMmad:
                totals.flops += times * 2 * record.cube.products;
                break;
              case clock::Kind::kMove:
                totals.bytes += static_cast<double>(times) *
                                record.move.bursts * record.move.burst_bytes;
                break;
              case clock::Kind::kLoad:
                break;
              default:
                return;
            }
            totals.scalar_only = false;
          });
    }
  }
  return totals;
}

bool HasPretendedReads(const TimeReport& report) {
  return std::ranges::any_of(report.launches, [](const auto& launch) {
    return launch.pretended_reads != 0;
  });
}

// The inputs that are wanted with data, the others as shapes.
template <typename Wanted>
bench::Arguments InputsWith(const bench::Task& task,
                            const bench::Case& one_case,
                            bench::ReferenceRunner& runner,
                            const Wanted& wanted) {
  const bool any = std::ranges::any_of(task.inputs, wanted);
  const bool prepared = any && runner.Has("prepare") &&
                        bench::ElementsOf(task, one_case) <= kMostPrepared;
  if (!prepared) {
    return bench::DrawInputs(task, one_case, [&](const bench::InputSpec& one) {
      const auto copies = [&](const bench::InputSpec& other) {
        return wanted(other) &&
               bench::ValuesOf(other, one_case).copy_of == one.name;
      };
      return wanted(one) || std::ranges::any_of(task.inputs, copies);
    });
  }
  bench::Arguments inputs = runner.Inputs(one_case);
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (wanted(task.inputs[i])) continue;
    for (Array& tensor : inputs[i].tensors) tensor.data = {};
  }
  return inputs;
}

// Without values, with those that lead a kernel's way as a rule, with all: each
// only where the one before does not tell the course of the kernel.
TimeReport TimeIn(const bench::Task& task, const bench::Case& one_case,
                  Session& session, bench::ReferenceRunner& runner) {
  const auto host_reads = [](const bench::InputSpec& input) {
    return input.host_read;
  };
  TimeReport report =
      session.Time(one_case, InputsWith(task, one_case, runner, host_reads));
  if (report.end != CallEnd::kFinished || !HasPretendedReads(report) ||
      bench::ElementsOf(task, one_case) > kMostWithValues) {
    return report;
  }
  const auto is_whole = [&](const bench::InputSpec& input) {
    return input.host_read ||
           !bench::IsReal(bench::DTypeOf(input.dtype, one_case));
  };
  if (std::ranges::any_of(task.inputs, is_whole) &&
      !std::ranges::all_of(task.inputs, is_whole)) {
    report =
        session.Time(one_case, InputsWith(task, one_case, runner, is_whole));
    if (report.end != CallEnd::kFinished || !HasPretendedReads(report)) {
      return report;
    }
  }
  return session.Time(one_case,
                      InputsWith(task, one_case, runner,
                                 [](const bench::InputSpec&) { return true; }));
}

std::string FailureOf(const TimeReport& report) {
  if (report.end == CallEnd::kInfrastructure) return report.trouble;
  for (const Diagnostic& one : report.diagnostics) {
    if (one.severity == Severity::kError) {
      return fmt::format("{} [{}]", one.message, one.code);
    }
  }
  return "the call failed in timing-only mode";
}

// Outputs of which every byte has to be written.
std::vector<std::string> WholeOutputs(const bench::Task& task,
                                      const bench::Case& one_case) {
  std::vector<std::string> names;
  for (const bench::OutputSpec& output : task.outputs) {
    if (output.in_place.empty() && !output.shape.empty() &&
        bench::IsPresent(output, one_case)) {
      names.push_back(output.name);
    }
  }
  return names;
}

void ReplayAll(const TimeReport& report, const std::string& chip,
               CaseTime& time, Timeline* timeline) {
  const clock::ClockSpec spec = clock::LoadClockSpec(chip);
  for (const clock::LaunchLog& log : report.launches) {
    clock::ReplayOptions options;
    Timeline unwanted;
    TimelineTaker taker(log, spec.clock_mhz(),
                        timeline == nullptr ? unwanted : *timeline);
    const bool is_first = &log == &report.launches.front();
    if (is_first && timeline != nullptr && !log.logs.empty()) {
      options.sink = &taker;
    }
    const clock::LaunchTime launch = clock::Replay(log, spec, options);
    time.simulated += clock::ToMicroseconds(launch.total, spec.clock_mhz());
    time.kernel_bound +=
        clock::HardwareBound(log, spec, clock::L2State::kCold).total;
  }
  if (timeline != nullptr) {
    std::ranges::stable_sort(timeline->slices, {}, &TimelineSlice::begin);
  }
}

}  // namespace

CaseTime MeasureCase(const bench::Task& task, const bench::Case& one_case,
                     Session& session, bench::ReferenceRunner& runner,
                     Baselines& baselines, const std::string& chip,
                     uint64_t secret, std::vector<Diagnostic>& diagnostics,
                     Timeline* timeline) {
  CaseTime time;
  time.name = one_case.name;
  time.elements = bench::ElementsOf(task, one_case);
  const TaskBound bound = BoundOf(task, one_case, runner, baselines, chip);
  time.bound = bound.total;
  time.binding = bound.binding;
  time.bytes = bound.bytes_read + bound.bytes_written;
  const Baseline& baseline = baselines.Of(task, one_case, runner, chip);
  time.baseline_70 = baseline.at_70;
  time.baseline_85 = baseline.at_85;
  time.baseline_100 = baseline.at_100;

  const TimeReport report = TimeIn(task, one_case, session, runner);
  diagnostics.insert(diagnostics.end(), report.diagnostics.begin(),
                     report.diagnostics.end());
  if (timeline != nullptr) {
    *timeline = {};
    timeline->name = one_case.name;
  }
  if (report.end != CallEnd::kFinished) {
    time.outcome = OutcomeOf(report.end);
    time.reason = FailureOf(report);
    return time;
  }
  const Totals totals = TotalsOf(report.launches);
  if (totals.records > kMostRecords || totals.bytes > kMostBytes) {
    time.outcome = Outcome::kFailed;
    time.reason = fmt::format(
        "{} instructions and {:.3g} bytes moved are more than can be timed",
        totals.records, totals.bytes);
    return time;
  }
  time.flops = totals.flops;
  time.scalar_only = totals.scalar_only;

  const Coverage coverage =
      CoverageOf(report.launches, WholeOutputs(task, one_case));
  time.covered = coverage.ok();
  if (!coverage.ok()) {
    time.outcome = Outcome::kWrong;
    time.reason = coverage.reason;
    return time;
  }
  if (!coverage.known) {
    time.parts.push_back("not known to cover its outputs: scattered writes");
  }
  if (time.elements > kMostPrepared) {
    PartCheck check =
        CheckParts(task, one_case, session, runner, report.launches, secret);
    diagnostics.insert(diagnostics.end(), check.diagnostics.begin(),
                       check.diagnostics.end());
    time.parts.insert(time.parts.end(), check.parts.begin(), check.parts.end());
    if (check.outcome != Outcome::kPassed) {
      time.outcome = check.outcome;
      time.reason = std::move(check.reason);
      return time;
    }
  }

  ReplayAll(report, chip, time, timeline);
  if (time.simulated < time.bound) {
    time.outcome = Outcome::kForbidden;
    time.reason = fmt::format(
        "{:.3f} us simulated are below the bound of {:.3f} us ({}): the kernel "
        "did not do the work, or the clock is wrong",
        time.simulated, time.bound, time.binding);
  }
  return time;
}

}  // namespace belay::judge
