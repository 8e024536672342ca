// SPDX-License-Identifier: Apache-2.0
#include "clock/bound.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "clock/touched_sectors.h"

namespace belay::clock {
namespace {

struct LaunchWork {
  TouchedSectors read;  // before anybody wrote them
  TouchedSectors written;
  uint64_t bytes_read = 0;
  uint64_t bytes_written = 0;
  double vector_cycles = 0;
  double cube_steps = 0;
  bool blocks_wait = false;  // for each other, not only all for all
};

void CountMove(const Record& record, LaunchWork& traffic) {
  const MoveWork& move = record.move;
  const bool write = record.pipe != abi::Pipe::kMte2;
  uint32_t bursts = move.bursts;
  uint64_t bytes = move.burst_bytes;
  (write ? traffic.bytes_written : traffic.bytes_read) += bursts * bytes;
  if (move.stride == static_cast<int64_t>(bytes)) {
    bytes *= bursts;
    bursts = 1;
  }
  uint64_t address = move.address;
  for (uint32_t burst = 0; burst < bursts; ++burst) {
    if (write) {
      traffic.written.Mark(address, bytes);
    } else {
      traffic.read.Mark(address, bytes, &traffic.written);
    }
    address += static_cast<uint64_t>(move.stride);
  }
}

void Count(const Record& record, const ClockSpec& spec, LaunchWork& traffic) {
  switch (record.kind) {
    case Kind::kMove:
      CountMove(record, traffic);
      break;
    case Kind::kVector: {
      const VectorCost& cost = spec.vector_costs()[record.vector.cost];
      const uint64_t times =
          cost.per_unit ? record.vector.units : record.vector.repeats;
      traffic.vector_cycles += static_cast<double>(times) * cost.slope.value;
      break;
    }
    case Kind::kMmad:
      traffic.cube_steps += static_cast<double>(record.cube.steps);
      break;
    case Kind::kNotify:
    case Kind::kAwait:
    case Kind::kTellCores:
    case Kind::kAwaitCores:
      traffic.blocks_wait = true;
      break;
    default:
      break;
  }
}

// What blocks do before they all meet comes before what they do after it.
LaunchWork Gather(const LaunchLog& log, const ClockSpec& spec) {
  LaunchWork traffic;
  std::vector<Sequence::Cursor> cursors;
  for (const BlockLog& block : log.logs) cursors.emplace_back(block.records);
  std::vector<bool> ended(cursors.size());
  Record record;
  for (size_t open = cursors.size(); open != 0;) {
    for (size_t i = 0; i < cursors.size(); ++i) {
      if (ended[i]) continue;
      for (;;) {
        if (!cursors[i].Next(record)) {
          ended[i] = true;
          --open;
          break;
        }
        if (record.kind == Kind::kMeet) break;
        Count(record, spec, traffic);
      }
    }
  }
  return traffic;
}

double Microseconds(uint64_t bytes, double gigabytes_per_second) {
  return static_cast<double>(bytes) / gigabytes_per_second * 1e-3;
}

// In the order in which ties are decided.
std::array<std::pair<double, std::string_view>, 5> TermsOf(const Bound& bound) {
  return {{{bound.hbm_read, "HBM reads"},
           {bound.hbm_mixed, "HBM reads and writes"},
           {bound.l2_write, "L2 writes"},
           {bound.vector, "vector work"},
           {bound.cube, "cube work"}}};
}

}  // namespace

std::string_view Bound::binding() const {
  std::pair<double, std::string_view> largest{launch, "the launch itself"};
  for (const auto& term : TermsOf(*this)) {
    if (term.first > largest.first) largest = term;
  }
  return largest.second;
}

Bound BoundOf(const Work& work, const ClockSpec& spec) {
  const auto l2_bytes = static_cast<uint64_t>(spec.Value("memory.l2_bytes"));
  const uint64_t written_back = work.written - std::min(work.written, l2_bytes);
  Bound bound;
  bound.compulsory_read = work.compulsory_read;
  bound.written = work.written;
  bound.launch = spec.Value("bound.launch");
  bound.hbm_read =
      Microseconds(work.compulsory_read, spec.Value("bound.hbm_read"));
  if (written_back != 0) {
    bound.hbm_mixed =
        bound.hbm_read +
        Microseconds(written_back, spec.Value("bound.hbm_write_back"));
  }
  bound.l2_write = Microseconds(work.written, spec.Value("bound.l2_write"));
  bound.vector = work.vector_cycles / spec.vector_cores() / spec.clock_mhz();
  if (work.cube_steps != 0) {
    bound.cube = work.cube_steps / spec.cube_cores() / spec.clock_mhz();
  }
  double largest = 0;
  for (const auto& term : TermsOf(bound)) {
    largest = std::max(largest, term.first);
  }
  bound.total = bound.launch + largest;
  return bound;
}

Bound HardwareBound(const LaunchLog& log, const ClockSpec& spec, L2State l2) {
  const auto l2_bytes = static_cast<uint64_t>(spec.Value("memory.l2_bytes"));
  const LaunchWork traffic = Gather(log, spec);
  Work work;
  // Where single blocks wait for each other, the order of a read and a write
  // of one sector is not known, so that such a read counts as not compulsory.
  uint64_t sectors = traffic.read.count();
  if (traffic.blocks_wait) sectors -= traffic.read.CountCommon(traffic.written);
  work.compulsory_read =
      std::min(sectors * TouchedSectors::kBytes, traffic.bytes_read);
  if (l2 == L2State::kWarm) {
    work.compulsory_read -= std::min(work.compulsory_read, l2_bytes);
  }
  work.written = std::min(traffic.written.count() * TouchedSectors::kBytes,
                          traffic.bytes_written);
  work.vector_cycles = traffic.vector_cycles;
  work.cube_steps = traffic.cube_steps;
  return BoundOf(work, spec);
}

}  // namespace belay::clock
