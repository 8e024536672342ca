// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_TRACE_WIRE_FORMAT_H_
#define BELAY_TESTS_TRACE_WIRE_FORMAT_H_

// Reads protobuf messages without knowing their types.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace belay::trace {

struct Field {
  int number = 0;
  int wire_type = 0;       // 0 varint, 1 fixed64, 2 length-delimited, 5 fixed32
  uint64_t value = 0;      // of the first two and of fixed32
  std::string_view bytes;  // of length-delimited ones
};

// Fields in the order they stand. Throws std::runtime_error when the bytes are
// no message. The views point into `message`.
std::vector<Field> ReadFields(std::string_view message);

// The fields with a number.
std::vector<Field> All(const std::vector<Field>& fields, int number);
// The value of the last field with a number, or `otherwise`.
uint64_t Value(const std::vector<Field>& fields, int number,
               uint64_t otherwise = 0);
std::string Text(const std::vector<Field>& fields, int number);
bool Has(const std::vector<Field>& fields, int number);

}  // namespace belay::trace

#endif  // BELAY_TESTS_TRACE_WIRE_FORMAT_H_
