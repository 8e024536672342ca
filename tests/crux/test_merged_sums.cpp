// SPDX-License-Identifier: Apache-2.0
// Sums of variants in few statements: each variant still adds its own terms.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "crux/check.h"
#include "crux/print/merged_sums.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

class SumWords : public VariantWords {
 public:
  std::string IsDtype(size_t, DType dtype) const override {
    return fmt::format("is_{}", belay::NameOf(dtype));
  }
  std::string Answer(const std::string& condition) const override {
    return condition;
  }
  bool IsNoUnasked() const override { return true; }
  std::string SizeOf(size_t) const override { return "size"; }
  std::string BlockOf(size_t) const override { return "block"; }
  std::string WordOf(size_t) const override { return "word"; }
};

// What C++ makes of an expression of integers.
class Expression {
 public:
  Expression(std::string_view text, const std::map<std::string, int64_t>& names)
      : text_(text), names_(names) {}

  int64_t Run() {
    const int64_t value = Choice();
    EXPECT_EQ(at_, text_.size()) << text_;
    return value;
  }

 private:
  int64_t Choice() {
    const int64_t condition = Or();
    if (!Take(" ? ")) return condition;
    const int64_t yes = Choice();
    EXPECT_TRUE(Take(" : ")) << text_;
    const int64_t no = Choice();
    return condition != 0 ? yes : no;
  }
  int64_t Or() {
    int64_t value = And();
    while (Take(" || ")) value = (And() != 0) | (value != 0);
    return value;
  }
  int64_t And() {
    int64_t value = Sum();
    while (Take(" && ")) value = (Sum() != 0) & (value != 0);
    return value;
  }
  int64_t Sum() {
    int64_t value = Product();
    while (true) {
      if (Take(" + ")) {
        value += Product();
      } else if (Take(" - ")) {
        value -= Product();
      } else {
        return value;
      }
    }
  }
  int64_t Product() {
    int64_t value = One();
    while (Take(" * ")) value *= One();
    return value;
  }
  int64_t One() {
    if (Take("!")) return One() == 0;
    if (Take("(")) {
      const int64_t value = Choice();
      EXPECT_TRUE(Take(")")) << text_;
      return value;
    }
    const size_t begin = at_;
    while (at_ < text_.size() && IsWordPart(text_[at_])) ++at_;
    const std::string word(text_.substr(begin, at_ - begin));
    const auto found = names_.find(word);
    if (found != names_.end()) return found->second;
    EXPECT_TRUE(!word.empty() && word[0] >= '0' && word[0] <= '9') << text_;
    return std::atoll(word.c_str());
  }
  bool Take(std::string_view word) {
    if (!text_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  std::string_view text_;
  const std::map<std::string, int64_t>& names_;
  size_t at_ = 0;
};

// "total += x;" under "if (a) {", "} else {" and "}".
int64_t TotalOf(const Text& text, const std::map<std::string, int64_t>& names) {
  int64_t total = 0;
  bool holds = true;
  for (const Line& line : text.lines()) {
    const std::string_view words = line.text;
    constexpr std::string_view kIf = "if (";
    constexpr std::string_view kAdd = "total += ";
    if (words.starts_with(kIf)) {
      holds = Expression(words.substr(kIf.size(), words.size() - kIf.size() -
                                                      3 /* ") {" */),
                         names)
                  .Run() != 0;
    } else if (words == "} else {") {
      holds = !holds;
    } else if (words == "}") {
      holds = true;
    } else {
      EXPECT_TRUE(words.starts_with(kAdd)) << words;
      const std::string_view term =
          words.substr(kAdd.size(), words.size() - kAdd.size() - 1);
      if (holds) total += Expression(term, names).Run();
    }
  }
  return total;
}

class MergedSums : public ::testing::Test {
 protected:
  void SetUp() override {
    checked_ = Check("sums.crux",
                     "T = dtype(f16, bf16, f32)\n"
                     "\n"
                     "\n"
                     "@kernel\n"
                     "def sums(x: T[N], y: out(T[N])):\n"
                     "    for c in cores(N):\n"
                     "        store(y[c], load(x[c]))\n");
    ASSERT_TRUE(checked_->ok());
    for (const DType t : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
      for (const bool a : {true, false}) {
        for (const bool b : {true, false}) {
          variants_.push_back({{t}, {{"a", a}, {"b", b}}});
        }
      }
    }
  }

  // Terms by variant.
  Text Printed(const std::vector<std::vector<std::string>>& terms) const {
    const SumWords words;
    VariantSpace space(*checked_->program->kernels[0], words);
    std::vector<AddedTerm> added;
    for (const VariantFacts& facts : variants_) {
      const size_t v = space.Add(facts);
      for (const std::string& term : terms[v]) added.push_back({v, term});
    }
    Text text;
    PrintSum(space, "total", added, space.all(), text);
    return text;
  }

  std::map<std::string, int64_t> NamesOf(size_t variant) const {
    const VariantFacts& facts = variants_[variant];
    const auto size = static_cast<int64_t>(BytesOf(facts.dtypes[0]));
    std::map<std::string, int64_t> names = {
        {"N", 1009}, {"rows", 31}, {"size", size}, {"block", 32 / size}};
    for (const DType t : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
      names[SumWords().IsDtype(0, t)] = facts.dtypes[0] == t ? 1 : 0;
    }
    for (const auto& [answer, holds] : facts.answers) names[answer] = holds;
    return names;
  }

  bool IsFloat(size_t v) const {
    return variants_[v].dtypes[0] == DType::kFloat;
  }
  bool Holds(size_t v, size_t answer) const {
    return variants_[v].answers[answer].second;
  }

  std::optional<Checked> checked_;
  std::vector<VariantFacts> variants_;
};

TEST_F(MergedSums, VariantsAddTheirTerms) {
  const unsigned seed = 22;
  SCOPED_TRACE(seed);
  std::mt19937 random(seed);
  for (int round = 0; round < 400; ++round) {
    SCOPED_TRACE(round);
    // Each kind of term for some dtypes and answers, in numbers of its own.
    std::vector<std::vector<std::string>> terms(variants_.size());
    const auto kinds = 1 + random() % 5;
    for (unsigned kind = 0; kind < kinds; ++kind) {
      const auto form = random() % 4;
      const auto dtypes = random() % 4;   // 0, 1: all
      const auto answers = random() % 5;  // always, a, b, each of both, any
      const auto times = 1 + random() % 3;
      for (size_t v = 0; v < variants_.size(); ++v) {
        if (dtypes == 2 && IsFloat(v)) continue;
        if (dtypes == 3 && !IsFloat(v)) continue;
        const bool a = Holds(v, 0);
        const bool b = Holds(v, 1);
        const unsigned held[] = {1, a, b, unsigned{a} + b,
                                 static_cast<unsigned>(random() % 3)};
        const int size = IsFloat(v) ? 4 : 2;
        const std::string texts[] = {
            "N * 4", fmt::format("N * {}", size),
            fmt::format("(N + {}) * rows * {}", 32 / size, size),
            fmt::format("rows * {} + 1", IsFloat(v) ? 7 : 3)};
        terms[v].insert(terms[v].end(), held[answers] * times, texts[form]);
      }
    }
    for (auto& own : terms) std::shuffle(own.begin(), own.end(), random);
    const Text text = Printed(terms);
    for (size_t v = 0; v < variants_.size(); ++v) {
      const auto names = NamesOf(v);
      int64_t expected = 0;
      for (const std::string& term : terms[v]) {
        expected += Expression(term, names).Run();
      }
      EXPECT_EQ(TotalOf(text, names), expected) << v << "\n"
                                                << Laid(text.lines());
    }
  }
}

TEST_F(MergedSums, FewStatements) {
  std::vector<std::vector<std::string>> terms;
  for (size_t v = 0; v < variants_.size(); ++v) {
    std::vector<std::string>& own = terms.emplace_back();
    own.push_back(IsFloat(v) ? "N * 4" : "N * 2");
    own.push_back(IsFloat(v) ? "rows * 8 + 1" : "rows * 6 + 1");
    own.insert(own.end(), 2 * (Holds(v, 0) + Holds(v, 1)), "rows");
    if (IsFloat(v)) own.push_back("M");
    if (!IsFloat(v)) own.push_back("K");
  }
  EXPECT_EQ(Laid(Printed(terms).lines()),
            "total += N * size;\n"
            "total += rows * (!is_f32 ? 6 : 8) + 1;\n"
            "total += rows * (a + b) * 2;\n"
            "if (!is_f32) {\n"
            "  total += K;\n"
            "} else {\n"
            "  total += M;\n"
            "}\n");
}

}  // namespace
}  // namespace belay::crux::print
