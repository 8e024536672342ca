// SPDX-License-Identifier: Apache-2.0
#include "crux/print/share_places.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

namespace belay::crux::print {
namespace {

class PlaceSharer {
 public:
  PlaceSharer(FunctionText& function, const std::vector<Slot>& slots,
              const Vocabulary& vocabulary)
      : function_(function), slots_(slots), vocabulary_(vocabulary) {}

  void Run() {
    Enter(function_.whole.parts[0].body, 0);
    for (size_t i = 1; i < order_.size(); ++i) {
      for (size_t j = i; j-- > 0;) {
        if (renamed_.contains(order_[j])) continue;
        const bool same_stem = StemOf(order_[j]) == StemOf(order_[i]);
        if (!AreOne(tensors_.at(order_[j]), tensors_.at(order_[i]),
                    same_stem)) {
          continue;
        }
        renamed_.emplace(order_[i], order_[j]);
        Tensor& first = tensors_.at(order_[j]);
        for (const auto& [variant, site] : tensors_.at(order_[i]).sites) {
          first.sites.try_emplace(variant, first.sites.begin()->second);
        }
        break;
      }
    }
    if (!renamed_.empty()) {
      Rename(function_.whole);
      Join(function_.whole.parts[0].body);
    }
    Gather(function_.whole.parts[0].body, function_.whole.variants);
  }

 private:
  // A tensor as one variant declares it.
  struct Site {
    int place = 0;  // the same for tensors that lie in the same one
    int type = 0;
    size_t block = 0;
    size_t at = 0;  // in the order of the text
  };
  struct Tensor {
    std::map<size_t, Site> sites;  // by variant
    bool plain = true;             // a variant declares it once
    // One statement declares it, in the same words for all its variants.
    bool by_one = true;
    int statements = 0;
    Word seen = 0;  // the tensor that it is another view of; 0: of none
  };

  void Enter(const std::vector<Statement>& block, size_t number) {
    for (const Statement& statement : block) {
      for (const Alias& alias : statement.aliases) AddAlias(alias, number);
      for (const Part& part : statement.parts) {
        AddDeclared(part.head, statement, number);
        if (part.body.empty()) continue;
        outer_.push_back(number);
        Enter(part.body, outer_.size());
      }
    }
  }

  void AddAlias(const Alias& alias, size_t block) {
    const auto from = tensors_.find(alias.from);
    for (size_t v = 0; v < kMostMerged; ++v) {
      if (!alias.variants.test(v)) continue;
      Site site{--places_, NumberOf(function_.variables.at(alias.name).type, v),
                block, ++count_};
      if (from != tensors_.end() && from->second.plain) {
        const auto known = from->second.sites.find(v);
        if (known != from->second.sites.end()) site.place = known->second.place;
      }
      Add(alias.name, v, site);
    }
    tensors_.at(alias.name).by_one = false;
  }

  void AddDeclared(const Tokens& head, const Statement& statement,
                   size_t block) {
    const auto declared = DeclarationIn(head, vocabulary_);
    if (!declared || WordOf(head[declared->type]) != Vocabulary::kLocalTensor) {
      return;
    }
    const auto name = head.begin() + static_cast<ptrdiff_t>(declared->at);
    const Tokens type(head.begin() + static_cast<ptrdiff_t>(declared->type),
                      name);
    const Tokens value(name + 1, head.end());
    const bool fixed = IsFixed(value);
    const Tensor* const seen = SeenIn(value);
    for (size_t v = 0; v < kMostMerged; ++v) {
      if (!statement.variants.test(v)) continue;
      Site site{fixed ? NumberOf(value, v) : --places_, NumberOf(type, v),
                block, ++count_};
      if (seen != nullptr && seen->plain && seen->sites.contains(v)) {
        site.place = seen->sites.at(v).place;
      }
      Add(declared->name, v, site);
    }
    Tensor& tensor = tensors_.at(declared->name);
    if (seen != nullptr) tensor.seen = WordOf(value[1]);
    tensor.by_one &= ++tensor.statements == 1 &&
                     std::none_of(head.begin(), head.end(), IsSlot);
    // Others in front of it would lose their place with it.
    if (std::any_of(
            statement.aliases.begin(), statement.aliases.end(),
            [&](const Alias& one) { return one.name != declared->name; })) {
      tensor.plain = false;
    }
  }

