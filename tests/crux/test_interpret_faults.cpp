// SPDX-License-Identifier: Apache-2.0
// What a running program may do wrong: code, place and words of each finding.

#include <gtest/gtest.h>

#include "base/catalogue.h"
#include "program_text.h"

namespace belay::testing::test_interpret_faults {
namespace {

using crux::interpret::Options;
using crux::interpret::Results;

struct Expected {
  std::string code;
  int line = 0;  // 0: any
  std::vector<std::string> words;
};

void ExpectFinding(const std::string& text,
                   const std::vector<std::string>& arguments,
                   const Expected& expected, const Options& options = {}) {
  const Results results = RunText(text, arguments, options);
  ASSERT_EQ(results.diagnostics.size(), 1u) << text;
  const Diagnostic& diagnostic = results.diagnostics.front();
  EXPECT_EQ(diagnostic.code, expected.code) << ToText(diagnostic);
  EXPECT_EQ(diagnostic.severity, FindCode(expected.code)->severity);
  if (expected.line != 0) {
    EXPECT_EQ(diagnostic.location.line, expected.line) << ToText(diagnostic);
  }
  EXPECT_EQ(diagnostic.location.file, "program.crux");
  for (const std::string& word : expected.words) {
    EXPECT_NE(diagnostic.message.find(word), std::string::npos)
        << "'" << word << "' in " << diagnostic.message;
  }
  EXPECT_FALSE(diagnostic.fix.empty()) << ToText(diagnostic);
}

TEST(InterpretFaults, ReadOutside) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[N])):\n"
      "    for c in cores(N, tile=4):\n"
      "        store(y[c], load(x[c + 1]))\n",
      {"x=f32[6]"},
      {code::kX181, 4, {"read beyond the end of `x`", "at 6", "6 elements"}});
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[M, N], y: out(f32[M, N])):\n"
      "    for r in cores(M):\n"
      "        store(y[r, :], load(x[r - 1, :]))\n",
      {"x=f32[3,2]"},
      {code::kX181, 4, {"before the start of `x`", "at -1", "dimension 0"}});
}

TEST(InterpretFaults, ReadOutsideNamesTheIteration) {
  const Results results = RunText(
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[N])):\n"
      "    for c in cores(N, tile=4):\n"
      "        store(y[c], load(x[c + 1]))\n",
      {"x=f32[6]"});
  ASSERT_EQ(results.diagnostics.size(), 1u);
  ASSERT_EQ(results.diagnostics[0].notes.size(), 1u);
  EXPECT_EQ(results.diagnostics[0].notes[0].message,
            "in the iteration c = 4:6");
}

TEST(InterpretFaults, DeviceIndexOutside) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], at: i32[M], y: out(f32[M])):\n"
      "    for c in cores(M, tile=auto):\n"
      "        store(y[c], load(x[load(at[c])]))\n",
      {"x=f32[4]", "at=i32[3]:0,9,1"},
      {code::kX181, 4, {"`x`", "at 9", "4 elements"}});
}

TEST(InterpretFaults, StoreOutside) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[N])):\n"
      "    for c in cores(N, tile=4):\n"
      "        store(y[c + 1], load(x[c]))\n",
      {"x=f32[6]"}, {code::kX182, 4, {"store beyond the end of `y`", "at 6"}});
}

TEST(InterpretFaults, TwoIterationsStoreOneElement) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[M, N], y: out(f32[M, N])):\n"
      "    for r in cores(M):\n"
      "        for c in tiles(N, tile=auto):\n"
      "            store(y[r // 2, c], load(x[r, c]))\n",
      {"x=f32[4,3]"}, {code::kX183, 5, {"y[0,0]", "r = 0 and r = 1"}});
  ExpectFinding(
      "@kernel\n"
      "def k(at: i32[N], y: out(i32[M]), M: int):\n"
      "    for r in cores(N):\n"
      "        store(y[load(at[r])], 7)\n",
      {"at=i32[4]:0,2,1,2", "M=3"},
      {code::kX183, 4, {"y[2]", "r = 1 and r = 3"}});
}

