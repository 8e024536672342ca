// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_CLASS_WORDS_H_
#define BELAY_CRUX_PRINT_CLASS_WORDS_H_

// How a class template spells what tells its instances apart.

#include <string>
#include <vector>

#include "crux/compile.h"
#include "crux/print/text.h"
#include "crux/print/variant_space.h"

namespace belay::crux::print {

VariantFacts FactsOf(const typed::Kernel& kernel,
                     const CompiledVariant& variant);

class ClassWords : public VariantWords {
 public:
  explicit ClassWords(const typed::Kernel& kernel) : kernel_(kernel) {}

  std::string IsDtype(size_t variable, DType dtype) const override;
  // "kHasGamma" of has_gamma; "kCase1" of a condition that is no name.
  std::string Answer(const std::string& condition) const override;
  // A flag of the class.
  bool IsNoUnasked() const override { return true; }
  std::string SizeOf(size_t variable) const override;
  std::string BlockOf(size_t variable) const override;
  std::string WordOf(size_t variable) const override;

  // Conditions in the order they were first spelt.
  const std::vector<std::string>& answers() const { return answers_; }
  // Definitions of the sizes that `space` has used.
  void Constants(const VariantSpace& space, Text& text) const;

 private:
  std::string Suffixed(const char* name, size_t variable) const;

  const typed::Kernel& kernel_;
  mutable std::vector<std::string> answers_;
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_CLASS_WORDS_H_
