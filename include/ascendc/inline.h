// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_INLINE_H_
#define BELAY_ASCENDC_INLINE_H_

// How the functions of these headers are marked: inlined into the kernel's
// line and without lines of their own, so that a return address taken in the
// library is a place in the user's file.

#if defined(__clang__)
#define BELAY_API __attribute__((always_inline, nodebug)) inline
#else
#define BELAY_API __attribute__((always_inline, artificial)) inline
#endif

// Between these, functions may be called from kernels and from host code.
#if defined(__clang__) && defined(__CUDA__)
#define BELAY_KERNEL_CODE_BEGIN _Pragma("clang force_cuda_host_device begin")
#define BELAY_KERNEL_CODE_END _Pragma("clang force_cuda_host_device end")
#else
#define BELAY_KERNEL_CODE_BEGIN
#define BELAY_KERNEL_CODE_END
#endif

#endif  // BELAY_ASCENDC_INLINE_H_
