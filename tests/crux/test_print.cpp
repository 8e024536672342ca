// SPDX-License-Identifier: Apache-2.0
// Parts of printing: integers, scalars, names, how long lines are broken, and
// functions that variants share.

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "crux/check.h"
#include "crux/compile.h"
#include "crux/ir/refusal.h"
#include "crux/print/compiled.h"
#include "crux/print/copy_functions.h"
#include "crux/print/drop_aliases.h"
#include "crux/print/integer_text.h"
#include "crux/print/kernel_class.h"
#include "crux/print/named_products.h"
#include "crux/print/names.h"
#include "crux/print/printed_functions.h"
#include "crux/print/scalar_text.h"
#include "crux/print/settle_parameters.h"
#include "crux/print/text.h"
#include "crux/print/tiling_sums.h"
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

// Of statements in a function of a class.
std::vector<std::string> WithoutAliases(
    const std::vector<std::string>& statements) {
  Text text;
  text.Declaration("class Kernel {");
  text.Declaration("__aicore__ inline void Compute() {");
  for (const std::string& statement : statements) {
    if (statement == "}") {
      text.Close();
    } else {
      text.Statement(statement);
    }
  }
  text.Close();
  text.Close("};");
  DropAliases(text);
  std::vector<std::string> left;
  for (const Line& line : text.lines()) left.push_back(line.text);
  return {left.begin() + 2, left.end() - 2};
}

TEST(DropAliases, OnePlaceHasOneName) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(WithoutAliases({"LocalTensor<float> t = t_buffer_.Get<float>();",
                            "if (0 < n) {",
                            "LocalTensor<float> e = t_buffer_.Get<float>();",
                            "Exp(e, t, tiling_->e);", "}"}),
            (Lines{"LocalTensor<float> t = t_buffer_.Get<float>();",
                   "if (0 < n) {", "Exp(t, t, tiling_->e);", "}"}));
}

TEST(DropAliases, OtherPlacesAndChangedNamesStay) {
  const std::vector<std::vector<std::string>> kept = {
      // Another place, another type, a place that a variable says.
      {"LocalTensor<float> t = work_.Get<float>();",
       "LocalTensor<float> u = work_.Get<float>()[64];",
       "LocalTensor<half> v = work_.Get<half>();"},
      {"LocalTensor<float> t = work_.Get<float>()[row];",
       "LocalTensor<float> u = work_.Get<float>()[row];"},
      // The first name is given another tensor, or is out of scope.
      {"LocalTensor<float> t = work_.Get<float>();",
       "LocalTensor<float> u = work_.Get<float>();", "t = x;", "Exp(u, t, 8);"},
      {"if (0 < n) {", "LocalTensor<float> t = work_.Get<float>();",
       "Exp(t, t, 8);", "}", "LocalTensor<float> u = work_.Get<float>();",
       "Exp(u, u, 8);"},
  };
  for (const auto& statements : kept) {
    EXPECT_EQ(WithoutAliases(statements), statements);
  }
}

TEST(DropAliases, WhatIsCalledAsItsBufferAndUsedOnceIsNotNamed) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(WithoutAliases(
                {"LocalTensor<float> constant2 = constants_.Get<float>()[64];",
                 "Duplicate(constant2, 1.0f, 64);"}),
            (Lines{"Duplicate(constants_.Get<float>()[64], 1.0f, 64);"}));
  // Two, of which each by itself would take no line away.
  EXPECT_EQ(WithoutAliases(
                {"LocalTensor<float> constant = constants_.Get<float>();",
                 "LocalTensor<float> constant2 = constants_.Get<float>()[64];",
                 "FusedMulAdd(sum_of_squares, constant2, constant, 64, repeats,"
                 " BinaryRepeatParams(1, 0, 0, 8, 0, 0));"}),
            (Lines{"FusedMulAdd(sum_of_squares, constants_.Get<float>()[64], "
                   "constants_.Get<float>(), 64, repeats, "
                   "BinaryRepeatParams(1, 0, 0, 8, 0, 0));"}));
  const std::vector<Lines> kept = {
      // Another name, used twice, used in a loop.
      {"LocalTensor<float> mu = squares_buffer_.Get<float>();",
       "Sqrt(t, mu, 64);"},
      {"LocalTensor<float> mu = mu_buffer_.Get<float>();", "Sqrt(mu, mu, 64);"},
      {"LocalTensor<float> mu = mu_buffer_.Get<float>();",
       "for (int64_t i = 0; i < n; ++i) {", "Sqrt(t, mu, 64);", "}"},
      // It would take one line more.
      {"LocalTensor<float> mu = mu_buffer_.Get<float>();",
       "FusedMulAdd(t, constants_.Get<float>()[64], mu, tiling_->r_rows_a);"},
  };
  for (const Lines& statements : kept) {
    EXPECT_EQ(WithoutAliases(statements), statements);
  }
}

