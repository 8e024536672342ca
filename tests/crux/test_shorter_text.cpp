// SPDX-License-Identifier: Apache-2.0
// What makes printed text shorter: names, functions, sums and parameters.

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "crux/print/copy_functions.h"
#include "crux/print/drop_aliases.h"
#include "crux/print/named_products.h"
#include "crux/print/settle_parameters.h"
#include "crux/print/text.h"
#include "crux/print/tiling_sums.h"

namespace belay::crux::print {
namespace {

using ir::Int;

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

TEST(DropAliases, AViewMayBeUsedWithinAnIf) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(
      WithoutAliases({"LocalTensor<Word> bits = x.ReinterpretCast<Word>();",
                      "if (end < n) {", "Duplicate(bits[end], 0, 8);", "}"}),
      (Lines{"if (end < n) {",
             "Duplicate(x.ReinterpretCast<Word>()[end], 0, 8);", "}"}));
}

TEST(DropAliases, AnIntegerHasOneName) {
  using Lines = std::vector<std::string>;
  // A loop's variable is called as its body calls it.
  EXPECT_EQ(WithoutAliases({"for (int64_t item = a; item < b; ++item) {",
                            "const int64_t r = item;", "CopyIn(r);", "}"}),
            (Lines{"for (int64_t r = a; r < b; ++r) {", "CopyIn(r);", "}"}));
  EXPECT_EQ(
      WithoutAliases(
          {"for (int64_t at = -n; at < n; at += n) {", "if (at + n < n) {",
           "const int64_t c = at + n;", "CopyIn(c);", "}", "if (0 <= at) {",
           "const int64_t c = at;", "Compute(c, tiling_->c);", "}", "}"}),
      (Lines{"for (int64_t at = -n; at < n; at += n) {", "if (at + n < n) {",
             "const int64_t c = at + n;", "CopyIn(c);", "}", "if (0 <= at) {",
             "Compute(at, tiling_->c);", "}", "}"}));
  const std::vector<Lines> kept = {
      // The head of the loop means another r.
      {"for (int64_t item = r; item < b; ++item) {", "Exp(x, x, r);", "}"},
      // One of the two changes.
      {"const int64_t c = at;", "at = at + 1;", "CopyIn(c);"},
      {"const int64_t c = 8;", "CopyIn(c);"},
  };
  for (const Lines& statements : kept) {
    EXPECT_EQ(WithoutAliases(statements), statements);
  }
}

TEST(DropAliases, ACallIsSaidWhereItIsHandedOn) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(WithoutAliases(
                {"const int64_t count = Min(n, m - r);", "CopyIn(r, count);"}),
            (Lines{"CopyIn(r, Min(n, m - r));"}));
  const std::vector<Lines> kept = {
      // Used again, in a sum, one statement later, or on one more line.
      {"const int64_t count = Min(n, m - r);", "CopyIn(r, count);",
       "Compute(count);"},
      {"const int64_t count = Min(n, m - r);", "CopyIn(r, count + 1);"},
      {"const int64_t count = Min(n, m - r);", "Compute();",
       "CopyIn(r, count);"},
      {"const int64_t count = Min(tiling_->r_rows, tiling_->M - r);",
       "CopyIn(tiling_->a_rather_long_field, tiling_->another_one, count);"},
  };
  for (const Lines& statements : kept) {
    EXPECT_EQ(WithoutAliases(statements), statements);
  }
}

TEST(NameScratch, IsShorterWhereThatTakesLinesAway) {
  const auto named = [](const std::string& field) {
    Text text;
    text.Declaration("class Kernel {");
    text.Declaration("__aicore__ inline void Compute() {");
    text.Statement("LocalTensor<float> folded = work_.Get<float>();");
    text.Statement("Broadcast<Op::kMul>(sub, sub, folded, r_count, tiling_->" +
                   field + ", tiling_->N_pitch);");
    text.Close();
    text.Close("};");
    NameScratch(text);
    return text.lines()[2].text;
  };
  EXPECT_EQ(named("N"), "LocalTensor<float> work = work_.Get<float>();");
  for (const char* const field : {"", "many"}) {
    EXPECT_EQ(named(field), "LocalTensor<float> folded = work_.Get<float>();");
  }
}

TEST(DropAliases, ACommentIsSaidOnce) {
  Text text;
  text.Comment("a");
  text.Statement("Exp(x, x, 8);");
  text.Comment("a");
  text.Statement("if (n) {");
  text.Comment("a");
  text.Statement("Ln(x, x, 8);");
  text.Statement("Exp(x, x, 8);");
  text.Close();
  text.Comment("a");
  text.Statement("Abs(x, x, 8);");
  DropAliases(text);
  EXPECT_EQ(Laid(text.lines()),
            "// a\nExp(x, x, 8);\nif (n) {\n  // a\n  Ln(x, x, 8);\n"
            "  Exp(x, x, 8);\n}\n// a\nAbs(x, x, 8);\n");
}

TEST(DropNumbers, AMemberHasNoneWithoutAnotherOfItsName) {
  Text text;
  text.Declaration("class Kernel {");
  text.Declaration("void Compute() {");
  text.Statement("Exp(t2_, u_2_, w1_);");
  text.Close();
  text.Declaration("LocalTensor<float> t2_, u_2_, w1_, w_;");
  text.Close("};");
  DropNumbers(text);
  EXPECT_EQ(text.lines()[2].text, "Exp(t_, u_, w1_);");
  EXPECT_EQ(text.lines()[4].text, "LocalTensor<float> t_, u_, w1_, w_;");
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

TEST(SettledKernels, WhatAllCallsAgreeOnIsNoParameter) {
  const Int n = Int::Name("n");
  const Int m = Int::Name("m");
  // `pitch` is `rows` and `step` is 1 in all calls of both.
  const std::vector<std::shared_ptr<const code::Kernel>> kernels = {
      CallsRows({{n, n, 1}, {n + 8, n + 8, 1}}), CallsRows({{m, m, 1}})};
  const SettledKernels settled(kernels);
  for (size_t i = 0; i < kernels.size(); ++i) {
    const std::shared_ptr<const code::Kernel> code = settled.Make(i);
    const code::Function& rows = code->functions[0];
    EXPECT_EQ(rows.parameters, std::vector<std::string>{"rows"});
    ASSERT_EQ(rows.body.size(), 1u);
    ASSERT_EQ(rows.body[0]->kind, code::StmtKind::kCall);
    EXPECT_EQ(ToText(std::get<Int>(rows.body[0]->args[2])), "rows");
    EXPECT_EQ(ToText(std::get<code::Local>(rows.body[0]->args[1]).offset),
              "rows");
    for (const auto& call : code->functions[1].body) {
      EXPECT_EQ(call->arguments.size(), 1u);
    }
    // What was handed in is as it was.
    EXPECT_EQ(kernels[i]->functions[0].parameters.size(), 3u);
    EXPECT_EQ(kernels[i]->functions[1].body[0]->arguments.size(), 3u);
  }
}

TEST(SettledKernels, OneOtherCallKeepsAParameter) {
  const Int n = Int::Name("n");
  const SettledKernels settled(
      {CallsRows({{n, n, 1}}), CallsRows({{n, Int::Name("m"), 0}})});
  for (const size_t kernel : {0, 1}) {
    EXPECT_EQ(settled.Make(kernel)->functions[0].parameters.size(), 3u);
  }
}

}  // namespace
}  // namespace belay::crux::print
