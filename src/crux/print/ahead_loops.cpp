// SPDX-License-Identifier: Apache-2.0
#include "crux/print/ahead_loops.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belay::crux::print {
namespace {

// "for (int64_t name = low; name < high; ++name) {".
struct LoopHead {
  Word name = 0;
  Tokens low;
  Tokens high;
  size_t low_end = 0;  // of its tokens
};

class Converter {
 public:
  explicit Converter(Vocabulary& vocabulary) : vocabulary_(vocabulary) {}

  std::optional<Statement> Run(const Statement& plain, const Statement& ahead) {
    const std::optional<LoopHead> head = HeadOf(plain);
    const auto& parts = ahead.parts;
    if (!head || parts[0].body.size() != 2) return std::nullopt;
    Statement result = plain;
    result.parts[0].body = Body(plain.parts[0].body, *head);
    if (result.parts[0].body.empty()) return std::nullopt;
    Tokens& tokens = result.parts[0].head;
    const Tokens behind = Read(" - 0");
    tokens.insert(tokens.begin() + static_cast<ptrdiff_t>(head->low_end),
                  behind.begin(), behind.end());
    if (!TakeShape(result, ahead)) return std::nullopt;
    for (size_t i = 0; i < 2; ++i) {
      Statement& own = result.parts[0].body[i];
      const Statement& other = parts[0].body[i];
      if (!TakeShape(own, other)) return std::nullopt;
      // What defines the names of a turn.
      for (size_t d = 0; d < definitions_; ++d) {
        if (d >= other.parts[0].body.size() ||
            !TakeShape(own.parts[0].body[d], other.parts[0].body[d])) {
          return std::nullopt;
        }
      }
    }
    return result;
  }

 private:
  Tokens Read(std::string_view text) { return vocabulary_.Read(text); }

  bool Is(Token token, std::string_view text) const {
    return !IsSlot(token) && vocabulary_.Text(WordOf(token)) == text;
  }

  std::optional<LoopHead> HeadOf(const Statement& statement) const {
    const Tokens& head = statement.parts[0].head;
    const auto declared = DeclarationIn(head, vocabulary_);
    if (statement.parts.size() != 1 || !declared || !declared->loop) {
      return std::nullopt;
    }
    std::vector<size_t> ends;
    for (size_t i = 0; i < head.size(); ++i) {
      if (Is(head[i], ";")) ends.push_back(i);
    }
    const size_t low = declared->at + 2;
    // "; name <" before the end of the range.
    if (ends.size() != 2 || ends[0] <= low || ends[1] < ends[0] + 4 ||
        !Is(head[ends[0] + 2], "<") ||
        WordOf(head[ends[0] + 1]) != declared->name ||
        !Is(head[ends[1] + 1], "+")) {
      return std::nullopt;
    }
    const auto part = [&](size_t begin, size_t end) {
      return Tokens(head.begin() + static_cast<ptrdiff_t>(begin),
                    head.begin() + static_cast<ptrdiff_t>(end));
    };
    return LoopHead{declared->name, part(low, ends[0]),
                    part(ends[0] + 3, ends[1]), ends[0]};
  }

