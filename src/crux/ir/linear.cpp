// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/linear.h"

namespace belay::crux::ir {
namespace {

// The terms whose factors have this sign, without it.
Int TermsOf(const Linear& sum, int sign) {
  Int total = 0;
  for (const auto& [text, term] : sum.terms) {
    const int64_t factor = sign * term.factor;
    if (factor > 0) total = total + Int(factor) * term.value;
  }
  const int64_t constant = sign * sum.constant;
  return constant > 0 ? total + Int(constant) : total;
}

}  // namespace

void Linear::Add(const Int& value, int64_t factor) {
  switch (value.kind()) {
    case IntKind::kConstant:
      constant += factor * value.value();
      return;
    case IntKind::kAdd:
    case IntKind::kSub:
      Add(value.args()[0], factor);
      Add(value.args()[1], value.kind() == IntKind::kAdd ? factor : -factor);
      return;
    case IntKind::kMul:
      for (const int side : {0, 1}) {
        const Int& times = value.args()[side];
        if (times.is_constant()) {
          return Add(value.args()[1 - side], factor * times.value());
        }
      }
      break;
    default:
      break;
  }
  const auto [found, is_new] = terms.try_emplace(ToText(value));
  if (is_new) found->second.value = value;
  found->second.factor += factor;
  if (found->second.factor == 0) terms.erase(found);
}

Linear Difference(const Int& b, const Int& a) {
  Linear difference;
  difference.Add(b, 1);
  difference.Add(a, -1);
  return difference;
}

Int Added(const Linear& sum) { return TermsOf(sum, 1); }

Int TakenOff(const Linear& sum) { return TermsOf(sum, -1); }

}  // namespace belay::crux::ir
