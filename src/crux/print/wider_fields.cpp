// SPDX-License-Identifier: Apache-2.0
#include "crux/print/wider_fields.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace belay::crux::print {
namespace {

class FieldSetter {
 public:
  explicit FieldSetter(Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  // What the block says of fields and variables, statements inside included.
  void Note(const std::vector<Statement>& block, const VariantSet& context) {
    for (const Statement& statement : block) {
      for (const Part& part : statement.parts) {
        for (const Word field : SetBy(part.head)) {
          setters_[field].push_back(statement.variants);
        }
        const auto declared = DeclarationIn(part.head, vocabulary_);
        if (declared && statement.variants != context) {
          of_some_.insert(declared->name);
        }
        Note(part.body, statement.variants);
      }
    }
  }

  void Widen(std::vector<Statement>& block, const VariantSet& context) {
    for (Statement& statement : block) {
      if (MayWiden(statement, context)) statement.variants = context;
      for (Part& part : statement.parts) {
        for (const Word field : SetBy(part.head)) {
          known_[field] |= statement.variants;
        }
        Widen(part.body, statement.variants);
      }
    }
  }

 private:
  bool Is(const Tokens& head, size_t at, std::string_view text) const {
    return at < head.size() && !IsSlot(head[at]) &&
           vocabulary_.Text(WordOf(head[at])) == text;
  }

  // Whether "tiling->field" begins there.
  bool IsField(const Tokens& head, size_t at) const {
    return Is(head, at, "tiling") && Is(head, at + 1, "-") &&
           Is(head, at + 2, ">") && at + 3 < head.size() &&
           !IsSlot(head[at + 3]);
  }

  std::vector<Word> SetBy(const Tokens& head) const {
    std::vector<Word> fields;
    for (size_t at = 0; at < head.size(); ++at) {
      if (IsField(head, at) && Is(head, at + 4, "=") &&
          !Is(head, at + 5, "=")) {
        fields.push_back(WordOf(head[at + 3]));
      }
    }
    return fields;
  }

  // Of one field that no other variants of the block set, to what the others
  // of the context know by then.
  bool MayWiden(const Statement& statement, const VariantSet& context) const {
    const Tokens& head = statement.parts[0].head;
    if (statement.nested || statement.variants == context ||
        SetBy(head).size() != 1 || !IsField(head, 0)) {
      return false;
    }
    const Word field = WordOf(head[3]);
    const std::vector<VariantSet>& setters = setters_.at(field);
    if (std::any_of(setters.begin(), setters.end(), [&](const auto& one) {
          return one != statement.variants;
        })) {
      return false;
    }
    for (size_t at = 5; at < head.size(); ++at) {
      if (IsSlot(head[at]) || of_some_.contains(WordOf(head[at])) ||
          DividesByField(head, at)) {
        return false;
      }
      if (!IsField(head, at)) continue;
      const auto known = known_.find(WordOf(head[at + 3]));
      if (known == known_.end() || (context & ~known->second).any()) {
        return false;
      }
    }
    return true;
  }

  // It may be 0 for others.
  bool DividesByField(const Tokens& head, size_t at) const {
    return (Is(head, at, "/") || Is(head, at, "%")) &&
           (IsField(head, at + 1) || Is(head, at + 1, "("));
  }

  Vocabulary& vocabulary_;
  std::map<Word, std::vector<VariantSet>> setters_;  // by field
  std::set<Word> of_some_;            // variables that some variants have
  std::map<Word, VariantSet> known_;  // fields that are set by now
};

}  // namespace

FunctionText WithFieldsSet(FunctionText block, const VariantSet& all,
                           Vocabulary& vocabulary) {
  std::vector<Statement>& body = block.whole.parts[0].body;
  FieldSetter setter(vocabulary);
  setter.Note(body, all);
  setter.Widen(body, all);
  return block;
}

}  // namespace belay::crux::print
