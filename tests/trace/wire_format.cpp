// SPDX-License-Identifier: Apache-2.0
#include "wire_format.h"

#include <algorithm>
#include <iterator>

namespace belay::trace {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view bytes) : rest_(bytes) {}

  bool done() const { return rest_.empty(); }

  uint64_t Varint() {
    uint64_t value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      const auto byte = static_cast<uint8_t>(Take(1)[0]);
      if (shift == 63 && byte > 1) break;
      value |= uint64_t{byte & 0x7fu} << shift;
      if (byte < 0x80) return value;
    }
    throw std::runtime_error("varint longer than 64 bits");
  }

  uint64_t Fixed(size_t bytes) {
    const std::string_view taken = Take(bytes);
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;) {
      value = value * 256 + static_cast<uint8_t>(taken[i]);
    }
    return value;
  }

  std::string_view Take(uint64_t count) {
    if (count > rest_.size()) throw std::runtime_error("message cut short");
    const std::string_view taken = rest_.substr(0, count);
    rest_.remove_prefix(count);
    return taken;
  }

 private:
  std::string_view rest_;
};

}  // namespace

std::vector<Field> ReadFields(std::string_view message) {
  std::vector<Field> fields;
  Reader reader(message);
  while (!reader.done()) {
    const uint64_t tag = reader.Varint();
    Field field{.number = static_cast<int>(tag / 8),
                .wire_type = static_cast<int>(tag % 8),
                .value = 0,
                .bytes = {}};
    if (field.number == 0) throw std::runtime_error("field number 0");
    switch (field.wire_type) {
      case 0:
        field.value = reader.Varint();
        break;
      case 1:
        field.value = reader.Fixed(8);
        break;
      case 2:
        field.bytes = reader.Take(reader.Varint());
        break;
      case 5:
        field.value = reader.Fixed(4);
        break;
      default:
        throw std::runtime_error("unknown wire type");
    }
    fields.push_back(field);
  }
  return fields;
}

std::vector<Field> All(const std::vector<Field>& fields, int number) {
  std::vector<Field> found;
  std::copy_if(fields.begin(), fields.end(), std::back_inserter(found),
               [&](const Field& field) { return field.number == number; });
  return found;
}

uint64_t Value(const std::vector<Field>& fields, int number,
               uint64_t otherwise) {
  for (const Field& field : fields) {
    if (field.number == number) otherwise = field.value;
  }
  return otherwise;
}

std::string Text(const std::vector<Field>& fields, int number) {
  const std::vector<Field> found = All(fields, number);
  return found.empty() ? "" : std::string(found.back().bytes);
}

bool Has(const std::vector<Field>& fields, int number) {
  return !All(fields, number).empty();
}

}  // namespace belay::trace
