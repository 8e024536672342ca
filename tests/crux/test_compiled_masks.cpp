// SPDX-License-Identifier: Apache-2.0
// Rows under masks, compiled: where compares what all rows share with a number
// of each row (select/where_rows.h), positions with a row's own
// (passes/batch.h) or with a length, in every way that such rows are taken.
// BELAY_SEED says where random programs begin.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "call.h"
#include "compiled_text.h"

namespace belay::testing::test_compiled_masks {
namespace {

using crux::fuzz::Random;

class CruxCompiledMasks : public CompiledText {
 protected:
  // Lengths, some of them far outside of a row.
  Array Lengths(Random& random, int64_t rows, int64_t columns) {
    std::vector<double> all;
    for (int64_t i = 0; i < rows; ++i) {
      const double far = random.Chance(50) ? -2147483648.0 : 2147483647.0;
      all.push_back(random.Chance(10)
                        ? far
                        : random.Between(-2, static_cast<int>(columns) + 2));
    }
    return ArrayOf(DType::kInt32, {rows}, all);
  }
};

// where(positions, or what all rows share, against a number of each row).
TEST_F(CruxCompiledMasks, RandomMasks) {
  const char* given = std::getenv("BELAY_SEED");
  const uint64_t seed = given == nullptr ? 7 : std::strtoull(given, nullptr, 0);
  fmt::print("BELAY_SEED={}\n", seed);
  Random random(seed);
  constexpr const char* kOps[] = {"<", "<=", ">", ">=", "==", "!="};
  constexpr const char* kLefts[] = {"arange(N)", "load(b[:])", "arange(N) * 2"};
  constexpr const char* kNumbers[] = {
      "r", "r * 3 - 7", "load(c[r])", "max(t)", "load(c[r]) + r",
      "5", "70000 - r"};
  constexpr const char* kChoices[] = {
      "t, -inf",       "-inf, t",   "full(f32, 2.0), 0.5",
      "t, load(b[:])", "max(t), t", "s, t"};
  constexpr int kColumns[] = {1,   7,    8,    40,   64,   65,  100,
                              333, 1000, 2032, 2040, 2056, 5003};
  constexpr int kRows[] = {1, 5, 8, 60, 300};
  for (int i = 0; i < 60; ++i) {
    const int columns = random.Pick(kColumns);
    const int rows = columns > 3000 ? random.Between(1, 9) : random.Pick(kRows);
    const char* type = random.Chance(50) ? "f16" : "f32";
    std::string left = random.Pick(kLefts);
    std::string number = random.Pick(kNumbers);
    // Floats meet floats.
    if (left == "load(b[:])" && number.find("load") != std::string::npos) {
      number = "max(t)";
    }
    if (left != "load(b[:])" && number == "max(t)") number = "r + 1";
    if (left == "load(b[:])" && number.find(' ') != std::string::npos) {
      number = "r";
    }
    std::string condition =
        fmt::format("{} {} {}", left, random.Pick(kOps), number);
    if (random.Chance(30))
      condition = fmt::format("({}) & (t < 1.0)", condition);
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[M, N], b: f32[N], c: i32[M], y: out({0}[M, N])):\n"
        "    for r in cores(M):\n"
        "        t = load(a[r, :]).to(f32)\n"
        "        s = t * 2.0\n"
        "        w = where({1}, {2})\n"
        "        store(y[r, :], (w + minimum(max(t), 0.0)).to({0}))\n",
        type, condition, random.Pick(kChoices));
    SCOPED_TRACE(fmt::format("[{}, {}]\n{}", rows, columns, text));
    Expect(text,
           {Numbers(type == std::string("f16") ? DType::kHalf : DType::kFloat,
                    {rows, columns}),
            Numbers(DType::kFloat, {columns}), Lengths(random, rows, columns)});
    if (HasFailure()) return;
  }
}

// A row's number in other places than comparisons.
TEST_F(CruxCompiledMasks, NumbersOfRows) {
  Random random(3);
  for (const auto& [rows, columns] :
       {std::pair(1, 1), std::pair(70, 10), std::pair(37, 100),
        std::pair(90, 257), std::pair(5, 3000)}) {
    Expect(
        "@kernel\n"
        "def k(a: f32[M, N], b: i32[M], y: out(f32[M, N]), z: out(i32[M])):\n"
        "    for r in cores(M):\n"
        "        t = load(a[r, :]) + r\n"
        "        d = (arange(N) - (r * 3 + 1)).to(f32)\n"
        "        store(y[r, :], t * 0.5 + d * r)\n"
        "        store(z[r], maximum(load(b[r]), 2 * r - M))\n",
        {Numbers(DType::kFloat, {rows, columns}),
         Lengths(random, rows, columns)});
  }
}

}  // namespace
}  // namespace belay::testing::test_compiled_masks
