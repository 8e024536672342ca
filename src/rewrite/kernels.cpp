// SPDX-License-Identifier: Apache-2.0
#include "rewrite/kernels.h"

#include <algorithm>
#include <array>
#include <utility>

namespace belay::rewrite {
namespace {

using Tokens = std::vector<Token>;

constexpr std::array<std::pair<std::string_view, std::string_view>, 6>
    kTaskTypes = {{
        {"KERNEL_TYPE_AIV_ONLY", "vector"},
        {"KERNEL_TYPE_AIC_ONLY", "cube"},
        {"KERNEL_TYPE_MIX_AIV_1_0", "mix:0:1"},
        {"KERNEL_TYPE_MIX_AIC_1_0", "mix:1:0"},
        {"KERNEL_TYPE_MIX_AIC_1_1", "mix:1:1"},
        {"KERNEL_TYPE_MIX_AIC_1_2", "mix:1:2"},
    }};

// The first token of the declaration that token `at` is part of.
size_t DeclarationStart(const Tokens& tokens, size_t at) {
  while (at > 0) {
    const Token& before = tokens[at - 1];
    if (before.directive != 0 || before.Is(";") || before.Is("}") ||
        before.Is("{")) {
      break;
    }
    --at;
  }
  return at;
}

// Words that take a bracket of their own before a function's name.
bool TakesBracket(const Token& token) {
  return token.Is("__mix__") || token.Is("__schedmode__") ||
         token.Is("__attribute__") || token.Is("alignas") ||
         token.Is("__launch_bounds__") || token.Is("decltype") ||
         token.Is("__declspec");
}

// The function's name: the last word before its parameters.
size_t NameOfFunction(const Tokens& tokens, size_t at) {
  for (; at + 1 < tokens.size(); ++at) {
    const Token& token = tokens[at];
    if (token.Is(";") || token.Is("{") || token.directive != 0) break;
    if (TakesBracket(token) && tokens[at + 1].Is("(")) {
      at = Closing(tokens, at + 1);
    } else if (token.IsWord() && tokens[at + 1].Is("(")) {
      return at;
    }
  }
  return tokens.size();
}

std::string KindByMarks(const Tokens& tokens, size_t from, size_t to) {
  for (size_t i = from; i < to; ++i) {
    if (tokens[i].Is("__vector__")) return "vector";
    if (tokens[i].Is("__cube__")) return "cube";
    if (tokens[i].Is("__mix__") && i + 4 < to) {
      return "mix:" + std::string(tokens[i + 2].text) + ":" +
             std::string(tokens[i + 4].text);
    }
  }
  return {};
}

std::string KindByTaskType(const Tokens& tokens, size_t from, size_t to) {
  for (size_t i = from; i + 2 < to; ++i) {
    if (!tokens[i].Is("KERNEL_TASK_TYPE_DEFAULT")) continue;
    for (const auto& [type, kind] : kTaskTypes) {
      if (tokens[i + 2].Is(type)) return std::string(kind);
    }
  }
  return {};
}

// One parameter in tokens [from, to): its name is the last word, unless that
// is all there is.
KernelParameter ParameterOf(const Tokens& tokens, size_t from, size_t to) {
  size_t end = to;
  for (size_t i = from; i < to; ++i) {
    if (tokens[i].Is("=")) {
      end = i;
      break;
    }
  }
  KernelParameter parameter;
  if (end > from + 1 && tokens[end - 1].IsWord()) {
    parameter.name = tokens[end - 1].text;
    --end;
  }
  for (size_t i = from; i < end; ++i) {
    if (!parameter.type.empty()) parameter.type += ' ';
    parameter.type += tokens[i].text;
  }
  return parameter;
}

// A kernel that registers Matmul objects runs on both types of core, unless the
// source says that it is for the cube alone.
std::string KindByMatmul(const Tokens& tokens, size_t from, size_t to) {
  const auto has = [&](const char* word, size_t first, size_t last) {
    return std::any_of(tokens.begin() + first, tokens.begin() + last,
                       [&](const Token& token) { return token.Is(word); });
  };
  if (!has("REGIST_MATMUL_OBJ", from, std::min(to, tokens.size()))) return {};
  return has("ASCENDC_CUBE_ONLY", 0, tokens.size()) ? "cube" : "mix:1:2";
}

std::vector<KernelParameter> ParametersOf(const Tokens& tokens, size_t open,
                                          size_t close) {
  std::vector<KernelParameter> parameters;
  size_t start = open + 1;
  int depth = 0;
  for (size_t i = open + 1; i <= close && close < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.Is("(") || token.Is("[") || token.Is("{") || token.Is("<")) {
      ++depth;
    }
    if (depth == 0 && (token.Is(",") || i == close)) {
      const bool none =
          start == i || (i == start + 1 && tokens[start].Is("void"));
      if (!none) parameters.push_back(ParameterOf(tokens, start, i));
      start = i + 1;
    }
    if (token.Is(")") || token.Is("]") || token.Is("}") || token.Is(">")) {
      --depth;
    }
  }
  return parameters;
}

// For every token, whether it lies inside a named or unnamed namespace.
std::vector<bool> NamespaceOf(const Tokens& tokens) {
  std::vector<bool> inside(tokens.size(), false);
  std::vector<bool> scopes;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].directive == 0 && tokens[i].Is("{")) {
      bool is_namespace = false;
      for (size_t j = i; j-- > DeclarationStart(tokens, i);) {
        is_namespace |= tokens[j].Is("namespace");
      }
      scopes.push_back(is_namespace || (!scopes.empty() && scopes.back()));
    } else if (tokens[i].directive == 0 && tokens[i].Is("}") &&
               !scopes.empty()) {
      scopes.pop_back();
    }
    inside[i] = !scopes.empty() && scopes.back();
  }
  return inside;
}

}  // namespace

