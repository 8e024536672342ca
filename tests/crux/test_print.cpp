// SPDX-License-Identifier: Apache-2.0
// Parts of printing: integers, scalars, names, how long lines are broken, and
// functions that variants share.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "crux/check.h"
#include "crux/compile.h"
#include "crux/ir/refusal.h"
#include "crux/print/compiled.h"
#include "crux/print/integer_text.h"
#include "crux/print/kernel_class.h"
#include "crux/print/names.h"
#include "crux/print/printed_functions.h"
#include "crux/print/scalar_text.h"
#include "crux/print/text.h"
#include "files.h"

namespace belay::crux::print {
namespace {

using ir::Int;

std::string Integer(const Int& value, bool negative = false,
                    bool host = false) {
  std::set<Helper> helpers;
  IntegerContext context;
  context.spell = [](const std::string& name) { return name; };
  context.may_be_negative = [&](const std::string&) { return negative; };
  context.host = host;
  context.helpers = &helpers;
  return TextOf(value, context);
}

TEST(PrintInteger, FewestParentheses) {
  const Int a = Int::Name("a");
  const Int b = Int::Name("b");
  const Int c = Int::Name("c");
  EXPECT_EQ(Integer((a + b) * c), "(a + b) * c");
  EXPECT_EQ(Integer(a * b * c), "a * b * c");
  EXPECT_EQ(Integer(a - (b - c)), "a - (b - c)");
  EXPECT_EQ(Integer(a * FloorDiv(b, c)), "a * (b / c)");
  EXPECT_EQ(Integer(a + Int(-3)), "a - 3");
  EXPECT_EQ(Integer(Int(0) - a), "-a");
}

TEST(PrintInteger, ItemsOfACore) {
  const Int core = Int::Name("block_idx");
  const Int cores = Int::Name("block_num");
  const Int items = Int::Name("items");
  const Int late = Int::Name("late");
  const auto first = [&](const Int& at) {
    return at * FloorDiv(items, cores) + Min(at, Mod(items, cores)) +
           FloorDiv(late * at * (cores - at), cores * 2);
  };
  EXPECT_EQ(Integer(first(core)), "FirstItem(items, 0, late)");
  EXPECT_EQ(Integer(first(core + 1)), "FirstItem(items, 1, late)");
  const Int even = core * FloorDiv(items, cores) + Min(core, Mod(items, cores));
  EXPECT_EQ(Integer(even), "FirstItem(items, 0)");
}

TEST(PrintInteger, DivisionRoundsDown) {
  const Int a = Int::Name("a");
  EXPECT_EQ(Integer(FloorDiv(a, 8)), "a / 8");
  EXPECT_EQ(Integer(Mod(a, 8)), "a % 8");
  EXPECT_EQ(Integer(FloorDiv(a, 8), true), "FloorDiv(a, 8)");
  EXPECT_EQ(Integer(Mod(a, 8), true), "FloorMod(a, 8)");
  EXPECT_EQ(Integer(CeilDiv(a, 8), true), "CeilDiv(a, 8)");
}

TEST(PrintInteger, SumsAndExtremesAreGathered) {
  const Int a = Int::Name("a");
  const Int b = Int::Name("b");
  EXPECT_EQ(Integer(AlignUp(a, 8) + b + AlignUp(a, 8)),
            "AlignUp(a, 8) * 2 + b");
  EXPECT_EQ(Integer(Max(Max(Int(0), a), Max(a, b))), "Max(a, b)");
  EXPECT_EQ(Integer(Max(Max(Int(7), a), b), false, true),
            "std::max<int64_t>({7, a, b})");
}

code::ScalarPtr VariableOf(DType dtype, const std::string& name) {
  code::Scalar scalar;
  scalar.kind = code::ScalarKind::kVariable;
  scalar.dtype = dtype;
  scalar.name = name;
  return std::make_shared<code::Scalar>(scalar);
}

code::Scalar Binary(DType dtype, const std::string& op, code::ScalarPtr a,
                    code::ScalarPtr b) {
  code::Scalar scalar;
  scalar.kind = code::ScalarKind::kBinary;
  scalar.dtype = dtype;
  scalar.op = op;
  scalar.args = {std::move(a), std::move(b)};
  return scalar;
}

code::Scalar Cast(DType to, code::ScalarPtr a) {
  code::Scalar scalar;
  scalar.kind = code::ScalarKind::kCast;
  scalar.dtype = to;
  scalar.args = {std::move(a)};
  return scalar;
}

class PrintScalar : public ::testing::Test {
 protected:
  PrintScalar() {
    integers_.spell = [](const std::string& name) { return name; };
    integers_.may_be_negative = [](const std::string&) { return true; };
    integers_.helpers = &helpers_;
    context_.integers = &integers_;
    context_.variable = [](const std::string& name) { return name; };
  }

