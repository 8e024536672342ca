// SPDX-License-Identifier: Apache-2.0
#include "crux/lexer.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <optional>

namespace belay::crux {
namespace {

constexpr int kMaxIndents = 60;

bool IsNameStart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsNamePart(char c) { return IsNameStart(c) || IsDigit(c); }

// Longest first.
constexpr std::string_view kSymbols[] = {
    "**=", "//=", "<<=", ">>=", "...", "**", "//", "<<", ">>", "<=", ">=", "==",
    "!=",  "->",  "+=",  "-=",  "*=",  "/=", "%=", "@=", "&=", "|=", "^=", ":=",
    "+",   "-",   "*",   "/",   "%",   "@",  "&",  "|",  "^",  "~",  "<",  ">",
    "(",   ")",   "[",   "]",   "{",   "}",  ",",  ":",  ".",  ";",  "=",
};

// What people and editors write for a character of ASCII.
struct Lookalike {
  std::string_view written;
  std::string_view meant;
};
constexpr Lookalike kLookalikes[] = {
    {"\u201c", "\""},      {"\u201d", "\""},  {"\u2018", "'"},
    {"\u2019", "'"},       {"\u2212", "-"},   {"\u2013", "-"},
    {"\u00d7", "*"},       {"\u00f7", "/"},   {"\u2264", "<="},
    {"\u2265", ">="},      {"\u2260", "!="},  {"\uff08", "("},
    {"\uff09", ")"},       {"\uff0c", ","},   {"\uff1a", ":"},
    {"\uff1d", "="},       {"\u2026", "..."}, {"\u00a0", "a blank"},
    {"\u3000", "a blank"},
};

class Lexer {
 public:
  // Strict: a line that is indented no more than the statement it would go on
  // with ends the statement, whatever brackets are open.
  Lexer(const Source& source, Messages& messages, bool strict)
      : text_(source.text()), messages_(messages), strict_(strict) {}

  Tokens Run() {
    if (text_.size() > kMaxFileBytes) {
      messages_.Report(
          code::kX108, {1, 1, 1, 1},
          fmt::format("the file has {} bytes; a Crux file has at most {}",
                      text_.size(), kMaxFileBytes),
          "split it: one kernel and its helpers to a file");
      result_.too_large = true;
      Push(TokenKind::kEnd, 0);
      return std::move(result_);
    }
    if (text_.starts_with("\xef\xbb\xbf")) pos_ = line_start_ = 3;
    while (pos_ < text_.size()) {
      if (at_line_start_ && open_.empty()) {
        StartLine();
      } else {
        Next();
      }
    }
    Finish();
    return std::move(result_);
  }

 private:
  struct Open {
    char bracket;
    SourceRange range;
    size_t indent;  // of the line it stands on
  };

  int Column(size_t pos) const {
    return static_cast<int>(pos - line_start_) + 1;
  }
  SourceRange Here(size_t length) const {
    return {line_, Column(pos_), line_, Column(pos_ + length)};
  }
  char Peek(size_t ahead = 0) const {
    return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0';
  }

  Token& Push(TokenKind kind, size_t length) {
    Token& token = result_.tokens.emplace_back();
    token.kind = kind;
    token.text = text_.substr(std::min(pos_, text_.size()), length);
    token.range = Here(length);
    pos_ += length;
    return token;
  }

  void NextLine() {
    ++line_;
    line_start_ = pos_;
  }

  void TakeComment(bool own_line) {
    size_t end = text_.find('\n', pos_);
    if (end == std::string_view::npos) end = text_.size();
    size_t last = end;
    while (last > pos_ && (text_[last - 1] == ' ' || text_[last - 1] == '\t' ||
                           text_[last - 1] == '\r')) {
      --last;
    }
    result_.comments.push_back(
        {text_.substr(pos_, last - pos_), line_, Column(pos_), own_line});
    pos_ = end;
  }

  // Measures the indentation of a logical line; blank lines and comments have
  // none.
  void StartLine() {
    const size_t begin = pos_;
    while (Peek() == ' ' || Peek() == '\t' || Peek() == '\f') ++pos_;
    if (Peek() == '\r' && Peek(1) == '\n') ++pos_;
    if (Peek() == '\n') {
      ++pos_;
      NextLine();
      return;
    }
    if (Peek() == '#') {
      TakeComment(true);
      return;
    }
    if (pos_ >= text_.size()) return;
    const std::string_view blanks = text_.substr(begin, pos_ - begin);
    if (const size_t tab = blanks.find('\t');
        tab != std::string_view::npos && !tabs_reported_) {
      tabs_reported_ = true;
      messages_.Report(code::kX102,
                       {line_, static_cast<int>(tab) + 1, line_,
                        static_cast<int>(blanks.size()) + 1},
                       "this line is indented with a tab; Crux indents with "
                       "blanks, so that every editor shows the same program",
                       "replace each tab by four blanks");
    }
    size_t width = 0;
    for (const char c : blanks)
      width = c == '\t' ? (width / 8 + 1) * 8 : width + 1;
    Indent(width);
    line_indent_ = width;
    at_line_start_ = false;
  }

