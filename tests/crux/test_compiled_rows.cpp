// SPDX-License-Identifier: Apache-2.0
// Rows in every way that they are batched, compiled: on lanes, in eights, in
// pieces, of groups, one after the other. Long ones:
// test_compiled_long_rows.cpp.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "call.h"
#include "compiled_text.h"

namespace belay::testing::test_compiled_rows {
namespace {

using CruxCompiledRows = CompiledText;

// Rows of a few elements lie on lanes (passes/lanes.h): the last piece is never
// full, and of each length rows begin elsewhere in a block.
TEST_F(CruxCompiledRows, ShortRows) {
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat,
                            DType::kInt16, DType::kInt32}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[R, N], b: {0}[N], y: out({0}[R, N]), z: out({0}[R])):\n"
        "    for r in cores(R):\n"
        "        t = load(a[r, :])\n"
        "        m = max(t)\n"
        "        store(y[r, :], t - m + load(b[:]))\n"
        "        store(z[r], m)\n",
        NameOf(dtype));
    for (int64_t length = 1; length <= 64; ++length) {
      for (const int64_t rows : {1, 300}) {
        Expect(text,
               {Numbers(dtype, {rows, length}), Numbers(dtype, {length})});
      }
    }
  }
}

// Where 256 rows of a known length do not fit on lanes they run row by row.
TEST_F(CruxCompiledRows, ShortRowsOfKnownLength) {
  for (const int64_t length : {1, 10, 32, 33, 48, 64}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: f32[R, {0}], b: f32[R, {0}], y: out(f32[R, {0}]),\n"
        "      z: out(f32[R, {0}])):\n"
        "    for r in cores(R):\n"
        "        s, t = load(a[r, :]), load(b[r, :])\n"
        "        store(y[r, :], s - max(t) * t)\n"
        "        store(z[r, :], t - max(s) * s)\n",
        length);
    Expect(text, {Numbers(DType::kFloat, {300, length}),
                  Numbers(DType::kFloat, {300, length})});
  }
}

// Numbers for each column are spread where they are loaded: of so many some go
// through no queue.
TEST_F(CruxCompiledRows, ManyNumbersForColumnsOfShortRows) {
  for (const DType dtype : {DType::kHalf, DType::kFloat}) {
    for (int numbers = 1; numbers <= 6; ++numbers) {
      std::string parameters;
      std::string sum;
      std::vector<Array> inputs = {Numbers(dtype, {300, 10}),
                                   Numbers(dtype, {300, 10})};
      for (int i = 0; i < numbers; ++i) {
        const char name = static_cast<char>('c' + i);
        parameters += fmt::format("{}: {}[N], ", name, NameOf(dtype));
        sum += fmt::format(" {} load({}[:]).to(f32)", "+*"[i % 2], name);
        inputs.push_back(Numbers(dtype, {10}));
      }
      Expect(fmt::format("@kernel\n"
                         "def k(a: {0}[R, N], b: {0}[R, N], {1}y: out({0}[R, "
                         "N]), z: out(f32[R])):\n"
                         "    for r in cores(R):\n"
                         "        t = load(a[r, :]).to(f32) + load(b[r, "
                         ":]).to(f32)\n"
                         "        m = max(t)\n"
                         "        store(y[r, :], ((t - m){2}).to({0}))\n"
                         "        store(z[r], m)\n",
                         NameOf(dtype), parameters, sum),
             inputs);
    }
  }
}

TEST_F(CruxCompiledRows, NormsOfShortRows) {
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
    for (const int64_t length : {1, 3, 10, 40}) {
      Expect(fmt::format("@kernel\n"
                         "def k(a: {0}[R, N], y: out({0}[R]), z: out({0}[R]), "
                         "w: out({0}[R]), v: out({0}[R])):\n"
                         "    for r in cores(R):\n"
                         "        t = load(a[r, :])\n"
                         "        store(y[r], norm(t))\n"
                         "        store(z[r], norm(t, ord=1))\n"
                         "        store(w[r], norm(t, ord=inf))\n"
                         "        store(v[r], norm(t, ord=3))\n",
                         NameOf(dtype)),
             {Numbers(dtype, {300, length})});
    }
  }
}

