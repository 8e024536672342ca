// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_TILING_H_
#define BELAY_ASCENDC_TILING_H_

// How a kernel reads what tiling decided on the host: the tiling key and the
// tiling data. The structs themselves come from the operator's host code; in
// an operator project Belay defines them, and BelayTilingData for the
// operator's default one, in front of the kernel's file.

#include <stddef.h>
#include <stdint.h>

#include "ascendc/inline.h"
#include "ascendc/types.h"
#include "belay/guest_abi.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Copies `bytes` at `offset` of the tiling data through the data cache.
BELAY_API void CopyTiling(void* to, const __gm__ void* tiling, uint64_t offset,
                          uint64_t bytes) {
  belay_require_tiling(tiling, offset + bytes);
  __builtin_memcpy(to, static_cast<const uint8_t*>(tiling) + offset, bytes);
}

// The struct or array to copy, given as itself or as a pointer to it.
template <typename T>
BELAY_API const void* TilingSource(const T& value) {
  return &value;
}
template <typename T>
BELAY_API const void* TilingSource(T* const& pointer) {
  return pointer;
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

// Pointers to tiling data in global memory.
#define __tiling_data_ptr__ __gm__

#define GET_TILING_DATA_WITH_STRUCT(tiling_struct, tiling_data, tiling_arg) \
  tiling_struct tiling_data;                                                \
  ::belay::api::CopyTiling(&tiling_data, tiling_arg, 0, sizeof(tiling_data))

#define GET_TILING_DATA(tiling_data, tiling_arg) \
  GET_TILING_DATA_WITH_STRUCT(BelayTilingData, tiling_data, tiling_arg)

#define GET_TILING_DATA_MEMBER(tiling_struct, member, var, tiling_arg)        \
  decltype(tiling_struct::member) var;                                        \
  ::belay::api::CopyTiling(&var, tiling_arg, offsetof(tiling_struct, member), \
                           sizeof(var))

#define GET_TILING_DATA_PTR_WITH_STRUCT(tiling_struct, dst_ptr, tiling_ptr) \
  belay_require_tiling(tiling_ptr, sizeof(tiling_struct));                  \
  __tiling_data_ptr__ tiling_struct* dst_ptr =                              \
      reinterpret_cast<__tiling_data_ptr__ tiling_struct*>(tiling_ptr)

#define INIT_TILING_DATA(tiling_struct, dst_ptr, tiling_ptr) \
  GET_TILING_DATA_PTR_WITH_STRUCT(tiling_struct, dst_ptr, tiling_ptr)

// Copies on the stack of a part of the tiling data.
#define COPY_TILING_WITH_STRUCT(tiling_struct, src_ptr, dst_ptr)         \
  tiling_struct dst_ptr##_copy;                                          \
  __builtin_memcpy(&dst_ptr##_copy, ::belay::api::TilingSource(src_ptr), \
                   sizeof(tiling_struct));                               \
  const tiling_struct* dst_ptr = &dst_ptr##_copy

#define COPY_TILING_WITH_ARRAY(arr_type, arr_count, src_ptr, dst_ptr)    \
  arr_type dst_ptr##_copy[arr_count];                                    \
  __builtin_memcpy(&dst_ptr##_copy, ::belay::api::TilingSource(src_ptr), \
                   sizeof(dst_ptr##_copy));                              \
  const arr_type(*dst_ptr)[arr_count] = &dst_ptr##_copy

// The kernel's own structs instead of registered ones: the default, and those
// of some keys, which kernels take with GET_TILING_DATA_WITH_STRUCT.
#define REGISTER_TILING_DEFAULT(tiling_struct) \
  using BelayTilingData = tiling_struct
#define REGISTER_TILING_FOR_TILINGKEY(expression, tiling_struct) \
  static_assert(sizeof(expression) > 1 && sizeof(tiling_struct) > 0)
#define REGISTER_NONE_TILING static_assert(true)

// Keys are unsigned 64-bit numbers.
#define TILING_KEY_IS(key) \
  (belay_tiling_key_is(static_cast<uint64_t>(key)) != 0)
#define TILING_KEY_LIST(key1, key2) (TILING_KEY_IS(key1) || TILING_KEY_IS(key2))

// In operator projects a constant, which the preprocessor understands too.
#define TILING_KEY_VAR (belay_tiling_key())

#endif  // BELAY_ASCENDC_TILING_H_