TEST(DropAliases, PartsThatAreUsedOnceAreNotNamed) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(WithoutAliases({"LocalTensor<float> some = dst[first];",
                            "SumRows(some, part, 8);"}),
            (Lines{"SumRows(dst[first], part, 8);"}));
  EXPECT_EQ(WithoutAliases({"LocalTensor<int32_t> bits = "
                            "x.template ReinterpretCast<int32_t>();",
                            "Adds(y, y, 1, 8);", "Duplicate(bits, 0, 8);"}),
            (Lines{"Adds(y, y, 1, 8);",
                   "Duplicate(x.template ReinterpretCast<int32_t>(), 0, 8);"}));
  const std::vector<Lines> kept = {
      // Where it lies has changed by then.
      {"LocalTensor<float> some = dst[first];", "first += 8;",
       "SumRows(some, part, 8);"},
      {"LocalTensor<float> some = dst[first];", "dst = other;",
       "SumRows(some, part, 8);"},
      // A slot of a queue, one of two.
      {"LocalTensor<float> some = queue_.AllocTensor<float>();",
       "SumRows(some, part, 8);"},
      {"LocalTensor<float> some = kIsFloat ? x : y[first];",
       "SumRows(some, part, 8);"},
  };
  for (const Lines& statements : kept) {
    EXPECT_EQ(WithoutAliases(statements), statements);
  }
}

// A class that loads x, y, … one after the other, `params` of each; the last
// tensor is used behind.
ClassGroup Loading(const std::vector<std::string>& tensors,
                   const std::string& params = "1, r * kSize, 0, 0, 0") {
  ClassGroup group;
  group.text.Statement("if (n) {");
  for (const std::string& x : tensors) {
    group.text.Statement("LocalTensor<T> " + x + " = " + x +
                         "_queue_.AllocTensor<T>();");
    group.text.Statement("DataCopyPad(" + x + ", " + x +
                         "_[r], DataCopyExtParams(" + params +
                         "), DataCopyPadExtParams<T>());");
    group.text.Statement(x + "_queue_.EnQue(" + x + ");");
  }
  group.text.Statement("Use(" + tensors.back() + ");");
  group.text.Close();
  return group;
}

TEST(CopyFunctions, ManyLoadsAreCalls) {
  std::vector<ClassGroup> groups = {Loading({"a", "b", "c", "d", "e"})};
  const Text functions = TakeCopies(typed::Kernel(), groups);
  ASSERT_FALSE(functions.empty());
  EXPECT_EQ(Laid(groups[0].text.lines()),
            "if (n) {\n"
            "  LoadInto(a_queue_, a_[r], r);\n"
            "  LoadInto(b_queue_, b_[r], r);\n"
            "  LoadInto(c_queue_, c_[r], r);\n"
            "  LoadInto(d_queue_, d_[r], r);\n"
            "  LocalTensor<T> e = LoadInto(e_queue_, e_[r], r);\n"
            "  Use(e);\n"
            "}\n");
  const std::string definition = Laid(functions.lines());
  EXPECT_NE(definition.find("LocalTensor<T> LoadInto("), std::string::npos);
  EXPECT_NE(definition.find("  return local;\n}"), std::string::npos);
}

TEST(CopyFunctions, RunsAreArgumentsWhereThereAreAny) {
  const auto first_line = [](const std::string& params) {
    std::vector<ClassGroup> groups = {
        Loading({"a", "b", "c", "d", "e", "f", "g"}, params)};
    TakeCopies(typed::Kernel(), groups);
    return groups[0].text.lines()[1].text;
  };
  EXPECT_EQ(first_line("n, (r + 1) * kSize, 0, 0, 0"),
            "LoadInto(a_queue_, a_[r], (r + 1), n);");
  EXPECT_EQ(first_line("n, r * m * kSize, 0, gap, 0"),
            "LoadInto(a_queue_, a_[r], r * m, n, 0, gap);");
  // What is no number of elements for sure stays as it is.
  for (const char* const params :
       {"1, r, 0, 0, 0", "1, r * 4, 0, 0, 0", "1, n + r * kSize, 0, 0, 0",
        "1, r * kSize, 0, 0, 1"}) {
    EXPECT_EQ(first_line(params),
              "LocalTensor<T> a = a_queue_.AllocTensor<T>();");
  }
}

TEST(CopyFunctions, FewLoadsStay) {
  std::vector<ClassGroup> groups = {Loading({"a", "b"})};
  const std::string before = Laid(groups[0].text.lines());
  EXPECT_TRUE(TakeCopies(typed::Kernel(), groups).empty());
  EXPECT_EQ(Laid(groups[0].text.lines()), before);
}

