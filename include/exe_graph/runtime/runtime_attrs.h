// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_
#define BELAY_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_

// gert::RuntimeAttrs: the attributes of a call, by the order of the definition.

#include "belay/op_host.h"
#include "exe_graph/runtime/continuous_vector.h"

namespace gert {

class RuntimeAttrs {
 public:
  // `values[i]` points to a bool, int64_t, float, text or list; it is null
  // where there is neither a value nor a default.
  RuntimeAttrs(const void* const* values, size_t count)
      : values_(values), count_(count) {}

  size_t GetAttrNum() const { return count_; }

  // T must be the attribute's own type: char for a text, ContinuousVector for
  // a list. It is not checked.
  template <typename T>
  const T* GetAttrPointer(size_t index) const {
    return static_cast<const T*>(Value("GetAttrPointer", index));
  }

  const bool* GetBool(size_t index) const {
    return static_cast<const bool*>(Value("GetBool", index));
  }
  const int64_t* GetInt(size_t index) const {
    return static_cast<const int64_t*>(Value("GetInt", index));
  }
  const float* GetFloat(size_t index) const {
    return static_cast<const float*>(Value("GetFloat", index));
  }
  const char* GetStr(size_t index) const {
    return static_cast<const char*>(Value("GetStr", index));
  }
  const TypedContinuousVector<bool>* GetListBool(size_t index) const {
    return static_cast<const TypedContinuousVector<bool>*>(
        Value("GetListBool", index));
  }
  const TypedContinuousVector<int64_t>* GetListInt(size_t index) const {
    return static_cast<const TypedContinuousVector<int64_t>*>(
        Value("GetListInt", index));
  }
  const TypedContinuousVector<float>* GetListFloat(size_t index) const {
    return static_cast<const TypedContinuousVector<float>*>(
        Value("GetListFloat", index));
  }
  const ContinuousVectorVector* GetListListInt(size_t index) const {
    return static_cast<const ContinuousVectorVector*>(
        Value("GetListListInt", index));
  }

 private:
  const void* Value(const char* question, size_t index) const {
    const void* value = index < count_ ? values_[index] : nullptr;
    belay_host_asked(question, static_cast<int64_t>(index), -1, value);
    return value;
  }

  const void* const* values_;
  size_t count_;
};

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_RUNTIME_ATTRS_H_
