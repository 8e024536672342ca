// SPDX-License-Identifier: Apache-2.0
// Counting scalar work and ending what never ends.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "belay/scalar_work.h"
#include "guest_program.h"

extern "C" int64_t belay_budget;
extern "C" uint64_t belay_scalar_work[2];

namespace belay::testing::test_scalar_work {
namespace {

TEST(ScalarWork, EndlessLoopsRunOutOfBudget) {
  for (const char* body :
       {"while (true) {}", "for (;;) *p = *p + 1;", "loop: goto loop;",
        "while (*p == 0) {}", "recurse(p);", "int n = 1; while (n) n |= 1;"}) {
    GuestProgram program(
        "__attribute__((noinline)) __aicore__ void recurse(int* p) {\n"
        "  while (*p == 0) {}\n"
        "}\n"
        "__global__ __aicore__ void k(int* p) {\n" +
        std::string(body) +
        "\n"
        "}\n"
        "int x = 0;\n"
        "int main() { k<<<1, 0>>>(&x); }\n");
    TheRecorder() = {};
    TheRecorder().ticks_allowed = 3;
    program.RunAsRecorded();
    EXPECT_EQ(TheRecorder().end, "out of fuel") << body;
    EXPECT_EQ(TheRecorder().ticks, 4) << body;
    const std::vector<int> lines = program.LinesOf(TheRecorder().end_caller);
    ASSERT_FALSE(lines.empty()) << body;
    EXPECT_TRUE(lines[0] == 5 || lines[0] == 2) << body << lines[0];
  }
}

int64_t CostOfLoop(int turns) {
  GuestProgram program(R"(
__global__ __aicore__ void k(int* p, int n) {
  for (int i = 0; i < n; ++i) p[i & 7] += i * i;
}
int main() { int x[8] = {}; k<<<1, 0>>>(x, )" +
                       std::to_string(turns) + "); }");
  program.Run();
  return 10'000 - belay_budget;
}

TEST(ScalarWork, CostGrowsWithTheTurnsOfALoop) {
  const int64_t ten = CostOfLoop(10);
  const int64_t twenty = CostOfLoop(20);
  const int64_t hundred = CostOfLoop(100);
  EXPECT_EQ((hundred - twenty), (twenty - ten) * 8);
  // Per turn: mask, address, load, multiply, add, store, step, compare, branch.
  EXPECT_GE(twenty - ten, 7 * 10);
  EXPECT_LE(twenty - ten, 12 * 10);
}

// What each further turn of a loop costs, in all and by class.
struct TurnCost {
  explicit TurnCost(const std::string& body) {
    const Counted few = CountLoop(body, 10);
    const Counted many = CountLoop(body, 20);
    all = (many.all - few.all) / 10;
    for (int i = 0; i < abi::kScalarClasses; ++i) {
      classes[i] = (many.classes[i] - few.classes[i]) / 10;
    }
  }
  int64_t operator[](abi::ScalarClass which) const {
    return classes[static_cast<int>(which)];
  }
  int64_t simple() const {
    int64_t rest = all;
    for (const int64_t count : classes) rest -= count;
    return rest;
  }

  int64_t all = 0;
  int64_t classes[abi::kScalarClasses] = {};

 private:
  struct Counted {
    int64_t all;
    int64_t classes[abi::kScalarClasses];
  };
  static Counted CountLoop(const std::string& body, int turns) {
    GuestProgram program(R"(
extern "C" const void* belay_get_value(const void*, uint64_t, uint64_t,
                                       uint64_t);
// Like a function of the headers.
__attribute__((always_inline, nodebug)) __aicore__ inline int library(int a) {
  for (int i = 0; i < 3; ++i) a = (a ^ (a << 3)) * 5 + i;
  return a;
}
__attribute__((always_inline, nodebug)) __aicore__ inline float scale(float a) {
  return a * 0.75f;
}
__global__ __aicore__ void k(int* p, int n, float s, _Float16 h, int v) {
  for (int i = 0; i < n; ++i) { )" +
                         body + R"( }
  *p = v + (int)s + (int)h;
}
int main() { int x = 0; k<<<1, 0>>>(&x, )" +
                         std::to_string(turns) + ", 1.0f, (_Float16)1, 7); }");
    const uint64_t before[2] = {belay_scalar_work[0], belay_scalar_work[1]};
    program.Run();
    const uint64_t difference[2] = {belay_scalar_work[0] - before[0],
                                    belay_scalar_work[1] - before[1]};
    Counted counted{10'000 - belay_budget, {}};
    for (int i = 0; i < abi::kScalarClasses; ++i) {
      counted.classes[i] = static_cast<int64_t>(
          abi::ScalarCount(difference, static_cast<abi::ScalarClass>(i)));
    }
    return counted;
  }
};

TEST(ScalarWork, WorkIsCountedByClass) {
  using abi::ScalarClass;
  const TurnCost nothing("v ^= i;");
  EXPECT_EQ(nothing.simple(), nothing.all);
  EXPECT_LE(nothing.all, 4);

  const TurnCost floats("s = s * 0.5f + 1.0f;");
  EXPECT_EQ(floats[ScalarClass::kFloating], 2);
  // Operands to float, the operation, the result back.
  const TurnCost halves("h = h + (_Float16)0.5f;");
  EXPECT_EQ(halves[ScalarClass::kFloating], 4);
  const TurnCost products("v = v * i;");
  EXPECT_EQ(products[ScalarClass::kMultiply], 1);
  const TurnCost quotients("v = v / (i + 1) + v % (i + 3);");
  EXPECT_EQ(quotients[ScalarClass::kDivide], 2);
  const TurnCost pointers("*p = *p + i;");
  EXPECT_EQ(pointers[ScalarClass::kStackLoad], 1);
  EXPECT_EQ(pointers[ScalarClass::kStackStore], 1);
}

// The runtime counts them, also where the code may come from two of them.
TEST(ScalarWork, ElementsAreNotVariables) {
  const std::string element = "*(const int*)belay_get_value(";
  const TurnCost one("v += " + element + "p, 4, 0, 0);");
  EXPECT_EQ(one[abi::ScalarClass::kStackLoad], 0);
  const TurnCost chosen("v += i & 1 ? " + element + "p, 4, 0, 0) : " + element +
                        "p, 4, 1, 0);");
  EXPECT_EQ(chosen[abi::ScalarClass::kStackLoad], 0);
}

TEST(ScalarWork, CodeOfHeadersIsNotTheKernels) {
  const TurnCost own("v ^= i;");
  const TurnCost with_library("v ^= library(i);");
  EXPECT_LE(with_library.simple(), own.simple() + 1);
  EXPECT_EQ(with_library[abi::ScalarClass::kMultiply], 0);
  EXPECT_GE(with_library[abi::ScalarClass::kIdle], 3);  // turns of its loop
  // But the chip must do its arithmetic on floats.
  const TurnCost with_floats("s = scale(s);");
  EXPECT_EQ(with_floats[abi::ScalarClass::kFloating], 1);
}

TEST(ScalarWork, RecordsForTheRuntimeCostNothing) {
  const auto cost_with = [](const std::string& statement) {
    GuestProgram program(R"(
struct Record { uint64_t words[8]; };
extern "C" void* belay_write(void*, uint64_t);
__global__ __aicore__ void k(uint64_t n) {
)" + statement + R"(
}
int main() { k<<<1, 0>>>(5); }
)");
    program.Run();
    return 10'000 - belay_budget;
  };
  EXPECT_EQ(
      cost_with(
          "Record r{}; r.words[1] = n; r.words[5] = 3; belay_write(&r, 64);"),
      cost_with("belay_write(nullptr, 64);"));
}

TEST(ScalarWork, HostCodeIsNotCounted) {
  GuestProgram program(R"(
int main() {
  volatile int sum = 0;
  for (int i = 0; i < 100000; ++i) sum = sum + i;
}
)");
  belay_budget = 5;
  program.Run();
  EXPECT_EQ(belay_budget, 5);
}

}  // namespace
}  // namespace belay::testing::test_scalar_work
