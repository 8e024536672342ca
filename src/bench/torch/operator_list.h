// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_TORCH_OPERATOR_LIST_H_
#define BELAY_BENCH_TORCH_OPERATOR_LIST_H_

// Lists the operators libtorch runs: while an OperatorList lives, every
// operator of this thread that has a kernel of its own is written down, and not
// what that kernel calls. Views, allocations and what leaves the device cost
// nothing and are left out. One at a time.

#include <ATen/core/Tensor.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

#include <vector>

#include "bench/eager_operator.h"

namespace belay::bench {

class OperatorList {
 public:
  // Reals that no input says anything about count as `real`.
  explicit OperatorList(DType real);
  ~OperatorList();
  OperatorList(const OperatorList&) = delete;
  OperatorList& operator=(const OperatorList&) = delete;

  // What the tensor would hold on a card. Results hold the widest dtype of
  // their operands; casts to float64 of what is not declared so are taken for
  // libtorch's way to compute, not for kernels.
  static void Declare(const at::Tensor& tensor, DType dtype);

  // Adds a copy that libtorch had no need to make.
  static void Copied(const at::Tensor& from, DType dtype);

  std::vector<EagerOperator> Take();

 private:
  c10::impl::IncludeDispatchKeyGuard guard_;
};

}  // namespace belay::bench

#endif  // BELAY_BENCH_TORCH_OPERATOR_LIST_H_
