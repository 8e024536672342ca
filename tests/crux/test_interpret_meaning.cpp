// SPDX-License-Identifier: Apache-2.0
// What programs mean, construct by construct, on small numbers.

#include <gtest/gtest.h>

#include <cmath>

#include "base/float16.h"
#include "program_text.h"

namespace belay::testing::test_interpret_meaning {
namespace {

using crux::interpret::Options;
using crux::interpret::Results;
using Numbers = std::vector<double>;

Options Tile(int64_t tile) {
  Options options;
  options.auto_tile = tile;
  return options;
}

TEST(InterpretMeaning, CarriedValuesAndReverse) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[N]), back: bool = False):\n"
      "    for r in cores(1):\n"
      "        s = zeros(f32)\n"
      "        for c in tiles(N, tile=auto, reverse=back):\n"
      "            t = load(x[c])\n"
      "            store(y[c], t + s)\n"
      "            s += sum(t)\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[5]"}, Tile(2))),
            (Numbers{0, 1, 3, 4, 10}));
  // The short piece stays the last one and comes first.
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[5]", "back=true"}, Tile(2))),
            (Numbers{9, 10, 6, 7, 4}));
}

TEST(InterpretMeaning, LoopsWithBoundsAndSteps) {
  const std::string text =
      "@kernel\n"
      "def k(y: out(i32[4]), n: int):\n"
      "    for r in cores(1):\n"
      "        a, b, c = zeros(i32), zeros(i32), zeros(i32)\n"
      "        for i in range(2, n, 3):\n"
      "            a += i\n"
      "        for i in tiles(1, n):\n"
      "            b = b * 2 + i\n"
      "        for i in tiles(1, n, tile=4):\n"
      "            c = c * 100 + i.start * 10 + i.size\n"
      "        store(y[0], a)\n"
      "        store(y[1], b)\n"
      "        store(y[2], c)\n"
      "        store(y[3], n)\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"n=7"})),
            (Numbers{2 + 5, ((((1 * 2 + 2) * 2 + 3) * 2 + 4) * 2 + 5) * 2 + 6,
                     1452, 7}));
  EXPECT_EQ(NumbersIn(RunText(text, {"n=0"})), (Numbers{0, 0, 0, 0}));
}

TEST(InterpretMeaning, AffineRangesAndFill) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[M]), s: int, p: int):\n"
      "    M = N // s + 1\n"
      "    for c in cores(M, tile=auto):\n"
      "        store(y[c], load(x[c * s - p], fill=-1.0))\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[6]", "s=2", "p=1"}, Tile(3))),
            (Numbers{-1, 1, 3, 5}));
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[6]", "s=3", "p=-4"}, Tile(1))),
            (Numbers{4, -1, -1}));
}

TEST(InterpretMeaning, GatherAndScatter) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[N], at: i32[N], y: out(f32[N]), z: out(f32[N])):\n"
      "    for c in cores(N, tile=auto):\n"
      "        i = load(at[c])\n"
      "        store(y[c], load(x[i]))\n"
      "        store(z[i], load(x[c]))\n";
  const Results results =
      RunText(text, {"x=f32[4]", "at=i32[4]:2,0,3,1"}, Tile(3));
  EXPECT_EQ(NumbersIn(results, "y"), (Numbers{2, 0, 3, 1}));
  EXPECT_EQ(NumbersIn(results, "z"), (Numbers{1, 3, 0, 2}));
}

TEST(InterpretMeaning, SubscriptsOfTiles) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[3, 4], y: out(f32[3]), z: out(f32[2, 3, 1])):\n"
      "    for r in cores(1):\n"
      "        t = load(x[:, :])\n"
      "        store(y[:], t[:, 1])\n"
      "        store(z[:, :, :], transpose(t[:, 0:4:2])[:, :, None])\n";
  const Results results = RunText(text, {"x=f32[3,4]"});
  EXPECT_EQ(NumbersIn(results, "y"), (Numbers{1, 5, 9}));
  EXPECT_EQ(NumbersIn(results, "z"), (Numbers{0, 4, 8, 2, 6, 10}));
}

TEST(InterpretMeaning, AcrossCoresCombines) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[M, N], s: out(f32[N]), h: out(f32[N]), l: out(f32[1]),\n"
      "      some: out(bool[1]), every: out(bool[1])):\n"
      "    a = across_cores(sum, f32[N])\n"
      "    b = across_cores(max, f32[N])\n"
      "    c = across_cores(min, f32)\n"
      "    d = across_cores(any, bool)\n"
      "    e = across_cores(all, bool)\n"
      "    for r in cores(M):\n"
      "        t = load(x[r, :])\n"
      "        a += t\n"
      "        b = maximum(b, t)\n"
      "        c = minimum(c, min(t))\n"
      "        d |= any(t > 4.0)\n"
      "        e &= all(t > 4.0)\n"
      "    store(s[:], a)\n"
      "    store(h[:], b)\n"
      "    store(l[0], c)\n"
      "    store(some[0], d)\n"
      "    store(every[0], e)\n";
  const Results results = RunText(text, {"x=f32[3,2]"});
  EXPECT_EQ(NumbersIn(results, "s"), (Numbers{6, 9}));
  EXPECT_EQ(NumbersIn(results, "h"), (Numbers{4, 5}));
  EXPECT_EQ(NumbersIn(results, "l"), (Numbers{0}));
  EXPECT_EQ(NumbersIn(results, "some"), (Numbers{1}));
  EXPECT_EQ(NumbersIn(results, "every"), (Numbers{0}));
}

