// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_NPU_VECTOR_WORKBENCH_H_
#define BELAY_TESTS_NPU_VECTOR_WORKBENCH_H_

// A small UB in which tests place numbers, run one instruction by hand and
// look at the results.

#include <cstdint>
#include <cstring>
#include <vector>

#include "naive_numbers.h"
#include "npu/execute.h"
#include "random_case.h"

namespace belay::npu {

class Workbench {
 public:
  static constexpr uint64_t kDst = 0;
  static constexpr uint64_t kSrc0 = 48 * 1024;
  static constexpr uint64_t kSrc1 = 96 * 1024;
  static constexpr uint64_t kSrc2 = 144 * 1024;

  VectorState state;

  Workbench() { std::memset(ub_.data(), 0, kUbBytes); }

  // A count-form instruction on contiguous operands of one type.
  abi::Instruction Instruction(abi::Op op, abi::DType dtype,
                               uint64_t count) const {
    return Instruction(op, dtype, dtype, count);
  }
  abi::Instruction Instruction(abi::Op op, abi::DType from, abi::DType to,
                               uint64_t count) const {
    abi::Instruction i{};
    i.op = op;
    i.form = abi::Form::kCount;
    i.count = count;
    i.dst = At(kDst, to);
    i.src0 = At(kSrc0, from);
    i.src1 = At(kSrc1, from);
    i.src2 = At(kSrc2, abi::DType::kUint8);
    const uint32_t lanes = LanesPerRepeat(i);
    for (abi::Operand* operand : {&i.dst, &i.src0, &i.src1}) {
      operand->repeat_stride = static_cast<uint32_t>(
          lanes * naive::BitsOfType(operand->dtype) / 256);
    }
    return i;
  }

  abi::Operand At(uint64_t offset, abi::DType dtype) const {
    return {ub_.address(offset), 1, 8, dtype, abi::Memory::kUb};
  }

  void Put(uint64_t offset, abi::DType dtype,
           const std::vector<long double>& values) {
    const int bits = naive::BitsOfType(dtype);
    for (size_t i = 0; i < values.size(); ++i) {
      const uint64_t element = BitsOf(values[i], dtype);
      std::memcpy(ub_.data() + offset + i * bits / 8, &element, bits / 8);
    }
  }

  uint64_t Bits(uint64_t offset, abi::DType dtype, size_t index) const {
    const int bits = naive::BitsOfType(dtype);
    uint64_t element = 0;
    std::memcpy(&element, ub_.data() + offset + index * bits / 8, bits / 8);
    return element;
  }

  long double Value(uint64_t offset, abi::DType dtype, size_t index) const {
    const uint64_t bits = Bits(offset, dtype, index);
    return naive::IsFloat(dtype) ? naive::Decode(bits, dtype)
                                 : naive::DecodeInteger(bits, dtype);
  }

  std::vector<long double> Values(uint64_t offset, abi::DType dtype,
                                  size_t count) const {
    std::vector<long double> values(count);
    for (size_t i = 0; i < count; ++i) values[i] = Value(offset, dtype, i);
    return values;
  }

  static uint64_t BitsOf(long double value, abi::DType dtype) {
    if (naive::IsFloat(dtype)) {
      return naive::Encode(value, dtype, abi::Round::kRint, false);
    }
    return naive::EncodeInteger(static_cast<__int128>(value), dtype, true);
  }

  void Run(const abi::Instruction& instruction) {
    const Lanes lanes =
        ResolveLanes(instruction, LanesPerRepeat(instruction), state);
    ExecuteVector(instruction, lanes, state);
  }

  UbBuffer& ub() { return ub_; }

 private:
  UbBuffer ub_;
};

}  // namespace belay::npu

#endif  // BELAY_TESTS_NPU_VECTOR_WORKBENCH_H_