  void Indent(size_t width) {
    if (width > indents_.back()) {
      if (indents_.size() >= kMaxIndents) {
        if (!depth_reported_) {
          depth_reported_ = true;
          messages_.Report(
              code::kX108, Here(0),
              fmt::format("blocks are nested more than {} deep", kMaxIndents),
              "move the inner block into an @inline helper");
        }
        return;
      }
      indents_.push_back(width);
      Push(TokenKind::kIndent, 0);
      return;
    }
    while (width < indents_.back()) {
      indents_.pop_back();
      Push(TokenKind::kDedent, 0);
    }
    if (width > indents_.back()) {
      messages_.Report(
          code::kX102, Here(0),
          fmt::format("this line is indented by {} blanks, which no block "
                      "around it is",
                      width),
          fmt::format("indent it by {}, as the block it belongs to",
                      indents_.back()));
    }
  }

  void Next() {
    const char c = Peek();
    if (c == '\n') {
      EndLine();
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f') {
      ++pos_;
    } else if (c == '#') {
      TakeComment(OnlyBlanksBefore());
    } else if (c == '\\' &&
               (Peek(1) == '\n' || (Peek(1) == '\r' && Peek(2) == '\n'))) {
      pos_ += Peek(1) == '\n' ? 2 : 3;
      NextLine();
    } else if (IsNameStart(c)) {
      Name();
    } else if (IsDigit(c) || (c == '.' && IsDigit(Peek(1)))) {
      Number();
    } else if (c == '"' || c == '\'') {
      String(0);
    } else {
      Symbol();
    }
  }

  bool OnlyBlanksBefore() const {
    const std::string_view before =
        text_.substr(line_start_, pos_ - line_start_);
    return before.find_first_not_of(" \t") == std::string_view::npos;
  }

  void EndLine() {
    if (!open_.empty() && StartsStatement(pos_ + 1)) {
      const Open& open = open_.back();
      messages_.Report(
          code::kX103, open.range,
          fmt::format("this '{}' is never closed: a new statement begins on "
                      "line {}",
                      open.bracket, line_ + 1),
          fmt::format("write the missing '{}'", Closing(open.bracket)));
      open_.clear();
    }
    if (open_.empty()) {
      if (!result_.tokens.empty() &&
          result_.tokens.back().kind != TokenKind::kNewline) {
        Push(TokenKind::kNewline, 0);
      }
      at_line_start_ = true;
    }
    ++pos_;
    NextLine();
  }

  // Inside an open bracket: does the line at `pos` begin what cannot stand in a
  // bracket, indented no more than the line of the bracket?
  bool StartsStatement(size_t pos) const {
    size_t at = pos;
    while (at < text_.size() && text_[at] == ' ') ++at;
    if (at - pos > open_.front().indent) return false;
    const std::string_view rest = text_.substr(at, 7);
    if (strict_ && !rest.empty() &&
        std::string_view(")]}#\r\n").find(rest[0]) == std::string_view::npos) {
      return true;
    }
    for (const std::string_view word : {"def ", "for ", "return ", "assert ",
                                        "elif ", "@kernel", "@inline"}) {
      if (rest.starts_with(word)) return true;
    }
    return false;
  }

  static char Closing(char bracket) {
    return bracket == '(' ? ')' : bracket == '[' ? ']' : '}';
  }

  void Name() {
    size_t end = pos_;
    while (end < text_.size() && IsNamePart(text_[end])) ++end;
    const size_t length = end - pos_;
    if (length <= 2 && (Peek(length) == '"' || Peek(length) == '\'')) {
      const std::string_view prefix = text_.substr(pos_, length);
      if (prefix.find_first_not_of("rRbBfFuU") == std::string_view::npos) {
        String(length);
        return;
      }
    }
    Push(TokenKind::kName, length);
  }

