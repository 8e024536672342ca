// SPDX-License-Identifier: Apache-2.0
// A variant's printed class as statements, with the names that may change.

#include <algorithm>
#include <set>

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
    SinkBuffers(function_.whole.parts[0].body, vocabulary_);
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
        for (const Token token : part.head) words_.insert(WordOf(token));
        Collect(part.body);
      }
    }
  }

  // Names are unique in a class; in a function "dst3" may be "dst".
  void Shorten() {
    for (const Token token : function_.whole.parts[0].head) {
      words_.insert(WordOf(token));
    }
    std::unordered_map<Word, Word> shorter;
    for (const Word name : order_) {
      const Word stem = vocabulary_.Stem(name);
      if (stem == name || words_.contains(stem) ||
          IsReserved(vocabulary_.Text(stem))) {
        continue;
      }
      words_.insert(stem);
      shorter[name] = stem;
      auto moved = function_.variables.extract(name);
      moved.key() = stem;
      function_.variables.insert(std::move(moved));
    }
    if (!shorter.empty()) Rename(function_.whole, shorter);
  }

  static void Rename(Statement& statement,
                     const std::unordered_map<Word, Word>& names) {
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
  std::set<Word> words_;
};

class ShapeWriter {
 public:
  ShapeWriter(const ClassText& text, const std::set<Word>& functions,
              Vocabulary& vocabulary)
      : text_(text), functions_(functions), vocabulary_(vocabulary) {}

  void Set(Statement& statement, const FunctionText& function) {
    uint64_t shape = statement.parts.size() * 2 + statement.nested;
    for (Part& part : statement.parts) {
      for (const Token token : part.head) {
        shape = (shape ^ ClassOf(token, function)) * 0x9e3779b97f4a7c15u;
        shape ^= shape >> 29;
      }
      shape = (shape ^ part.head.size()) * 0x9e3779b97f4a7c15u;
      for (Statement& inner : part.body) Set(inner, function);
    }
    statement.shape = shape;
  }

 private:
  uint64_t ClassOf(Token token, const FunctionText& function) {
    const Word word = WordOf(token);
    const uint64_t blank = HasBlank(token) ? 1 : 0;
    if (function.variables.contains(word)) return 2 + blank;
    if (text_.member_at.contains(word)) return 4 + blank;
    if (vocabulary_.IsType(word)) return 6 + blank;
    if (vocabulary_.IsInteger(word)) return 8 + blank;
    const Word known =
        functions_.contains(word) ? vocabulary_.Stem(word) : word;
    return 16 + static_cast<uint64_t>(known) * 2 + blank;
  }

  const ClassText& text_;
  const std::set<Word>& functions_;
  Vocabulary& vocabulary_;
};

bool MentionsAny(const Statement& statement,
                 const std::unordered_map<Word, size_t>& words) {
  for (const Part& part : statement.parts) {
    for (const Token token : part.head) {
      if (words.contains(WordOf(token))) return true;
    }
    for (const Statement& inner : part.body) {
      if (MentionsAny(inner, words)) return true;
    }
  }
  return false;
}

}  // namespace

ClassText ParseClass(const std::vector<Text>& functions, const Text& members,
                     Vocabulary& vocabulary) {
  ClassText result;
  result.members = Parse(members.lines(), vocabulary);
  for (size_t i = 0; i < result.members.size(); ++i) {
    const auto declared =
        DeclarationIn(result.members[i].parts[0].head, vocabulary);
    if (!declared) throw InternalError("[crux] a member without a name");
    result.member_at[declared->name] = i;
  }
  const Word open = vocabulary.Of("(");
  std::set<Word> names;
  for (const Text& text : functions) {
    FunctionText function;
    std::vector<Statement> parsed = Parse(text.lines(), vocabulary);
    if (parsed.size() != 1) throw InternalError("[crux] not one function");
    function.whole = std::move(parsed[0]);
    const Tokens& head = function.whole.parts[0].head;
    const auto bracket =
        std::find(head.begin(), head.end(), TokenOf(open, false));
    function.name = WordOf(*(bracket - 1));
    names.insert(function.name);
    result.functions.push_back(std::move(function));
  }
  for (FunctionText& function : result.functions) {
    FunctionReader(function, vocabulary).Run();
  }
  ShapeWriter shapes(result, names, vocabulary);
  for (FunctionText& function : result.functions) {
    shapes.Set(function.whole, function);
    function.free = !MentionsAny(function.whole, result.member_at);
  }
  for (Statement& member : result.members) shapes.Set(member, {});
  return result;
}

ClassText ParseBlock(const Text& block, Vocabulary& vocabulary) {
  ClassText result;
  FunctionText function;
  function.name = vocabulary.Of("block");
  function.whole.nested = true;
  function.whole.parts.push_back({{}, Parse(block.lines(), vocabulary)});
  result.functions.push_back(std::move(function));
  ShapeWriter shapes(result, {}, vocabulary);
  shapes.Set(result.functions[0].whole, result.functions[0]);
  return result;
}

}  // namespace belay::crux::print
