// SPDX-License-Identifier: Apache-2.0
#include "crux/print/one_type.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace belay::crux::print {
namespace {

class TypeJoiner {
 public:
  TypeJoiner(FunctionText& function, const std::vector<Slot>& slots,
             const VariantSpace& space, const Vocabulary& vocabulary)
      : function_(function),
        slots_(slots),
        space_(space),
        vocabulary_(vocabulary) {}

  void Run() {
    Visit(function_.whole);
    for (const auto& [name, places] : declared_) Join(name, places);
  }

 private:
  // X of a "LocalTensor<X> name".
  struct Place {
    Token* element = nullptr;
    VariantSet variants;
  };
  using Words = std::vector<std::pair<size_t, std::string>>;

  void Visit(Statement& statement) {
    for (const Alias& alias : statement.aliases) {
      const auto from = function_.variables.find(alias.from);
      if (from == function_.variables.end()) continue;
      if (auto element = ElementOf(from->second.type)) {
        aliased_[alias.name].emplace_back(*element, alias.variants);
      }
    }
    for (Part& part : statement.parts) {
      const auto how = DeclarationIn(part.head, vocabulary_);
      // LocalTensor < X >
      if (how && !how->loop && how->at == how->type + 4 &&
          WordOf(part.head[how->type]) == Vocabulary::kLocalTensor) {
        declared_[how->name].push_back(
            {&part.head[how->type + 2], statement.variants});
      }
      for (Statement& inner : part.body) Visit(inner);
    }
  }

  void AddWords(Token element, const VariantSet& variants, Words& words) const {
    if (IsSlot(element)) {
      for (const auto& [variant, word] : slots_[SlotOf(element)].words) {
        if (variants.test(variant)) {
          words.emplace_back(variant, vocabulary_.Text(word));
        }
      }
      return;
    }
    for (size_t variant = 0; variant < space_.size(); ++variant) {
      if (!variants.test(variant)) continue;
      words.emplace_back(variant, vocabulary_.Text(WordOf(element)));
    }
  }

  void Join(Word name, const std::vector<Place>& places) {
    const auto general =
        std::find_if(places.begin(), places.end(),
                     [](const Place& place) { return IsSlot(*place.element); });
    if (general == places.end()) return;
    Words own;
    AddWords(*general->element, general->variants, own);
    Words all;
    for (const Place& place : places) {
      AddWords(*place.element, place.variants, all);
    }
    for (const auto& [element, variants] : aliased_[name]) {
      AddWords(element, variants, all);
    }
    const std::optional<size_t> variable = space_.VariableOf(all);
    if (!variable || space_.VariableOf(own) != variable) return;
    const size_t slot = SlotOf(*general->element);
    for (const Place& place : places) {
      *place.element = SlotToken(slot, HasBlank(*place.element));
    }
    Tokens& type = function_.variables[name].type;
    if (type.size() == 4) type[2] = SlotToken(slot, HasBlank(type[2]));
  }

  FunctionText& function_;
  const std::vector<Slot>& slots_;
  const VariantSpace& space_;
  const Vocabulary& vocabulary_;
  std::map<Word, std::vector<Place>> declared_;
  // What a name is another handle of: elements' types, and in which variants.
  std::map<Word, std::vector<std::pair<Token, VariantSet>>> aliased_;
};

}  // namespace

FunctionText WithOneTypeEach(FunctionText function,
                             const std::vector<Slot>& slots,
                             const VariantSpace& space,
                             const Vocabulary& vocabulary) {
  TypeJoiner(function, slots, space, vocabulary).Run();
  return function;
}

}  // namespace belay::crux::print
