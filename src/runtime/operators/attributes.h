// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_ATTRIBUTES_H_
#define BELAY_RUNTIME_OPERATORS_ATTRIBUTES_H_

// The attributes of a call in the form host functions read them.

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "exe_graph/runtime/runtime_attrs.h"
#include "runtime/operators/signature.h"

namespace belay::runtime {

// `given` with defaults filled in. Errors say which attribute is missing, of
// another type, or not one of the operator's.
std::vector<AttributeValue> CompleteAttributes(
    const OperatorSignature& signature,
    const std::vector<AttributeValue>& given, std::vector<Diagnostic>& errors);

class AttributeStorage {
 public:
  explicit AttributeStorage(const std::vector<AttributeValue>& values);
  AttributeStorage(const AttributeStorage&) = delete;
  AttributeStorage& operator=(const AttributeStorage&) = delete;

  const gert::RuntimeAttrs* attributes() const { return attributes_.get(); }

 private:
  template <typename T>
  const gert::ContinuousVector* StoreList(const std::vector<T>& values);
  const void* StoreLists(const std::vector<std::vector<int64_t>>& lists);

  std::vector<AttributeValue> values_;
  std::vector<std::unique_ptr<uint8_t[]>> lists_;
  std::vector<std::unique_ptr<std::vector<const gert::ContinuousVector*>>>
      lists_of_lists_;
  std::vector<std::unique_ptr<gert::ContinuousVectorVector>> nested_;
  std::vector<const void*> pointers_;
  std::unique_ptr<gert::RuntimeAttrs> attributes_;
};

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_ATTRIBUTES_H_
