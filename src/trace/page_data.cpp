// SPDX-License-Identifier: Apache-2.0
#include "trace/page_data.h"

#include <algorithm>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>

#include "npu/names.h"

namespace belay::trace {
namespace {

using clock::Ticks;
using nlohmann::json;

std::string RowNumbers(const Row& row) {
  Numbers numbers;
  Ticks end = 0;
  int block = 0;
  for (const Slice& slice : row) {
    numbers.Add(static_cast<uint64_t>(slice.start - end));
    numbers.Add(static_cast<uint64_t>(slice.end - slice.start));
    numbers.Add(slice.kind);
    numbers.AddSigned(slice.block - block);
    numbers.AddSigned(slice.start - slice.issued);
    numbers.Add(static_cast<uint64_t>(slice.stall));
    numbers.Add(static_cast<uint64_t>(slice.cause) << 3 |
                static_cast<uint64_t>(slice.waited_for));
    numbers.Add(static_cast<uint64_t>(slice.conflict));
    numbers.Add(static_cast<uint64_t>(slice.contention));
    end = slice.end;
    block = slice.block;
  }
  return numbers.Base64();
}

bool IsCut(const Timeline& timeline) {
  return timeline.cut() < std::numeric_limits<Ticks>::max();
}

// Busy share of each bin, 0 to 255.
std::string ActivityBytes(const Activity& activity) {
  std::string bytes;
  for (const Ticks busy : activity.bins()) {
    // Rows that overlap can be busier than time itself.
    const Ticks share = std::min(busy, activity.width());
    bytes.push_back(static_cast<char>(share * 255 / activity.width()));
  }
  return Base64(bytes);
}

json PipesOf(const CoreRows& rows, bool cut, const clock::CoreTime* time) {
  json pipes = json::array();
  for (int i = 0; i < clock::kPipeCount; ++i) {
    const auto pipe = static_cast<size_t>(i);
    const PipeRows& drawn = rows.pipes[pipe];
    if (drawn.activity.bins().empty() && drawn.rows.empty()) continue;
    json entry{{"pipe", i}, {"rows", json::array()}};
    for (const Row& row : drawn.rows) {
      entry["rows"].push_back(
          {{"count", row.size()}, {"data", RowNumbers(row)}});
    }
    if (!rows.kept || cut) {
      entry["activity"] = {{"width", drawn.activity.width()},
                           {"data", ActivityBytes(drawn.activity)}};
    }
    if (time != nullptr) {
      const clock::PipeTime& total = time->pipes[pipe];
      entry["busy"] = total.busy;
      entry["instructions"] = total.instructions;
      entry["stalled"] = total.stalled;
    }
    pipes.push_back(std::move(entry));
  }
  return pipes;
}

// Arrows name slices by their number in the core, rows one after the other.
std::string ArrowNumbers(const CoreRows& core) {
  std::map<std::pair<abi::Pipe, uint32_t>, uint64_t> first;
  uint64_t count = 0;
  for (size_t pipe = 0; pipe < core.pipes.size(); ++pipe) {
    for (uint32_t row = 0; row < core.pipes[pipe].rows.size(); ++row) {
      first[{static_cast<abi::Pipe>(pipe), row}] = count;
      count += core.pipes[pipe].rows[row].size();
    }
  }
  const auto number = [&](const SliceRef& ref) {
    return first[{ref.pipe, ref.row}] + ref.index;
  };
  Numbers numbers;
  for (const Arrow& arrow : core.arrows) {
    numbers.Add(number(arrow.from));
    numbers.Add(number(arrow.to));
    numbers.Add(static_cast<uint64_t>(arrow.flow.set));
    numbers.AddSigned(arrow.flow.met - arrow.flow.set);
    numbers.Add(uint64_t{arrow.flow.id} << 1 | arrow.flow.by_queue);
  }
  return numbers.Base64();
}

json LevelsOf(const CoreRows& core) {
  json memories = json::array();
  for (const auto& [memory, levels] : core.levels) {
    Numbers numbers;
    Ticks last = 0;
    uint64_t peak = 0;
    for (const BufferLevel& level : levels) {
      numbers.Add(static_cast<uint64_t>(level.at - last));
      numbers.Add(level.bytes);
      last = level.at;
      peak = std::max(peak, level.bytes);
    }
    memories.push_back({{"memory", npu::NameOf(memory)},
                        {"peak", peak},
                        {"count", levels.size()},
                        {"data", numbers.Base64()}});
  }
  return memories;
}

json CoresOf(const Timeline& timeline, const clock::LaunchTime& time) {
  std::map<CoreId, const clock::CoreTime*> times;
  for (const clock::CoreTime& core : time.core_times) {
    times[CoreId{core.cube, core.core}] = &core;
  }
  json cores = json::array();
  for (const auto& [id, rows] : timeline.cores()) {
    const auto found = times.find(id);
    const clock::CoreTime* core_time =
        found == times.end() ? nullptr : found->second;
    json entry{{"name", CoreName(id.core, id.cube)},
               {"cube", id.cube},
               {"kept", rows.kept},
               {"slices", rows.slices},
               {"pipes", PipesOf(rows, IsCut(timeline), core_time)},
               {"arrow_count", rows.arrows.size()},
               {"arrows", ArrowNumbers(rows)},
               {"levels", LevelsOf(rows)}};
    if (core_time != nullptr) {
      entry["blocks"] = core_time->blocks;
      entry["begin"] = core_time->begin;
      entry["end"] = core_time->end;
    }
    cores.push_back(std::move(entry));
  }
  return cores;
}

json KindsOf(const Timeline& timeline,
             const std::map<uint64_t, size_t>& place_index) {
  json kinds = json::array();
  for (const SliceKind& kind : timeline.kinds()) {
    const auto place = place_index.find(kind.place);
    json sizes = json::object();
    for (const auto& [name, size] : kind.sizes) sizes[std::string(name)] = size;
    kinds.push_back(
        {{"name", kind.name},
         {"category", kind.category},
         {"place", place == place_index.end() ? json(-1) : json(place->second)},
         {"sizes", std::move(sizes)}});
  }
  return kinds;
}

json SamplesOf(const Timeline& timeline) {
  Numbers numbers;
  Ticks last = 0;
  for (const clock::MemorySample& sample : timeline.samples()) {
    numbers.Add(static_cast<uint64_t>(sample.begin - last));
    numbers.Add(sample.hbm_read);
    numbers.Add(sample.hbm_written);
    numbers.Add(sample.l2_hit);
    last = sample.begin;
  }
  return {{"width", clock::kSampleTicks},
          {"count", timeline.samples().size()},
          {"data", numbers.Base64()}};
}

}  // namespace

void Numbers::Add(uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<char>(value));
}

