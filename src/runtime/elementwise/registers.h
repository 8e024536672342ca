// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_ELEMENTWISE_REGISTERS_H_
#define BELAY_RUNTIME_ELEMENTWISE_REGISTERS_H_

// The notation functions of single elements are written in: registers of one
// float, and masks of one bit, for each lane of a piece. Every method is one
// or a few vector instructions over the whole piece, each finished before the
// next starts. Sources may be the destination.

#include <cstdint>
#include <initializer_list>

#include "belay/elementwise.h"
#include "npu/chip.h"

namespace belay::runtime::elementwise {

class Mask;
class Piece;

class Register {
 public:
  Register(const Piece& piece, uint64_t address)
      : piece_(piece), address_(address) {}

  void Abs(const Register& a) const { Unary(abi::Op::kAbs, a); }
  void Exp(const Register& a) const { Unary(abi::Op::kExp, a); }
  void Ln(const Register& a) const { Unary(abi::Op::kLn, a); }
  void Sqrt(const Register& a) const { Unary(abi::Op::kSqrt, a); }

  void Add(const Register& a, const Register& b) const {
    Binary(abi::Op::kAdd, a, b);
  }
  void Sub(const Register& a, const Register& b) const {
    Binary(abi::Op::kSub, a, b);
  }
  void Mul(const Register& a, const Register& b) const {
    Binary(abi::Op::kMul, a, b);
  }
  void Div(const Register& a, const Register& b) const {
    Binary(abi::Op::kDiv, a, b);
  }

  void Adds(const Register& a, float b) const { Scalar(abi::Op::kAdds, a, b); }
  void Muls(const Register& a, float b) const { Scalar(abi::Op::kMuls, a, b); }
  void Maxs(const Register& a, float b) const { Scalar(abi::Op::kMaxs, a, b); }
  void Mins(const Register& a, float b) const { Scalar(abi::Op::kMins, a, b); }

  void Fill(float value) const;
  void FillBits(uint32_t bits) const;
  void And(const Register& a, const Register& b) const;
  void Or(const Register& a, const Register& b) const;
  // To a whole number.
  void Round(const Register& a, abi::Round mode) const;
  void Copy(const Register& a) const { Muls(a, 1.0f); }

  // b / a for a number b.
  void DivideInto(float b, const Register& a, const Register& work) const {
    work.Fill(b);
    Div(work, a);
  }

  // The sign of `sign` on this register, which holds no negative numbers.
  void TakeSign(const Register& sign, const Register& work) const;

  // A polynomial of x, the coefficient of the highest power first. x is not
  // this register.
  void Polynomial(const Register& x,
                  std::initializer_list<float> coefficients) const;

  // Where the mask is set a, elsewhere b.
  void Pick(const Mask& mask, const Register& a, const Register& b) const;
  void Pick(const Mask& mask, const Register& a, float b) const;

  // --- as int32 -------------------------------------------------------------
  void FillInt(int32_t value) const { FillBits(static_cast<uint32_t>(value)); }
  void AddInt(const Register& a, const Register& b) const;
  void SubInt(const Register& a, const Register& b) const;
  void MulInt(const Register& a, const Register& b) const;
  void AddsInt(const Register& a, int32_t b) const;
  // Arithmetic, to the right.
  void ShiftInt(const Register& a, int32_t bits) const;
  // Whole numbers to int32 and back.
  void FloatToInt(const Register& a) const;
  void IntToFloat(const Register& a) const;

  abi::Operand As(abi::DType dtype) const;

 private:
  void Unary(abi::Op op, const Register& a) const;
  void Binary(abi::Op op, const Register& a, const Register& b,
              abi::DType dtype = abi::DType::kFloat, uint32_t parts = 1) const;
  void Scalar(abi::Op op, const Register& a, float b) const;

  const Piece& piece_;
  uint64_t address_;
};

class Mask {
 public:
  Mask(const Piece& piece, uint64_t address)
      : piece_(piece), address_(address) {}

  void Less(const Register& a, float b) const { Set(a, b, abi::Compare::kLt); }
  void Greater(const Register& a, float b) const {
    Set(a, b, abi::Compare::kGt);
  }
  void Equal(const Register& a, float b) const { Set(a, b, abi::Compare::kEq); }
  void Less(const Register& a, const Register& b) const {
    Set(a, b, abi::Compare::kLt);
  }
  void Equal(const Register& a, const Register& b) const {
    Set(a, b, abi::Compare::kEq);
  }

  abi::Operand bits() const;

 private:
  void Set(const Register& a, float b, abi::Compare mode) const;
  void Set(const Register& a, const Register& b, abi::Compare mode) const;

  const Piece& piece_;
  uint64_t address_;
};

// Some lanes of a call, in its temporary memory. What lies beyond the last
// element of the last piece is defined, and not stored.
class Piece {
 public:
  // `lanes` is a multiple of 64. The temporary memory has room for pieces of
  // `room` lanes: registers lie an odd multiple of 256 bytes apart if they can,
  // so that two in a row do not meet in a bank group.
  Piece(npu::Chip& chip, npu::Core& core, uint64_t pc,
        const abi::ElementwiseCall& call, uint32_t lanes, uint64_t room)
      : chip_(chip),
        core_(core),
        pc_(pc),
        call_(call),
        lanes_(lanes),
        pitch_(lanes / 64 % 2 == 0 && lanes + 64 <= room ? lanes + 64 : lanes) {
  }

  const abi::ElementwiseCall& call() const { return call_; }
  uint32_t lanes() const { return lanes_; }

  Register operator[](uint32_t index) const;
  Mask mask(uint32_t index) const;

  // `count` elements of an operand, from element `first` on, as float or, of
  // int32, as they are; of an operand without a type the call's scalar.
  void Load(const Register& to, const abi::Operand& from, uint64_t first,
            uint32_t count) const;
  void Store(const abi::Operand& to, const Register& from, uint64_t first,
             uint32_t count) const;

  void Issue(abi::Instruction& record) const;

 private:
  npu::Chip& chip_;
  npu::Core& core_;
  uint64_t pc_;
  const abi::ElementwiseCall& call_;
  uint32_t lanes_;
  uint32_t pitch_;  // from register to register, in lanes
};

}  // namespace belay::runtime::elementwise

#endif  // BELAY_RUNTIME_ELEMENTWISE_REGISTERS_H_
