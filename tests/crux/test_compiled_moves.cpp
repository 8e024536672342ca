// SPDX-License-Identifier: Apache-2.0
// Moves between memories that are put together: rows without gaps, and accesses
// with a step that take all elements between them. Drawn at random, held to the
// interpreter.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "clock/log.h"
#include "clock/sequence.h"
#include "compiled_text.h"
#include "crux/check.h"
#include "crux/run/runner.h"
#include "crux/type.h"

namespace belay::testing::test_compiled_moves {
namespace {

using crux::fuzz::Random;

class CruxCompiledMoves : public CompiledText {
 protected:
  CruxCompiledMoves() {
    const char* given = std::getenv("BELAY_SEED");
    const uint64_t seed =
        given == nullptr ? 20261116 : std::strtoull(given, nullptr, 10);
    fmt::print("BELAY_SEED={}\n", seed);
    random_ = Random(seed);
  }

  int64_t Between(int64_t low, int64_t high) {
    return random_.Between(static_cast<int>(low), static_cast<int>(high));
  }

  // 0, 1, … in any order.
  std::vector<int64_t> AnyOrder(int64_t count) {
    std::vector<int64_t> order(static_cast<size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    for (int64_t i = count - 1; i > 0; --i) {
      std::swap(order[static_cast<size_t>(i)],
                order[static_cast<size_t>(Between(0, i))]);
    }
    return order;
  }
};

// Rows of whole blocks and others, of odd and even numbers of them; more than
// are taken at a time, and a few at the end.
TEST_F(CruxCompiledMoves, RowsOfAnyLength) {
  const std::string text =
      "T = dtype(f16, bf16, f32)\n"
      "@kernel\n"
      "def k(a: T[R, N], b: T[N], y: out(T[R, N]), z: out(f32[R])):\n"
      "    for r in cores(R):\n"
      "        t = load(a[r, :]).to(f32)\n"
      "        m = max(t)\n"
      "        d = (t - m) * 0.5\n"
      "        store(y[r, :], (d + load(b[:]).to(f32)).to(T))\n"
      "        store(z[r], m)\n";
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
    for (int i = 0; i < 24; ++i) {
      const int64_t unit = i % 4 == 3 ? 1 : i % 4 == 2 ? 32 : 8;
      const int64_t columns = unit * Between(1, 2200 / unit);
      const int64_t rows = Between(1, 1 + 60000 / columns);
      Expect(text,
             {Numbers(dtype, {rows, columns}), Numbers(dtype, {columns})});
    }
  }
}

constexpr const char* kRows =
    "T = dtype(f16, bf16, f32)\n"
    "@kernel\n"
    "def k(a: T[R, N], y: out(T[R, N])):\n"
    "    for r in cores(R):\n"
    "        t = load(a[r, :]).to(f32)\n"
    "        store(y[r, :], (t - sum(t) / N).to(T))\n";

// Rows that may be one burst, and others: one, more than are taken at a time,
// and fewer at the end.
TEST_F(CruxCompiledMoves, RowsWithoutGaps) {
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
    for (const int64_t columns : {72, 100, 176, 200, 1000, 1008, 2000, 3024}) {
      for (const int64_t rows : {1, 2, 7, 395}) {
        Expect(kRows, {Numbers(dtype, {rows, columns})});
      }
    }
  }
}

// The most bursts of a move of the call.
uint32_t MostBursts(DType dtype, int64_t rows, int64_t columns) {
  runtime::DeviceOptions options;
  options.record = true;
  crux::run::Runner runner(options);
  const crux::Checked checked = crux::Check("program", kRows);
  crux::interpret::Arguments arguments;
  Random random(20261116);
  arguments.tensors["a"] = {
      {crux::fuzz::RandomArray(random, dtype, {rows, columns})}, false};
  crux::interpret::HostCall call(*checked.program->kernels.front(), arguments,
                                 "program");
  const crux::run::RunResult result = runner.Launch(
      crux::run::Prepare(call, runner.chip()), call, arguments, "program");
  uint32_t most = 0;
  for (const clock::BlockLog& block : result.launch->logs) {
    clock::Sequence::Cursor cursor(block.records);
    clock::Record record;
    while (cursor.Next(record)) {
      if (record.kind != clock::Kind::kMove) continue;
      most = std::max(most, record.move.bursts);
    }
  }
  return most;
}

TEST(CruxBursts, RowsWithoutGapsAreOne) {
  const int64_t rows = 16 * 48 + 3;
  EXPECT_EQ(MostBursts(DType::kFloat, rows, 1000), 1u);
  EXPECT_EQ(MostBursts(DType::kFloat, rows, 1008), 1u);
  EXPECT_EQ(MostBursts(DType::kHalf, rows, 2000), 1u);
  EXPECT_EQ(MostBursts(DType::kBfloat16, rows, 2000), 1u);
  // Not whole blocks; blocks between rows on chip.
  EXPECT_GT(MostBursts(DType::kFloat, rows, 1001), 1u);
  EXPECT_GT(MostBursts(DType::kFloat, rows, 1024), 1u);
}

// Every k-th element of a row, k accesses in any order, as slices, as points of
// a last dimension, with rows inside, and in pieces.
TEST_F(CruxCompiledMoves, StepsThatTakeAll) {
  struct Form {
    const char* sizes;
    const char* loops;
    const char* index;
    bool equal;  // as many elements in each
  };
  const std::vector<Form> forms = {
      {"R, N", "    for r in cores(R):\n", "r, {0}::{1}", false},
      {"R, N, {1}", "    for r in cores(R):\n", "r, :, {0}", true},
      {"R, H, N", "    for r in cores(R):\n", "r, :, {0}::{1}", false},
      {"R, H, N, {1}", "    for r in cores(R):\n", "r, :, :, {0}", true},
      {"R, N",
       "    for r in cores(R):\n"
       "      for c in tiles(N // {1}, tile=auto):\n",
       "r, c * {1} + {0}", true},
      {"N", "    for r in cores(1):\n", "{0}::{1}", false},
  };
  for (const DType dtype : crux::AllDtypes()) {
    for (size_t which = 0; which < 3 * forms.size(); ++which) {
      const Form& form = forms[which % forms.size()];
      const int64_t step = which < forms.size() ? 2 : Between(2, 5);
      const auto filled = [&](const char* pattern, int64_t i) {
        return fmt::format(fmt::runtime(pattern), i, step);
      };
      std::string text =
          fmt::format("@kernel\ndef k(a: {0}[{1}], y: out({0}[{1}])):\n",
                      NameOf(dtype), filled(form.sizes, 0));
      text += filled(form.loops, 0);
      for (const int64_t i : AnyOrder(step)) {
        text += fmt::format("        t{} = load(a[{}])\n", i,
                            filled(form.index, i));
      }
      for (const int64_t i : AnyOrder(step)) {
        const bool meets =
            form.equal && dtype != DType::kBool && random_.Chance(50);
        text += fmt::format(
            "        store(y[{}], {})\n", filled(form.index, i),
            meets ? fmt::format("maximum(t{}, t{})", i, (i + 1) % step)
                  : fmt::format("t{}", i));
      }
      Shape shape;
      const std::string sizes = form.sizes;
      if (sizes.starts_with("R")) shape.push_back(Between(1, 70));
      const bool wide = sizes.find('H') != std::string::npos;
      const int64_t most = wide ? 40 : which % 3 == 2 ? 2800 / step : 150;
      if (wide) shape.push_back(Between(1, 9));
      int64_t length = Between(step, most);
      if (sizes == "R, N" && form.equal) length -= length % step;
      shape.push_back(length);
      if (sizes.ends_with("{1}")) shape.push_back(step);
      Expect(text, {Numbers(dtype, shape)});
    }
  }
}

// What is between them keeps them apart: it reads what one of them stored, or
// one is missing.
TEST_F(CruxCompiledMoves, StepsThatStayApart) {
  const std::string reads =
      "@kernel\n"
      "def k(a: inout(f32[R, N])):\n"
      "    for r in cores(R):\n"
      "        t = load(a[r, 0::2])\n"
      "        store(a[r, 0::2], t + 1.0)\n"
      "        u = load(a[r, 0:1]) + load(a[r, 1::2])\n"
      "        store(a[r, 1::2], u)\n";
  const std::string missing =
      "@kernel\n"
      "def k(a: inout(f32[R, N])):\n"
      "    for r in cores(R):\n"
      "        store(a[r, 0::3], load(a[r, 0::3]) + 1.0)\n"
      "        store(a[r, 1::3], load(a[r, 1::3]) + 2.0)\n";
  for (int i = 0; i < 8; ++i) {
    const Shape shape = {Between(1, 20), Between(3, 200)};
    Expect(reads, {Numbers(DType::kFloat, shape)});
    Expect(missing, {Numbers(DType::kFloat, shape)});
  }
}

// Stores with gaps that nobody fills: what was only loaded, what was computed,
// along the last dimension and another one, and sums; fewer than are spread at
// a time, and more.
TEST_F(CruxCompiledMoves, StoresWithGaps) {
  struct Form {
    const char* result;
    const char* store;
  };
  const std::vector<Form> forms = {
      {"R, 3 * N", "store(y[r, 1::3], t)"},
      {"R, 3 * N + 1", "store(y[r, 1::3], t + t)"},
      {"2 * N, R", "store(y[0::2, r], t)"},
      {"R, 5 * N, 2", "store(y[r, 4::5, 1], t * t)"},
  };
  const std::vector<int64_t> lengths = {1, 9, 256, Between(257, 1100)};
  for (const DType dtype : crux::AllDtypes()) {
    if (dtype == DType::kBool) continue;
    for (const Form& form : forms) {
      for (const int64_t length : lengths) {
        Expect(fmt::format("@kernel\n"
                           "def k(a: {0}[R, N], y: out({0}[{1}])):\n"
                           "    for r in cores(R):\n"
                           "        t = load(a[r, :])\n"
                           "        {2}\n",
                           NameOf(dtype), form.result, form.store),
               {Numbers(dtype, {Between(1, 9), length})});
      }
    }
  }
  for (const DType dtype : {DType::kInt16, DType::kInt32}) {
    for (const int64_t length : lengths) {
      Expect(fmt::format("@kernel\n"
                         "def k(a: {0}[R, N], b: inout({0}[4 * N])):\n"
                         "    for r in cores(R):\n"
                         "        atomic_add(b[2::4], load(a[r, :]))\n",
                         NameOf(dtype)),
             {Numbers(dtype, {Between(1, 9), length}),
              Numbers(dtype, {4 * length})});
    }
  }
}

// A move knows no way back, so that rows go one by one; many of them, so that
// several run at a time. The distance is a constant, a size or an attribute.
TEST_F(CruxCompiledMoves, FromTheLastOneOn) {
  struct Form {
    const char* loops;
    const char* load;
    const char* store;
  };
  const std::vector<Form> forms = {
      {"for r in cores(R):", "a[R - 1 - r, :]", "y[r, :]"},
      {"for r in cores(R):", "a[r, :]", "y[R - 1 - r, :]"},
      {"for r in cores(R):", "a[R - r, :], fill=3", "y[r, :]"},
      {"for r in cores(R):", "a[R - 3 - 2 * r, :], fill=3", "y[r, :]"},
      {"for r in cores(R):", "a[R - 1 - r, N - 1]", "y[r, :]"},
      {"for r in cores(R):", "a[r, :]", "y[(R - 1 - r) * k, :]"},
      {"for c in cores(N):", "a[:, N - 1 - c]", "y[:, c]"},
      {"for c in cores(N):", "a[:, c]", "y[:, N - 1 - c]"},
      {"for c in cores(R * N):", "a.flat[R * N - 1 - c]", "y.flat[c]"},
      {"for c in cores(R * N):", "a.flat[c]", "y.flat[R * N - 1 - c]"},
      {"for r in cores(R):\n        for c in tiles(N, tile=auto):",
       "a[R - 1 - r, c]", "y[r, c]"},
  };
  for (const DType dtype :
       {DType::kInt8, DType::kHalf, DType::kFloat, DType::kInt64}) {
    for (const Form& form : forms) {
      const int64_t rows = Between(1, 3) == 1 ? Between(1, 5) : 130;
      const int64_t columns = Between(1, 3) == 1 ? 1 : Between(2, 90);
      const bool nested =
          std::string_view(form.loops).find('\n') != std::string_view::npos;
      Expect(fmt::format("@kernel\n"
                         "def k(a: {0}[R, N], y: out({0}[R, N]), k: int = 1):\n"
                         "    {1}\n"
                         "    {2}    store({3}, load({4}))\n",
                         NameOf(dtype), form.loops,
                         nested ? "        " : "    ", form.store, form.load),
             {Numbers(dtype, {rows, columns})});
    }
  }
}

// Falling positions of a row, loaded, stored, of a tile, beyond the ends.
TEST_F(CruxCompiledMoves, PositionsThatFall) {
  struct Form {
    const char* rows;  // of each turn
    const char* store;
    const char* value;
  };
  const std::vector<Form> forms = {
      {"r in cores(R)", "b[r, :]", "load(a[r, N - 1 - arange(N)])"},
      {"r in cores(R)", "b[r, N - 1 - arange(N)]", "load(a[r, :])"},
      {"r in cores(R)", "b[r, :]", "load(a[r, :])[N - 1 - arange(N)]"},
      {"r in cores(R)", "b[r, :]", "load(a[r, N + 1 - arange(N)], fill=3)"},
      {"r in cores(R)", "b[r, :]", "load(a[r, -(arange(N) - N + 1)])"},
      {"r in cores(R)", "b[r, N - 1 - arange(N)]", "load(a[r, 0])"},
      {"r in cores(R)", "b[r, H - 1 - arange(H)]",
       "load(a[r, 2 * H - 1 - (arange(H) + arange(H))])"},
      {"c in cores(N, tile=auto)", "b[0, c]", "load(a[0, N - 1 - arange(c)])"},
      {"c in cores(N, tile=auto)", "b[0, N - 1 - arange(c)]", "load(a[0, c])"},
  };
  for (const DType dtype :
       {DType::kInt8, DType::kHalf, DType::kFloat, DType::kInt64}) {
    for (const Form& form : forms) {
      const int64_t rows = Between(1, 3) == 1 ? 0 : Between(1, 130);
      const int64_t columns = Between(1, 3) == 1 ? 1 : Between(2, 900);
      Expect(fmt::format("@kernel\n"
                         "def k(a: {0}[R, N], b: inout({0}[R, N])):\n"
                         "    H = N // 2\n"
                         "    for {1}:\n"
                         "        store({2}, {3})\n",
                         NameOf(dtype), form.rows, form.store, form.value),
             {Numbers(dtype, {std::max<int64_t>(rows, 1), columns}),
              Numbers(dtype, {std::max<int64_t>(rows, 1), columns})});
    }
  }
}

// Elements of a last dimension that a loop takes in turns, and columns put side
// by side.
TEST_F(CruxCompiledMoves, ElementsInTurns) {
  for (const DType dtype :
       {DType::kInt8, DType::kHalf, DType::kFloat, DType::kInt64}) {
    for (const int count : {2, 3, 8, 9}) {
      const Shape shape = {Between(1, 40), Between(1, 300), count};
      Expect(fmt::format("@kernel\n"
                         "def k(a: {0}[R, N, {1}], y: out({0}[R, N, {1}]), "
                         "z: out({0}[{1}, R, N]), w: out({0}[R, N])):\n"
                         "    for r in cores(R):\n"
                         "        most = load(a[r, :, 0])\n"
                         "        for j in range({1}):\n"
                         "            t = load(a[r, :, j])\n"
                         "            store(z[j, r, :], t)\n"
                         "            store(y[r, :, j], most)\n"
                         "            most = maximum(t, most)\n"
                         "        store(w[r, :], most)\n",
                         NameOf(dtype), count),
             {Numbers(dtype, shape)});
      Expect(fmt::format("@kernel\n"
                         "def k(a: {0}[R, N], y: out({0}[R, {1} * N]), "
                         "z: out({0}[R, 3 * N])):\n"
                         "    for r in cores(R):\n"
                         "        t = load(a[r, :])\n"
                         "        u = broadcast(t[:, None], (N, {1}))\n"
                         "        store(y[r, :], reshape(u, ({1} * N,)))\n"
                         "        s = maximum(t, 1)[:, None]\n"
                         "        v = concat((t[:, None], s, s), axis=1)\n"
                         "        store(z[r, :], reshape(v, (3 * N,)))\n",
                         NameOf(dtype), count),
             {Numbers(dtype, {shape[0], shape[1]})});
    }
  }
}

// Rows and pieces of rows that loops of one kernel cut differently.
TEST_F(CruxCompiledMoves, LoopsOverRowsAndTheirPieces) {
  const std::string text =
      "T = dtype(f16, f32)\n"
      "@kernel\n"
      "def k(a: T[R, N], b: T[N], y: out(T[R, N]), z: out(f32[R, N])):\n"
      "    for r in cores(R, tile=auto):\n"
      "        for c in tiles(N, tile=auto):\n"
      "            store(y[r, c], load(a[r, c]) + load(b[c]))\n"
      "    for r in cores(R, tile=auto):\n"
      "        t = load(a[r, :]).to(f32)\n"
      "        store(z[r, :], t - max(t, axis=1, keepdims=True))\n";
  for (const DType dtype : {DType::kHalf, DType::kFloat}) {
    for (const int64_t columns : {1, 63, 2048, 2049, 5000}) {
      const int64_t rows = Between(1, 1 + 100000 / columns);
      Expect(text,
             {Numbers(dtype, {rows, columns}), Numbers(dtype, {columns})});
    }
  }
}

// Kernels of convolutions go backwards over windows that a distance of the
// caller's lies between.
TEST_F(CruxCompiledMoves, WindowsBackwards) {
  for (const char* const position :
       {"c.start + (2 - i) * d", "c.start + 2 * d - i * d"}) {
    Expect(fmt::format("@kernel\n"
                       "def k(a: f32[N], y: out(f32[N]), d: int = 3):\n"
                       "    for c in cores(N, tile=auto):\n"
                       "        t = zeros(f32[c])\n"
                       "        for i in range(3):\n"
                       "            p = {}\n"
                       "            t += load(a[p : p + c.size], fill=0.0)\n"
                       "        store(y[c], t)\n",
                       position),
           {Numbers(DType::kFloat, {Between(1, 3000)})});
  }
}

}  // namespace
}  // namespace belay::testing::test_compiled_moves
