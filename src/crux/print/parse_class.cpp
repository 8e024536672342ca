// SPDX-License-Identifier: Apache-2.0
// A variant's printed class as statements, with the names that may change.

#include <algorithm>

#include "base/error.h"
#include "crux/print/merge_variants.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

class FunctionReader {
 public:
  FunctionReader(FunctionText& function, Vocabulary& vocabulary)
      : function_(function), vocabulary_(vocabulary) {}

  void Run() {
    const Tokens& head = function_.whole.parts[0].head;
    for (const Declaration& one : ParametersIn(head, vocabulary_)) {
      Note(head, one, true);
    }
    Collect(function_.whole.parts[0].body);
    Shorten();
  }

 private:
  void Note(const Tokens& head, const Declaration& declared, bool fixed) {
    const auto [at, fresh] = function_.variables.emplace(
        declared.name,
        Variable{Tokens(head.begin() + static_cast<ptrdiff_t>(declared.type),
                        head.begin() + static_cast<ptrdiff_t>(declared.at)),
                 fixed});
    if (fresh) order_.push_back(declared.name);
  }

  void Collect(const std::vector<Statement>& block) {
    for (const Statement& statement : block) {
      for (const Part& part : statement.parts) {
        const auto declared = DeclarationIn(part.head, vocabulary_);
        if (declared) Note(part.head, *declared, declared->loop);
        for (const Token token : part.head) words_[WordOf(token)] = true;
        Collect(part.body);
      }
    }
  }

  // Names are unique in a class; in a function "dst3" may be "dst".
  void Shorten() {
    for (const Token token : function_.whole.parts[0].head) {
      words_[WordOf(token)] = true;
    }
    WordTable<Word> shorter;
    for (const Word name : order_) {
      const Word stem = vocabulary_.Stem(name);
      if (stem == name || words_.contains(stem) ||
          IsReserved(vocabulary_.Text(stem))) {
        continue;
      }
      words_[stem] = true;
      shorter[name] = stem;
      Variable moved = function_.variables.at(name);
      function_.variables.erase(name);
      function_.variables.emplace(stem, std::move(moved));
    }
    if (!shorter.empty()) Rename(function_.whole, shorter);
  }

  static void Rename(Statement& statement, const WordTable<Word>& names) {
    for (Part& part : statement.parts) {
      for (Token& token : part.head) {
        const auto found = names.find(WordOf(token));
        if (found != names.end()) {
          token = TokenOf(found->second, HasBlank(token));
        }
      }
      for (Statement& inner : part.body) Rename(inner, names);
    }
  }

  FunctionText& function_;
  Vocabulary& vocabulary_;
  std::vector<Word> order_;  // of declaration
  WordTable<bool> words_;
};

// What a function is in its class.
class Describer {
 public:
  Describer(const ClassText& text, const WordTable<bool>& functions,
            Vocabulary& vocabulary)
      : text_(text), functions_(functions), vocabulary_(vocabulary) {}

  void Run(FunctionText& function) { Describe(function.whole, function); }

 private:
  void Describe(Statement& statement, FunctionText& function) {
    uint64_t shape = statement.parts.size() * 2 + statement.nested;
    const size_t at = function.shapes.size();
    function.shapes.push_back(0);
    for (Part& part : statement.parts) {
      for (const Token token : part.head) {
        shape = (shape ^ ClassOf(token, function)) * 0x9e3779b97f4a7c15u;
        shape ^= shape >> 29;
      }
      shape = (shape ^ part.head.size()) * 0x9e3779b97f4a7c15u;
      for (Statement& inner : part.body) Describe(inner, function);
    }
    statement.shape = vocabulary_.ShapeOf(shape);
    function.shapes[at] = statement.shape;
  }

  uint64_t ClassOf(Token token, const FunctionText& function) {
    const Word word = WordOf(token);
    const uint64_t blank = HasBlank(token) ? 1 : 0;
    if (function.variables.contains(word)) return 2 + blank;
    const auto member = text_.member_at.find(word);
    if (member != text_.member_at.end()) {
      // What is a tensor of the class here may be one of the function there.
      const Tokens& declared = text_.members[member->second].parts[0].head;
      const bool tensor = WordOf(declared[0]) == Vocabulary::kLocalTensor;
      return (tensor ? 2 : 4) + blank;
    }
    if (vocabulary_.IsType(word)) return 6 + blank;
    if (vocabulary_.IsInteger(word)) return 8 + blank;
    const Word known =
        functions_.contains(word) ? vocabulary_.Stem(word) : word;
    return 16 + static_cast<uint64_t>(known) * 2 + blank;
  }

