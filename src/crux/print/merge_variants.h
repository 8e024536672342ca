// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_MERGE_VARIANTS_H_
#define BELAY_CRUX_PRINT_MERGE_VARIANTS_H_

// Lays the printed texts of variants over one another: statements that differ
// in names of variables, in dtypes, or in numbers that are sizes of dtypes
// become one; the others are kept with the set of variants that have them. Of
// each variant the merged text is the variant's own, with names changed.

#include <algorithm>
#include <memory>
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
  // The word that all of them have, if it is one.
  std::optional<Word> WordOfAll(const VariantSet& variants) const;

  std::vector<std::pair<size_t, Word>> words;
};

struct Variable {
  Tokens type;
  bool fixed = false;    // a parameter, or a loop's: never given another value
  // Variants in which it is another handle of a tensor, and its elements' type.
  std::vector<std::pair<size_t, Word>> aliased;
};

// The X of a "LocalTensor<X>" that the tokens begin with.
std::optional<Token> ElementOf(const Tokens& type);

struct FunctionText {
  Word name = 0;
  Statement whole;
  WordTable<Variable> variables;  // that may be renamed
  bool free = false;              // uses nothing of its class
  std::vector<uint32_t> shapes;   // of all its statements
  std::vector<Word> members;      // that it mentions, each once, in order
  std::vector<Word> functions;    // of its class, itself included
};

// A class, or a plain block as its only function. Variants that have the same
// function share it.
struct ClassText {
  std::vector<std::shared_ptr<const FunctionText>> functions;
  std::vector<Statement> members;  // declarations
  WordTable<size_t> member_at;
};

// Reads classes and blocks; a function that another class has as well, and a
// block that is the same as another, are read once.
class ClassReader {
 public:
  explicit ClassReader(Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  // Functions of a class, each with its head, and its members.
  ClassText Read(const std::vector<std::shared_ptr<const Text>>& functions,
                 const Text& members);
  // Statements whose names stay as they are.
  ClassText ReadBlock(const Text& block);

 private:
  // Of one text; several where its words mean other things in other classes.
  struct Known {
    Word name = 0;
    FunctionText plain;       // for its first class
    std::vector<Word> names;  // in it, each once, in order
    std::vector<std::shared_ptr<const FunctionText>> in_classes;
  };

  Known& KnownOf(const std::shared_ptr<const Text>& text);
  std::shared_ptr<const FunctionText> InClass(Known& known,
                                              const ClassText& text,
                                              const WordTable<bool>& functions);

  Vocabulary& vocabulary_;
  std::unordered_map<std::string, Known> known_;  // by text
  std::unordered_map<std::shared_ptr<const Text>, Known*> seen_;
  std::unordered_map<std::string, std::shared_ptr<const FunctionText>> blocks_;
};

class VariantMerger {
 public:
  // Variants laid over one another.
  struct Merged {
    std::vector<FunctionText> functions;
    std::vector<Statement> members;
    WordTable<size_t> member_at;
  };

  VariantMerger(VariantSpace& space, Vocabulary& vocabulary)
      : space_(space), vocabulary_(vocabulary) {}

  // Which part of the statements of `one` has its like here: 0 to 1.
  double Likeness(const ClassText& one) const;
  // `variant` by its number in the space: the last one added to it.
  void Add(size_t variant, const ClassText& one);
  // The same of one whose text is that of another, with `to` for `from`, a
  // type.
  void AddTwin(size_t variant, size_t of, Word from, Word to);

  const Merged& text() const { return text_; }
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  // Numbers of a statement that may differ for no reason that a dtype gives.
  static constexpr int kMostChoices = 1;

  struct Renaming {
    WordTable<Word> to;       // from the variant's names
    WordTable<Word> from;     // back
    WordTable<Word> aliases;  // of the merged text, back

    void Clear() {
      to.clear();
      from.clear();
      aliases.clear();
    }
    void Pair(Word one, Word merged) {
      to[one] = merged;
      from[merged] = one;
    }
  };
  // A function that was laid over a merged one, and what its names became.
  struct Origin {
    std::shared_ptr<const FunctionText> text;
    size_t variant = 0;
    std::vector<std::pair<Word, Word>> members;
    std::vector<std::pair<Word, Word>> functions;
  };
  // A place that becomes a slot, and the variant's word there.
  struct Place {
    size_t part = 0;  // of the statement
    size_t at = 0;    // in its head
    Word word = 0;
  };
  // What laying one statement over another would add.
  struct Trial {
    std::vector<std::pair<Word, Word>> variables;  // the variant's, the merged
    std::vector<std::pair<Word, Word>> members;
    std::vector<std::pair<Word, Word>> aliases;
    std::vector<std::pair<size_t, Word>> slots;  // more words of slots
    int choices = 0;                             // numbers that are `a ? x : y`
    std::vector<Place> places;
    size_t part = 0;  // that is being laid

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

