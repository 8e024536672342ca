// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LAUNCH_H_
#define BELAY_LAUNCH_H_

// What marks a kernel and what k<<<blocks, l2, stream>>>(…) calls. Belay's
// compiler reads the marks as attributes of its own and includes this file in
// front of every source; for any other compiler the marks are empty.

#include <stdint.h>

#include "belay/guest_abi.h"

#if defined(__BELAY_EDITOR__)
// Stock Clang in an editor: see the end of this file.
#define __global__ __attribute__((global))
#define __aicore__
#define __vector__
#define __cube__
#define __mix__(cube, vector)
#define __host__
#elif defined(__BELAY__) && defined(__clang__)
#define BELAY_MIX_RATIO_(cube, vector) #cube ":" #vector
#define __global__ __attribute__((global, belay_kernel))
#define __aicore__ __attribute__((belay_aicore))
#define __vector__ __attribute__((belay_vector))
#define __cube__ __attribute__((belay_cube))
#define __mix__(cube, vector) \
  __attribute__((belay_mix(BELAY_MIX_RATIO_(cube, vector))))
#define __host__
// What `[aicore]` is read as.
#define _aicore_ __aicore__
#else
#define __global__
#define __aicore__
#define __vector__
#define __cube__
#define __mix__(cube, vector)
#define __host__
#endif

// How launches of several streams share cores: they follow one another here.
#define __schedmode__(mode)

#if !defined(__forceinline__)
#define __forceinline__ inline __attribute__((always_inline))
#endif

#if defined(__BELAY__) && defined(__CUDA__)

namespace belay::abi {

// Second word of a launch: 0, nullptr or a count of bytes. A pointer is the L2
// control that launch functions hand through; nothing depends on it.
struct LaunchBytes {
  __attribute__((always_inline, nodebug)) LaunchBytes(decltype(nullptr))
      : value(0) {}
  template <typename Any>
  __attribute__((always_inline, nodebug)) LaunchBytes(Any*) : value(0) {}
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

#if defined(__BELAY_EDITOR__)
// For stock Clang, the name is this.
int __cudaPushCallConfiguration(uint64_t blocks,
                                belay::abi::LaunchBytes bytes = nullptr,
                                void* stream = nullptr);

// Kernels may call any function that follows, as under Belay's compiler. What
// Clang itself declares must come before, as the C++ library declares it.
#include <exception>
#include <new>
#if defined(__x86_64__)
#include <immintrin.h>
#endif
// Clang's own variants of the library's headers for CUDA want the one, and
// must not add to <new> again.
#define __device__ __attribute__((device))
#define __CLANG_CUDA_WRAPPERS_NEW
#pragma clang force_cuda_host_device begin
#endif

#endif

#endif  // BELAY_LAUNCH_H_
