// SPDX-License-Identifier: Apache-2.0
// Reductions, scans, operations on shapes and order, and philox of every dtype,
// compiled: small kernels over rows (which are batched), over tiles of rank 2
// and 3, and over pieces whose last one is short.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "call.h"
#include "compiled_text.h"
#include "crux/check.h"
#include "crux/fuzz/random_array.h"
#include "crux/type.h"

namespace belay::testing::test_compiled_shapes {
namespace {

using crux::Op;
using crux::OpFamily;
using crux::OpInfo;
using crux::fuzz::Random;
using crux::fuzz::RandomArray;
using crux::fuzz::RandomIndices;

using CruxCompiledShapes = CompiledText;

// One row an iteration; `shape` is what of the output belongs to it.
std::string OverRows(DType dtype, DType result, const std::string& shape,
                     const std::string& value) {
  return fmt::format(
      "@kernel\n"
      "def k(a: {}[R, N], y: out({}[R{}])):\n"
      "    for r in cores(R):\n"
      "        t = load(a[r, :])\n"
      "        store(y[r], {})\n",
      NameOf(dtype), NameOf(result), shape.empty() ? "" : ", " + shape, value);
}

// ":" for each of so many axes.
std::string Whole(size_t rank) {
  std::string text = ":";
  for (size_t i = 1; i < rank; ++i) text += ", :";
  return text;
}

size_t RankOf(const std::string& sizes) {
  return static_cast<size_t>(std::count(sizes.begin(), sizes.end(), ',')) + 1;
}

// A whole tensor at once.
std::string OverTile(DType dtype, const std::string& sizes, DType result,
                     const std::string& shape, const std::string& value) {
  return fmt::format(
      "@kernel\n"
      "def k(a: {}[{}], y: out({}[{}])):\n"
      "    t = load(a[{}])\n"
      "    store(y[{}], {})\n",
      NameOf(dtype), sizes, NameOf(result), shape, Whole(RankOf(sizes)),
      Whole(RankOf(shape)), value);
}

const std::vector<std::pair<int64_t, int64_t>> kRows = {
    {1, 1},   {3, 7},   {300, 10}, {5, 64},   {4, 65},
    {2, 257}, {40, 96}, {9, 1000}, {1, 5000}, {7, 2501}};

DType ResultOf(const OpInfo& info, DType dtype) {
  return info.op == Op::kArgmax || info.op == Op::kArgmin ||
                 info.op == Op::kArgsort
             ? DType::kInt32
             : dtype;
}

std::vector<const OpInfo*> Operations(OpFamily family) {
  std::vector<const OpInfo*> found;
  for (const OpInfo& info : crux::AllOperations()) {
    if (info.family == family) found.push_back(&info);
  }
  return found;
}

// The ways to write a reduction.
std::vector<std::string> Options(Op op) {
  if (op != Op::kNorm) return {""};
  return {"", ", ord=1", ", ord=inf", ", ord=3"};
}

TEST_F(CruxCompiledShapes, ReductionsOfRows) {
  for (const OpInfo* info : Operations(OpFamily::kReduce)) {
    for (const DType dtype : crux::AllDtypes()) {
      if (!crux::Allows(info->dtypes, dtype)) continue;
      for (const std::string& options : Options(info->op)) {
        const std::string text =
            OverRows(dtype, ResultOf(*info, dtype), "",
                     fmt::format("{}(t{})", info->spelling, options));
        for (const auto& [rows, columns] : kRows) {
          Expect(text, {Numbers(dtype, {rows, columns})});
        }
      }
    }
  }
}

TEST_F(CruxCompiledShapes, ReductionsAlongAxes) {
  struct Along {
    const char* sizes;
    const char* axis;
    const char* shape;
    Shape extents;
  };
  const std::vector<Along> all = {
      {"A, B", "axis=0", "B", {9, 70}},
      {"A, B", "axis=0, keepdims=True", "1, B", {5, 3}},
      {"A, B", "axis=1", "A", {6, 130}},
      {"A, B", "axis=1, keepdims=True", "A, 1", {17, 9}},
      {"A, B, C", "axis=0", "B, C", {3, 5, 11}},
      {"A, B, C", "axis=1", "A, C", {4, 6, 19}},
      {"A, B, C", "axis=2", "A, B", {2, 9, 33}},
      {"A, B, C", "axis=1", "A, C", {3, 7, 1}},
      {"A, B, C", "axis=0", "B, C", {6, 2, 1}}};
  const std::vector<Along> several = {
      {"A, B, C", "axis=(0, 1)", "C", {3, 4, 21}},
      {"A, B, C", "axis=(1, 2)", "A", {4, 3, 30}},
      {"A, B, C", "axis=(0, 2), keepdims=True", "1, B, 1", {3, 6, 70}},
      {"A, B", "keepdims=True", "1, 1", {8, 20}}};
  for (const OpInfo* info : Operations(OpFamily::kReduce)) {
    const bool finds = info->op == Op::kArgmax || info->op == Op::kArgmin;
    for (const DType dtype : crux::AllDtypes()) {
      if (!crux::Allows(info->dtypes, dtype)) continue;
      std::vector<Along> cases = all;
      if (!finds) cases.insert(cases.end(), several.begin(), several.end());
      for (const Along& one : cases) {
        Expect(OverTile(dtype, one.sizes, ResultOf(*info, dtype), one.shape,
                        fmt::format("{}(t, {})", info->spelling, one.axis)),
               {Numbers(dtype, one.extents)});
      }
    }
  }
}

// Slices of few repeats meet in one instruction each, up to 255 of them; of
// many repeats, or too far apart, slice after slice.
TEST_F(CruxCompiledShapes, ReductionsOfManySlices) {
  for (const DType dtype : {DType::kFloat, DType::kHalf, DType::kInt32}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[N, A], y: out({0}[A]), z: out({0}[A])):\n"
        "    t = load(a[:, :])\n"
        "    store(y[:], sum(t, axis=0))\n"
        "    store(z[:], max(t, axis=0))\n",
        NameOf(dtype));
    for (const int64_t slices : {1, 2, 3, 5, 255, 256, 300}) {
      for (const int64_t columns : {1, 7, 50, 64, 65}) {
        Expect(text, {Numbers(dtype, {slices, columns})});
      }
    }
    for (const int64_t columns : {200, 2040, 2041, 4100}) {
      Expect(text, {Numbers(dtype, {4, columns})});
    }
  }
}

