// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_
#define BELAY_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_

// gert::StorageFormat: a tensor's format as the user sees it and as it lies in
// memory.

#include "graph/types.h"

namespace gert {

class StorageFormat {
 public:
  StorageFormat() = default;
  StorageFormat(ge::Format origin, ge::Format storage)
      : origin_(origin), storage_(storage) {}

  ge::Format GetOriginFormat() const { return origin_; }
  ge::Format GetStorageFormat() const { return storage_; }
  void SetOriginFormat(ge::Format format) { origin_ = format; }
  void SetStorageFormat(ge::Format format) { storage_ = format; }

  bool operator==(const StorageFormat& other) const {
    return origin_ == other.origin_ && storage_ == other.storage_;
  }
  bool operator!=(const StorageFormat& other) const {
    return !(*this == other);
  }

 private:
  ge::Format origin_ = ge::FORMAT_ND;
  ge::Format storage_ = ge::FORMAT_ND;
};

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_STORAGE_FORMAT_H_
