// SPDX-License-Identifier: Apache-2.0
// All variants of a kernel: each set of answers to its conditions.

#include <fmt/format.h>

#include "crux/ir/refusal.h"
#include "crux/lower/lower.h"

namespace belay::crux {
namespace {

// Answers as decided, and true beyond; remembers what it was asked.
class DecisionOracle : public HostOracle {
 public:
  explicit DecisionOracle(std::vector<bool> decided)
      : decisions_(std::move(decided)) {}

  bool Decide(const typed::Expr& condition) override {
    const bool answer = Next();
    conditions.emplace_back(&condition, answer);
    return answer;
  }

  bool Fits(const typed::Statement& statement) override {
    const bool answer = Next();
    fits.emplace_back(&statement, answer);
    return answer;
  }

  // Where it is not wanted the condition may hold: the variant is then the
  // next one.
  bool Prefer(const typed::Expr* condition) override {
    const bool answer = Next();
    if (answer && condition != nullptr) {
      conditions.emplace_back(condition, answer);
    }
    preferred = preferred || answer;
    return answer;
  }

  const std::vector<bool>& decisions() const { return decisions_; }

  std::vector<std::pair<const typed::Expr*, bool>> conditions;
  std::vector<std::pair<const typed::Statement*, bool>> fits;
  bool preferred = false;  // another variant does for the same calls

 private:
  bool Next() {
    if (asked_ == decisions_.size()) decisions_.push_back(true);
    return decisions_[asked_++];
  }

  std::vector<bool> decisions_;
  size_t asked_ = 0;
};

}  // namespace

std::vector<Variant> EnumerateVariants(const typed::Kernel& kernel,
                                       const std::vector<DType>& dtypes) {
  std::vector<Variant> variants;
  variants.reserve(kMostVariants);  // as it grows, kernels are copied
  std::vector<bool> decisions;
  int needed = 0;
  while (true) {
    DecisionOracle oracle(decisions);
    Variant variant;
    variant.kernel = Lower(kernel, dtypes, oracle);
    variant.conditions = std::move(oracle.conditions);
    variant.fits = std::move(oracle.fits);
    variants.push_back(std::move(variant));
    if (!oracle.preferred) ++needed;
    decisions = oracle.decisions();
    while (!decisions.empty() && !decisions.back()) decisions.pop_back();
    if (decisions.empty()) return variants;
    decisions.back() = false;
    if (needed == kMostVariants) {
      ir::Refuse(code::kX303, kernel.range,
                 fmt::format("kernel `{}` has more than {} variants: each "
                             "answer to its host conditions is one",
                             kernel.name, kMostVariants),
                 "choose numbers instead of code (s = 2.0 if b else 1.0), or "
                 "write several kernels");
    }
  }
}

}  // namespace belay::crux