// Init of a class with buffers of so many bytes.
std::string InitOf(const std::vector<std::string>& bytes,
                   const std::string& other = "") {
  Text text;
  text.Declaration("class C {");
  text.Comment("One tile.");
  text.Declaration("__aicore__ inline void Init(TPipe* pipe) {");
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i == 0) text.Statement("if constexpr (kIsFloat) {");
    text.Statement("pipe->InitBuffer(a_rather_long_name_buffer_, " + bytes[i] +
                   ");");
    if (i == 0) text.Close();
  }
  text.Close();
  if (!other.empty()) text.Declaration(other);
  text.Close("};");
  NameProducts(text);
  return Laid(text.lines());
}

TEST(NamedProducts, AreSaidOnceWhereThatTakesLinesAway) {
  const std::string product = "tiling_->N_pitch * tiling_->r_rows";
  const std::string aligned = "AlignUp(" + product + " * 4, 512)";
  const std::string named =
      InitOf({aligned, "AlignUp(" + product + " * kSize, 512)", aligned});
  EXPECT_NE(named.find("{\n    const int64_t tile = " + product +
                       ";\n"
                       "    if constexpr (kIsFloat) {\n"),
            std::string::npos)
      << named;
  EXPECT_NE(named.find("AlignUp(tile * kSize, 512)"), std::string::npos);
  EXPECT_EQ(named.find(product + " *"), std::string::npos);
  // Another name where that is taken; none for one buffer.
  EXPECT_NE(InitOf({aligned, aligned, aligned}, "int tile;").find("tile2 * 4"),
            std::string::npos);
  EXPECT_EQ(InitOf({aligned}).find("tile *"), std::string::npos);
  // What is divided or subtracted is no product of its own.
  for (const std::string before : {"n / ", "n - ", "n % "}) {
    const std::string bytes =
        "AlignUp(" + before + product + " * 4, 512) + AlignUp(k, 512)";
    EXPECT_EQ(InitOf({bytes, bytes, bytes}).find("tile *"), std::string::npos)
        << before;
  }
}

TEST(NamedProducts, SizesThatSeveralBuffersHaveAreSaidOnce) {
  const std::string bytes = "AlignUp(tiling_->c_tile * kSize, 512)";
  const std::string words = "AlignUp(tiling_->c_tile * 4, 512)";
  const std::string named = InitOf({bytes, bytes, words});
  EXPECT_NE(named.find("    const int64_t c_bytes = " + bytes +
                       ";\n"
                       "    if constexpr (kIsFloat) {\n"),
            std::string::npos)
      << named;
  EXPECT_NE(named.find("buffer_, c_bytes);"), std::string::npos);
  EXPECT_NE(named.find(words + ");"), std::string::npos);
  EXPECT_NE(InitOf({words, words}).find("buffer_, c_bytes4);"),
            std::string::npos);
  // A name that is taken; one buffer; more than the size.
  for (const std::string& kept :
       {InitOf({bytes, bytes}, "int c_bytes;"), InitOf({bytes}),
        InitOf({bytes + " + 256", bytes + " + 256"})}) {
    EXPECT_EQ(kept.find("buffer_, c_bytes"), std::string::npos) << kept;
  }
}

TEST(TilingSums, ASumOfSeveralBlocksStandsInFrontOfThem) {
  const std::vector<std::string> sum = {"int64_t moved = tiling->M * N;",
                                        "moved += N * 4;"};
  const auto block = [&](const std::string& before) {
    Text text;
    if (!before.empty()) text.Statement(before);
    for (const std::string& line : sum) text.Statement(line);
    text.Statement("tiling->past_l2 = 9 < moved;");
    return text;
  };
  Text front;
  front.Statement("tiling->M = Product(B);");
  Text one = block("tiling->late = 0;");
  Text other = block("");
  Text without;
  EXPECT_EQ(TakeSum(front, {&one, &without, &other}), sum);
  EXPECT_EQ(Laid(one.lines()),
            "tiling->late = 0;\ntiling->past_l2 = 9 < moved;\n");
  EXPECT_EQ(Laid(other.lines()), "tiling->past_l2 = 9 < moved;\n");
  // Of one block, of what is not there yet, in other words, and one that is
  // added to under a condition.
  const Text whole = block("");
  other = whole;
  EXPECT_TRUE(TakeSum(front, {&other, &without}).empty());
  Text same = whole;
  EXPECT_TRUE(TakeSum(without, {&other, &same}).empty());
  same.mutable_lines()[1].text = "moved += N * 8;";
  EXPECT_TRUE(TakeSum(front, {&other, &same}).empty());
  Text one_own = block("const int64_t N = 8;");
  Text other_own = one_own;
  EXPECT_TRUE(TakeSum(front, {&one_own, &other_own}).empty());
  front.Statement("const int64_t N = 8;");
  EXPECT_EQ(TakeSum(front, {&one_own, &other_own}), sum);
  const auto more = [&] {
    Text text = whole;
    text.Statement("if (has_beta) {");
    text.Statement("moved += N;");
    text.Close();
    return text;
  };
  Text one_more = more();
  Text other_more = more();
  EXPECT_TRUE(TakeSum(front, {&one_more, &other_more}).empty());
  EXPECT_EQ(Laid(other.lines()), Laid(whole.lines()));
}