TEST_F(CruxCompiledShapes, ReductionsOfShortPieces) {
  for (const DType dtype :
       {DType::kFloat, DType::kHalf, DType::kInt32, DType::kInt64}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[R, N], y: out({0}[R]), z: out({0}[R])):\n"
        "    for r in cores(R):\n"
        "        s, m = zeros({0}), full({0}, -100)\n"
        "        for c in tiles(N, tile=48):\n"
        "            t = load(a[r, c])\n"
        "            s += sum(t)\n"
        "            m = maximum(m, max(t))\n"
        "        store(y[r], s)\n"
        "        store(z[r], m)\n",
        NameOf(dtype));
    for (const int64_t columns : {1, 47, 48, 49, 150}) {
      Expect(text, {Numbers(dtype, {6, columns})});
    }
  }
}

TEST_F(CruxCompiledShapes, OneTileBroadcastInTwoWays) {
  for (const DType dtype :
       {DType::kFloat, DType::kHalf, DType::kBfloat16, DType::kInt32}) {
    for (const char* value :
         {"t[:, None] - t", "t - t[:, None]", "maximum(t[:, None], t)",
          "where(t[:, None] < t, t, t[:, None])", "t[:, None] * t + t"}) {
      for (const int64_t length : {1, 7, 16, 33}) {
        Expect(OverTile(dtype, "N", dtype, "N, N", value),
               {Numbers(dtype, {length})});
        Expect(OverRows(dtype, dtype, "N, N", value),
               {Numbers(dtype, {5, length})});
      }
    }
  }
}

