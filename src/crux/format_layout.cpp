// SPDX-License-Identifier: Apache-2.0
#include "crux/format_layout.h"

#include <algorithm>

namespace belay::crux {
namespace {

constexpr int kColumns = 80;
constexpr int kStep = 4;

// Columns, not bytes, of UTF-8 text.
int Width(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  }));
}

class Breaker {
 public:
  Breaker(std::vector<Piece> pieces, int indent)
      : pieces_(std::move(pieces)), indent_(indent) {}

  std::vector<std::string> Run() {
    const int count = static_cast<int>(pieces_.size());
    current_.assign(static_cast<size_t>(indent_), ' ');
    // Comments behind the last token do not force a break.
    std::vector<std::string> tail = std::move(pieces_.back().comments_after);
    pieces_.back().comments_after.clear();
    if (Fits(0, count, 0)) {
      Append(0, count);
    } else {
      Statement(count);
    }
    for (std::string& comment : tail) pending_.push_back(std::move(comment));
    NewLine(0);
    return std::move(lines_);
  }

 private:
  std::string Flat(int begin, int end) const {
    std::string text;
    for (int i = begin; i < end; ++i) {
      if (i > begin && pieces_[i].space_before) text += ' ';
      text += pieces_[i].text;
    }
    return text;
  }

  // A comment inside, or a comma before a closing bracket: one item to a line.
  bool Forced(int begin, int end) const {
    for (int i = begin; i < end; ++i) {
      const Piece& piece = pieces_[i];
      if (!piece.comments_before.empty() || !piece.comments_after.empty()) {
        return true;
      }
      if (piece.match > i && HasTrailingComma(i)) return true;
    }
    return false;
  }

  bool HasTrailingComma(int open) const {
    const int close = pieces_[open].match;
    if (pieces_[close - 1].text != "," || close - 1 == open) return false;
    // (a,) is a tuple: its comma is no wish.
    return !(Items(open) == 1 && pieces_[open].text == "(" &&
             (open == 0 || pieces_[open].space_before ||
              pieces_[open - 1].match >= 0 || pieces_[open - 1].text == "("));
  }

  int Items(int open) const {
    int count = 1;
    for (int i = open + 1; i < pieces_[open].match; ++i) {
      if (pieces_[i].match > i) i = pieces_[i].match;
      if (pieces_[i].text == "," && i + 1 < pieces_[open].match) ++count;
    }
    return count;
  }

  bool Fits(int begin, int end, int reserve) const {
    if (Forced(begin, end)) return false;
    const bool space = begin < end && Blank() && pieces_[begin].space_before;
    return Width(current_) + (space ? 1 : 0) + Width(Flat(begin, end)) +
               reserve <=
           kColumns;
  }

  // Whether something stands on the line already.
  bool Blank() const {
    return current_.find_first_not_of(' ') != std::string::npos;
  }

