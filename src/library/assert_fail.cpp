// SPDX-License-Identifier: Apache-2.0
// What assert() calls: in a kernel a fault of the kernel, in host code what the
// C library does.

#include <dlfcn.h>

#include <cstdlib>

#include "belay/guest_abi.h"
#include "library/tsan_place.h"

extern "C" [[noreturn]] void __assert_fail(
    const char* expression, const char* file, unsigned line,
    const char* function) noexcept(false) {
  if (belay::library::InKernel()) {
    belay::runtime::FailAssertion(expression, file, line, function,
                                  BELAY_GUEST_PLACE());
  }
  using Function = void (*)(const char*, const char*, unsigned, const char*);
  const auto next =
      reinterpret_cast<Function>(dlsym(RTLD_NEXT, "__assert_fail"));
  if (next != nullptr) next(expression, file, line, function);
  std::abort();
}