TEST_F(CruxCompiledShapes, Scans) {
  for (const OpInfo* info : Operations(OpFamily::kScan)) {
    if (info->op == Op::kLast) continue;
    for (const DType dtype : crux::AllDtypes()) {
      if (!crux::Allows(info->dtypes, dtype)) continue;
      for (const char* options : {"", ", reverse=True", ", exclusive=True",
                                  ", reverse=True, exclusive=True"}) {
        const auto value = [&](const std::string& axis) {
          return fmt::format("{}(t{}{})", info->spelling, axis, options);
        };
        for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{1, 1},
                                            {5, 7},
                                            {30, 40},
                                            {2, 333},
                                            {120, 127},
                                            {120, 128},
                                            {200, 165}}) {
          Expect(OverRows(dtype, dtype, "N", value("")),
                 {Numbers(dtype, {rows, columns})});
        }
        Expect(OverTile(dtype, "A, B", dtype, "A, B", value(", axis=0")),
               {Numbers(dtype, {6, 37})});
        Expect(OverTile(dtype, "A, B, C", dtype, "A, B, C", value(", axis=1")),
               {Numbers(dtype, {3, 5, 9})});
        Expect(OverTile(dtype, "A, B, C", dtype, "A, B, C", value(", axis=2")),
               {Numbers(dtype, {2, 3, 20})});
      }
    }
  }
}

TEST_F(CruxCompiledShapes, LastElements) {
  for (const DType dtype : crux::AllDtypes()) {
    Expect(OverRows(dtype, dtype, "", "last(t)"), {Numbers(dtype, {20, 13})});
    Expect(OverTile(dtype, "A, B", dtype, "B", "last(t, axis=0)"),
           {Numbers(dtype, {4, 30})});
  }
}

TEST_F(CruxCompiledShapes, Moves) {
  struct Move {
    const char* sizes;
    const char* shape;
    const char* value;
    Shape extents;
  };
  const std::vector<Move> moves = {
      {"A, B", "B, A", "transpose(t)", {5, 40}},
      {"A, B", "B, A", "transpose(t)", {64, 32}},
      {"A, B", "B, A", "transpose(t)", {70, 3}},
      {"A, B, C", "B, A, C", "transpose(t, (1, 0, 2))", {3, 4, 17}},
      {"A, B, C", "C, A, B", "transpose(t, (2, 0, 1))", {3, 4, 17}},
      {"A, B", "2 * A, B", "concat((t, t))", {3, 20}},
      {"A, B", "A, 2 * B", "concat((t, t), axis=1)", {3, 20}},
      {"A, B", "A, 2 * B", "concat((t, t), axis=1)", {3, 64}},
      {"A, B, C", "A, B + 2, C", "concat((t, t[:, 0:2]), axis=1)", {3, 4, 17}},
      {"A", "3 * A", "concat((t, t, t))", {33}},
      {"A", "2 * A + 3", "concat((t, t[0:3], t))", {64}},
      {"A", "B, A", "broadcast(t, (B, A))", {33}},
      {"A, C", "B, A, C", "broadcast(t, (B, A, C))", {4, 17}},
      {"A, C", "A, B, C", "broadcast(t[:, None, :], (A, B, C))", {4, 64}},
      {"A, C", "A, C, B", "broadcast(t[:, :, None], (A, C, B))", {4, 7}},
      {"A, C", "B, A, B, C", "broadcast(t[:, None, :], (B, A, B, C))", {3, 9}},
      {"A, B", "A * B", "reshape(t, (A * B))", {7, 9}},
      {"A", "2, A // 2", "reshape(t, (2, -1))", {90}},
      {"A, B", "B, A", "reshape(t, (B, A))", {5, 24}},
      {"A, B", "A, 1, B", "t[:, None, :]", {4, 21}},
      {"A, B", "A - 2, 9", "t[1:A - 1, 3:12]", {5, 24}},
      {"A, B", "A, 8", "t[:, 0:16:2]", {5, 24}},
      {"A, B", "B", "t[2]", {5, 24}},
      {"A, B", "A", "t[:, 3]", {5, 24}},
      {"A", "10", "t[1:31:3]", {40}},
      {"A", "16", "t[8:24]", {40}},
      {"A, B, C", "A, C", "t[:, 1, :]", {3, 4, 17}},
      {"A, B, C", "B - 1, C", "t[1, 1:B]", {3, 4, 17}}};
  for (const DType dtype : crux::AllDtypes()) {
    for (const Move& move : moves) {
      std::string text =
          OverTile(dtype, move.sizes, dtype, move.shape, move.value);
      if (std::string(move.value).find("broadcast") == 0) {
        text.insert(text.find("    t = "), "    B = 5\n");
      }
      Expect(text, {Numbers(dtype, move.extents)});
    }
  }
}

