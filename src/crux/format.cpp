// SPDX-License-Identifier: Apache-2.0
#include "crux/format.h"

#include <algorithm>
#include <iterator>

#include "crux/format_layout.h"
#include "crux/format_spacing.h"
#include "crux/lexer.h"
#include "crux/messages.h"
#include "crux/parser.h"

namespace belay::crux {
namespace {

// A statement's header, a simple statement, or a comment on a line of its own.
struct Unit {
  int depth = 0;
  int parent = -1;  // the unit whose block this stands in
  int first_line = 0;
  int last_line = 0;
  std::vector<Token> tokens;  // empty: a comment
  std::vector<Piece> pieces;
  std::string comment;

  bool is_comment() const { return tokens.empty(); }
  bool starts_function() const {
    return !is_comment() && (tokens[0].Is("@") || tokens[0].Is("def"));
  }
};

bool OpensBlock(const Token& token) {
  return token.Is("if") || token.Is("elif") || token.Is("else") ||
         token.Is("for") || token.Is("def");
}

class Formatter {
 public:
  explicit Formatter(const Tokens& tokens) : tokens_(tokens) {}

  std::string Run() {
    CollectLines();
    PlaceComments();
    return Print();
  }

 private:
  void AddUnit(std::vector<Token> tokens, int depth) {
    const int index = static_cast<int>(units_.size());
    Unit& unit = units_.emplace_back();
    unit.depth = depth;
    open_.resize(static_cast<size_t>(depth) + 1, -1);
    open_.back() = index;
    if (depth > 0) unit.parent = open_[static_cast<size_t>(depth) - 1];
    unit.first_line = tokens.front().range.line;
    unit.last_line = tokens.back().range.end_line;
    unit.tokens = std::move(tokens);
    unit.pieces = Pieces(unit.tokens);
  }

  void CollectLines() {
    int depth = 0;
    std::vector<Token> line;
    for (const Token& token : tokens_.tokens) {
      switch (token.kind) {
        case TokenKind::kIndent:
          ++depth;
          break;
        case TokenKind::kDedent:
          --depth;
          break;
        case TokenKind::kNewline:
        case TokenKind::kEnd:
          if (!line.empty()) AddLine(std::move(line), depth);
          line.clear();
          break;
        default:
          line.push_back(token);
          break;
      }
    }
  }

  // `if a: b` becomes two lines.
  void AddLine(std::vector<Token> line, int depth) {
    if (OpensBlock(line[0])) {
      int open = 0;
      for (size_t i = 0; i + 1 < line.size(); ++i) {
        const std::string_view text = line[i].text;
        if (line[i].kind != TokenKind::kSymbol) continue;
        if (text == "(" || text == "[") ++open;
        if (text == ")" || text == "]") --open;
        if (text != ":" || open > 0) continue;
        std::vector<Token> rest(line.begin() + static_cast<long>(i) + 1,
                                line.end());
        line.resize(i + 1);
        AddUnit(std::move(line), depth);
        AddUnit(std::move(rest), depth + 1);
        return;
      }
    }
    AddUnit(std::move(line), depth);
  }

  // A comment belongs to the token before it on its line, to the token behind
  // it inside brackets, or is a unit of its own.
  void PlaceComments() {
    std::vector<Unit> own;
    for (const Comment& comment : tokens_.comments) {
      std::string text(comment.text);
      if (text.size() > 1 && text[1] != ' ' && text[1] != '!' &&
          text[1] != '#' && text[1] != ':') {
        text = "# " + std::string(comment.text.substr(1));
      }
      const auto behind = std::upper_bound(
          units_.begin(), units_.end(), comment.line,
          [](int line, const Unit& unit) { return line < unit.first_line; });
      Unit* before = behind == units_.begin() ? nullptr : &*std::prev(behind);
      // Of two statements on one line the last has the comment.
      const bool holds =
          before && comment.line <= before->last_line &&
          !(comment.own_line && before->first_line == before->last_line);
      if (holds) {
        Attach(*before, comment, std::move(text));
        continue;
      }
      own.push_back(OwnLine(comment, std::move(text), before,
                            behind == units_.end() ? nullptr : &*behind));
    }
    std::vector<Unit> merged;
    merged.reserve(units_.size() + own.size());
    std::merge(std::make_move_iterator(units_.begin()),
               std::make_move_iterator(units_.end()),
               std::make_move_iterator(own.begin()),
               std::make_move_iterator(own.end()), std::back_inserter(merged),
               [](const Unit& a, const Unit& b) {
                 return a.first_line < b.first_line;
               });
    units_ = std::move(merged);
  }

