// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_LOWER_FACTS_H_
#define BELAY_CRUX_LOWER_FACTS_H_

// What is known about conditions of the host: what dtypes and constants
// settle, and what follows from earlier answers and from assertions.

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "crux/typed.h"

namespace belay::crux::lower {

// Expressions have names of host lines written out, and must outlive it.
class Facts {
 public:
  using Dtypes = std::function<DType(const Element&)>;

  explicit Facts(Dtypes dtypes) : dtypes_(std::move(dtypes)) {}

  // Nothing: both answers are possible.
  std::optional<bool> Settled(const typed::Expr& condition) const;
  void Assume(const typed::Expr& condition, bool answer);
  // The call is refused unless it holds.
  void Require(const typed::Expr& condition);

 private:
  // A condition under a name that equal conditions share; `negated`: the name
  // is that of its opposite.
  struct ConditionKey {
    std::string name;
    bool negated = false;
  };
  // What was worked out before, by expression.
  struct Texts {
    std::unordered_map<const typed::Expr*, std::string> texts;
    std::unordered_map<const typed::Expr*, ConditionKey> keys;
  };

  const std::string& TextOf(const typed::Expr& expr) const;
  const ConditionKey& KeyOf(const typed::Expr& condition) const;
  ConditionKey NewKey(const typed::Expr& condition) const;
  // Without looking at assertions.
  std::optional<bool> Known(const typed::Expr& condition) const;
  std::optional<bool> KnownComparison(const typed::Expr& condition) const;
  bool Contradicts() const;

  Dtypes dtypes_;
  std::map<std::string, bool> answers_;
  std::map<std::string, std::string> equal_;  // of a name, to which literal
  std::vector<const typed::Expr*> required_;
  std::shared_ptr<Texts> known_ = std::make_shared<Texts>();  // of copies, too
};

}  // namespace belay::crux::lower

#endif  // BELAY_CRUX_LOWER_FACTS_H_