// Rows are batched: moves get one more axis.
TEST_F(CruxCompiledShapes, MovesOfRows) {
  for (const DType dtype : crux::AllDtypes()) {
    const auto expect = [&](const std::string& shape, const std::string& value,
                            int64_t columns) {
      Expect(OverRows(dtype, dtype, shape, value),
             {Numbers(dtype, {21, columns})});
    };
    expect("2 * N", "concat((t, t))", 11);
    expect("2 * N", "concat((t, t))", 32);
    expect("N + 3", "concat((t[0:3], t))", 32);
    expect("N + 3", "concat((t, t[0:3]))", 96);
    expect("N // 2, 2", "reshape(t, (-1, 2))", 30);
    expect("2, N // 2", "transpose(reshape(t, (-1, 2)))", 30);
    expect("5", "t[1:11:2]", 16);
    expect("", "t[4]", 16);
    expect("N // 2", "t[0:N // 2]", 32);
  }
}

// Sorts of some dtypes go element by element.
const std::vector<std::pair<int64_t, int64_t>> kSortedRows = {
    {1, 1}, {3, 7}, {30, 10}, {5, 64}, {4, 65}, {2, 257}, {1, 1500}};

TEST_F(CruxCompiledShapes, Sorts) {
  for (const DType dtype : crux::AllDtypes()) {
    if (dtype == DType::kBool) continue;
    for (const char* options : {"", ", descending=True"}) {
      for (const auto& [rows, columns] : kSortedRows) {
        Expect(OverRows(dtype, dtype, "N", fmt::format("sort(t{})", options)),
               {Numbers(dtype, {rows, columns})});
        Expect(OverRows(dtype, DType::kInt32, "N",
                        fmt::format("argsort(t{})", options)),
               {Numbers(dtype, {rows, columns})});
      }
      Expect(OverTile(dtype, "A, B", dtype, "A, B",
                      fmt::format("sort(t, axis=0{})", options)),
             {Numbers(dtype, {35, 6})});
    }
  }
}

TEST_F(CruxCompiledShapes, Topk) {
  for (const DType dtype : crux::AllDtypes()) {
    if (dtype == DType::kBool) continue;
    for (const char* options : {"", ", largest=False"}) {
      const std::string text = fmt::format(
          "@kernel\n"
          "def k(a: {0}[R, N], y: out({0}[R, 3]), z: out(i32[R, 3])):\n"
          "    for r in cores(R):\n"
          "        v, p = topk(load(a[r, :]), 3{1})\n"
          "        store(y[r, :], v)\n"
          "        store(z[r, :], p)\n",
          NameOf(dtype), options);
      for (const auto& [rows, columns] : kSortedRows) {
        if (columns >= 3) Expect(text, {Numbers(dtype, {rows, columns})});
      }
      const std::string pieces = fmt::format(
          "@kernel\n"
          "def k(a: {0}[R, N], y: out({0}[R, 5]), z: out(i32[R, 5])):\n"
          "    for r in cores(R):\n"
          "        v, p = topk(load(a[r, 0:5]), 5{1})\n"
          "        for c in tiles(5, N, tile=40):\n"
          "            v, p = merge_topk(v, p, load(a[r, c]), arange(c){1})\n"
          "        store(y[r, :], v)\n"
          "        store(z[r, :], p)\n",
          NameOf(dtype), options);
      for (const int64_t columns : {5, 6, 45, 100}) {
        Expect(pieces, {Numbers(dtype, {4, columns})});
      }
    }
  }
}