TEST(InterpretMeaning, AcrossCoresByParts) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[M, N], y: out(f32[N])):\n"
      "    a = across_cores(sum, f32[N])\n"
      "    for r in cores(M):\n"
      "        for c in tiles(N, tile=auto):\n"
      "            a[c] += load(x[r, c])\n"
      "    for c in cores(N, tile=auto):\n"
      "        store(y[c], a[c])\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[3,5]"}, Tile(2))),
            (Numbers{15, 18, 21, 24, 27}));
}

TEST(InterpretMeaning, PrefixesAcrossCores) {
  const std::string text =
      "@kernel\n"
      "def k(x: i32[M, N], y: out(i32[M, N])):\n"
      "    before = across_cores(cumsum, i32)\n"
      "    for r in cores(M):\n"
      "        for c in cores(N):\n"
      "            before += load(x[r, c])\n"
      "    for r in cores(M):\n"
      "        for c in cores(N):\n"
      "            store(y[r, c], before[r, c])\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"x=i32[2,3]"})),
            (Numbers{0, 0, 1, 3, 6, 10}));
}

TEST(InterpretMeaning, ScratchBetweenLoops) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[M, N], y: out(f32[N, M])):\n"
      "    s = scratch(f32[N, M])\n"
      "    for r in cores(M):\n"
      "        store(s[:, r], load(x[r, :]))\n"
      "    for c in cores(N):\n"
      "        store(y[c, :], load(s[c, :]))\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[2,3]"})),
            (Numbers{0, 3, 1, 4, 2, 5}));
}

TEST(InterpretMeaning, AtomicAddMeets) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[N], at: i32[N], y: inout(f32[M])):\n"
      "    for c in cores(N, tile=auto):\n"
      "        atomic_add(y[load(at[c])], load(x[c]))\n";
  EXPECT_EQ(NumbersIn(RunText(
                text, {"x=f32[5]", "at=i32[5]:0,1,0,1,1", "y=f32[2]:100,200"},
                Tile(2))),
            (Numbers{102, 208}));
}

TEST(InterpretMeaning, DeviceConditions) {
  const std::string text =
      "@kernel\n"
      "def k(x: i32[N], y: out(i32[N])):\n"
      "    for c in cores(N):\n"
      "        v = load(x[c])\n"
      "        r = zeros(i32)\n"
      "        if v > 2:\n"
      "            r = v * 10\n"
      "        elif v == 1:\n"
      "            r = v - 5\n"
      "        store(y[c], r)\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"x=i32[5]"})),
            (Numbers{0, -4, 0, 30, 40}));
}

TEST(InterpretMeaning, VariantsByAttributeAndPresence) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[N], b: optional(f32[N]), y: out(f32[N]),\n"
      "      z: optional(out(f32[N])), mode: str = \"add\"):\n"
      "    for c in cores(N, tile=auto):\n"
      "        t = load(x[c])\n"
      "        if present(b):\n"
      "            if mode == \"add\":\n"
      "                t = t + load(b[c])\n"
      "            else:\n"
      "                t = t * load(b[c])\n"
      "        store(y[c], t)\n"
      "        if present(z):\n"
      "            store(z[c], -t)\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[3]"})), (Numbers{0, 1, 2}));
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[3]", "b=f32[3]:5,6,7"})),
            (Numbers{5, 7, 9}));
  const Results results =
      RunText(text, {"x=f32[3]", "b=f32[3]:5,6,7", "mode=mul", "?z"});
  EXPECT_EQ(NumbersIn(results, "y"), (Numbers{0, 6, 14}));
  EXPECT_EQ(NumbersIn(results, "z"), (Numbers{0, -6, -14}));
  EXPECT_EQ(RunText(text, {"x=f32[3]"}).Find("z"), nullptr);
}

TEST(InterpretMeaning, FitsChoosesTheVariant) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[N])):\n"
      "    if fits():\n"
      "        for c in cores(N, tile=auto):\n"
      "            store(y[c], load(x[c]) + 1.0)\n"
      "    else:\n"
      "        for c in cores(N, tile=auto):\n"
      "            store(y[c], load(x[c]) + 2.0)\n";
  Options no;
  no.fits = false;
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[2]"})), (Numbers{1, 2}));
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[2]"}, no)), (Numbers{2, 3}));
}

