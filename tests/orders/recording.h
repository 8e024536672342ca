// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_RECORDING_H_
#define BELAY_TESTS_ORDERS_RECORDING_H_

// All that the cores did in one launch, complete enough to do it again in
// another order or changed: instructions with what they found in registers,
// scalar accesses with their values, and the memory it started from.

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "belay/queue.h"
#include "byte_ranges.h"
#include "npu/chip.h"

namespace belay::orders {

// Bytes one event touches.
struct Touch {
  uint64_t begin;
  uint64_t end;
  bool write;
};

struct Event {
  enum class Kind : uint8_t {
    kBlockBegin,
    kInstruction,
    kWaited,    // a wait for other blocks is over
    kScalar,    // a load or store of kernel code
    kRegister,  // the scalar unit reads a register
    kOutside,   // a scalar access that leaves its tensor's buffer
    kBlockEnd,
  };

  Kind kind = Kind::kInstruction;
  int slot = 0;
  int block = 0;

  // kInstruction, kWaited.
  abi::Instruction instruction{};
  abi::Pipe pipe = abi::Pipe::kS;
  bool is_vector = false;
  npu::Lanes lanes;
  npu::VectorState state;  // as the instruction found it
  // The addresses a TransDataTo5HD points to: destinations, then sources.
  std::shared_ptr<std::array<uint64_t, 32>> lists;

  // kScalar, kOutside, kRegister.
  uint64_t address = 0;
  uint64_t bytes = 0;
  uint64_t pc = 0;
  bool write = false;
  bool ordered = false;
  bool direct = false;
  bool was_cached = false;  // its first line was in the data cache
  uint64_t buffer = 0;
  uint64_t buffer_bytes = 0;
  abi::Register which = abi::Register::kControl;
  std::vector<std::byte> value;  // kScalar: stored or loaded

  bool takes_tensors = false;  // compiler auto-sync may order it
  std::vector<Touch> touches;  // memories only, not registers

  uint64_t Place() const {
    return kind == Kind::kInstruction || kind == Kind::kWaited ? instruction.pc
                                                               : pc;
  }
};

// What the host did to global memory before the launch, for observers.
struct HostAction {
  bool allocates;
  uint64_t address;
  uint64_t bytes;
  uint64_t source;
};

struct Recording {
  npu::LaunchEvent launch;
  std::vector<Event> events;  // in the order they happened
  std::vector<HostAction> host;
  bool exact_reciprocal = false;

  // Global memory before the launch.
  struct Allocation {
    uint64_t base;
    std::vector<std::byte> before;
  };
  std::shared_ptr<const std::vector<Allocation>> memory;
  ByteRanges fresh;  // of it: allocated and never written

  // Copies of the guest's queue objects, which die with their blocks.
  std::shared_ptr<std::deque<abi::QueueState>> queues =
      std::make_shared<std::deque<abi::QueueState>>();

  // The byte of global memory at `address` before the launch; nullptr when it
  // was not allocated.
  const std::byte* Before(uint64_t address) const {
    for (const Allocation& allocation : *memory) {
      if (address - allocation.base < allocation.before.size()) {
        return allocation.before.data() + (address - allocation.base);
      }
    }
    return nullptr;
  }
};

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_RECORDING_H_