TEST(InterpretFaults, OneIterationMayStoreTwice) {
  const Results results = RunText(
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[N])):\n"
      "    for c in cores(N, tile=4):\n"
      "        store(y[c], load(x[c]))\n"
      "        store(y[c], load(x[c]) + 1.0)\n"
      "    for c in cores(N, tile=3):\n"
      "        store(y[c], load(x[c]) + 2.0)\n",
      {"x=f32[6]"});
  EXPECT_EQ(NumbersIn(results), (std::vector<double>{2, 3, 4, 5, 6, 7}));
}

TEST(InterpretFaults, IterationsThatDependOnEachOther) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: inout(f32[N])):\n"
      "    for r in cores(N - 1):\n"
      "        store(x[r + 1], load(x[r]))\n",
      {"x=f32[4]"},
      {code::kX184,
       4,
       {"x[1]", "read by iteration r = 1", "stored by iteration r = 0"}});
  ExpectFinding(
      "@kernel\n"
      "def k(x: inout(f32[N])):\n"
      "    for r in cores(N - 1):\n"
      "        store(x[r], load(x[r + 1]))\n",
      {"x=f32[4]"},
      {code::kX184,
       4,
       {"x[1]", "stored by iteration r = 1", "read by iteration r = 0"}});
}

TEST(InterpretFaults, EndlessAndHuge) {
  Options options;
  options.limits.steps = 100000;
  ExpectFinding(
      "@kernel\n"
      "def k(n: i64[1], y: out(i32[1])):\n"
      "    for r in cores(1):\n"
      "        s = zeros(i32)\n"
      "        for i in range(load(n[0])):\n"
      "            s += 1\n"
      "        store(y[r], s)\n",
      {"n=i64[1]:4611686018427387904"},
      {code::kX185, 6, {"more than 100000 steps"}}, options);
  ExpectFinding(
      "@kernel\n"
      "def k(y: out(f32[A]), A: int):\n"
      "    for r in cores(1):\n"
      "        t = zeros(f32[A, A, A])\n"
      "        store(y[:], sum(t))\n",
      {"A=65536"}, {code::kX186, 4, {"281474976710656 elements"}});
  Options small;
  small.limits.bytes = 1 << 20;
  ExpectFinding(
      "@kernel\n"
      "def k(y: out(f32[A]), A: int):\n"
      "    for r in cores(1):\n"
      "        a = zeros(f32[50000])\n"
      "        b = a + 1.0\n"
      "        c = b + 1.0\n"
      "        store(y[:], sum(a + b + c))\n",
      {"A=2"}, {code::kX186, 5, {"bytes", "1048576 are allowed"}}, small);
}

TEST(InterpretFaults, MemoryIsGivenBack) {
  Options small;
  small.limits.bytes = 4 << 20;
  const Results results = RunText(
      "@kernel\n"
      "def k(y: out(f32[1])):\n"
      "    for r in cores(1):\n"
      "        s = zeros(f32)\n"
      "        for i in range(100):\n"
      "            s += sum(full(f32[50000], 1.0))\n"
      "        store(y[:], s)\n",
      {}, small);
  EXPECT_EQ(NumbersIn(results), (std::vector<double>{5e6}));
}