TEST_F(CruxCompiledShapes, Takes) {
  for (const DType dtype : crux::AllDtypes()) {
    for (const DType index : {DType::kInt32, DType::kInt64}) {
      const auto expect = [&](const std::string& shape,
                              const std::string& value, Shape from,
                              Shape numbers, int below) {
        const std::string text = fmt::format(
            "@kernel\n"
            "def k(a: {0}[{2}], b: {1}[{3}], y: out({0}[{4}])):\n"
            "    t, i = load(a[{6}]), load(b[{7}])\n"
            "    store(y[{8}], {5})\n",
            NameOf(dtype), NameOf(index), from.size() == 1 ? "N" : "M, N",
            numbers.size() == 1 ? "K" : "K, L", shape, value,
            Whole(from.size()), Whole(numbers.size()), Whole(RankOf(shape)));
        Expect(text, {Numbers(dtype, from),
                      RandomIndices(random_, index, numbers, below)});
      };
      expect("K", "take(t, i)", {100}, {77}, 100);
      expect("K", "take(t, i)", {3}, {1}, 3);
      expect("K, L", "t[i]", {40}, {5, 9}, 40);
      expect("K, N", "take(t, i, axis=0)", {6, 50}, {11}, 6);
      expect("M, K", "take(t, i, axis=1)", {6, 50}, {11}, 50);
      expect("M, K, L", "t[:, i]", {6, 50}, {3, 7}, 50);
    }
  }
}

TEST_F(CruxCompiledShapes, TakesByRows) {
  for (const DType dtype : {DType::kFloat, DType::kHalf, DType::kInt8}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[N], b: i32[R, K], c: {0}[R, N], y: out({0}[R, K]),\n"
        "      z: out({0}[R, K])):\n"
        "    for r in cores(R):\n"
        "        store(y[r, :], load(a[:])[load(b[r, :])])\n"
        "        store(z[r, :], load(c[r, :])[load(b[0, :])])\n",
        NameOf(dtype));
    Expect(text, {Numbers(dtype, {90}),
                  RandomIndices(random_, DType::kInt32, {30, 17}, 90),
                  Numbers(dtype, {30, 90})});
  }
}

// One element of each row, and all of a row at positions of its own, neither of
// them clamped.
TEST_F(CruxCompiledShapes, TakesOfEachRow) {
  for (const DType dtype : {DType::kFloat, DType::kHalf, DType::kInt32}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[R, N], b: i32[R], c: i32[R, K], y: out({0}[R]),\n"
        "      z: out({0}[R, K])):\n"
        "    for r in cores(R):\n"
        "        store(y[r], take(load(a[r, :]), load(b[r])))\n"
        "    for r in cores(R):\n"
        "        store(z[r, :], take(load(a[r, :]), load(c[r, :])))\n",
        NameOf(dtype));
    for (const int64_t columns : {1, 7, 200, 3000}) {
      for (const int64_t taken : {1, 65, 1500}) {
        Expect(text,
               {Numbers(dtype, {70, columns}),
                RandomIndices(random_, DType::kInt32, {70}, columns),
                RandomIndices(random_, DType::kInt32, {70, taken}, columns)});
      }
    }
  }
}

TEST_F(CruxCompiledShapes, TakeOutsideIsAFault) {
  // Of one row, of a table at positions of rows, of rows at the same positions,
  // and one of each row.
  const std::string texts[] = {
      "@kernel\n"
      "def k(a: f32[N], b: i32[K], y: out(f32[K])):\n"
      "    store(y[:], take(load(a[:]), load(b[:])))\n",
      "@kernel\n"
      "def k(a: f32[N], b: i32[K], y: out(f32[3, K])):\n"
      "    for r in cores(3):\n"
      "        store(y[r, :], take(load(a[:]), load(b[:]) * (r + 1)))\n",
      "@kernel\n"
      "def k(a: f32[N], b: i32[K], y: out(f32[3, K])):\n"
      "    for r in cores(3):\n"
      "        store(y[r, :], take(load(a[:]) + r, load(b[:])))\n",
      "@kernel\n"
      "def k(a: f32[N], b: i32[K], y: out(f32[K])):\n"
      "    for r in cores(K):\n"
      "        store(y[r], take(load(a[:]) + r, load(b[r])))\n"};
  for (const std::string& text : texts) {
    const crux::Checked checked = crux::Check("program", text);
    ASSERT_TRUE(checked.ok()) << text;
    for (const double index : {-1.0, 5.0, 2147483647.0, -2147483648.0}) {
      crux::interpret::Arguments arguments;
      arguments.tensors["a"] = {{Numbers(DType::kFloat, {5})}, false};
      arguments.tensors["b"] = {{ArrayOf(DType::kInt32, {2}, {1, index})},
                                false};
      const crux::run::RunResult result =
          runner_.Run(*checked.program->kernels.front(), arguments, "program");
      ASSERT_FALSE(result.ok()) << text << index;
      EXPECT_NE(result.diagnostics.front().message.find("take"),
                std::string::npos);
    }
  }
}

