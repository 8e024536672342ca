// SPDX-License-Identifier: Apache-2.0
#include "clock/statistics.h"

#include <algorithm>
#include <bit>

#include "clock/l2_cache.h"
#include "clock/vector_flops.h"

namespace belay::clock {
namespace {

uint64_t LinesOf(uint64_t address, uint64_t bytes) {
  if (bytes == 0) return 0;
  return (address + bytes - 1) / kLineBytes - address / kLineBytes + 1;
}

// Rows that follow each other without a gap are one stretch of memory.
uint64_t ExtraLines(const MoveWork& move) {
  if (move.bursts == 0 || move.burst_bytes == 0) return 0;
  if (move.stride == static_cast<int64_t>(move.burst_bytes)) {
    const uint64_t bytes = uint64_t{move.bursts} * move.burst_bytes;
    return LinesOf(move.address, bytes) - LinesOf(0, bytes);
  }
  const uint64_t least = LinesOf(0, move.burst_bytes);
  uint64_t lines = 0;
  uint64_t address = move.address;
  for (uint32_t burst = 0; burst < move.bursts; ++burst) {
    lines += LinesOf(address, move.burst_bytes) - least;
    address += static_cast<uint64_t>(move.stride);
  }
  return lines;
}

void AddTo(MoveSizes& sizes, uint64_t bytes) {
  MoveSizes::Bucket& bucket =
      sizes.buckets[bytes == 0 ? 0 : std::bit_width(bytes) - 1];
  ++bucket.moves;
  bucket.bytes += bytes;
  ++sizes.moves;
  sizes.bytes += bytes;
}

}  // namespace

void Statistics::CountMove(const Record& record, SiteFigures& site) {
  const MoveWork& move = record.move;
  const uint64_t bytes = uint64_t{move.bursts} * move.burst_bytes;
  site.bytes += bytes;
  site.bursts += move.bursts;
  site.extra_lines += ExtraLines(move);
  site.bypass |= (move.flags & MoveWork::kBypassL2) != 0;
  AddTo(record.pipe == abi::Pipe::kMte2 ? reads_ : writes_, bytes);
}

void Statistics::CountVector(const Record& record, SiteFigures& site) {
  const VectorWork& vector = record.vector;
  site.cost = vector.cost;
  site.repeats += vector.repeats;
  site.elements += vector.elements;
  site.conflict_cycles += vector.conflict_cycles;
  site.delayed_repeats += vector.delayed_repeats;
  const uint64_t flops = vector.elements * VectorFlops(record.op);
  flops_ += flops;
  constexpr int kRepeatBits = 256 * 8;
  const int lanes = kRepeatBits / LaneBits(spec_.vector_costs()[vector.cost]);
  full_repeats_ += static_cast<double>(flops) / lanes;
}

void Statistics::OnSpan(const Span& span) {
  const Record& record = *span.record;
  if (last_ == nullptr || last_->place != record.place ||
      last_->op != record.op || last_->pipe != span.pipe ||
      last_->kind != record.kind) {
    last_ = &sites_[SiteKey{record.place, record.op, span.pipe, record.kind}];
    last_->place = record.place;
    last_->op = record.op;
    last_->pipe = span.pipe;
    last_->kind = record.kind;
  }
  SiteFigures& site = *last_;
  ++site.instructions;
  site.busy += span.end - span.start;
  site.stalled += span.stall;
  site.conflict += span.conflict;
  site.contention += span.contention;
  if (span.pipe == abi::Pipe::kS) {
    const ScalarWork& work = log_.scalar[record.scalar];
    site.local_accesses += work.local_load + work.local_store;
  } else if (record.kind == Kind::kMove) {
    CountMove(record, site);
  } else if (record.kind == Kind::kVector) {
    CountVector(record, site);
  } else if (record.kind == Kind::kMmad) {
    products_ += record.cube.products;
    cube_steps_ += record.cube.steps;
  } else if (record.kind == Kind::kLoad) {
    site.bytes += record.cube.bytes;
  }
  if (span.stall <= 0) return;
  const bool names_pipe =
      span.cause == Cause::kFlag || span.cause == Cause::kOrder ||
      span.cause == Cause::kQueueFull || span.cause == Cause::kBarrier;
  const abi::Pipe other = names_pipe ? span.waited_for : abi::Pipe::kAll;
  Stall& stall = stalls_[{span.cube, span.pipe, span.cause, other}];
  stall.cube = span.cube;
  stall.pipe = span.pipe;
  stall.cause = span.cause;
  stall.waited_for = other;
  stall.time += span.stall;
  ++stall.times;
}

std::vector<SiteFigures> Statistics::Sites() const {
  std::vector<SiteFigures> sites;
  for (const auto& [key, site] : sites_) sites.push_back(site);
  std::ranges::stable_sort(
      sites, [](const auto& a, const auto& b) { return a.busy > b.busy; });
  return sites;
}

std::vector<Stall> Statistics::Stalls() const {
  std::vector<Stall> stalls;
  for (const auto& [key, stall] : stalls_) stalls.push_back(stall);
  std::ranges::stable_sort(
      stalls, [](const auto& a, const auto& b) { return a.time > b.time; });
  return stalls;
}

}  // namespace belay::clock