void Numbers::AddSigned(int64_t value) {
  Add(static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63));
}

std::string Numbers::Base64() const { return trace::Base64(bytes_); }

std::string Base64(const std::string& bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t at = 0; at < bytes.size(); at += 3) {
    uint32_t group = 0;
    for (size_t i = 0; i < 3; ++i) {
      const size_t from = at + i;
      group = group << 8 |
              (from < bytes.size() ? static_cast<uint8_t>(bytes[from]) : 0u);
    }
    for (size_t i = 0; i < 4; ++i) {
      const bool padding = at + i > bytes.size();
      text.push_back(padding ? '=' : kDigits[group >> (18 - 6 * i) & 63]);
    }
  }
  return text;
}

json LaunchForPage(const clock::LaunchLog& log, const clock::LaunchTime& time,
                   const Timeline& timeline) {
  std::map<uint64_t, size_t> place_index;
  json places = json::array();
  for (const SliceKind& kind : timeline.kinds()) {
    const auto place = log.places.find(kind.place);
    if (place == log.places.end() || !place->second.known()) continue;
    if (!place_index.try_emplace(kind.place, places.size()).second) continue;
    places.push_back({{"file", place->second.file},
                      {"line", place->second.line},
                      {"function", place->second.function}});
  }
  return {{"kernel", log.kernel},
          {"blocks", log.blocks},
          {"timing_only", log.timing_only},
          {"total", time.total},
          {"launch", time.launch},
          {"finish", time.finish},
          {"cores_time", time.cores},
          {"given", timeline.given()},
          {"kept", timeline.kept()},
          {"cut", IsCut(timeline) ? json(timeline.cut()) : json(nullptr)},
          {"places", std::move(places)},
          {"kinds", KindsOf(timeline, place_index)},
          {"cores", CoresOf(timeline, time)},
          {"memory", SamplesOf(timeline)}};
}

}  // namespace belay::trace
