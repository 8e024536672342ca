// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_EXPRESSION_H_
#define BELAY_BENCH_EXPRESSION_H_

// Expressions of task files, in Python's syntax: shapes such as "[*S, N]" and
// conditions such as "reduction == 'none'".

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace belay::bench {

// Integers, reals, truth values, strings and lists of them.
using Value = nlohmann::json;
// Names and their values: an object.
using Environment = nlohmann::json;

// What is wrong with an expression; the loader adds file and line.
class ExpressionError : public UserError {
 public:
  using UserError::UserError;
};

struct ExpressionNode;

// A parsed expression; cheap to copy. Literals, names, lists with *spread and
// one `for … in`, indexing from both ends, + - * // / % **, comparisons, `and`
// `or` `not`, `a if c else b`, and the functions len, prod, sum, min, max,
// abs, range, replace(list, axis, size), remove(list, axis),
// insert(list, axis, size), cumsum(list), acl_type("f16").
class Expression {
 public:
  Expression() = default;
  // Throws ExpressionError naming the column that cannot be read.
  static Expression Parse(std::string_view text);

  bool empty() const { return root_ == nullptr; }
  const std::string& text() const { return text_; }

  // Throws ExpressionError for a name that is not bound, a wrong kind of value
  // or an index outside its list.
  Value Evaluate(const Environment& environment) const;

  // Names that must be bound, sorted, each once.
  std::vector<std::string> Names() const;

 private:
  std::string text_;
  std::shared_ptr<const ExpressionNode> root_;
};

}  // namespace belay::bench

#endif  // BELAY_BENCH_EXPRESSION_H_
