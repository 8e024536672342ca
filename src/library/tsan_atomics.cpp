// SPDX-License-Identifier: Apache-2.0
// The call-backs that -fsanitize=thread puts in the place of atomic operations:
// each does the operation itself, in the strongest order, and announces it
// first when kernel code asks for it.

#include <atomic>
#include <cstdint>

#include "library/tsan_place.h"

namespace {

using Wide = unsigned __int128;

// The orders of the interface are ints; sequential consistency satisfies all.
constexpr int kOrder = __ATOMIC_SEQ_CST;

}  // namespace

#define BELAY_ANNOUNCE(write)                                           \
  if (belay::library::InKernel()) {                                     \
    belay::library::OnAccess(                                           \
        const_cast<const void*>(static_cast<const volatile void*>(at)), \
        sizeof(*at), write, BELAY_GUEST_PLACE());                       \
  }

#define BELAY_FETCH(bits, type, operation)                                   \
  extern "C" type __tsan_atomic##bits##_fetch_##operation(volatile type* at, \
                                                          type value, int) { \
    BELAY_ANNOUNCE(true)                                                     \
    return __atomic_fetch_##operation(at, value, kOrder);                    \
  }

// The strong and the weak form store what they found into `expected`.
#define BELAY_EXCHANGE_IF(bits, type, name)                                  \
  extern "C" int __tsan_atomic##bits##_compare_exchange_##name(              \
      volatile type* at, type* expected, type desired, int, int) {           \
    BELAY_ANNOUNCE(true)                                                     \
    return __atomic_compare_exchange_n(at, expected, desired, false, kOrder, \
                                       kOrder);                              \
  }

#define BELAY_ATOMICS(bits, type)                                            \
  extern "C" type __tsan_atomic##bits##_load(const volatile type* at, int) { \
    BELAY_ANNOUNCE(false)                                                    \
    return __atomic_load_n(at, kOrder);                                      \
  }                                                                          \
  extern "C" void __tsan_atomic##bits##_store(volatile type* at, type value, \
                                              int) {                         \
    BELAY_ANNOUNCE(true)                                                     \
    __atomic_store_n(at, value, kOrder);                                     \
  }                                                                          \
  extern "C" type __tsan_atomic##bits##_exchange(volatile type* at,          \
                                                 type value, int) {          \
    BELAY_ANNOUNCE(true)                                                     \
    return __atomic_exchange_n(at, value, kOrder);                           \
  }                                                                          \
  extern "C" type __tsan_atomic##bits##_compare_exchange_val(                \
      volatile type* at, type expected, type desired, int, int) {            \
    BELAY_ANNOUNCE(true)                                                     \
    __atomic_compare_exchange_n(at, &expected, desired, false, kOrder,       \
                                kOrder);                                     \
    return expected;                                                         \
  }                                                                          \
  BELAY_EXCHANGE_IF(bits, type, strong)                                      \
  BELAY_EXCHANGE_IF(bits, type, weak)                                        \
  BELAY_FETCH(bits, type, add)                                               \
  BELAY_FETCH(bits, type, sub)                                               \
  BELAY_FETCH(bits, type, and)                                               \
  BELAY_FETCH(bits, type, or)                                                \
  BELAY_FETCH(bits, type, xor)                                               \
  BELAY_FETCH(bits, type, nand)

BELAY_ATOMICS(8, uint8_t)
BELAY_ATOMICS(16, uint16_t)
BELAY_ATOMICS(32, uint32_t)
BELAY_ATOMICS(64, uint64_t)
BELAY_ATOMICS(128, Wide)

extern "C" {

void __tsan_atomic_thread_fence(int) {
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
void __tsan_atomic_signal_fence(int) {
  std::atomic_signal_fence(std::memory_order_seq_cst);
}
}