// Numbers for columns that are written through a view of other bits.
TEST_F(CruxCompiledRows, OneNumberForColumnsOfShortRows) {
  for (const int64_t length : {2, 8, 10}) {
    Expect(
        "@kernel\n"
        "def k(a: f32[R, N], b: f32[1], y: out(f32[R, N])):\n"
        "    for r in cores(R):\n"
        "        t = load(a[r, :])\n"
        "        t = where(t > 0.5, t + 1.0, t)\n"
        "        store(y[r, :], t - broadcast(load(b[0]), (N,)))\n",
        {Numbers(DType::kFloat, {34, length}), Numbers(DType::kFloat, {1})});
  }
}

// As many rows run at a time as make repeats of seven, six and five blocks
// (select/broadcast_eight.h), and columns are left behind the first eight. The
// largest is found in f16, in memory of f32 (select/fold_columns.h).
TEST_F(CruxCompiledRows, NumbersOfShortRows) {
  const std::string text =
      "@kernel\n"
      "def k(a: f16[R, N], y: out(f16[R, N])):\n"
      "    for r in cores(R):\n"
      "        t = load(a[r, :]).to(f32)\n"
      "        d = t - max(t)\n"
      "        store(y[r, :], (d * sum(d)).to(f16))\n";
  for (int64_t length = 1; length <= 64; ++length) {
    Expect(text, {Numbers(DType::kHalf, {300, length})});
  }
  for (const int64_t runs : {5, 6, 7}) {
    Expect(text, {Numbers(DType::kHalf, {48 * 256 * runs - 7, 10})});
  }
  // Of five blocks there would be more repeats than an instruction has.
  Expect(text, {Numbers(DType::kHalf, {48 * 256 * 40 - 7, 1})});
}

// Every core has so many rows that an instruction takes eight of them, and some
// are left, or, of the shortest, a chunk of them all; lengths are whole blocks
// or not, and the longest that can.
TEST_F(CruxCompiledRows, RowsInEights) {
  for (const DType dtype : {DType::kHalf, DType::kFloat}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[R, N], b: {0}[N], y: out({0}[R, N]), z: out(f32[R])):\n"
        "    for r in cores(R):\n"
        "        t = load(a[r, :]).to(f32)\n"
        "        d = t - max(t)\n"
        "        s = sum(d * d)\n"
        "        store(y[r, :], (d * load(b[:]).to(f32) + s).to({0}))\n"
        "        store(z[r], s)\n",
        NameOf(dtype));
    for (const int64_t length : {64, 72, 100, 128, 1024, 2032, 2048}) {
      Expect(text,
             {Numbers(dtype, {48 * 13 - 5, length}), Numbers(dtype, {length})});
    }
    for (const int64_t length : {65, 80, 96, 112, 128}) {
      Expect(text,
             {Numbers(dtype, {48 * 46 - 5, length}), Numbers(dtype, {length})});
    }
  }
}

// What is only added up is made some columns of eight rows at a time, where all
// of eight do not fit into its memory: squares, products and powers. Lengths
// are on both sides of where that begins.
TEST_F(CruxCompiledRows, ColumnsOfEightRows) {
  for (const DType dtype : {DType::kHalf, DType::kFloat}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[R, N], y: out({0}[R, N]), z: out(f32[R])):\n"
        "    for r in cores(R):\n"
        "        t = load(a[r, :]).to(f32)\n"
        "        d = t - max(t)\n"
        "        s = sum(d * d)\n"
        "        p = sum(d * t)\n"
        "        e = sum(exp(d))\n"
        "        store(y[r, :], (d + t).to({0}))\n"
        "        store(z[r], s + p * e)\n",
        NameOf(dtype));
    for (const int64_t length : {1032, 1048, 1280, 2024}) {
      for (const int64_t rows : {48 * 5, 48 * 8 - 5}) {
        Expect(text, {Numbers(dtype, {rows, length})});
      }
    }
  }
}

