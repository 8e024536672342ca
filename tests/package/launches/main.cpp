// SPDX-License-Identifier: Apache-2.0
// Runs every kernel and checks what it wrote.

#include <cstdint>
#include <cstdio>
#include <vector>

#include "acl/acl.h"

struct Range {
  uint32_t first;
  uint32_t count;
};
#include "aclrtlaunch_fill.h"
#include "aclrtlaunch_meet.h"
#include "aclrtlaunch_sqrt.h"

int Apply(void* data, uint32_t count, aclrtStream stream);

namespace {

int failures = 0;

template <typename T>
void Expect(const char* what, T is, T should) {
  if (is == should) return;
  std::printf("%s: is %g, should be %g\n", what, static_cast<double>(is),
              static_cast<double>(should));
  ++failures;
}

template <typename T>
std::vector<T> Fetch(const void* device, size_t count) {
  std::vector<T> host(count);
  Expect("copy",
         aclrtMemcpy(host.data(), count * sizeof(T), device, count * sizeof(T),
                     ACL_MEMCPY_DEVICE_TO_HOST),
         0);
  return host;
}

}  // namespace

int main() {
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  constexpr uint32_t kCount = 64;
  void* data = nullptr;
  void* flags = nullptr;
  aclrtMalloc(&data, kCount * 16 * 4, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMalloc(&flags, kCount * 16 * 4, ACL_MEM_MALLOC_HUGE_FIRST);
  aclrtMemset(flags, kCount * 64, 0, kCount * 64);
  aclrtMemset(data, kCount * 64, 0, kCount * 64);

  ACLRT_LAUNCH_KERNEL(fill)(4, stream, data, Range{0, kCount}, 7);
  Expect("fill", aclrtSynchronizeStream(stream), 0);
  for (const int32_t value : Fetch<int32_t>(data, kCount)) {
    Expect("filled", value, 14);
  }
  Expect("apply", Apply(data, kCount, stream), 0);
  for (const int32_t value : Fetch<int32_t>(data, kCount)) {
    Expect("applied", value, (14 + 5) * 3 + 2);
  }

  ACLRT_LAUNCH_KERNEL(meet)(40, stream, flags, data);
  Expect("meet", aclrtSynchronizeStream(stream), 0);
  const auto met = Fetch<int32_t>(data, 40 * 16);
  for (int i = 0; i < 40; ++i) Expect("met", met[16 * i], i + 100);

  std::vector<float> squares(kCount);
  for (uint32_t i = 0; i < kCount; ++i) squares[i] = static_cast<float>(i * i);
  aclrtMemcpy(data, kCount * 4, squares.data(), kCount * 4,
              ACL_MEMCPY_HOST_TO_DEVICE);
  ACLRT_LAUNCH_KERNEL(sqrt)(1, stream, data, flags, kCount);
  Expect("sqrt", aclrtSynchronizeStream(stream), 0);
  const auto roots = Fetch<float>(flags, kCount);
  for (uint32_t i = 0; i < kCount; ++i) {
    Expect("root", roots[i], static_cast<float>(i));
  }

  // A host pointer is refused, with a text that says so.
  static int32_t host[4];
  ACLRT_LAUNCH_KERNEL(fill)(1, stream, host, Range{0, 1}, 1);
  Expect("host pointer", aclrtSynchronizeStream(stream), 507035);
  const char* text = aclGetRecentErrMsg();
  std::printf("refused: %s\n", text == nullptr ? "without a text" : text);
  std::puts(failures == 0 ? "all as expected" : "FAILED");
  return failures == 0 ? 0 : 1;
}
