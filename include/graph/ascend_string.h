// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GRAPH_ASCEND_STRING_H_
#define BELAY_GRAPH_ASCEND_STRING_H_

// ge::AscendString: a text with value semantics.

#include <stddef.h>

#include <string>

namespace ge {

class AscendString {
 public:
  AscendString() = default;
  AscendString(const char* text) : text_(text == nullptr ? "" : text) {}
  AscendString(const char* text, size_t length) : text_(text, length) {}

  const char* GetString() const { return text_.c_str(); }
  size_t GetLength() const { return text_.size(); }
  size_t Find(const AscendString& part) const { return text_.find(part.text_); }
  size_t Hash() const { return std::hash<std::string>()(text_); }

  bool operator==(const AscendString& other) const {
    return text_ == other.text_;
  }
  bool operator!=(const AscendString& other) const {
    return text_ != other.text_;
  }
  bool operator<(const AscendString& other) const {
    return text_ < other.text_;
  }

 private:
  std::string text_;
};

}  // namespace ge

#endif  // BELAY_GRAPH_ASCEND_STRING_H_