TEST(InterpretMeaning, DtypeVariablesByCombination) {
  const std::string text =
      "T, G = dtypes((f16, f16), (f16, f32), (f32, f32))\n"
      "@kernel\n"
      "def k(x: T[N], g: G[N], y: out(G[N])):\n"
      "    for c in cores(N, tile=auto):\n"
      "        if T == f16:\n"
      "            store(y[c], load(x[c]).to(G) + load(g[c]))\n"
      "        else:\n"
      "            store(y[c], load(x[c]).to(G) - load(g[c]))\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f16[2]", "g=f32[2]:5,6"})),
            (Numbers{5, 7}));
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[2]", "g=f32[2]:5,6"})),
            (Numbers{-5, -5}));
  const Results refused = RunText(text, {"x=f32[2]", "g=f16[2]:5,6"});
  ASSERT_EQ(refused.diagnostics.size(), 1u);
  EXPECT_EQ(refused.diagnostics[0].code, "BLY-X180");
}

TEST(InterpretMeaning, UptoEndsBehindTheLastStore) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[N], n: i32[1], y: out(f32[upto(N)])):\n"
      "    for c in cores(load(n[0])):\n"
      "        store(y[c], load(x[c]))\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[5]", "n=i32[1]:3"})),
            (Numbers{0, 1, 2}));
  const Results none = RunText(text, {"x=f32[5]", "n=i32[1]:0"});
  EXPECT_EQ(NumbersIn(none), Numbers{});
  EXPECT_EQ(none.outputs[0].array.shape, (Shape{0}));
}

TEST(InterpretMeaning, ValuesOfTheHost) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[N], at: value(i64[K]), y: out(f32[K])):\n"
      "    for i in range(K):\n"
      "        for r in cores(1):\n"
      "            store(y[i + r], load(x[at[i]]))\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[5]", "at=i64[3]:4,0,2"})),
            (Numbers{4, 0, 2}));
}

TEST(InterpretMeaning, RoundingAndFloat64) {
  const std::string text =
      "@kernel\n"
      "def k(x: f16[N], y: out(f16[N]), z: out(f32[N]), s: float):\n"
      "    for c in cores(N, tile=auto):\n"
      "        store(y[c], load(x[c]) * s)\n"
      "        store(z[c], load(x[c]).to(f32) / 3.0)\n";
  const Results exact = RunText(text, {"x=f16[2]:1,2048", "s=0.1"});
  EXPECT_EQ(NumbersIn(exact, "y")[0],
            static_cast<double>(ToFloat(HalfFromFloat(0.1f))));
  EXPECT_EQ(NumbersIn(exact, "z")[0], static_cast<double>(1.0f / 3.0f));
  EXPECT_EQ(exact.Find("y")->array.dtype, DType::kHalf);
  // The attribute 0.1 is no half: the bound knows.
  const Numbers bounds = NumbersOf(exact.Find("y")->bounds);
  EXPECT_GE(bounds[0], std::fabs(0.1 - NumbersIn(exact, "y")[0]));
  EXPECT_LT(bounds[0], 4 * 0x1p-14);
  Options real;
  real.arithmetic = crux::interpret::Arithmetic::kFloat64;
  const Results wide = RunText(text, {"x=f16[2]:1,2048", "s=0.1"}, real);
  EXPECT_EQ(wide.Find("y")->array.dtype, DType::kDouble);
  EXPECT_EQ(NumbersIn(wide, "y"), (Numbers{0.1, 204.8}));
  EXPECT_EQ(NumbersIn(wide, "z"), (Numbers{1.0 / 3, 2048.0 / 3}));
}

TEST(InterpretMeaning, ControlByRoundedValuesHasNoBound) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[N], y: out(f32[N])):\n"
      "    for c in cores(N):\n"
      "        v = load(x[c]) / 3.0\n"
      "        r = zeros(f32)\n"
      "        if v * 3.0 == load(x[c]):\n"
      "            r = full(f32, 1.0)\n"
      "        store(y[c], r)\n";
  const Results results = RunText(text, {"x=f32[3]:1,2,3"});
  for (const double bound : NumbersOf(results.Find("y")->bounds)) {
    EXPECT_TRUE(std::isinf(bound));
  }
}

TEST(InterpretMeaning, EmptyTensors) {
  const std::string text =
      "@kernel\n"
      "def k(x: f32[M, N], y: out(f32[M])):\n"
      "    for r in cores(M):\n"
      "        store(y[r], sum(load(x[r, :])))\n";
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[2,0]"})), (Numbers{0, 0}));
  EXPECT_EQ(NumbersIn(RunText(text, {"x=f32[0,3]"})), Numbers{});
}

TEST(InterpretMeaning, Philox) {
  const std::string text =
      "@kernel\n"
      "def k(y: out(u32[N]), N: int, seed: int):\n"
      "    for c in cores(N, tile=auto):\n"
      "        store(y[c], philox(seed, c.start, u32[c]))\n";
  const Numbers whole = NumbersIn(RunText(text, {"N=9", "seed=5"}, Tile(100)));
  EXPECT_EQ(NumbersIn(RunText(text, {"N=9", "seed=5"}, Tile(2))), whole);
  EXPECT_NE(NumbersIn(RunText(text, {"N=9", "seed=6"}, Tile(2))), whole);
}

}  // namespace
}  // namespace belay::testing::test_interpret_meaning
