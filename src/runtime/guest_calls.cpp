// SPDX-License-Identifier: Apache-2.0
// The functions kernels call while they run (belay/guest_abi.h): each takes
// the guest's place from its own return address and hands over to the device.

#include <fmt/format.h>

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

#include "belay/guest_abi.h"
#include "runtime/guest_fault.h"

namespace belay::runtime {
namespace {

// A block that reads one global address this often in a row is polling.
constexpr int kPollsBeforeYield = 64;

void CountPolls(Device& device, Block& block, uint64_t address) {
  if (block.polled != address) {
    block.polled = address;
    block.polls = 0;
  } else if (++block.polls >= kPollsBeforeYield) {
    block.polls = 0;
    device.Yield();
  }
}

[[noreturn]] void FailGlobalStore(const GuestModule& module, uint64_t address,
                                  uint64_t bytes, const GuestPlace& place) {
  FailGuest("BLY-G101",
            fmt::format("[scalar store] {} bytes at {:#x}: a global variable "
                        "of the program ({})",
                        bytes, address, module.path),
            "kernels cannot write global variables: use a local variable or "
            "global memory",
            place);
}

enum class Kind { kRaw, kOrdered };

// Where a scalar access is to be made.
void* Access(const void* pointer, uint64_t bytes, bool write, Kind kind,
             const GuestPlace& place) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  void* target = const_cast<void*>(pointer);
  Device* device = Device::Get();
  Block* block = device == nullptr ? nullptr : device->current();
  if (block == nullptr || block->fiber->Owns(address)) return target;
  npu::Chip& chip = device->chip();
  const bool on_chip = chip.on_chip().Spans(address);
  const bool global = chip.global().Spans(address);
  if (!on_chip && !global) {
    const GuestModule* module = FindGuestModule(address);
    if (module != nullptr && !write) return target;
    if (module != nullptr) FailGlobalStore(*module, address, bytes, place);
  }
  RunOrFail(place, [&] {
    target = chip.AccessScalar(*block->core, address, bytes, write,
                               kind == Kind::kOrdered, place.pc);
  });
  if (!write && global) {
    CountPolls(*device, *block, address);
  }
  return target;
}

void* AccessDirect(const void* pointer, uint64_t bytes, bool write,
                   const GuestPlace& place) {
  Device& device = RunningDevice("access past the data cache", place);
  const auto address = reinterpret_cast<uint64_t>(pointer);
  Block& block = *device.current();
  void* target = nullptr;
  RunOrFail(place, [&] {
    target = device.chip().AccessDirect(*block.core, address, bytes, write,
                                        place.pc);
  });
  if (!write) CountPolls(device, block, address);
  return target;
}

// Copies through a buffer, because what Access returns for the source is gone
// when it is asked for the target.
void Move(void* to, const void* from, uint64_t bytes, const GuestPlace& place) {
  if (bytes == 0) return;
  const auto* source = static_cast<const std::byte*>(
      Access(from, bytes, false, Kind::kRaw, place));
  const std::vector<std::byte> data(source, source + bytes);
  std::memcpy(Access(to, bytes, true, Kind::kRaw, place), data.data(), bytes);
}

}  // namespace
}  // namespace belay::runtime

using belay::runtime::Access;
using belay::runtime::AccessDirect;
using belay::runtime::Device;
using belay::runtime::FailGuest;
using belay::runtime::GuestPlace;
using belay::runtime::Kind;

