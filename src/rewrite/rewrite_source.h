// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REWRITE_REWRITE_SOURCE_H_
#define BELAY_REWRITE_REWRITE_SOURCE_H_

// A source of AscendC turned into C++ that any compiler reads.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "rewrite/kernels.h"

namespace belay::rewrite {

// A quoted include of the source: its file name as a range of the text.
struct Include {
  size_t begin = 0;
  size_t end = 0;
  std::string file;
};

struct Rewritten {
  // As many lines as the source; columns differ only behind what was changed.
  std::string text;
  bool changed = false;
  std::vector<Kernel> kernels;
};

// Launches become calls (belay/host_launch.h); the attributes [aicore] and
// [host, aicore] become blanks; kernels that bear a name of the C library lose
// their C linkage. `redirect` gives for each quoted include the file to
// include instead, or nothing to leave it.
using Redirect = std::function<std::string(const std::string& file)>;
Rewritten RewriteSource(std::string_view source, const Redirect& redirect = {});

// The quoted includes of a source, in order.
std::vector<Include> QuotedIncludes(const std::vector<Token>& tokens);

}  // namespace belay::rewrite

#endif  // BELAY_REWRITE_REWRITE_SOURCE_H_
