// SPDX-License-Identifier: Apache-2.0
// The call-backs that -fsanitize=thread puts before loads and stores. Nobody
// looks for races here: accesses of kernel code go to the chip's scalar access
// point, those of host code cost a test.

#include <cstddef>
#include <cstring>

#include "belay/guest_abi.h"
#include "library/tsan_place.h"

#define BELAY_ON_ACCESS(name, bytes, write)                                 \
  extern "C" void name(void* address) {                                     \
    if (belay::library::InKernel()) {                                       \
      belay::library::OnAccess(address, bytes, write, BELAY_GUEST_PLACE()); \
    }                                                                       \
  }
#define BELAY_ON_ACCESSES(bytes)                                           \
  BELAY_ON_ACCESS(__tsan_read##bytes, bytes, false)                        \
  BELAY_ON_ACCESS(__tsan_write##bytes, bytes, true)                        \
  BELAY_ON_ACCESS(__tsan_unaligned_read##bytes, bytes, false)              \
  BELAY_ON_ACCESS(__tsan_unaligned_write##bytes, bytes, true)              \
  BELAY_ON_ACCESS(__tsan_volatile_read##bytes, bytes, false)               \
  BELAY_ON_ACCESS(__tsan_volatile_write##bytes, bytes, true)               \
  BELAY_ON_ACCESS(__tsan_unaligned_volatile_read##bytes, bytes, false)     \
  BELAY_ON_ACCESS(__tsan_unaligned_volatile_write##bytes, bytes, true)     \
  extern "C" void __tsan_read_write##bytes(void* address) {                \
    if (belay::library::InKernel()) {                                      \
      belay::library::OnAccess(address, bytes, true, BELAY_GUEST_PLACE()); \
    }                                                                      \
  }                                                                        \
  extern "C" void __tsan_unaligned_read_write##bytes(void* address) {      \
    if (belay::library::InKernel()) {                                      \
      belay::library::OnAccess(address, bytes, true, BELAY_GUEST_PLACE()); \
    }                                                                      \
  }

BELAY_ON_ACCESSES(1)
BELAY_ON_ACCESSES(2)
BELAY_ON_ACCESSES(4)
BELAY_ON_ACCESSES(8)
BELAY_ON_ACCESSES(16)

extern "C" {

void __tsan_init() {}

void __tsan_func_entry(void*) {
  if (belay::library::InKernel()) belay::library::Meter(BELAY_GUEST_PC());
}
void __tsan_func_exit() {}

void __tsan_read_range(void* address, unsigned long bytes) {
  if (belay::library::InKernel()) {
    belay::library::OnAccess(address, bytes, false, BELAY_GUEST_PLACE());
  }
}
void __tsan_write_range(void* address, unsigned long bytes) {
  if (belay::library::InKernel()) {
    belay::library::OnAccess(address, bytes, true, BELAY_GUEST_PLACE());
  }
}

void __tsan_vptr_read(void** address) {
  if (belay::library::InKernel()) {
    belay::library::OnAccess(address, sizeof(void*), false,
                             BELAY_GUEST_PLACE());
  }
}
void __tsan_vptr_update(void** address, void*) {
  if (belay::library::InKernel()) {
    belay::library::OnAccess(address, sizeof(void*), true, BELAY_GUEST_PLACE());
  }
}

void* __tsan_memcpy(void* to, const void* from, size_t bytes) {
  if (belay::library::InKernel()) {
    const auto place = BELAY_GUEST_PLACE();
    belay::library::OnAccess(from, bytes, false, place);
    belay::library::OnAccess(to, bytes, true, place);
  }
  return std::memcpy(to, from, bytes);
}

void* __tsan_memmove(void* to, const void* from, size_t bytes) {
  if (belay::library::InKernel()) {
    const auto place = BELAY_GUEST_PLACE();
    belay::library::OnAccess(from, bytes, false, place);
    belay::library::OnAccess(to, bytes, true, place);
  }
  return std::memmove(to, from, bytes);
}

void* __tsan_memset(void* to, int value, size_t bytes) {
  if (belay::library::InKernel()) {
    belay::library::OnAccess(to, bytes, true, BELAY_GUEST_PLACE());
  }
  return std::memset(to, value, bytes);
}

// What programs call themselves to explain their own synchronisation.
void __tsan_acquire(void*) {}
void __tsan_release(void*) {}
void __tsan_ignore_thread_begin() {}
void __tsan_ignore_thread_end() {}
}