  void Number() {
    size_t end = pos_;
    bool floating = false;
    if (Peek() == '0' && (Peek(1) == 'x' || Peek(1) == 'X' || Peek(1) == 'b' ||
                          Peek(1) == 'B' || Peek(1) == 'o' || Peek(1) == 'O')) {
      end += 2;
      while (end < text_.size() && IsNamePart(text_[end])) ++end;
    } else {
      while (end < text_.size()) {
        const char c = text_[end];
        const bool sign_of_exponent =
            (c == '+' || c == '-') &&
            (text_[end - 1] == 'e' || text_[end - 1] == 'E');
        if (c == '.' || c == 'e' || c == 'E') floating = true;
        if (!IsNamePart(c) && c != '.' && !(floating && sign_of_exponent))
          break;
        ++end;
      }
    }
    std::string digits;
    for (const char c : text_.substr(pos_, end - pos_)) {
      if (c != '_') digits += c;
    }
    if (floating) {
      Float(digits, end - pos_);
    } else {
      Integer(digits, end - pos_);
    }
  }

  void Float(const std::string& digits, size_t length) {
    char* rest = nullptr;
    const double value = std::strtod(digits.c_str(), &rest);
    if (*rest != '\0') {
      BadNumber(length);
      return;
    }
    Push(TokenKind::kFloat, length).real = value;
  }

  void Integer(const std::string& digits, size_t length) {
    int base = 10;
    std::string_view body = digits;
    if (digits.size() > 1 && digits[0] == '0' && !IsDigit(digits[1])) {
      const char c = static_cast<char>(digits[1] | 0x20);
      base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
      body.remove_prefix(2);
    }
    int64_t value = 0;
    const auto [end, error] =
        std::from_chars(body.data(), body.data() + body.size(), value, base);
    if (error == std::errc::result_out_of_range) {
      messages_.Report(code::kX104, Here(length),
                       fmt::format("the integer {} does not fit 64 bits",
                                   text_.substr(pos_, length)),
                       "the largest integer is 9223372036854775807");
    } else if (error != std::errc() || end != body.data() + body.size()) {
      BadNumber(length);
      return;
    }
    Push(TokenKind::kInteger, length).integer = value;
  }

  void BadNumber(size_t length) {
    messages_.Report(code::kX104, Here(length),
                     fmt::format("'{}' is neither a number nor a name",
                                 text_.substr(pos_, length)),
                     "numbers are written 12, 0x1F, 1.5 or 1e-5; names begin "
                     "with a letter");
    Push(TokenKind::kInteger, length);
  }

  // `prefix`: letters before the quote.
  void String(size_t prefix) {
    const size_t quote_at = pos_ + prefix;
    const char quote = text_[quote_at];
    const std::string triple(3, quote);
    const bool is_triple = text_.substr(quote_at).starts_with(triple);
    const std::string_view letters = text_.substr(pos_, prefix);
    if (letters.find_first_of("fF") != std::string_view::npos) {
      messages_.Report(code::kX107, Here(prefix),
                       "Crux has no f-strings: programs print nothing",
                       "write a plain string");
    }
    const bool raw = letters.find_first_of("rR") != std::string_view::npos;
    const int first_line = line_;
    const int first_column = Column(pos_);
    const size_t begin = pos_;
    size_t at = quote_at + (is_triple ? 3 : 1);
    std::string value;
    bool closed = false;
    while (at < text_.size()) {
      const char c = text_[at];
      if (c == '\n') {
        if (!is_triple) break;
        ++line_;
        line_start_ = at + 1;
      }
      if (is_triple ? text_.substr(at).starts_with(triple) : c == quote) {
        at += is_triple ? 3 : 1;
        closed = true;
        break;
      }
      if (c == '\\' && !raw && at + 1 < text_.size() && text_[at + 1] != '\n') {
        const char escaped = text_[at + 1];
        value += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
        at += 2;
        continue;
      }
      value += c;
      ++at;
    }
    if (!closed) {
      messages_.Report(code::kX104,
                       {first_line, first_column, first_line, first_column + 1},
                       "this string is never closed",
                       fmt::format("write the closing {}",
                                   is_triple ? triple : std::string(1, quote)));
    }
    Token& token = result_.tokens.emplace_back();
    token.kind = TokenKind::kString;
    token.text = text_.substr(begin, at - begin);
    token.value = std::move(value);
    pos_ = at;
    token.range = {first_line, first_column, line_, Column(pos_)};
  }

  void Symbol() {
    for (const std::string_view symbol : kSymbols) {
      if (!text_.substr(pos_).starts_with(symbol)) continue;
      const char c = symbol[0];
      if (c == '(' || c == '[' || c == '{') {
        open_.push_back({c, Here(1), line_indent_});
      } else if (c == ')' || c == ']' || c == '}') {
        if (!Close(c)) {
          ++pos_;
          return;
        }
      }
      Push(TokenKind::kSymbol, symbol.size());
      return;
    }
    Unknown();
  }

  // One wrong bracket makes others on its line look wrong: the first is told.
  bool FirstOnLine() {
    const bool first = bracket_line_ != line_;
    bracket_line_ = line_;
    return first;
  }

