// SPDX-License-Identifier: Apache-2.0
// Whether two statements are one, and under which names.

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "crux/print/merge_variants.h"

namespace belay::crux::print {

std::optional<Word> Slot::WordOfAll(const VariantSet& variants) const {
  size_t count = 0;
  std::optional<Word> one;
  for (const auto& [variant, word] : words) {
    if (!variants.test(variant)) continue;
    if (one && *one != word) return std::nullopt;
    one = word;
    ++count;
  }
  return count == variants.count() ? one : std::nullopt;
}

VariantMerger::Fit VariantMerger::FitOf(Token into, Word own,
                                        const VariantSet& variants) const {
  const bool type = vocabulary_.IsType(own);
  // One variant of each choice of dtypes tells as much as all that have its
  // word.
  scratch_.clear();
  words_.assign(space_.choices().size(), -1);
  const auto note = [&](size_t variant, Word word) {
    Word& known = words_[space_.ChoiceOf(variant)];
    if (known != word) scratch_.emplace_back(variant, word);
    known = word;
  };
  if (IsSlot(into)) {
    for (const auto& [v, word] : slots_[SlotOf(into)].words) note(v, word);
  } else {
    const Word merged = WordOf(into);
    if (type ? !vocabulary_.IsType(merged) : !vocabulary_.IsInteger(merged)) {
      return Fit::kNone;
    }
    for (const VariantSpace::Choice& choice : space_.choices()) {
      if ((variants & choice.variants).any()) note(choice.first, merged);
    }
  }
  note(variant_, own);
  if (type) {
    for (size_t v = 0; v < space_.variables(); ++v) {
      const bool fits = std::all_of(
          scratch_.begin(), scratch_.end(),
          [&](const auto& one) { return types_[one.first][v] == one.second; });
      if (fits) return Fit::kByDtype;
    }
    return Fit::kNone;
  }
  values_.clear();
  Word other = own;   // than the variant's
  bool more = false;  // than two
  for (const auto& [v, word] : scratch_) {
    if (!vocabulary_.IsInteger(word)) return Fit::kNone;
    values_.emplace_back(v, vocabulary_.ValueOf(word));
    if (word == own) continue;
    more = more || (other != own && other != word);
    other = word;
  }
  if (space_.FormOf(values_)) return Fit::kByDtype;
  return more ? Fit::kNone : Fit::kByChoice;
}

bool VariantMerger::IsVariable(Word word) const {
  return one_function_ != nullptr && one_function_->variables.contains(word);
}

bool VariantMerger::IsMember(Word word) const {
  return one_->member_at.contains(word);
}

bool VariantMerger::SameMemberType(Word into, Word one) {
  Statement& merged = text_.members[text_.member_at.at(into)];
  const Statement& own = one_->members[one_->member_at.at(one)];
  const Tokens& left = merged.parts[0].head;
  const Tokens& right = own.parts[0].head;
  if (left.size() != right.size()) return false;
  // Tensors in global memory keep their names.
  const bool memory = WordOf(right[0]) == Vocabulary::kBuffer ||
                      WordOf(right[0]) == Vocabulary::kQueue ||
                      WordOf(right[0]) == Vocabulary::kQueueBind;
  if (!memory && into != one) return false;
  Trial trial;
  trial.members.emplace_back(one, into);
  return Unify(left, right, merged.variants, trial);
}

const Tokens& VariantMerger::TypeOf(Word one) const {
  return IsMember(one) ? one_->members[one_->member_at.at(one)].parts[0].head
                       : one_function_->variables.at(one).type;
}

std::optional<Token> ElementOf(const Tokens& type) {
  // LocalTensor < X >
  if (type.size() < 4 || IsSlot(type[0]) ||
      WordOf(type[0]) != Vocabulary::kLocalTensor) {
    return std::nullopt;
  }
  return type[2];
}

bool VariantMerger::CanAlias(Word name, Word one, const Tokens& head) const {
  if (one_function_ == nullptr) return false;
  const auto merged = function_->variables.find(name);
  if (merged == function_->variables.end() || merged->second.fixed) {
    return false;
  }
  const auto declared = DeclarationIn(head, vocabulary_);
  if (declared && declared->name == name) return false;
  const auto merged_element = ElementOf(merged->second.type);
  const auto element = ElementOf(TypeOf(one));
  if (!merged_element || !element) return false;
  if (!IsSlot(*merged_element))
    return WordOf(*merged_element) == WordOf(*element);
  Words words;
  for (const auto& [variant, word] : slots_[SlotOf(*merged_element)].words) {
    words.emplace_back(variant, vocabulary_.Text(word));
  }
  words.emplace_back(variant_, vocabulary_.Text(WordOf(*element)));
  return space_.VariableOf(words).has_value();
}

// A tensor of the variant that others have as two, or as a variable.
bool VariantMerger::UnifyAlias(Word into, Word one, const Tokens& head,
                               Trial& trial) {
  const auto alias = variables_.aliases.find(into);
  if (alias != variables_.aliases.end()) return alias->second == one;
  if (const auto tried = Trial::Find(trial.aliases, into)) return *tried == one;
  if (variables_.from.contains(into) || Trial::Reaches(trial.variables, into) ||
      !CanAlias(into, one, head)) {
    return false;
  }
  // A member stays what it is as long as the function runs.
  if (IsMember(one) && IsSet(one, one_function_->whole)) return false;
  trial.aliases.emplace_back(into, one);
  return true;
}

// Whether a statement, or one within it, gives the member another value.
bool VariantMerger::IsSet(Word member, const Statement& statement) const {
  for (const Part& part : statement.parts) {
    if (part.head.size() > 1 && WordOf(part.head[0]) == member &&
        WordOf(part.head[1]) == Vocabulary::kEquals) {
      return true;
    }
    for (const Statement& inner : part.body) {
      if (IsSet(member, inner)) return true;
    }
  }
  return false;
}

bool VariantMerger::UnifyName(Word into, Word one, const Tokens& head,
                              Trial& trial) {
  if (!vocabulary_.IsName(one)) return one == into;
  if (IsVariable(one)) {
    auto known = Trial::Find(trial.variables, one);
    const auto found = variables_.to.find(one);
    if (found != variables_.to.end()) known = found->second;
    if (known) return *known == into || UnifyAlias(into, one, head, trial);
    if (!function_->variables.contains(into) ||
        variables_.from.contains(into) || variables_.aliases.contains(into) ||
        Trial::Reaches(trial.variables, into) ||
        Trial::Find(trial.aliases, into)) {
      return false;
    }
    trial.variables.emplace_back(one, into);
    return true;
  }
  if (IsMember(one)) {
    auto known = Trial::Find(trial.members, one);
    const auto found = members_.to.find(one);
    if (found != members_.to.end()) known = found->second;
    if (known && *known == into) return true;
    if (!known && text_.member_at.contains(into) &&
        !members_.from.contains(into) && !Trial::Reaches(trial.members, into) &&
        SameMemberType(into, one)) {
      trial.members.emplace_back(one, into);
      return true;
    }
    return UnifyAlias(into, one, head, trial);
  }
  const auto function = names_.to.find(one);
  return (function == names_.to.end() ? one : function->second) == into;
}

// A buffer or queue that is another one in this variant: (a ? x : y).Get().
bool VariantMerger::UnifyMemory(const Tokens& head, size_t at, Word own,
                                Trial& trial) {
  const auto known = members_.to.find(own);
  if (known == members_.to.end() || at + 1 >= head.size() ||
      head[at + 1] != TokenOf(Vocabulary::kDot, false)) {
    return false;
  }
  const Word name = known->second;
  const auto type = [&](Word member) {
    Tokens tokens = text_.members[text_.member_at.at(member)].parts[0].head;
    std::erase_if(tokens, [&](Token token) { return WordOf(token) == member; });
    return tokens;
  };
  std::set<Word> words = {name};
  if (IsSlot(head[at])) {
    for (const auto& [v, word] : slots_[SlotOf(head[at])].words) {
      if (!text_.member_at.contains(word)) return false;
      words.insert(word);
    }
  } else {
    if (!text_.member_at.contains(WordOf(head[at]))) return false;
    words.insert(WordOf(head[at]));
  }
  if (words.size() > 2 || type(*words.begin()) != type(*words.rbegin())) {
    return false;
  }
  if (IsSlot(head[at])) {
    trial.slots.emplace_back(SlotOf(head[at]), name);
  } else {
    trial.places.push_back({trial.part, at, name});
  }
  return true;
}

bool VariantMerger::Unify(const Tokens& into, const Tokens& one,
                          const VariantSet& variants, Trial& trial) {
  if (into.size() != one.size()) return false;
  for (size_t i = 0; i < into.size(); ++i) {
    const Word own = WordOf(one[i]);
    if (HasBlank(into[i]) != HasBlank(one[i])) return false;
    const bool slot = IsSlot(into[i]);
    if (!slot && UnifyName(WordOf(into[i]), own, into, trial)) continue;
    if (UnifyMemory(into, i, own, trial)) continue;
    // Dtypes and sizes.
    if (!vocabulary_.IsType(own) && !vocabulary_.IsInteger(own)) return false;
    const Fit fit = FitOf(into[i], own, variants);
    if (fit == Fit::kNone) return false;
    if (fit == Fit::kByChoice && ++trial.choices > kMostChoices) return false;
    if (slot) {
      trial.slots.emplace_back(SlotOf(into[i]), own);
    } else {
      trial.places.push_back({trial.part, i, own});
    }
  }
  return true;
}

// As early as the tensor `from` is there, beside the other variants' own;
// before `use` at the latest.
Statement& VariantMerger::PlaceForAlias(Word name, Word from, Statement& use) {
  for (size_t b = blocks_.size(); b-- > 0;) {
    std::vector<Statement>& block = *blocks_[b];
    std::optional<size_t> declares;
    std::optional<size_t> is_there;
    for (size_t i = 0; i < block.size(); ++i) {
      const auto declared = DeclarationIn(block[i].parts[0].head, vocabulary_);
      if (!declared) continue;
      if (declared->name == name) declares = i;
      if (declared->name == from && block[i].variants.test(variant_)) {
        is_there = i;
      }
    }
    if (declares && (!is_there || *is_there < *declares)) {
      return block[*declares];
    }
    if (!declares && !is_there) continue;
    // Other parts of the statement around the use may need it as well.
    return b < around_.size() ? *around_[b] : use;
  }
  return use;
}

bool VariantMerger::SuitsAliases(const Statement& into,
                                 const Trial& trial) const {
  if (function_ == nullptr) return true;
  const Tokens& head = into.parts[0].head;
  const auto declared = DeclarationIn(head, vocabulary_);
  if (!declared || declared->loop) return true;
  const auto variable = function_->variables.find(declared->name);
  if (variable == function_->variables.end() ||
      variable->second.aliased.empty()) {
    return true;
  }
  const size_t at = declared->type + 2;
  Words words;
  for (const Place& place : trial.places) {
    if (place.part != 0 || place.at != at) continue;
    words.emplace_back(variant_, vocabulary_.Text(place.word));
    AddElementWords(head[at], into.variants, words);
  }
  for (const auto& [slot, word] : trial.slots) {
    if (!IsSlot(head[at]) || SlotOf(head[at]) != slot) continue;
    words.emplace_back(variant_, vocabulary_.Text(word));
    AddElementWords(head[at], into.variants, words);
  }
  if (words.empty()) return true;
  for (const auto& [variant, word] : variable->second.aliased) {
    words.emplace_back(variant, vocabulary_.Text(word));
  }
  return space_.VariableOf(words).has_value();
}

void VariantMerger::AddElementWords(Token element, const VariantSet& variants,
                                    Words& words) const {
  if (IsSlot(element)) {
    for (const auto& [variant, word] : slots_[SlotOf(element)].words) {
      words.emplace_back(variant, vocabulary_.Text(word));
    }
    return;
  }
  for (size_t v = 0; v < space_.size(); ++v) {
    if (variants.test(v))
      words.emplace_back(v, vocabulary_.Text(WordOf(element)));
  }
}

bool VariantMerger::UnifyHeads(Statement& into, const Statement& one) {
  if (into.parts.size() != one.parts.size() || into.nested != one.nested ||
      into.close != one.close) {
    return false;
  }
  Trial trial;
  for (size_t p = 0; p < into.parts.size(); ++p) {
    trial.part = p;
    if (!Unify(into.parts[p].head, one.parts[p].head, into.variants, trial)) {
      return false;
    }
  }
  if (!SuitsAliases(into, trial)) return false;
  for (const auto& [from, to] : trial.variables) variables_.Pair(from, to);
  for (const auto& [from, to] : trial.members) members_.Pair(from, to);
  for (const auto& [slot, word] : trial.slots) {
    slots_[slot].words.emplace_back(variant_, word);
  }
  auto place = trial.places.begin();
  for (size_t p = 0; p < into.parts.size(); ++p) {
    for (; place != trial.places.end() && place->part == p; ++place) {
      Token& token = into.parts[p].head[place->at];
      Slot slot;
      for (size_t v = 0; v < space_.size(); ++v) {
        if (into.variants.test(v)) slot.words.emplace_back(v, WordOf(token));
      }
      slot.words.emplace_back(variant_, place->word);
      token = SlotToken(slots_.size(), HasBlank(token));
      slots_.push_back(std::move(slot));
    }
    NoteDeclared(into.parts[p].head);
  }
  for (const auto& [name, own] : trial.aliases) {
    variables_.aliases[name] = own;
    if (const auto element = ElementOf(TypeOf(own))) {
      function_->variables[name].aliased.emplace_back(variant_,
                                                      WordOf(*element));
    }
    const Word from = AdoptName(own);
    std::vector<Alias>& aliases = PlaceForAlias(name, from, into).aliases;
    const auto known =
        std::find_if(aliases.begin(), aliases.end(), [&](const Alias& alias) {
          return alias.name == name && alias.from == from;
        });
    if (known != aliases.end()) {
      known->variants.set(variant_);
    } else {
      VariantSet alone;
      alone.set(variant_);
      aliases.push_back({name, from, alone});
    }
  }
  return true;
}

void VariantMerger::NoteDeclared(const Tokens& head) {
  const auto declared = DeclarationIn(head, vocabulary_);
  if (!declared || function_ == nullptr) return;
  const auto found = function_->variables.find(declared->name);
  if (found == function_->variables.end()) return;
  found->second.type.assign(
      head.begin() + static_cast<ptrdiff_t>(declared->type),
      head.begin() + static_cast<ptrdiff_t>(declared->at));
}

Word VariantMerger::FreshName(Word word) const {
  const std::string& text = vocabulary_.Text(word);
  const bool member = text.ends_with('_');
  const std::string stem = member ? text.substr(0, text.size() - 1) : text;
  for (int i = 2;; ++i) {
    const Word fresh =
        vocabulary_.Of(fmt::format("{}_{}{}", stem, i, member ? "_" : ""));
    if (!function_->variables.contains(fresh) && !IsVariable(fresh) &&
        !text_.member_at.contains(fresh) && !IsMember(fresh)) {
      return fresh;
    }
  }
}

Word VariantMerger::AdoptName(Word word) {
  if (IsVariable(word)) {
    const auto known = variables_.to.find(word);
    if (known != variables_.to.end()) return known->second;
    const Variable& own = one_function_->variables.at(word);
    const auto merged = function_->variables.find(word);
    Word name = word;
    if (merged != function_->variables.end() &&
        (variables_.from.contains(word) || variables_.aliases.contains(word) ||
         std::find(reserved_.begin(), reserved_.end(), word) !=
             reserved_.end() ||
         merged->second.type != own.type || own.fixed ||
         merged->second.fixed)) {
      name = FreshName(word);
    }
    function_->variables.emplace(name, own);
    variables_.Pair(word, name);
    return name;
  }
  if (IsMember(word)) {
    const auto known = members_.to.find(word);
    if (known != members_.to.end()) return known->second;
    Word name = word;
    if (text_.member_at.contains(word)) {
      if (!members_.from.contains(word) && SameMemberType(word, word)) {
        members_.Pair(word, word);
        return word;
      }
      name = FreshName(word);
    }
    Statement added = one_->members[one_->member_at.at(word)];
    added.variants.set(variant_);
    for (Token& token : added.parts[0].head) {
      if (WordOf(token) == word) token = TokenOf(name, HasBlank(token));
    }
    text_.member_at[name] = text_.members.size();
    text_.members.push_back(std::move(added));
    members_.Pair(word, name);
    return name;
  }
  const auto function = names_.to.find(word);
  return function == names_.to.end() ? word : function->second;
}

void VariantMerger::Adopt(Statement& statement) {
  statement.variants.reset();
  statement.variants.set(variant_);
  for (Part& part : statement.parts) {
    for (Token& token : part.head) {
      token = TokenOf(AdoptName(WordOf(token)), HasBlank(token));
    }
    for (Statement& inner : part.body) Adopt(inner);
  }
}

}  // namespace belay::crux::print
