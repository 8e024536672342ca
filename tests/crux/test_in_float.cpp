// SPDX-License-Identifier: Apache-2.0
// Conversions to float as calls: merged variants at random, and what each of
// them does before and after.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>
#include <vector>

#include "crux/print/in_float.h"

namespace belay::crux::print {
namespace {

// Variant 0 has x and y in float, the others convert them.
constexpr size_t kMergedVariants = 3;
constexpr unsigned kConvert = 6;

class RandomConversions {
 public:
  explicit RandomConversions(unsigned seed) : random_(seed) {}

  FunctionText Make(Vocabulary& vocabulary) {
    FunctionText function;
    function.whole.nested = true;
    function.whole.variants = VariantSet(7);
    function.whole.parts.push_back({vocabulary.Read("void F() {"), {}});
    std::vector<Statement>& body = function.whole.parts[0].body;
    const int count = 4 + Up(12);
    for (int i = 0; i < count; ++i) Add(vocabulary, body);
    return function;
  }

 private:
  int Up(int most) {
    return static_cast<int>(random_() % static_cast<unsigned>(most + 1));
  }
  std::string Name(char first, int most) {
    return std::string(1, static_cast<char>(first + Up(most)));
  }

  void Add(Vocabulary& vocabulary, std::vector<Statement>& block) {
    const std::string to = Name('a', 2);
    const std::string from = Name('x', 1);
    const std::string buffer = Name('p', 1) + "_";
    const auto add = [&](unsigned variants, const std::string& text) {
      Statement& statement = block.emplace_back();
      statement.variants = VariantSet(variants);
      statement.parts.push_back({vocabulary.Read(text), {}});
    };
    if (Up(1) == 0) {
      add(1 + static_cast<unsigned>(Up(6)), "Exp(" + to + ", " + from + ");");
      return;
    }
    const unsigned some = 2 * (1 + static_cast<unsigned>(Up(2)));
    const unsigned variants = Up(3) > 0 ? kConvert : some;
    const bool part = Up(7) == 0;
    add(variants, "LocalTensor<float> " + to + " = " + buffer +
                      ".Get<float>()" + (part ? "[64];" : ";"));
    if (Up(4) > 0) {
      block.back().aliases.push_back(
          {vocabulary.Of(to), vocabulary.Of(from), VariantSet(1)});
    }
    if (Up(3) == 0) {
      add(1 + static_cast<unsigned>(Up(6)), "Ln(" + Name('a', 2) + ");");
    }
    add(Up(7) > 0 ? variants : some,
        "Cast(" + to + ", " + (Up(7) > 0 ? from : Name('x', 1)) +
            ", RoundMode::CAST_" + (Up(7) > 0 ? "NONE" : "RINT") + ", n);");
  }

  std::mt19937 random_;
};

std::string Spelled(const Tokens& tokens, const Vocabulary& vocabulary) {
  std::string text;
  for (const Token token : tokens) text += vocabulary.Text(WordOf(token));
  return text;
}

// What a variant does, with the places of its tensors.
std::string DoneBy(size_t variant, const FunctionText& function,
                   const Vocabulary& vocabulary) {
  std::map<std::string, std::string> places = {{"x", "x"}, {"y", "y"}};
  std::string done;
  for (const Statement& statement : function.whole.parts[0].body) {
    for (const Alias& alias : statement.aliases) {
      if (!alias.variants.test(variant)) continue;
      places[vocabulary.Text(alias.name)] = places[vocabulary.Text(alias.from)];
    }
    if (!statement.variants.test(variant)) continue;
    const Tokens& head = statement.parts[0].head;
    const auto word = [&](size_t at) {
      return vocabulary.Text(WordOf(head[at]));
    };
    if (word(0) == "LocalTensor" && word(6) == "InFloat") {
      // … = InFloat(x, p_, n);
      places[word(4)] = variant == 0 ? places[word(8)] : word(10);
      if (variant != 0) {
        done += "Cast(" + places[word(4)] + "," + places[word(8)] +
                ",RoundMode::CAST_NONE,n);";
      }
    } else if (word(0) == "LocalTensor") {
      places[word(4)] = word(6) + (word(14) == "[" ? "[64]" : "");
    } else {
      for (size_t i = 0; i < head.size(); ++i) {
        const auto place = places.find(word(i));
        done += place == places.end() ? word(i) : place->second;
      }
    }
  }
  return done;
}

TEST(InFloat, EveryVariantDoesWhatItDid) {
  size_t calls = 0;
  for (unsigned seed = 1; seed <= 3000; ++seed) {
    Vocabulary vocabulary;
    const FunctionText function = RandomConversions(seed).Make(vocabulary);
    const FunctionText changed = WithInFloat(function, vocabulary);
    for (size_t v = 0; v < kMergedVariants; ++v) {
      ASSERT_EQ(DoneBy(v, changed, vocabulary), DoneBy(v, function, vocabulary))
          << "seed " << seed << ", variant " << v;
    }
    const size_t gone = function.whole.parts[0].body.size() -
                        changed.whole.parts[0].body.size();
    EXPECT_EQ(gone, CountInFloat(function, vocabulary)) << "seed " << seed;
    calls += gone;
  }
  EXPECT_GT(calls, 1000u) << "hardly any conversion is a call";
}

TEST(InFloat, ConversionsBecomeCallsWhereTheInstructionIs) {
  Vocabulary vocabulary;
  FunctionText function;
  function.whole.parts.push_back({vocabulary.Read("void F() {"), {}});
  std::vector<Statement>& body = function.whole.parts[0].body;
  const auto add = [&](unsigned variants, const std::string& text) {
    body.emplace_back().variants = VariantSet(variants);
    body.back().parts.push_back({vocabulary.Read(text), {}});
  };
  add(2, "LocalTensor<float> t = t_buffer_.Get<float>();");
  body.back().aliases.push_back(
      {vocabulary.Of("t"), vocabulary.Of("x"), VariantSet(1)});
  add(1, "Exp(y, y, n);");
  add(2, "Cast(t, x, RoundMode::CAST_NONE, r * tiling_->pitch);");
  add(2, "x_queue_.FreeTensor(x);");
  const FunctionText changed = WithInFloat(function, vocabulary);
  const std::vector<Statement>& left = changed.whole.parts[0].body;
  ASSERT_EQ(left.size(), 3u);
  EXPECT_EQ(Spelled(left[0].parts[0].head, vocabulary), "Exp(y,y,n);");
  EXPECT_EQ(Spelled(left[1].parts[0].head, vocabulary),
            "LocalTensor<float>t=InFloat(x,t_buffer_,r*tiling_->pitch);");
  EXPECT_EQ(left[1].variants, VariantSet(3));
  EXPECT_TRUE(left[1].aliases.empty());
}

}  // namespace
}  // namespace belay::crux::print
