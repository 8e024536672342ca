// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_PROFILE_LOGS_H_
#define BELAY_TESTS_PROFILE_LOGS_H_

// Logs made by hand, record by record.

#include <cstdint>
#include <vector>

#include "clock/clock_spec.h"
#include "clock/log.h"

namespace belay::testing {

constexpr uint64_t kInput = 1ull << 40;
constexpr uint64_t kOutput = 2ull << 40;

clock::Record Move(abi::Pipe pipe, uint64_t place, uint64_t address,
                   uint32_t bytes);
clock::Record Rows(abi::Pipe pipe, uint64_t place, uint64_t address,
                   uint32_t rows, uint32_t row_bytes, int64_t stride);
// Of 32-bit elements.
clock::Record Vector(const clock::ClockSpec& spec, abi::Op op, uint64_t place,
                     uint32_t repeats);
clock::Record Flag(clock::Kind kind, abi::Pipe from, abi::Pipe to, uint32_t id);
clock::Record FullBarrier(uint64_t place);
clock::Record Meet();

clock::LaunchLog NewLog(int blocks);
void AddBlock(clock::LaunchLog& log, int block,
              const std::vector<clock::Record>& records);
std::vector<clock::Record> RecordsOf(const clock::BlockLog& block);

// A kernel as most are: each block loads its own part of the input tile by
// tile, works on it and stores it, with flags as queues of `buffers` buffers
// set and wait for them. Places: load 1, vector 2, store 3.
struct TileLoop {
  int blocks = 2;
  int tiles = 8;  // of each block
  uint32_t tile_bytes = 2048;
  int buffers = 2;
  int vectors = 1;           // instructions in a pass
  bool interleaved = false;  // tiles are dealt to the blocks in turn
};
clock::LaunchLog MakeTileLoop(const clock::ClockSpec& spec,
                              const TileLoop& loop);

const clock::ClockSpec& Spec();

}  // namespace belay::testing

#endif  // BELAY_TESTS_PROFILE_LOGS_H_
