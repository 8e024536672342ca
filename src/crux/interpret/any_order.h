// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_ANY_ORDER_H_
#define BELAY_CRUX_INTERPRET_ANY_ORDER_H_

// How far sums and products of many numbers may lie from their real value when
// they are combined in any order, each step rounded to the accumulator's dtype.

#include <cstddef>

#include "base/dtype.h"

namespace belay::crux::interpret {

// The dtype sums and products of a dtype are accumulated in.
DType AccumulatorOf(DType dtype);

class AnyOrderSum {
 public:
  void Take(double term, double error);
  // Of the sum of what was taken, accumulated in `wide`; `result` is that sum
  // in the order of the elements. Unbounded where a sum of some of the terms
  // leaves the range.
  double Bound(DType wide, double result) const;

 private:
  size_t terms_ = 0;
  double magnitudes_ = 0;  // of finite terms
  double errors_ = 0;
  bool infinite_ = false;
  bool nan_ = false;
};

class AnyOrderProduct {
 public:
  void Take(double factor, double error);
  // Likewise.
  double Bound(DType wide, double result) const;

 private:
  size_t factors_ = 0;
  double size_ = 1;     // |product| of finite factors
  double reached_ = 1;  // the same of factors as far off as they may be
  double largest_ = 1;  // a product of some of them can have
  double smallest_ = 1;
  bool infinite_ = false;
  bool nan_ = false;
};

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_ANY_ORDER_H_
