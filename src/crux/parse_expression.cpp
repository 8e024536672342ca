// SPDX-License-Identifier: Apache-2.0
#include "crux/parse_expression.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace belay::crux {

using syntax::Expr;
using syntax::ExprKind;
using syntax::Operator;

namespace {

struct BinaryOperator {
  std::string_view symbol;
  Operator op;
  int precedence;
};

// Comparisons have precedence 4 and are a chain; `not` 3, `and` 2, `or` 1.
constexpr BinaryOperator kBinary[] = {
    {"or", Operator::kLogicalOr, 1}, {"and", Operator::kLogicalAnd, 2},
    {"<", Operator::kLess, 4},       {"<=", Operator::kLessEqual, 4},
    {">", Operator::kGreater, 4},    {">=", Operator::kGreaterEqual, 4},
    {"==", Operator::kEqual, 4},     {"!=", Operator::kNotEqual, 4},
    {"is", Operator::kIs, 4},        {"in", Operator::kIn, 4},
    {"not", Operator::kNotIn, 4},    {"|", Operator::kOr, 5},
    {"^", Operator::kXor, 6},        {"&", Operator::kAnd, 7},
    {"<<", Operator::kShiftLeft, 8}, {">>", Operator::kShiftRight, 8},
    {"+", Operator::kAdd, 9},        {"-", Operator::kSub, 9},
    {"*", Operator::kMul, 10},       {"/", Operator::kDiv, 10},
    {"//", Operator::kFloorDiv, 10}, {"%", Operator::kMod, 10},
    {"@", Operator::kMatmul, 10},
};
constexpr int kComparison = 4;

const BinaryOperator* FindBinary(const Token& token) {
  if (token.kind != TokenKind::kSymbol && token.kind != TokenKind::kName) {
    return nullptr;
  }
  for (const BinaryOperator& binary : kBinary) {
    if (token.text == binary.symbol) return &binary;
  }
  return nullptr;
}

}  // namespace

ExpressionParser::Deeper::Deeper(ExpressionParser& parser) : parser(parser) {
  if (++parser.depth_ <= syntax::kMaxDepth) return;
  --parser.depth_;
  parser.stream_.Fail(code::kX108, parser.stream_.Peek().range,
                      fmt::format("this expression is nested more than {} deep",
                                  syntax::kMaxDepth),
                      "give its parts names");
}

Expr* ExpressionParser::New(ExprKind kind, const SourceRange& range) {
  Expr* expr = module_.NewExpr();
  expr->kind = kind;
  expr->range = range;
  expr->place = range;
  return expr;
}

void ExpressionParser::AddItem(Expr* parent, Expr* item) {
  parent->items.push_back(item);
  if (!item) return;
  parent->range = Join(parent->range, item->range);
  parent->depth = std::max(parent->depth, item->depth + 1);
  if (parent->depth > syntax::kMaxDepth) {
    stream_.Fail(code::kX108, item->range,
                 fmt::format("this expression is nested more than {} deep",
                             syntax::kMaxDepth),
                 "give its parts names");
  }
}

Expr* ExpressionParser::ExpressionList() {
  Expr* first = Expression();
  if (!stream_.At(",")) return first;
  Expr* tuple = New(ExprKind::kTuple, first->range);
  AddItem(tuple, first);
  while (stream_.TakeIf(",")) {
    if (stream_.At(TokenKind::kNewline) || stream_.At("=") || stream_.At(":") ||
        stream_.At("in")) {
      break;
    }
    AddItem(tuple, Expression());
  }
  return tuple;
}

Expr* ExpressionParser::TargetList() {
  struct Stop {
    explicit Stop(bool& flag) : flag(flag) { flag = true; }
    ~Stop() { flag = false; }
    bool& flag;
  };
  const Stop stop(stop_at_in_);
  return ExpressionList();
}