  // False if the bracket is to be left out.
  bool Close(char c) {
    if (open_.empty()) {
      if (FirstOnLine()) {
        messages_.Report(code::kX103, Here(1),
                         fmt::format("this '{}' closes nothing", c),
                         "delete it, or write the bracket that opens");
      }
      return false;
    }
    const Open open = open_.back();
    if (Closing(open.bracket) == c) {
      open_.pop_back();
      return true;
    }
    if (FirstOnLine()) {
      Diagnostic& diagnostic = messages_.Report(
          code::kX103, Here(1),
          fmt::format("'{}' cannot close the '{}' of line {}, column {}", c,
                      open.bracket, open.range.line, open.range.column),
          fmt::format("write '{}' here", Closing(open.bracket)));
      diagnostic.notes.push_back(
          {"the bracket that is open", messages_.LocationOf(open.range)});
    }
    // One that fits an outer bracket closes up to there.
    while (!open_.empty() && Closing(open_.back().bracket) != c) {
      open_.pop_back();
    }
    if (open_.empty()) return false;
    open_.pop_back();
    return true;
  }

  void Unknown() {
    for (const Lookalike& lookalike : kLookalikes) {
      if (!text_.substr(pos_).starts_with(lookalike.written)) continue;
      messages_.Report(
          code::kX101, Here(lookalike.written.size()),
          fmt::format("Crux does not know the character {}", lookalike.written),
          fmt::format("write {} in its place", lookalike.meant));
      pos_ += lookalike.written.size();
      return;
    }
    size_t length = 1;
    const auto byte = static_cast<unsigned char>(Peek());
    if (byte >= 0xc0) {
      while ((static_cast<unsigned char>(Peek(length)) & 0xc0) == 0x80)
        ++length;
    }
    const bool printable = byte >= 0x20 && byte != 0x7f && byte < 0x80;
    const std::string shown =
        printable                    ? std::string(text_.substr(pos_, length))
        : byte >= 0xc0 && length > 1 ? std::string(text_.substr(pos_, length))
                                     : fmt::format("with code 0x{:02x}", byte);
    std::string fix = "delete it; names are of ASCII letters, digits and _";
    if (byte == '!') fix = "`not` is for host conditions, `~` for bool tiles";
    if (byte == '?') fix = "a choice is written `a if condition else b`";
    if (byte == '$' || byte == '`') fix = "delete it";
    messages_.Report(code::kX101, Here(length),
                     fmt::format("Crux does not know the character {}", shown),
                     fix);
    pos_ += length;
  }

  void Finish() {
    if (!open_.empty()) {
      result_.unclosed = true;
      const Open& open = open_.back();
      messages_.Report(
          code::kX103, open.range,
          fmt::format("this '{}' is never closed", open.bracket),
          fmt::format("write the missing '{}'", Closing(open.bracket)));
    }
    if (!result_.tokens.empty() &&
        result_.tokens.back().kind != TokenKind::kNewline) {
      Push(TokenKind::kNewline, 0);
    }
    while (indents_.size() > 1) {
      indents_.pop_back();
      Push(TokenKind::kDedent, 0);
    }
    Push(TokenKind::kEnd, 0);
  }

  std::string_view text_;
  Messages& messages_;
  bool strict_;
  Tokens result_;
  size_t pos_ = 0;
  size_t line_start_ = 0;
  size_t line_indent_ = 0;
  int line_ = 1;
  int bracket_line_ = 0;  // where the last wrong bracket was told
  bool at_line_start_ = true;
  bool tabs_reported_ = false;
  bool depth_reported_ = false;
  std::vector<size_t> indents_ = {0};
  std::vector<Open> open_;
};

constexpr std::string_view kKeywords[] = {
    "False",  "None",   "True",    "and",      "as",       "assert", "async",
    "await",  "break",  "class",   "continue", "def",      "del",    "elif",
    "else",   "except", "finally", "for",      "from",     "global", "if",
    "import", "in",     "is",      "lambda",   "nonlocal", "not",    "or",
    "pass",   "raise",  "return",  "try",      "while",    "with",   "yield",
};

}  // namespace

Tokens Tokenize(const Source& source, Messages& messages) {
  Messages found(source);
  Tokens tokens = Lexer(source, found, false).Run();
  // A bracket that is open at the end swallowed the rest of the file: look for
  // the statement it belongs to.
  if (tokens.unclosed) return Lexer(source, messages, true).Run();
  messages.Adopt(std::move(found));
  return tokens;
}

bool IsKeyword(std::string_view word) {
  return std::find(std::begin(kKeywords), std::end(kKeywords), word) !=
         std::end(kKeywords);
}

}  // namespace belay::crux