  void Add(Word name, size_t variant, const Site& site) {
    const auto [tensor, is_new] = tensors_.try_emplace(name);
    if (is_new) order_.push_back(name);
    tensor->second.plain &= tensor->second.sites.emplace(variant, site).second;
  }

  // The tensor that "= x.ReinterpretCast<float>();" sees in another way.
  const Tensor* SeenIn(const Tokens& value) const {
    constexpr size_t kCast = 10;
    if (value.size() != kCast || IsSlot(value[1]) || IsSlot(value[3]) ||
        vocabulary_.Text(WordOf(value[3])) != "ReinterpretCast") {
      return nullptr;
    }
    const auto found = tensors_.find(WordOf(value[1]));
    return found == tensors_.end() ? nullptr : &found->second;
  }

  // Whether a value is the same wherever it is asked for: a buffer, from a
  // place on that only the tiling data and constants say.
  bool IsFixed(const Tokens& value) const {
    bool gets = false;
    for (size_t i = 0; i < value.size(); ++i) {
      const Word word = WordOf(value[i]);
      if (IsSlot(value[i]) || !vocabulary_.IsName(word)) continue;
      const std::string& text = vocabulary_.Text(word);
      if (text == "Get") gets = true;
      const bool field = i > 0 && !IsSlot(value[i - 1]) &&
                         WordOf(value[i - 1]) == Vocabulary::kGreater &&
                         !HasBlank(value[i]);
      if (!field && text != "Get" && !text.ends_with('_') &&
          !vocabulary_.IsType(word)) {
        return false;
      }
    }
    return gets;
  }

  // Of the words as a variant has them.
  int NumberOf(const Tokens& tokens, size_t variant) {
    words_.clear();
    for (const Token token : tokens) {
      if (!IsSlot(token)) {
        words_.push_back(WordOf(token));
        continue;
      }
      for (const auto& [v, word] : slots_[SlotOf(token)].words) {
        if (v == variant) words_.push_back(word);
      }
    }
    const int next = static_cast<int>(numbers_.size());
    return numbers_.try_emplace(words_, next).first->second;
  }

  bool IsWithin(size_t inner, size_t outer) const {
    while (inner > outer) inner = outer_[inner - 1];
    return inner == outer;
  }

  // "lists" of lists_2 and of lists3.
  std::string_view StemOf(Word name) const {
    const std::string_view text = vocabulary_.Text(name);
    return text.substr(0, text.find_last_not_of("0123456789_") + 1);
  }

  // Where a buffer is may be said to variants of the other alone as well if
  // both have a name, and that of a view what it is one of.
  bool MayServe(const Tensor& first, const Tensor& other) const {
    if (!first.by_one || !other.by_one ||
        first.sites.begin()->second.place < 0) {
      return false;
    }
    if (first.seen == 0) return true;
    const Tensor& seen = tensors_.at(NameOf(first.seen));
    return std::all_of(
        other.sites.begin(), other.sites.end(),
        [&](const auto& one) { return seen.sites.contains(one.first); });
  }

  bool AreOne(const Tensor& first, const Tensor& other, bool same_name) const {
    const bool for_more = same_name && MayServe(first, other);
    return first.plain && other.plain &&
           std::all_of(other.sites.begin(), other.sites.end(),
                       [&](const auto& one) {
                         auto found = first.sites.find(one.first);
                         if (found == first.sites.end() && for_more) {
                           found = first.sites.begin();
                         }
                         return found != first.sites.end() &&
                                found->second.place == one.second.place &&
                                found->second.type == one.second.type &&
                                found->second.at < one.second.at &&
                                IsWithin(one.second.block, found->second.block);
                       });
  }

  Word NameOf(Word word) const {
    const auto found = renamed_.find(word);
    return found == renamed_.end() ? word : found->second;
  }

