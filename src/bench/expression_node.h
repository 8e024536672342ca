// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_EXPRESSION_NODE_H_
#define BELAY_BENCH_EXPRESSION_NODE_H_

// The tree behind an Expression, shared by its parser and its evaluator.

#include <memory>
#include <string>
#include <vector>

#include "bench/expression.h"

namespace belay::bench {

enum class NodeKind {
  kLiteral,
  kName,
  kList,    // children: items; an item of kind kSpread adds all of its list
  kSpread,  // child: list
  kEach,    // children: item, list; text: the name bound in turn
  kIndex,   // children: list, index
  kCall,    // text: function; children: arguments
  kUnary,   // text: operator
  kBinary,  // text: operator; children: left, right
  kChoice,  // children: condition, value if true, value if false
};

struct ExpressionNode {
  NodeKind kind = NodeKind::kLiteral;
  std::string text;
  Value literal;
  std::vector<std::shared_ptr<const ExpressionNode>> children;
};

using NodePtr = std::shared_ptr<const ExpressionNode>;

// The inverse of text: throws ExpressionError.
NodePtr ParseExpression(std::string_view text);

Value EvaluateNode(const ExpressionNode& node, const Environment& environment);

}  // namespace belay::bench

#endif  // BELAY_BENCH_EXPRESSION_NODE_H_
