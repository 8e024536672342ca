// SPDX-License-Identifier: Apache-2.0
#include "toolchain/raw_attributes.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Lex/Lexer.h>

#include <vector>

namespace belay::toolchain {
namespace {

using clang::Token;

constexpr char kReplacement[] = "_aicore_";
static_assert(sizeof(kReplacement) == sizeof("[aicore]"));

struct Piece {
  clang::tok::TokenKind kind;
  unsigned begin;
  unsigned length;
  bool starts_line;
  bool after_space;
};

std::vector<Piece> Lex(llvm::StringRef text) {
  clang::LangOptions language;
  language.CPlusPlus = true;
  language.CPlusPlus11 = true;
  language.CPlusPlus14 = true;
  language.CPlusPlus17 = true;
  language.LineComment = true;
  language.RawStringLiterals = true;
  // The lexer wants a zero after the text, which a StringRef need not have.
  const std::string copy = text.str();
  const auto start = clang::SourceLocation::getFromRawEncoding(1);
  clang::Lexer lexer(start, language, copy.c_str(), copy.c_str(),
                     copy.c_str() + copy.size());
  std::vector<Piece> pieces;
  for (Token token; !lexer.LexFromRawLexer(token);) {
    pieces.push_back({token.getKind(), token.getLocation().getRawEncoding() - 1,
                      token.getLength(), token.isAtStartOfLine(),
                      token.hasLeadingSpace()});
  }
  return pieces;
}

// The index after the attribute that begins at `first`, or 0.
size_t EndOfAttribute(const std::vector<Piece>& pieces, size_t first,
                      llvm::StringRef text) {
  bool has_aicore = false;
  for (size_t i = first + 1; i + 1 < pieces.size(); i += 2) {
    const llvm::StringRef word = text.substr(pieces[i].begin, pieces[i].length);
    if (word != "aicore" && word != "host" && word != "device") return 0;
    has_aicore |= word == "aicore";
    if (pieces[i + 1].kind == clang::tok::r_square)
      return has_aicore ? i + 2 : 0;
    if (pieces[i + 1].kind != clang::tok::comma) return 0;
  }
  return 0;
}

// Whether a declaration goes on here; an index or a lambda never goes on with
// a word. At the end of a macro's line, the space before tells.
bool StandsBeforeDeclaration(const std::vector<Piece>& pieces, size_t first,
                             size_t after) {
  if (after == pieces.size() || pieces[after].starts_line) {
    if (first == 0 || pieces[first].starts_line) return true;
    return pieces[first].after_space;
  }
  switch (pieces[after].kind) {
    case clang::tok::raw_identifier:
    case clang::tok::coloncolon:
    case clang::tok::tilde:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::optional<std::string> ReplaceRawAttributes(llvm::StringRef text) {
  if (!text.contains("aicore]") && !text.contains("aicore ]") &&
      !text.contains("aicore,"))
    return std::nullopt;
  const std::vector<Piece> pieces = Lex(text);
  std::optional<std::string> result;
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].kind != clang::tok::l_square) continue;
    const size_t after = EndOfAttribute(pieces, i, text);
    if (after == 0 || !StandsBeforeDeclaration(pieces, i, after)) continue;
    if (!result) result = text.str();
    const unsigned begin = pieces[i].begin;
    const unsigned end = pieces[after - 1].begin + 1;
    // The lines of an attribute over several lines must stay.
    const bool has_newline = text.slice(begin, end).contains('\n');
    for (unsigned at = begin; at < end; ++at)
      if ((*result)[at] != '\n') (*result)[at] = ' ';
    if (!has_newline)
      result->replace(begin, sizeof(kReplacement) - 1, kReplacement);
    i = after - 1;
  }
  return result;
}

}  // namespace belay::toolchain
