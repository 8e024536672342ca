// SPDX-License-Identifier: Apache-2.0
// Tensors of one place under one name: merged variants at random, and what each
// of them computes on.

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "crux/print/share_places.h"

namespace belay::crux::print {
namespace {

constexpr size_t kVariants = 3;

// Some of one stem.
const std::vector<std::string> kNames = {"a",  "a2", "a_3", "b",
                                         "b2", "c",  "c_2", "d"};

VariantSet SetOf(unsigned bits) { return VariantSet(bits); }

// Statements that some of three variants have, each of which declares a tensor
// or computes on two that all of its variants have in scope.
class RandomFunction {
 public:
  explicit RandomFunction(unsigned seed) : random_(seed) {}

  FunctionText Make(Vocabulary& vocabulary) {
    FunctionText function;
    function.whole.nested = true;
    function.whole.variants = SetOf(7);
    function.whole.parts.push_back({vocabulary.Read("void F() {"), {}});
    Block(vocabulary, 7, 2, std::vector<Scope>(kVariants),
          function.whole.parts[0].body);
    const Tokens type = vocabulary.Read("LocalTensor<float>");
    for (const std::string& name : kNames) {
      function.variables[vocabulary.Of(name)].type = type;
    }
    return function;
  }

 private:
  using Scope = std::set<std::string>;

  int Up(int most) {
    return static_cast<int>(random_() % static_cast<unsigned>(most + 1));
  }

  void Block(Vocabulary& vocabulary, unsigned context, int depth,
             std::vector<Scope> scopes, std::vector<Statement>& block) {
    const int count = 2 + Up(6);
    for (int i = 0; i < count; ++i) {
      unsigned variants = 0;
      while (variants == 0) variants = context & random_();
      Statement statement;
      statement.variants = SetOf(variants);
      const std::string name = kNames[static_cast<size_t>(Up(7))];
      const bool fresh = IsFresh(name, variants);
      if (depth > 0 && Up(4) == 0) {
        statement.nested = true;
        statement.close = "}";
        statement.parts.push_back({vocabulary.Read("if (n) {"), {}});
        Block(vocabulary, variants, depth - 1, scopes, statement.parts[0].body);
      } else if (fresh && Up(2) > 0) {
        const std::string seen = InScope(variants, scopes);
        statement.parts.push_back({vocabulary.Read(Declared(name, seen)), {}});
        Declare(name, variants, scopes);
      } else {
        if (fresh) AddAlias(vocabulary, name, variants, scopes, statement);
        const std::string a = InScope(variants, scopes);
        const std::string b = InScope(variants, scopes);
        statement.parts.push_back(
            {vocabulary.Read("Exp(" + a + ", " + b + ");"), {}});
      }
      block.push_back(std::move(statement));
    }
  }

  std::string Declared(const std::string& name, const std::string& seen) {
    const std::vector<std::string> values = {
        "p_.Get<float>()",      "p_.Get<float>()[64]",
        "q_.Get<float>()",      "x_.AllocTensor<float>()",
        "p_.Get<float>()[row]", seen + ".ReinterpretCast<float>()"};
    return "LocalTensor<float> " + name + " = " +
           values[static_cast<size_t>(Up(5))] + ";";
  }

  // Mostly a name is declared once by a variant.
  bool IsFresh(const std::string& name, unsigned variants) {
    if (Up(19) == 0) return true;
    for (size_t v = 0; v < kVariants; ++v) {
      if ((variants >> v & 1) != 0 && declared_[v].contains(name)) return false;
    }
    return true;
  }

  void Declare(const std::string& name, unsigned variants,
               std::vector<Scope>& scopes) {
    for (size_t v = 0; v < kVariants; ++v) {
      if ((variants >> v & 1) == 0) continue;
      scopes[v].insert(name);
      declared_[v].insert(name);
    }
  }

