// SPDX-License-Identifier: Apache-2.0
// A function that several variants have word for word is laid over the merged
// one once; the others go where the first one went. So does a whole class that
// differs from another in a type.

#include <algorithm>

#include "crux/print/merge_variants.h"

namespace belay::crux::print {

void VariantMerger::Remember(size_t into,
                             const std::shared_ptr<const FunctionText>& one) {
  Origin origin;
  origin.text = one;
  origin.variant = variant_;
  for (const Word word : one->members) {
    origin.members.emplace_back(word, members_.to.at(word));
  }
  for (const Word word : one->functions) {
    origin.functions.emplace_back(word, names_.to.at(word));
  }
  origins_[into].push_back(std::move(origin));
}

bool VariantMerger::Repeat(size_t into,
                           const std::shared_ptr<const FunctionText>& one) {
  FunctionText& function = text_.functions[into];
  const auto names_agree = [&](const Origin& origin) {
    return std::all_of(origin.functions.begin(), origin.functions.end(),
                       [&](const auto& pair) {
                         const auto found = names_.to.find(pair.first);
                         return found != names_.to.end() &&
                                found->second == pair.second;
                       });
  };
  const auto members_agree = [&](const Origin& origin) {
    return std::all_of(origin.members.begin(), origin.members.end(),
                       [&](const auto& pair) {
                         const auto& [word, merged] = pair;
                         const auto found = members_.to.find(word);
                         if (found != members_.to.end()) {
                           return found->second == merged;
                         }
                         return !members_.from.contains(merged) &&
                                SameMemberType(merged, word);
                       });
  };
  function_ = &function;
  one_function_ = one.get();
  for (const Origin& origin : origins_[into]) {
    if (origin.text != one || !names_agree(origin) || !members_agree(origin) ||
        !CanRepeat(function.whole, origin.variant)) {
      continue;
    }
    for (const auto& [word, merged] : origin.members) {
      members_.Pair(word, merged);
    }
    MarkLike(function.whole, origin.variant);
    return true;
  }
  return false;
}

// Whether words that differ between variants may be this variant's as well.
bool VariantMerger::CanRepeat(const Statement& merged, size_t as) const {
  if (!merged.variants.test(as)) return true;
  int choices = 0;
  for (const Part& part : merged.parts) {
    for (const Token token : part.head) {
      if (!IsSlot(token)) continue;
      const Word word = WordIn(slots_[SlotOf(token)], as);
      // One of two buffers or queues stays one of the two.
      if (text_.member_at.contains(word)) continue;
      if (!vocabulary_.IsType(word) && !vocabulary_.IsInteger(word)) {
        return false;
      }
      const Fit fit = FitOf(token, word, merged.variants);
      if (fit == Fit::kNone) return false;
      if (fit == Fit::kByChoice && ++choices > kMostChoices) return false;
    }
    for (const Statement& inner : part.body) {
      if (!CanRepeat(inner, as)) return false;
    }
  }
  return true;
}

void VariantMerger::MarkLike(Statement& merged, size_t as) {
  for (Alias& alias : merged.aliases) {
    if (alias.variants.test(as)) alias.variants.set(variant_);
  }
  if (!merged.variants.test(as)) return;
  merged.variants.set(variant_);
  for (Part& part : merged.parts) {
    for (const Token token : part.head) {
      if (!IsSlot(token)) continue;
      Slot& slot = slots_[SlotOf(token)];
      slot.words.emplace_back(variant_, WordIn(slot, as));
    }
    for (Statement& inner : part.body) MarkLike(inner, as);
  }
}

void VariantMerger::AddTwin(size_t variant, size_t of, Word from, Word to) {
  variant_ = variant;
  NoteTypes();
  for (FunctionText& function : text_.functions) {
    function_ = &function;
    MarkTwin(function.whole, of, from, to);
  }
  function_ = nullptr;
  for (Statement& member : text_.members) MarkTwin(member, of, from, to);
}

void VariantMerger::MarkTwin(Statement& merged, size_t of, Word from, Word to) {
  for (Alias& alias : merged.aliases) {
    if (alias.variants.test(of)) alias.variants.set(variant_);
  }
  if (!merged.variants.test(of)) return;
  for (Part& part : merged.parts) {
    for (Token& token : part.head) {
      if (!IsSlot(token)) {
        if (WordOf(token) != from) continue;
        Slot slot;
        for (size_t v = 0; v < variant_; ++v) {
          if (merged.variants.test(v)) slot.words.emplace_back(v, from);
        }
        token = SlotToken(slots_.size(), HasBlank(token));
        slots_.push_back(std::move(slot));
      }
      Slot& slot = slots_[SlotOf(token)];
      if (slot.words.back().first == variant_) continue;  // seen elsewhere
      const Word word = WordIn(slot, of);
      slot.words.emplace_back(variant_, word == from ? to : word);
    }
    NoteDeclared(part.head);
    for (Statement& inner : part.body) MarkTwin(inner, of, from, to);
  }
  merged.variants.set(variant_);
}

Word VariantMerger::WordIn(const Slot& slot, size_t variant) {
  const auto found =
      std::find_if(slot.words.begin(), slot.words.end(),
                   [&](const auto& one) { return one.first == variant; });
  return found->second;
}

}  // namespace belay::crux::print
