// SPDX-License-Identifier: Apache-2.0
#include "crux/print/copy_sizes.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace belay::crux::print {
namespace {

class SizeNamer {
 public:
  SizeNamer(FunctionText& function, const std::vector<Slot>& slots,
            VariantSpace& space, Vocabulary& vocabulary)
      : function_(function),
        slots_(slots),
        space_(space),
        vocabulary_(vocabulary) {}

  void Run() { Visit(function_.whole); }

 private:
  bool Is(Token token, std::string_view text) const {
    return !IsSlot(token) && vocabulary_.Text(WordOf(token)) == text;
  }

  void Visit(Statement& statement) {
    for (Part& part : statement.parts) {
      if (!part.head.empty() && Is(part.head[0], "DataCopyPad")) {
        Name(part.head, statement.variants);
      }
      for (Statement& inner : part.body) Visit(inner);
    }
  }

  // The last factor of the bytes in "…, DataCopyExtParams(rows, bytes, …".
  std::optional<size_t> SizeIn(const Tokens& head) const {
    size_t at = 0;
    while (at < head.size() && !Is(head[at], "DataCopyExtParams")) ++at;
    int depth = 0;
    int commas = 0;
    for (; at < head.size(); ++at) {
      if (Is(head[at], "(") || Is(head[at], "[")) ++depth;
      if (Is(head[at], ")") || Is(head[at], "]")) --depth;
      if (depth == 1 && Is(head[at], ",") && ++commas == 2) break;
    }
    if (commas != 2 || IsSlot(head[at - 1]) || !Is(head[at - 2], "*") ||
        !vocabulary_.IsInteger(WordOf(head[at - 1]))) {
      return std::nullopt;
    }
    return at - 1;
  }

  // The dtype variable of the elements that the copy moves, for its variants.
  std::optional<size_t> VariableOf(const Tokens& head,
                                   const VariantSet& variants) const {
    for (const Token token : head) {
      const auto found = IsSlot(token)
                             ? function_.variables.end()
                             : function_.variables.find(WordOf(token));
      if (found == function_.variables.end()) continue;
      // LocalTensor < X >
      const Tokens& type = found->second.type;
      if (type.size() != 4 || WordOf(type[0]) != Vocabulary::kLocalTensor) {
        continue;
      }
      if (!IsSlot(type[2])) return std::nullopt;
      std::vector<std::pair<size_t, std::string>> words;
      for (const auto& [variant, word] : slots_[SlotOf(type[2])].words) {
        if (!variants.test(variant)) continue;
        words.emplace_back(variant, vocabulary_.Text(word));
      }
      return space_.VariableOf(words);
    }
    return std::nullopt;
  }

  void Name(Tokens& head, const VariantSet& variants) {
    const std::optional<size_t> at = SizeIn(head);
    if (!at) return;
    const std::optional<size_t> variable = VariableOf(head, variants);
    if (!variable) return;
    const auto form_in = [&](const VariantSet& some) {
      std::vector<std::pair<size_t, int64_t>> values;
      for (size_t v = 0; v < space_.size(); ++v) {
        if (some.test(v)) {
          values.emplace_back(v, vocabulary_.ValueOf(WordOf(head[*at])));
        }
      }
      return space_.FormOf(values);
    };
    const auto form = form_in(variants);
    const bool size = form && form->variable == *variable && !form->blocks &&
                      form->times == 1;
    // Where all have it the number says as much.
    if (!size || form_in(space_.all())) return;
    head[*at] =
        TokenOf(vocabulary_.Of(space_.SizeText(*form)), HasBlank(head[*at]));
  }

  FunctionText& function_;
  const std::vector<Slot>& slots_;
  VariantSpace& space_;
  Vocabulary& vocabulary_;
};

}  // namespace

FunctionText WithCopySizes(FunctionText function,
                           const std::vector<Slot>& slots, VariantSpace& space,
                           Vocabulary& vocabulary) {
  SizeNamer(function, slots, space, vocabulary).Run();
  return function;
}

}  // namespace belay::crux::print
