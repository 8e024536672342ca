// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_RECORD_H_
#define BELAY_CLOCK_RECORD_H_

// One entry of a core's log: what the clock must know of an instruction, and
// nothing that depends on how long anything takes. Plain data.

#include <cstdint>

#include "belay/instruction.h"

namespace belay::clock {

enum class Kind : uint8_t {
  kScalar,   // nothing but the scalar work before it
  kVector,   // on pipe V
  kMove,     // between global memory and an on-chip memory: MTE2, MTE3, FIX
  kLoad,     // L1 to L0A, L0B, BT, FB on MTE1; L0C to L1 on FIX
  kMmad,     // on pipe M
  kSetFlag,
  kWaitFlag,
  kBarrier,  // of sync.from; kAll: the scalar unit waits for every pipe
  kOrder,    // the compiler's own: sync.to waits for sync.from, see SyncWork
  kMeet,     // of all blocks
  kNotify,   // tells another block
  kAwait,    // waits for another block's kNotify
  kGlobalScalar,  // a scalar access that reaches global memory
  kCacheClean,    // the data cache writes lines back
  kBuffer,        // on-chip memory in use changes; takes no time
  kReadClock,     // GetSystemCycle
  kTellCores,     // CrossCoreSetFlag: `id` in mode `distance`
  kAwaitCores,    // CrossCoreWaitFlag
};

// Scalar work of the kernel's own code, by class, after optimisation.
struct ScalarWork {
  uint32_t simple = 0;      // integer, logic, compare, branch
  uint32_t multiply = 0;    // integer multiply; divide counts `divide`
  uint32_t divide = 0;
  uint32_t floating = 0;    // float arithmetic and conversions
  uint32_t stack_load = 0;  // own variables that stay in memory
  uint32_t stack_store = 0;
  uint32_t local_load = 0;  // on-chip memory: GetValue and the like
  uint32_t local_store = 0;
  uint32_t cached_load = 0;  // global memory, in the data cache
  uint32_t cached_store = 0;

  bool operator==(const ScalarWork&) const = default;
};

// `repeats` of 256 bytes (of the widest operand). Bank conflicts are counted,
// not priced: `conflict_cycles` are the cycles lost because one repeat's
// accesses meet in a bank group (reads with reads, writes with writes),
// `delayed_repeats` the repeats whose writes and reads share a bank out of
// phase.
struct VectorWork {
  uint16_t cost;  // index into the chip's table of vector costs
  uint8_t odd_tail;  // count form whose bytes are no multiple of 256
  uint8_t reserved;
  uint32_t repeats;
  uint32_t conflict_cycles;
  uint32_t delayed_repeats;
  uint64_t elements;  // active lanes, all repeats
  uint64_t units;     // for costs that count something else than repeats
};

// `bursts` of `burst_bytes`, `stride` bytes apart (start to start) in global
// memory.
struct MoveWork {
  enum Flags : uint8_t {
    kBypassL2 = 1,
    kAtomic = 2,
    kNd2Nz = 4,  // each burst is a row that is laid out anew
  };
  uint64_t address;  // in global memory
  int64_t stride;
  uint32_t bursts;
  uint32_t burst_bytes;
  abi::Memory memory;  // the on-chip side
  uint8_t flags;
  uint32_t local_offset;  // in that memory
};

// `steps` of the cube and `products` that it adds (kMmad), or bytes that
// arrive (kLoad).
struct CubeWork {
  uint64_t steps;
  uint64_t bytes;
  uint64_t products;
  abi::Memory to;
  uint8_t three_d;
};

// kOrder: sync.to (S or a pipe) goes on once the `distance`-th last
// instruction issued so far on sync.from is complete; 1 is the last.
// kNotify: `token` is its number, unique in the launch. kAwait: the number
// waited for, 0 for none.
struct SyncWork {
  abi::Pipe from;
  abi::Pipe to;
  uint8_t by_queue;  // issued by a queue or the pipe object
  uint32_t id;
  uint32_t distance;
  uint64_t token;
};

struct GlobalScalarWork {
  uint64_t address;
  uint32_t bytes;
  uint8_t write;
  uint8_t direct;  // past the data cache
};

struct BufferWork {
  abi::Memory memory;
  uint64_t bytes_in_use;  // of that memory, from here on
};

struct Record {
  Kind kind = Kind::kScalar;
  abi::Pipe pipe = abi::Pipe::kS;
  abi::Op op = abi::Op::kInvalid;
  uint32_t scalar = 0;  // index into the log's ScalarWork: what came before it
  uint64_t place = 0;   // offset in the module of the code that issued it
  union {
    VectorWork vector;
    MoveWork move;
    CubeWork cube;
    SyncWork sync;
    GlobalScalarWork global;
    BufferWork buffer;
    uint64_t lines;  // kCacheClean: lines written back
  };

  Record() : move{} {}
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_RECORD_H_
