// SPDX-License-Identifier: Apache-2.0
#include "crux/format_spacing.h"

#include <algorithm>

namespace belay::crux {
namespace {

struct Level {
  char bracket = ' ';      // ' ' outside of brackets
  bool call = false;       // the bracket follows a name or a closing bracket
  bool def = false;        // the parameters of a function
  bool annotated = false;  // a ':' has been seen since the last comma
  size_t item = 0;         // where the item began
};

int PrecedenceOf(std::string_view text) {
  constexpr std::string_view kBySteps[] = {
      " if else ", " or ",         " and ", " < <= > >= == != is in ",
      " | ",       " ^ ",          " & ",   " << >> ",
      " + - ",     " * / // % @ ", " ** "};
  const std::string padded = " " + std::string(text) + " ";
  int step = 1;
  for (const std::string_view words : kBySteps) {
    if (words.find(padded) != std::string_view::npos) return step;
    ++step;
  }
  return 0;
}

bool IsOpen(std::string_view text) {
  return text == "(" || text == "[" || text == "{";
}
bool IsClose(std::string_view text) {
  return text == ")" || text == "]" || text == "}";
}
bool IsSimple(const Token& token) {
  return token.kind == TokenKind::kInteger || token.kind == TokenKind::kFloat ||
         (token.kind == TokenKind::kName && !IsKeyword(token.text));
}
bool IsOperand(const Token& token) {
  return IsSimple(token) || token.kind == TokenKind::kString ||
         IsClose(token.text) || token.text == "True" || token.text == "False" ||
         token.text == "None" || token.text == "...";
}

// "it's" stays; 'mean' becomes "mean".
std::string StringText(const Token& token) {
  std::string text(token.text);
  const size_t quote = text.find_first_of("'\"");
  if (text[quote] != '\'' ||
      text.find_first_of("\"\\\n") != std::string::npos ||
      text.substr(quote).starts_with("'''")) {
    return text;
  }
  text[quote] = '"';
  text.back() = '"';
  return text;
}

std::string TextOf(const Token& token) {
  if (token.kind == TokenKind::kString) return StringText(token);
  std::string text(token.text);
  if (token.kind == TokenKind::kFloat || token.kind == TokenKind::kInteger) {
    for (char& c : text) {
      if (c == 'E' || c == 'X') c = static_cast<char>(c | 0x20);
    }
  }
  return text;
}

class Spacer {
 public:
  explicit Spacer(const std::vector<Token>& tokens) : tokens_(tokens) {}

  std::vector<Piece> Run() {
    pieces_.resize(tokens_.size());
    levels_.push_back({});
    std::vector<int> open;
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const Token& token = tokens_[i];
      Piece& piece = pieces_[i];
      piece.text = TextOf(token);
      const bool unary = IsUnary(i);
      piece.space_before = i > 0 && SpaceBefore(i, unary);
      unary_.push_back(unary);
      if (!unary && token.kind != TokenKind::kString) {
        piece.precedence = PrecedenceOf(token.text);
        if (i == 0 || token.text == "in" ? !InBrackets() : false) {
          piece.precedence = 0;
        }
      }
      if (IsOpen(token.text) && token.kind == TokenKind::kSymbol) {
        open.push_back(static_cast<int>(i));
        Level level;
        level.bracket = token.text[0];
        level.call = i > 0 && IsOperand(tokens_[i - 1]);
        level.def = level.call && levels_.size() == 1 && tokens_[0].Is("def");
        level.item = i + 1;
        levels_.push_back(level);
      } else if (IsClose(token.text) && token.kind == TokenKind::kSymbol &&
                 !open.empty()) {
        piece.match = open.back();
        pieces_[open.back()].match = static_cast<int>(i);
        open.pop_back();
        levels_.pop_back();
      } else if (token.Is(",")) {
        levels_.back().annotated = false;
        levels_.back().item = i + 1;
      } else if (token.Is(":")) {
        levels_.back().annotated = true;
      }
    }
    return std::move(pieces_);
  }

