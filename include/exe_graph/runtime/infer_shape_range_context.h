// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_INFER_SHAPE_RANGE_CONTEXT_H_
#define BELAY_EXE_GRAPH_RUNTIME_INFER_SHAPE_RANGE_CONTEXT_H_

// The names a SetInferShapeRange function mentions. Ranges of shapes exist in
// graphs with unknown sizes only; a direct launch never calls the function.

#include "exe_graph/runtime/extended_kernel_context.h"
#include "exe_graph/runtime/shape.h"

namespace gert {

template <typename T>
class Range {
 public:
  Range(T* min, T* max) : min_(min), max_(max) {}
  explicit Range(T* both) : min_(both), max_(both) {}

  const T* GetMin() const { return min_; }
  T* GetMin() { return min_; }
  const T* GetMax() const { return max_; }
  T* GetMax() { return max_; }
  void SetMin(T* min) { min_ = min; }
  void SetMax(T* max) { max_ = max; }

 private:
  T* min_;
  T* max_;
};

class InferShapeRangeContext : public ExtendedKernelContext {
 public:
  const Range<Shape>* GetInputShapeRange(size_t) const { return nullptr; }
  const Range<Shape>* GetOptionalInputShapeRange(size_t) const {
    return nullptr;
  }
  const Range<Shape>* GetDynamicInputShapeRange(size_t, size_t) const {
    return nullptr;
  }
  Range<Shape>* GetOutputShapeRange(size_t) { return nullptr; }

 private:
  InferShapeRangeContext() = delete;
};

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_INFER_SHAPE_RANGE_CONTEXT_H_
