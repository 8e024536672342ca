// SPDX-License-Identifier: Apache-2.0
// Code addresses lead back to the right lines, whatever was inlined.

#include <gtest/gtest.h>

#include "guest_program.h"
#include "toolchain/symbolize.h"

namespace belay::testing::test_source_lines {
namespace {

using Lines = std::vector<int>;

Lines LinesOfFirst(GuestProgram& program, char kind) {
  for (const MemoryAccess& access : TheRecorder().accesses)
    if (access.kind == kind) return program.LinesOf(access.caller);
  return {};
}

TEST(SourceLines, ThreeInlineLevels) {
  GuestProgram program(R"(
__attribute__((always_inline)) __aicore__ inline void third(int* p) {
  *p = 1;
}
__attribute__((always_inline)) __aicore__ inline void second(int* p) {
  third(p);
}
__attribute__((always_inline)) __aicore__ inline void first(int* p) {
  second(p);
}
__global__ __aicore__ void k(int* p) {
  first(p);
}
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  EXPECT_EQ(program.Run(), 1);
  EXPECT_EQ(LinesOfFirst(program, 'w'), (Lines{3, 6, 9, 12}));
}

TEST(SourceLines, TemplateAndLambda) {
  GuestProgram program(R"(
template <typename T> struct Kernel {
  T* data;
  __aicore__ inline void Process() {
    auto store = [&](int i) __attribute__((always_inline)) {
      data[i] = static_cast<T>(i);
    };
    store(1);
  }
};
__global__ __aicore__ void k(float* p) {
  Kernel<float> kernel{p};
  kernel.Process();
}
int main() { float x[2] = {}; k<<<1, 0>>>(x); return x[1]; }
)");
  EXPECT_EQ(program.Run(), 1);
  const Lines lines = LinesOfFirst(program, 'w');
  ASSERT_GE(lines.size(), 2u);
  EXPECT_EQ(lines[0], 6);
  EXPECT_EQ(lines[1], 8);
}

TEST(SourceLines, MarkedLambda) {
  GuestProgram program(R"(
__global__ __aicore__ void k(int* p) {
  auto f = [&] __aicore__ (int i) {
    p[i] = 4;
  };
  f(0);
}
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  EXPECT_EQ(program.Run(), 4);
  EXPECT_EQ(LinesOfFirst(program, 'w')[0], 4);
}

TEST(SourceLines, TailCallKeepsItsCaller) {
  GuestProgram program(R"(
__attribute__((noinline)) __aicore__ void last(int* p) {
  *p = 3;
}
__attribute__((noinline)) __aicore__ void middle(int* p) {
  last(p);
}
__global__ __aicore__ void k(int* p) {
  middle(p);
}
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  EXPECT_EQ(program.Run(), 3);
  EXPECT_EQ(LinesOfFirst(program, 'w'), Lines{3});
}

// Functions of Belay's headers have no lines of their own.
TEST(SourceLines, HeaderFunctionsShowTheUsersLine) {
  GuestProgram program(R"(
#define API __attribute__((always_inline, nodebug)) inline
API void inner(int* p) { *p = 6; }
API void outer(int* p) { inner(p); }
__global__ __aicore__ void k(int* p) {
  outer(p);
}
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  EXPECT_EQ(program.Run(), 6);
  EXPECT_EQ(LinesOfFirst(program, 'w'), Lines{6});
}

// Two calls that differ in nothing but their line stay two calls.
TEST(SourceLines, EqualBranchesAreNotMerged) {
  const char* const kText = R"(
extern "C" void* belay_write(void*, uint64_t);
__global__ __aicore__ void k(int* p, int n) {
  if (n) {
    belay_write(p, 4);
    *p = 1;
  } else {
    belay_write(p, 4);
    *p = 1;
  }
}
int main(int argc, char**) {
  int x = 0;
  k<<<1, 0>>>(&x, argc);
  k<<<1, 0>>>(&x, argc - 1);
}
)";
  GuestProgram program(kText);
  program.Run();
  Lines lines;
  for (const MemoryAccess& access : TheRecorder().accesses)
    lines.push_back(program.LinesOf(access.caller).at(0));
  EXPECT_EQ(lines, (Lines{5, 6, 8, 9}));
}

TEST(SourceLines, FileIsNamedAsTheUserNamedIt) {
  GuestProgram program(R"(
#include "inner.h"
__global__ __aicore__ void k(int* p) { store(p); }
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  const std::string header = program.AddFile("inner.h", R"(
__aicore__ inline void store(int* p) { *p = 2; }
)");
  EXPECT_EQ(program.Run(), 2);
  const void* caller = TheRecorder().accesses.at(0).caller;
  const std::vector<SourceLocation> frames = program.FramesOf(caller);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_EQ(frames[0].file, header);
  EXPECT_EQ(frames[0].function, "store");
  EXPECT_GT(frames[0].column, 0);
  EXPECT_EQ(frames[1].file, program.options().sources[0]);
}

TEST(SourceLines, UnknownAddressesGiveNothing) {
  toolchain::Symbolizer missing("no such module");
  EXPECT_TRUE(missing.Frames(0).empty());
}

}  // namespace
}  // namespace belay::testing::test_source_lines