// The largest of longer rows is found in f16, of eight at a time; the last
// length is too long for that.
TEST_F(CruxCompiledRows, HalvesInEights) {
  const std::string text =
      "@kernel\n"
      "def k(a: f16[R, N], y: out(f16[R, N]), z: out(f32[R])):\n"
      "    for r in cores(R):\n"
      "        t = load(a[r, :]).to(f32)\n"
      "        e = exp(t - max(t))\n"
      "        s = sum(e)\n"
      "        store(y[r, :], (e * (1.0 / s)).to(f16))\n"
      "        store(z[r], s)\n";
  for (const int64_t length : {2033, 2048, 2560, 3072, 4080, 4096}) {
    for (const int64_t rows : {3, 48 * 7 - 5}) {
      Expect(text, {Numbers(DType::kHalf, {rows, length})});
    }
  }
}

// One element of each row, and one of a table that all rows share, at positions
// that are clamped: by an instruction, of rows that lie apart or not, and of
// the piece that has it.
TEST_F(CruxCompiledRows, OneElementOfEachRow) {
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat,
                            DType::kInt16, DType::kInt32, DType::kInt8}) {
    const std::string whole = fmt::format(
        "@kernel\n"
        "def k(a: {0}[R, N], b: i64[R], c: f32[N], y: out({0}[R]),\n"
        "      z: out(f32[R]), s: out(f32[R])):\n"
        "    for r in cores(R):\n"
        "        t = load(a[r, :])\n"
        "        at = clamp(load(b[r]).to(i32), 0, N - 1)\n"
        "        f = t.to(f32)\n"
        "        store(y[r], take(t, at))\n"
        "        store(z[r], take(load(c[:]), at))\n"
        "        store(s[r], max(f - max(f)))\n",
        NameOf(dtype));
    const std::string pieces = fmt::format(
        "@kernel\n"
        "def k(a: {0}[R, N], b: i32[R], y: out({0}[R])):\n"
        "    for r in cores(R):\n"
        "        p = load(b[r])\n"
        "        found = zeros({0})\n"
        "        for c in tiles(N, tile=auto):\n"
        "            d = p - c.start\n"
        "            at = clamp(d, 0, c.size - 1)\n"
        "            found = where(d == at, take(load(a[r, c]), at), found)\n"
        "        store(y[r], found)\n",
        NameOf(dtype));
    for (const int64_t length : {1, 10, 100, 1000, 2033, 5000}) {
      for (const int64_t rows : {1, 48 * 13 - 5}) {
        std::vector<double> positions;
        for (int64_t r = 0; r < rows; ++r) {
          positions.push_back(
              static_cast<double>(random_.Between(-3, length + 2)));
        }
        const Array a = Numbers(dtype, {rows, length});
        Expect(whole, {a, ArrayOf(DType::kInt64, {rows}, positions),
                       Numbers(DType::kFloat, {length})});
        Expect(pieces, {a, ArrayOf(DType::kInt32, {rows}, positions)});
      }
    }
  }
}