// Positions that are loaded, worked out, and stored themselves.
TEST_F(CruxCompiledShapes, Scatters) {
  for (const DType dtype : {DType::kFloat, DType::kHalf, DType::kInt8}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[N], b: i32[N], y: out({0}[N]), z: out({0}[N]),\n"
        "      same: out(i32[N]), back: out(i32[N])):\n"
        "    for c in cores(N, tile=auto):\n"
        "        t, at = load(a[c]), load(b[c])\n"
        "        store(y[at], t)\n"
        "        store(z[N - 1 - at], t + t)\n"
        "        store(same[at], at)\n"
        "        store(back[N - 1 - at], N - 1 - at)\n",
        NameOf(dtype));
    for (const int64_t count : {1, 9, 300, 2500}) {
      std::vector<double> places(count);
      std::iota(places.begin(), places.end(), 0.0);
      for (int64_t i = count - 1; i > 0; --i) {
        std::swap(places[i], places[random_.Below(static_cast<int>(i) + 1)]);
      }
      Expect(text, {Numbers(dtype, {count}),
                    ArrayOf(DType::kInt32, {count}, places)});
    }
  }
}

TEST_F(CruxCompiledShapes, AddsAtLoadedPositions) {
  for (const DType dtype : {DType::kFloat, DType::kHalf, DType::kInt32}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[N], b: i64[N], c: inout({0}[K])):\n"
        "    for r in cores(N, tile=auto):\n"
        "        atomic_add(c[load(b[r])], load(a[r]))\n",
        NameOf(dtype));
    for (const int64_t count : {1, 300, 2500}) {
      Expect(text, {Numbers(dtype, {count}),
                    RandomIndices(random_, DType::kInt64, {count}, 40),
                    Numbers(dtype, {40})});
    }
  }
}

// A number of each row that says where others lie: many rows run at a time. The
// last two are used for more than that.
TEST_F(CruxCompiledShapes, RowsAtLoadedPositions) {
  struct Form {
    const char* result;
    const char* body;
  };
  const std::vector<Form> forms = {
      {"y: out({0}[R, N])", "store(y[r, :], load(a[load(b[r]), :]))"},
      {"y: out({0}[R, N])",
       "p = load(b[r])\n"
       "        store(y[r, :], load(a[p, :]) + load(c[p]))"},
      {"y: out({0}[R, N])",
       "store(y[r, :], load(a[load(b[r]), :], fill=3) + load(a[0, 0]))"},
      {"y: out({0}[R, N])",
       "p, q = load(b[r]), load(b[R - 1 - r])\n"
       "        store(y[r, :], load(a[p, :]) - load(a[q, :]))"},
      {"y: out({0}[R, N])",
       "p = load(b[r])\n"
       "        for d in tiles(N, tile=16):\n"
       "            store(y[r, d], load(a[p, d]))"},
      {"y: out({0}[R]), z: out({0}[R])",
       "t = load(a[load(b[r]), :])\n"
       "        store(y[r], max(t))\n"
       "        store(z[r], t[N - 1])"},
      {"y: out({0}[R, N])",
       "p = load(b[r])\n"
       "        store(y[r, :], load(a[p, :]) + p.to({0}))"},
      {"y: out({0}[R, N])",
       "p = load(b[r])\n"
       "        store(y[r, :], load(a[minimum(p + 1, K - 1), :]))"},
  };
  for (const DType dtype : {DType::kFloat, DType::kHalf, DType::kInt8,
                            DType::kInt32, DType::kInt64}) {
    for (const DType positions : {DType::kInt32, DType::kInt64}) {
      for (const Form& form : forms) {
        const std::string result =
            fmt::format(fmt::runtime(form.result), NameOf(dtype));
        const std::string body =
            fmt::format(fmt::runtime(form.body), NameOf(dtype));
        const int64_t rows = random_.Between(1, 300);
        const int64_t columns = random_.Between(1, 90);
        Expect(fmt::format("@kernel\n"
                           "def k(a: {0}[K, N], b: {1}[R], c: {0}[K], {2}):\n"
                           "    for r in cores(R):\n"
                           "        {3}\n",
                           NameOf(dtype), NameOf(positions), result, body),
               {Numbers(dtype, {40, columns}),
                RandomIndices(random_, positions, {rows}, 40),
                Numbers(dtype, {40})});
      }
    }
  }
}

