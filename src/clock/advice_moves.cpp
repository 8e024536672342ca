// SPDX-License-Identifier: Apache-2.0
// Rules about moves between global and on-chip memory.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/catalogue.h"
#include "clock/advice_rules.h"
#include "clock/iterations.h"
#include "clock/l2_cache.h"
#include "clock/touched_sectors.h"
#include "clock/what_if.h"
#include "npu/chip_spec.h"
#include "npu/names.h"

namespace belay::clock {
namespace {

// The size from which moves reach full bandwidth, by the vendor's own guide.
constexpr double kGoodMove = 16 * 1024;

bool IsMove(const SiteFigures& site) {
  return site.kind == Kind::kMove && site.pipe != abi::Pipe::kS;
}

double BytesPerMove(const SiteFigures& site) {
  return static_cast<double>(site.bytes) /
         static_cast<double>(std::max<uint64_t>(1, site.instructions));
}

// What an enlarged tile may be, given what the kernel's buffers take already.
uint32_t RoomFor(const Advisor& advisor) {
  uint64_t peak = 0;
  for (const CoreTime& core : advisor.profiled().time.core_times) {
    if (!core.cube) peak = std::max(peak, core.buffer_peak);
  }
  const uint64_t ub =
      npu::LoadChip(advisor.profiled().log.chip).BytesOf(abi::Memory::kUb);
  return peak == 0 ? 64 : static_cast<uint32_t>(ub / peak);
}

// Loads whose lines are loaded once only, and not past the L2 cache already.
Places StreamedOnce(const Advisor& advisor) {
  struct Load {
    TouchedSectors distinct;
    uint64_t all = 0;
    bool bypass = false;
  };
  constexpr uint64_t kSector = TouchedSectors::kBytes;
  std::map<uint64_t, Load> loads;
  TouchedSectors written;
  for (const BlockLog& block : advisor.log().logs) {
    Sequence::Cursor cursor(block.records);
    Record record;
    while (cursor.Next(record)) {
      if (record.kind != Kind::kMove) continue;
      const MoveWork& move = record.move;
      uint64_t address = move.address;
      for (uint32_t burst = 0; burst < move.bursts; ++burst) {
        if (record.pipe == abi::Pipe::kMte2) {
          Load& load = loads[record.place];
          load.distinct.Mark(address, move.burst_bytes);
          load.all += (address + move.burst_bytes - 1) / kSector -
                      address / kSector + 1;
          load.bypass |= (move.flags & MoveWork::kBypassL2) != 0;
        } else {
          written.Mark(address, move.burst_bytes);
        }
        address += static_cast<uint64_t>(move.stride);
      }
    }
  }
  Places places;
  for (const auto& [place, load] : loads) {
    const bool once = load.all <= load.distinct.count() * 21 / 20;
    const bool input = load.distinct.CountCommon(written) == 0;
    if (once && input && !load.bypass) places.insert(place);
  }
  return places;
}

}  // namespace

void AdviseLargerMoves(Advisor& advisor) {
  const auto anchor = FindMainLoop(advisor.log());
  if (!anchor) return;
  const SiteFigures* site = nullptr;
  for (const SiteFigures& candidate : advisor.sites()) {
    if (IsMove(candidate) && candidate.place == *anchor) site = &candidate;
  }
  if (site == nullptr || BytesPerMove(*site) >= kGoodMove) return;
  uint32_t times = 1;
  while (BytesPerMove(*site) * times < kGoodMove) times *= 2;
  while (times > std::max(1u, RoomFor(advisor))) times /= 2;
  if (times < 2) return;
  const auto larger = WithLargerTiles(advisor.log(), times);
  if (!larger) return;
  const double saved = advisor.Saved(*larger);
  const double now = advisor.Microseconds(advisor.profiled().time.total);
  advisor.Add(
      code::kP101, site->place, saved,
      fmt::format(
          "{} of {} reach {:.0f} % of the speed that {} reach; those "
          "would save {:.1f} µs",
          npu::NameOf(site->op) == "DataCopyPad" ? "padded moves" : "moves",
          SizeText(BytesPerMove(*site)), 100 * (now - saved) / now,
          SizeText(BytesPerMove(*site) * times), saved),
      fmt::format("work on tiles {} times as large in each pass of the loop",
                  times));
}

void AdviseAlignment(Advisor& advisor) {
  for (const SiteFigures& site : advisor.sites()) {
    const uint64_t lines = site.bytes / kLineBytes + site.extra_lines;
    if (!IsMove(site) || site.extra_lines * 20 < lines) continue;
    const double saved =
        advisor.Saved(WithAlignedMoves(advisor.log(), {site.place}));
    const double rows = static_cast<double>(site.bursts);
    advisor.Add(
        code::kP102, site.place, saved,
        fmt::format("rows of {} that begin in the middle of 512-byte lines "
                    "touch {:.2g} lines each instead of {:.2g}: aligned, they "
                    "would save {:.1f} µs",
                    SizeText(static_cast<double>(site.bytes) / rows),
                    static_cast<double>(lines) / rows,
                    static_cast<double>(lines - site.extra_lines) / rows,
                    saved),
        "let rows in global memory begin at multiples of 512 bytes: pad the "
        "row length, or cut tiles where lines end");
  }
}

void AdviseBypass(Advisor& advisor) {
  const MemoryTotals& memory = advisor.profiled().time.memory;
  if (memory.evicted_dirty == 0) return;
  const Places places = StreamedOnce(advisor);
  if (places.empty()) return;
  const double saved =
      advisor.SavedOnAll(WithBypass(advisor.profiled().log, places));
  uint64_t place = advisor.MainMove();
  if (!places.contains(place)) place = *places.begin();
  advisor.Add(
      code::kP109, place, saved,
      fmt::format("inputs that are read once take room in the L2 cache and "
                  "push {} of results out to HBM; past the cache they would "
                  "save {:.1f} µs",
                  SizeText(static_cast<double>(memory.evicted_dirty)), saved),
      "call SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE) on the input's "
      "GlobalTensor");
}

void AdviseStaggering(Advisor& advisor) {
  const LaunchTime& time = advisor.profiled().time;
  const double share = advisor.Microseconds(time.memory.same_line_wait) /
                       std::max(1e-9, advisor.CoreMicroseconds());
  if (share < 0.02) return;
  const auto staggered = Staggered(advisor.log());
  if (!staggered) return;
  const double saved = advisor.Saved(*staggered);
  const SiteFigures* site = nullptr;
  for (const SiteFigures& candidate : advisor.sites()) {
    if (IsMove(candidate) &&
        (site == nullptr || candidate.contention > site->contention)) {
      site = &candidate;
    }
  }
  if (site == nullptr) return;
  advisor.Add(
      code::kP110, site->place, saved,
      fmt::format("blocks read the same 512-byte lines at the same time, and "
                  "one waits for the other for {:.0f} % of the cores' time; "
                  "begun at different points they would save {:.1f} µs",
                  100 * share, saved),
      "let block i begin at another tile than its neighbours and go round: "
      "(tile + GetBlockIdx() * tiles / GetBlockNum()) % tiles");
}

}  // namespace belay::clock
