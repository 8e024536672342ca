// SPDX-License-Identifier: Apache-2.0
// Counting scalar work and ending what never ends.

#include <gtest/gtest.h>

#include "guest_program.h"

extern "C" int64_t belay_budget;

namespace belay::testing {
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
}  // namespace belay::testing
