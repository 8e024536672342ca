// SPDX-License-Identifier: Apache-2.0
#include "runtime/elementwise/registers.h"

#include <bit>

namespace belay::runtime::elementwise {
namespace {

using abi::DType;
using abi::Instruction;
using abi::Op;
using abi::Operand;

constexpr uint32_t kSignBit = 0x80000000u;

Instruction Record(Op op, uint64_t count) {
  Instruction record{};
  record.op = op;
  record.form = abi::Form::kCount;
  record.repeat = 1;
  record.count = count;
  return record;
}

uint32_t BytesOf(DType dtype) {
  return dtype == DType::kFloat || dtype == DType::kInt32 ? 4 : 2;
}

// Element `first` on, with the strides of a dense operand beside a float one.
Operand From(const Operand& operand, uint64_t first) {
  Operand moved = operand;
  moved.address += first * BytesOf(operand.dtype);
  moved.block_stride = 1;
  moved.repeat_stride = 2 * BytesOf(operand.dtype);
  return moved;
}

}  // namespace

Operand Register::As(DType dtype) const {
  const Operand& memory = piece_.call().temporary;
  Operand operand{};
  operand.address = address_;
  operand.block_stride = 1;
  operand.repeat_stride = 8;
  operand.dtype = dtype;
  operand.memory = abi::Memory::kUb;
  operand.buffer = memory.buffer;
  operand.buffer_bytes = memory.buffer_bytes;
  return operand;
}

void Register::Unary(Op op, const Register& a) const {
  Instruction record = Record(op, piece_.lanes());
  record.dst = As(DType::kFloat);
  record.src0 = a.As(DType::kFloat);
  piece_.Issue(record);
}

void Register::Binary(Op op, const Register& a, const Register& b, DType dtype,
                      uint32_t parts) const {
  Instruction record = Record(op, uint64_t{parts} * piece_.lanes());
  record.dst = As(dtype);
  record.src0 = a.As(dtype);
  record.src1 = b.As(dtype);
  piece_.Issue(record);
}

void Register::Scalar(Op op, const Register& a, float b) const {
  Instruction record = Record(op, piece_.lanes());
  record.dst = As(DType::kFloat);
  record.src0 = a.As(DType::kFloat);
  record.scalar = std::bit_cast<uint32_t>(b);
  piece_.Issue(record);
}

void Register::Fill(float value) const {
  Instruction record = Record(Op::kDuplicate, piece_.lanes());
  record.dst = As(DType::kFloat);
  record.scalar = std::bit_cast<uint32_t>(value);
  piece_.Issue(record);
}

void Register::FillBits(uint32_t bits) const {
  Instruction record = Record(Op::kDuplicate, piece_.lanes());
  record.dst = As(DType::kInt32);
  record.scalar = bits;
  piece_.Issue(record);
}

void Register::And(const Register& a, const Register& b) const {
  Binary(Op::kAnd, a, b, DType::kUint16, 2);
}

void Register::Or(const Register& a, const Register& b) const {
  Binary(Op::kOr, a, b, DType::kUint16, 2);
}

void Register::Round(const Register& a, abi::Round mode) const {
  Instruction record = Record(Op::kCast, piece_.lanes());
  record.mode = static_cast<uint8_t>(mode);
  record.dst = As(DType::kFloat);
  record.src0 = a.As(DType::kFloat);
  piece_.Issue(record);
}

void Register::TakeSign(const Register& sign, const Register& work) const {
  work.FillBits(kSignBit);
  work.And(sign, work);
  Or(*this, work);
}

void Register::Polynomial(const Register& x,
                          std::initializer_list<float> coefficients) const {
  const float* next = coefficients.begin();
  Muls(x, *next++);
  Adds(*this, *next++);
  while (next != coefficients.end()) {
    Mul(*this, x);
    Adds(*this, *next++);
  }
}

void Register::Pick(const Mask& mask, const Register& a,
                    const Register& b) const {
  Instruction record = Record(Op::kSelect, piece_.lanes());
  record.mode = static_cast<uint8_t>(abi::Select::kTensorTensor);
  record.dst = As(DType::kFloat);
  record.src0 = a.As(DType::kFloat);
  record.src1 = b.As(DType::kFloat);
  record.src2 = mask.bits();
  piece_.Issue(record);
}

void Register::Pick(const Mask& mask, const Register& a, float b) const {
  Instruction record = Record(Op::kSelect, piece_.lanes());
  record.mode = static_cast<uint8_t>(abi::Select::kTensorScalar);
  record.dst = As(DType::kFloat);
  record.src0 = a.As(DType::kFloat);
  record.scalar = std::bit_cast<uint32_t>(b);
  record.src2 = mask.bits();
  piece_.Issue(record);
}

void Register::AddInt(const Register& a, const Register& b) const {
  Binary(Op::kAdd, a, b, DType::kInt32);
}

void Register::SubInt(const Register& a, const Register& b) const {
  Binary(Op::kSub, a, b, DType::kInt32);
}

void Register::AddsInt(const Register& a, int32_t b) const {
  Instruction record = Record(Op::kAdds, piece_.lanes());
  record.dst = As(DType::kInt32);
  record.src0 = a.As(DType::kInt32);
  record.scalar = static_cast<uint32_t>(b);
  piece_.Issue(record);
}

void Register::MulInt(const Register& a, const Register& b) const {
  Binary(Op::kMul, a, b, DType::kInt32);
}

void Register::ShiftInt(const Register& a, int32_t bits) const {
  Instruction record = Record(Op::kShiftRight, piece_.lanes());
  record.dst = As(DType::kInt32);
  record.src0 = a.As(DType::kInt32);
  record.scalar = static_cast<uint32_t>(bits);
  piece_.Issue(record);
}

void Register::FloatToInt(const Register& a) const {
  Instruction record = Record(Op::kCast, piece_.lanes());
  record.mode = static_cast<uint8_t>(abi::Round::kRint);
  record.dst = As(DType::kInt32);
  record.src0 = a.As(DType::kFloat);
  piece_.Issue(record);
}

void Register::IntToFloat(const Register& a) const {
  Instruction record = Record(Op::kCast, piece_.lanes());
  record.mode = static_cast<uint8_t>(abi::Round::kNone);
  record.dst = As(DType::kFloat);
  record.src0 = a.As(DType::kInt32);
  piece_.Issue(record);
}

Operand Mask::bits() const {
  return Register(piece_, address_).As(DType::kUint8);
}

void Mask::Set(const Register& a, float b, abi::Compare mode) const {
  Instruction record = Record(Op::kCompareScalar, piece_.lanes());
  record.mode = static_cast<uint8_t>(mode);
  record.dst = bits();
  record.src0 = a.As(DType::kFloat);
  record.scalar = std::bit_cast<uint32_t>(b);
  piece_.Issue(record);
}

void Mask::Set(const Register& a, const Register& b, abi::Compare mode) const {
  Instruction record = Record(Op::kCompare, piece_.lanes());
  record.mode = static_cast<uint8_t>(mode);
  record.dst = bits();
  record.src0 = a.As(DType::kFloat);
  record.src1 = b.As(DType::kFloat);
  piece_.Issue(record);
}

Register Piece::operator[](uint32_t index) const {
  return {*this, call_.temporary.address + uint64_t{index} * pitch_ * 4};
}

Mask Piece::mask(uint32_t index) const {
  const abi::ElementwiseWork work = abi::WorkOf(call_.function);
  return {*this, call_.temporary.address +
                     uint64_t{work.registers} * pitch_ * 4 +
                     uint64_t{index} * ((lanes_ / 8 + 31) / 32 * 32)};
}

void Piece::Load(const Register& to, const Operand& from, uint64_t first,
                 uint32_t count) const {
  const bool whole_numbers = call_.dst.dtype == DType::kInt32;
  if (from.dtype == DType::kNone) {
    if (whole_numbers) {
      to.FillInt(call_.scalar_int);
    } else {
      to.Fill(call_.scalar);
    }
    return;
  }
  if (count != lanes_) {
    const uint64_t last = lanes_ - abi::ElementwiseWork::kLanes;
    Instruction ones = Record(Op::kDuplicate, abi::ElementwiseWork::kLanes);
    ones.dst = From(to.As(DType::kFloat), last);
    ones.scalar = std::bit_cast<uint32_t>(1.0f);
    Issue(ones);
  }
  const DType dtype = from.dtype;
  Instruction record = Record(Op::kCast, count);
  record.src0 = From(from, first);
  record.dst = to.As(whole_numbers ? DType::kInt32 : DType::kFloat);
  if (dtype == DType::kFloat) {
    record.op = Op::kMuls;
    record.scalar = std::bit_cast<uint32_t>(1.0f);
  } else if (dtype == DType::kInt32) {
    record.op = Op::kAdds;
  }
  Issue(record);
}

void Piece::Store(const Operand& to, const Register& from, uint64_t first,
                  uint32_t count) const {
  Instruction record = Record(Op::kCast, count);
  record.mode = static_cast<uint8_t>(abi::Round::kRint);
  record.dst = From(to, first);
  record.src0 = from.As(DType::kFloat);
  if (to.dtype == DType::kFloat) {
    record.op = Op::kMuls;
    record.mode = 0;
    record.scalar = std::bit_cast<uint32_t>(1.0f);
  } else if (to.dtype == DType::kInt32) {
    record.op = Op::kAdds;
    record.mode = 0;
    record.src0 = from.As(DType::kInt32);
  }
  Issue(record);
}

void Piece::Issue(Instruction& record) const {
  record.pc = pc_;
  chip_.Issue(core_, record);
  Instruction barrier{};
  barrier.op = Op::kPipeBarrier;
  barrier.sync.from = abi::Pipe::kV;
  barrier.sync.to = abi::Pipe::kV;
  barrier.pc = pc_;
  chip_.Issue(core_, barrier);
}

}  // namespace belay::runtime::elementwise
