// SPDX-License-Identifier: Apache-2.0
#include "crux/print/kept_tensors.h"

#include <algorithm>
#include <map>
#include <optional>

namespace belay::crux::print {
namespace {

// Calls visit for the statement and those within it.
template <typename One, typename Visit>
void ForEach(One& statement, const Visit& visit) {
  visit(statement);
  for (auto& part : statement.parts) {
    for (auto& inner : part.body) ForEach(inner, visit);
  }
}

bool Mentions(const Statement& statement, Word word) {
  bool mentions = false;
  ForEach(statement, [&](const Statement& one) {
    for (const Part& part : one.parts) {
      for (const Token token : part.head) {
        mentions |= !IsSlot(token) && WordOf(token) == word;
      }
    }
  });
  return mentions;
}

class Keeper {
 public:
  Keeper(const VariantMerger::Merged& merged, Vocabulary& vocabulary,
         std::vector<FunctionText>& functions)
      : merged_(merged), vocabulary_(vocabulary), functions_(functions) {}

  void Run() {
    for (FunctionText& function : functions_) {
      std::map<Word, Word> members;  // by the name that stands for them
      ForEach(function.whole, [&](const Statement& statement) {
        for (const Alias& alias : statement.aliases) {
          if (!merged_.member_at.contains(alias.from)) continue;
          members.emplace(alias.name, alias.from);
        }
      });
      for (const auto& [name, member] : members) Keep(function, name, member);
    }
  }

 private:
  // "LocalTensor<float> name = buffer_.Get<float>();", whatever the name is.
  struct Taken {
    Word name = 0;
    Tokens value;  // behind the name
    VariantSet variants;
  };

  std::optional<Taken> TakenBy(const Statement& statement) const {
    constexpr size_t kName = 4;
    constexpr size_t kTokens = 15;
    const Tokens& head = statement.parts[0].head;
    if (statement.nested || head.size() != kTokens ||
        std::any_of(head.begin(), head.end(), IsSlot) ||
        WordOf(head[0]) != Vocabulary::kLocalTensor ||
        vocabulary_.Text(WordOf(head[8])) != "Get") {
      return std::nullopt;
    }
    return Taken{WordOf(head[kName]),
                 {head.begin() + kName + 1, head.end()},
                 statement.variants};
  }

  // The only one of a function that `is_it` holds for.
  template <typename Is>
  std::optional<Taken> OnlyOneIn(const FunctionText& function,
                                 const Is& is_it) const {
    std::optional<Taken> found;
    int count = 0;
    ForEach(function.whole, [&](const Statement& statement) {
      const auto taken = TakenBy(statement);
      if (!taken || !is_it(*taken)) return;
      found = taken;
      ++count;
    });
    return count == 1 ? found : std::nullopt;
  }

  // Whether variants call `first` before anything calls `second`.
  bool RunsBefore(Word first, Word second, const VariantSet& variants) const {
    const Word process = vocabulary_.Of("Process");
    for (const FunctionText& function : functions_) {
      if (function.name != process) {
        if (function.name != first && Mentions(function.whole, first)) {
          return false;
        }
        continue;
      }
      for (const Statement& statement : function.whole.parts[0].body) {
        const Tokens& head = statement.parts[0].head;
        if (!statement.nested && !IsSlot(head[0]) && WordOf(head[0]) == first) {
          return (variants & ~statement.variants).none();
        }
        if (Mentions(statement, first) || Mentions(statement, second)) {
          return false;
        }
      }
    }
    return false;
  }

  void Keep(FunctionText& function, Word name, Word member) {
    const auto taken =
        OnlyOneIn(function, [&](const Taken& one) { return one.name == name; });
    const Statement& own = merged_.members[merged_.member_at.at(member)];
    if (!taken || (own.variants & taken->variants).any() ||
        !IsOnly(function, name, member) || !IsOfType(own, *taken)) {
      return;
    }
    for (FunctionText& other : functions_) {
      if (&other == &function ||
          !RunsBefore(other.name, function.name, taken->variants)) {
        continue;
      }
      const auto filled = OnlyOneIn(other, [&](const Taken& one) {
        return one.value == taken->value &&
               (taken->variants & ~one.variants).none();
      });
      if (!filled || !IsOnly(other, filled->name, member)) continue;
      Rename(other, filled->name, member, true);
      Rename(function, name, member, false);
      return;
    }
  }

  // Whether no other declaration gives the name a value, and no alias but the
  // member.
  bool IsOnly(const FunctionText& function, Word name, Word member) const {
    int declarations = 0;
    bool others = false;
    ForEach(function.whole, [&](const Statement& statement) {
      for (const Part& part : statement.parts) {
        const auto declared = DeclarationIn(part.head, vocabulary_);
        if (declared && declared->name == name) ++declarations;
      }
      for (const Alias& alias : statement.aliases) {
        others |= alias.name == name && alias.from != member;
      }
    });
    return declarations == 1 && !others;
  }

  bool IsOfType(const Statement& member, const Taken& taken) const {
    // "LocalTensor<float> member_;" and "= buffer_.Get<float>();"
    constexpr size_t kType = 2;
    constexpr size_t kGot = 5;
    const Tokens& head = member.parts[0].head;
    return head.size() > kType && !IsSlot(head[kType]) &&
           WordOf(head[0]) == Vocabulary::kLocalTensor &&
           WordOf(head[kType]) == WordOf(taken.value[kGot]);
  }

  // The name becomes the member, whose value its declaration gives it where the
  // function sets it and else goes.
  void Rename(FunctionText& function, Word name, Word member, bool sets) {
    ForEach(function.whole, [&](Statement& statement) {
      std::erase_if(statement.aliases,
                    [&](const Alias& alias) { return alias.name == name; });
      for (Alias& alias : statement.aliases) {
        if (alias.from == name) alias.from = member;
      }
      for (Part& part : statement.parts) DropOrSet(part.body, name, sets);
    });
    ForEach(function.whole, [&](Statement& statement) {
      for (Part& part : statement.parts) {
        for (Token& token : part.head) {
          if (!IsSlot(token) && WordOf(token) == name) {
            token = TokenOf(member, HasBlank(token));
          }
        }
      }
    });
  }

  void DropOrSet(std::vector<Statement>& block, Word name, bool sets) {
    for (size_t i = 0; i < block.size(); ++i) {
      Tokens& head = block[i].parts[0].head;
      const auto declared = DeclarationIn(head, vocabulary_);
      if (!declared || declared->name != name) continue;
      if (sets) {
        head.erase(head.begin(),
                   head.begin() + static_cast<ptrdiff_t>(declared->at));
        head[0] = TokenOf(name, false);
        continue;
      }
      const auto next = block.begin() + static_cast<ptrdiff_t>(i) + 1;
      if (next != block.end()) {
        next->aliases.insert(next->aliases.begin(), block[i].aliases.begin(),
                             block[i].aliases.end());
        if (next->comments.empty()) next->comments = block[i].comments;
      }
      block.erase(next - 1);
      --i;
    }
  }

  const VariantMerger::Merged& merged_;
  Vocabulary& vocabulary_;
  std::vector<FunctionText>& functions_;
};

}  // namespace

void KeepTensors(const VariantMerger::Merged& merged, Vocabulary& vocabulary,
                 std::vector<FunctionText>& functions) {
  Keeper(merged, vocabulary, functions).Run();
}

}  // namespace belay::crux::print
