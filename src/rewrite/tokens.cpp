// SPDX-License-Identifier: Apache-2.0
#include "rewrite/tokens.h"

#include <algorithm>
#include <cctype>
#include <string>

namespace belay::rewrite {
namespace {

bool IsWordStart(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool IsWordPart(char c) {
  return IsWordStart(c) || std::isdigit(static_cast<unsigned char>(c)) != 0;
}

class Tokenizer {
 public:
  explicit Tokenizer(std::string_view source) : source_(source) {}

  std::vector<Token> Run() {
    while (at_ < source_.size()) Step();
    return std::move(tokens_);
  }

 private:
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  bool Sees(std::string_view text) const {
    return source_.substr(at_).starts_with(text);
  }

  void Step() {
    const char c = Peek();
    if (c == '\n') {
      ++at_;
      in_directive_ = false;
      line_is_empty_ = true;
    } else if (c == '\\' && (Peek(1) == '\n' || Sees("\\\r\n"))) {
      at_ += Peek(1) == '\n' ? 2 : 3;  // the line goes on
    } else if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at_;
    } else if (Sees("//")) {
      SkipLineComment();
    } else if (Sees("/*")) {
      const size_t end = source_.find("*/", at_ + 2);
      at_ = end == std::string_view::npos ? source_.size() : end + 2;
    } else {
      ReadToken();
    }
  }

  void SkipLineComment() {
    for (; at_ < source_.size() && Peek() != '\n'; ++at_) {
      if (Peek() == '\\' && Peek(1) == '\n') ++at_;
    }
  }

  void ReadToken() {
    const size_t begin = at_;
    if (Peek() == '#' && line_is_empty_) {
      in_directive_ = true;
      ++directives_;
    }
    line_is_empty_ = false;
    Token::Kind kind = Token::Kind::kSign;
    if (const size_t prefix = TextPrefix(); prefix != std::string_view::npos) {
      kind = Token::Kind::kText;
      at_ += prefix;
      ReadText(begin);
    } else if (IsWordStart(Peek())) {
      kind = Token::Kind::kWord;
      while (IsWordPart(Peek())) ++at_;
    } else if (std::isdigit(static_cast<unsigned char>(Peek())) != 0 ||
               (Peek() == '.' &&
                std::isdigit(static_cast<unsigned char>(Peek(1))) != 0)) {
      kind = Token::Kind::kNumber;
      ReadNumber();
    } else {
      at_ += SignLength();
    }
    Token token;
    token.kind = kind;
    token.begin = begin;
    token.end = at_;
    token.text = source_.substr(begin, at_ - begin);
    token.directive = in_directive_ ? directives_ : 0;
    tokens_.push_back(token);
  }

  // How many characters stand before the quote of a string or character that
  // begins here; npos if none does.
  size_t TextPrefix() const {
    for (const std::string_view prefix :
         {"", "R", "L", "u", "U", "u8", "LR", "uR", "UR", "u8R"}) {
      if (!Sees(prefix)) continue;
      const char quote = Peek(prefix.size());
      if (quote == '"' || (quote == '\'' && !prefix.ends_with('R'))) {
        return prefix.size();
      }
    }
    return std::string_view::npos;
  }

  // From the quote to the end of the text.
  void ReadText(size_t begin) {
    if (at_ > begin && source_[at_ - 1] == 'R') {
      const size_t open = source_.find('(', at_);
      if (open != std::string_view::npos) {
        const std::string close =
            ")" + std::string(source_.substr(at_ + 1, open - at_ - 1)) + "\"";
        const size_t end = source_.find(close, open);
        at_ =
            end == std::string_view::npos ? source_.size() : end + close.size();
        return;
      }
    }
    const char quote = Peek();
    for (++at_; at_ < source_.size(); ++at_) {
      if (Peek() == '\\') {
        ++at_;
      } else if (Peek() == quote) {
        ++at_;
        return;
      } else if (Peek() == '\n') {
        return;  // an apostrophe in text that is not code
      }
    }
    at_ = std::min(at_, source_.size());
  }

  void ReadNumber() {
    while (IsWordPart(Peek()) || Peek() == '.' ||
           (Peek() == '\'' && IsWordPart(Peek(1)))) {
      const char c = Peek();
      ++at_;
      const bool exponent = c == 'e' || c == 'E' || c == 'p' || c == 'P';
      if (exponent && (Peek() == '+' || Peek() == '-')) ++at_;
    }
  }

  size_t SignLength() const {
    for (const std::string_view sign : {"<<<", ">>>", "::", "->"}) {
      if (Sees(sign)) return sign.size();
    }
    return 1;
  }

  std::string_view source_;
  size_t at_ = 0;
  std::vector<Token> tokens_;
  bool in_directive_ = false;
  bool line_is_empty_ = true;
  int directives_ = 0;
};

}  // namespace

std::vector<Token> Tokenize(std::string_view source) {
  return Tokenizer(source).Run();
}

}  // namespace belay::rewrite
