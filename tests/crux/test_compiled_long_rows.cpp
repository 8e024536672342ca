// SPDX-License-Identifier: Apache-2.0
// Rows so long that few of them fit on chip, or one, compiled: with fewer
// slots, they are still read once (select/host_slots.h).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>

#include "base/error.h"
#include "compiled_text.h"
#include "crux/check.h"
#include "crux/run/runner.h"
#include "crux/type.h"
#include "files.h"

namespace belay::testing::test_compiled_long_rows {
namespace {

using CruxCompiledLongRows = CompiledText;

// Rows so long that few fit: what is left of memory may or may not hold one
// more (select/count_memory.h), queues lose their second slots
// (select/host_slots.h), and a slot serves squares that are larger.
TEST_F(CruxCompiledLongRows, RowsThatFillMemory) {
  const std::map<DType, std::vector<int64_t>> lengths = {
      {DType::kHalf, {3000, 4096, 5500, 7000, 8192, 9000, 10240, 12288, 13500}},
      {DType::kFloat, {2048, 4096, 5500, 7000, 8192, 10240, 12288, 15500}}};
  for (const auto& [dtype, each] : lengths) {
    for (const char* const d : {"t", "t - sum(t) / N"}) {
      const std::string text = fmt::format(
          "@kernel\n"
          "def k(a: {0}[R, N], b: {0}[N], y: out({0}[R, N]), z: out(f32[R])):\n"
          "    for r in cores(R):\n"
          "        t = load(a[r, :]).to(f32)\n"
          "        d = {1}\n"
          "        s = rsqrt(sum(d * d) / N + 0.25)\n"
          "        store(y[r, :], (d * s * load(b[:]).to(f32)).to({0}))\n"
          "        store(z[r], s)\n",
          NameOf(dtype), d);
      for (const int64_t length : each) {
        Expect(text, {Numbers(dtype, {100, length}), Numbers(dtype, {length})});
      }
    }
  }
}

// Two rows that all meet go through the slots of these, one after the other, of
// which there may be one or two (select/queues.h).
TEST_F(CruxCompiledLongRows, RowsThroughSlotsOfOthers) {
  for (const DType dtype : {DType::kHalf, DType::kBfloat16}) {
    const std::string text = fmt::format(
        "@kernel\n"
        "def k(a: {0}[R, N], b: {0}[N], c: {0}[N], y: out({0}[R, N])):\n"
        "    for r in cores(R):\n"
        "        t = load(a[r, :]).to(f32)\n"
        "        d = t * rsqrt(sum(t * t) / N + 0.25)\n"
        "        z = d * load(b[:]).to(f32) + load(c[:]).to(f32)\n"
        "        store(y[r, :], z.to({0}))\n",
        NameOf(dtype));
    for (const int64_t length : {1, 100, 1000, 4096, 7168, 10240, 11000}) {
      Expect(text, {Numbers(dtype, {100, length}), Numbers(dtype, {length}),
                    Numbers(dtype, {length})});
    }
  }
}

// Bytes of queues and buffers for one row at a time, term by term.
int64_t BytesForRow(const crux::code::Kernel& code, int64_t length, int64_t in,
                    int64_t out) {
  const std::map<std::string, int64_t> known = {
      {"N", length}, {"r_rows", 1}, {"slots_in", in}, {"slots_out", out}};
  const crux::ir::Lookup lookup = [&](const std::string& name, int64_t) {
    if (const auto found = known.find(name); found != known.end()) {
      return found->second;
    }
    for (const crux::ir::HostValue& value : code.tiles->host) {
      if (value.name == name) return Evaluate(value.formula, lookup);
    }
    throw InternalError("no " + name);
  };
  int64_t bytes = 0;
  for (const crux::code::Queue& queue : code.queues) {
    bytes += Evaluate(queue.bytes, lookup) * Evaluate(queue.slots, lookup);
  }
  for (const crux::code::Buffer& buffer : code.buffers) {
    bytes += Evaluate(buffer.bytes, lookup);
  }
  return bytes;
}

// A row that fits with two slots for all queues, with two for what is loaded,
// or with one, is read once.
TEST_F(CruxCompiledLongRows, SlotsByLengthOfRows) {
  const crux::Checked checked =
      crux::Check("program",
                  "@kernel\n"
                  "def k(a: f32[M, N], y: out(f32[M, N])):\n"
                  "    if fits():\n"
                  "        for r in cores(M):\n"
                  "            t = load(a[r, :])\n"
                  "            e = exp(t - max(t))\n"
                  "            store(y[r, :], e * (1.0 / sum(e)))\n"
                  "    else:\n"
                  "        for r in cores(M):\n"
                  "            for c in tiles(N, tile=auto):\n"
                  "                store(y[r, c], load(a[r, c]))\n");
  ASSERT_TRUE(checked.ok());
  const crux::typed::Kernel& kernel = *checked.program->kernels.front();
  const auto prepare = [&](int64_t length) {
    crux::interpret::Arguments arguments;
    arguments.tensors["a"].arrays = {{DType::kFloat, {999, length}, {}}};
    crux::interpret::HostCall call(kernel, arguments, "program");
    return crux::run::Prepare(call, runner_.chip());
  };
  const crux::run::Prepared usual = prepare(1000);
  const auto room =
      static_cast<int64_t>(runner_.chip().BytesOf(abi::Memory::kUb));
  std::map<std::pair<int64_t, int64_t>, int> times;
  for (int i = 0; i < 150; ++i) {
    const int64_t length = random_.Between(65, 30000);
    std::pair<int64_t, int64_t> wanted = {0, 0};
    for (const auto& [in, out] : {std::pair(1, 1), {2, 1}, {2, 2}}) {
      if (BytesForRow(*usual.variant.code, length, in, out) <= room) {
        wanted = {in, out};
      }
    }
    ++times[wanted];
    const crux::run::Prepared prepared = prepare(length);
    ASSERT_EQ(prepared.variant.fits.back().second, wanted.first > 0) << length;
    if (wanted.first == 0) continue;
    const auto& integers = prepared.plan.host.integers;
    EXPECT_EQ(integers.at("slots_in"), wanted.first) << length;
    EXPECT_EQ(integers.at("slots_out"), wanted.second) << length;
    EXPECT_LE(prepared.plan.ub_bytes, room) << length;
  }
  EXPECT_EQ(times.size(), 4u);
}

// Norms of the lengths that models have take rows that stay on chip.
TEST_F(CruxCompiledLongRows, LongRowsAreReadOnce) {
  struct Call {
    std::string kernel;
    std::vector<std::string> rows;
    std::vector<std::string> numbers;  // one row for all
    DType dtype;
    int64_t length;
  };
  const std::vector<Call> calls = {
      {"softmax", {"x"}, {}, DType::kFloat, 16384},
      {"rms_norm", {"x"}, {"gamma"}, DType::kFloat, 12288},
      {"rms_norm", {"x"}, {"gamma"}, DType::kHalf, 12288},
      {"layer_norm", {"x"}, {"gamma", "beta"}, DType::kFloat, 10240},
      {"layer_norm", {"x"}, {"gamma", "beta"}, DType::kHalf, 9216},
      {"add_layer_norm", {"x1", "x2"}, {"gamma", "beta"}, DType::kFloat, 8192},
      {"add_layer_norm", {"x1", "x2"}, {"gamma", "beta"}, DType::kHalf, 8192},
  };
  for (const Call& one : calls) {
    const auto path = InSourceTree("examples/crux/" + one.kernel + ".crux");
    const crux::Checked checked = crux::Check(one.kernel, ReadAll(path));
    ASSERT_TRUE(checked.ok());
    crux::interpret::Arguments arguments;
    for (const std::string& name : one.rows) {
      arguments.tensors[name].arrays = {{one.dtype, {999, one.length}, {}}};
    }
    for (const std::string& name : one.numbers) {
      arguments.tensors[name].arrays = {{one.dtype, {one.length}, {}}};
    }
    crux::interpret::HostCall call(*checked.program->kernels.front(), arguments,
                                   one.kernel);
    const crux::run::Prepared prepared =
        crux::run::Prepare(call, runner_.chip());
    EXPECT_TRUE(prepared.variant.fits.back().second)
        << one.kernel << " " << NameOf(one.dtype) << " " << one.length;
  }
}

// Groups of long rows, between which a number is loaded, and two rows for each
// result: with two slots for all, for what is loaded, and with one.
TEST_F(CruxCompiledLongRows, LongRowsOfGroups) {
  const std::string text =
      "@kernel\n"
      "def k(a: f32[N, G, P], b: f32[N, G, P], c: f32[G],\n"
      "      y: out(f32[N, G, P])):\n"
      "    for g in cores(G):\n"
      "        f = load(c[g])\n"
      "        for n in cores(N):\n"
      "            t = load(a[n, g, :]) + f * load(b[n, g, :])\n"
      "            d = t - sum(t) / P\n"
      "            s = rsqrt(sum(d * d) / P + 0.25)\n"
      "            store(y[n, g, :], d * s)\n";
  for (const int64_t length : {6000, 8192, 9000, 11000, 12288, 16000}) {
    for (const auto& [rows, groups] : {std::pair(5, 31), {31, 5}, {1, 1}}) {
      Expect(text, {Numbers(DType::kFloat, {rows, groups, length}),
                    Numbers(DType::kFloat, {rows, groups, length}),
                    Numbers(DType::kFloat, {groups})});
    }
  }
}

}  // namespace
}  // namespace belay::testing::test_compiled_long_rows
