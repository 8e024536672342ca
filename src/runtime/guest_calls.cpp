// SPDX-License-Identifier: Apache-2.0
// The functions kernels call while they run (belay/guest_abi.h): each takes
// the guest's place from its own return address and hands over to the device.

#include <fmt/format.h>

#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

#include "base/catalogue.h"
#include "belay/guest_abi.h"
#include "runtime/matmul/client.h"
#include "runtime/scalar_access.h"
#include "runtime/sync_blocks.h"

namespace belay::runtime {
namespace {

// Copies through a buffer, because what AccessScalar returns for the source is
// gone when it is asked for the target.
void Move(void* to, const void* from, uint64_t bytes, const GuestPlace& place) {
  if (bytes == 0) return;
  const auto* source = static_cast<const std::byte*>(
      AccessScalar(from, bytes, false, AccessKind::kRaw, place));
  const std::vector<std::byte> data(source, source + bytes);
  std::memcpy(AccessScalar(to, bytes, true, AccessKind::kRaw, place),
              data.data(), bytes);
}

}  // namespace
}  // namespace belay::runtime

using belay::runtime::AccessKind;
using belay::runtime::AccessScalar;
using belay::runtime::AccessScalarDirect;
using belay::runtime::Device;
using belay::runtime::FailGuest;
using belay::runtime::GuestPlace;

namespace {

// Tells observers about a scalar access that leaves what its tensor may touch.
void TellOutside(uint64_t address, uint64_t bytes, uint64_t buffer,
                 uint64_t buffer_bytes, uint64_t pc) {
  Device* device = Device::Get();
  if (device == nullptr || device->current() == nullptr) return;
  const belay::npu::OutsideBufferEvent event{
      *device->current()->core, address, bytes, buffer, buffer_bytes, pc};
  for (belay::npu::Observer* observer : device->chip().observers()) {
    observer->OnOutsideBuffer(event);
  }
}

inline void RequireInside(uint64_t address, uint64_t bytes, uint64_t buffer,
                          uint64_t buffer_bytes, uint64_t pc) {
  const uint64_t offset = address - buffer;
  if (buffer_bytes == 0 ||
      (offset < buffer_bytes && bytes <= buffer_bytes - offset)) [[likely]] {
    return;
  }
  TellOutside(address, bytes, buffer, buffer_bytes, pc);
}

// Whether a format has the conversion %n, which stores through an argument.
bool StoresThroughArgument(const char* format) {
  for (const char* at = std::strchr(format, '%'); at != nullptr;
       at = std::strchr(at + 1, '%')) {
    at += 1 + std::strspn(at + 1, "-+ #0'I123456789.*$hlLqjzt");
    if (*at == 'n') return true;
    if (*at == '\0') return false;
  }
  return false;
}

}  // namespace

void belay_issue(belay::abi::Instruction* instruction) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  Device& device = belay::runtime::RunningDevice("AscendC instruction", place);
  instruction->pc = place.pc;
  if (!belay::runtime::ConcernsCore(device, *instruction)) return;
  if (belay::runtime::matmul::IsForCubeCore(device, *instruction)) {
    belay::runtime::RunOrFail(place, [&] {
      belay::runtime::matmul::ForwardToCube(device, *instruction);
    });
    return;
  }
  belay::npu::Core& core = *device.current()->core;
  belay::runtime::RunOrFail(place,
                            [&] { device.chip().Issue(core, *instruction); });
  belay::runtime::SyncBlocks(device, *instruction);
}

const void* belay_get_value(const void* address, uint64_t bytes,
                            uint64_t buffer, uint64_t buffer_bytes) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  RequireInside(reinterpret_cast<uint64_t>(address), bytes, buffer,
                buffer_bytes, place.pc);
  return AccessScalar(address, bytes, false, AccessKind::kOrdered, place);
}

void* belay_set_value(void* address, uint64_t bytes, uint64_t buffer,
                      uint64_t buffer_bytes) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  RequireInside(reinterpret_cast<uint64_t>(address), bytes, buffer,
                buffer_bytes, place.pc);
  return AccessScalar(address, bytes, true, AccessKind::kOrdered, place);
}

