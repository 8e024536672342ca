// SPDX-License-Identifier: Apache-2.0
#include "profile/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <utility>
#include <vector>

#include "npu/names.h"

namespace belay::profile {
namespace {

constexpr size_t kLines = 8;
constexpr double kLeastPercent = 0.5;  // of the cores' time, for a line
constexpr size_t kAdvice = 5;
constexpr size_t kCauses = 3;  // of a pipe's stalls

double Percent(double part, double whole) {
  return whole <= 0 ? 0 : 100 * part / whole;
}

std::string Bytes(double bytes) {
  const char* const units[] = {"bytes", "KB", "MB", "GB", "TB"};
  int unit = 0;
  while (bytes >= 1024 && unit < 4) {
    bytes /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes,
                     unit == 0 || bytes >= 100 ? 0 : (bytes >= 10 ? 1 : 2),
                     units[unit]);
}

// Powers of ten, as bandwidths are quoted.
std::string Rate(double per_second, const char* unit) {
  const char* const prefixes[] = {"", "k", "M", "G", "T"};
  int prefix = 0;
  while (per_second >= 1000 && prefix < 4) {
    per_second /= 1000;
    ++prefix;
  }
  return fmt::format("{:.3g} {}{}", per_second, prefixes[prefix], unit);
}

std::string TitleText(const LaunchProfile& profile) {
  std::string text = fmt::format(
      "{}: simulated, {} at {:.0f} MHz; {}\n", profile.kernel, profile.title,
      profile.clock_mhz,
      profile.model_error ? "model error " + clock::ToText(*profile.model_error)
                          : std::string("the model was not calibrated"));
  if (profile.model_error && profile.model_error->chip != profile.chip) {
    text += fmt::format(
        "measurements were published for {} only; {} is extrapolated\n",
        profile.model_error->chip, profile.chip);
  }
  if (profile.timing_only) {
    text += "timing only: no values were computed\n";
  }
  return text;
}

// "8 of 48 vector cores", "4 of 24 cube and 8 of 48 vector cores".
std::string CoresText(const LaunchProfile& profile) {
  const int cubes = CoresOf(profile.time, true);
  const int vectors = CoresOf(profile.time, false);
  std::string text;
  if (cubes > 0) {
    text = fmt::format("{} of {} cube", cubes, profile.cube_cores);
    if (vectors > 0) text += " and ";
  }
  if (cubes == 0 || vectors > 0) {
    text += fmt::format("{} of {} vector", vectors, profile.vector_cores);
  }
  return text + " cores";
}

std::string TimeText(const LaunchProfile& profile) {
  const double total = profile.Microseconds(profile.time.total);
  const double cores = profile.Microseconds(profile.time.cores);
  std::string text = fmt::format(
      "\n  task      {:>10.2f} µs   {} blocks on {}, {} L2\n"
      "  cores     {:>10.2f} µs   first start to last end\n"
      "  launch    {:>10.2f} µs   {:.1f} % of the task\n"
      "  bound     {:>10.2f} µs   {}; the task takes {:.2f} times as long\n",
      total, profile.blocks, CoresText(profile),
      profile.l2 == clock::L2State::kCold ? "cold" : "warm", cores,
      total - cores, Percent(total - cores, total), profile.bound.total,
      profile.bound.binding(), total / profile.bound.total);
  text += fmt::format(
      "  assumed   {:>10.1f} %    of the time rests on constants "
      "that nobody published\n",
      profile.assumed_percent);
  return text;
}

// What a pipe stood idle for, longest first; times are means of the cores.
std::string StallText(const LaunchProfile& profile, abi::Pipe pipe, bool cube,
                      const clock::PipeTime& sum, double cores) {
  std::vector<std::pair<clock::Ticks, std::string>> causes;
  std::array<clock::Ticks, clock::kCauseCount> rest = sum.stalled;
  for (const clock::Stall& stall : profile.stalls) {
    if (stall.pipe != pipe || stall.cube != cube ||
        stall.waited_for == abi::Pipe::kAll) {
      continue;
    }
    causes.emplace_back(stall.time, fmt::format("{} {}", NameOf(stall.cause),
                                                npu::NameOf(stall.waited_for)));
    rest[static_cast<int>(stall.cause)] -= stall.time;
  }
  for (int cause = 0; cause < clock::kCauseCount; ++cause) {
    causes.emplace_back(rest[cause], NameOf(static_cast<clock::Cause>(cause)));
  }
  std::ranges::stable_sort(causes, std::greater<>(),
                           [](const auto& cause) { return cause.first; });
  std::string text;
  for (size_t i = 0; i < std::min(kCauses, causes.size()); ++i) {
    const double time = profile.Microseconds(causes[i].first) / cores;
    if (time < 0.005) break;
    text += fmt::format("{}{} {:.2f}", text.empty() ? "" : ", ",
                        causes[i].second, time);
  }
  return text;
}

// Times are means over the cores of a type that worked.
std::string PipeText(const LaunchProfile& profile, bool cube,
                     const char* which) {
  const double cores = std::max(1, CoresOf(profile.time, cube));
  const double whole = profile.Microseconds(profile.time.cores);
  std::string text = fmt::format(
      "\n  pipe   busy µs   busy %  instructions   idle µs, and what for "
      "(mean of the {}cores)\n",
      which);
  for (int pipe = 0; pipe < clock::kPipeCount; ++pipe) {
    const auto name = static_cast<abi::Pipe>(pipe);
    const clock::PipeTime sum = SumOf(profile.time, name, cube);
    if (sum.instructions == 0) continue;
    const double busy = profile.Microseconds(sum.busy) / cores;
    double stalled = 0;
    for (const clock::Ticks ticks : sum.stalled) {
      stalled += profile.Microseconds(ticks) / cores;
    }
    text += fmt::format("  {:<5}{:>9.2f}{:>9.1f}{:>14}{:>10.2f}   {}\n",
                        npu::NameOf(name), busy, Percent(busy, whole),
                        sum.instructions, stalled,
                        StallText(profile, name, cube, sum, cores));
  }
  return text;
}

std::string PipeText(const LaunchProfile& profile) {
  const bool cubes = CoresOf(profile.time, true) > 0;
  const bool vectors = CoresOf(profile.time, false) > 0;
  if (!cubes || !vectors) return PipeText(profile, cubes, "");
  return PipeText(profile, true, "cube ") + PipeText(profile, false, "vector ");
}

std::string BalanceText(const LaunchProfile& profile) {
  const clock::CoreTime* slowest = nullptr;
  const clock::CoreTime* fastest = nullptr;
  double sum = 0;
  for (const clock::CoreTime& core : profile.time.core_times) {
    const clock::Ticks time = core.end - core.begin;
    sum += profile.Microseconds(time);
    if (!slowest || time > slowest->end - slowest->begin) slowest = &core;
    if (!fastest || time < fastest->end - fastest->begin) fastest = &core;
  }
  if (slowest == nullptr) return {};
  const auto name = [](const clock::CoreTime& core) {
    return fmt::format("{} {}", core.cube ? "aic" : "aiv", core.core);
  };
  return fmt::format(
      "\n  balance   slowest {:.2f} µs ({}), fastest {:.2f} µs ({}), mean "
      "{:.2f} µs\n",
      profile.Microseconds(slowest->end - slowest->begin), name(*slowest),
      profile.Microseconds(fastest->end - fastest->begin), name(*fastest),
      sum / static_cast<double>(profile.time.core_times.size()));
}

// The most of a memory that a core of a type has in buffers.
std::string BufferText(const LaunchProfile& profile, bool cube,
                       const char* name, uint64_t bytes) {
  uint64_t peak = 0;
  for (const clock::CoreTime& core : profile.time.core_times) {
    if (core.cube == cube) peak = std::max(peak, core.buffer_peak);
  }
  return fmt::format(
      "  {}        {} of {} in use at most ({:.0f} %)\n", name,
      Bytes(static_cast<double>(peak)), Bytes(static_cast<double>(bytes)),
      Percent(static_cast<double>(peak), static_cast<double>(bytes)));
}

std::string MemoryText(const LaunchProfile& profile) {
  const clock::MemoryTotals& memory = profile.time.memory;
  uint64_t read = 0;
  uint64_t written = 0;
  for (const clock::CoreTime& core : profile.time.core_times) {
    read += core.bytes_read;
    written += core.bytes_written;
  }
  const double seconds = profile.Microseconds(profile.time.total) * 1e-6;
  const double hbm = static_cast<double>(memory.hbm_read + memory.hbm_written);
  const double asked = static_cast<double>(read + written);
  const double l2 =
      static_cast<double>(memory.l2_read_hits + memory.l2_read_misses);
  std::string text = fmt::format(
      "  memory    {} read, {} written, {}; L2 hits {:.1f} % of the reads\n"
      "  HBM       {} read, {} written, {}: {:.1f} % of the best published "
      "{}\n",
      Bytes(static_cast<double>(read)), Bytes(static_cast<double>(written)),
      Rate(asked / seconds, "B/s"),
      Percent(static_cast<double>(memory.l2_read_hits), l2),
      Bytes(static_cast<double>(memory.hbm_read)),
      Bytes(static_cast<double>(memory.hbm_written)),
      Rate(hbm / seconds, "B/s"), Percent(hbm / seconds, profile.hbm_peak),
      Rate(profile.hbm_peak, "B/s"));
  if (profile.flops != 0) {
    text += fmt::format("  vector    {}: {:.2f} % of the peak {}\n",
                        Rate(profile.vector_rate, "FLOP/s"),
                        100 * profile.vector_share,
                        Rate(profile.vector_peak, "FLOP/s"));
  }
  if (profile.cube_flops != 0) {
    text +=
        fmt::format("  cube      {}: {:.2f} % of the peak {}\n",
                    Rate(profile.cube_rate, "FLOP/s"), 100 * profile.cube_share,
                    Rate(profile.cube_peak, "FLOP/s"));
  }
  const bool cubes = CoresOf(profile.time, true) > 0;
  const bool vectors = CoresOf(profile.time, false) > 0;
  if (vectors || !cubes) {
    text += BufferText(profile, false, "UB", profile.buffer_bytes);
  }
  if (cubes) text += BufferText(profile, true, "L1", profile.l1_bytes);
  clock::Ticks conflict = 0;
  for (const clock::CoreTime& core : profile.time.core_times) {
    conflict += core.conflict;
  }
  const clock::Ticks vector = SumOf(profile.time, abi::Pipe::kV).busy;
  if (vector != 0) {
    text += fmt::format(
        "  banks     conflicts take {:.1f} % of V's time\n",
        Percent(static_cast<double>(conflict), static_cast<double>(vector)));
  }
  return text;
}

std::string BucketName(size_t bucket) {
  const double low = static_cast<double>(uint64_t{1} << bucket);
  return bucket == 0 ? "1 byte" : Bytes(low) + " …";
}

std::string MovesText(const LaunchProfile& profile) {
  if (profile.reads.moves + profile.writes.moves == 0) return {};
  std::string text =
      "\n  bytes per move     MTE2 moves    bytes     MTE3 moves    bytes\n";
  for (size_t i = 0; i < profile.reads.buckets.size(); ++i) {
    const auto& read = profile.reads.buckets[i];
    const auto& write = profile.writes.buckets[i];
    if (read.moves + write.moves == 0) continue;
    const auto cell = [](uint64_t part, uint64_t whole) {
      return part == 0
                 ? std::string("-")
                 : fmt::format("{:.1f} %", Percent(static_cast<double>(part),
                                                   static_cast<double>(whole)));
    };
    text += fmt::format("  {:<18}{:>11}{:>9}{:>15}{:>9}\n", BucketName(i),
                        cell(read.moves, profile.reads.moves),
                        cell(read.bytes, profile.reads.bytes),
                        cell(write.moves, profile.writes.moves),
                        cell(write.bytes, profile.writes.bytes));
  }
  return text;
}

std::string PlaceText(const SourceLocation& location) {
  if (!location.known()) return "(no line)";
  return fmt::format("{}:{}",
                     std::filesystem::path(location.file).filename().string(),
                     location.line);
}

std::string LinesText(const LaunchProfile& profile) {
  if (profile.lines.empty()) return {};
  const double cores =
      static_cast<double>(std::max<size_t>(1, profile.time.core_times.size()));
  std::string text =
      "\n  line                      pipe  operation           times   busy µs "
      " "
      "idle before µs\n";
  for (size_t i = 0; i < std::min(kLines, profile.lines.size()); ++i) {
    const Line& line = profile.lines[i];
    const double share =
        Percent(line.busy, cores * profile.Microseconds(profile.time.cores));
    if (share < kLeastPercent) break;
    text += fmt::format(
        "  {:<26}{:<6}{:<17}{:>8}{:>10.2f}{:>16.2f}\n",
        PlaceText(line.location), npu::NameOf(line.pipe),
        line.op == abi::Op::kInvalid ? std::string_view("scalar code")
                                     : npu::NameOf(line.op),
        line.instructions, line.busy / cores, line.stalled / cores);
  }
  return text;
}

std::string AdviceText(const LaunchProfile& profile) {
  std::string text;
  for (size_t i = 0; i < std::min(kAdvice, profile.advice.size()); ++i) {
    const clock::Advice& advice = profile.advice[i];
    const Diagnostic& diagnostic = advice.diagnostic;
    text += fmt::format("\n  {}: {} [{}]\n      fix: {}\n",
                        PlaceText(diagnostic.location), diagnostic.message,
                        diagnostic.code, diagnostic.fix);
  }
  if (profile.advice.size() > kAdvice) {
    text += fmt::format("\n  {} more with --json\n",
                        profile.advice.size() - kAdvice);
  }
  if (!text.empty()) {
    return "\n  advice, largest gain first (simulated)\n" + text;
  }
  const bool at_bound = profile.Microseconds(profile.time.total) <=
                        clock::kAtBound * profile.bound.total;
  return fmt::format("\n  no advice: {}\n",
                     at_bound ? "the launch is at its bound"
                              : "nothing was found that saves 2 % or more");
}

}  // namespace

std::string ToText(const LaunchProfile& profile) {
  return TitleText(profile) + TimeText(profile) + PipeText(profile) +
         BalanceText(profile) + MemoryText(profile) + MovesText(profile) +
         LinesText(profile) + AdviceText(profile);
}

}  // namespace belay::profile