  // Both parts of a turn; nothing where it does not begin with loads.
  std::vector<Statement> Body(const std::vector<Statement>& plain,
                              const LoopHead& head) {
    size_t loads = 0;
    while (loads < plain.size() && !plain[loads].nested &&
           DeclarationIn(plain[loads].parts[0].head, vocabulary_)) {
      ++loads;
    }
    definitions_ = loads;
    size_t rest = loads;
    while (rest < plain.size() && IsLoad(plain[rest])) ++rest;
    if (definitions_ == 0 || rest == loads || rest == plain.size()) return {};
    const auto at = [&](size_t i) {
      return plain.begin() + static_cast<ptrdiff_t>(i);
    };
    std::vector<Statement> first(plain.begin(), at(rest));
    for (size_t d = 0; d < definitions_; ++d) {
      first[d].parts[0].head = Later(first[d].parts[0].head, head.name);
    }
    std::vector<Statement> second(plain.begin(), at(loads));
    second.insert(second.end(), at(rest), plain.end());
    // if (name + 0 < high), if (low <= name)
    Tokens more = Read("if (");
    more.push_back(TokenOf(head.name, false));
    Append(Read(" + 0 <"), more);
    Append(head.high, more);
    Append(Read(") {"), more);
    Tokens there = Read("if (");
    Append(head.low, there);
    there[there.size() - head.low.size()] = WithoutBlank(head.low[0]);
    Append(Read(" <="), there);
    there.push_back(TokenOf(head.name, true));
    Append(Read(") {"), there);
    std::vector<Statement> both;
    both.push_back(If(std::move(more), std::move(first), plain[0]));
    both.push_back(If(std::move(there), std::move(second), plain[0]));
    return both;
  }

  static Statement If(Tokens head, std::vector<Statement> body,
                      const Statement& like) {
    Statement result;
    result.nested = true;
    result.close = "}";
    result.variants = like.variants;
    for (const Statement& one : body) result.variants |= one.variants;
    result.parts.push_back({std::move(head), std::move(body)});
    return result;
  }

  static void Append(const Tokens& more, Tokens& tokens) {
    tokens.insert(tokens.end(), more.begin(), more.end());
  }

  static Token WithoutBlank(Token token) {
    return IsSlot(token) ? SlotToken(SlotOf(token), false)
                         : TokenOf(WordOf(token), false);
  }

  // A call that copies in, or the count of them.
  bool IsLoad(const Statement& statement) {
    const Token first = statement.parts[0].head[0];
    if (statement.nested || IsSlot(first)) return false;
    const std::string& stem = vocabulary_.Text(vocabulary_.Stem(WordOf(first)));
    return stem == "CopyIn" || stem == "loads";
  }

  // With name + 0 for a name.
  Tokens Later(const Tokens& head, Word name) {
    Tokens result;
    for (size_t i = 0; i < head.size(); ++i) {
      if (IsSlot(head[i]) || WordOf(head[i]) != name) {
        result.push_back(head[i]);
        continue;
      }
      const bool factor = std::any_of(
          kFactors.begin(), kFactors.end(), [&](std::string_view sign) {
            return Is(head[i - 1], sign) || Is(head[i + 1], sign);
          });
      if (factor) Append(Read(HasBlank(head[i]) ? " (" : "("), result);
      result.push_back(TokenOf(name, HasBlank(head[i]) && !factor));
      Append(Read(" + 0"), result);
      if (factor) Append(Read(")"), result);
    }
    return result;
  }

  // Whether the heads differ in names and numbers alone.
  bool TakeShape(Statement& own, const Statement& other) const {
    if (own.nested != other.nested || own.parts.size() != other.parts.size()) {
      return false;
    }
    const Tokens& left = own.parts[0].head;
    const Tokens& right = other.parts[0].head;
    const auto is_word = [&](Token token) {
      return IsSlot(token) || vocabulary_.IsName(WordOf(token)) ||
             vocabulary_.IsInteger(WordOf(token));
    };
    if (left.size() != right.size()) return false;
    for (size_t i = 0; i < left.size(); ++i) {
      if (HasBlank(left[i]) != HasBlank(right[i])) return false;
      if (left[i] != right[i] && (!is_word(left[i]) || !is_word(right[i]))) {
        return false;
      }
    }
    own.shape = other.shape;
    return true;
  }

  static constexpr std::array<std::string_view, 4> kFactors = {"*", "/", "%",
                                                               "-"};

  Vocabulary& vocabulary_;
  size_t definitions_ = 0;
};

}  // namespace

std::optional<Statement> LoadingAhead(const Statement& plain,
                                      const Statement& ahead,
                                      Vocabulary& vocabulary) {
  return Converter(vocabulary).Run(plain, ahead);
}

}  // namespace belay::crux::print
