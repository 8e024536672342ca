// SPDX-License-Identifier: Apache-2.0
// What kernel code may call, and what it is told when it may not.

#include <gtest/gtest.h>

#include <map>

#include "guest_program.h"

namespace belay::testing::test_device_calls {
namespace {

TEST(DeviceCalls, PrintsThroughTheRuntime) {
  GuestProgram program(R"(
#include <cstdio>
__global__ __aicore__ void k(float f) {
  _Float16 h = f;
  printf("%d %s %.2f %.3f\n", 7, "text", f, h);
  puts("line");
  putchar('!');
}
int main() { k<<<1, 0>>>(1.25f); }
)");
  EXPECT_EQ(program.Run(), 0);
  EXPECT_EQ(TheRecorder().printed, "7 text 1.25 1.250\nline\n!");
}

TEST(DeviceCalls, AssertAndTrapEndTheKernel) {
  const std::map<std::string, std::string> ends = {
      {"assert(n > 5)", "assert n > 5 5"},
      {"abort()", "trap"},
      {"__builtin_trap()", "trap"},
  };
  for (const auto& [statement, end] : ends) {
    GuestProgram program(
        "#include <cassert>\n"
        "#include <cstdlib>\n"
        "#include <cstdio>\n"
        "__global__ __aicore__ void k(int n) {\n" +
        statement +
        ";\n"
        "  printf(\"after\");\n"
        "}\n"
        "int main() { k<<<1, 0>>>(3); }\n");
    EXPECT_EQ(program.Run(), 0);
    EXPECT_EQ(TheRecorder().end, end);
    EXPECT_EQ(TheRecorder().printed, "");
    EXPECT_EQ(program.LinesOf(TheRecorder().end_caller), std::vector<int>{5})
        << statement;
  }
}

TEST(DeviceCalls, MemoryFunctionsAreWatched) {
  GuestProgram program(R"(
#include <cstring>
__global__ __aicore__ void k(char* p, char* q, int n) {
  memset(p, 1, n);
  memcpy(p + 16, q, n);
  memmove(p + 1, p, 8);
}
int main() {
  char data[64] = {}, more[16] = {7};
  k<<<1, 0>>>(data, more, 16);
  return data[15] * 10 + data[16] + data[32];
}
)");
  EXPECT_EQ(program.Run(), 17);
  EXPECT_EQ(TheRecorder().BytesOf('s'), 16u);
  EXPECT_EQ(TheRecorder().BytesOf('c'), 16u);
  EXPECT_EQ(TheRecorder().BytesOf('m') + TheRecorder().BytesOf('w'), 8u);
}

TEST(DeviceCalls, ForbiddenOnesAreAllReportedAtTheUsersLine) {
  GuestProgram program(R"(
#include <cmath>
#include <cstdlib>
#include <vector>
template <typename T> __aicore__ inline T deep(T x) {
  return std::exp(x);
}
__global__ __aicore__ void k(float* p, int n) {
  p[0] = deep(p[1]) + deep(p[2]);
  p[1] = expf(p[2]);
  p[2] = floorf(p[3]);
  int* heap = new int[n];
  p[3] = heap[0];
  static int once = n;
  asm volatile("nop");
  p[4] = once + rand();
}
float host(float x) { return expf(x) + std::vector<int>(3).size(); }
int main() { k<<<1, 0>>>(nullptr, static_cast<int>(host(1))); }
)");
  EXPECT_FALSE(program.Compile());
  std::map<int, std::string> codes;
  for (const Diagnostic& diagnostic : program.diagnostics()) {
    EXPECT_EQ(diagnostic.severity, Severity::kError);
    EXPECT_FALSE(diagnostic.fix.empty());
    codes[diagnostic.location.line] += diagnostic.code;
  }
  const std::map<int, std::string> expected = {
      {6, "BLY-C102"},  {10, "BLY-C102"}, {11, "BLY-C102"}, {12, "BLY-C102"},
      {14, "BLY-C102"}, {15, "BLY-C104"}, {16, "BLY-C102"}};
  EXPECT_EQ(codes, expected) << program.Messages();
}

TEST(DeviceCalls, MessageNamesTheFunctionAndTheWayOut) {
  GuestProgram program(R"(
#include <cmath>
__global__ __aicore__ void k(float* p) { *p = expf(*p); }
)");
  EXPECT_FALSE(program.Compile());
  ASSERT_EQ(program.diagnostics().size(), 1u) << program.Messages();
  const Diagnostic& diagnostic = program.diagnostics()[0];
  EXPECT_EQ(diagnostic.message,
            "kernel code calls 'expf', which does not exist on the NPU");
  EXPECT_NE(diagnostic.fix.find("AscendC::Exp"), std::string::npos);
  EXPECT_EQ(diagnostic.location.column, 47);
  EXPECT_EQ(diagnostic.location.function, "k");
}

TEST(DeviceCalls, ExceptionsAreRefused) {
  GuestProgram program(R"(
__global__ __aicore__ void k(int n) {
  if (n) throw 1;
}
)");
  EXPECT_FALSE(program.Compile());
  ASSERT_EQ(program.diagnostics().size(), 1u) << program.Messages();
  EXPECT_EQ(program.diagnostics()[0].location.line, 3);
}

// Objects with destructors make cleanup code, which is no use of exceptions.
TEST(DeviceCalls, DestructorsAreFine) {
  GuestProgram program(R"(
extern "C" int belay_printf(const char*, ...);
struct Guard {
  __aicore__ ~Guard() { belay_printf("done"); }
};
__aicore__ void may_throw(int* p) { *p = 5; }
__global__ __aicore__ void k(int* p) {
  Guard guard;
  may_throw(p);
}
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  EXPECT_EQ(program.Run(), 5);
  EXPECT_EQ(TheRecorder().printed, "done");
}

}  // namespace
}  // namespace belay::testing::test_device_calls
