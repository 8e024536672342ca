// SPDX-License-Identifier: Apache-2.0
// Traps of the AscendC dialect: raw attributes, entry names of the C library,
// launch functions.

#include <gtest/gtest.h>

#include <set>

#include "belay/guest_abi.h"
#include "guest_program.h"

namespace belay::testing::test_dialect {
namespace {

TEST(Dialect, RawAttributes) {
  GuestProgram program(R"(
__forceinline__ [aicore] int Twice(int x) { return 2 * x; }
inline [aicore] int Thrice(int x) { return 3 * x; }
[host, aicore] inline int Five(int x) { return 5 * x; }
#define API __forceinline__ [ aicore ]
API int Seven(int x) { return 7 * x; }
struct S {
  [aicore] inline S() {}
  [aicore] ~S() {}
  __forceinline__ [aicore, host] static int Eleven(int x) { return 11 * x; }
};
__attribute__((cce_kernel)) [aicore] void k(
    __attribute__((cce_global)) int* p) {
  S s;
  p[0] = Twice(Thrice(Five(Seven(S::Eleven(1)))));
}
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  EXPECT_EQ(program.Run(), 2310);
  EXPECT_TRUE(program.diagnostics().empty()) << program.Messages();
}

// An index, a capture, a string and a comment are no attributes.
TEST(Dialect, WhatOnlyLooksLikeARawAttributeStays) {
  GuestProgram program(R"guest(
#include <cstring>
int main() {
  int aicore = 1;
  int a[3] = {10, 20, 30};  // [aicore] int
  const char* text = "[aicore] int";
  const char* raw = R"x([aicore] int)x";
  int b = [aicore](int x) { return aicore + x; }(5);
  int c = [aicore] { return aicore; }();
  return a[aicore] + b + c + !strcmp(text, raw) * 100 + (text[0] == '[');
}
)guest");
  EXPECT_EQ(program.Run(), 20 + 6 + 1 + 100 + 1);
}

TEST(Dialect, RawAttributesKeepLinesAndColumns) {
  GuestProgram program(
      "[host,\n"
      " aicore] int f();\n"
      "inline [aicore] int g() { return wrong; }\n");
  EXPECT_FALSE(program.Compile());
  ASSERT_EQ(program.diagnostics().size(), 1u) << program.Messages();
  EXPECT_EQ(program.diagnostics()[0].location.line, 3);
  EXPECT_EQ(program.diagnostics()[0].location.column, 34);
}

TEST(Dialect, RawAttributesInIncludedFiles) {
  GuestProgram program(R"(
#include "helper.h"
__global__ __aicore__ void k(int* p) { *p = Nine(); }
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)");
  program.AddFile("helper.h", "inline [aicore] int Nine() { return 9; }\n");
  EXPECT_EQ(program.Run(), 9);
}

// Most of these are functions of the C library with other parameters.
TEST(Dialect, EntryNamesMayBeTheCLibrarys) {
  const std::vector<std::string> names = {
      "abs",   "cross", "div",    "equal", "exp", "fill",
      "floor", "index", "less",   "log",   "mul", "neg",
      "pow",   "round", "select", "sin",   "sqrt"};
  std::string kernels;
  std::string launches;
  for (const std::string& name : names) {
    const std::string head = "extern \"C\" __global__ __aicore__ void " + name +
                             "(unsigned char* x, unsigned char* y)";
    kernels += head + ";\n" + head + " { *x += *y; }\n";
    launches += "  " + name + "<<<1, nullptr, nullptr>>>(&a, &b);\n";
  }
  GuestProgram program(
      "#include <algorithm>\n#include <cmath>\n#include <cstdlib>\n"
      "#include <cstring>\n#include <functional>\n" +
      kernels + "int main() {\n  unsigned char a = 0, b = 2;\n" + launches +
      "  return a;\n}\n");
  EXPECT_EQ(program.Run(), static_cast<int>(2 * names.size()));
  std::vector<std::string> launched;
  for (const Launch& launch : TheRecorder().launches)
    launched.push_back(launch.kernel);
  EXPECT_EQ(launched, names);
  std::set<std::string> table;
  const auto* record = static_cast<const abi::KernelRecord*>(
      program.Symbol(abi::kKernelTableSymbol));
  ASSERT_NE(record, nullptr);
  for (; record->name; ++record) table.insert(record->name);
  for (const std::string& name : names) {
    EXPECT_TRUE(table.count(name)) << name;
    EXPECT_EQ(program.Symbol(name), nullptr)
        << "would stand in for the library's " << name;
  }
}

TEST(Dialect, HeaderOfTheCLibraryAfterTheKernel) {
  GuestProgram program(R"(
extern "C" __global__ __aicore__ void sqrt(float* x) { *x = 3; }
#include <math.h>
float host(float x) { return static_cast<float>(sqrt(static_cast<double>(x))); }
int main() {
  float x = 0;
  sqrt<<<1, 0>>>(&x);
  return static_cast<int>(x + host(16));
}
)");
  EXPECT_EQ(program.Run(), 7);
}

constexpr char kLaunchFunction[] = R"(
extern "C" __global__ __aicore__ void foo(uint8_t* x, uint8_t* y) { *y = *x; }
#ifndef ASCENDC_CPU_DEBUG
void foo_do(uint32_t blockDim, void* l2ctrl, void* stream, uint8_t* x,
            uint8_t* y) {
  foo<<<blockDim, l2ctrl, stream>>>(x, y);
}
#else
void foo_do(uint32_t, void*, void*, uint8_t* x, uint8_t* y) { *y = *x + 1; }
#endif
#ifdef __CCE_KT_TEST__
#error "kernels leave out work under this macro"
#endif
int main() {
  uint8_t x = 5, y = 0;
  foo_do(2, nullptr, nullptr, &x, &y);
  return y;
}
)";

TEST(Dialect, LaunchFunctionsInBothStatesOfTheDebugMacro) {
  GuestProgram program(kLaunchFunction);
  EXPECT_EQ(program.Run(), 5);
  GuestProgram debug(kLaunchFunction);
  debug.options().defines = {"ASCENDC_CPU_DEBUG"};
  EXPECT_EQ(debug.Run(), 6);
}

}  // namespace
}  // namespace belay::testing::test_dialect
