// SPDX-License-Identifier: Apache-2.0
#include "rewrite/rewrite_source.h"

#include "rewrite/c_library.h"
#include "rewrite/edits.h"
#include "rewrite/launches.h"

namespace belay::rewrite {
namespace {

using Tokens = std::vector<Token>;

// The token that ends an attribute [aicore] opened at `open`; 0 if it is none:
// an index or a capture is not followed by a name.
size_t RawAttributeEnd(const Tokens& tokens, size_t open) {
  bool marks_kernel_code = false;
  size_t at = open + 1;
  for (; at < tokens.size() && !tokens[at].Is("]"); ++at) {
    if (tokens[at].Is("aicore")) {
      marks_kernel_code = true;
    } else if (!tokens[at].Is("host") && !tokens[at].Is(",")) {
      return 0;
    }
  }
  if (!marks_kernel_code || at + 1 >= tokens.size()) return 0;
  const Token& next = tokens[at + 1];
  const bool in_directive = tokens[open].directive != 0;
  const bool ends_directive =
      in_directive && next.directive != tokens[open].directive;
  return next.IsWord() || next.Is("::") || next.Is("~") || next.Is("[") ||
                 ends_directive
             ? at
             : 0;
}

void BlankRawAttributes(const Tokens& tokens, Edits& edits) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].Is("[")) continue;
    const size_t end = RawAttributeEnd(tokens, i);
    if (end == 0) continue;
    edits.Blank(tokens[i].begin, tokens[end].end);
    i = end;
  }
}

void FreeCLibraryNames(const std::vector<Kernel>& kernels, Edits& edits) {
  for (const Kernel& kernel : kernels) {
    if (!IsCLibraryName(kernel.name)) continue;
    if (kernel.linkage_end > 0) {
      edits.Blank(kernel.linkage_begin, kernel.linkage_end);
    } else {
      // It may stand in a block of C linkage.
      edits.Replace(kernel.begin, kernel.begin, "extern \"C++\" ");
    }
  }
}

}  // namespace

std::vector<Include> QuotedIncludes(const Tokens& tokens) {
  std::vector<Include> includes;
  for (size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].Is("#") || !tokens[i + 1].Is("include")) continue;
    const Token& file = tokens[i + 2];
    if (file.directive != tokens[i].directive || file.text.size() < 3 ||
        file.text.front() != '"') {
      continue;
    }
    includes.push_back(
        {file.begin, file.end,
         std::string(file.text.substr(1, file.text.size() - 2))});
  }
  return includes;
}

Rewritten RewriteSource(std::string_view source, const Redirect& redirect) {
  const Tokens tokens = Tokenize(source);
  Rewritten result;
  result.kernels = FindKernels(tokens);
  Edits edits;
  RewriteLaunches(tokens, result.kernels, edits);
  BlankRawAttributes(tokens, edits);
  FreeCLibraryNames(result.kernels, edits);
  result.changed = !edits.empty();
  if (redirect) {
    for (const Include& include : QuotedIncludes(tokens)) {
      const std::string file = redirect(include.file);
      if (file.empty()) continue;
      edits.Replace(include.begin, include.end, "\"" + file + "\"");
    }
  }
  result.text = edits.Apply(source);
  return result;
}

}  // namespace belay::rewrite