 private:
  bool InBrackets() const { return levels_.size() > 1; }

  bool IsUnary(size_t i) const {
    const Token& token = tokens_[i];
    if (!token.Is("-") && !token.Is("+") && !token.Is("~") && !token.Is("*") &&
        !token.Is("**") && !token.Is("@") && !token.Is("not")) {
      return false;
    }
    if (token.Is("~")) return true;
    if (token.Is("not"))
      return i + 1 >= tokens_.size() || !tokens_[i + 1].Is("in");
    return i == 0 || !IsOperand(tokens_[i - 1]);
  }

  // Whether the slice that the colon at `i` belongs to has parts of more than
  // one word.
  bool ComplexSlice(size_t i) const {
    size_t words = 0;
    int depth = 0;
    for (size_t k = levels_.back().item; k < tokens_.size(); ++k) {
      const Token& token = tokens_[k];
      if (IsOpen(token.text)) ++depth;
      if (IsClose(token.text) && depth-- == 0) break;
      if (depth == 0 && token.Is(",")) break;
      if (depth == 0 && token.Is(":")) {
        words = 0;
        continue;
      }
      const bool sign = token.Is("-") && words == 0;
      if (!sign && !token.Is(".") && !tokens_[k - 1].Is(".")) ++words;
      if (words > 1) return true;
    }
    return i == 0;
  }

  // A power of simple operands is written without blanks.
  bool HugsPower(size_t i) const {
    if (i == 0 || i + 1 >= tokens_.size() || !IsSimple(tokens_[i - 1])) {
      return false;
    }
    if (i >= 2 && tokens_[i - 2].Is(".") && i >= 3 &&
        !IsSimple(tokens_[i - 3])) {
      return false;
    }
    size_t right = i + 1;
    if (tokens_[right].Is("-")) ++right;
    if (right >= tokens_.size() || !IsSimple(tokens_[right])) return false;
    return right + 1 >= tokens_.size() ||
           (!IsOpen(tokens_[right + 1].text) && !tokens_[right + 1].Is("."));
  }

  bool SpaceBefore(size_t i, bool unary) const {
    const Token& token = tokens_[i];
    const Token& last = tokens_[i - 1];
    const Level& level = levels_.back();
    const bool last_unary = unary_[i - 1];
    const bool symbol = token.kind == TokenKind::kSymbol;
    if (last.kind == TokenKind::kSymbol && IsOpen(last.text)) return false;
    if (symbol && (IsClose(token.text) || token.text == "," ||
                   token.text == "." || token.text == ";")) {
      return false;
    }
    if (last.Is(".")) return false;
    if (last.Is(",")) return true;
    if (last_unary && !last.Is("not")) return false;
    if (symbol && token.text == ":") {
      return level.bracket == '[' && ComplexSlice(i) && !last.Is(":");
    }
    if (last.Is(":")) {
      if (level.bracket == '[') return ComplexSlice(i);
      return true;
    }
    if (symbol && token.text == "=") return SpacedEquals(level);
    if (last.Is("=")) return SpacedEquals(level);
    if (token.Is("**") && !unary) return !HugsPower(i);
    if (last.Is("**") && !last_unary) return !HugsPower(i - 1);
    if (symbol && (token.text == "(" || token.text == "[")) {
      return !IsOperand(last);
    }
    return true;
  }

  // name=value in a call has no blanks; a default behind a type has.
  bool SpacedEquals(const Level& level) const {
    if (level.bracket == ' ') return true;
    return level.def && level.annotated;
  }

  const std::vector<Token>& tokens_;
  std::vector<Piece> pieces_;
  std::vector<Level> levels_;
  std::vector<bool> unary_;
};

}  // namespace

std::vector<Piece> Pieces(const std::vector<Token>& tokens) {
  return Spacer(tokens).Run();
}

}  // namespace belay::crux
