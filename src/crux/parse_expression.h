// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PARSE_EXPRESSION_H_
#define BELAY_CRUX_PARSE_EXPRESSION_H_

// Expressions of the syntax tree, by precedence climbing.

#include "crux/syntax.h"
#include "crux/token_stream.h"

namespace belay::crux {

class ExpressionParser {
 public:
  ExpressionParser(TokenStream& stream, syntax::Module& module)
      : stream_(stream), module_(module) {}

  // One expression, no bare tuple. Throws SyntaxFailure.
  syntax::Expr* Expression();
  // As Expression, or a tuple without parentheses.
  syntax::Expr* ExpressionList();
  // As ExpressionList, stopping before `in`: the targets of a `for`.
  syntax::Expr* TargetList();

 private:
  syntax::Expr* Binary(int precedence);
  syntax::Expr* Comparison(syntax::Expr* first);
  syntax::Expr* Unary();
  syntax::Expr* Power();
  syntax::Expr* Primary();
  syntax::Expr* Atom();
  syntax::Expr* Parenthesised();
  syntax::Expr* ListDisplay();
  syntax::Expr* SubscriptItem();
  void CallArguments(syntax::Expr* call);
  void RefuseKeyword(const Token& token);
  void RefuseComprehension();

  syntax::Expr* New(syntax::ExprKind kind, const SourceRange& range);
  void AddItem(syntax::Expr* parent, syntax::Expr* item);

  // Guards recursion; throws beyond syntax::kMaxDepth.
  struct Deeper {
    explicit Deeper(ExpressionParser& parser);
    ~Deeper() { --parser.depth_; }
    ExpressionParser& parser;
  };

  TokenStream& stream_;
  syntax::Module& module_;
  int depth_ = 0;
  bool stop_at_in_ = false;
};

}  // namespace belay::crux

#endif  // BELAY_CRUX_PARSE_EXPRESSION_H_