size_t Closing(const Tokens& tokens, size_t open) {
  int depth = 0;
  for (size_t i = open; i < tokens.size(); ++i) {
    const Token& token = tokens[i];
    if (token.kind != Token::Kind::kSign) continue;
    if (token.Is("(") || token.Is("[") || token.Is("{")) ++depth;
    if (token.Is(")") || token.Is("]") || token.Is("}")) --depth;
    if (depth == 0) return i;
  }
  return tokens.size();
}

std::vector<Kernel> FindKernels(const Tokens& tokens) {
  std::vector<Kernel> kernels;
  std::vector<bool> in_namespace;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].Is("__global__") || tokens[i].directive != 0) continue;
    const size_t name = NameOfFunction(tokens, i + 1);
    if (name >= tokens.size()) continue;
    const size_t close = Closing(tokens, name + 1);
    if (close >= tokens.size()) continue;
    if (in_namespace.empty()) in_namespace = NamespaceOf(tokens);
    const size_t start = DeclarationStart(tokens, i);
    Kernel kernel;
    kernel.name = tokens[name].text;
    kernel.kind = KindByMarks(tokens, start, name);
    kernel.parameters = ParametersOf(tokens, name + 1, close);
    kernel.begin = tokens[start].begin;
    kernel.in_namespace = in_namespace[i];
    kernel.is_defined = close + 1 < tokens.size() && tokens[close + 1].Is("{");
    if (kernel.is_defined && kernel.kind.empty()) {
      kernel.kind =
          KindByTaskType(tokens, close + 1, Closing(tokens, close + 1));
    }
    if (kernel.is_defined && kernel.kind.empty()) {
      kernel.kind = KindByMatmul(tokens, close + 1, Closing(tokens, close + 1));
    }
    if (kernel.kind.empty()) kernel.kind = "aicore";
    for (size_t j = start; j < name; ++j) {
      kernel.is_template |= tokens[j].Is("template");
      if (tokens[j].Is("extern") && tokens[j + 1].Is("\"C\"")) {
        kernel.linkage_begin = tokens[j].begin;
        kernel.linkage_end = tokens[j + 1].end;
      }
    }
    kernels.push_back(std::move(kernel));
    i = close;
  }
  return kernels;
}

}  // namespace belay::rewrite
