// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_TORCH_NARROW_MODE_H_
#define BELAY_BENCH_TORCH_NARROW_MODE_H_

// Makes libtorch compute as a kernel would that keeps everything in a narrower
// type than f64: while a NarrowMode lives, every f64 result of an operator on this
// thread is rounded to it, and sums and products of matrices are accumulated
// in it term by term. What operators sum inside (softmax, convolutions) is
// not seen.

#include <c10/core/ScalarType.h>
#include <c10/core/impl/LocalDispatchKeySet.h>

namespace belay::bench {

class NarrowMode {
 public:
  explicit NarrowMode(c10::ScalarType type);
  ~NarrowMode();
  NarrowMode(const NarrowMode&) = delete;
  NarrowMode& operator=(const NarrowMode&) = delete;

  // The most terms one accumulator has taken since the mode began.
  int64_t most_terms() const;

 private:
  c10::impl::IncludeDispatchKeyGuard guard_;
};

}  // namespace belay::bench

#endif  // BELAY_BENCH_TORCH_NARROW_MODE_H_
