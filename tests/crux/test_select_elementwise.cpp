// SPDX-License-Identifier: Apache-2.0
// Which instructions elementwise statements become: as few as can be.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "call.h"
#include "compiled_case.h"
#include "crux/check.h"

namespace belay::testing::test_select_elementwise {
namespace {

namespace code = crux::code;

void Collect(const code::Kernel& kernel, const code::Block& block,
             std::string& calls) {
  for (const auto& stmt : block) {
    if (stmt->kind == code::StmtKind::kCall &&
        !stmt->function.starts_with("DataCopy")) {
      calls += (calls.empty() ? "" : " ") + stmt->function;
    }
    if (stmt->kind == code::StmtKind::kSetValue) calls += " SetValue";
    if (stmt->kind == code::StmtKind::kInvoke) {
      for (const code::Function& function : kernel.functions) {
        if (function.name == stmt->function) {
          Collect(kernel, function.body, calls);
        }
      }
    }
    Collect(kernel, stmt->body, calls);
    Collect(kernel, stmt->otherwise, calls);
  }
}

class CruxSelect : public ::testing::Test {
 protected:
  // The calls of the compiled kernel in order, moves to and from memory left
  // out.
  std::string CallsOf(const std::string& text,
                      const std::vector<std::string>& arguments) {
    const crux::Checked checked = crux::Check("program", text);
    EXPECT_TRUE(checked.ok()) << text;
    const crux::typed::Kernel& kernel = *checked.program->kernels.front();
    crux::interpret::Arguments given;
    for (const std::string& argument : arguments) {
      AddArgument(kernel, argument, given);
    }
    crux::interpret::HostCall call(kernel, given, "program");
    const crux::run::Prepared prepared =
        crux::run::Prepare(call, runner_.chip());
    std::string calls;
    Collect(*prepared.variant.code,
            prepared.variant.code->functions.back().body, calls);
    return calls;
  }

  // Of y = expression, a and b of one dtype.
  std::string CallsOf(const std::string& dtype, const std::string& result,
                      const std::string& expression) {
    return CallsOf(
        fmt::format("@kernel\n"
                    "def k(a: {0}[N], b: {0}[N], y: out({1}[N])):\n"
                    "    for c in cores(N, tile=auto):\n"
                    "        ta = load(a[c])\n"
                    "        tb = load(b[c])\n"
                    "        store(y[c], {2})\n",
                    dtype, result, expression),
        {fmt::format("a={}[1000]", dtype), fmt::format("b={}[1000]", dtype)});
  }

  crux::run::Runner runner_{CheckedDevice()};
};

TEST_F(CruxSelect, Arithmetic) {
  EXPECT_EQ(CallsOf("f32", "f32", "ta / (1.0 + exp(-0.5 * tb))"),
            "Muls Exp Adds Div");
  EXPECT_EQ(CallsOf("f32", "f32", "maximum(ta - 1.0, 0.0) * tb"),
            "Adds Maxs Mul");
  EXPECT_EQ(CallsOf("f32", "f32", "1.0 - ta"),
            "Duplicate SetMaskCount SetVectorMask Sub SetMaskNorm ResetMask");
  EXPECT_EQ(CallsOf("f32", "f32", "ta / 4.0"), "Muls");
  EXPECT_EQ(CallsOf("f32", "f32", "ta / 3.0"),
            "Duplicate SetMaskCount SetVectorMask Div SetMaskNorm ResetMask");
  EXPECT_EQ(CallsOf("f32", "f32", "floor(ta)"), "Cast");
  EXPECT_EQ(CallsOf("f32", "f32", "sin(ta)"), "Sin");
}

TEST_F(CruxSelect, ShortFloatsGoThroughSingleOnes) {
  EXPECT_EQ(CallsOf("f16", "f16", "ta + tb"), "Add");
  EXPECT_EQ(CallsOf("f16", "f16", "exp(ta)"), "Cast Exp Cast");
  EXPECT_EQ(CallsOf("bf16", "bf16", "ta + tb"), "Cast Cast Add Cast");
  // One tile is widened once.
  EXPECT_EQ(CallsOf("bf16", "bf16", "maximum(ta, ta * 2.0)"),
            "Cast Muls Cast Cast Max Cast");
}

TEST_F(CruxSelect, ConditionsServeAsBits) {
  EXPECT_EQ(CallsOf("f32", "f32", "where(ta < tb, ta, tb)"), "Compare Select");
  EXPECT_EQ(CallsOf("f32", "f32", "where(ta > 0.0, tb, 0.0)"),
            "CompareScalar Select");
  EXPECT_EQ(CallsOf("f32", "f32", "where(ta > 0.0, 0.0, tb)"),
            "CompareScalar Not Select");
  EXPECT_EQ(CallsOf("f32", "bool", "ta < tb"), "Compare Duplicate Select Cast");
  // Order of i32 is exact: the chip knows equality only.
  EXPECT_EQ(CallsOf("i32", "i32", "where(ta < tb, ta, tb)"),
            "Max Compare Select");
}

TEST_F(CruxSelect, Integers) {
  EXPECT_EQ(CallsOf("i32", "i32", "ta * tb + 1"), "Mul Adds");
  EXPECT_EQ(CallsOf("u32", "u32", "ta + tb"), "Add");
  EXPECT_EQ(CallsOf("i32", "i32", "ta // 8"), "ShiftRight");
  EXPECT_EQ(CallsOf("i32", "i32", "ta % 8"), "ShiftRight ShiftLeft Sub");
  EXPECT_EQ(CallsOf("i64", "i64", "ta & tb"), "And");
  EXPECT_EQ(CallsOf("i64", "i64", "ta + tb"), " SetValue");
}

TEST_F(CruxSelect, ColumnsAreSpreadOnce) {
  EXPECT_EQ(CallsOf("@kernel\n"
                    "def k(a: f32[R, 64], s: f32[R], y: out(f32[R, 64])):\n"
                    "    for r in cores(R):\n"
                    "        store(y[r, :], load(a[r, :]) - load(s[r]))\n",
                    {"a=f32[100,64]", "s=f32[100]"}),
            "Brcb Sub Sub Sub SetMaskCount SetVectorMask Sub SetMaskNorm "
            "ResetMask");
}

// Events are left for one slot of each number of a row. The products lie there
// at once, so that what is added to them needs no instruction of its own.
TEST_F(CruxSelect, NumbersOfRowsAreMadeInTheOnlySlot) {
  const std::string calls =
      CallsOf("@kernel\n"
              "def k(x: f32[R, 4096], m: inout(f32[R]), v: inout(f32[R]),\n"
              "      y: out(f32[R, 4096]), a: out(f32[R]), b: out(f32[R])):\n"
              "    for r in cores(R):\n"
              "        t = load(x[r, :])\n"
              "        s = sum(t)\n"
              "        d = t - s\n"
              "        q = sum(d * d)\n"
              "        store(m[r], s * 0.25 + load(m[r]) * 0.75)\n"
              "        store(v[r], q * 0.25 + load(v[r]) * 0.75)\n"
              "        store(y[r, :], d * q)\n"
              "        store(a[r], s)\n"
              "        store(b[r], q)\n",
              {"x=f32[100,4096]", "m=f32[100]", "v=f32[100]"});
  EXPECT_NE(calls.find("Muls Axpy Muls Axpy"), std::string::npos) << calls;
}

}  // namespace
}  // namespace belay::testing::test_select_elementwise
