// SPDX-License-Identifier: Apache-2.0
#include "crux/print/in_float.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace belay::crux::print {
namespace {

class ToCalls {
 public:
  explicit ToCalls(Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  // Changes the block, and blocks within it.
  size_t Run(std::vector<Statement>& block) {
    size_t count = 0;
    for (size_t i = 0; i < block.size(); ++i) {
      if (const auto found = Find(block, i)) {
        Replace(block, i, *found);
        ++count;
      }
      for (Part& part : block[i].parts) count += Run(part.body);
    }
    return count;
  }

 private:
  struct Conversion {
    Word to = 0;
    Word from = 0;
    Word buffer = 0;
    Tokens count;     // from the comma before it to the end of the statement
    size_t cast = 0;  // the statement
    VariantSet as_they_are;
  };

  bool Is(Token token, std::string_view text) const {
    return !IsSlot(token) && vocabulary_.Text(WordOf(token)) == text;
  }

  // Whether words from `at` on are these; "" stands for any name.
  bool Follow(const Tokens& head, size_t at,
              const std::vector<std::string_view>& words) const {
    if (head.size() < at + words.size()) return false;
    for (size_t i = 0; i < words.size(); ++i) {
      const Token token = head[at + i];
      const bool name = !IsSlot(token) && vocabulary_.IsName(WordOf(token));
      if (words[i].empty() ? !name : !Is(token, words[i])) return false;
    }
    return true;
  }

  // What a statement that takes a buffer for float numbers begins.
  std::optional<Conversion> Find(const std::vector<Statement>& block,
                                 size_t at) const {
    const Statement& taken = block[at];
    const Tokens& head = taken.parts[0].head;
    if (taken.nested || head.size() != 15 ||
        !Follow(head, 0,
                {"LocalTensor", "<", "float", ">", "", "=", "", ".", "Get", "<",
                 "float", ">", "(", ")", ";"})) {
      return std::nullopt;
    }
    Conversion found;
    found.to = WordOf(head[4]);
    found.buffer = WordOf(head[6]);
    // The next statement of the same variants.
    found.cast = at + 1;
    while (found.cast < block.size() &&
           (block[found.cast].variants & taken.variants).none() &&
           block[found.cast].aliases.empty() &&
           !Mentions(block[found.cast], found.to)) {
      ++found.cast;
    }
    if (found.cast == block.size()) return std::nullopt;
    const Statement& cast = block[found.cast];
    const Tokens& call = cast.parts[0].head;
    if (cast.variants != taken.variants || !cast.aliases.empty() ||
        !Follow(call, 0,
                {"Cast", "(", "", ",", "", ",", "RoundMode", ":", ":",
                 "CAST_NONE", ","}) ||
        WordOf(call[2]) != found.to) {
      return std::nullopt;
    }
    found.from = WordOf(call[4]);
    found.count.assign(call.begin() + 10, call.end());
    for (const Alias& alias : taken.aliases) {
      if (alias.name != found.to || alias.from != found.from) continue;
      found.as_they_are = alias.variants;
      return found;
    }
    return std::nullopt;
  }

  static bool Mentions(const Statement& statement, Word word) {
    const auto is_in = [&](const Tokens& head) {
      return std::any_of(head.begin(), head.end(), [&](Token token) {
        return !IsSlot(token) && WordOf(token) == word;
      });
    };
    return std::any_of(statement.parts.begin(), statement.parts.end(),
                       [&](const Part& part) {
                         return is_in(part.head) ||
                                std::any_of(part.body.begin(), part.body.end(),
                                            [&](const Statement& inner) {
                                              return Mentions(inner, word);
                                            });
                       });
  }

  void Replace(std::vector<Statement>& block, size_t at,
               const Conversion& found) {
    Statement& taken = block[at];
    Tokens& head = taken.parts[0].head;
    head.resize(6);
    const auto add = [&](std::string_view words) {
      const Tokens& more = vocabulary_.Read(words);
      head.insert(head.end(), more.begin(), more.end());
    };
    add(" InFloat(");
    head.push_back(TokenOf(found.from, false));
    add(",");
    head.push_back(TokenOf(found.buffer, true));
    head.insert(head.end(), found.count.begin(), found.count.end());
    taken.variants |= found.as_they_are;
    std::erase_if(taken.aliases, [&](const Alias& one) {
      return one.name == found.to && one.from == found.from;
    });
    const auto cast = block.begin() + static_cast<ptrdiff_t>(found.cast);
    if (taken.comments.empty()) taken.comments = std::move(cast->comments);
    // Where the instruction was.
    std::rotate(block.begin() + static_cast<ptrdiff_t>(at),
                block.begin() + static_cast<ptrdiff_t>(at) + 1, cast);
    block.erase(cast);
  }

  Vocabulary& vocabulary_;
};

}  // namespace

size_t CountInFloat(const FunctionText& function, Vocabulary& vocabulary) {
  std::vector<Statement> copy = function.whole.parts[0].body;
  return ToCalls(vocabulary).Run(copy);
}

FunctionText WithInFloat(FunctionText function, Vocabulary& vocabulary) {
  ToCalls(vocabulary).Run(function.whole.parts[0].body);
  return function;
}

Text InFloatDefinition() {
  Text text;
  text.Comment("The tensor if it is in float; else in float in the buffer.");
  text.Declaration("template <typename T>");
  text.Declaration(
      "__aicore__ inline LocalTensor<float> InFloat(const LocalTensor<T>& "
      "from, TBuf<TPosition::VECCALC>& buffer, int64_t count) {");
  text.Statement("if constexpr (IsSameType<T, float>::value) {");
  text.Statement("return from;");
  text.Reopen("} else {");
  text.Statement("LocalTensor<float> to = buffer.Get<float>();");
  text.Statement("Cast(to, from, RoundMode::CAST_NONE, count);");
  text.Statement("return to;");
  text.Close();
  text.Close();
  text.Blank();
  return text;
}

}  // namespace belay::crux::print
