// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LAUNCH_H_
#define BELAY_LAUNCH_H_

// What marks a kernel and what k<<<blocks, l2, stream>>>(…) calls. Belay's
// compiler reads the marks as attributes of its own and includes this file in
// front of every source; for any other compiler the marks are empty.

#include <stdint.h>

#include "belay/guest_abi.h"

#if defined(__BELAY__) && defined(__clang__)
#define BELAY_MIX_RATIO_(cube, vector) #cube ":" #vector
#define __global__ __attribute__((global, belay_kernel))
#define __aicore__ __attribute__((belay_aicore))
#define __vector__ __attribute__((belay_vector))
#define __cube__ __attribute__((belay_cube))
#define __mix__(cube, vector) \
  __attribute__((belay_mix(BELAY_MIX_RATIO_(cube, vector))))
#define __host__
#else
#define __global__
#define __aicore__
#define __vector__
#define __cube__
#define __mix__(cube, vector)
#define __host__
#endif

#if defined(__BELAY__) && defined(__CUDA__)

namespace belay::abi {

// Second word of a launch: 0, nullptr or a count of bytes.
struct LaunchBytes {
  __attribute__((always_inline, nodebug)) LaunchBytes(decltype(nullptr))
      : value(0) {}
  template <typename Integer>
  __attribute__((always_inline, nodebug)) LaunchBytes(Integer bytes)
      : value(static_cast<uint64_t>(bytes)) {}
  uint64_t value;
};

}  // namespace belay::abi

// Clang calls the function of this name for <<<…>>>, and skips the launch when
// it returns anything but 0.
__attribute__((always_inline, nodebug)) inline int cudaConfigureCall(
    uint64_t blocks, belay::abi::LaunchBytes bytes = nullptr,
    void* stream = nullptr) {
  belay_configure_launch(blocks, bytes.value, stream);
  return 0;
}

#endif

#endif  // BELAY_LAUNCH_H_