// Rows that go where a number of each says: others than these, and sums.
TEST_F(CruxCompiledShapes, RowsToLoadedPositions) {
  for (const DType dtype : {DType::kFloat, DType::kHalf, DType::kInt32}) {
    for (const int64_t rows : {1, 50, 300}) {
      std::vector<double> places(rows);
      std::iota(places.begin(), places.end(), 0.0);
      for (int64_t i = rows - 1; i > 0; --i) {
        std::swap(places[i], places[random_.Below(static_cast<int>(i) + 1)]);
      }
      const int64_t columns = random_.Between(1, 90);
      Expect(fmt::format("@kernel\n"
                         "def k(a: {0}[R, N], b: i32[R], y: out({0}[R, N]), "
                         "z: out({0}[R])):\n"
                         "    for r in cores(R):\n"
                         "        p = load(b[r])\n"
                         "        t = load(a[r, :])\n"
                         "        store(y[p, :], t + t)\n"
                         "        store(z[p], max(t))\n",
                         NameOf(dtype)),
             {Numbers(dtype, {rows, columns}),
              ArrayOf(DType::kInt32, {rows}, places)});
      Expect(
          fmt::format("@kernel\n"
                      "def k(a: {0}[R, N], b: i64[R], c: inout({0}[K, N])):\n"
                      "    for r in cores(R):\n"
                      "        atomic_add(c[load(b[r]), :], load(a[r, :]))\n",
                      NameOf(dtype)),
          {Numbers(dtype, {rows, columns}),
           RandomIndices(random_, DType::kInt64, {rows}, 20),
           Numbers(dtype, {20, columns})});
    }
  }
}

TEST_F(CruxCompiledShapes, Compress) {
  for (const DType dtype : crux::AllDtypes()) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[N], b: bool[N], y: out({0}[upto(N)]), z: out(i32[1])):\n"
        "    t, n = compress(load(a[:]), load(b[:]))\n"
        "    store(y[0:n], t[0:n])\n"
        "    store(z[0], n)\n",
        NameOf(dtype));
    for (const int64_t count : {1, 9, 64, 300, 1025}) {
      Expect(text, {Numbers(dtype, {count}), Numbers(DType::kBool, {count})});
    }
    const Array none = ArrayOf(DType::kBool, {70}, std::vector<double>(70, 0));
    Expect(text, {Numbers(dtype, {70}), none});
  }
}

TEST_F(CruxCompiledShapes, Deinterleave) {
  for (const DType dtype : crux::AllDtypes()) {
    const std::string rows = fmt::format(
        "@kernel\n"
        "def k(a: {0}[R, N], y: out({0}[R, N // 2]), z: out({0}[R, N // 2])):\n"
        "    for r in cores(R):\n"
        "        e, o = deinterleave(load(a[r, :]))\n"
        "        store(y[r, :], e)\n"
        "        store(z[r, :], o)\n",
        NameOf(dtype));
    for (const int64_t columns : {2, 14, 64, 258, 1000}) {
      Expect(rows, {Numbers(dtype, {5, columns})});
    }
  }
}

// Several chunks, too, one of which begins a new upper word.
TEST_F(CruxCompiledShapes, Philox) {
  for (const char* dtype : {"u32", "f32"}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: i32[N], y: out({0}[N]), z: out({0}[3, 5]),\n"
        "      w: out({0}[2, 2500])):\n"
        "    for c in cores(N, tile=auto):\n"
        "        store(y[c], philox(123456789012, c.start, {0}[c]))\n"
        "    store(z[:, :], philox(-7, 4294967290, {0}[3, 5]))\n"
        "    store(w[:, :], philox(9, 4294963296, {0}[2, 2500]))\n",
        dtype);
    for (const int64_t count : {1, 50, 700}) {
      Expect(text, {Numbers(DType::kInt32, {count})});
    }
  }
}

}  // namespace
}  // namespace belay::testing::test_compiled_shapes