  static void Attach(Unit& unit, const Comment& comment, std::string text) {
    for (size_t i = 0; i < unit.tokens.size(); ++i) {
      const SourceRange& range = unit.tokens[i].range;
      const bool behind =
          range.line > comment.line ||
          (range.line == comment.line && range.column > comment.column);
      if (!behind) continue;
      if (comment.own_line || i == 0) {
        unit.pieces[i].comments_before.push_back(std::move(text));
      } else {
        unit.pieces[i - 1].comments_after.push_back(std::move(text));
      }
      return;
    }
    unit.pieces.back().comments_after.push_back(std::move(text));
  }

  // As deep as the statement behind it; or, where blocks end here, as the one
  // that is indented as the comment.
  Unit OwnLine(const Comment& comment, std::string text, const Unit* before,
               const Unit* behind) const {
    Unit unit;
    unit.first_line = unit.last_line = comment.line;
    unit.comment = std::move(text);
    unit.depth = behind ? behind->depth : 0;
    while (before && before->depth > unit.depth) {
      if (before->tokens[0].range.column <= comment.column) {
        unit.depth = before->depth;
        break;
      }
      before = before->parent < 0
                   ? nullptr
                   : &units_[static_cast<size_t>(before->parent)];
    }
    return unit;
  }

  // Blank lines before a unit: as written, within limits; two around
  // functions.
  int BlanksBefore(size_t i) const {
    if (i == 0) return 0;
    const Unit& unit = units_[i];
    const Unit& last = units_[i - 1];
    if (unit.depth > last.depth) return 0;
    const int written = unit.first_line - last.last_line - 1;
    if (unit.depth > 0) return std::clamp(written, 0, 1);
    if (last.depth > 0) return 2;
    if (unit.starts_function()) {
      // A comment right above belongs to the function, as does a decorator.
      const bool attached =
          last.starts_function() || (last.is_comment() && written == 0);
      return attached ? 0 : 2;
    }
    if (unit.is_comment() && AboveFunction(i)) return 2;
    return std::clamp(written, 0, 2);
  }

  bool AboveFunction(size_t i) const {
    while (i + 1 < units_.size() && units_[i].is_comment() &&
           units_[i + 1].first_line == units_[i].last_line + 1) {
      ++i;
      if (units_[i].starts_function()) return true;
    }
    return false;
  }

  std::string Print() {
    std::string text;
    for (size_t i = 0; i < units_.size(); ++i) {
      Unit& unit = units_[i];
      const bool inside_comments =
          i > 0 && unit.is_comment() && units_[i - 1].is_comment() &&
          unit.first_line == units_[i - 1].last_line + 1;
      if (!inside_comments) {
        text.append(static_cast<size_t>(BlanksBefore(i)), '\n');
      }
      const int indent = unit.depth * 4;
      if (unit.is_comment()) {
        text.append(static_cast<size_t>(indent), ' ');
        text += unit.comment + '\n';
        continue;
      }
      for (const std::string& line : Layout(std::move(unit.pieces), indent)) {
        text += line;
        text += '\n';
      }
    }
    return text;
  }

  const Tokens& tokens_;
  std::vector<Unit> units_;
  std::vector<int> open_;  // the last unit of each depth
};

}  // namespace

namespace {

Formatted FormatOnce(const std::string& name, std::string text) {
  const Source source(name, std::move(text));
  Messages messages(source);
  const Tokens tokens = Tokenize(source, messages);
  syntax::Module module;
  Parse(tokens, messages, module);
  Formatted formatted;
  formatted.ok = messages.errors() == 0;
  if (formatted.ok) formatted.text = Formatter(tokens).Run();
  formatted.diagnostics = messages.Take();
  return formatted;
}

}  // namespace

Formatted Format(const std::string& name, std::string text) {
  // A comma that a broken line got may break another: until nothing changes.
  constexpr int kRounds = 5;
  Formatted formatted = FormatOnce(name, text);
  for (int i = 1; i < kRounds && formatted.ok && formatted.text != text; ++i) {
    text = formatted.text;
    formatted = FormatOnce(name, text);
  }
  return formatted;
}

}  // namespace belay::crux