// Rows of a piece that all meet one: taken eight at a time, and folded several
// at a time, once where they live on and once where they do not. Pieces have
// few rows or many, and some are left.
TEST_F(CruxCompiledRows, RowsOfPieces) {
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[B, N, A], y: out(f32[B, A]), z: out(f32[B, A])):\n"
        "    for b in cores(B):\n"
        "        for i in cores(A, tile=auto):\n"
        "            m, s = full(f32[i], -inf), zeros(f32[i])\n"
        "            p = zeros(f32[i])\n"
        "            for c in tiles(N, tile=auto):\n"
        "                t = load(a[b, c, i]).to(f32)\n"
        "                n = maximum(m, max(t, axis=0))\n"
        "                d = t - n\n"
        "                p += sum(d, axis=0)\n"
        "                s = s * exp(m - n) + sum(exp(d), axis=0)\n"
        "                m = n\n"
        "            store(y[b, i], m + ln(s))\n"
        "            store(z[b, i], p)\n",
        NameOf(dtype));
    for (const int64_t rows : {1, 2, 3, 5, 7, 8, 9, 11, 15, 16, 18, 26, 41}) {
      for (const int64_t columns : {5, 200, 1024, 1100}) {
        Expect(text, {Numbers(dtype, {1, rows, columns})});
      }
    }
  }
}

// Rows of loops over cores that are cut into pieces: several short ones run at
// a time, longer ones piece by piece, and the last of either is not full.
TEST_F(CruxCompiledRows, RowsCutForCores) {
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[K, R, N], b: {0}[R], c: {0}[N], y: out({0}[K, R, N])):\n"
        "    for i in cores(K):\n"
        "        for r in cores(R):\n"
        "            w = load(b[r]).to(f32)\n"
        "            for p in cores(N, tile=auto):\n"
        "                t = load(a[i, r, p]).to(f32) * w\n"
        "                t = t + load(c[p]).to(f32)\n"
        "                store(y[i, r, p], t.to({0}))\n",
        NameOf(dtype));
    for (const int64_t rows : {1, 3, 50, 600}) {
      for (const int64_t columns : {1, 7, 64, 100, 1030}) {
        Expect(text, {Numbers(dtype, {2, rows, columns}),
                      Numbers(dtype, {rows}), Numbers(dtype, {columns})});
      }
    }
    for (const int64_t columns : {5000, 40000}) {
      Expect(text, {Numbers(dtype, {1, 3, columns}), Numbers(dtype, {3}),
                    Numbers(dtype, {columns})});
    }
  }
}

// Rows of groups that meet one row of the group each: moved as one axis, and
// computed by groups or by the rows of all groups, whichever are more.
TEST_F(CruxCompiledRows, RowsOfHeads) {
  for (const DType dtype : {DType::kHalf, DType::kFloat}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[L, H, D], b: {0}[L, R], y: out({0}[L, H, D])):\n"
        "    assert D == 2 * R, \"two parts\"\n"
        "    for l in cores(L):\n"
        "        t = load(b[l, :]).to(f32)\n"
        "        u = load(a[l, :, 0:R]).to(f32)\n"
        "        v = load(a[l, :, R : 2 * R]).to(f32)\n"
        "        store(y[l, :, 0:R], (u * t - v).to({0}))\n"
        "        store(y[l, :, R : 2 * R], (v * t + u).to({0}))\n",
        NameOf(dtype));
    for (const int64_t groups : {1, 5, 130}) {
      for (const int64_t rows : {1, 3, 11}) {
        for (const int64_t columns : {1, 50, 64}) {
          Expect(text, {Numbers(dtype, {groups, rows, 2 * columns}),
                        Numbers(dtype, {groups, columns})});
        }
      }
    }
  }
}