  std::string InScope(unsigned variants, const std::vector<Scope>& scopes) {
    std::vector<std::string> names = {"z"};  // a parameter
    for (const std::string& name : kNames) {
      bool all = true;
      for (size_t v = 0; v < kVariants; ++v) {
        const bool asked = (variants >> v & 1) != 0;
        all = all && (!asked || scopes[v].contains(name));
      }
      if (all) names.push_back(name);
    }
    return names[static_cast<size_t>(Up(static_cast<int>(names.size()) - 1))];
  }

  void AddAlias(Vocabulary& vocabulary, const std::string& name,
                unsigned variants, std::vector<Scope>& scopes,
                Statement& statement) {
    const std::string from = InScope(variants, scopes);
    if (from == "z") return;
    statement.aliases.push_back(
        {vocabulary.Of(name), vocabulary.Of(from), SetOf(variants)});
    Declare(name, variants, scopes);
  }

  std::mt19937 random_;
  std::vector<Scope> declared_ = std::vector<Scope>(kVariants);
};

// The places that a variant computes on, one after the other.
class Places {
 public:
  Places(size_t variant, const Vocabulary& vocabulary)
      : variant_(variant), vocabulary_(vocabulary) {}

  std::string Of(const FunctionText& function) {
    Enter(function.whole.parts[0].body, {});
    return said_;
  }

 private:
  void Enter(const std::vector<Statement>& block,
             std::map<Word, std::string> places) {
    for (const Statement& statement : block) {
      for (const Alias& alias : statement.aliases) {
        if (!alias.variants.test(variant_)) continue;
        places[alias.name] = places.at(alias.from);
      }
      if (!statement.variants.test(variant_)) continue;
      const Tokens& head = statement.parts[0].head;
      const auto declared = DeclarationIn(head, vocabulary_);
      if (declared) {
        std::string value;
        for (size_t i = declared->at + 1; i < head.size(); ++i) {
          value += vocabulary_.Text(WordOf(head[i]));
        }
        const auto seen = places.find(WordOf(head[declared->at + 2]));
        // A slot of a queue, or where the row is now.
        const bool fixed = value.find("Get") != std::string::npos &&
                           value.find("row") == std::string::npos;
        if (seen != places.end()) value = seen->second;
        places[declared->name] = fixed || seen != places.end()
                                     ? value
                                     : value + std::to_string(++count_);
      } else if (statement.nested) {
        Enter(statement.parts[0].body, places);
      } else {
        for (const Token token : head) {
          const auto found = places.find(WordOf(token));
          said_ += found == places.end() ? vocabulary_.Text(WordOf(token))
                                         : found->second;
        }
      }
    }
  }

  size_t variant_;
  const Vocabulary& vocabulary_;
  int count_ = 0;
  std::string said_;
};

size_t Declarations(const std::vector<Statement>& block) {
  size_t count = 0;
  for (const Statement& statement : block) {
    count += statement.aliases.size();
    for (const Part& part : statement.parts) {
      count += part.head.size() > 1 &&
               WordOf(part.head[0]) == Vocabulary::kLocalTensor;
      count += Declarations(part.body);
    }
  }
  return count;
}

TEST(SharePlaces, EveryVariantComputesOnThePlacesItDid) {
  size_t before = 0;
  size_t after = 0;
  for (unsigned seed = 1; seed <= 2000; ++seed) {
    Vocabulary vocabulary;
    const FunctionText function = RandomFunction(seed).Make(vocabulary);
    const FunctionText shared = WithSharedPlaces(function, {}, vocabulary);
    for (size_t v = 0; v < kVariants; ++v) {
      ASSERT_EQ(Places(v, vocabulary).Of(shared),
                Places(v, vocabulary).Of(function))
          << "seed " << seed << ", variant " << v;
    }
    before += Declarations(function.whole.parts[0].body);
    after += Declarations(shared.whole.parts[0].body);
  }
  EXPECT_LT(after, before * 9 / 10) << "hardly any name is shared";
}

}  // namespace
}  // namespace belay::crux::print
