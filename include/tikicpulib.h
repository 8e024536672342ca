// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TIKICPULIB_H_
#define BELAY_TIKICPULIB_H_

// The unit test interface of CANN's CPU mode: kernels run as ordinary
// functions on the simulated chip.

#include <stddef.h>
#include <stdint.h>

#include "belay/host_launch.h"
#include "kernel_operator.h"  // IWYU pragma: export

enum class KernelMode { MIX_MODE = 0, AIC_MODE, AIV_MODE, MIX_AIC_1_1 };

namespace AscendC {

using ::KernelMode;

// Which cores the kernels run on. Without a call: vector cores.
inline void SetKernelMode(KernelMode mode) {
  belay_set_kernel_mode(static_cast<int>(mode));
}

// Device memory that host code may touch too; null when there is no more.
inline void* GmAlloc(size_t size) { return belay_gm_alloc(size); }
inline void GmFree(void* ptr) { belay_gm_free(ptr); }

}  // namespace AscendC

// The branch of the kernel that launches from here on take.
#define ICPU_SET_TILING_KEY(tilingKey) \
  belay_set_tiling_key(static_cast<uint64_t>(tilingKey))

// Runs func(…) on `numBlocks` blocks; throws belay::host::KernelFault, a
// std::runtime_error, when the kernel is at fault.
#if defined(__BELAY__) && defined(__CUDA__)
#define ICPU_RUN_KF(func, numBlocks, ...)                                 \
  do {                                                                    \
    void* belay_unit_stream = belay_open_stream();                        \
    func<<<numBlocks, nullptr, belay_unit_stream>>>(__VA_ARGS__);         \
    const char* belay_unit_fault = belay_close_stream(belay_unit_stream); \
    if (belay_unit_fault != nullptr)                                      \
      throw ::belay::host::KernelFault(belay_unit_fault);                 \
  } while (0)
#else
#define ICPU_RUN_KF(func, numBlocks, ...)                   \
  ::belay::host::RunOrThrow(                                \
      #func, static_cast<uint64_t>(numBlocks),              \
      [=](::belay::host::Caller, auto... belay_arguments) { \
        func(belay_arguments...);                           \
      },                                                    \
      ##__VA_ARGS__)
#endif

#endif  // BELAY_TIKICPULIB_H_