// Pieces of rows with neighbours: those that the last piece had, too, are not
// loaded again (select/overlaps.h). More neighbours than rows, rows outside on
// either side, and cores that begin in the middle of a sample.
TEST_F(CruxCompiledRows, PiecesWithNeighbours) {
  for (const DType dtype : {DType::kHalf, DType::kFloat, DType::kInt32}) {
    for (const char* const loop : {"cores", "tiles"}) {
      for (const auto& [before, more] :
           {std::pair(0, 1), {1, 1}, {2, 4}, {9, 9}, {-3, 2}, {4, 20}}) {
        const std::string text = fmt::format(
            "@kernel\n"
            "def k(a: {0}[B, C, N], y: out({0}[B, C, N])):\n"
            "    for b in cores(B):\n"
            "        for p in cores(N, tile=64):\n"
            "            for c in {1}(C, tile=7):\n"
            "                low = c.start - {2}\n"
            "                high = low + c.size + {3}\n"
            "                t = load(a[b, low:high, p], fill=1)\n"
            "                m = t[0:c.size]\n"
            "                for j in range(1, {3} + 1):\n"
            "                    m = maximum(m, t[j : j + c.size])\n"
            "                store(y[b, c, p], m + t[{3} : {3} + c.size])\n",
            NameOf(dtype), loop, before, more);
        for (const int64_t rows : {1, 8, 21, 100}) {
          Expect(text, {Numbers(dtype, {7, rows, 130})});
        }
      }
    }
  }
}

// Without a fill what is inside counts alone.
TEST_F(CruxCompiledRows, PiecesWithNeighboursInside) {
  Expect(
      "@kernel\n"
      "def k(a: f32[C, N], b: f32[D, N], y: out(f32[D, N])):\n"
      "    assert C == D + 3, \"three rows more\"\n"
      "    for p in cores(N, tile=64):\n"
      "        for c in cores(D, tile=10):\n"
      "            t = load(a[c.start : c.start + c.size + 3, p])\n"
      "            s = t[0 : c.size] + t[3 : 3 + c.size]\n"
      "            store(y[c, p], s + load(b[c, p]))\n",
      {Numbers(DType::kFloat, {1003, 100}),
       Numbers(DType::kFloat, {1000, 100})});
}

// Buffers of queues come back after two turns; every core has four.
TEST_F(CruxCompiledRows, ManyShortRows) {
  Expect(
      "@kernel\n"
      "def k(a: f32[R, N], y: out(f32[R])):\n"
      "    for r in cores(R):\n"
      "        store(y[r], max(load(a[r, :])))\n",
      {Numbers(DType::kFloat, {50001, 32})});
}

// One channel fits, and cores have two or three: each is loaded into the slot
// of the one before (select/loads_ahead.h). Rows lie close together or do not.
TEST_F(CruxCompiledRows, ChannelsOneAfterTheOther) {
  for (const DType dtype : {DType::kHalf, DType::kBfloat16}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[N, C, L], y: out({0}[N, C, L]), z: out(f32[C])):\n"
        "    for c in cores(C):\n"
        "        t = load(a[:, c, :]).to(f32)\n"
        "        d = t - sum(t) / (N * L)\n"
        "        s = sum(d * d) / (N * L)\n"
        "        store(y[:, c, :], (d * rsqrt(s + 0.25)).to({0}))\n"
        "        store(z[c], s)\n",
        NameOf(dtype));
    for (const int64_t length : {1000, 1024}) {
      Expect(text, {Numbers(dtype, {14, 101, length})});
    }
  }
}

// Numbers of rows are loaded and stored for several turns at once
// (select/numbers_of_turns.h): for one where rows are short, for all that a
// core has where they are long, and for six of eight. One tensor is updated;
// one result is used in its turn.
TEST_F(CruxCompiledRows, NumbersOfSeveralTurns) {
  const std::string text =
      "@kernel\n"
      "def k(a: f32[R, N], b: f32[R], c: f32[R], d: inout(f32[R]),\n"
      "      y: out(f32[R, N]), z: out(f32[R])):\n"
      "    for r in cores(R):\n"
      "        t = load(a[r, :])\n"
      "        mu = sum(t) / N\n"
      "        store(y[r, :], (t - mu) * load(b[r]) + load(c[r]))\n"
      "        store(z[r], mu)\n"
      "        store(d[r], load(d[r]) * 0.5 + mu)\n";
  for (const auto& [rows, length] : std::vector<std::pair<int64_t, int64_t>>{
           {1, 40}, {100, 100}, {27001, 104}, {6721, 512}, {500, 5000}}) {
    Expect(
        text,
        {Numbers(DType::kFloat, {rows, length}), Numbers(DType::kFloat, {rows}),
         Numbers(DType::kFloat, {rows}), Numbers(DType::kFloat, {rows})});
  }
}

