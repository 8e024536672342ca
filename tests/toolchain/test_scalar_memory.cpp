// SPDX-License-Identifier: Apache-2.0
// Which accesses of kernel code go through the runtime.

#include <gtest/gtest.h>

#include "guest_program.h"

namespace belay::testing::test_scalar_memory {
namespace {

TEST(ScalarMemory, AccessesThroughPointersAreSeenWithSizeAndAddress) {
  GuestProgram program(R"(
struct Pair { int a; int64_t b; };
__global__ __aicore__ void k(char* c, short* s, int* i, int64_t* d, Pair* p) {
  c[3] = 1;
  s[0] = s[1];
  i[2] += 5;
  d[0] = p->b;
}
char c[4]; short s[2]; int i[3]; int64_t d[1]; Pair p = {1, 2};
int main() { k<<<1, 0>>>(c, s, i, d, &p); return d[0] * 100 + c[3] + i[2]; }
)");
  EXPECT_EQ(program.Run(), 206);
  const Recorder& seen = TheRecorder();
  EXPECT_EQ(seen.BytesOf('r'), 2u + 4 + 8);
  EXPECT_EQ(seen.BytesOf('w'), 1u + 2 + 4 + 8);
  EXPECT_EQ(seen.CountOf('r'), 3);
  EXPECT_EQ(seen.CountOf('w'), 4);
  EXPECT_EQ(seen.accesses[0].address,
            static_cast<char*>(program.Symbol("c")) + 3);
}

TEST(ScalarMemory, AccessesAreMadeAtTheReturnedPlace) {
  // The runtime may move an access; here it answers with the address itself,
  // so what is stored must be what is loaded.
  GuestProgram program(R"(
__global__ __aicore__ void k(volatile int* p) { *p = 1; *p = *p + 1; }
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  EXPECT_EQ(program.Run(), 2);
  EXPECT_EQ(TheRecorder().CountOf('w'), 2);
  EXPECT_EQ(TheRecorder().CountOf('r'), 1);
}

TEST(ScalarMemory, OwnFrameAndConstantsAreNotAsked) {
  GuestProgram program(R"(
struct Table { int rows[4]; };
constexpr int kPrimes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
__global__ __aicore__ void k(int* p, Table table, int n) {
  volatile int local[8];
  int sum = 0;
  for (int i = 0; i < 8; ++i) local[i] = kPrimes[i] + n;
  for (int i = 0; i < 8; ++i) sum += local[i] + kPrimes[(i * 3) & 7];
  local[0] = sum;
  *p = local[0] + table.rows[n];
}
int main() {
  int x = 0;
  k<<<1, 0>>>(&x, Table{{100, 200, 300, 400}}, 1);
  return x;
}
)");
  EXPECT_EQ(program.Run(), 2 * 77 + 8 + 200);
  EXPECT_EQ(TheRecorder().accesses.size(), 1u);
}

TEST(ScalarMemory, IndexOutOfALocalArrayIsAsked) {
  GuestProgram program(R"(
__global__ __aicore__ void k(int* p, int n) {
  volatile int local[4] = {1, 2, 3, 4};
  *p = local[n] + local[n - 1];
}
int main() { int x = 0; k<<<1, 0>>>(&x, 4); return 0; }
)");
  program.Run();
  EXPECT_EQ(TheRecorder().CountOf('r'), 1);
  EXPECT_EQ(program.LinesOf(TheRecorder().accesses[0].caller),
            std::vector<int>{4});
}

TEST(ScalarMemory, WritableGlobalsOfTheModuleAreAsked) {
  GuestProgram program(R"(
int counter = 3;
__global__ __aicore__ void k(int* p) { *p = ++counter; }
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  EXPECT_EQ(program.Run(), 4);
  EXPECT_EQ(TheRecorder().CountOf('r'), 1);
  EXPECT_EQ(TheRecorder().CountOf('w'), 2);
}

TEST(ScalarMemory, StructsAreCopiedThroughTheRuntime) {
  GuestProgram program(R"(
struct Large { int values[32]; };
__attribute__((noinline)) __aicore__ int last(Large large) {
  return large.values[31];
}
__attribute__((noinline)) __aicore__ Large make(int value) {
  Large large = {};
  large.values[31] = value;
  return large;
}
__global__ __aicore__ void k(Large* a, Large* b, int* out) {
  *b = *a;
  *out = last(*b);
  *a = make(9);
}
Large a, b;
int main() {
  a.values[31] = 77;
  int out = 0;
  k<<<1, 0>>>(&a, &b, &out);
  return out * 10 + a.values[31];
}
)");
  EXPECT_EQ(program.Run(), 779);
  const Recorder& seen = TheRecorder();
  EXPECT_GE(seen.BytesOf('c') + seen.BytesOf('m'), 128u);
  EXPECT_EQ(seen.BytesOf('c') + seen.BytesOf('m') + seen.BytesOf('w') +
                seen.BytesOf('r'),
            128u * 3 + 4);
}

TEST(ScalarMemory, NoMemoryFunctionAppearsFromALoop) {
  GuestProgram program(R"(
__global__ __aicore__ void k(int* p, int* q, int n) {
  for (int i = 0; i < n; ++i) p[i] = 0;
  for (int i = 0; i < n; ++i) q[i] = p[i];
}
int main() { int p[16], q[16]; k<<<1, 0>>>(p, q, 16); return q[15]; }
)");
  EXPECT_EQ(program.Run(), 0);
  EXPECT_EQ(TheRecorder().CountOf('w'), 32);
  EXPECT_EQ(TheRecorder().CountOf('r'), 16);
}

TEST(ScalarMemory, NullIsAnAddressLikeAnyOther) {
  GuestProgram program(R"(
__global__ __aicore__ void k(int* p) {
  int* null = nullptr;
  *p = 1;
  if (p == nullptr) *null = 2;
}
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  EXPECT_EQ(program.Run(), 1);
  EXPECT_EQ(TheRecorder().CountOf('w'), 1);
}

// The way into a kernel reads its packed arguments, which are not the
// kernel's memory; the kernel behind it is watched however small it is.
TEST(ScalarMemory, SmallKernelsAreNotInlinedIntoTheirEntry) {
  GuestProgram program(R"(
__attribute__((always_inline)) __global__ __aicore__ void k(int* p, int n) {
  *p = n;
}
int main() { int x = 0; k<<<1, 0>>>(&x, 6); return x; }
)");
  EXPECT_EQ(program.Run(), 6);
  EXPECT_EQ(TheRecorder().accesses.size(), 1u);
  EXPECT_EQ(TheRecorder().CountOf('w'), 1);
}

TEST(ScalarMemory, AtomicsAreAsked) {
  GuestProgram program(R"(
__global__ __aicore__ void k(int* p) {
  __atomic_fetch_add(p, 5, __ATOMIC_SEQ_CST);
  int expected = 5;
  __atomic_compare_exchange_n(p, &expected, 8, false, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
}
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  EXPECT_EQ(program.Run(), 8);
  EXPECT_EQ(TheRecorder().CountOf('w'), 2);
}

}  // namespace
}  // namespace belay::testing::test_scalar_memory
