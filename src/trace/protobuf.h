// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TRACE_PROTOBUF_H_
#define BELAY_TRACE_PROTOBUF_H_

// A protobuf message in its wire format, field by field.

#include <cstdint>
#include <string>
#include <string_view>

namespace belay::trace {

class Message {
 public:
  void Varint(int field, uint64_t value);
  void Fixed64(int field, uint64_t value);
  void Double(int field, double value);
  // A string, bytes or an embedded message.
  void Bytes(int field, std::string_view bytes);
  void Embed(int field, const Message& message) {
    Bytes(field, message.bytes_);
  }

  void Clear() { bytes_.clear(); }
  const std::string& bytes() const { return bytes_; }

 private:
  void Append(uint64_t value);

  std::string bytes_;
};

}  // namespace belay::trace

#endif  // BELAY_TRACE_PROTOBUF_H_