  std::set<Helper> helpers_;
  IntegerContext integers_;
  ScalarContext context_;
};

TEST_F(PrintScalar, IntegersWrap) {
  const auto a = VariableOf(DType::kInt32, "a");
  const auto b = VariableOf(DType::kInt32, "b");
  EXPECT_EQ(TextOf(Binary(DType::kInt32, "*", a, b), context_),
            "static_cast<int32_t>(static_cast<uint32_t>(a) * "
            "static_cast<uint32_t>(b))");
  EXPECT_EQ(TextOf(Binary(DType::kInt32, "/", a, b), context_), "a / b");
  const auto x = VariableOf(DType::kFloat, "x");
  EXPECT_EQ(TextOf(Binary(DType::kFloat, "+", x, x), context_), "x + x");
}

TEST_F(PrintScalar, FloatsAndUnsignedMeetThroughSigned) {
  const auto x = VariableOf(DType::kFloat, "x");
  const auto u = VariableOf(DType::kUint64, "u");
  EXPECT_EQ(TextOf(Cast(DType::kUint8, x), context_),
            "static_cast<uint8_t>(static_cast<int64_t>(x))");
  EXPECT_EQ(TextOf(Cast(DType::kFloat, u), context_), "FromUnsigned(u)");
  EXPECT_TRUE(helpers_.contains(Helper::kFromUnsigned));
}

TEST_F(PrintScalar, ArgumentsHaveTheTypeOfTheTensor) {
  code::Scalar half;
  half.real = 0.5;
  EXPECT_EQ(ArgumentOf(half, DType::kFloat, context_), "0.5f");
  EXPECT_EQ(ArgumentOf(half, DType::kHalf, context_),
            "static_cast<half>(0.5f)");
  EXPECT_EQ(ArgumentOf(half, DType::kBfloat16, context_), "ToBfloat16(0.5f)");
}

TEST(PrintNames, KeywordsAndDoublesAreRenamed) {
  Names names;
  EXPECT_EQ(names.Of(NameKind::kVariable, "half"), "half_value");
  EXPECT_EQ(names.Of(NameKind::kVariable, "swish#1.t"), "swish_1_t");
  EXPECT_EQ(names.Of(NameKind::kGlobal, "x"), "x_");
  EXPECT_EQ(names.Of(NameKind::kQueue, "x"), "x_2_");
  EXPECT_EQ(CamelCase("layer_norm"), "LayerNorm");
}

TEST(PrintLayout, LongCallsAreBrokenAsClangFormatDoes) {
  Text text;
  text.Statement(
      "DataCopyPad(x_local, x_[c], DataCopyExtParams{1, "
      "static_cast<uint32_t>(c_size * 2), 0, 0, 0}, "
      "DataCopyPadExtParams<T>{false, 0, 0, 0});");
  text.Statement(
      "const int64_t first_item = GetBlockIdx() * share_of_everybody + "
      "Min(GetBlockIdx(), rest);");
  EXPECT_EQ(Laid(text.lines()),
            "DataCopyPad(x_local, x_[c],\n"
            "            DataCopyExtParams{1, static_cast<uint32_t>(c_size * "
            "2), 0, 0, 0},\n"
            "            DataCopyPadExtParams<T>{false, 0, 0, 0});\n"
            "const int64_t first_item =\n"
            "    GetBlockIdx() * share_of_everybody + Min(GetBlockIdx(), "
            "rest);\n");
}

TEST(PrintLayout, PartsAreLaidAsAllIs) {
  Text text;
  for (int i = 0; i < 5; ++i) {
    text.Declaration("__aicore__ inline void F() {");
    // Short, so that it takes one line.
    text.Statement("if (a) {");
    text.Comment("what is said of b");
    text.Statement("b = c;");
    text.Close();
    text.Close();
    text.Blank();
  }
  for (const size_t most : {1, 2, 3, 5, 100}) {
    const auto parts = PartsToLay(text.lines(), most);
    EXPECT_LE(parts.size(), most);
    EXPECT_GE(parts.size(), std::min<size_t>(most, 5));
    std::string laid;
    for (const auto& part : parts) laid += Laid(part);
    EXPECT_EQ(laid, Laid(text.lines()));
  }
  EXPECT_EQ(PartsToLay({}, 8).size(), 1u);
}

std::string ProjectOf(const std::string& program) {
  const Checked checked = Check("lines", program);
  EXPECT_TRUE(checked.ok());
  Compiled compiled;
  compiled.kernel = checked.program->kernels[0];
  compiled.variants = CompileAll(*compiled.kernel);
  std::string all;
  for (const auto& [path, text] : PrintProject(std::move(compiled))) {
    all += text;
  }
  return all;
}

TEST(PrintHostLines, LongOnesAreNamed) {
  const std::string text = ProjectOf(R"(
@kernel
def parts(x: f32[M, N], y: out(f32[M, N]), part: int = 7):
    lanes = maximum(minimum(N, 512), 1)
    most = maximum(minimum(ceil_div(M * lanes, 32768), 192), 1)
    L = ceil_div(ceil_div(M, most), lanes) * lanes
    if L < M:
        for p in cores(ceil_div(M, L)):
            for r in tiles(p * L, minimum(p * L + L, M), tile=1):
                store(y[r, :], load(x[r, :]) + 1.0)
    else:
        for r in cores(M):
            store(y[r, :], load(x[r, :]) + 1.0)
)");
  EXPECT_NE(text.find("const int64_t lanes = std::max<int64_t>("), text.npos);
  EXPECT_NE(
      text.find("const int64_t L = CeilDiv(CeilDiv(M, most), lanes) * lanes;"),
      text.npos);
  EXPECT_NE(text.find("if (L < M)"), text.npos) << text;
  EXPECT_NE(text.find("tiling->L = L;"), text.npos);
}

// It is worked out before anything is refused.
TEST(PrintHostLines, WhatMayDivideByZeroIsWrittenOut) {
  const std::string text = ProjectOf(R"(
@kernel
def parts(x: f32[M, N], y: out(f32[M, N]), part: int = 7):
    assert part > 0, "parts must have rows"
    most = maximum(minimum(ceil_div(M * N, 32768), 192), 1)
    L = ceil_div(minimum(ceil_div(M, most), 65536 // maximum(N, 1)), part) * part
    if L < M:
        for r in cores(M):
            store(y[r, :], load(x[r, :]) + 1.0)
    else:
        for r in cores(M):
            store(y[r, :], load(x[r, :]) + 2.0)
)");
  EXPECT_EQ(text.find("int64_t L = "), text.npos) << text;
  EXPECT_NE(text.find("std::max<int64_t>(N, 1)), part)"), text.npos) << text;
}

// All that a variant's printed class has.
std::string WholeText(const PrintedClass& printed) {
  std::string text;
  const auto add = [&](const Text& lines) {
    for (const Line& line : lines.lines()) {
      text += std::string(static_cast<size_t>(line.indent), ' ') + line.text;
      text += '\n';
    }
  };
  for (const auto& function : printed.functions) add(*function);
  add(printed.members);
  for (const Helper helper : printed.helpers) {
    text += std::to_string(static_cast<int>(helper)) + "\n";
  }
  for (const std::string& field : printed.fields) text += field + "\n";
  return text;
}

// None of a kernel that has no compiled form.
std::vector<CompiledVariant> VariantsOf(const typed::Kernel& kernel) {
  try {
    return CompileAll(kernel);
  } catch (const ir::Refusal&) {
    return {};
  }
}

TEST(PrintClass, WhatVariantsShareIsWhatEachWouldHave) {
  size_t all = 0;
  size_t printed = 0;
  for (const auto& path : testing::FilesIn("examples/crux", ".crux")) {
    const std::string text = testing::ReadAll(path);
    const Checked checked = Check(path.string(), text);
    const Source source(path.string(), text);
    PrintedFunctions known;
    std::set<std::shared_ptr<const Text>> functions;
    for (const CompiledVariant& variant :
         VariantsOf(*checked.program->kernels[0])) {
      PrintedFunctions nothing;
      const PrintedClass alone =
          PrintClass(*variant.code, "Tiling", "", &source, nothing);
      const PrintedClass shared =
          PrintClass(*variant.code, "Tiling", "", &source, known);
      EXPECT_EQ(WholeText(shared), WholeText(alone)) << path;
      all += shared.functions.size();
      functions.insert(shared.functions.begin(), shared.functions.end());
    }
    printed += functions.size();
  }
  EXPECT_LT(100 * printed, 53 * all) << "most are printed again and again";
}

// With its size, which one of the variants does not know.
TEST(PrintClass, WhereATensorIsIsSaidOnce) {
  const Checked checked = Check(
      "k",
      "@kernel\n"
      "def k(a: f32[1], b: optional(f32[N]), x: f32[M], y: out(f32[K, M]),\n"
      "      s: f32[K]):\n"
      "    for r in cores(K):\n"
      "        t = load(x[:])\n"
      "        if present(b):\n"
      "            t = t + load(a[0])\n"
      "        store(y[r, :], t)\n");
  ASSERT_TRUE(checked.ok());
  Compiled compiled;
  compiled.kernel = checked.program->FindKernel("k");
  compiled.variants = CompileAll(*compiled.kernel);
  const std::string text = PrintSource(compiled);
  const std::string set = "a_.SetGlobalBuffer(";
  const size_t at = text.find(set);
  ASSERT_NE(at, std::string::npos) << text;
  EXPECT_EQ(text.find(set, at + 1), std::string::npos) << text;
  EXPECT_EQ(text.substr(at, text.find('\n', at) - at),
            "a_.SetGlobalBuffer((__gm__ float*)a, 1);");
}

}  // namespace
}  // namespace belay::crux::print
