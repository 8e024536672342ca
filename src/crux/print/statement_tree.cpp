// SPDX-License-Identifier: Apache-2.0
#include "crux/print/statement_tree.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "base/error.h"
#include "crux/print/names.h"

namespace belay::crux::print {
namespace {

constexpr std::array<std::string_view, 12> kElementTypes = {
    "bfloat16_t", "float",    "half",     "int16_t",  "int32_t", "int64_t",
    "int8_t",     "uint16_t", "uint32_t", "uint64_t", "uint8_t", "bool"};

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Where the word that begins at `at` ends.
size_t WordEnd(std::string_view text, size_t at) {
  size_t end = at + 1;
  const char first = text[at];
  if (first == '"') {
    while (end < text.size() && text[end] != '"') {
      end += text[end] == '\\' ? 2 : 1;
    }
    return std::min(end + 1, text.size());
  }
  if (!IsWordPart(first)) return end;
  while (end < text.size()) {
    const char c = text[end];
    const bool exponent = (c == '+' || c == '-') && IsDigit(first) &&
                          (text[end - 1] == 'e' || text[end - 1] == 'E') &&
                          !text.substr(at).starts_with("0x");
    if (!IsWordPart(c) && !(IsDigit(first) && c == '.') && !exponent) {
      break;
    }
    ++end;
  }
  return end;
}

class Parser {
 public:
  Parser(const std::vector<Line>& lines, Vocabulary& vocabulary)
      : lines_(lines), vocabulary_(vocabulary) {}

  // Until a line that begins with '}', or the end.
  std::vector<Statement> Block() {
    std::vector<Statement> block;
    std::vector<std::string> comments;
    for (; at_ < lines_.size(); ++at_) {
      const Line& line = lines_[at_];
      if (line.text.empty()) continue;
      if (line.kind == LineKind::kComment) {
        comments.push_back(line.text);
        continue;
      }
      if (line.text.starts_with('}')) break;
      block.push_back(One());
      block.back().comments = std::exchange(comments, {});
    }
    return block;
  }

 private:
  Statement One() {
    Statement statement;
    statement.kind = lines_[at_].kind;
    statement.nested = lines_[at_].text.ends_with('{');
    statement.parts.push_back({vocabulary_.Read(lines_[at_].text), {}});
    while (statement.nested) {
      ++at_;
      statement.parts.back().body = Block();
      if (at_ == lines_.size()) {
        throw InternalError("[crux] a printed block does not end");
      }
      const std::string& text = lines_[at_].text;
      if (!text.ends_with('{')) {
        statement.close = text;
        break;
      }
      statement.parts.push_back({vocabulary_.Read(text), {}});
    }
    return statement;
  }