// Numbers of rows, side by side on chip, go to every third place of a tensor,
// or to every second one.
TEST_F(CruxCompiledRows, StoresWithGaps) {
  for (const DType dtype : crux::AllDtypes()) {
    if (dtype == DType::kBool) continue;
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[R, N], y: out({0}[R, 3]), z: out({0}[2 * R])):\n"
        "    for r in cores(R):\n"
        "        t = load(a[r, :])\n"
        "        store(y[r, 0], max(t))\n"
        "        store(y[r, 2], min(t))\n"
        "        store(y[r, 1], load(a[r, 0]))\n"
        "        store(z[2 * r], min(t))\n"
        "        store(z[2 * r + 1], max(t))\n",
        NameOf(dtype));
    const std::vector<Shape> shapes = {{1, 1},    {3, 7},    {300, 10},
                                       {4, 65},   {2, 257},  {9, 1000},
                                       {1, 5000}, {7, 2501}, {5000, 40}};
    for (const Shape& shape : shapes) Expect(text, {Numbers(dtype, shape)});
  }
}

// Cores begin and end in the middle of groups, or have several: the first row
// of a group is loaded while the last one of the group before is worked on.
TEST_F(CruxCompiledRows, RowsOfGroups) {
  for (const DType dtype : {DType::kHalf, DType::kFloat}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(\n"
        "    a: {0}[N, G, D, P],\n"
        "    b: {0}[G, D],\n"
        "    y: out({0}[N, G, D, P]),\n"
        "    c: inout(f32[N, G]),\n"
        "    z: out(f32[N, G]),\n"
        "):\n"
        "    for g in cores(G):\n"
        "        f = 2.0 * load(b[g]).to(f32)\n"
        "        for n in cores(N):\n"
        "            t = load(a[n, g]).to(f32)\n"
        "            d = t - sum(t) / (D * P)\n"
        "            s = sum(d * d) / (D * P)\n"
        "            u = d * (rsqrt(s + 0.25) * f)[:, None]\n"
        "            store(y[n, g], (u / (exp(u) + 1.0)).to({0}))\n"
        "            store(c[n, g], load(c[n, g]) + s)\n"
        "            store(z[n, g], s)\n",
        NameOf(dtype));
    const std::vector<Shape> shapes = {{7, 31, 2, 2048},
                                       {31, 7, 2, 2000},
                                       {2, 120, 3, 1001},
                                       {130, 1, 1, 4000}};
    for (const Shape& shape : shapes) {
      Expect(text, {Numbers(dtype, shape), Numbers(dtype, {shape[1], shape[2]}),
                    Numbers(DType::kFloat, {shape[0], shape[1]})});
    }
  }
}

// Long rows: pieces are short where rows are many
// (passes/units.h).
TEST_F(CruxCompiledRows, PiecesThatMeetOneRow) {
  const std::string text =
      "@kernel\n"
      "def k(a: f16[R, N], b: f16[N], y: out(f16[R, N])):\n"
      "    for r in cores(R):\n"
      "        m = full(f16, -inf)\n"
      "        for c in tiles(N, tile=auto):\n"
      "            m = maximum(m, max(load(a[r, c])))\n"
      "        for c in tiles(N, tile=auto):\n"
      "            t = load(a[r, c]).to(f32) - m.to(f32)\n"
      "            store(y[r, c], (t * load(b[c]).to(f32)).to(f16))\n";
  const std::vector<Shape> shapes = {{5, 8200}, {690, 8200}};
  for (const Shape& shape : shapes) {
    Expect(text,
           {Numbers(DType::kHalf, shape), Numbers(DType::kHalf, {shape[1]})});
  }
}

