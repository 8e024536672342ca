// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCHMARKS_CRUX_CALLS_H_
#define BELAY_BENCHMARKS_CRUX_CALLS_H_

// Calls of the kernels in examples/crux that are large enough to be judged by
// their share of the hardware bound.

#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "crux/interpret/interpret.h"

namespace belay::benchmarks {

struct CruxCall {
  std::string_view kernel;  // of the file, too
  // Tensors "x=T[R,131]", attributes "k=3". T stands for a dtype, R for `rows`,
  // twice as many of 16 bits, so that both move as many bytes; as many of both
  // where rows are short.
  std::string_view arguments;
  int64_t rows = 1;
  double goal = 0;          // percent of the bound; 0: none
  double moved = 0;         // bytes moved for each byte needed, at most; 0: any
  bool short_rows = false;  // the bound is that of memory alone
};

const std::vector<CruxCall>& CruxCalls();

// Kernels on rows, for rows of many lengths that move as much; no goals.
const std::vector<CruxCall>& CallsOfRows();

// Every kernel of the table of experts, on 2^31 elements; no goals.
const std::vector<CruxCall>& HugeCalls();

// The call's arguments for a dtype, spelt out.
std::string SpeltFor(const CruxCall& call, DType floating);

// Tensors without data. Throws UserError for text that is no call of the
// kernel.
crux::interpret::Arguments ArgumentsOf(const crux::typed::Kernel& kernel,
                                       const std::string& text);

}  // namespace belay::benchmarks

#endif  // BELAY_BENCHMARKS_CRUX_CALLS_H_
