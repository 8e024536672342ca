// SPDX-License-Identifier: Apache-2.0
#include "profile/json.h"

#include <nlohmann/json.hpp>
#include <string>

#include "npu/names.h"

namespace belay::profile {
namespace {

using nlohmann::json;

json PipeJson(const LaunchProfile& profile, const clock::PipeTime& pipe) {
  json stalled = json::object();
  for (int cause = 0; cause < clock::kCauseCount; ++cause) {
    if (pipe.stalled[cause] == 0) continue;
    stalled[std::string(NameOf(static_cast<clock::Cause>(cause)))] =
        profile.Microseconds(pipe.stalled[cause]);
  }
  return {{"busy_us", profile.Microseconds(pipe.busy)},
          {"instructions", pipe.instructions},
          {"stalled_us", stalled}};
}

json PipesJson(const LaunchProfile& profile) {
  json pipes = json::object();
  for (int pipe = 0; pipe < clock::kPipeCount; ++pipe) {
    const auto name = static_cast<abi::Pipe>(pipe);
    const clock::PipeTime sum = SumOf(profile.time, name);
    if (sum.instructions == 0) continue;
    json entry = PipeJson(profile, sum);
    json waits = json::array();
    for (const clock::Stall& stall : profile.stalls) {
      if (stall.pipe != name) continue;
      json wait = {{"type", stall.cube ? "aic" : "aiv"},
                   {"cause", NameOf(stall.cause)},
                   {"time_us", profile.Microseconds(stall.time)},
                   {"times", stall.times}};
      if (stall.waited_for != abi::Pipe::kAll) {
        wait["waited_for"] = npu::NameOf(stall.waited_for);
      }
      waits.push_back(wait);
    }
    entry["waits"] = waits;
    pipes[std::string(npu::NameOf(name))] = entry;
  }
  return pipes;
}

json CoresJson(const LaunchProfile& profile) {
  json cores = json::array();
  for (const clock::CoreTime& core : profile.time.core_times) {
    json pipes = json::object();
    for (int pipe = 0; pipe < clock::kPipeCount; ++pipe) {
      if (core.pipes[pipe].instructions == 0) continue;
      pipes[std::string(npu::NameOf(static_cast<abi::Pipe>(pipe)))] =
          PipeJson(profile, core.pipes[pipe]);
    }
    cores.push_back({{"core", core.core},
                     {"type", core.cube ? "aic" : "aiv"},
                     {"blocks", core.blocks},
                     {"begin_us", profile.Microseconds(core.begin)},
                     {"end_us", profile.Microseconds(core.end)},
                     {"conflict_us", profile.Microseconds(core.conflict)},
                     {"bytes_read", core.bytes_read},
                     {"bytes_written", core.bytes_written},
                     {"buffer_peak", core.buffer_peak},
                     {"pipes", pipes}});
  }
  return cores;
}

json SizesJson(const clock::MoveSizes& sizes) {
  json buckets = json::array();
  for (size_t i = 0; i < sizes.buckets.size(); ++i) {
    const auto& bucket = sizes.buckets[i];
    if (bucket.moves == 0) continue;
    buckets.push_back({{"at_least", uint64_t{1} << i},
                       {"moves", bucket.moves},
                       {"bytes", bucket.bytes}});
  }
  return buckets;
}

json BoundJson(const clock::Bound& bound) {
  return {{"total_us", bound.total},
          {"binding", bound.binding()},
          {"launch_us", bound.launch},
          {"hbm_read_us", bound.hbm_read},
          {"hbm_mixed_us", bound.hbm_mixed},
          {"l2_write_us", bound.l2_write},
          {"vector_us", bound.vector},
          {"cube_us", bound.cube},
          {"compulsory_read", bound.compulsory_read},
          {"written", bound.written}};
}

json MemoryJson(const LaunchProfile& profile) {
  const clock::MemoryTotals& memory = profile.time.memory;
  const double reads =
      static_cast<double>(memory.l2_read_hits + memory.l2_read_misses);
  const double seconds = profile.Microseconds(profile.time.total) * 1e-6;
  const double hbm = static_cast<double>(memory.hbm_read + memory.hbm_written);
  return {{"hbm_read", memory.hbm_read},
          {"hbm_written", memory.hbm_written},
          {"hbm_rate", seconds == 0 ? 0 : hbm / seconds},
          {"hbm_peak", profile.hbm_peak},
          {"l2_read_hits", memory.l2_read_hits},
          {"l2_read_misses", memory.l2_read_misses},
          {"l2_hit_rate",
           reads == 0 ? 0 : static_cast<double>(memory.l2_read_hits) / reads},
          {"l2_writes", memory.l2_writes},
          {"evicted_dirty", memory.evicted_dirty},
          {"requests", memory.requests},
          {"payload", memory.payload},
          {"same_line_wait_us", profile.Microseconds(memory.same_line_wait)}};
}

json LinesJson(const LaunchProfile& profile) {
  json lines = json::array();
  for (const Line& line : profile.lines) {
    json entry = {{"pipe", npu::NameOf(line.pipe)},
                  {"operation", line.op == abi::Op::kInvalid
                                    ? std::string_view("scalar code")
                                    : npu::NameOf(line.op)},
                  {"instructions", line.instructions},
                  {"busy_us", line.busy},
                  {"stalled_us", line.stalled},
                  {"conflict_us", line.conflict},
                  {"bytes", line.bytes}};
    if (line.location.known()) {
      entry["file"] = line.location.file;
      entry["line"] = line.location.line;
    }
    lines.push_back(entry);
  }
  return lines;
}

json AdviceJson(const LaunchProfile& profile) {
  json advice = json::array();
  for (const clock::Advice& one : profile.advice) {
    json entry = one.diagnostic;
    entry["saved_us"] = one.saved;
    advice.push_back(entry);
  }
  return advice;
}

}  // namespace

json ToJson(const LaunchProfile& profile) {
  json result = {
      {"kernel", profile.kernel},
      {"simulated", true},
      {"chip", profile.chip},
      {"clock_mhz", profile.clock_mhz},
      {"blocks", profile.blocks},
      {"timing_only", profile.timing_only},
      {"l2", profile.l2 == clock::L2State::kCold ? "cold" : "warm"},
      {"total_us", profile.Microseconds(profile.time.total)},
      {"cores_us", profile.Microseconds(profile.time.cores)},
      {"launch_us", profile.Microseconds(profile.time.launch)},
      {"finish_us", profile.Microseconds(profile.time.finish)},
      {"total_cycles", clock::ToCycles(profile.time.total)},
      {"assumed_percent", profile.assumed_percent},
      {"bound", BoundJson(profile.bound)},
      {"pipes", PipesJson(profile)},
      {"cores", CoresJson(profile)},
      {"memory", MemoryJson(profile)},
      {"vector",
       {{"flops", profile.flops},
        {"rate", profile.vector_rate},
        {"peak", profile.vector_peak},
        {"share", profile.vector_share}}},
      {"cube",
       {{"flops", profile.cube_flops},
        {"rate", profile.cube_rate},
        {"peak", profile.cube_peak},
        {"share", profile.cube_share}}},
      {"buffer_bytes", profile.buffer_bytes},
      {"moves",
       {{"MTE2", SizesJson(profile.reads)},
        {"MTE3", SizesJson(profile.writes)}}},
      {"lines", LinesJson(profile)},
      {"advice", AdviceJson(profile)},
  };
  if (profile.model_error) {
    const clock::ModelError& error = *profile.model_error;
    result["model_error"] = {
        {"chip", error.chip},
        {"rows", error.rows},
        {"median_percent", error.median_percent},
        {"worst_percent", error.worst_percent},
        {"leave_one_out_median_percent", error.leave_one_out_median_percent}};
  }
  return result;
}

}  // namespace belay::profile
