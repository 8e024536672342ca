// SPDX-License-Identifier: Apache-2.0
// Results of kernel code where C++ promises none.

#include <gtest/gtest.h>

#include <string>

#include "guest_program.h"

namespace belay::testing::test_scalar_semantics {
namespace {

// Runs `body` with int64_t* p at eight zeros and volatile int64_t zero = 0.
std::string Kernel(const std::string& body) {
  return "#include <cstdint>\n"
         "#include <limits>\n"
         "__global__ __aicore__ void k(int64_t* p, int zero) {\n" +
         body +
         "}\n"
         "int64_t data[8];\n"
         "int main() { k<<<1, 0>>>(data, 0); }\n";
}

int64_t ResultOf(GuestProgram& program, int index) {
  return static_cast<int64_t*>(program.Symbol("data"))[index];
}

TEST(ScalarSemantics, DivisionByZeroIsToldAtItsLineAndHasAResult) {
  struct Case {
    const char* expression;
    int64_t dividend;
    bool is_remainder;
    int64_t result;
  };
  for (const auto& [expression, dividend, is_remainder, result] :
       {Case{"7 / zero", 7, false, 0}, Case{"-7 % zero", -7, true, -7},
        Case{"7u / (unsigned)zero", 7, false, 0},
        Case{"~0u % (unsigned)zero", 4294967295, true, 4294967295},
        Case{"(int8_t)7 / (int8_t)zero", 7, false, 0},
        Case{"std::numeric_limits<int64_t>::min() % (int64_t)zero", INT64_MIN,
             true, INT64_MIN}}) {
    SCOPED_TRACE(expression);
    GuestProgram program(Kernel("p[0] = 1;\np[1] = " + std::string(expression) +
                                ";\np[2] = 2;\n"));
    program.Run();
    EXPECT_EQ(TheRecorder().end, "");
    ASSERT_EQ(TheRecorder().divisions_by_zero.size(), 1u);
    const DivisionByZero& told = TheRecorder().divisions_by_zero.front();
    EXPECT_EQ(told.dividend, dividend);
    EXPECT_EQ(told.is_remainder, is_remainder);
    EXPECT_EQ(program.LinesOf(told.caller), std::vector<int>{5});
    EXPECT_EQ(ResultOf(program, 0), 1);
    EXPECT_EQ(ResultOf(program, 1), result);
    EXPECT_EQ(ResultOf(program, 2), 2);
  }
}

TEST(ScalarSemantics, LeastIntegerByMinusOneWraps) {
  GuestProgram program(Kernel(R"(
int minus = zero - 1;
int32_t least = std::numeric_limits<int32_t>::min() + zero;
int64_t least64 = std::numeric_limits<int64_t>::min() + zero;
p[0] = least / minus;
p[1] = least % minus;
p[2] = least64 / minus;
p[3] = (least + 7) / minus;
p[4] = least / -1;
p[5] = 17 / (zero + 5) * 10 + 17 % (zero + 5);
)"));
  program.Run();
  EXPECT_EQ(TheRecorder().end, "");
  EXPECT_EQ(ResultOf(program, 0), INT32_MIN);
  EXPECT_EQ(ResultOf(program, 1), 0);
  EXPECT_EQ(ResultOf(program, 2), INT64_MIN);
  EXPECT_EQ(ResultOf(program, 3), INT32_MAX - 6);
  EXPECT_EQ(ResultOf(program, 4), INT32_MIN);
  EXPECT_EQ(ResultOf(program, 5), 32);
}

TEST(ScalarSemantics, ConversionsSaturate) {
  GuestProgram program(Kernel(R"(
float large = 3e9f + zero;
float nan = std::numeric_limits<float>::quiet_NaN() + zero;
_Float16 half = 300.0f + zero;
p[0] = (int32_t)large;
p[1] = (int32_t)-large;
p[2] = (int32_t)nan;
uint32_t below = -large;
p[3] = below;
p[4] = (int8_t)half;
p[5] = (int64_t)(1e30f + zero);
p[6] = (int32_t)(2.9f + zero);
)"));
  program.Run();
  EXPECT_EQ(ResultOf(program, 0), INT32_MAX);
  EXPECT_EQ(ResultOf(program, 1), INT32_MIN);
  EXPECT_EQ(ResultOf(program, 2), 0);
  EXPECT_EQ(ResultOf(program, 3), 0);
  EXPECT_EQ(ResultOf(program, 4), INT8_MAX);
  EXPECT_EQ(ResultOf(program, 5), INT64_MAX);
  EXPECT_EQ(ResultOf(program, 6), 2);
}

TEST(ScalarSemantics, ShiftsTakeTheAmountModuloTheWidth) {
  GuestProgram program(Kernel(R"(
int amount = zero + 33;
p[0] = 1 << amount;
p[1] = (1u << 31) >> amount;
p[2] = -8 >> amount;
p[3] = (int64_t)1 << (amount + 32);
)"));
  program.Run();
  EXPECT_EQ(ResultOf(program, 0), 2);
  EXPECT_EQ(ResultOf(program, 1), 1 << 30);
  EXPECT_EQ(ResultOf(program, 2), -4);
  EXPECT_EQ(ResultOf(program, 3), 2);
}

TEST(ScalarSemantics, SignedOverflowWrapsAndIsNotAssumedAway) {
  GuestProgram program(Kernel(R"(
int32_t most = std::numeric_limits<int32_t>::max() - zero;
p[0] = most + 1;
p[1] = most + 1 > most;
)"));
  program.Run();
  EXPECT_EQ(ResultOf(program, 0), INT32_MIN);
  EXPECT_EQ(ResultOf(program, 1), 0);
}

TEST(ScalarSemantics, HalfRoundsAfterEveryOperation) {
  GuestProgram program(Kernel(R"(
_Float16 a = 2048 + zero, b = 1, c = -2048;
p[0] = (int)(a + b + c);
)"));
  program.Run();
  EXPECT_EQ(ResultOf(program, 0), 0);
}

TEST(ScalarSemantics, MissingReturnIsCaught) {
  GuestProgram program(R"(
__aicore__ int pick(int n) {
  if (n) return 1;
}
__global__ __aicore__ void k(int* p, int n) { *p = pick(n); }
int main() { int x = 3; k<<<1, 0>>>(&x, 0); return x; }
)");
  EXPECT_EQ(program.Run(), 3);
  EXPECT_EQ(TheRecorder().end, "unreachable");
}

TEST(ScalarSemantics, HostCodeKeepsItsOwn) {
  GuestProgram program(R"(
int main(int argc, char**) {
  volatile float large = 3e9f;
  return (int)large == -2147483647 - 1 ? argc : 7;
}
)");
  EXPECT_EQ(program.Run(), 1);
}

}  // namespace
}  // namespace belay::testing::test_scalar_semantics
