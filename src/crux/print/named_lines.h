// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_NAMED_LINES_H_
#define BELAY_CRUX_PRINT_NAMED_LINES_H_

// Host lines of a program (`L = ceil_div(N, parts) * unit`) that printed
// expressions name where they are long, instead of writing them out.

#include <map>
#include <optional>
#include <set>
#include <string>

#include "crux/print/integer_text.h"
#include "crux/typed.h"

namespace belay::crux::print {

class HostText;

// Those of the kernel's own block that make sense in every call: integers, and
// nothing is divided by what may be zero. A long one has its name, and so have
// those that it speaks of.
class NamedLines {
 public:
  explicit NamedLines(const typed::Kernel& kernel);

  // An integer as it is spelt where it is used: its name, or written out.
  struct Spelling {
    std::string text;
    int binds = precedence::kPrimary;
  };
  // Null: the line is none of these.
  const Spelling* SpellingOf(const typed::Variable& variable) const;
  // Of a tensor.
  const std::string* DimsOf(const typed::Variable& variable) const;

  // The line that has the value; null: none.
  const typed::Variable* LineOf(const std::string& text) const;
  bool Has(const typed::Variable& variable) const {
    return named_.contains(&variable);
  }

 private:
  void Read(const typed::Kernel& kernel);
  void ReadLine(const typed::Variable& variable, const typed::Expr& value,
                HostText& host);
  bool IsTotal(const typed::Expr& expr) const;
  bool IsPositive(const typed::Expr& expr) const;
  void NameWhatItNeeds(const typed::Expr& expr);

  std::set<const typed::Variable*> named_;
  std::set<const typed::Variable*> long_;
  std::map<const typed::Variable*, const typed::Expr*> values_;
  std::map<const typed::Variable*, Spelling> spellings_;
  std::map<const typed::Variable*, std::string> dims_;
  std::map<std::string, const typed::Variable*> by_text_;
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_NAMED_LINES_H_