// Nothing may cost time or memory by a size that multiplies with zero.
TEST(InterpretFaults, HugeAndEmpty) {
  const std::vector<std::string> values = {
      "cumsum(t, axis=0)",
      "cumsum(t, axis=1)",
      "sort(t, axis=0)",
      "sort(t, axis=1)",
      "concat((t, t), axis=1)",
      "concat((t, t), axis=0)",
      "transpose(t)",
      "exp(t) + t",
      "last(t, axis=0)",
      "sum(t, axis=0)",
      "argsort(t, axis=0).to(f32)",
      "take(t, arange(2), axis=0)",
      "reshape(t, (N, M))",
      "t[0, :]",
  };
  for (const std::string& value : values) {
    const Results results = RunText(
        "@kernel\n"
        "def k(x: f32[M, N], y: out(f32[1])):\n"
        "    for r in cores(1):\n"
        "        t = zeros(f32[M, N])\n"
        "        store(y[r], sum(" +
            value + "))\n",
        {"x=f32[1099511627776,0]"});
    EXPECT_EQ(NumbersIn(results), (std::vector<double>{0})) << value;
  }
  for (const std::string value : {"sum(t, axis=1)", "t[:, :]"}) {
    ExpectFinding(
        "@kernel\n"
        "def k(x: f32[M, N], y: out(f32[1])):\n"
        "    for r in cores(1):\n"
        "        t = zeros(f32[M, N])\n"
        "        store(y[r], sum(" +
            value + "))\n",
        {"x=f32[1099511627776,0]"}, {code::kX186, 5, {"1099511627776"}});
  }
  // The loop makes no view: nothing is wrong with it.
  const Results results = RunText(
      "@kernel\n"
      "def k(x: f32[M, N], y: out(f32[M, N])):\n"
      "    for c in cores(N):\n"
      "        store(y[:, c], load(x[:, c]))\n",
      {"x=f32[1099511627776,0]"});
  EXPECT_TRUE(results.ok());
  ASSERT_EQ(results.outputs.size(), 1u);
  EXPECT_EQ(results.outputs[0].array.shape, (Shape{1099511627776, 0}));
}

TEST(InterpretFaults, HugeTilesAndRanges) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], n: i64[1], y: out(f32[N])):\n"
      "    for r in cores(1):\n"
      "        for c in tiles(load(n[0]), tile=4611686018427387904):\n"
      "            store(y[r], sum(load(x[c], fill=0.0)))\n",
      {"x=f32[3]", "n=i64[1]:4611686018427387904"},
      {code::kX186, 5, {"4611686018427387904 elements"}});
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], n: i64[1], y: out(f32[N])):\n"
      "    for r in cores(1):\n"
      "        for c in tiles(load(n[0]), tile=4611686018427387904):\n"
      "            store(y[r], sum(load(x[c * 8], fill=0.0)))\n",
      {"x=f32[3]", "n=i64[1]:4611686018427387904"},
      {code::kX188, 5, {"does not fit in 64 bits"}});
}

TEST(InterpretFaults, ExtentsOfTheDeviceDiffer) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], m: bool[N], y: out(f32[upto(N)])):\n"
      "    for r in cores(1):\n"
      "        t, n = compress(load(x[:]), load(m[:]))\n"
      "        store(y[arange(N)], t)\n",
      {"x=f32[3]", "m=bool[3]:1,0,1"}, {code::kX187, 5, {"(2)", "(3)"}});
}

TEST(InterpretFaults, IntegerDivisionByZero) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: i32[N], y: out(i32[N])):\n"
      "    for c in cores(N, tile=auto):\n"
      "        store(y[c], 10 // load(x[c]))\n",
      {"x=i32[3]:5,0,2"}, {code::kX188, 4, {"10 // 0", "divided by zero"}});
  ExpectFinding(
      "@kernel\n"
      "def k(x: i32[N], y: out(i32[N]), p: int):\n"
      "    S = N // p\n"
      "    for c in cores(N, tile=auto):\n"
      "        store(y[c], load(x[c]) + S)\n",
      {"x=i32[3]", "p=0"}, {code::kX188, 3, {"3 // 0"}});
}

TEST(InterpretFaults, OutputNeverStored) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[M, N], y: out(f32[M, N])):\n"
      "    for r in cores(M - 1):\n"
      "        store(y[r, :], load(x[r, :]))\n";
  ExpectFinding(text, {"x=f32[3,2]"},
                {code::kX189, 2, {"never stores y[2,0]"}});
  const Results results = RunText(text, {"x=f32[3,2]"});
  EXPECT_TRUE(results.ok());
  ASSERT_EQ(results.outputs.size(), 1u);
}