Expr* ExpressionParser::Expression() {
  const Deeper deeper(*this);
  if (stream_.At("lambda")) {
    stream_.Fail(code::kX107, stream_.Peek().range, "Crux has no lambda",
                 "write an @inline helper and call it by name");
  }
  if (stream_.At("*") || stream_.At("**")) {
    const SourceRange star = stream_.Peek().range;
    if (stream_.TakeIf("*")) {
      Expr* starred = New(ExprKind::kStarred, star);
      AddItem(starred, Binary(5));
      return starred;
    }
    stream_.Fail(code::kX107, star, "Crux cannot unpack keyword arguments",
                 "write the arguments one by one");
  }
  Expr* expr = Binary(1);
  if (stream_.At(":=")) {
    stream_.Fail(code::kX107, stream_.Peek().range,
                 "Crux has no assignment inside an expression (':=')",
                 "assign on a line of its own");
  }
  if (!stream_.At("if")) return expr;
  const SourceRange place = stream_.Take().range;
  Expr* select = New(ExprKind::kSelect, expr->range);
  select->place = place;
  AddItem(select, expr);
  AddItem(select, Binary(1));
  stream_.Expect("else", "in the conditional expression",
                 "write `a if condition else b`");
  AddItem(select, Expression());
  return select;
}

Expr* ExpressionParser::Binary(int precedence) {
  const Deeper deeper(*this);
  Expr* left = Unary();
  while (true) {
    if (stream_.AtPair("&", "&") || stream_.AtPair("|", "|")) {
      const bool both = stream_.At("&");
      const SourceRange range =
          Join(stream_.Peek().range, stream_.Peek(1).range);
      stream_.Fail(
          code::kX105, range,
          fmt::format("'{0}{0}' is not an operator of Crux", both ? '&' : '|'),
          both ? "write `and` between host conditions, `&` between "
                 "bool tiles"
               : "write `or` between host conditions, `|` between "
                 "bool tiles");
    }
    const BinaryOperator* found = FindBinary(stream_.Peek());
    if (!found || found->precedence < precedence) return left;
    if (found->precedence == kComparison) {
      if (found->op == Operator::kIn && stop_at_in_) return left;
      if (found->op == Operator::kNotIn && !stream_.Peek(1).Is("in")) {
        return left;
      }
      left = Comparison(left);
      continue;
    }
    const SourceRange place = stream_.Take().range;
    Expr* right = Binary(found->precedence + 1);
    const bool logic = found->precedence <= 2;
    Expr* joined =
        New(logic ? ExprKind::kLogic : ExprKind::kBinary, left->range);
    joined->op = found->op;
    joined->place = place;
    AddItem(joined, left);
    AddItem(joined, right);
    left = joined;
  }
}

// As many comparisons as follow each other.
Expr* ExpressionParser::Comparison(Expr* first) {
  Expr* chain = New(ExprKind::kCompare, first->range);
  AddItem(chain, first);
  while (const BinaryOperator* found = FindBinary(stream_.Peek())) {
    if (found->precedence != kComparison) break;
    if (found->op == Operator::kIn && stop_at_in_) break;
    Operator op = found->op;
    if (op == Operator::kNotIn && !stream_.Peek(1).Is("in")) break;
    const Token& token = stream_.Take();
    if (chain->ops.empty()) chain->place = token.range;
    if (op == Operator::kNotIn) stream_.Take();
    if (op == Operator::kIs && stream_.TakeIf("not")) op = Operator::kIsNot;
    chain->ops.push_back(op);
    AddItem(chain, Binary(kComparison + 1));
  }
  return chain;
}

Expr* ExpressionParser::Unary() {
  const Token& token = stream_.Peek();
  std::optional<Operator> op;
  if (token.Is("-")) op = Operator::kNegate;
  if (token.Is("+")) op = Operator::kPlus;
  if (token.Is("~")) op = Operator::kInvert;
  if (token.Is("not")) op = Operator::kLogicalNot;
  if (!op) return Power();
  const Deeper deeper(*this);
  stream_.Take();
  const bool logic = *op == Operator::kLogicalNot;
  Expr* unary = New(logic ? ExprKind::kLogic : ExprKind::kUnary, token.range);
  unary->op = *op;
  AddItem(unary, logic ? Binary(kComparison) : Unary());
  return unary;
}

