// SPDX-License-Identifier: Apache-2.0
#include "trace/timeline.h"

#include <algorithm>
#include <optional>
#include <tuple>

namespace belay::trace {
namespace {

using clock::Ticks;

// Flags, barriers and orders that took no time of the pipe itself: the stall
// of the slice behind them says it all.
bool IsEmptySync(const clock::Span& span) {
  if (span.end > span.start) return false;
  switch (span.record->kind) {
    case clock::Kind::kSetFlag:
    case clock::Kind::kWaitFlag:
    case clock::Kind::kBarrier:
    case clock::Kind::kOrder:
    case clock::Kind::kBuffer:
    case clock::Kind::kScalar:
      return true;
    default:
      return false;
  }
}

// The last slice that was done at `time`.
std::optional<SliceRef> LastDone(const PipeRows& rows, abi::Pipe pipe,
                                 Ticks time) {
  std::optional<SliceRef> best;
  Ticks best_end = 0;
  for (uint32_t row = 0; row < rows.rows.size(); ++row) {
    const Row& slices = rows.rows[row];
    const auto after = std::upper_bound(
        slices.begin(), slices.end(), time,
        [](Ticks at, const Slice& slice) { return at < slice.end; });
    if (after == slices.begin()) continue;
    const Slice& slice = *(after - 1);
    if (best && slice.end <= best_end) continue;
    best_end = slice.end;
    best =
        SliceRef{pipe, row, static_cast<uint64_t>(after - 1 - slices.begin())};
  }
  return best;
}

// The first slice that started at `time` or later.
std::optional<SliceRef> FirstAfter(const PipeRows& rows, abi::Pipe pipe,
                                   Ticks time) {
  std::optional<SliceRef> best;
  Ticks best_start = 0;
  for (uint32_t row = 0; row < rows.rows.size(); ++row) {
    const Row& slices = rows.rows[row];
    const auto at = std::lower_bound(
        slices.begin(), slices.end(), time,
        [](const Slice& slice, Ticks from) { return slice.start < from; });
    if (at == slices.end()) continue;
    if (best && at->start >= best_start) continue;
    best_start = at->start;
    best = SliceRef{pipe, row, static_cast<uint64_t>(at - slices.begin())};
  }
  return best;
}

bool IsPipe(abi::Pipe pipe) {
  return static_cast<int>(pipe) < clock::kPipeCount;
}

}  // namespace

void Timeline::OnSpan(const clock::Span& span) {
  if (IsEmptySync(span) || !IsPipe(span.pipe)) return;
  CoreRows& core = cores_[CoreId{span.cube, span.core}];
  ++core.slices;
  ++given_;
  PipeRows& pipe = core.pipes[static_cast<size_t>(span.pipe)];
  pipe.activity.Add(span.start, span.end);
  if (!core.kept || span.start >= cut_) return;

  auto row = std::find_if(
      pipe.rows.begin(), pipe.rows.end(),
      [&](const Row& slices) { return slices.back().end <= span.start; });
  if (row == pipe.rows.end()) row = pipe.rows.emplace(row);
  row->push_back(Slice{.issued = span.issued,
                       .start = span.start,
                       .end = span.end,
                       .stall = span.stall,
                       .conflict = span.conflict,
                       .contention = span.contention,
                       .kind = kinds_.Find(span),
                       .block = span.block,
                       .cause = span.cause,
                       .waited_for = span.waited_for});
  if (++kept_ > limit_) LeaveOut();
}

void Timeline::OnFlow(const clock::Flow& flow) {
  if (!IsPipe(flow.from) || !IsPipe(flow.to) || flow.met >= cut_) return;
  const CoreId id{flow.cube, flow.core};
  if (cores_[id].kept) flows_[id].push_back(flow);
}

void Timeline::OnBuffer(int core, bool cube, Ticks at,
                        const clock::BufferWork& work) {
  CoreRows& rows = cores_[CoreId{cube, core}];
  if (!rows.kept || at >= cut_) return;
  std::vector<BufferLevel>& levels = rows.levels[work.memory];
  if (!levels.empty() && levels.back().at == at) {
    levels.back().bytes = work.bytes_in_use;
  } else if (levels.empty() || levels.back().bytes != work.bytes_in_use) {
    levels.push_back(BufferLevel{at, work.bytes_in_use});
  }
}

void Timeline::OnMemory(const clock::MemorySample& sample) {
  samples_.push_back(sample);
}

void Timeline::LeaveOut() {
  std::vector<CoreId> kept;
  for (const auto& [id, core] : cores_) {
    if (core.kept) kept.push_back(id);
  }
  if (kept.size() == 1) {
    // Cutting costs a pass, so not at every slice over the limit.
    if (kept_ > limit_ + limit_ / 2) CutEnd(cores_[kept.front()]);
    return;
  }
  const CoreId middle = kept[kept.size() / 2];
  CoreRows& core = cores_[middle];
  core.kept = false;
  for (PipeRows& pipe : core.pipes) {
    for (const Row& row : pipe.rows) kept_ -= row.size();
    pipe.rows.clear();
  }
  core.levels.clear();
  flows_.erase(middle);
}

void Timeline::CutEnd(CoreRows& core) {
  std::vector<Ticks> starts;
  starts.reserve(kept_);
  for (const PipeRows& pipe : core.pipes) {
    for (const Row& row : pipe.rows) {
      for (const Slice& slice : row) starts.push_back(slice.start);
    }
  }
  const auto first_out = starts.begin() + static_cast<ptrdiff_t>(limit_);
  std::nth_element(starts.begin(), first_out, starts.end());
  cut_ = *first_out;
  kept_ = 0;
  for (PipeRows& pipe : core.pipes) {
    for (Row& row : pipe.rows) {
      std::erase_if(row, [&](const Slice& s) { return s.start >= cut_; });
      kept_ += row.size();
    }
    std::erase_if(pipe.rows, [](const Row& row) { return row.empty(); });
  }
  for (auto& [memory, levels] : core.levels) {
    std::erase_if(levels, [&](const BufferLevel& l) { return l.at >= cut_; });
  }
}

void Timeline::Connect(CoreRows& core,
                       const std::vector<clock::Flow>& flows) const {
  for (const clock::Flow& flow : flows) {
    const auto from = LastDone(core.pipes[static_cast<size_t>(flow.from)],
                               flow.from, flow.set);
    const auto to =
        FirstAfter(core.pipes[static_cast<size_t>(flow.to)], flow.to, flow.met);
    if (from && to) core.arrows.push_back(Arrow{*from, *to, flow});
  }
  std::sort(core.arrows.begin(), core.arrows.end(),
            [](const Arrow& a, const Arrow& b) {
              return std::tie(a.flow.set, a.flow.met, a.flow.from, a.flow.to,
                              a.flow.id) < std::tie(b.flow.set, b.flow.met,
                                                    b.flow.from, b.flow.to,
                                                    b.flow.id);
            });
}

void Timeline::Complete() {
  if (kept_ > limit_) {
    for (auto& [id, core] : cores_) {
      if (core.kept) CutEnd(core);
    }
  }
  for (const auto& [id, flows] : flows_) Connect(cores_[id], flows);
  flows_.clear();
  std::sort(samples_.begin(), samples_.end(),
            [](const clock::MemorySample& a, const clock::MemorySample& b) {
              return a.begin < b.begin;
            });
}

}  // namespace belay::trace
