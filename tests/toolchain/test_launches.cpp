// SPDX-License-Identifier: Apache-2.0
// How kernels are marked and launched.

#include <gtest/gtest.h>

#include "guest_program.h"

namespace belay::testing::test_launches {
namespace {

TEST(Launches, EveryFormOfTheConfiguration) {
  GuestProgram program(R"(
__global__ __aicore__ void k(int* p) { *p += 1; }
int main() {
  int x = 0;
  unsigned blocks = 7;
  uint32_t bytes = 64;
  void* stream = &x;
  k<<<8, nullptr, stream>>>(&x);
  k<<<blocks, 0, nullptr>>>(&x);
  k<<<2, bytes, stream>>>(&x);
  k<<<1, 0>>>(&x);
  return x;
}
)");
  EXPECT_EQ(program.Run(), 4);
  const std::vector<Launch>& launches = TheRecorder().launches;
  ASSERT_EQ(launches.size(), 4u);
  EXPECT_EQ(launches[0].blocks, 8u);
  EXPECT_NE(launches[0].stream, nullptr);
  EXPECT_EQ(launches[1].blocks, 7u);
  EXPECT_EQ(launches[1].stream, nullptr);
  EXPECT_EQ(launches[2].dynamic_bytes, 64u);
  EXPECT_EQ(launches[3].blocks, 1u);
  EXPECT_EQ(launches[3].dynamic_bytes, 0u);
}

TEST(Launches, MarksInAnyOrderTellTheKind) {
  GuestProgram program(R"(
#define CUBES 1
__global__ __aicore__ void plain() {}
__aicore__ __global__ void turned() {}
__vector__ __global__ __aicore__ void vector() {}
__global__ __cube__ void cube() {}
__global__ __mix__(CUBES, 2) void mix() {}
extern "C" __global__ __aicore__ void with_c_name() {}
namespace inner { __global__ void qualified() {} }
int main() {
  plain<<<1, 0>>>();
  turned<<<1, 0>>>();
  vector<<<1, 0>>>();
  cube<<<1, 0>>>();
  mix<<<1, 0>>>();
  with_c_name<<<1, 0>>>();
  inner::qualified<<<1, 0>>>();
}
)");
  EXPECT_EQ(program.Run(), 0);
  std::string seen;
  for (const Launch& launch : TheRecorder().launches)
    seen += launch.kernel + "=" + launch.kind + " ";
  EXPECT_EQ(seen,
            "plain=aicore turned=aicore vector=vector cube=cube mix=mix:1:2 "
            "with_c_name=aicore inner::qualified=aicore ");
  EXPECT_NE(program.Symbol("_Z11with_c_namev.belay_entry"), nullptr);
  EXPECT_NE(program.Symbol("_ZN5inner9qualifiedEv.belay_entry"), nullptr);
}

TEST(Launches, TemplatesInHostTemplates) {
  GuestProgram program(R"(
template <typename T, int n> __global__ __aicore__ void fill(T* p, T value) {
  for (int i = 0; i < n; ++i) p[i] = value;
}
template <typename T> T host(T value) {
  T data[4] = {};
  fill<T, 4><<<1, nullptr, nullptr>>>(data, value);
  return data[0] + data[3];
}
template __global__ void fill<short, 9>(short*, short);
int main() { return host<int>(10) + static_cast<int>(host<float>(1.5f)); }
)");
  EXPECT_EQ(program.Run(), 23);
  ASSERT_EQ(TheRecorder().launches.size(), 2u);
  EXPECT_EQ(TheRecorder().launches[0].kernel, "fill<int, 4>");
  EXPECT_EQ(TheRecorder().launches[1].kernel, "fill<float, 4>");
  EXPECT_NE(program.Symbol("_Z4fillIsLi9EEvPT_S0_.belay_entry"), nullptr);
}

TEST(Launches, ArgumentsOfEveryClass) {
  GuestProgram program(R"(
struct Small { int a; float b; };
struct Large { char name[5]; int64_t values[9]; };
struct alignas(64) Aligned { int a[16]; };
struct Wide { _Float16 a, b, c; };
__global__ __aicore__ void k(float* out, Small small, int8_t byte, Large large,
                             float f, Aligned aligned, _Float16 h, Wide wide,
                             bool flag) {
  out[0] = small.a + small.b + byte + large.name[4] + large.values[8] + f +
           aligned.a[15] + (float)h + (float)wide.c + flag;
  out[1] = reinterpret_cast<uint64_t>(&aligned) % 64;
  large.values[8] = 0;
}
int main() {
  float out[2] = {};
  Large large = {{0, 0, 0, 0, 5}, {0, 0, 0, 0, 0, 0, 0, 0, 70}};
  Aligned aligned = {};
  aligned.a[15] = 800;
  k<<<1, 0>>>(out, Small{1, 0.5f}, -2, large, 0.25f, aligned, (_Float16)0.125f,
              Wide{0, 0, (_Float16)16}, true);
  if (large.values[8] != 70) return -1;
  if (out[1] != 0) return -2;
  return static_cast<int>(out[0] * 1000);
}
)");
  EXPECT_EQ(program.Run(), 891875);
}

TEST(Launches, KernelInAHeaderAndInAnotherSource) {
  GuestProgram program(R"(
#include "kernel.h"
__global__ __aicore__ void elsewhere(int* p);
int main() {
  int x = 1;
  here<<<1, 0>>>(&x);
  elsewhere<<<3, 0>>>(&x);
  return x;
}
)");
  program.AddFile("kernel.h", R"(
#pragma once
__aicore__ int helper(int x);
__global__ __aicore__ inline void here(int* p) { *p = helper(*p); }
)");
  program.options().sources.push_back(program.AddFile("second.cpp", R"(
#include "kernel.h"
__aicore__ int helper(int x) { return 10 * x; }
__global__ __vector__ void elsewhere(int* p) { *p = helper(*p) + 7; }
)"));
  EXPECT_EQ(program.Run(), 107);
  EXPECT_EQ(TheRecorder().CountOf('r'), 2);
  EXPECT_EQ(TheRecorder().CountOf('w'), 2);
}

TEST(Launches, StaticKernelsOfTwoSourcesDoNotMeet) {
  GuestProgram program(R"(
static __global__ void k(int* p) { *p += 1; }
void second(int* p);
int main() {
  int x = 0;
  k<<<1, 0>>>(&x);
  second(&x);
  return x;
}
)");
  program.options().sources.push_back(program.AddFile("second.cpp", R"(
static __global__ void k(int* p) { *p += 20; }
void second(int* p) { k<<<1, 0>>>(p); }
)"));
  EXPECT_EQ(program.Run(), 21);
}

TEST(Launches, WrongKernelsAreRefusedAtTheirLine) {
  GuestProgram program(R"(
__global__ int returns() { return 1; }
struct S { __global__ void member() {} };
struct Owner { Owner(); Owner(const Owner&); ~Owner(); };
__global__ void takes(Owner owner) {}
__global__ void good() {}
int main() { good(); }
)");
  EXPECT_FALSE(program.Compile());
  std::vector<int> lines;
  for (const Diagnostic& diagnostic : program.diagnostics()) {
    EXPECT_EQ(diagnostic.code, "BLY-C101");
    lines.push_back(diagnostic.location.line);
  }
  EXPECT_EQ(lines, (std::vector<int>{2, 3, 7, 5})) << program.Messages();
}

}  // namespace
}  // namespace belay::testing::test_launches
