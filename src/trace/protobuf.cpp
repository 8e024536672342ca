// SPDX-License-Identifier: Apache-2.0
#include "trace/protobuf.h"

#include <bit>

namespace belay::trace {
namespace {

enum WireType : uint64_t { kVarint = 0, kFixed64 = 1, kLength = 2 };

uint64_t Tag(int field, WireType type) {
  return static_cast<uint64_t>(field) << 3 | type;
}

}  // namespace

void Message::Append(uint64_t value) {
  while (value >= 0x80) {
    bytes_.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  bytes_.push_back(static_cast<char>(value));
}

void Message::Varint(int field, uint64_t value) {
  Append(Tag(field, kVarint));
  Append(value);
}

void Message::Fixed64(int field, uint64_t value) {
  Append(Tag(field, kFixed64));
  for (int byte = 0; byte < 8; ++byte) {
    bytes_.push_back(static_cast<char>(value >> 8 * byte));
  }
}

void Message::Double(int field, double value) {
  Fixed64(field, std::bit_cast<uint64_t>(value));
}

void Message::Bytes(int field, std::string_view bytes) {
  Append(Tag(field, kLength));
  Append(bytes.size());
  bytes_.append(bytes);
}

}  // namespace belay::trace
