// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_MATMUL_REGISTER_H_
#define BELAY_ASCENDC_MATMUL_REGISTER_H_

// REGIST_MATMUL_OBJ: makes a kernel's Matmul objects known. In a kernel that
// runs on cube and vector cores the cube core serves the vector cores there,
// and its part of the kernel ends with it.

#include "ascendc/matmul/matmul.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

inline constexpr uint32_t kMostMatmuls = 8;

struct MatmulList {
  abi::MatmulState* states[kMostMatmuls] = {};
  uint32_t count = 0;
};

template <typename T>
T& Any();
template <typename T, typename = void>
inline constexpr bool kIsMatmul = false;
template <typename T>
inline constexpr bool kIsMatmul<T, Void<decltype(Any<T>().BelayState())>> =
    true;

BELAY_API void CollectMatmuls(MatmulList&) {}
template <typename Object, typename... Others>
BELAY_API void CollectMatmuls(MatmulList& list, Object& object,
                              Others&... others) {
  if constexpr (kIsMatmul<Object>) {
    if (list.count < kMostMatmuls) {
      list.states[list.count++] = object.BelayState();
    }
  }
  CollectMatmuls(list, others...);
}

// Objects, each with the tiling behind it if there is one.
BELAY_API void InitMatmuls() {}
template <typename Object>
BELAY_API void InitMatmuls(Object& object) {
  if constexpr (kIsMatmul<Object>) {
    if constexpr (Object::kHasConstantTiling) object.InitTiling(nullptr);
  }
}
template <typename Object, typename Next, typename... Others>
BELAY_API void InitMatmuls(Object& object, Next& next, Others&... others) {
  if constexpr (kIsMatmul<Next>) {
    InitMatmuls(object);
    InitMatmuls(next, others...);
  } else {
    const TCubeTiling* tiling = next;
    object.InitTiling(tiling);
    InitMatmuls(others...);
  }
}

// True when this core's part of the kernel ends here.
template <typename Workspace, typename... Objects>
BELAY_API bool RegisterMatmuls(AscendC::TPipe* pipe, Workspace workspace,
                               Objects&&... objects) {
#if defined(__BELAY__) && defined(__clang__)
  belay_suggest_task_type(kCubeOnly ? KERNEL_TYPE_AIC_ONLY
                                    : KERNEL_TYPE_MIX_AIC_1_2);
#endif
  MatmulList list;
  CollectMatmuls(list, objects...);
  static_cast<void>(pipe);
  belay_matmul_register(list.states, list.count, belay_current_pipe(),
                        reinterpret_cast<uint64_t>(workspace));
  InitMatmuls(objects...);
  return belay_matmul_serve(list.states, list.count) != 0;
}

}  // namespace belay::api

#define REGIST_MATMUL_OBJ(tpipe, workspace, ...) \
  if (::belay::api::RegisterMatmuls(tpipe, workspace, __VA_ARGS__)) return
#define REGIST_CUBE_OBJ(tpipe, workspace, ...) \
  REGIST_MATMUL_OBJ(tpipe, workspace, __VA_ARGS__)

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_MATMUL_REGISTER_H_
