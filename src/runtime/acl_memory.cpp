// SPDX-License-Identifier: Apache-2.0
// Memory calls of host code (acl/acl_rt.h), checked against the allocations.

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

#include "acl/acl.h"
#include "runtime/acl_error.h"
#include "runtime/guest_fault.h"

namespace belay::runtime {
namespace {

npu::GlobalMemory& Global() { return Device::Get()->chip().global(); }

uint64_t AddressOf(const void* pointer) {
  return reinterpret_cast<uint64_t>(pointer);
}

// Tells observers that the host wrote device memory; nothing for host memory.
void NotifyWrite(const void* to, size_t bytes, const void* from) {
  if (!Global().Spans(AddressOf(to))) return;
  const bool on_device = Global().Spans(AddressOf(from));
  Device::Get()->chip().NotifyHostWrite(
      {AddressOf(to), bytes, on_device ? AddressOf(from) : 0});
}

// A call whose arguments are wrong in a way users overlook: reported as an
// error of the program, and answered with `code`.
aclError Report(aclError code, std::string message, std::string fix,
                const GuestPlace& place) {
  npu::Fault fault;
  fault.diagnostic.code = "BLY-G110";
  fault.diagnostic.message = message;
  fault.diagnostic.fix = std::move(fix);
  fault.pc = place.pc;
  Device::Get()->Raise(std::move(fault));
  return RefuseAcl(code, std::move(message));
}

// Whether [pointer, pointer + bytes) is host memory or lies in one device
// allocation.
bool IsWhole(const void* pointer, size_t bytes) {
  const uint64_t address = AddressOf(pointer);
  if (!Global().Spans(address)) return true;
  const auto* allocation = Global().Find(address);
  return allocation != nullptr &&
         address - allocation->base + bytes <= allocation->bytes;
}

std::string Describe(const void* pointer) {
  const uint64_t address = AddressOf(pointer);
  const auto* allocation = Global().Below(address);
  if (!Global().Spans(address) || allocation == nullptr) {
    return fmt::format("{:#x}", address);
  }
  return fmt::format("byte {} of a device allocation of {} bytes",
                     address - allocation->base, allocation->bytes);
}

struct CopySide {
  const char* name;
  const void* pointer;
  bool on_device;  // as the copy's kind says
};

aclError Copy(const char* call, void* to, size_t room, const void* from,
              size_t bytes, aclrtMemcpyKind kind, const GuestPlace& place) {
  if (bytes == 0) return ACL_SUCCESS;
  const bool to_device =
      kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  const bool from_device =
      kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (to == nullptr || from == nullptr || bytes > room) {
    return Report(ACL_ERROR_INVALID_PARAM,
                  fmt::format("[{}] {} bytes do not fit: source {}, "
                              "destination {} with room for {}",
                              call, bytes, fmt::ptr(from), fmt::ptr(to), room),
                  "check the pointers and the sizes of both buffers", place);
  }
  for (const CopySide& side : {CopySide{"destination", to, to_device},
                               CopySide{"source", from, from_device}}) {
    if (kind != ACL_MEMCPY_DEFAULT &&
        side.on_device != Global().Spans(AddressOf(side.pointer))) {
      return Report(
          ACL_ERROR_INVALID_PARAM,
          fmt::format("[{}] the {} is {} memory, but the kind of "
                      "copy says otherwise",
                      call, side.name, side.on_device ? "host" : "device"),
          "give the kind that fits the two pointers", place);
    }
    if (!IsWhole(side.pointer, bytes)) {
      return Report(ACL_ERROR_INVALID_PARAM,
                    fmt::format("[{}] {} bytes from {} leave the {}'s "
                                "allocation",
                                call, bytes, Describe(side.pointer), side.name),
                    "check the count against the size given to aclrtMalloc",
                    place);
    }
  }
  std::memmove(to, from, bytes);
  NotifyWrite(to, bytes, from);
  return ACL_SUCCESS;
}

struct Pitched {
  void* to;
  size_t to_pitch;
  const void* from;
  size_t from_pitch;
};

// Row by row, the first that cannot be copied ending it.
aclError CopyRows(const char* call, const Pitched& rows, size_t width,
                  size_t height, aclrtMemcpyKind kind,
                  const GuestPlace& place) {
  if (width > rows.to_pitch || width > rows.from_pitch) {
    return Report(ACL_ERROR_INVALID_PARAM,
                  fmt::format("[{}] rows of {} bytes do not fit between row "
                              "starts {} (destination) and {} (source) bytes "
                              "apart",
                              call, width, rows.to_pitch, rows.from_pitch),
                  "give pitches of at least the width", place);
  }
  for (size_t row = 0; row < height; ++row) {
    const aclError error = Copy(
        call, static_cast<std::byte*>(rows.to) + row * rows.to_pitch, width,
        static_cast<const std::byte*>(rows.from) + row * rows.from_pitch, width,
        kind, place);
    if (error != ACL_SUCCESS) return error;
  }
  return ACL_SUCCESS;
}

aclError Fill(const char* call, void* to, size_t room, int value, size_t bytes,
              const GuestPlace& place) {
  if (bytes == 0) return ACL_SUCCESS;
  if (to == nullptr || bytes > room || !IsWhole(to, bytes)) {
    return Report(ACL_ERROR_INVALID_PARAM,
                  fmt::format("[{}] {} bytes from {} do not fit (room for {})",
                              call, bytes, Describe(to), room),
                  "check the count against the size given to aclrtMalloc",
                  place);
  }
  std::memset(to, value, bytes);
  NotifyWrite(to, bytes, nullptr);
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace belay::runtime

using belay::runtime::Copy;
using belay::runtime::CopyRows;
using belay::runtime::Fill;
using belay::runtime::Global;
using belay::runtime::RefuseAcl;

aclError aclrtMalloc(void** pointer, size_t bytes, aclrtMemMallocPolicy) {
  if (pointer == nullptr || bytes == 0) {
    return RefuseAcl(ACL_ERROR_INVALID_PARAM,
                     fmt::format("[aclrtMalloc] {} bytes asked for", bytes));
  }
  const uint64_t address = Global().Allocate(bytes);
  *pointer = reinterpret_cast<void*>(address);
  if (address != 0) {
    belay::runtime::Device::Get()->chip().NotifyAllocate(address, bytes);
    return ACL_SUCCESS;
  }
  return RefuseAcl(
      ACL_ERROR_RT_MEMORY_ALLOCATION,
      fmt::format("[aclrtMalloc] {} bytes asked for, {} of {} taken", bytes,
                  Global().live_bytes(), Global().total_bytes()));
}

aclError aclrtMallocAlign32(void** pointer, size_t bytes,
                            aclrtMemMallocPolicy policy) {
  return aclrtMalloc(pointer, bytes, policy);
}

aclError aclrtMallocCached(void** pointer, size_t bytes,
                           aclrtMemMallocPolicy policy) {
  return aclrtMalloc(pointer, bytes, policy);
}

aclError aclrtFree(void* pointer) {
  if (Global().Free(belay::runtime::AddressOf(pointer))) return ACL_SUCCESS;
  return belay::runtime::Report(
      ACL_ERROR_INVALID_PARAM,
      fmt::format("[aclrtFree] {} is not the start of a live device allocation",
                  belay::runtime::Describe(pointer)),
      "free each aclrtMalloc once", BELAY_GUEST_PLACE());
}

aclError aclrtMallocHost(void** pointer, size_t bytes) {
  if (pointer == nullptr) {
    return belay::runtime::RefuseNull("aclrtMallocHost", "hostPtr");
  }
  *pointer = bytes == 0 ? nullptr : std::aligned_alloc(64, (bytes + 63) & ~63);
  if (*pointer != nullptr) return ACL_SUCCESS;
  return RefuseAcl(ACL_ERROR_RT_MEMORY_ALLOCATION,
                   fmt::format("[aclrtMallocHost] {} bytes asked for", bytes));
}

aclError aclrtFreeHost(void* pointer) {
  std::free(pointer);
  return ACL_SUCCESS;
}

aclError aclrtMemcpy(void* to, size_t room, const void* from, size_t bytes,
                     aclrtMemcpyKind kind) {
  return Copy("aclrtMemcpy", to, room, from, bytes, kind, BELAY_GUEST_PLACE());
}

aclError aclrtMemcpyAsync(void* to, size_t room, const void* from, size_t bytes,
                          aclrtMemcpyKind kind, aclrtStream) {
  return Copy("aclrtMemcpyAsync", to, room, from, bytes, kind,
              BELAY_GUEST_PLACE());
}

aclError aclrtMemcpy2d(void* to, size_t to_pitch, const void* from,
                       size_t from_pitch, size_t width, size_t height,
                       aclrtMemcpyKind kind) {
  return CopyRows("aclrtMemcpy2d", {to, to_pitch, from, from_pitch}, width,
                  height, kind, BELAY_GUEST_PLACE());
}

aclError aclrtMemcpy2dAsync(void* to, size_t to_pitch, const void* from,
                            size_t from_pitch, size_t width, size_t height,
                            aclrtMemcpyKind kind, aclrtStream) {
  return CopyRows("aclrtMemcpy2dAsync", {to, to_pitch, from, from_pitch}, width,
                  height, kind, BELAY_GUEST_PLACE());
}

aclError aclrtMemset(void* to, size_t room, int32_t value, size_t bytes) {
  return Fill("aclrtMemset", to, room, value, bytes, BELAY_GUEST_PLACE());
}

aclError aclrtMemsetAsync(void* to, size_t room, int32_t value, size_t bytes,
                          aclrtStream) {
  return Fill("aclrtMemsetAsync", to, room, value, bytes, BELAY_GUEST_PLACE());
}

aclError aclrtGetMemInfo(aclrtMemAttr, size_t* free, size_t* total) {
  if (free == nullptr || total == nullptr) {
    return belay::runtime::RefuseNull("aclrtGetMemInfo", "a place for a size");
  }
  *total = Global().total_bytes();
  *free = *total - Global().live_bytes();
  return ACL_SUCCESS;
}