Expr* ExpressionParser::Power() {
  Expr* base = Primary();
  if (!stream_.At("**")) return base;
  const Deeper deeper(*this);
  const SourceRange place = stream_.Take().range;
  Expr* power = New(ExprKind::kBinary, base->range);
  power->op = Operator::kPow;
  power->place = place;
  AddItem(power, base);
  AddItem(power, Unary());
  return power;
}

Expr* ExpressionParser::Primary() {
  Expr* expr = Atom();
  while (true) {
    if (stream_.At(".")) {
      stream_.Take();
      const Token& name = stream_.Peek();
      if (name.kind != TokenKind::kName || IsKeyword(name.text)) {
        stream_.Fail(code::kX105, name.range,
                     fmt::format("expected a name after '.', got {}",
                                 stream_.Describe(name)));
      }
      stream_.Take();
      Expr* attribute = New(ExprKind::kAttribute, expr->range);
      attribute->text = name.text;
      AddItem(attribute, expr);
      attribute->range = Join(attribute->range, name.range);
      attribute->place = name.range;
      expr = attribute;
    } else if (stream_.At("(")) {
      Expr* call = New(ExprKind::kCall, expr->range);
      AddItem(call, expr);
      CallArguments(call);
      expr = call;
    } else if (stream_.At("[")) {
      stream_.Take();
      Expr* subscript = New(ExprKind::kSubscript, expr->range);
      AddItem(subscript, expr);
      while (!stream_.At("]")) {
        AddItem(subscript, SubscriptItem());
        if (!stream_.TakeIf(",")) break;
      }
      subscript->range = Join(subscript->range, stream_.Peek().range);
      stream_.Expect("]", "after the subscripts");
      expr = subscript;
    } else {
      return expr;
    }
  }
}

// a, a:b, a:b:c, with parts left out.
Expr* ExpressionParser::SubscriptItem() {
  Expr* low = nullptr;
  if (!stream_.At(":")) low = Expression();
  if (!stream_.At(":")) return low;
  const SourceRange place = stream_.Take().range;
  const auto part = [this]() -> Expr* {
    if (stream_.At(":") || stream_.At("]") || stream_.At(",")) return nullptr;
    return Expression();
  };
  Expr* slice = New(ExprKind::kSlice, low ? low->range : place);
  slice->range = Join(slice->range, place);
  slice->place = place;
  AddItem(slice, low);
  AddItem(slice, part());
  Expr* step = nullptr;
  if (stream_.At(":")) {
    slice->range = Join(slice->range, stream_.Take().range);
    step = part();
  }
  AddItem(slice, step);
  return slice;
}

void ExpressionParser::CallArguments(Expr* call) {
  stream_.Take();
  while (!stream_.At(")")) {
    const Token& name = stream_.Peek();
    if (name.kind == TokenKind::kName && stream_.Peek(1).Is("=")) {
      stream_.Take();
      stream_.Take();
      Expr* value = Expression();
      call->depth = std::max(call->depth, value->depth + 1);
      call->keywords.push_back({std::string(name.text), value, name.range});
    } else {
      Expr* value = Expression();
      RefuseComprehension();
      if (!call->keywords.empty()) {
        stream_.Fail(code::kX105, value->range,
                     fmt::format("an argument without a name stands behind "
                                 "the keyword argument '{}='",
                                 call->keywords.back().name),
                     "write arguments without a name first");
      }
      AddItem(call, value);
    }
    if (!stream_.TakeIf(",")) break;
  }
  call->range = Join(call->range, stream_.Peek().range);
  stream_.Expect(")", "after the arguments", "write ',' or ')' here");
}

void ExpressionParser::RefuseComprehension() {
  if (!stream_.At("for")) return;
  stream_.Fail(code::kX107, stream_.Peek().range,
               "Crux has no comprehensions or generators",
               "tiles are computed as a whole; else write a `for` statement");
}

