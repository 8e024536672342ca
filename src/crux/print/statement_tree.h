// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_STATEMENT_TREE_H_
#define BELAY_CRUX_PRINT_STATEMENT_TREE_H_

// Printed lines as statements within statements, and their text as words, so
// that the texts of several variants can be laid beside one another.

#include <bitset>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "crux/ir/name_set.h"
#include "crux/print/text.h"
#include "crux/print/word_table.h"

namespace belay::crux::print {

// Variants that one text serves.
inline constexpr size_t kMostMerged = 256;
using VariantSet = std::bitset<kMostMerged>;

// A word and whether a blank is before it. Negative: a slot, a place where the
// variants' words differ.
using Token = int32_t;
using Tokens = std::vector<Token>;
inline Token TokenOf(Word word, bool blank) { return word * 2 + blank; }
inline bool IsSlot(Token token) { return token < 0; }
inline Word WordOf(Token token) { return token >> 1; }
inline size_t SlotOf(Token token) { return static_cast<size_t>(~token >> 1); }
inline bool HasBlank(Token token) {
  return ((token < 0 ? ~token : token) & 1) != 0;
}
inline Token SlotToken(size_t slot, bool blank) {
  return ~(static_cast<Token>(slot) * 2 + blank);
}

// Words by number: C++'s tokens, a string or a number being one. Lines that
// were read before, and shapes of statements, are remembered as well.
class Vocabulary {
 public:
  // Words that have the same number in every vocabulary.
  enum Fixed : Word {
    kConst,
    kConstexpr,
    kStatic,
    kFor,
    kReturn,
    kIf,
    kElse,
    kWhile,
    kCase,
    kUsing,
    kOpen,
    kColon,
    kLess,
    kGreater,
    kAnd,
    kStar,
    kEquals,
    kSemicolon,
    kBrace,
    kBracket,
    kDot,
    kGlobalTensor,
    kLocalTensor,
    kBuffer,
    kQueue,
    kQueueBind,
    kFreeTensor,
    kFixed,  // how many
  };

  Vocabulary();

  Word Of(std::string_view text);
  const std::string& Text(Word word) const {
    return texts_[static_cast<size_t>(word)];
  }
  bool IsName(Word word) const { return Is(word, kNameKind); }
  bool IsType(Word word) const { return Is(word, kTypeKind); }
  bool IsInteger(Word word) const { return Is(word, kIntegerKind); }
  int64_t ValueOf(Word integer) const {
    return values_[static_cast<size_t>(integer)];
  }
  // The name without a number at its end: "CopyIn" of "CopyIn2", "z" of "z_2".
  Word Stem(Word word);

  // The words of a line. Valid until the next call.
  const Tokens& Read(std::string_view line);

  // Small numbers for the shapes of statements, equal for equal hashes.
  uint32_t ShapeOf(uint64_t hash) {
    return shapes_.emplace(hash, static_cast<uint32_t>(shapes_.size()))
        .first->second;
  }

 private:
  static constexpr uint8_t kNameKind = 1;
  static constexpr uint8_t kTypeKind = 2;     // of elements
  static constexpr uint8_t kIntegerKind = 4;  // decimal

  bool Is(Word word, uint8_t what) const {
    return (kinds_[static_cast<size_t>(word)] & what) != 0;
  }

  std::deque<std::string> texts_;
  std::vector<uint8_t> kinds_;
  std::vector<int64_t> values_;
  std::vector<Word> stems_;
  std::unordered_map<std::string_view, Word, ir::NameHash> numbers_;
  std::unordered_map<std::string, Tokens, ir::NameHash, std::equal_to<>> lines_;
  std::unordered_map<uint64_t, uint32_t> shapes_;
};

// name = from: another handle of a LocalTensor, for variants that have no
// tensor of that name.
struct Alias {
  Word name = 0;
  Word from = 0;
  VariantSet variants;
};

struct Statement;

// "for (…) {", "} else {", and what is between the braces.
struct Part {
  Tokens head;
  std::vector<Statement> body;
};

struct Statement {
  LineKind kind = LineKind::kStatement;
  bool nested = false;  // ends in `close`
  std::string close;
  std::vector<std::string> comments;  // in front of it
  std::vector<Part> parts;            // one if it is not nested
  std::vector<Alias> aliases;         // in front of it
  VariantSet variants;
  uint32_t shape = 0;  // equal for statements that differ in names alone
};

// Lines of a block; blank ones are left out.
std::vector<Statement> Parse(const std::vector<Line>& lines,
                             Vocabulary& vocabulary);

// A variable that a statement declares.
struct Declaration {
  Word name = 0;
  size_t type = 0;  // where its type begins, without const
  size_t at = 0;    // where its name stands
  bool loop = false;
};
std::optional<Declaration> DeclarationIn(const Tokens& head,
                                         const Vocabulary& vocabulary);

// Parameters of the function that `head` begins.
std::vector<Declaration> ParametersIn(const Tokens& head,
                                      const Vocabulary& vocabulary);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_STATEMENT_TREE_H_