namespace {

// What blocks do to each other happens here, not on the chip.
void SyncBlocks(Device& device, const belay::abi::Instruction& instruction) {
  using belay::abi::Op;
  belay::runtime::BlockSync& sync = device.block_sync();
  const int block = device.current()->index;
  const int blocks = device.block_count();
  const uint64_t workspace = instruction.dst.address;
  const belay::runtime::BlockSync::Flag flag{workspace, instruction.sync.id,
                                             instruction.sync.block};
  switch (instruction.op) {
    case Op::kSyncAll:
      device.Meet(instruction.pc);
      break;
    case Op::kIbSet:
      sync.Set(flag);
      break;
    case Op::kIbWait:
      device.WaitUntil([&sync, flag] { return sync.IsSet(flag); }, "IBWait",
                       instruction.pc);
      sync.Clear(flag);
      break;
    case Op::kWaitPreBlock:
      device.WaitUntil(
          [&sync, workspace, block, blocks] {
            return sync.MayTakeTurn(workspace, block, blocks);
          },
          "WaitPreBlock", instruction.pc);
      sync.TakeTurn(workspace, block, blocks);
      break;
    case Op::kNotifyNextBlock:
      sync.FinishTurn(workspace, block, blocks);
      break;
    default:
      break;
  }
}

}  // namespace

void belay_issue(belay::abi::Instruction* instruction) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  Device& device = belay::runtime::RunningDevice("AscendC instruction", place);
  instruction->pc = place.pc;
  belay::npu::Core& core = *device.current()->core;
  belay::runtime::RunOrFail(place,
                            [&] { device.chip().Issue(core, *instruction); });
  SyncBlocks(device, *instruction);
}

const void* belay_get_value(const void* address, uint64_t bytes) {
  return Access(address, bytes, false, Kind::kOrdered, BELAY_GUEST_PLACE());
}

void* belay_set_value(void* address, uint64_t bytes) {
  return Access(address, bytes, true, Kind::kOrdered, BELAY_GUEST_PLACE());
}

const void* belay_read_direct(const void* address, uint64_t bytes) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  return AccessDirect(address, bytes, false, place);
}

void* belay_write_direct(void* address, uint64_t bytes) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  return AccessDirect(address, bytes, true, place);
}

const void* belay_read(const void* address, uint64_t bytes) {
  return Access(address, bytes, false, Kind::kRaw, BELAY_GUEST_PLACE());
}

void* belay_write(void* address, uint64_t bytes) {
  return Access(address, bytes, true, Kind::kRaw, BELAY_GUEST_PLACE());
}

void belay_memmove(void* to, const void* from, uint64_t bytes) {
  belay::runtime::Move(to, from, bytes, BELAY_GUEST_PLACE());
}

void belay_memcpy(void* to, const void* from, uint64_t bytes) {
  belay::runtime::Move(to, from, bytes, BELAY_GUEST_PLACE());
}

void belay_memset(void* to, int value, uint64_t bytes) {
  if (bytes == 0) return;
  std::memset(Access(to, bytes, true, Kind::kRaw, BELAY_GUEST_PLACE()), value,
              bytes);
}

void belay_tick() {
  Device* device = Device::Get();
  if (device == nullptr || device->current() == nullptr) {
    belay_budget = INT64_MAX;  // host code is not metered
    return;
  }
  device->Tick(BELAY_GUEST_PC());
}

void belay_divide_by_zero() {
  FailGuest("BLY-G103", "integer division by zero",
            "check the divisor; tiling values that are 0 are a common cause",
            BELAY_GUEST_PLACE());
}

void belay_unreachable() {
  FailGuest("BLY-G107", "the kernel ran into unreachable code",
            "a function that must return a value ends without one",
            BELAY_GUEST_PLACE());
}

void belay_trap() {
  FailGuest("BLY-G107", "the kernel stopped itself (Trap)", "",
            BELAY_GUEST_PLACE());
}

void belay_assert_fail(const char* expression, const char* file, unsigned line,
                       const char* function) {
  FailGuest("BLY-G105",
            fmt::format("assertion failed: {} ({}:{}, in {})", expression, file,
                        line, function),
            "", BELAY_GUEST_PLACE());
}

void belay_not_on_chip(const char* name) {
  FailGuest("BLY-N111",
            fmt::format("[{}] the {} does not have it", name,
                        Device::Get()->chip().spec().title),
            "use what this chip offers instead; the documentation of each "
            "interface lists the chips that have it",
            BELAY_GUEST_PLACE());
}

int belay_printf(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  va_end(arguments);
  return written;
}
