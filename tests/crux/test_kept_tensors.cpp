// SPDX-License-Identifier: Apache-2.0
// Tensors of merged variants: members that others set as well, views that are
// said where they are used, and what queues give in float.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "crux/print/inline_views.h"
#include "crux/print/kept_tensors.h"
#include "crux/print/take_float.h"

namespace belay::crux::print {
namespace {

constexpr unsigned kFloat = 1;
constexpr unsigned kHalf = 2;
constexpr unsigned kAll = 3;

class Tensors : public ::testing::Test {
 protected:
  Statement Of(const std::string& text, unsigned variants) {
    Statement statement;
    statement.variants = VariantSet(variants);
    statement.parts.push_back({vocabulary_.Read(text), {}});
    return statement;
  }

  FunctionText Function(const std::string& name, unsigned variants,
                        std::vector<Statement> body) {
    FunctionText function;
    function.name = vocabulary_.Of(name);
    function.whole = Of("void " + name + "() {", variants);
    function.whole.nested = true;
    function.whole.close = "}";
    function.whole.parts[0].body = std::move(body);
    return function;
  }

  std::string TextOf(const FunctionText& function) const {
    std::string text;
    for (const Statement& one : function.whole.parts[0].body) {
      for (const Token token : one.parts[0].head) {
        if (HasBlank(token)) text += ' ';
        text += IsSlot(token) ? "T" : vocabulary_.Text(WordOf(token));
      }
    }
    return text;
  }

  // Variants of float use a member, others a buffer that Prepare fills.
  std::vector<FunctionText> Kept(const std::string& process_first) {
    VariantMerger::Merged merged;
    merged.members = {Of("LocalTensor<float> gamma_;", kFloat)};
    merged.member_at[vocabulary_.Of("gamma_")] = 0;
    Statement taken = Of("LocalTensor<float> g = b_.Get<float>();", kHalf);
    taken.aliases = {
        {vocabulary_.Of("g"), vocabulary_.Of("gamma_"), VariantSet(kFloat)}};
    Statement loop = Of("for (int64_t i = 0; i < n; ++i) {", kAll);
    loop.nested = true;
    loop.parts[0].body = {Of("Compute();", kAll)};
    std::vector<Statement> process = {Of(process_first, kHalf), loop,
                                      Of("Prepare();", kHalf)};
    if (process_first == "Prepare();") process.pop_back();
    std::vector<FunctionText> functions = {
        Function("Process", kAll, process),
        Function("Compute", kAll, {taken, Of("Mul(x, x, g, 8);", kAll)}),
        Function("Prepare", kHalf,
                 {Of("LocalTensor<float> w = b_.Get<float>();", kHalf),
                  Of("Cast(w, y, 8);", kHalf)})};
    KeepTensors(merged, vocabulary_, functions);
    return functions;
  }

  Vocabulary vocabulary_;
};

TEST_F(Tensors, AMemberIsSetWhereItsBufferIsFilled) {
  const std::vector<FunctionText> functions = Kept("Prepare();");
  EXPECT_EQ(TextOf(functions[1]), "Mul(x, x, gamma_, 8);");
  EXPECT_EQ(TextOf(functions[2]),
            "gamma_ = b_.Get<float>();Cast(gamma_, y, 8);");
}

TEST_F(Tensors, NotWhereThatMayComeLater) {
  const std::vector<FunctionText> functions = Kept("Abs(x, x, 8);");
  EXPECT_EQ(TextOf(functions[1]),
            "LocalTensor<float> g = b_.Get<float>();Mul(x, x, g, 8);");
}

TEST_F(Tensors, AViewOfSomeIsSaidWhereItIsUsed) {
  const std::string view =
      "LocalTensor<float> v = to.ReinterpretCast<float>();";
  const auto inlined = [&](unsigned variants, const std::string& between) {
    return TextOf(
        WithInlineViews(Function("F", kAll,
                                 {Of(view, variants), Of(between, variants),
                                  Of("Sum(x, v, 8);", variants)}),
                        vocabulary_));
  };
  EXPECT_EQ(inlined(kHalf, "Exp(x, x, 8);"),
            "Exp(x, x, 8);Sum(x, to.ReinterpretCast<float>(), 8);");
  // All have it, it is used twice, or `to` is another tensor by then.
  for (const auto& [variants, between] :
       std::vector<std::pair<unsigned, std::string>>{
           {kAll, "Exp(x, x, 8);"},
           {kHalf, "Exp(x, v, 8);"},
           {kHalf, "LocalTensor<half> to = q_.DeQue<half>();"}}) {
    EXPECT_EQ(inlined(variants, between), view + between + "Sum(x, v, 8);");
  }
}

TEST_F(Tensors, WhatIsConvertedAndGivenBackIsTakenByOneCall) {
  const Slot slot = {
      {{0, vocabulary_.Of("float")}, {1, vocabulary_.Of("half")}}};
  const auto taken = [&](unsigned freed, const std::string& use,
                         unsigned users) {
    Statement first = Of("LocalTensor<T> x = x_queue_.DeQue<T>();", kAll);
    for (const size_t at : {2, 10}) {
      first.parts[0].head[at] = SlotToken(0, false);
    }
    return TextOf(WithTakeFloat(
        Function("F", kAll,
                 {first, Of("LocalTensor<float> t = InFloat(x, b_, n);", kAll),
                  Of("Exp(y, y, n);", kFloat),
                  Of("x_queue_.FreeTensor(x);", freed), Of(use, users)}),
        {slot}, vocabulary_));
  };
  EXPECT_EQ(taken(kHalf, "Abs(t, x, n);", kFloat),
            "LocalTensor<float> t = TakeFloat<T>(x_queue_, b_, n);"
            "Exp(y, y, n);Abs(t, t, n);");
  // Given back by all, or used by those that convert it.
  EXPECT_NE(taken(kAll, "Abs(t, t, n);", kAll).find("InFloat"),
            std::string::npos);
  EXPECT_NE(taken(kHalf, "Abs(t, x, n);", kHalf).find("InFloat"),
            std::string::npos);
}

}  // namespace
}  // namespace belay::crux::print
