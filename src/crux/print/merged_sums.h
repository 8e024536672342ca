// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_MERGED_SUMS_H_
#define BELAY_CRUX_PRINT_MERGED_SUMS_H_

// Sums that variants add up term by term, in few statements: terms may come in
// any order, a term that follows the size of a dtype stands once for all of
// them, and one that is added for each of two answers is added so many times.

#include <string>
#include <vector>

#include "crux/print/text.h"
#include "crux/print/variant_space.h"

namespace belay::crux::print {

// What a variant adds, as it is spelt for it.
struct AddedTerm {
  size_t variant = 0;
  std::string text;
};

// "target += term;" for the terms of all variants of `context`.
void PrintSum(VariantSpace& space, const std::string& target,
              const std::vector<AddedTerm>& terms, const VariantSet& context,
              Text& text);

// "a" as a factor: "(a + b)" if it is a sum.
std::string AsFactor(const std::string& value);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_MERGED_SUMS_H_
