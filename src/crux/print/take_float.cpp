// SPDX-License-Identifier: Apache-2.0
#include "crux/print/take_float.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace belay::crux::print {
namespace {

class ToTakes {
 public:
  ToTakes(FunctionText& function, const std::vector<Slot>& slots,
          Vocabulary& vocabulary)
      : function_(function), slots_(slots), vocabulary_(vocabulary) {}

  size_t Run() { return Visit(function_.whole.parts[0].body); }

 private:
  struct Take {
    Word from = 0;
    Word to = 0;
    size_t given_back = 0;  // the statement that does
  };

  size_t Visit(std::vector<Statement>& block) {
    size_t count = 0;
    for (size_t i = 0; i < block.size(); ++i) {
      if (const auto found = Find(block, i)) {
        Replace(block, i, *found);
        ++count;
      }
      for (Part& part : block[i].parts) count += Visit(part.body);
    }
    return count;
  }

  bool Is(Token token, std::string_view text) const {
    return !IsSlot(token) && vocabulary_.Text(WordOf(token)) == text;
  }

  // What "LocalTensor<T> x = queue_.DeQue<T>();" at `at` begins.
  std::optional<Take> Find(const std::vector<Statement>& block,
                           size_t at) const {
    constexpr size_t kTokens = 15;
    const Statement& taken = block[at];
    const Tokens& head = taken.parts[0].head;
    if (!IsPlain(taken) || head.size() != kTokens || !IsSlot(head[2]) ||
        IsSlot(head[6]) || WordOf(head[0]) != Vocabulary::kLocalTensor ||
        !Is(head[8], "DeQue") || at + 1 == block.size()) {
      return std::nullopt;
    }
    Take found;
    found.from = WordOf(head[4]);
    // LocalTensor<float> t = InFloat(x, …
    const Statement& seen = block[at + 1];
    const Tokens& call = seen.parts[0].head;
    if (!IsPlain(seen) || seen.variants != taken.variants ||
        call.size() < kTokens || !Is(call[6], "InFloat") || IsSlot(call[8]) ||
        WordOf(call[8]) != found.from) {
      return std::nullopt;
    }
    found.to = WordOf(call[4]);
    VariantSet floats;
    for (const auto& [variant, word] : slots_[SlotOf(head[2])].words) {
      if (vocabulary_.Text(word) == "float") floats.set(variant);
    }
    const VariantSet others = taken.variants & ~floats;
    // The next statement of the others gives it back.
    size_t next = at + 2;
    while (next < block.size() && (block[next].variants & others).none()) {
      ++next;
    }
    if (others.none() || next == block.size() ||
        block[next].variants != others || !IsPlain(block[next]) ||
        !GivesBack(block[next], WordOf(head[6]), found.from)) {
      return std::nullopt;
    }
    found.given_back = next;
    const std::vector<const Statement*> own = {&taken, &seen, &block[next]};
    if (!IsForOnly(function_.whole, found.from, floats, own)) {
      return std::nullopt;
    }
    return found;
  }

  static bool IsPlain(const Statement& statement) {
    return !statement.nested && statement.aliases.empty();
  }

  // "queue_.FreeTensor(x);".
  bool GivesBack(const Statement& statement, Word queue, Word tensor) const {
    const Tokens& head = statement.parts[0].head;
    return head.size() == 7 && std::none_of(head.begin(), head.end(), IsSlot) &&
           WordOf(head[0]) == queue &&
           WordOf(head[2]) == Vocabulary::kFreeTensor &&
           WordOf(head[4]) == tensor;
  }

  // Whether only these variants name the tensor, but for some statements.
  bool IsForOnly(const Statement& statement, Word tensor,
                 const VariantSet& variants,
                 const std::vector<const Statement*>& but) const {
    if (std::find(but.begin(), but.end(), &statement) != but.end()) return true;
    for (const Alias& alias : statement.aliases) {
      if (alias.name == tensor) return false;
      if (alias.from == tensor && (alias.variants & ~variants).any()) {
        return false;
      }
    }
    for (const Part& part : statement.parts) {
      const bool names =
          std::any_of(part.head.begin(), part.head.end(), [&](Token token) {
            return !IsSlot(token) && WordOf(token) == tensor;
          });
      if (names && (statement.variants & ~variants).any()) return false;
      for (const Statement& inner : part.body) {
        if (!IsForOnly(inner, tensor, variants, but)) return false;
      }
    }
    return true;
  }

  void Replace(std::vector<Statement>& block, size_t at, const Take& found) {
    const Tokens taken = block[at].parts[0].head;
    Statement& seen = block[at + 1];
    // From "InFloat(x, buffer" to "TakeFloat<T>(queue, buffer".
    Tokens& call = seen.parts[0].head;
    Tokens head(call.begin(), call.begin() + 6);
    head.push_back(TokenOf(vocabulary_.Of("TakeFloat"), true));
    head.insert(head.end(), taken.begin() + 9, taken.begin() + 12);
    head.push_back(call[7]);
    head.push_back(TokenOf(WordOf(taken[6]), false));
    head.insert(head.end(), call.begin() + 9, call.end());
    call = std::move(head);
    if (!block[at].comments.empty()) seen.comments = block[at].comments;
    block.erase(block.begin() + static_cast<ptrdiff_t>(found.given_back));
    block.erase(block.begin() + static_cast<ptrdiff_t>(at));
    Rename(function_.whole, found);
  }

  static void Rename(Statement& statement, const Take& found) {
    for (Alias& alias : statement.aliases) {
      if (alias.from == found.from) alias.from = found.to;
    }
    for (Part& part : statement.parts) {
      for (Token& token : part.head) {
        if (!IsSlot(token) && WordOf(token) == found.from) {
          token = TokenOf(found.to, HasBlank(token));
        }
      }
      for (Statement& inner : part.body) Rename(inner, found);
    }
  }

  FunctionText& function_;
  const std::vector<Slot>& slots_;
  Vocabulary& vocabulary_;
};

}  // namespace

size_t CountTakeFloat(const FunctionText& function,
                      const std::vector<Slot>& slots, Vocabulary& vocabulary) {
  FunctionText copy = function;
  return ToTakes(copy, slots, vocabulary).Run();
}

FunctionText WithTakeFloat(FunctionText function,
                           const std::vector<Slot>& slots,
                           Vocabulary& vocabulary) {
  ToTakes(function, slots, vocabulary).Run();
  return function;
}

Text TakeFloatDefinition() {
  Text text;
  text.Comment(
      "The next tensor of the queue in float; what was converted is given "
      "back.");
  text.Declaration("template <typename T, typename Queue>");
  text.Declaration(
      "__aicore__ inline LocalTensor<float> TakeFloat(Queue& queue, "
      "TBuf<TPosition::VECCALC>& buffer, int64_t count) {");
  text.Statement("LocalTensor<T> from = queue.template DeQue<T>();");
  text.Statement("LocalTensor<float> to = InFloat(from, buffer, count);");
  text.Statement(
      "if constexpr (!IsSameType<T, float>::value) queue.FreeTensor(from);");
  text.Statement("return to;");
  text.Close();
  text.Blank();
  return text;
}

}  // namespace belay::crux::print