  void Rename(Statement& statement) {
    std::erase_if(statement.aliases, [&](const Alias& alias) {
      return renamed_.contains(alias.name);
    });
    for (Alias& alias : statement.aliases) alias.from = NameOf(alias.from);
    const auto declared = DeclarationIn(statement.parts[0].head, vocabulary_);
    const auto tensor =
        declared ? tensors_.find(declared->name) : tensors_.end();
    if (tensor != tensors_.end() && tensor->second.by_one) {
      for (const auto& [variant, site] : tensor->second.sites) {
        statement.variants.set(variant);
      }
    }
    for (Part& part : statement.parts) {
      DropDeclarations(part.body);
      for (Token& token : part.head) {
        if (!IsSlot(token)) {
          token = TokenOf(NameOf(WordOf(token)), HasBlank(token));
        }
      }
      for (Statement& inner : part.body) Rename(inner);
    }
  }

  // Their comments go to the statement behind them.
  void DropDeclarations(std::vector<Statement>& block) {
    std::vector<std::string> comments;
    for (size_t i = 0; i < block.size();) {
      const auto declared = DeclarationIn(block[i].parts[0].head, vocabulary_);
      std::vector<std::string>& own = block[i].comments;
      if (own.empty()) own.swap(comments);
      comments.clear();
      if (!declared || !renamed_.contains(declared->name)) {
        ++i;
        continue;
      }
      comments.swap(own);
      block.erase(block.begin() + static_cast<ptrdiff_t>(i));
    }
  }

  // Statements of some variants and of others that are the same by now, where
  // one may stand where the other does.
  static void Join(std::vector<Statement>& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      VariantSet between;
      for (size_t j = i + 1; j < block.size(); ++j) {
        const Statement& other = block[j];
        if (AreSame(block[i], other) && (between & other.variants).none() &&
            (block[i].variants & other.variants).none()) {
          block[i].variants |= other.variants;
          block.erase(block.begin() + static_cast<ptrdiff_t>(j));
          --j;
        } else {
          between |= other.variants;
        }
      }
      for (Part& part : block[i].parts) Join(part.body);
    }
  }

  static bool AreSame(const Statement& a, const Statement& b) {
    const auto has_slot = [](const Tokens& head) {
      return std::any_of(head.begin(), head.end(), IsSlot);
    };
    return !a.nested && !b.nested && a.aliases.empty() && b.aliases.empty() &&
           a.parts[0].head == b.parts[0].head && !has_slot(a.parts[0].head);
  }

  // A part of a buffer may be named as early as the other variants of the block
  // name their tensor.
  void Gather(std::vector<Statement>& block, const VariantSet& context) const {
    for (size_t i = 0; i < block.size(); ++i) {
      for (size_t j = i + 2; j < block.size(); ++j) {
        if (!AreChoice(block[i], block[j], context)) continue;
        const auto to = block.begin() + static_cast<ptrdiff_t>(i) + 1;
        const auto from = block.begin() + static_cast<ptrdiff_t>(j);
        std::rotate(to, from, from + 1);
        break;
      }
      for (Part& part : block[i].parts) Gather(part.body, block[i].variants);
    }
  }

  bool AreChoice(const Statement& first, const Statement& later,
                 const VariantSet& context) const {
    if (first.nested || later.nested || !later.aliases.empty() ||
        (first.variants & later.variants).any() ||
        (first.variants | later.variants) != context) {
      return false;
    }
    const Tokens& head = later.parts[0].head;
    const auto declared = DeclarationIn(head, vocabulary_);
    const auto own = DeclarationIn(first.parts[0].head, vocabulary_);
    return declared && own && declared->name == own->name &&
           IsFixed({head.begin() + static_cast<ptrdiff_t>(declared->at) + 1,
                    head.end()});
  }

  FunctionText& function_;
  const std::vector<Slot>& slots_;
  const Vocabulary& vocabulary_;
  std::map<Word, Tensor> tensors_;
  std::vector<Word> order_;    // as they are declared
  std::vector<size_t> outer_;  // of each block but the first
  std::map<std::vector<Word>, int> numbers_;
  std::vector<Word> words_;  // for NumberOf
  std::map<Word, Word> renamed_;
  int places_ = 0;  // the last of those that are no part of a buffer
  size_t count_ = 0;
};

}  // namespace

FunctionText WithSharedPlaces(FunctionText function,
                              const std::vector<Slot>& slots,
                              const Vocabulary& vocabulary) {
  PlaceSharer(function, slots, vocabulary).Run();
  return function;
}

}  // namespace belay::crux::print
