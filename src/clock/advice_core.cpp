// SPDX-License-Identifier: Apache-2.0
// Rules about what happens inside a core.

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/catalogue.h"
#include "clock/advice_rules.h"
#include "clock/what_if.h"
#include "npu/chip_spec.h"
#include "npu/names.h"

namespace belay::clock {
namespace {

constexpr double kWorthALook = 0.02;  // share of the cores' time
constexpr size_t kMostSites = 3;      // looked at one by one

double ShareOf(const Advisor& advisor, Ticks ticks) {
  return advisor.Microseconds(ticks) /
         std::max(1e-9, advisor.CoreMicroseconds());
}

// What of a vector site's time is not its repeats.
Ticks StartTime(const Advisor& advisor, const SiteFigures& site) {
  const VectorCost& cost = advisor.profiled().spec.vector_costs()[site.cost];
  if (cost.per_unit) return 0;
  const Ticks repeats =
      FromCycles(static_cast<double>(site.repeats) * cost.slope.value);
  return std::max<Ticks>(0, site.busy - site.conflict - repeats);
}

// Which accesses meet, and where an operand should lie instead.
std::pair<std::string, std::string> ExplainConflict(const SiteFigures& site) {
  const double per_repeat =
      static_cast<double>(site.conflict_cycles) /
      static_cast<double>(std::max<uint64_t>(1, site.repeats));
  if (site.delayed_repeats > site.conflict_cycles) {
    return {"reads and writes meet in one bank, out of step",
            "let the result lie at an address that differs from the source's "
            "by a multiple of 256 bytes, or 64 KB away in another bank"};
  }
  if (per_repeat > 1.01) {
    return {fmt::format("blocks of one operand lie in one bank group, {:.2g} "
                        "in turn for each repeat",
                        per_repeat + 1),
            "choose another block stride: blocks 512 bytes apart share a bank "
            "group (an odd stride in 32-byte blocks meets none)"};
  }
  return {"both sources begin in the same half of the 16 bank groups",
          "let one source begin 256 bytes further: an address that differs "
          "from the other's by an odd multiple of 256 bytes"};
}

}  // namespace

void AdviseBanks(Advisor& advisor) {
  size_t looked = 0;
  for (const SiteFigures& site : advisor.sites()) {
    if (site.pipe != abi::Pipe::kV ||
        ShareOf(advisor, site.conflict) < kWorthALook / 2) {
      continue;
    }
    if (++looked > kMostSites) break;
    const double saved =
        advisor.Saved(WithoutConflicts(advisor.log(), {site.place}));
    const auto [why, fix] = ExplainConflict(site);
    advisor.Add(
        code::kP103, site.place, saved,
        fmt::format("{} loses {:.0f} % of its time to UB bank conflicts ({}); "
                    "without them it would save {:.1f} µs",
                    npu::NameOf(site.op),
                    100.0 * static_cast<double>(site.conflict) /
                        static_cast<double>(std::max<Ticks>(1, site.busy)),
                    why, saved),
        fix);
  }
}

void AdviseSecondBuffers(Advisor& advisor) {
  Ticks waited = 0;
  for (const Stall& stall : advisor.profiled().statistics.Stalls()) {
    const bool back =
        stall.cause == Cause::kFlag &&
        ((stall.pipe == abi::Pipe::kMte2 &&
          (stall.waited_for == abi::Pipe::kV ||
           stall.waited_for == abi::Pipe::kMte3)) ||
         (stall.pipe == abi::Pipe::kV && stall.waited_for == abi::Pipe::kMte3));
    if (back) waited += stall.time;
  }
  if (ShareOf(advisor, waited) < kWorthALook) return;
  const double saved = advisor.Saved(WithSecondBuffers(advisor.log()));
  uint64_t peak = 0;
  for (const CoreTime& core : advisor.profiled().time.core_times) {
    if (!core.cube) peak = std::max(peak, core.buffer_peak);
  }
  const bool fits =
      2 * peak <=
      npu::LoadChip(advisor.profiled().log.chip).BytesOf(abi::Memory::kUb);
  advisor.Add(
      code::kP104, advisor.MainMove(), saved,
      fmt::format("loads and stores wait for {:.0f} % of the cores' time until "
                  "a buffer is free instead of overlapping with vector work; "
                  "a second buffer would save {:.1f} µs",
                  100 * ShareOf(advisor, waited), saved),
      fits ? "give the queues two buffers: InitBuffer(queue, 2, bytes)"
           : "give the queues two buffers, InitBuffer(queue, 2, bytes), of "
             "half the size: together they would not fit");
}

void AdviseScalarLoops(Advisor& advisor) {
  std::map<uint64_t, SiteFigures> loops;
  for (const SiteFigures& site : advisor.sites()) {
    if (site.pipe != abi::Pipe::kS || site.local_accesses == 0) continue;
    SiteFigures& sum = loops[site.place];
    sum.place = site.place;
    sum.busy += site.busy;
    sum.local_accesses += site.local_accesses;
  }
  for (const auto& [place, loop] : loops) {
    if (ShareOf(advisor, loop.busy) < kWorthALook) continue;
    const double saved = advisor.Saved(
        WithVectorLoops(advisor.log(), {place}, advisor.profiled().spec));
    advisor.Add(
        code::kP105, place, saved,
        fmt::format("{} accesses to single elements (GetValue, SetValue) keep "
                    "the scalar unit busy for {:.0f} % of the cores' time; "
                    "vector instructions would save {:.1f} µs",
                    loop.local_accesses, 100 * ShareOf(advisor, loop.busy),
                    saved),
        "replace the loop over elements by vector instructions over the whole "
        "tensor");
  }
}

void AdviseLongerVectors(Advisor& advisor) {
  Places places;
  const SiteFigures* worst = nullptr;
  Ticks starts = 0;
  for (const SiteFigures& site : advisor.sites()) {
    if (site.pipe != abi::Pipe::kV || site.kind != Kind::kVector) continue;
    const Ticks start = StartTime(advisor, site);
    if (2 * start < site.busy) continue;
    places.insert(site.place);
    starts += start;
    if (worst == nullptr || start > StartTime(advisor, *worst)) worst = &site;
  }
  if (worst == nullptr || ShareOf(advisor, starts) < kWorthALook) return;
  const uint32_t most =
      npu::LoadChip(advisor.profiled().log.chip).limits.repeat;
  const double saved =
      advisor.Saved(WithMergedVectors(advisor.log(), places, most));
  advisor.Add(
      code::kP111, worst->place, saved,
      fmt::format("{} of {:.3g} repeats each spend {:.0f} % of their time "
                  "starting; fewer, longer ones would save {:.1f} µs",
                  npu::NameOf(worst->op),
                  static_cast<double>(worst->repeats) /
                      static_cast<double>(worst->instructions),
                  100.0 * static_cast<double>(StartTime(advisor, *worst)) /
                      static_cast<double>(std::max<Ticks>(1, worst->busy)),
                  saved),
      "let one instruction work on several rows: repeatTime and strides, or "
      "count over the whole tensor");
}

void AdviseFullBarriers(Advisor& advisor) {
  std::map<uint64_t, uint64_t> barriers;
  for (const BlockLog& block : advisor.log().logs) {
    block.records.ForEachFolded([&](const Record& record, uint64_t times) {
      if (record.kind == Kind::kBarrier &&
          record.sync.from == abi::Pipe::kAll) {
        barriers[record.place] += times;
      }
    });
  }
  Places places;
  uint64_t most = 0;
  uint64_t worst = 0;
  for (const auto& [place, times] : barriers) {
    if (times <= advisor.log().logs.size()) continue;  // once in a block
    places.insert(place);
    if (times > most) worst = place;
    most = std::max(most, times);
  }
  if (places.empty()) return;
  const double saved =
      advisor.Saved(WithoutFullBarriers(advisor.log(), places));
  advisor.Add(
      code::kP112, worst, saved,
      fmt::format("PipeBarrier<PIPE_ALL> lets loads, vector work and stores "
                  "run one after the other; flags and two buffers would save "
                  "{:.1f} µs",
                  saved),
      "synchronise only the pipes that share data: queues (TQue) with two "
      "buffers, or SetFlag and WaitFlag");
}

void AdviseReductions(Advisor& advisor) {
  for (const SiteFigures& site : advisor.sites()) {
    const bool whole = site.op == abi::Op::kWholeReduceMax ||
                       site.op == abi::Op::kWholeReduceMin ||
                       site.op == abi::Op::kWholeReduceSum;
    if (!whole || site.pipe != abi::Pipe::kV ||
        ShareOf(advisor, site.busy) < kWorthALook) {
      continue;
    }
    const double saved = advisor.Saved(WithBlockReductions(
        advisor.log(), {site.place}, advisor.profiled().spec));
    const std::string name(npu::NameOf(site.op));
    const std::string block = "Block" + name.substr(5);
    advisor.Add(
        code::kP113, site.place, saved,
        fmt::format("{} takes {:.0f} % of the cores' time at several cycles a "
                    "repeat; two {} would save {:.1f} µs",
                    name, 100 * ShareOf(advisor, site.busy), block, saved),
        fmt::format("reduce in two steps: {} to eight values of each repeat, "
                    "then {} over those",
                    block, block));
  }
}

void AdviseEarlierLoads(Advisor& advisor) {
  // The scalar unit waits for vector results before it comes to the next load.
  Ticks late = 0;
  Ticks waits = 0;
  for (const Stall& stall : advisor.profiled().statistics.Stalls()) {
    if (stall.pipe == abi::Pipe::kMte2 && stall.cause == Cause::kIssue) {
      late += stall.time;
    }
    if (stall.pipe == abi::Pipe::kS && stall.cause == Cause::kOrder) {
      waits += stall.time;
    }
  }
  if (ShareOf(advisor, std::min(late, waits)) < kWorthALook) return;
  const auto earlier = WithEarlierLoads(advisor.log());
  if (!earlier) return;
  const double saved = advisor.Saved(*earlier);
  advisor.Add(
      code::kP114, advisor.MainMove(), saved,
      fmt::format("loads are issued late, because the scalar unit waits for "
                  "vector results ({:.0f} % of the cores' time) before it "
                  "comes to them; issued a pass earlier they would save {:.1f} "
                  "µs",
                  100 * ShareOf(advisor, waits), saved),
      "issue the load of the next tile before the work on this one, or keep "
      "the value in a tensor (Brcb, Duplicate) instead of GetValue");
}

}  // namespace belay::clock
