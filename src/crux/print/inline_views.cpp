// SPDX-License-Identifier: Apache-2.0
#include "crux/print/inline_views.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace belay::crux::print {
namespace {

// How often the statement, or one within it, says the word.
int CountOf(const Statement& statement, Word word) {
  int count = 0;
  for (const Alias& alias : statement.aliases) {
    count += (alias.name == word) + (alias.from == word);
  }
  for (const Part& part : statement.parts) {
    for (const Token token : part.head) {
      count += !IsSlot(token) && WordOf(token) == word;
    }
    for (const Statement& inner : part.body) count += CountOf(inner, word);
  }
  return count;
}

class ViewInliner {
 public:
  ViewInliner(FunctionText& function, const Vocabulary& vocabulary)
      : function_(function), vocabulary_(vocabulary) {}

  void Run() { Visit(function_.whole.parts[0].body, function_.whole.variants); }

 private:
  struct View {
    Word name = 0;
    Word of = 0;
    Tokens value;  // without the semicolon
  };

  // "LocalTensor<float> mul = to.ReinterpretCast<float>();".
  std::optional<View> ViewIn(const Statement& statement) const {
    constexpr size_t kName = 4;
    constexpr size_t kValue = 6;
    constexpr size_t kTokens = 15;
    const Tokens& head = statement.parts[0].head;
    if (statement.nested || !statement.aliases.empty() ||
        head.size() != kTokens ||
        std::any_of(head.begin(), head.end(), IsSlot) ||
        WordOf(head[0]) != Vocabulary::kLocalTensor ||
        vocabulary_.Text(WordOf(head[kValue + 2])) != "ReinterpretCast") {
      return std::nullopt;
    }
    return View{WordOf(head[kName]),
                WordOf(head[kValue]),
                {head.begin() + kValue, head.end() - 1}};
  }

  void Visit(std::vector<Statement>& block, const VariantSet& context) {
    for (size_t i = 0; i < block.size(); ++i) {
      for (Part& part : block[i].parts) Visit(part.body, block[i].variants);
      if (block[i].variants == context) continue;
      const std::optional<View> view = ViewIn(block[i]);
      // Its declaration and one use.
      if (!view || CountOf(function_.whole, view->name) != 2) continue;
      const std::optional<size_t> use = UseOf(*view, block, i);
      if (!use) continue;
      Put(*view, block[*use].parts[0].head);
      if (block[i + 1].comments.empty()) {
        block[i + 1].comments = block[i].comments;
      }
      block.erase(block.begin() + static_cast<ptrdiff_t>(i));
      --i;
    }
  }

  // The statement behind `at` that uses it, if what it is a view of is still
  // the same there.
  std::optional<size_t> UseOf(const View& view,
                              const std::vector<Statement>& block,
                              size_t at) const {
    for (size_t i = at + 1; i < block.size(); ++i) {
      const Statement& one = block[i];
      if (CountOf(one, view.name) > 0) {
        const bool plain = !one.nested && one.aliases.empty() &&
                           (one.variants & ~block[at].variants).none();
        return plain ? std::optional<size_t>(i) : std::nullopt;
      }
      const auto declared = DeclarationIn(one.parts[0].head, vocabulary_);
      if (declared && declared->name == view.of) return std::nullopt;
    }
    return std::nullopt;
  }

  static void Put(const View& view, Tokens& head) {
    const auto at = std::find_if(head.begin(), head.end(), [&](Token token) {
      return !IsSlot(token) && WordOf(token) == view.name;
    });
    Tokens value = view.value;
    value[0] = TokenOf(view.of, HasBlank(*at));
    head.insert(head.erase(at), value.begin(), value.end());
  }

  FunctionText& function_;
  const Vocabulary& vocabulary_;
};

}  // namespace

FunctionText WithInlineViews(FunctionText function,
                             const Vocabulary& vocabulary) {
  ViewInliner(function, vocabulary).Run();
  return function;
}

}  // namespace belay::crux::print