  void NoteTypes();
  void Begin(const ClassText& one);
  void MatchFunctions(const ClassText& one);
  // Where `one` was laid before, if it can be again.
  std::optional<size_t> SameAsBefore(
      const std::shared_ptr<const FunctionText>& one,
      const std::vector<bool>& taken);
  std::optional<size_t> MostAlike(const FunctionText& one,
                                  const std::vector<bool>& taken);
  void AddApart(const std::vector<const FunctionText*>& apart);
  int Rank(const FunctionText& function) const;
  double SharedMembers(const FunctionText& into, const FunctionText& one) const;
  // How many statements of `one` have their like in `into`.
  size_t Alike(const FunctionText& into, const FunctionText& one) const;
  bool HeadsAgree(FunctionText& into, const FunctionText& one);
  std::optional<Statement> BothAhead(Statement& into, const Statement& one);
  void MergeFunction(FunctionText& into, const Statement& one);
  // A function that another variant has as well goes where that one's went.
  bool Repeat(size_t into, const std::shared_ptr<const FunctionText>& one);
  bool CanRepeat(const Statement& merged, size_t as) const;
  void MarkLike(Statement& merged, size_t as);
  void MarkTwin(Statement& merged, size_t of, Word from, Word to);
  // Whether a tensor that the head declares may get the elements' type that the
  // trial gives it: where it is another handle of a tensor, that has the same.
  bool SuitsAliases(const Statement& into, const Trial& trial) const;
  using Words = std::vector<std::pair<size_t, std::string>>;  // by variant
  void AddElementWords(Token element, const VariantSet& variants,
                       Words& words) const;
  // The type of a variable has the slots of its declaration.
  void NoteDeclared(const Tokens& head);
  static Word WordIn(const Slot& slot, size_t variant);
  void Remember(size_t into, const std::shared_ptr<const FunctionText>& one);
  void Describe(FunctionText& merged) const;
  void MergeMembers(const std::vector<Statement>& members);
  void MergeBlock(std::vector<Statement>& into,
                  const std::vector<Statement>& one);
  void Reserve(const std::vector<Statement>& into,
               const std::vector<Statement>& one,
               const std::vector<int>& pairs);
  // Of the first statements of two blocks: the best that ends in a pair, and in
  // statements without one.
  struct Totals {
    int paired = 0;
    int alone = 0;
  };
  // Which statement of `one` each of `into` is laid over; -1: none.
  std::vector<int> Align(const std::vector<Statement>& into,
                         const std::vector<Statement>& one) const;
  // A word of the variant, and what it is called in the merged text as far as
  // that is known.
  struct Named {
    Word own = 0;
    Word word = 0;
    bool function = false;  // it names one
  };
  // All heads of a statement.
  std::vector<Named> NamedWords(const Statement& one) const;
  // `words` are those of b. 0: not to be paired.
  int Alikeness(const Statement& a, const Statement& b,
                const std::vector<Named>& words) const;
  bool GivesBack(const Statement& statement) const;
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
  bool UnifyAlias(Word into, Word one, const Tokens& head, Trial& trial);
  bool IsSet(Word member, const Statement& statement) const;
  bool CanAlias(Word name, Word one, const Tokens& head) const;
  bool SameMemberType(Word into, Word one);
  // With the names of the merged text, for this variant.
  void Adopt(Statement& statement);
  Word AdoptName(Word word);
  Word FreshName(Word word) const;
  // Of a variable or member of the variant; a member's name stands behind it.
  const Tokens& TypeOf(Word one) const;
  bool IsVariable(Word word) const;
  bool IsMember(Word word) const;

  VariantSpace& space_;
  Vocabulary& vocabulary_;
  Merged text_;
  std::vector<std::vector<Origin>> origins_;  // of each function
  std::vector<Slot> slots_;
  std::vector<int> shape_counts_;         // of the merged text, by shape
  std::vector<std::vector<Word>> types_;  // of dtypes, by variant

  // While a variant is added.
  size_t variant_ = 0;
  VariantSet same_answers_;  // of other variants
  VariantSet same_dtypes_;
  const ClassText* one_ = nullptr;
  FunctionText* function_ = nullptr;  // merged
  const FunctionText* one_function_ = nullptr;
  Renaming members_;
  Renaming names_;  // of functions
  Renaming variables_;
  std::vector<Word> reserved_;  // of the merged text: not free to be adopted
  std::vector<std::vector<Statement>*> blocks_;  // being merged, outer first
  std::vector<Statement*> around_;  // each block but the first, outermost first
  // For counting, all 0 between uses; and for FitOf.
  mutable std::vector<int> counts_;
  mutable std::vector<std::pair<size_t, Word>> scratch_;
  mutable std::vector<Word> words_;  // by choice of dtypes
  mutable std::vector<std::pair<size_t, int64_t>> values_;
  mutable std::vector<Totals> totals_;  // for Align
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_MERGE_VARIANTS_H_
