// SPDX-License-Identifier: Apache-2.0
#include "crux/fuzz/mutate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

#include "crux/fuzz/random.h"

namespace belay::crux::fuzz {
namespace {

using Tokens = std::vector<std::string>;

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// Words and numbers, operators, single line ends, runs of blanks; joined they
// give the text again.
Tokens Split(std::string_view text) {
  static constexpr std::array<std::string_view, 12> kLong = {
      "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "+=", "-=", "*=", "->"};
  Tokens tokens;
  for (size_t at = 0; at < text.size();) {
    size_t end = at + 1;
    if (IsWord(text[at])) {
      while (end < text.size() && IsWord(text[end])) ++end;
    } else if (text[at] == ' ') {
      while (end < text.size() && text[end] == ' ') ++end;
    } else if (std::ranges::find(kLong, text.substr(at, 2)) != kLong.end()) {
      end = at + 2;
    }
    tokens.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return tokens;
}

std::string Join(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) text += token;
  return text;
}

// Positions of tokens that `test` likes.
template <class Test>
std::vector<size_t> Where(const Tokens& tokens, Test test) {
  std::vector<size_t> found;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (test(tokens[i])) found.push_back(i);
  }
  return found;
}

bool IsName(const std::string& token) {
  return IsWord(token[0]) &&
         !std::isdigit(static_cast<unsigned char>(token[0]));
}

bool IsNumber(const std::string& token) {
  return std::isdigit(static_cast<unsigned char>(token[0]));
}

bool IsPunctuation(const std::string& token) {
  return !IsWord(token[0]) && token[0] != ' ' && token[0] != '\n';
}

bool IsVisible(const std::string& token) {
  return token[0] != ' ' && token[0] != '\n';
}

std::string Misspelt(Random& random, std::string word) {
  const size_t at = static_cast<size_t>(random.Below(word.size()));
  switch (random.Below(4)) {
    case 0:
      word.erase(at, 1);
      break;
    case 1:
      word.insert(at, 1, word[at]);
      break;
    case 2:
      std::swap(word[at], word[word.size() - 1 - at]);
      break;
    default:
      word[at] = static_cast<char>('a' + random.Below(26));
  }
  return word.empty() ? "q" : word;
}

constexpr std::array kForeign = {"np.exp",
                                 "torch.exp",
                                 "tl.load",
                                 "tl.program_id(0)",
                                 "t.sum()",
                                 "len",
                                 "print",
                                 "relu",
                                 "float32",
                                 "half",
                                 "and",
                                 "or",
                                 "not",
                                 "lambda",
                                 "while",
                                 "import",
                                 "None",
                                 "True",
                                 "x.shape",
                                 "self",
                                 "range",
                                 "cores",
                                 "tiles",
                                 "auto",
                                 "max",
                                 "fits()",
                                 "T",
                                 "f16",
                                 "i64",
                                 "bool",
                                 "across_cores",
                                 "upto",
                                 "return",
                                 "yield"};

constexpr std::array kOperators = {
    "+", "-",  "*",  "/", "//", "%", "**", "@",  "&", "|",  "^", "<<", ">>",
    "<", "<=", "==", "=", "+=", ":", ",",  ".",  "(", ")",  "[", "]",  "~",
    "!", "&&", "||", "?", "->", ";", "$",  "\\", "'", "\"", "{", "}",  "..."};

constexpr std::array kNumbers = {"0",   "-1",   "1",     "2",  "1.5",
                                 "1e",  "0x",   "1e400", "3j", "999999999999",
                                 "1_0", "1.0f", "0b2",   "00", "1."};

using Change = void (*)(Random&, Tokens&);

void DeleteToken(Random& random, Tokens& tokens) {
  tokens.erase(tokens.begin() + random.Below(tokens.size()));
}

void DuplicateToken(Random& random, Tokens& tokens) {
  const int at = random.Below(tokens.size());
  const std::string copy = tokens[static_cast<size_t>(at)];
  tokens.insert(tokens.begin() + at, copy);
}

void SwapTokens(Random& random, Tokens& tokens) {
  const auto visible = Where(tokens, IsVisible);
  if (visible.size() < 2) return;
  const size_t at = static_cast<size_t>(random.Below(visible.size() - 1));
  std::swap(tokens[visible[at]], tokens[visible[at + 1]]);
}

void Rename(Random& random, Tokens& tokens) {
  const auto names = Where(tokens, IsName);
  if (names.empty()) return;
  std::string& name = tokens[random.Pick(names)];
  if (random.Chance(40)) {
    name = Misspelt(random, name);
  } else if (random.Chance(50)) {
    name = random.Pick(kForeign);
  } else {
    name = tokens[random.Pick(names)];
  }
}

void ChangeOperator(Random& random, Tokens& tokens) {
  const auto found = Where(tokens, IsPunctuation);
  if (found.empty()) return;
  tokens[random.Pick(found)] = random.Pick(kOperators);
}

void ChangeNumber(Random& random, Tokens& tokens) {
  const auto found = Where(tokens, IsNumber);
  if (found.empty()) return;
  tokens[random.Pick(found)] = random.Pick(kNumbers);
}

// One operator of arithmetic or comparison for another: still a program.
void ChangeArithmetic(Random& random, Tokens& tokens) {
  static constexpr std::array kValid = {"+", "-",  "*",  "/",  "//", "%",
                                        "&", "|",  "<",  "<=", "==", "@",
                                        ">", ">>", "<<", "**", "^",  "!="};
  const auto found = Where(tokens, [](const std::string& token) {
    return std::ranges::find(kValid, token) != kValid.end();
  });
  if (found.empty()) return;
  tokens[random.Pick(found)] = random.Pick(kValid);
}

// One name for another that the program has.
void SwapNames(Random& random, Tokens& tokens) {
  const auto names = Where(tokens, IsName);
  if (names.empty()) return;
  const std::string other = tokens[random.Pick(names)];
  tokens[random.Pick(names)] = other;
}

// An argument of a call or subscript goes, with the comma before it.
void DropArgument(Random& random, Tokens& tokens) {
  const auto commas =
      Where(tokens, [](const std::string& token) { return token == ","; });
  if (commas.empty()) return;
  const size_t at = random.Pick(commas);
  size_t end = at + 1;
  while (end < tokens.size() && tokens[end] != "," && tokens[end] != ")" &&
         tokens[end] != "]" && tokens[end] != "\n") {
    ++end;
  }
  tokens.erase(tokens.begin() + static_cast<long>(at),
               tokens.begin() + static_cast<long>(end));
}

void DropConversion(Random& random, Tokens& tokens) {
  const auto found =
      Where(tokens, [](const std::string& t) { return t == "to"; });
  if (found.empty()) return;
  const size_t at = random.Pick(found);
  if (at == 0) return;
  size_t end = at;
  while (end < tokens.size() && tokens[end] != ")") ++end;
  tokens.erase(
      tokens.begin() + static_cast<long>(at) - 1,
      tokens.begin() + static_cast<long>(std::min(end + 1, tokens.size())));
}

void InsertToken(Random& random, Tokens& tokens) {
  const std::string token =
      random.Chance(50) ? random.Pick(kForeign) : random.Pick(kOperators);
  tokens.insert(tokens.begin() + random.Below(tokens.size() + 1), token);
}

void Truncate(Random& random, Tokens& tokens) {
  tokens.resize(static_cast<size_t>(random.Below(tokens.size() + 1)));
}

// Bytes that no editor would write: controls, NUL, halves of UTF-8.
void OddByte(Random& random, Tokens& tokens) {
  std::string& token = tokens[static_cast<size_t>(random.Below(tokens.size()))];
  const size_t at = static_cast<size_t>(random.Below(token.size() + 1));
  token.insert(at, 1, static_cast<char>(random.Below(256)));
}

// The lines of the text, each with its end.
Tokens Lines(const std::string& text) {
  Tokens lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    const size_t next = end == std::string::npos ? text.size() : end + 1;
    lines.push_back(text.substr(at, next - at));
    at = next;
  }
  return lines;
}

void ChangeLines(Random& random, Tokens& tokens) {
  Tokens lines = Lines(Join(tokens));
  if (lines.empty()) return;
  const size_t at = static_cast<size_t>(random.Below(lines.size()));
  const size_t other = static_cast<size_t>(random.Below(lines.size()));
  const std::string copy = lines[at];
  switch (random.Below(6)) {
    case 0:
      lines.erase(lines.begin() + static_cast<long>(at));
      break;
    case 1:
      lines.insert(lines.begin() + static_cast<long>(other), copy);
      break;
    case 2:
      std::swap(lines[at], lines[other]);
      break;
    case 3:
      lines[at] =
          std::string(static_cast<size_t>(random.Between(1, 5)), ' ') + copy;
      break;
    case 4: {
      const size_t blanks = std::min(copy.find_first_not_of(' '), copy.size());
      lines[at] = copy.substr(
          std::min(blanks, static_cast<size_t>(random.Between(1, 4))));
      break;
    }
    default:
      lines[at] = "\t" + copy;
  }
  tokens = Split(Join(lines));
}

constexpr std::array<Change, 24> kChanges = {
    ChangeArithmetic, ChangeArithmetic, ChangeArithmetic, SwapNames,
    SwapNames,        SwapNames,        SwapNames,        DropArgument,
    DropArgument,     DropConversion,   ChangeNumber,     DeleteToken,
    DeleteToken,      DuplicateToken,   SwapTokens,       Rename,
    Rename,           ChangeOperator,   ChangeNumber,     InsertToken,
    DropConversion,   ChangeLines,      Truncate,         OddByte};

}  // namespace

std::string Mutate(std::string_view program, uint64_t seed) {
  Random random(seed);
  Tokens tokens = Split(program);
  for (int i = random.Between(1, 3); i > 0 && !tokens.empty(); --i) {
    random.Pick(kChanges)(random, tokens);
    tokens = Split(Join(tokens));
  }
  return Join(tokens);
}

}  // namespace belay::crux::fuzz