Expr* ExpressionParser::Parenthesised() {
  const SourceRange open = stream_.Take().range;
  Expr* expr = nullptr;
  if (stream_.At(")")) {
    expr = New(ExprKind::kTuple, open);
  } else {
    expr = Expression();
    RefuseComprehension();
    if (stream_.At(",")) {
      Expr* tuple = New(ExprKind::kTuple, open);
      AddItem(tuple, expr);
      while (stream_.TakeIf(",") && !stream_.At(")")) {
        AddItem(tuple, Expression());
      }
      expr = tuple;
    }
  }
  expr->range = Join(Join(expr->range, open), stream_.Peek().range);
  stream_.Expect(")", "to close the bracket", "write ',' or ')' here");
  return expr;
}

Expr* ExpressionParser::ListDisplay() {
  const SourceRange open = stream_.Take().range;
  Expr* list = New(ExprKind::kList, open);
  while (!stream_.At("]")) {
    AddItem(list, Expression());
    RefuseComprehension();
    if (!stream_.TakeIf(",")) break;
  }
  list->range = Join(list->range, stream_.Peek().range);
  stream_.Expect("]", "to close the list");
  return list;
}

Expr* ExpressionParser::Atom() {
  const Token& token = stream_.Peek();
  switch (token.kind) {
    case TokenKind::kInteger: {
      Expr* number = New(ExprKind::kInteger, stream_.Take().range);
      number->integer = token.integer;
      number->text = token.text;
      return number;
    }
    case TokenKind::kFloat: {
      Expr* number = New(ExprKind::kFloat, stream_.Take().range);
      number->real = token.real;
      number->text = token.text;
      return number;
    }
    case TokenKind::kString: {
      Expr* string = New(ExprKind::kString, stream_.Take().range);
      string->text = token.value;
      while (stream_.At(TokenKind::kString)) {
        string->text += stream_.Peek().value;
        string->range = Join(string->range, stream_.Take().range);
      }
      return string;
    }
    case TokenKind::kName:
      break;
    default: {
      const bool inner = stop_at_in_;
      stop_at_in_ = false;
      Expr* expr = nullptr;
      if (token.Is("(")) expr = Parenthesised();
      if (token.Is("[")) expr = ListDisplay();
      if (token.Is("..."))
        expr = New(ExprKind::kEllipsis, stream_.Take().range);
      stop_at_in_ = inner;
      if (expr) return expr;
      if (token.Is("{")) {
        stream_.Fail(code::kX107, token.range, "Crux has no dicts and sets",
                     "give the values names of their own");
      }
      std::string fix = "write a value here, or delete what stands before it";
      if (token.Is("=")) fix = "a comparison is written `==`";
      if ((stream_.Last().Is("+") && stream_.Last(1).Is("+")) ||
          (stream_.Last().Is("-") && stream_.Last(1).Is("-"))) {
        fix = "`i++` is written `i += 1`";
      }
      stream_.Fail(code::kX105, token.range,
                   fmt::format("expected an expression, got {}",
                               stream_.Describe(token)),
                   fix);
    }
  }
  if (token.text == "True" || token.text == "False") {
    Expr* expr = New(ExprKind::kBool, stream_.Take().range);
    expr->integer = token.text == "True";
    return expr;
  }
  if (token.text == "None") return New(ExprKind::kNone, stream_.Take().range);
  RefuseKeyword(token);
  Expr* name = New(ExprKind::kName, stream_.Take().range);
  name->text = token.text;
  return name;
}

void ExpressionParser::RefuseKeyword(const Token& token) {
  if (!IsKeyword(token.text)) return;
  if (token.Is("await") || token.Is("yield") || token.Is("async")) {
    stream_.Fail(code::kX107, token.range,
                 fmt::format("Crux has no {}", token.text),
                 "a kernel runs from top to bottom; copies and computing are "
                 "overlapped by the compiler");
  }
  stream_.Fail(
      code::kX105, token.range,
      fmt::format("expected an expression, got the keyword '{}'", token.text),
      "a value is needed here; a word of the language cannot be a name");
}

}  // namespace belay::crux
