// SPDX-License-Identifier: Apache-2.0
// Outputs whose size is known after the run: how much of them there is, by
// whichever view and in whichever order they are stored.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "call.h"
#include "compiled_text.h"
#include "crux/check.h"

namespace belay::testing::test_compiled_open_sizes {
namespace {

class CruxCompiledOpenSizes : public CompiledText {
 protected:
  static Array Integers(const std::vector<double>& values) {
    return ArrayOf(DType::kInt32, {static_cast<int64_t>(values.size())},
                   values);
  }
};

// Columns of pairs, which may be stored as one.
TEST_F(CruxCompiledOpenSizes, Pairs) {
  for (const char* loop : {"cores(n, tile=8)", "cores(n)"}) {
    const std::string text = fmt::format(
        "T = dtype(f32, i64)\n"
        "@kernel\n"
        "def k(a: T[N], b: i32[1], y: out(T[upto(N), 2]), "
        "y_extent: out(T[2, upto(N)])):\n"
        "    n = load(b[0])\n"
        "    for i in {}:\n"
        "        t = load(a[i])\n"
        "        for j in range(2):\n"
        "            store(y_extent[j, i], t + j)\n"
        "        store(y[i, 0], t)\n"
        "        store(y[i, 1], t + 1)\n",
        loop);
    for (const DType dtype : {DType::kFloat, DType::kInt64}) {
      for (const double count : {0, 1, 20, 33}) {
        Expect(text, {Numbers(dtype, {33}), Integers({count})});
      }
    }
  }
}

TEST_F(CruxCompiledOpenSizes, UnderOtherShapes) {
  const std::string text =
      "@kernel\n"
      "def k(a: f32[N, 4], b: i32[1], y: out(f32[upto(N), 4]), "
      "z: out(f32[upto(N), 2, 2]), w: out(f32[upto(4 * N)])):\n"
      "    n = load(b[0])\n"
      "    u = w.view(N, 4)\n"
      "    v = z.view(N, 4)\n"
      "    for i in cores(n * 4, tile=16):\n"
      "        store(y.flat[i], load(a.flat[i]))\n"
      "    for i in cores(n, tile=8):\n"
      "        t = load(a[i, :])\n"
      "        store(u[n - 1 - arange(i), :], t)\n"
      "        store(v[i, :], t)\n";
  for (const double count : {0, 1, 5, 9}) {
    Expect(text, {Numbers(DType::kFloat, {9, 4}), Integers({count})});
  }
}

TEST_F(CruxCompiledOpenSizes, ByPositions) {
  const std::string text =
      "@kernel\n"
      "def k(a: f32[N, 2, 2], b: i32[N], y: out(f32[upto(99), 2, 2]), "
      "z: out(f32[upto(99), 4])):\n"
      "    u = a.view(N, 4)\n"
      "    v = y.view(99, 4)\n"
      "    for i in cores(N, tile=4):\n"
      "        at = load(b[i])\n"
      "        store(v[at, :], load(u[i, :]))\n"
      "        store(z[at, :], load(u[i, :]))\n";
  Expect(text,
         {Numbers(DType::kFloat, {5, 2, 2}), Integers({3, 17, 0, 98 - 20, 5})});
}

// What was compressed, in every second place: its numbers are spread once it is
// known how many there are.
TEST_F(CruxCompiledOpenSizes, ColumnsOfWhatWasCompressed) {
  const std::string text =
      "@kernel\n"
      "def k(a: f32[N], b: bool[N], y: out(f32[upto(N), 2])):\n"
      "    before = across_cores(cumsum, i32)\n"
      "    for c in cores(N, tile=auto):\n"
      "        before += sum(load(b[c]).to(i32))\n"
      "    for c in cores(N, tile=auto):\n"
      "        t, n = compress(load(a[c]), load(b[c]))\n"
      "        store(y[before[c] + arange(n), 0], t[:n])\n"
      "        store(y[before[c] + arange(n), 1], t[:n])\n";
  for (const int64_t count : {1, 9, 700}) {
    Expect(text,
           {Numbers(DType::kFloat, {count}), Numbers(DType::kBool, {count})});
  }
}

// A view that mixes an open size with those before it does not tell how much of
// it is stored: refused, rather than a wrong size.
TEST_F(CruxCompiledOpenSizes, BehindOthersUnderOtherShapesAreRefused) {
  const crux::Checked checked =
      crux::Check("program",
                  "@kernel\n"
                  "def k(a: f32[M, N], y: out(f32[M, upto(N)])):\n"
                  "    for i in cores(M):\n"
                  "        for j in range(N):\n"
                  "            store(y.flat[i * N + j], load(a[i, j]))\n");
  ASSERT_TRUE(checked.ok());
  crux::interpret::Arguments arguments;
  arguments.tensors["a"] = {{Numbers(DType::kFloat, {3, 4})}, false};
  const CompiledCase result =
      RunCompiled(runner_, *checked.program->kernels.front(), arguments);
  EXPECT_NE(result.refusal.find("BLY-X301"), std::string::npos)
      << result.refusal << result.problems;
}

// Nothing is stored where another axis has nothing.
TEST_F(CruxCompiledOpenSizes, WithoutElements) {
  const std::string text =
      "@kernel\n"
      "def k(a: f32[M, N], b: i32[M], y: out(f32[upto(M), N]), "
      "z: out(f32[upto(M), upto(N)])):\n"
      "    for i in cores(M):\n"
      "        n = load(b[i])\n"
      "        store(y[i, 0:n], load(a[i, 0:n]))\n"
      "        store(z[i, 0:n], load(a[i, 0:n]))\n";
  for (const auto& lengths : std::vector<std::vector<double>>{
           {7, 7, 0, 0}, {0, 0, 0, 0}, {7, 7, 7, 7}}) {
    Expect(text, {Numbers(DType::kFloat, {4, 7}), Integers(lengths)});
  }
}

}  // namespace
}  // namespace belay::testing::test_compiled_open_sizes