  void Append(int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Piece& piece = pieces_[i];
      for (std::string& comment : piece.comments_before) {
        if (Blank()) {
          pending_.push_back(std::move(comment));
        } else {
          lines_.push_back(current_ + comment);
        }
      }
      piece.comments_before.clear();
      if (piece.space_before && Blank()) current_ += ' ';
      current_ += piece.text;
      for (std::string& comment : piece.comments_after) {
        pending_.push_back(std::move(comment));
      }
      piece.comments_after.clear();
    }
  }

  void NewLine(int indent) {
    for (const std::string& comment : pending_) {
      current_ +=
          (current_.find('#') == std::string::npos || pending_.size() == 1
               ? "  "
               : " ") +
          comment;
    }
    pending_.clear();
    lines_.push_back(std::move(current_));
    current_.assign(static_cast<size_t>(indent), ' ');
  }

  // A statement that is too long: its value is broken at brackets, or put into
  // brackets where it has operators outside of them.
  void Statement(int count) {
    int begin = 0;
    const std::string& first = pieces_[0].text;
    if (first == "return" || first == "if" || first == "elif" ||
        first == "assert") {
      begin = 1;
    }
    for (int i = 0; i < count; ++i) {
      if (pieces_[i].match > i) i = pieces_[i].match;
      const std::string& text = pieces_[i].text;
      if (text == "=" || (text.size() > 1 && text.back() == '=' &&
                          pieces_[i].precedence == 0)) {
        begin = i + 1;
        break;
      }
    }
    int end = count;
    if (pieces_[count - 1].text == ":") --end;
    if (first == "assert") end = FirstComma(begin, end);
    const bool loose = begin > 0 && (LowestOperator(begin, end) > 0 ||
                                     FirstComma(begin, end) < end);
    if (!loose) {
      Sequence(0, count, indent_, 0);
      return;
    }
    Append(0, begin);
    current_ += " (";
    NewLine(indent_ + kStep);
    if (pieces_[begin].space_before) pieces_[begin].space_before = false;
    if (FirstComma(begin, end) < end) {
      ItemPerLine(begin, end, indent_ + kStep);
    } else {
      Item(begin, end, indent_ + kStep, 0);
      NewLine(indent_);
    }
    current_ += ")";
    Append(end, count);
  }

  int FirstComma(int begin, int end) const {
    for (int i = begin; i < end; ++i) {
      if (pieces_[i].match > i) i = pieces_[i].match;
      if (pieces_[i].text == ",") return i;
    }
    return end;
  }

  // The least binding operator outside of brackets; 0 if there is none.
  int LowestOperator(int begin, int end) const {
    int lowest = 0;
    for (int i = begin; i < end; ++i) {
      if (pieces_[i].match > i) i = pieces_[i].match;
      const int precedence = pieces_[i].precedence;
      if (i > begin && precedence > 0 && (lowest == 0 || precedence < lowest)) {
        lowest = precedence;
      }
    }
    return lowest;
  }

  // An expression inside brackets: whole, or broken before its operators.
  void Item(int begin, int end, int indent, int reserve) {
    if (Fits(begin, end, reserve)) {
      Append(begin, end);
      return;
    }
    const int lowest = LowestOperator(begin, end);
    if (lowest == 0) {
      Sequence(begin, end, indent, reserve);
      return;
    }
    int from = begin;
    for (int i = begin; i < end; ++i) {
      if (pieces_[i].match > i) {
        i = pieces_[i].match;
        continue;
      }
      if (i == begin || pieces_[i].precedence != lowest) continue;
      Sequence(from, i, indent, 0);
      NewLine(indent);
      from = i;
    }
    Sequence(from, end, indent, reserve);
  }

  // Names and brackets one after the other: the longest bracket is opened.
  void Sequence(int begin, int end, int indent, int reserve) {
    if (begin >= end) return;
    if (Fits(begin, end, reserve)) {
      Append(begin, end);
      return;
    }
    int chosen = -1;
    int longest = 0;
    for (int i = begin; i < end; ++i) {
      const int close = pieces_[i].match;
      if (close <= i) continue;
      if (close > i + 1) {
        const bool head =
            chosen < 0 ||
            Width(current_) + Width(Flat(begin, i + 1)) <= kColumns;
        if (Forced(i, close + 1)) {
          if (head) chosen = i;
          break;
        }
        const int length = Width(Flat(i + 1, close));
        if (length > longest && head) {
          longest = length;
          chosen = i;
        }
      }
      i = close;
    }
    if (chosen < 0) {
      Append(begin, end);
      return;
    }
    Append(begin, chosen + 1);
    OpenBracket(chosen, indent);
    Sequence(pieces_[chosen].match + 1, end, indent, reserve);
  }

  // What is inside the bracket on lines of its own, then the closing bracket.
  void OpenBracket(int open, int indent) {
    const int close = pieces_[open].match;
    const int inner = indent + kStep;
    NewLine(inner);
    if (Fits(open + 1, close, 0) && !HasTrailingComma(open)) {
      Append(open + 1, close);
      NewLine(indent);
    } else if (FirstComma(open + 1, close) >= close) {
      Item(open + 1, close, inner, 0);
      NewLine(indent);
    } else {
      ItemPerLine(open + 1, close, inner);
    }
    current_.assign(static_cast<size_t>(indent), ' ');
    Append(close, close + 1);
  }

  // Ends with a fresh line, indented less by one step.
  void ItemPerLine(int begin, int end, int indent) {
    int from = begin;
    while (from < end) {
      const int comma = FirstComma(from, end);
      Item(from, comma, indent, 1);
      if (comma < end) {
        Append(comma, comma + 1);
      } else {
        current_ += ',';
      }
      NewLine(indent);
      from = comma + 1;
    }
    current_.assign(static_cast<size_t>(indent - kStep), ' ');
  }

  std::vector<Piece> pieces_;
  int indent_;
  std::string current_;
  std::vector<std::string> pending_;
  std::vector<std::string> lines_;
};

}  // namespace

std::vector<std::string> Layout(std::vector<Piece> pieces, int indent) {
  return Breaker(std::move(pieces), indent).Run();
}

}  // namespace belay::crux
