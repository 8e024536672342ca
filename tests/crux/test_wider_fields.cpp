// SPDX-License-Identifier: Apache-2.0
// Fields of the tiling data set for more variants: merged tilings at random,
// and what each variant sets.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "crux/print/wider_fields.h"

namespace belay::crux::print {
namespace {

constexpr size_t kTilings = 3;
constexpr unsigned kAllTilings = (1u << kTilings) - 1;

// "tiling->a = b + c;", for some variants, in blocks within blocks.
class RandomTiling {
 public:
  explicit RandomTiling(unsigned seed) : random_(seed) {}

  FunctionText Make(Vocabulary& vocabulary) {
    FunctionText function;
    function.whole.nested = true;
    function.whole.variants = VariantSet(kAllTilings);
    function.whole.parts.push_back({vocabulary.Read("void F() {"), {}});
    Block(vocabulary, kAllTilings, 2, function.whole.parts[0].body);
    return function;
  }

 private:
  int Up(int most) {
    return static_cast<int>(random_() % static_cast<unsigned>(most + 1));
  }
  std::string Field() {
    return std::string("tiling->") + static_cast<char>('a' + Up(5));
  }

  void Block(Vocabulary& vocabulary, unsigned context, int depth,
             std::vector<Statement>& block) {
    const int count = 2 + Up(4);
    for (int i = 0; i < count; ++i) {
      unsigned variants = 0;
      while (variants == 0) variants = context & random_();
      Statement statement;
      statement.variants = VariantSet(variants);
      if (depth > 0 && Up(3) == 0) {
        statement.nested = true;
        statement.close = "}";
        statement.parts.push_back({vocabulary.Read("if (fits) {"), {}});
        Block(vocabulary, variants, depth - 1, statement.parts[0].body);
      } else {
        const std::string left = Up(1) == 0 ? "N" : Field();
        statement.parts.push_back(
            {vocabulary.Read(Field() + " = " + left + " + " + Field() + ";"),
             {}});
      }
      block.push_back(std::move(statement));
    }
  }

  std::mt19937 random_;
};

std::string LineOf(const Statement& statement, Vocabulary& vocabulary) {
  std::string text;
  for (const Token token : statement.parts[0].head) {
    if (HasBlank(token)) text += ' ';
    text += vocabulary.Text(WordOf(token));
  }
  return text;
}

// What a variant makes of fields: the words they come to.
struct TilingMachine {
  size_t variant = 0;
  std::map<std::string, std::string> fields;
  std::vector<std::string> read_unset;  // statements

  void Run(const std::vector<Statement>& block, Vocabulary& vocabulary) {
    for (const Statement& statement : block) {
      if (!statement.variants.test(variant)) continue;
      if (statement.nested) {
        Run(statement.parts[0].body, vocabulary);
        continue;
      }
      const std::string text = LineOf(statement, vocabulary);
      std::string value;
      for (size_t i = text.find('='); i < text.size(); ++i) {
        if (text.compare(i, 8, "tiling->") != 0) {
          value += text[i];
          continue;
        }
        i += 8;
        const auto found = fields.find(text.substr(i, 1));
        if (found == fields.end()) read_unset.push_back(text);
        value += found == fields.end() ? "?" : "(" + found->second + ")";
      }
      fields[text.substr(8, 1)] = value;
    }
  }
};

TEST(WiderFields, AreWhatEachVariantHadAndReadWhatIsSet) {
  int widened = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Vocabulary vocabulary;
    const FunctionText before = RandomTiling(seed).Make(vocabulary);
    const FunctionText after =
        WithFieldsSet(before, VariantSet(kAllTilings), vocabulary);
    for (size_t v = 0; v < kTilings; ++v) {
      TilingMachine own{v, {}, {}};
      own.Run(before.whole.parts[0].body, vocabulary);
      TilingMachine wider{v, {}, {}};
      wider.Run(after.whole.parts[0].body, vocabulary);
      for (const auto& [field, value] : own.fields) {
        // A tiling never reads what it has not set.
        if (value.find('?') != std::string::npos) continue;
        ASSERT_EQ(wider.fields[field], value) << field;
      }
      ASSERT_LE(wider.read_unset.size(), own.read_unset.size());
      widened += wider.fields.size() > own.fields.size();
    }
  }
  EXPECT_GT(widened, 100);
}

// One statement for the first of two variants.
bool IsWidened(const std::string& line) {
  Vocabulary vocabulary;
  FunctionText block;
  block.whole.parts.emplace_back();
  const auto add = [&](const std::string& text, unsigned variants) {
    Statement statement;
    statement.variants = VariantSet(variants);
    statement.parts.push_back({vocabulary.Read(text), {}});
    block.whole.parts[0].body.push_back(std::move(statement));
  };
  add("tiling->n = N;", 3);
  add("tiling->late = 0;", 3);
  add("const int64_t own = 8;", 1);
  add(line, 1);
  const FunctionText wider = WithFieldsSet(block, VariantSet(3), vocabulary);
  return wider.whole.parts[0].body.back().variants == VariantSet(3);
}

TEST(WiderFields, NeedWhatOthersCanWorkOut) {
  EXPECT_TRUE(IsWidened("tiling->pitch = AlignUp(tiling->n, 64);"));
  EXPECT_TRUE(IsWidened("tiling->half = tiling->n / 2;"));
  // Others have another value, no such variable, or may divide by 0.
  EXPECT_FALSE(IsWidened("tiling->late = 1;"));
  EXPECT_FALSE(IsWidened("tiling->pitch = tiling->other;"));
  EXPECT_FALSE(IsWidened("tiling->pitch = own * 2;"));
  EXPECT_FALSE(IsWidened("tiling->share = 64 / tiling->n;"));
  EXPECT_FALSE(IsWidened("tiling->share = 64 % (tiling->n - 1);"));
}

}  // namespace
}  // namespace belay::crux::print
