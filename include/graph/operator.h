// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GRAPH_OPERATOR_H_
#define BELAY_GRAPH_OPERATOR_H_

// ge::Operator: a node of a graph, as check and format functions of op_host
// take it: descriptions of its tensors, by place or name.

#include <stdint.h>

#include <string>
#include <vector>

#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"
#include "graph/tensor.h"

namespace ge {

class Operator {
 public:
  Operator() = default;
  explicit Operator(const char* type) : type_(type) {}
  Operator(const char* name, const char* type) : name_(name), type_(type) {}

  graphStatus GetName(AscendString& name) const {
    name = name_;
    return GRAPH_SUCCESS;
  }
  graphStatus GetOpType(AscendString& type) const {
    type = type_;
    return GRAPH_SUCCESS;
  }

  size_t GetInputsSize() const { return inputs_.size(); }
  size_t GetOutputsSize() const { return outputs_.size(); }

  // An empty description for a tensor that is not there.
  TensorDesc GetInputDesc(uint32_t index) const { return At(inputs_, index); }
  TensorDesc GetOutputDesc(uint32_t index) const { return At(outputs_, index); }
  TensorDesc GetInputDescByName(const char* name) const {
    return Named(inputs_, name);
  }
  TensorDesc GetOutputDescByName(const char* name) const {
    return Named(outputs_, name);
  }

  // Appends the tensor when its name is new.
  graphStatus UpdateInputDesc(const char* name, const TensorDesc& desc) {
    return Update(inputs_, name, desc);
  }
  graphStatus UpdateOutputDesc(const char* name, const TensorDesc& desc) {
    return Update(outputs_, name, desc);
  }

 private:
  using Descs = std::vector<TensorDesc>;

  static TensorDesc At(const Descs& descs, uint32_t index) {
    return index < descs.size() ? descs[index] : TensorDesc();
  }
  static TensorDesc Named(const Descs& descs, const char* name) {
    for (const TensorDesc& desc : descs) {
      if (desc.GetName() == name) return desc;
    }
    return TensorDesc();
  }
  static graphStatus Update(Descs& descs, const char* name, TensorDesc desc) {
    desc.SetName(name);
    for (TensorDesc& known : descs) {
      if (known.GetName() != name) continue;
      known = desc;
      return GRAPH_SUCCESS;
    }
    descs.push_back(desc);
    return GRAPH_SUCCESS;
  }

  AscendString name_;
  AscendString type_;
  Descs inputs_;
  Descs outputs_;
};

}  // namespace ge

#endif  // BELAY_GRAPH_OPERATOR_H_
