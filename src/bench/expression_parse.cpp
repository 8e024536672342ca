// SPDX-License-Identifier: Apache-2.0
// Reads the text of an expression by recursive descent.

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cstdlib>

#include "bench/expression_node.h"

namespace belay::bench {
namespace {

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  NodePtr ParseAll() {
    NodePtr node = ParseChoice();
    SkipSpace();
    if (at_ != text_.size()) Fail("nothing more");
    return node;
  }

 private:
  [[noreturn]] void Fail(std::string_view expected) const {
    const std::string found = at_ < text_.size()
                                  ? fmt::format("'{}'", text_.substr(at_, 8))
                                  : std::string("the end");
    throw ExpressionError(
        fmt::format("[expression] \"{}\", column {}: expected {}, found {}",
                    text_, at_ + 1, expected, found));
  }

  void SkipSpace() {
    while (at_ < text_.size() &&
           std::isspace(static_cast<unsigned char>(text_[at_]))) {
      ++at_;
    }
  }

  static bool IsWordPart(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  }

  // Takes a sign or a whole word if it comes next.
  bool Take(std::string_view token) {
    SkipSpace();
    if (text_.substr(at_, token.size()) != token) return false;
    const size_t end = at_ + token.size();
    if (IsWordPart(token.back()) && end < text_.size() &&
        IsWordPart(text_[end])) {
      return false;
    }
    at_ = end;
    return true;
  }

  void Require(std::string_view token) {
    if (!Take(token)) Fail(fmt::format("'{}'", token));
  }

  static NodePtr Make(NodeKind kind, std::string text,
                      std::vector<NodePtr> children) {
    auto node = std::make_shared<ExpressionNode>();
    node->kind = kind;
    node->text = std::move(text);
    node->children = std::move(children);
    return node;
  }

  static NodePtr Literal(Value value) {
    auto node = std::make_shared<ExpressionNode>();
    node->literal = std::move(value);
    return node;
  }

  NodePtr ParseChoice() {
    NodePtr value = ParseOr();
    if (!Take("if")) return value;
    NodePtr condition = ParseOr();
    Require("else");
    NodePtr otherwise = ParseChoice();
    return Make(NodeKind::kChoice, "if", {condition, value, otherwise});
  }

  NodePtr ParseOr() {
    NodePtr left = ParseAnd();
    while (Take("or")) left = Make(NodeKind::kBinary, "or", {left, ParseAnd()});
    return left;
  }

  NodePtr ParseAnd() {
    NodePtr left = ParseNot();
    while (Take("and")) {
      left = Make(NodeKind::kBinary, "and", {left, ParseNot()});
    }
    return left;
  }

  NodePtr ParseNot() {
    if (Take("not")) return Make(NodeKind::kUnary, "not", {ParseNot()});
    return ParseComparison();
  }

  NodePtr ParseComparison() {
    NodePtr left = ParseSum();
    for (std::string_view sign : {"==", "!=", "<=", ">=", "<", ">", "in"}) {
      if (Take(sign)) {
        return Make(NodeKind::kBinary, std::string(sign), {left, ParseSum()});
      }
    }
    return left;
  }

  NodePtr ParseSum() {
    NodePtr left = ParseProduct();
    while (true) {
      if (Take("+")) {
        left = Make(NodeKind::kBinary, "+", {left, ParseProduct()});
      } else if (Take("-")) {
        left = Make(NodeKind::kBinary, "-", {left, ParseProduct()});
      } else {
        return left;
      }
    }
  }

  NodePtr ParseProduct() {
    NodePtr left = ParseUnary();
    while (true) {
      std::string sign;
      for (std::string_view candidate : {"//", "/", "%", "*"}) {
        SkipSpace();
        if (candidate == "*" && text_.substr(at_, 2) == "**") continue;
        if (Take(candidate)) {
          sign = candidate;
          break;
        }
      }
      if (sign.empty()) return left;
      left = Make(NodeKind::kBinary, sign, {left, ParseUnary()});
    }
  }

  NodePtr ParseUnary() {
    if (Take("-")) return Make(NodeKind::kUnary, "-", {ParseUnary()});
    NodePtr base = ParsePostfix();
    if (Take("**")) return Make(NodeKind::kBinary, "**", {base, ParseUnary()});
    return base;
  }

  NodePtr ParsePostfix() {
    NodePtr node = ParseAtom();
    while (Take("[")) {
      NodePtr index = ParseChoice();
      Require("]");
      node = Make(NodeKind::kIndex, "[]", {node, index});
    }
    return node;
  }

  NodePtr ParseAtom() {
    SkipSpace();
    if (at_ == text_.size()) Fail("a value");
    const char first = text_[at_];
    if (Take("(")) {
      NodePtr inner = ParseChoice();
      Require(")");
      return inner;
    }
    if (Take("[")) return ParseList();
    if (first == '\'' || first == '"') return ParseString(first);
    if (std::isdigit(static_cast<unsigned char>(first)) || first == '.') {
      return ParseNumber();
    }
    if (IsWordPart(first)) return ParseWord();
    Fail("a value");
  }

  NodePtr ParseList() {
    std::vector<NodePtr> items;
    while (!Take("]")) {
      if (!items.empty()) {
        Require(",");
        if (Take("]")) break;
      }
      const bool spread = Take("*");
      NodePtr item = ParseChoice();
      if (items.empty() && !spread && Take("for")) return ParseEach(item);
      items.push_back(spread ? Make(NodeKind::kSpread, "*", {item}) : item);
    }
    return Make(NodeKind::kList, "[", std::move(items));
  }

  NodePtr ParseEach(NodePtr item) {
    const std::string name = Word();
    if (name.empty()) Fail("a name after 'for'");
    Require("in");
    NodePtr list = ParseOr();
    Require("]");
    return Make(NodeKind::kEach, name, {std::move(item), list});
  }

  NodePtr ParseString(char quote) {
    const size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) Fail("a closing quote");
    std::string value(text_.substr(at_ + 1, end - at_ - 1));
    at_ = end + 1;
    return Literal(std::move(value));
  }

  NodePtr ParseNumber() {
    const size_t begin = at_;
    bool real = false;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      const bool after_exponent =
          at_ > begin && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E');
      if (c == '.' || c == 'e' || c == 'E') {
        real = true;
      } else if (!std::isdigit(static_cast<unsigned char>(c)) &&
                 !((c == '-' || c == '+') && after_exponent)) {
        break;
      }
      ++at_;
    }
    const std::string digits(text_.substr(begin, at_ - begin));
    char* end = nullptr;
    errno = 0;
    Value value = real ? Value(std::strtod(digits.c_str(), &end))
                       : Value(std::strtoll(digits.c_str(), &end, 10));
    if (*end != '\0' || errno != 0) {
      at_ = begin;
      Fail("a number");
    }
    return Literal(std::move(value));
  }

  std::string Word() {
    SkipSpace();
    const size_t begin = at_;
    while (at_ < text_.size() && IsWordPart(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  NodePtr ParseWord() {
    std::string name = Word();
    if (name == "True" || name == "False") return Literal(name == "True");
    if (!Take("(")) return Make(NodeKind::kName, std::move(name), {});
    std::vector<NodePtr> arguments;
    while (!Take(")")) {
      if (!arguments.empty()) Require(",");
      arguments.push_back(ParseChoice());
    }
    return Make(NodeKind::kCall, std::move(name), std::move(arguments));
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

NodePtr ParseExpression(std::string_view text) {
  return Parser(text).ParseAll();
}

}  // namespace belay::bench
