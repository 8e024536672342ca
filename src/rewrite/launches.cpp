// SPDX-License-Identifier: Apache-2.0
#include "rewrite/launches.h"

#include <fmt/format.h>

#include <algorithm>

namespace belay::rewrite {
namespace {

using Tokens = std::vector<Token>;

// The token that opens the bracket which token `close` closes, seen backwards;
// angle brackets count as brackets. `close` itself if none does.
size_t Opening(const Tokens& tokens, size_t close) {
  int depth = 0;
  for (size_t i = close + 1; i-- > 0;) {
    const std::string_view text = tokens[i].text;
    if (tokens[i].directive != tokens[close].directive || text == ";") break;
    if (text == ")" || text == "]" || text == "}" || text == ">") ++depth;
    if (text == ">>>") depth += 3;
    if (text == "(" || text == "[" || text == "{" || text == "<") --depth;
    if (text == "<<<") depth -= 3;
    if (depth <= 0) return i;
  }
  return close;
}

bool EndsWithName(const Tokens& tokens, size_t at) {
  static constexpr std::string_view kKeywords[] = {"return", "else", "do",
                                                   "case", "throw"};
  return tokens[at].IsWord() &&
         std::find(std::begin(kKeywords), std::end(kKeywords),
                   tokens[at].text) == std::end(kKeywords);
}

// The first token of the expression that ends before `open`: a name, qualified
// or not, with template arguments or not; or something in brackets.
size_t CalleeStart(const Tokens& tokens, size_t open) {
  size_t at = open;
  while (at > 0 && tokens[at - 1].directive == tokens[open].directive) {
    const Token& before = tokens[at - 1];
    if (before.Is(">") || before.Is(")") || before.Is(">>>")) {
      const size_t start = Opening(tokens, at - 1);
      if (start == at - 1) break;
      at = start;
      if (before.Is(")") && (at == 0 || !EndsWithName(tokens, at - 1))) break;
    }
    if (at > 0 && EndsWithName(tokens, at - 1)) --at;
    // Pasted names in a macro: a##b.
    if (at > 1 && tokens[at - 1].Is("#") && tokens[at - 2].Is("#")) {
      at -= 2;
      continue;
    }
    if (at == 0 || !tokens[at - 1].Is("::")) break;
    --at;
  }
  return at;
}

// The ">>>" that ends the launch opened at `open`: the last one before the
// statement's end that a bracket follows, outside other brackets. Size of the
// list if there is none.
size_t LaunchEnd(const Tokens& tokens, size_t open) {
  size_t found = tokens.size();
  int depth = 0;
  for (size_t i = open + 1; i + 1 < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.directive != tokens[open].directive) break;
    if (token.kind != Token::Kind::kSign) continue;
    if (token.Is("(") || token.Is("[") || token.Is("{")) ++depth;
    if (token.Is(")") || token.Is("]") || token.Is("}")) --depth;
    if (depth < 0 || (depth == 0 && (token.Is(";") || token.Is("<<<")))) break;
    if (depth == 0 && token.Is(">>>") && tokens[i + 1].Is("(")) found = i;
  }
  return found;
}

// Whether `name` is a parameter of the macro that directive `number` defines.
bool IsMacroParameter(const Tokens& tokens, int number, std::string_view name) {
  size_t at = 0;
  while (at < tokens.size() && tokens[at].directive != number) ++at;
  // # define NAME ( a , b )
  if (at + 3 >= tokens.size() || !tokens[at + 1].Is("define") ||
      !tokens[at + 3].Is("(") || tokens[at + 3].begin != tokens[at + 2].end) {
    return false;
  }
  const size_t close = Closing(tokens, at + 3);
  for (size_t i = at + 4; i < close && i < tokens.size(); ++i) {
    if (tokens[i].Is(name)) return true;
  }
  return false;
}

// The callee on one line, without comments.
std::string CalleeText(const Tokens& tokens, const Launch& launch) {
  std::string text;
  for (size_t i = launch.callee; i < launch.open; ++i) {
    if (i > launch.callee && tokens[i].IsWord() && tokens[i - 1].IsWord()) {
      text += ' ';
    }
    text += tokens[i].text;
  }
  return text;
}

// A string literal of the callee's name, without template arguments.
std::string NameLiteral(const Tokens& tokens, const Launch& launch) {
  const Token& first = tokens[launch.callee];
  if (first.directive != 0 && launch.open == launch.callee + 1 &&
      IsMacroParameter(tokens, first.directive, first.text)) {
    return "#" + std::string(first.text);
  }
  std::string name;
  for (size_t i = launch.callee; i < launch.open; ++i) {
    if (tokens[i].Is("<")) break;
    if (tokens[i].kind != Token::Kind::kText) name += tokens[i].text;
  }
  return "\"" + name + "\"";
}

std::string KindOf(const Tokens& tokens, const Launch& launch,
                   const std::vector<Kernel>& kernels) {
  // The last word outside template arguments is the kernel's own name.
  std::string_view name;
  for (size_t i = launch.callee; i < launch.open; ++i) {
    if (tokens[i].Is("<")) break;
    if (tokens[i].IsWord()) name = tokens[i].text;
  }
  for (const Kernel& kernel : kernels) {
    if (kernel.name == name && kernel.kind != "aicore") return kernel.kind;
  }
  return "aicore";
}

}  // namespace

std::vector<Launch> FindLaunches(const Tokens& tokens) {
  std::vector<Launch> launches;
  for (size_t i = 1; i < tokens.size(); ++i) {
    if (!tokens[i].Is("<<<") || tokens[i - 1].Is("operator")) continue;
    const Launch launch = {CalleeStart(tokens, i), i, LaunchEnd(tokens, i)};
    if (launch.callee == i || launch.close >= tokens.size()) continue;
    launches.push_back(launch);
    i = launch.close;
  }
  return launches;
}

void RewriteLaunches(const Tokens& tokens, const std::vector<Kernel>& kernels,
                     Edits& edits) {
  for (const Launch& launch : FindLaunches(tokens)) {
    const Token& first = tokens[launch.callee];
    const Token& open = tokens[launch.open];
    const Token& close = tokens[launch.close];
    edits.Replace(
        first.begin, open.end,
        fmt::format("::belay::host::Prepare({}, \"{}\", "
                    "[=](::belay::host::Caller, auto... belay_arguments) {{ "
                    "{}(belay_arguments...); }}, ",
                    NameLiteral(tokens, launch),
                    KindOf(tokens, launch, kernels),
                    CalleeText(tokens, launch)),
        open.directive != 0);
    edits.Replace(close.begin, close.end, ")");
  }
}

}  // namespace belay::rewrite