TEST(InterpretFaults, UndefinedElements) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[N])):\n"
      "    s = scratch(f32[N])\n"
      "    for c in cores(N - 1):\n"
      "        store(s[c], load(x[c]))\n"
      "    for c in cores(N):\n"
      "        store(y[c], load(s[c]))\n",
      {"x=f32[3]"}, {code::kX190, 7, {"s[2]", "never stored"}});
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[1])):\n"
      "    for c in cores(N):\n"
      "        atomic_add(y[0], load(x[c]))\n",
      {"x=f32[3]"}, {code::kX190, 4, {"atomic_add to y[0]"}});
}

TEST(InterpretFaults, IndexOutsideATile) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], at: i32[M], y: out(f32[M])):\n"
      "    for r in cores(1):\n"
      "        store(y[:], take(load(x[:]), load(at[:])))\n",
      {"x=f32[3]", "at=i32[2]:0,-1"},
      {code::kX191, 4, {"index -1", "shape (3)"}});
}

TEST(InterpretFaults, Assertions) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[N]), g: int):\n"
      "    assert N % g == 0, \"g must divide N\"\n"
      "    for c in cores(N, tile=auto):\n"
      "        store(y[c], load(x[c]))\n",
      {"x=f32[5]", "g=2"}, {code::kX192, 3, {"g must divide N"}});
}

TEST(InterpretFaults, SizesThatCannotBe) {
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[M]), p: int):\n"
      "    M = N - p\n"
      "    for c in cores(N, tile=auto):\n"
      "        store(y[c], load(x[c]))\n",
      {"x=f32[5]", "p=7"}, {code::kX193, 0, {"a size of -2"}});
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[N]), p: int):\n"
      "    for c in cores(N, tile=p):\n"
      "        store(y[c], load(x[c]))\n",
      {"x=f32[5]", "p=0"}, {code::kX193, 0, {"tile of 0"}});
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[*S], y: out(f32[*S]), a: int):\n"
      "    xs, ys = x.view(a, -1), y.view(a, -1)\n"
      "    for r in cores(a):\n"
      "        store(ys[r, :], load(xs[r, :]))\n",
      {"x=f32[5]", "a=2"}, {code::kX193, 0, {"5 elements"}});
}

TEST(InterpretFaults, NoOtherPlan) {
  Options options;
  options.fits = false;
  ExpectFinding(
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[N])):\n"
      "    if fits():\n"
      "        for c in cores(N, tile=auto):\n"
      "            store(y[c], load(x[c]))\n",
      {"x=f32[5]"}, {code::kX195, 3, {"fits()"}}, options);
}

TEST(InterpretFaults, CallsThatDoNotFit) {
  const std::string text =
      "T = dtype(f16, f32)\n"
      "@kernel\n"
      "def k(x: T[M, N], z: T[N], y: out(T[M, N]), s: float):\n"
      "    for r in cores(M):\n"
      "        store(y[r, :], load(x[r, :]) + load(z[:]))\n";
  const auto expect = [&](const std::vector<std::string>& arguments,
                          const std::string& word) {
    const Results results = RunText(text, arguments);
    ASSERT_EQ(results.diagnostics.size(), 1u) << word;
    EXPECT_EQ(results.diagnostics[0].code, code::kX180);
    EXPECT_NE(results.diagnostics[0].message.find(word), std::string::npos)
        << word << " in " << results.diagnostics[0].message;
  };
  expect({"x=f32[2,3]", "s=1.0"}, "needs an argument for `z`");
  expect({"x=f32[2,3]", "z=f32[4]", "s=1.0"}, "N = 4");
  expect({"x=f32[2,3]", "z=f16[3]", "s=1.0"}, "T is already f32");
  expect({"x=i32[2,3]", "z=f16[3]", "s=1.0"}, "`x` is i32");
  expect({"x=f32[2,3,4]", "z=f32[3]", "s=1.0"}, "3 dimensions");
  expect({"x=f32[2,3]", "z=f32[3]"}, "needs attribute `s`");
}

}  // namespace
}  // namespace belay::testing::test_interpret_faults