  const ClassText& text_;
  const WordTable<bool>& functions_;
  Vocabulary& vocabulary_;
};

void CollectNames(const Statement& statement, const Vocabulary& vocabulary,
                  WordTable<bool>& names) {
  for (const Part& part : statement.parts) {
    for (const Token token : part.head) {
      const Word word = WordOf(token);
      if (vocabulary.IsName(word)) names.emplace(word, true);
    }
    for (const Statement& inner : part.body) {
      CollectNames(inner, vocabulary, names);
    }
  }
}

// All that is read of a text.
std::string KeyOf(const Text& text) {
  std::string key;
  size_t length = 0;
  for (const Line& line : text.lines()) length += line.text.size() + 2;
  key.reserve(length);
  for (const Line& line : text.lines()) {
    key += static_cast<char>('0' + static_cast<int>(line.kind));
    key += line.text;
    key += '\n';
  }
  return key;
}

}  // namespace

ClassReader::Known& ClassReader::KnownOf(
    const std::shared_ptr<const Text>& text) {
  Known*& seen = seen_[text];
  if (seen != nullptr) return *seen;
  const auto [found, is_new] = known_.try_emplace(KeyOf(*text));
  Known& known = found->second;
  seen = &known;
  if (!is_new) return known;
  std::vector<Statement> parsed = Parse(text->lines(), vocabulary_);
  if (parsed.size() != 1) throw InternalError("[crux] not one function");
  FunctionText& function = known.plain;
  function.whole = std::move(parsed[0]);
  const Tokens& head = function.whole.parts[0].head;
  const auto bracket =
      std::find(head.begin(), head.end(), TokenOf(Vocabulary::kOpen, false));
  known.name = function.name = WordOf(*(bracket - 1));
  FunctionReader(function, vocabulary_).Run();
  WordTable<bool> names;
  CollectNames(function.whole, vocabulary_, names);
  for (const auto& [name, there] : names) known.names.push_back(name);
  std::sort(known.names.begin(), known.names.end());
  return known;
}

std::shared_ptr<const FunctionText> ClassReader::InClass(
    Known& known, const ClassText& text, const WordTable<bool>& functions) {
  std::vector<Word> members;
  std::vector<Word> called;
  for (const Word name : known.names) {
    if (text.member_at.contains(name)) members.push_back(name);
    if (functions.contains(name)) called.push_back(name);
  }
  for (const auto& one : known.in_classes) {
    if (one->members == members && one->functions == called) return one;
  }
  auto function = std::make_shared<FunctionText>();
  if (known.in_classes.empty()) {
    *function = std::move(known.plain);
  } else {
    *function = *known.in_classes.front();
  }
  function->shapes.clear();
  function->free = members.empty();
  function->members = std::move(members);
  function->functions = std::move(called);
  Describer(text, functions, vocabulary_).Run(*function);
  return known.in_classes.emplace_back(std::move(function));
}

ClassText ClassReader::Read(
    const std::vector<std::shared_ptr<const Text>>& functions,
    const Text& members) {
  ClassText result;
  result.members = Parse(members.lines(), vocabulary_);
  for (size_t i = 0; i < result.members.size(); ++i) {
    const auto declared =
        DeclarationIn(result.members[i].parts[0].head, vocabulary_);
    if (!declared) throw InternalError("[crux] a member without a name");
    result.member_at[declared->name] = i;
  }
  std::vector<Known*> texts;
  WordTable<bool> names;
  for (const auto& text : functions) {
    texts.push_back(&KnownOf(text));
    names[texts.back()->name] = true;
  }
  for (Known* text : texts) {
    result.functions.push_back(InClass(*text, result, names));
  }
  return result;
}

ClassText ClassReader::ReadBlock(const Text& block) {
  std::shared_ptr<const FunctionText>& known = blocks_[KeyOf(block)];
  if (known == nullptr) {
    auto function = std::make_shared<FunctionText>();
    function->name = vocabulary_.Of("block");
    function->whole.nested = true;
    function->whole.parts.push_back({{}, Parse(block.lines(), vocabulary_)});
    Describer({}, {}, vocabulary_).Run(*function);
    known = std::move(function);
  }
  ClassText result;
  result.functions.push_back(known);
  return result;
}

}  // namespace belay::crux::print
