// SPDX-License-Identifier: Apache-2.0
// Conditions that tell variants apart: each is evaluated for every variant, and
// what does not matter to it leaves it as it is.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "crux/check.h"
#include "crux/print/names.h"
#include "crux/print/variant_space.h"

namespace belay::crux::print {
namespace {

class PlainWords : public VariantWords {
 public:
  std::string IsDtype(size_t variable, DType dtype) const override {
    return fmt::format("v{}_{}", variable, belay::NameOf(dtype));
  }
  std::string Answer(const std::string& condition) const override {
    return condition;
  }
  bool IsNoUnasked() const override { return is_no_unasked; }

  bool is_no_unasked = true;
  std::string SizeOf(size_t) const override { return "size"; }
  std::string BlockOf(size_t) const override { return "block"; }
  std::string WordOf(size_t) const override { return "word"; }
};

// a && !(b || c) for one variant.
class Evaluator {
 public:
  Evaluator(std::string_view text, const VariantFacts& facts,
            bool unasked = false)
      : text_(text), facts_(facts), unasked_(unasked) {}

  bool Run() {
    const bool value = Or();
    EXPECT_EQ(at_, text_.size()) << text_;
    return value;
  }

 private:
  bool Or() {
    bool value = And();
    while (Take(" || ")) value = And() || value;
    return value;
  }
  bool And() {
    bool value = One();
    while (Take(" && ")) value = One() && value;
    return value;
  }
  bool One() {
    if (Take("!")) return !One();
    if (Take("(")) {
      const bool value = Or();
      EXPECT_TRUE(Take(")")) << text_;
      return value;
    }
    const size_t begin = at_;
    while (at_ < text_.size() && IsWordPart(text_[at_])) ++at_;
    return Holds(text_.substr(begin, at_ - begin));
  }
  bool Take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }
  bool Holds(std::string_view word) const {
    if (word == "true") return true;
    for (size_t v = 0; v < facts_.dtypes.size(); ++v) {
      if (word == PlainWords().IsDtype(v, facts_.dtypes[v])) return true;
    }
    for (const auto& [condition, holds] : facts_.answers) {
      if (condition == word) return holds;
    }
    return word.starts_with("answer") && unasked_;
  }

  std::string_view text_;
  const VariantFacts& facts_;
  bool unasked_;
  size_t at_ = 0;
};

// Some of all combinations; a third answer is asked only behind "no".
std::vector<VariantFacts> SomeVariants(std::mt19937& random) {
  std::vector<VariantFacts> variants;
  const bool all = random() % 2 == 0;
  const auto answers = random() % 4;
  for (const DType t : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
    for (unsigned bits = 0; bits < 1U << answers; ++bits) {
      if (!all && random() % 4 == 0) continue;
      VariantFacts facts;
      facts.dtypes = {t, DType::kInt32};
      for (unsigned i = 0; i < answers; ++i) {
        const bool yes = (bits >> i & 1) != 0;
        facts.answers.emplace_back(fmt::format("answer{}", i), yes);
        if (i == 1 && yes) break;
      }
      const auto same = [&](const VariantFacts& one) {
        return one.dtypes == facts.dtypes && one.answers == facts.answers;
      };
      if (std::none_of(variants.begin(), variants.end(), same)) {
        variants.push_back(std::move(facts));
      }
    }
  }
  return variants;
}

class VariantConditions : public ::testing::Test {
 protected:
  void SetUp() override {
    checked_ = Check("two_dtypes.crux",
                     "T = dtype(f16, bf16, f32)\n"
                     "I = dtype(i32, i64)\n"
                     "\n"
                     "\n"
                     "@kernel\n"
                     "def two_dtypes(x: T[N], i: I[N], y: out(T[N])):\n"
                     "    for c in cores(N):\n"
                     "        store(y[c], load(x[c]))\n");
    ASSERT_TRUE(checked_->ok());
  }

  const typed::Kernel& kernel() const { return *checked_->program->kernels[0]; }

  std::string Condition(const std::vector<VariantFacts>& variants,
                        const VariantSet& set) const {
    VariantSpace space(kernel(), words_);
    for (const VariantFacts& facts : variants) space.Add(facts);
    return space.Condition(set, space.all());
  }

  // Of random sets; `unasked`: what answers that variants do not ask for may
  // be.
  void ExpectConditionsHold(std::initializer_list<bool> unasked) const {
    std::mt19937 random(20);
    for (int round = 0; round < 300; ++round) {
      SCOPED_TRACE(round);
      const std::vector<VariantFacts> variants = SomeVariants(random);
      VariantSet set;
      for (size_t v = 0; v < variants.size(); ++v) set[v] = random() % 2 == 0;
      if (set.none()) continue;
      const std::string text = Condition(variants, set);
      for (size_t v = 0; v < variants.size(); ++v) {
        for (const bool other : unasked) {
          EXPECT_EQ(Evaluator(text, variants[v], other).Run(), set[v])
              << text << " " << v;
        }
      }
    }
  }

  std::optional<Checked> checked_;
  PlainWords words_;
};

TEST_F(VariantConditions, HoldForTheirVariantsAlone) {
  ExpectConditionsHold({false});
}

// A host works out what it asks: what a variant does not ask may be so or not.
TEST_F(VariantConditions, HoldWhateverIsNotAsked) {
  words_.is_no_unasked = false;
  ExpectConditionsHold({false, true});
}

// Each variant for both of I, or for both answers to one question more.
TEST_F(VariantConditions, WhatGoesWithAllChangesNothing) {
  std::mt19937 random(21);
  int tried = 0;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(round);
    const std::vector<VariantFacts> variants = SomeVariants(random);
    const bool asks = random() % 2 == 0;
    const bool first = random() % 2 == 0;
    VariantSet set;
    std::vector<VariantFacts> twice;
    VariantSet set_twice;
    for (size_t v = 0; v < variants.size(); ++v) {
      set[v] = random() % 2 == 0;
      for (const bool other : {true, false}) {
        VariantFacts facts = variants[v];
        if (asks) {
          facts.answers.emplace(
              first ? facts.answers.begin() : facts.answers.end(), "more",
              other);
        } else if (other) {
          facts.dtypes[1] = DType::kInt64;
        }
        set_twice[twice.size()] = set[v];
        twice.push_back(std::move(facts));
      }
    }
    if (set.none()) continue;
    ++tried;
    EXPECT_EQ(Condition(twice, set_twice), Condition(variants, set));
  }
  EXPECT_GT(tried, 200);
}

// Too many conditions to be looked at as one number.
TEST_F(VariantConditions, ManyQuestions) {
  std::vector<VariantFacts> variants;
  VariantSet set;
  for (int i = 0; i < 70; ++i) {
    VariantFacts facts;
    facts.dtypes = {DType::kFloat, DType::kInt32};
    for (int k = 0; k <= i; ++k) {
      facts.answers.emplace_back(fmt::format("answer{}", k), k == i);
    }
    set[variants.size()] = i == 3 || i == 68;
    variants.push_back(std::move(facts));
  }
  EXPECT_EQ(Condition(variants, set), "answer3 || answer68");
}

}  // namespace
}  // namespace belay::crux::print