// Pieces that are rows of one tile and elements of another.
TEST_F(CruxCompiledRows, PiecesOfRowsAndOfNumbers) {
  for (const DType dtype : {DType::kHalf, DType::kFloat}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[G, D, P], b: {0}[G, D], y: out({0}[G, D, P])):\n"
        "    for g in cores(G):\n"
        "        for p in tiles(P, tile=auto):\n"
        "            for c in tiles(D, tile=auto):\n"
        "                t = load(a[g, c, p]).to(f32)\n"
        "                u = t * load(b[g, c]).to(f32)[:, None]\n"
        "                store(y[g, c, p], u.to({0}))\n",
        NameOf(dtype));
    const std::vector<Shape> shapes = {
        {3, 3, 20011}, {2, 700, 45}, {2, 65, 1}, {50, 7, 4096}};
    for (const Shape& shape : shapes) {
      Expect(text,
             {Numbers(dtype, shape), Numbers(dtype, {shape[0], shape[1]})});
    }
  }
}

// Sums of tiles that cores keep as lanes (select/running_sums.h): few turns and
// many, of one loop and of several, and two sums in a turn.
TEST_F(CruxCompiledRows, RunningSums) {
  for (const char* const loop : {"cores", "tiles"}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: f32[R, N], y: out(f32[1])):\n"
        "    total = across_cores(sum, f32)\n"
        "    for r in cores(R, tile=1):\n"
        "        for c in {}(N, tile=72):\n"
        "            t = load(a[r.start, c])\n"
        "            total += sum(t)\n"
        "            total += sum(t * t)\n"
        "    store(y[0], total)\n",
        loop);
    const std::vector<Shape> shapes = {
        {1, 50},   {48, 150},  {48 * 20 + 3, 72},
        {99, 577}, {300, 200}, {1, 72 * 48 * 20 + 7}};
    for (const Shape& shape : shapes) {
      Expect(text, {Numbers(DType::kFloat, shape)});
    }
  }
}

// A queue with one slot, for want of events, beside a load with a fill into the
// only slot of another, which is loaded again within its turn.
TEST_F(CruxCompiledRows, OneSlotBesideAReload) {
  const std::string text =
      "@kernel\n"
      "def k(a: f32[K, H], b: f32[P, Q, P, 4], c: i32[P, Q, P, 4],\n"
      "      d: f32[P, P, 1], e: i32[P, P, 1], f: f32[N, P],\n"
      "      v: out(f32[K, H]), w: out(f32[P, P, 4]), y: out(f32[P, N, P]),\n"
      "      z: out(f32[P])):\n"
      "    for r in cores(K):\n"
      "        store(v[r, :], load(a[r, :]) + 1.0)\n"
      "    t = load(f[:, :]) * 2.0\n"
      "    for r in cores(P):\n"
      "        for q in tiles(Q):\n"
      "            best, at = merge_topk(\n"
      "                load(b[r, q, :, :], fill=0.125), load(c[r, q, :, :]),\n"
      "                load(d[r, :, :]), load(e[r, :, :]), axis=1)\n"
      "            store(w[r, :, :], best)\n"
      "        store(y[r, :, :], t)\n"
      "        store(z[r], load(d[r, r, 0]))\n";
  const auto positions = [&](Shape shape) {
    return crux::fuzz::RandomIndices(random_, DType::kInt32, std::move(shape),
                                     99);
  };
  Expect(text,
         {Numbers(DType::kFloat, {5, 7}), Numbers(DType::kFloat, {3, 4, 3, 4}),
          positions({3, 4, 3, 4}), Numbers(DType::kFloat, {3, 3, 1}),
          positions({3, 3, 1}), Numbers(DType::kFloat, {6, 3})});
}

}  // namespace
}  // namespace belay::testing::test_compiled_rows
