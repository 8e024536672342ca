// SPDX-License-Identifier: Apache-2.0
#include "printed.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <sstream>

#include "naive_numbers.h"

namespace belay::sweep {
namespace {

int vectors = 0;

long double ValueOf(const std::string& text) {
  return std::strtold(text.c_str(), nullptr);
}

// Half of the last printed digit's place.
long double ToleranceOf(const std::string& text) {
  const size_t point = text.find('.');
  if (point == text.npos) return 0;
  size_t end = text.find_first_of("eE", point);
  const long exponent =
      end == text.npos ? 0 : std::strtol(text.c_str() + end + 1, nullptr, 10);
  if (end == text.npos) end = text.size();
  const long places = static_cast<long>(end - point - 1);
  return 0.5L * std::pow(10.0L, static_cast<long double>(exponent - places));
}

uint64_t BitsOf(long double value, abi::DType dtype) {
  return npu::naive::IsFloat(dtype)
             ? npu::naive::Encode(value, dtype, abi::Round::kRint, false)
             : npu::naive::EncodeInteger(static_cast<__int128>(value), dtype,
                                         false);
}

}  // namespace

Printed::Printed(std::string_view text, uint32_t count) : count_(count) {
  std::istringstream stream{std::string(text)};
  bool left_out = false;
  for (std::string word; stream >> word;) {
    if (word == "...") {
      left_out = true;
    } else {
      (left_out ? tail_ : head_).push_back(word);
    }
  }
  if (!left_out && head_.size() < count_) {
    count_ = static_cast<uint32_t>(head_.size());
  }
}

std::vector<long double> Printed::Values() const {
  std::vector<long double> values(count_);
  const size_t known = head_.size();
  for (size_t i = 0; i < known; ++i) values[i] = ValueOf(head_[i]);
  const long double step =
      known >= 3 ? ValueOf(head_[1]) - ValueOf(head_[0]) : 0;
  bool arithmetic = known >= 3;
  for (size_t i = 2; i < known; ++i) {
    arithmetic = arithmetic && values[i] - values[i - 1] == step;
  }
  for (size_t i = known; i < count_; ++i) {
    values[i] = values[i - 1] + (arithmetic ? step : 0);
  }
  for (size_t i = 0; i < tail_.size(); ++i) {
    values[count_ - tail_.size() + i] = ValueOf(tail_[i]);
  }
  return values;
}

std::string Printed::TextAt(uint32_t index) const {
  if (index < head_.size()) return head_[index];
  const size_t tail = count_ - tail_.size();
  return index >= tail ? tail_[index - tail] : std::string();
}

bool Printed::Agrees(uint32_t index, uint64_t bits, abi::DType dtype) const {
  const std::string text = TextAt(index);
  if (text.empty()) return true;
  const long double wanted = ValueOf(text);
  if (!npu::naive::IsFloat(dtype)) {
    return wanted == npu::naive::DecodeInteger(bits, dtype);
  }
  if (BitsOf(wanted, dtype) == bits) return true;
  const long double got = npu::naive::Decode(bits, dtype);
  return std::fabs(got - wanted) <= ToleranceOf(text);
}

void PutPrinted(uint32_t at, abi::DType dtype, const Printed& printed) {
  const int bytes = npu::naive::BitsOfType(dtype) / 8;
  uint8_t* to = Bench::Get().image() + at;
  for (const long double value : printed.Values()) {
    const uint64_t bits = BitsOf(value, dtype);
    std::memcpy(to, &bits, bytes);
    to += bytes;
  }
}

void ExpectPrinted(const std::string& example, uint32_t at, abi::DType dtype,
                   const Printed& printed) {
  ++vectors;
  const int bytes = npu::naive::BitsOfType(dtype) / 8;
  const uint8_t* from = Bench::Get().ub_after() + at;
  for (uint32_t i = 0; i < printed.count(); ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, from + i * bytes, bytes);
    if (printed.Agrees(i, bits, dtype)) continue;
    const long double got = npu::naive::IsFloat(dtype)
                                ? npu::naive::Decode(bits, dtype)
                                : npu::naive::DecodeInteger(bits, dtype);
    ADD_FAILURE() << example << ": element " << i << " is printed as "
                  << printed.TextAt(i) << ", is " << got;
    return;
  }
}

int PrintedVectors() { return vectors; }

}  // namespace belay::sweep
