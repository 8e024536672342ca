// SPDX-License-Identifier: Apache-2.0
// Launches with <<<…>>>: plain, templated, over several lines, from a macro.

#include "acl/acl.h"
#include "kernel_operator.h"

namespace kernels {

template <typename T, int factor>
__global__ __vector__ void scale(GM_ADDR data, uint32_t count) {
  auto* to = (__gm__ T*)data;
  for (uint32_t i = 0; i < count; ++i) to[i] = to[i] * factor;
}

}  // namespace kernels

__global__ __vector__ void add(GM_ADDR data, uint32_t count, int32_t value) {
  auto* to = (__gm__ int32_t*)data;
  for (uint32_t i = 0; i < count; ++i) to[i] += value;
}

#define LAUNCH_ON(kernel, stream, ...) \
  kernel<<<1, nullptr, stream>>>(__VA_ARGS__)

// "k<<<1, 2, 3>>>(x)" in text and comments stays: k<<<1, 2, 3>>>(x)
const char* const kText = R"(k<<<1, 2, 3>>>(x))";

int Apply(void* data, uint32_t count, aclrtStream stream) {
  add<<<1, nullptr, stream>>>((GM_ADDR)data, count, 5);
  kernels::scale<int32_t, 3><<<static_cast<uint32_t>(1), 0, stream>>>(
      (GM_ADDR)data, count);
  add<<<1,        // blocks
        nullptr,  // nothing
        stream>>>(
      (GM_ADDR)data,
      count, 1);
  LAUNCH_ON(add, stream, (GM_ADDR)data, count, 1);
#line 1000 "elsewhere.cpp"
  return kText[0] == 'k' ? aclrtSynchronizeStream(stream) : __LINE__;
}
