// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CLOCK_LOG_BUILDER_H_
#define BELAY_TESTS_CLOCK_LOG_BUILDER_H_

// Records written by hand, for tests.

#include "clock/clock_spec.h"
#include "clock/log.h"

namespace belay::clock {

inline Record VectorRecord(uint16_t cost, uint32_t repeats) {
  Record record;
  record.kind = Kind::kVector;
  record.pipe = abi::Pipe::kV;
  record.vector = {};
  record.vector.cost = cost;
  record.vector.repeats = repeats;
  record.vector.units = 1;
  return record;
}

inline Record MoveRecord(abi::Pipe pipe, uint64_t address, uint32_t bursts,
                         uint32_t burst_bytes, int64_t stride = 0,
                         uint8_t flags = 0) {
  Record record;
  record.kind = Kind::kMove;
  record.pipe = pipe;
  record.move = {};
  record.move.address = address;
  record.move.bursts = bursts;
  record.move.burst_bytes = burst_bytes;
  record.move.stride = stride;
  record.move.memory = abi::Memory::kUb;
  record.move.flags = flags;
  return record;
}

inline Record SyncRecord(Kind kind, abi::Pipe from, abi::Pipe to,
                         uint32_t id = 0, uint32_t distance = 0,
                         uint64_t token = 0) {
  Record record;
  record.kind = kind;
  record.sync = {};
  record.sync.from = from;
  record.sync.to = to;
  record.sync.id = id;
  record.sync.distance = distance;
  record.sync.token = token;
  return record;
}

inline Record SetFlagRecord(abi::Pipe from, abi::Pipe to, uint32_t id = 0) {
  return SyncRecord(Kind::kSetFlag, from, to, id);
}

inline Record WaitFlagRecord(abi::Pipe from, abi::Pipe to, uint32_t id = 0) {
  return SyncRecord(Kind::kWaitFlag, from, to, id);
}

}  // namespace belay::clock

#endif  // BELAY_TESTS_CLOCK_LOG_BUILDER_H_