void belay_outside_buffer(uint64_t address, uint64_t bytes, uint64_t buffer,
                          uint64_t buffer_bytes) {
  TellOutside(address, bytes, buffer, buffer_bytes, BELAY_GUEST_PC());
}

const void* belay_read_direct(const void* address, uint64_t bytes) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  return AccessScalarDirect(address, bytes, false, place);
}

void* belay_write_direct(void* address, uint64_t bytes) {
  const GuestPlace place = BELAY_GUEST_PLACE();
  return AccessScalarDirect(address, bytes, true, place);
}

const void* belay_read(const void* address, uint64_t bytes) {
  return AccessScalar(address, bytes, false, AccessKind::kRaw,
                      BELAY_GUEST_PLACE());
}

void* belay_write(void* address, uint64_t bytes) {
  return AccessScalar(address, bytes, true, AccessKind::kRaw,
                      BELAY_GUEST_PLACE());
}

void belay_memmove(void* to, const void* from, uint64_t bytes) {
  belay::runtime::Move(to, from, bytes, BELAY_GUEST_PLACE());
}

void belay_memcpy(void* to, const void* from, uint64_t bytes) {
  belay::runtime::Move(to, from, bytes, BELAY_GUEST_PLACE());
}

void belay_memset(void* to, int value, uint64_t bytes) {
  if (bytes == 0) return;
  std::memset(
      AccessScalar(to, bytes, true, AccessKind::kRaw, BELAY_GUEST_PLACE()),
      value, bytes);
}

void belay_tick() {
  Device* device = Device::Get();
  if (device == nullptr || device->current() == nullptr) {
    belay_budget = INT64_MAX;  // host code is not metered
    return;
  }
  device->Tick(BELAY_GUEST_PC());
}

void belay_divide_by_zero(int64_t dividend, uint32_t is_remainder) {
  Device& device = *Device::Get();
  const uint64_t pc = BELAY_GUEST_PC();
  if (device.warnings().CountIfKnown(belay::code::kG103, pc, 0)) return;
  belay::npu::Fault fault;
  fault.diagnostic.code = belay::code::kG103;
  fault.diagnostic.severity = belay::Severity::kWarning;
  fault.diagnostic.message =
      is_remainder != 0 ? "[%] remainder by zero: taken as the dividend, which "
                          "the chip need not do"
                        : "[/] division by zero: taken as 0, which the chip "
                          "need not do";
  fault.diagnostic.notes.push_back(
      {fmt::format("the dividend was {} the first time", dividend), {}});
  fault.diagnostic.fix =
      "check the divisor; tiling values that are 0 are a common cause";
  fault.diagnostic.pipe = "S";
  fault.pc = pc;
  device.Warn(std::move(fault));
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
  belay::runtime::FailAssertion(expression, file, line, function,
                                BELAY_GUEST_PLACE());
}

void belay_not_on_chip(const char* name) {
  FailGuest("BLY-N111",
            fmt::format("[{}] the {} does not have it", name,
                        Device::Get()->chip().spec().title),
            "use what this chip offers instead; the documentation of each "
            "interface lists the chips that have it",
            BELAY_GUEST_PLACE());
}

void belay_temporary_too_small(const char* name, uint64_t needed,
                               uint64_t given) {
  FailGuest("BLY-N170",
            fmt::format("[{}] the temporary buffer must hold at least {} "
                        "bytes, and holds {}",
                        name, needed, given),
            "take the size from the function's Get…TmpSize on the host and "
            "pass a buffer that large, or leave that much of UB to it",
            BELAY_GUEST_PLACE());
}

void belay_library_argument(const char* name, const char* rule, int64_t value) {
  FailGuest("BLY-N171", fmt::format("[{}] {}, and is {}", name, rule, value),
            "correct the shape or parameter that the message names",
            BELAY_GUEST_PLACE());
}

int belay_printf(const char* format, ...) {
  if (StoresThroughArgument(format)) {
    FailGuest("BLY-G107",
              "[printf] %n stores through a pointer, which the "
              "device's printf cannot do",
              "leave %n out", BELAY_GUEST_PLACE());
  }
  va_list arguments;
  va_start(arguments, format);
  const int written = std::vprintf(format, arguments);
  va_end(arguments);
  return written;
}
