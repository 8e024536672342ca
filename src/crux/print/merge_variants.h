// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_MERGE_VARIANTS_H_
#define BELAY_CRUX_PRINT_MERGE_VARIANTS_H_

// Lays the printed texts of variants over one another: statements that differ
// in names of variables, in dtypes, or in numbers that are sizes of dtypes
// become one; the others are kept with the set of variants that have them. Of
// each variant the merged text is the variant's own, with names changed.

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "crux/print/statement_tree.h"
#include "crux/print/text.h"
#include "crux/print/variant_space.h"

namespace belay::crux::print {

// Words at one place, by variant.
struct Slot {
  std::vector<std::pair<size_t, Word>> words;
};

struct Variable {
  Tokens type;
  bool fixed = false;  // a parameter, or a loop's: never given another value
};

struct FunctionText {
  Word name = 0;
  Statement whole;
  std::unordered_map<Word, Variable> variables;  // that may be renamed
  bool free = false;                             // uses nothing of its class
};

// A class, or a plain block as its only function.
struct ClassText {
  std::vector<FunctionText> functions;
  std::vector<Statement> members;  // declarations
  std::unordered_map<Word, size_t> member_at;
};

// Functions of a class, each with its head, and its members.
ClassText ParseClass(const std::vector<Text>& functions, const Text& members,
                     Vocabulary& vocabulary);
// Statements whose names stay as they are.
ClassText ParseBlock(const Text& block, Vocabulary& vocabulary);

class VariantMerger {
 public:
  VariantMerger(VariantSpace& space, Vocabulary& vocabulary)
      : space_(space), vocabulary_(vocabulary) {}

  // Which part of the statements of `one` has its like here: 0 to 1.
  double Likeness(const ClassText& one) const;
  // `variant` by its number in the space.
  void Add(size_t variant, ClassText one);

  const ClassText& text() const { return text_; }
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  struct Renaming {
    std::unordered_map<Word, Word> to;       // from the variant's names
    std::unordered_map<Word, Word> from;     // back
    std::unordered_map<Word, Word> aliases;  // of the merged text, back
  };
  // What laying one statement over another would add.
  struct Trial {
    std::vector<std::pair<Word, Word>> variables;  // the variant's, the merged
    std::vector<std::pair<Word, Word>> members;
    std::vector<std::pair<Word, Word>> aliases;
    std::vector<std::pair<size_t, Word>> slots;  // more words of slots
    int choices = 0;                             // numbers that are `a ? x : y`
    // Places that become slots: their position, and the variant's word.
    std::vector<std::pair<size_t, Word>> places;

    static std::optional<Word> Find(
        const std::vector<std::pair<Word, Word>>& pairs, Word one) {
      for (const auto& [from, to] : pairs) {
        if (from == one) return to;
      }
      return std::nullopt;
    }
    static bool Reaches(const std::vector<std::pair<Word, Word>>& pairs,
                        Word to) {
      return std::any_of(pairs.begin(), pairs.end(),
                         [&](const auto& pair) { return pair.second == to; });
    }
  };

  void MatchFunctions(const ClassText& one);
  int Rank(const FunctionText& function) const;
  double SharedMembers(const Statement& into, const Statement& one) const;
  bool HeadsAgree(FunctionText& into, const FunctionText& one);
  void MergeFunction(FunctionText& into, Statement one);
  void MergeMembers(std::vector<Statement> members);
  void MergeBlock(std::vector<Statement>& into, std::vector<Statement> one);
  // Which statement of `one` each of `into` is laid over; -1: none.
  std::vector<int> Align(const std::vector<Statement>& into,
                         const std::vector<Statement>& one) const;
  // 0: not to be paired.
  int Alikeness(const Statement& a, const Statement& b) const;
  int Kinship(const VariantSet& variants) const;
  // How a word of the variant may stand where others have theirs.
  enum class Fit : uint8_t {
    kNone,
    kByDtype,   // a type, or a size that follows from one
    kByChoice,  // one of two numbers
  };
  Fit FitOf(Token into, Word own, const VariantSet& variants) const;
  bool UnifyHeads(Statement& into, const Statement& one);
  Statement& PlaceForAlias(Word name, Word from, Statement& use);
  bool UnifyMemory(const Tokens& head, size_t at, Word own, Trial& trial);
  bool Unify(const Tokens& into, const Tokens& one, const VariantSet& variants,
             Trial& trial);
  bool UnifyName(Word into, Word one, const Tokens& head, Trial& trial);
  bool CanAlias(Word name, Word one, const Tokens& head) const;
  bool SameMemberType(Word into, Word one);
  void Adopt(Statement& statement);
  Word AdoptName(Word word);
  Word FreshName(Word word) const;
  bool IsVariable(Word word) const;
  bool IsMember(Word word) const;

  VariantSpace& space_;
  Vocabulary& vocabulary_;
  ClassText text_;
  std::vector<Slot> slots_;
  std::unordered_map<uint64_t, int> shapes_;

  // While a variant is added.
  size_t variant_ = 0;
  const ClassText* one_ = nullptr;
  FunctionText* function_ = nullptr;  // merged
  const FunctionText* one_function_ = nullptr;
  Renaming members_;
  Renaming names_;  // of functions
  Renaming variables_;
  std::vector<std::vector<Statement>*> blocks_;  // being merged, outer first
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_MERGE_VARIANTS_H_
