// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REWRITE_KERNELS_H_
#define BELAY_REWRITE_KERNELS_H_

// The kernels a source declares, found in its tokens.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rewrite/tokens.h"

namespace belay::rewrite {

struct KernelParameter {
  std::string type;
  std::string name;  // empty when the declaration gives none
};

struct Kernel {
  std::string name;
  std::string kind;  // as belay_launch takes it
  std::vector<KernelParameter> parameters;
  bool is_template = false;
  bool is_defined = false;  // has a body here
  bool in_namespace = false;
  size_t begin = 0;  // first character of the declaration
  // The tokens `extern "C"` of the declaration itself, as a range of the
  // source; empty if it has none.
  size_t linkage_begin = 0;
  size_t linkage_end = 0;
};

// Every declaration with __global__ outside the preprocessor's lines.
std::vector<Kernel> FindKernels(const std::vector<Token>& tokens);

// Index of the token that closes the bracket at `open`; tokens.size() if none
// does.
size_t Closing(const std::vector<Token>& tokens, size_t open);

}  // namespace belay::rewrite

#endif  // BELAY_REWRITE_KERNELS_H_