// Of statements; "}" closes.
std::string WithSumsShort(const std::vector<std::string>& statements) {
  Text text;
  for (const std::string& statement : statements) {
    if (statement == "}" || statement == "};") {
      text.Close(statement);
    } else {
      text.Statement(statement);
    }
  }
  return Laid(WithShortSums(text).lines());
}

TEST(TilingSums, TermsThatAreAddedAgainAreProducts) {
  EXPECT_EQ(WithSumsShort({"int64_t moved = M * N;", "moved += M * N;",
                           "moved += N + 1;", "moved += N + 1;"}),
            "int64_t moved = M * N * 2;\nmoved += (N + 1) * 2;\n");
  EXPECT_EQ(WithSumsShort({"const auto bytes = [&](int64_t r) {",
                           "int64_t total = 8;", "total += r * 4;",
                           "return total;", "};"}),
            "const auto bytes = [&](int64_t r) { return r * 4 + 8; };\n");
}

// A kernel whose function "Rows(dst, rows, pitch, step)" is called with these.
std::shared_ptr<const code::Kernel> CallsRows(
    const std::vector<std::vector<Int>>& calls) {
  const auto statement = [](code::StmtKind kind, const std::string& function) {
    auto stmt = std::make_shared<code::Stmt>();
    stmt->kind = kind;
    stmt->function = function;
    return stmt;
  };
  auto kernel = std::make_shared<code::Kernel>();
  code::Function rows;
  rows.name = "Rows";
  rows.parameters = {"rows", "pitch", "step"};
  rows.tensors = {{"dst", DType::kFloat}};
  auto choice = statement(code::StmtKind::kIf, "");
  choice->value = Less(0, Int::Name("step"));
  auto exp = statement(code::StmtKind::kCall, "Exp");
  exp->args = {code::Local{"dst", 0}, code::Local{"dst", Int::Name("pitch")},
               Int::Name("rows") * Int::Name("step")};
  choice->body = {exp};
  rows.body = {choice};
  code::Function process;
  process.name = "Process";
  for (const std::vector<Int>& arguments : calls) {
    auto call = statement(code::StmtKind::kInvoke, "Rows");
    call->tensors = {"x"};
    call->arguments = arguments;
    process.body.push_back(call);
  }
  kernel->functions = {rows, process};
  return kernel;
}

TEST(SettleParameters, WhatAllCallsAgreeOnIsNoParameter) {
  const Int n = Int::Name("n");
  const Int m = Int::Name("m");
  // `pitch` is `rows` and `step` is 1 in all calls of both.
  const std::vector<std::shared_ptr<const code::Kernel>> kernels = {
      CallsRows({{n, n, 1}, {n + 8, n + 8, 1}}), CallsRows({{m, m, 1}})};
  const auto codes = SettleParameters(kernels);
  ASSERT_EQ(codes.size(), 2u);
  for (size_t i = 0; i < codes.size(); ++i) {
    const code::Function& rows = codes[i]->functions[0];
    EXPECT_EQ(rows.parameters, std::vector<std::string>{"rows"});
    ASSERT_EQ(rows.body.size(), 1u);
    ASSERT_EQ(rows.body[0]->kind, code::StmtKind::kCall);
    EXPECT_EQ(ToText(std::get<Int>(rows.body[0]->args[2])), "rows");
    EXPECT_EQ(ToText(std::get<code::Local>(rows.body[0]->args[1]).offset),
              "rows");
    for (const auto& call : codes[i]->functions[1].body) {
      EXPECT_EQ(call->arguments.size(), 1u);
    }
    // What was handed in is as it was.
    EXPECT_EQ(kernels[i]->functions[0].parameters.size(), 3u);
    EXPECT_EQ(kernels[i]->functions[1].body[0]->arguments.size(), 3u);
  }
}

TEST(SettleParameters, OneOtherCallKeepsAParameter) {
  const Int n = Int::Name("n");
  for (const auto& code : SettleParameters(
           {CallsRows({{n, n, 1}}), CallsRows({{n, Int::Name("m"), 0}})})) {
    EXPECT_EQ(code->functions[0].parameters.size(), 3u);
  }
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
  EXPECT_LT(5 * printed, 3 * all) << "most are printed again and again";
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
