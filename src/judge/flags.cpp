// SPDX-License-Identifier: Apache-2.0
#include "judge/flags.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

namespace belay::judge {
namespace {

// A word, a number or one other character, with its line.
struct Token {
  std::string text;
  int line = 0;
};

// Comments, strings and white space are left out.
std::vector<Token> TokensOf(const std::string& text) {
  std::vector<Token> tokens;
  int line = 1;
  const auto at = [&](size_t i) { return i < text.size() ? text[i] : '\0'; };
  const auto word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  for (size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (c == '\n') ++line;
    if (std::isspace(static_cast<unsigned char>(c))) {
      ++i;
    } else if ((c == '/' && at(i + 1) == '/') || c == '#') {
      // Crux comments and preprocessor lines alike.
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (c == '/' && at(i + 1) == '*') {
      const size_t end = std::min(text.find("*/", i + 2), text.size());
      line += static_cast<int>(
          std::count(text.begin() + i, text.begin() + end, '\n'));
      i = end + 2;
    } else if (c == '"') {
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i) {
        if (text[i] == '\\') ++i;
      }
      ++i;
    } else if (word(c)) {
      size_t end = i;
      while (end < text.size() && (word(text[end]) || text[end] == '\'')) ++end;
      tokens.push_back({text.substr(i, end - i), line});
      i = end;
    } else {
      tokens.push_back({std::string(1, c), line});
      ++i;
    }
  }
  return tokens;
}

// Functions that compute what whole operators do, and the Matmul object.
const std::set<std::string, std::less<>>& LibraryNames() {
  static const std::set<std::string, std::less<>> kNames = {
      "SoftMax",
      "SimpleSoftMax",
      "SoftmaxFlash",
      "SoftmaxFlashV2",
      "SoftmaxGrad",
      "SoftmaxGradFront",
      "LogSoftMax",
      "LayerNorm",
      "LayerNormGrad",
      "LayerNormGradBeta",
      "RmsNorm",
      "BatchNorm",
      "GroupNorm",
      "DeepNorm",
      "Normalize",
      "WelfordUpdate",
      "WelfordFinalize",
      "Gelu",
      "FasterGelu",
      "FasterGeluV2",
      "SwiGLU",
      "GeGLU",
      "ReGlu",
      "Silu",
      "Swish",
      "Sigmoid",
      "Matmul",
      "MatmulImpl",
      "TopK",
      "Sort",
      "CumSum",
      "AscendQuant",
      "AscendDequant",
      "AscendAntiQuant",
      "Sum",
      "Mean",
      "ReduceXorSum",
      "Conv3D",
      "SelectWithBytesMask",
      "DropOut",
      "ClampMax",
      "ClampMin",
      "Fmod",
      "Erf",
      "Erfc",
      "Tanh",
      "Power",
      "Xor"};
  return kNames;
}

// Names the candidate itself gives to functions and types.
std::set<std::string> DeclaredIn(const std::vector<Token>& tokens) {
  static const std::set<std::string, std::less<>> kBefore = {
      "class", "struct", "void", "auto", "float", "int32_t", "using"};
  std::set<std::string> names;
  for (size_t i = 1; i < tokens.size(); ++i) {
    if (kBefore.contains(tokens[i - 1].text)) names.insert(tokens[i].text);
  }
  return names;
}

// A call of a function or a use of a template, not a member of an object.
bool IsCall(const std::vector<Token>& tokens, size_t i) {
  if (i + 1 >= tokens.size()) return false;
  const std::string& next = tokens[i + 1].text;
  if (next != "(" && next != "<") return false;
  return i == 0 || tokens[i - 1].text != ".";
}

std::optional<int64_t> NumberOf(const std::string& text) {
  if (!std::isdigit(static_cast<unsigned char>(text[0]))) return std::nullopt;
  std::string digits;
  for (const char c : text) {
    if (c != '\'') digits += c;
  }
  try {
    return std::stoll(digits, nullptr, 0);
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

// Sizes and element counts of the timed cases that no kernel has a reason to
// name: 32 and above, no power of two up to 4096.
std::set<int64_t> SizesOf(const bench::Task& task, const Problem& problem) {
  std::set<int64_t> sizes;
  const auto add = [&](int64_t size) {
    const bool power = size > 0 && (size & (size - 1)) == 0;
    if (size >= 32 && !(power && size <= 4096)) sizes.insert(size);
  };
  for (const bench::Case& one : problem.timed) {
    for (const bench::InputSpec& input : task.inputs) {
      for (const Shape& shape : bench::InputShapes(input, one)) {
        int64_t elements = 1;
        for (const int64_t size : shape) {
          add(size);
          elements *= size;
        }
        add(elements);
      }
    }
  }
  return sizes;
}

bool IsComparison(const std::vector<Token>& tokens, size_t i) {
  const auto text = [&](size_t k) {
    return k < tokens.size() ? std::string_view(tokens[k].text) : "";
  };
  const bool before = i >= 2 && text(i - 1) == "=" &&
                      (text(i - 2) == "=" || text(i - 2) == "!");
  const bool after =
      text(i + 2) == "=" && (text(i + 1) == "=" || text(i + 1) == "!");
  return before || after || (i >= 1 && text(i - 1) == "case");
}

}  // namespace

std::vector<Flag> FlagsOfText(const Candidate& candidate,
                              const bench::Task& task, const Problem& problem) {
  std::set<std::string> calls;
  std::set<std::string> keyed;
  const std::set<int64_t> sizes =
      problem.only ? std::set<int64_t>{} : SizesOf(task, problem);
  std::set<std::string> own;
  for (const CandidateFile& file : candidate.files) {
    own.merge(DeclaredIn(TokensOf(file.text)));
  }
  for (const CandidateFile& file : candidate.files) {
    const std::vector<Token> tokens = TokensOf(file.text);
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (candidate.kind != CandidateKind::kCrux &&
          LibraryNames().contains(tokens[i].text) &&
          !own.contains(tokens[i].text) && IsCall(tokens, i)) {
        calls.insert(tokens[i].text);
      }
      const auto number = NumberOf(tokens[i].text);
      if (number && sizes.contains(*number) && IsComparison(tokens, i)) {
        keyed.insert(fmt::format("{}:{}", file.path, tokens[i].line));
      }
    }
  }
  std::vector<Flag> flags;
  if (!calls.empty()) {
    flags.push_back({"high-level-library", kRuleLibraryCalls,
                     fmt::format("calls {}", fmt::join(calls, ", "))});
  }
  if (!keyed.empty()) {
    flags.push_back({"shape-keyed", kRuleShapeKeyed,
                     fmt::format("compares with a size of the timed cases at "
                                 "{}",
                                 fmt::join(keyed, ", "))});
  }
  return flags;
}

}  // namespace belay::judge