  const std::vector<Line>& lines_;
  Vocabulary& vocabulary_;
  size_t at_ = 0;
};

bool Mentions(const Statement& statement, Word word) {
  for (const Part& part : statement.parts) {
    for (const Token token : part.head) {
      if (!IsSlot(token) && WordOf(token) == word) return true;
    }
    for (const Statement& inner : part.body) {
      if (Mentions(inner, word)) return true;
    }
  }
  return false;
}

// Behind the type that begins at `at`; `at` itself if none does.
size_t TypeEnd(const Tokens& head, size_t at, const Vocabulary& vocabulary) {
  const auto is = [&](size_t i, Word word) {
    return i < head.size() && WordOf(head[i]) == word;
  };
  size_t end = at;
  if (end >= head.size()) return at;
  if (!IsSlot(head[end]) && !vocabulary.IsName(WordOf(head[end]))) return at;
  ++end;
  while (is(end, Vocabulary::kColon) && is(end + 1, Vocabulary::kColon)) {
    end += 3;
  }
  if (is(end, Vocabulary::kLess) && !HasBlank(head[end])) {
    int depth = 0;
    do {
      if (is(end, Vocabulary::kLess)) ++depth;
      if (is(end, Vocabulary::kGreater)) --depth;
      ++end;
    } while (depth > 0 && end < head.size());
  }
  while (is(end, Vocabulary::kAnd) || is(end, Vocabulary::kStar)) ++end;
  return end;
}

}  // namespace

Vocabulary::Vocabulary() {
  static constexpr std::array<std::string_view, kFixed> kTexts = {
      "const",       "constexpr",
      "static",      "for",
      "return",      "if",
      "else",        "while",
      "case",        "using",
      "(",           ":",
      "<",           ">",
      "&",           "*",
      "=",           ";",
      "{",           "[",
      ".",           "GlobalTensor",
      "LocalTensor", "TBuf",
      "TQue",        "TQueBind",
      "FreeTensor"};
  for (const std::string_view text : kTexts) Of(text);
}

Word Vocabulary::Of(std::string_view text) {
  const auto found = numbers_.find(text);
  if (found != numbers_.end()) return found->second;
  const Word word = static_cast<Word>(texts_.size());
  texts_.emplace_back(text);
  numbers_.emplace(texts_.back(), word);
  uint8_t kind = 0;
  if (IsWordPart(text[0]) && !IsDigit(text[0])) kind |= kNameKind;
  if (std::find(kElementTypes.begin(), kElementTypes.end(), text) !=
      kElementTypes.end()) {
    kind |= kTypeKind;
  }
  if (std::all_of(text.begin(), text.end(), IsDigit)) kind |= kIntegerKind;
  kinds_.push_back(kind);
  values_.push_back((kind & kIntegerKind) != 0
                        ? std::strtoll(texts_.back().c_str(), nullptr, 10)
                        : 0);
  stems_.push_back(-1);
  return word;
}

Word Vocabulary::Stem(Word word) {
  const auto at = static_cast<size_t>(word);
  if (stems_[at] < 0) {
    std::string text = texts_[at];
    while (text.size() > 1 && IsDigit(text.back())) text.pop_back();
    if (text.size() > 1 && text.ends_with('_') && text != texts_[at]) {
      text.pop_back();
    }
    const Word stem = Of(text);
    stems_[at] = stem;
  }
  return stems_[at];
}

const Tokens& Vocabulary::Read(std::string_view line) {
  const auto known = lines_.find(line);
  if (known != lines_.end()) return known->second;
  Tokens tokens;
  bool blank = false;
  for (size_t at = 0; at < line.size();) {
    if (line[at] == ' ') {
      blank = true;
      ++at;
      continue;
    }
    const size_t end = WordEnd(line, at);
    tokens.push_back(TokenOf(Of(line.substr(at, end - at)), blank));
    blank = false;
    at = end;
  }
  return lines_.emplace(line, std::move(tokens)).first->second;
}

std::vector<Statement> Parse(const std::vector<Line>& lines,
                             Vocabulary& vocabulary) {
  return Parser(lines, vocabulary).Block();
}

std::optional<Declaration> DeclarationIn(const Tokens& head,
                                         const Vocabulary& vocabulary) {
  const auto word = [&](size_t i) -> Word {
    return i < head.size() ? WordOf(head[i]) : -1;
  };
  Declaration result;
  if (word(0) == Vocabulary::kFor) {
    result.loop = true;
    result.type = 2;
  }
  while (word(result.type) >= Vocabulary::kConst &&
         word(result.type) <= Vocabulary::kStatic) {
    ++result.type;
  }
  if (word(result.type) >= Vocabulary::kReturn &&
      word(result.type) <= Vocabulary::kUsing) {
    return std::nullopt;
  }
  result.at = TypeEnd(head, result.type, vocabulary);
  if (result.at == result.type || result.at + 1 >= head.size() ||
      IsSlot(head[result.at]) || !HasBlank(head[result.at])) {
    return std::nullopt;
  }
  result.name = WordOf(head[result.at]);
  const Word next = word(result.at + 1);
  if (!vocabulary.IsName(result.name) ||
      !(next == Vocabulary::kEquals || next == Vocabulary::kSemicolon ||
        next == Vocabulary::kOpen || next == Vocabulary::kBrace ||
        next == Vocabulary::kBracket)) {
    return std::nullopt;
  }
  return result;
}

std::vector<Declaration> ParametersIn(const Tokens& head,
                                      const Vocabulary& vocabulary) {
  std::vector<Declaration> parameters;
  size_t at = 0;
  while (at < head.size() && WordOf(head[at]) != Vocabulary::kOpen) ++at;
  while (++at < head.size()) {
    Declaration one;
    if (WordOf(head[at]) == Vocabulary::kConst) ++at;
    one.type = at;
    one.at = TypeEnd(head, at, vocabulary);
    if (one.at == one.type || one.at >= head.size()) break;
    one.name = WordOf(head[one.at]);
    parameters.push_back(one);
    at = one.at + 1;  // ',' or ')'
  }
  return parameters;
}

}  // namespace belay::crux::print
