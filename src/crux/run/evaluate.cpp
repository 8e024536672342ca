// SPDX-License-Identifier: Apache-2.0
// Integers and numbers of the scalar unit.

#include <algorithm>
#include <cmath>
#include <limits>

#include "belay/guest_abi.h"
#include "crux/run/call_tags.h"
#include "crux/run/frame.h"
#include "crux/run/work.h"

namespace belay::crux::run {
namespace {

using code::ScalarKind;
using ir::IntKind;

// Integers wrap.
int64_t WrapAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}
int64_t WrapSub(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) -
                              static_cast<uint64_t>(b));
}
int64_t WrapMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

int64_t Quotient(int64_t a, int64_t b) {
  if (b == 0) {
    belay_divide_by_zero(a, 0);
    return 0;
  }
  return b == -1 ? WrapSub(0, a) : a / b;
}

int64_t Remainder(int64_t a, int64_t b) {
  if (b == 0) {
    belay_divide_by_zero(a, 1);
    return a;
  }
  return b == -1 ? 0 : a % b;
}

int64_t FloorQuotient(int64_t a, int64_t b) {
  const int64_t quotient = Quotient(a, b);
  return b != 0 && Remainder(a, b) != 0 && (a < 0) != (b < 0) ? quotient - 1
                                                              : quotient;
}

int64_t CeilQuotient(int64_t a, int64_t b) {
  return WrapSub(0, FloorQuotient(WrapSub(0, a), b));
}

// As compiled code converts: stops at the limits, NaN is 0.
int64_t CutOff(float value, DType dtype) {
  if (std::isnan(value)) return 0;
  const double real = std::trunc(static_cast<double>(value));
  if (dtype == DType::kUint64) {
    if (real <= 0) return 0;
    if (real >= 0x1p64) return -1;
    return static_cast<int64_t>(static_cast<uint64_t>(real));
  }
  const int bits = BitsOf(dtype);
  const bool is_signed = IsSigned(dtype);
  const double low = is_signed ? -std::ldexp(1.0, bits - 1) : 0;
  const double high = std::ldexp(1.0, is_signed ? bits - 1 : bits);
  if (real <= low) return static_cast<int64_t>(low);
  if (real >= high) {
    return static_cast<int64_t>((uint64_t{1} << (is_signed ? bits - 1 : bits)) -
                                1);
  }
  return static_cast<int64_t>(real);
}

bool IsUnsigned64(DType dtype) { return dtype == DType::kUint64; }

template <typename T>
int64_t WholeElement(const Frame& frame, const ScalarNode& node) {
  if (node.kind == ScalarKind::kElement) {
    return static_cast<int64_t>(
        LocalAs<T>(frame.locals[static_cast<size_t>(node.tensor.slot)])
            .GetValue(
                static_cast<uint64_t>(EvaluateInt(frame, node.tensor.offset))));
  }
  return static_cast<int64_t>(
      GlobalAs<T>(frame.globals[static_cast<size_t>(node.tensor.slot)])
          .GetValue(
              static_cast<uint64_t>(EvaluateInt(frame, node.tensor.offset))));
}

template <typename T>
float RealElement(const Frame& frame, const ScalarNode& node) {
  if (node.kind == ScalarKind::kElement) {
    return static_cast<float>(
        LocalAs<T>(frame.locals[static_cast<size_t>(node.tensor.slot)])
            .GetValue(
                static_cast<uint64_t>(EvaluateInt(frame, node.tensor.offset))));
  }
  return static_cast<float>(
      GlobalAs<T>(frame.globals[static_cast<size_t>(node.tensor.slot)])
          .GetValue(
              static_cast<uint64_t>(EvaluateInt(frame, node.tensor.offset))));
}

int64_t ReadWhole(const Frame& frame, const ScalarNode& node) {
  switch (node.tensor.dtype) {
    case DType::kInt8:
      return WholeElement<int8_t>(frame, node);
    case DType::kBool:
    case DType::kUint8:
      return WholeElement<uint8_t>(frame, node);
    case DType::kInt16:
      return WholeElement<int16_t>(frame, node);
    case DType::kUint16:
      return WholeElement<uint16_t>(frame, node);
    case DType::kInt32:
      return WholeElement<int32_t>(frame, node);
    case DType::kUint32:
      return WholeElement<uint32_t>(frame, node);
    default:
      return WholeElement<int64_t>(frame, node);
  }
}

float ReadReal(const Frame& frame, const ScalarNode& node) {
  switch (node.tensor.dtype) {
    case DType::kHalf:
      return RealElement<half>(frame, node);
    case DType::kBfloat16:
      return RealElement<bfloat16_t>(frame, node);
    default:
      return RealElement<float>(frame, node);
  }
}

bool IsTrue(const Frame& frame, ScalarRef position) {
  return IsReal(frame, position) ? EvaluateReal(frame, position) != 0
                                 : EvaluateWhole(frame, position) != 0;
}

// The operand of a kSelect.
ScalarRef Chosen(const Frame& frame, const ScalarNode& node) {
  const bool first = IsTrue(frame, node.args[0]);
  Spend(node.arms[first ? 0 : 1]);
  return node.args[first ? 1 : 2];
}

bool CompareReal(ScalarOp op, float a, float b) {
  switch (op) {
    case ScalarOp::kLess:
      return a < b;
    case ScalarOp::kLessEqual:
      return a <= b;
    case ScalarOp::kEqual:
      return a == b;
    default:
      return a != b;
  }
}

bool CompareWhole(ScalarOp op, bool is_unsigned, int64_t a, int64_t b) {
  const auto less = [&](int64_t x, int64_t y) {
    return is_unsigned ? static_cast<uint64_t>(x) < static_cast<uint64_t>(y)
                       : x < y;
  };
  switch (op) {
    case ScalarOp::kLess:
      return less(a, b);
    case ScalarOp::kLessEqual:
      return !less(b, a);
    case ScalarOp::kEqual:
      return a == b;
    default:
      return a != b;
  }
}

// Of integers of the operand's dtype, extended to 64 bits.
int64_t WholeBinary(const Frame& frame, const ScalarNode& node) {
  switch (node.op) {
    case ScalarOp::kBothTrue:
    case ScalarOp::kEitherTrue: {
      const bool settles = node.op == ScalarOp::kEitherTrue;
      if (IsTrue(frame, node.args[0]) == settles) return settles;
      Spend(node.rest);
      return IsTrue(frame, node.args[1]);
    }
    case ScalarOp::kLess:
    case ScalarOp::kLessEqual:
    case ScalarOp::kEqual:
    case ScalarOp::kNotEqual:
      if (IsReal(frame, node.args[0])) {
        const float first = EvaluateReal(frame, node.args[0]);
        return CompareReal(node.op, first, EvaluateReal(frame, node.args[1]));
      }
      break;
    default:
      break;
  }
  const DType dtype =
      frame.program.scalars[static_cast<size_t>(node.args[0])].dtype;
  const int64_t a = EvaluateWhole(frame, node.args[0]);
  const int64_t b = EvaluateWhole(frame, node.args[1]);
  const auto ua = static_cast<uint64_t>(a);
  const auto ub = static_cast<uint64_t>(b);
  switch (node.op) {
    case ScalarOp::kAdd:
      return WrapAdd(a, b);
    case ScalarOp::kSub:
      return WrapSub(a, b);
    case ScalarOp::kMul:
      return WrapMul(a, b);
    case ScalarOp::kDiv:
      if (IsUnsigned64(dtype) && b != 0) return static_cast<int64_t>(ua / ub);
      return Quotient(a, b);
    case ScalarOp::kMod:
      if (IsUnsigned64(dtype) && b != 0) return static_cast<int64_t>(ua % ub);
      return Remainder(a, b);
    case ScalarOp::kAnd:
      return a & b;
    case ScalarOp::kOr:
      return a | b;
    case ScalarOp::kXor:
      return a ^ b;
    case ScalarOp::kShiftLeft:
      return static_cast<int64_t>(ua << (ub & 63));
    case ScalarOp::kShiftRight:
      return IsUnsigned64(dtype) ? static_cast<int64_t>(ua >> (ub & 63))
                                 : a >> (ub & 63);
    default:
      return CompareWhole(node.op, IsUnsigned64(dtype), a, b);
  }
}

int64_t WholeUnary(const Frame& frame, const ScalarNode& node) {
  switch (node.op) {
    case ScalarOp::kNot:
      return !IsTrue(frame, node.args[0]);
    case ScalarOp::kInvert:
      return ~EvaluateWhole(frame, node.args[0]);
    default:
      return WrapSub(0, EvaluateWhole(frame, node.args[0]));
  }
}

int64_t WholeOf(const Frame& frame, const ScalarNode& node) {
  switch (node.kind) {
    case ScalarKind::kReal:
      return static_cast<int64_t>(node.real);
    case ScalarKind::kInt:
      return EvaluateInt(frame, node.integer);
    case ScalarKind::kHost:
    case ScalarKind::kVariable:
      return frame.values[static_cast<size_t>(node.slot)];
    case ScalarKind::kElement:
    case ScalarKind::kGlobal:
      return ReadWhole(frame, node);
    case ScalarKind::kUnary:
      return WholeUnary(frame, node);
    case ScalarKind::kBinary:
      return WholeBinary(frame, node);
    case ScalarKind::kSelect:
      return EvaluateWhole(frame, Chosen(frame, node));
    case ScalarKind::kCast:
      if (!IsReal(frame, node.args[0])) {
        const int64_t value = EvaluateWhole(frame, node.args[0]);
        return node.dtype == DType::kBool ? value != 0 : value;
      }
      if (node.dtype == DType::kBool) {
        return EvaluateReal(frame, node.args[0]) != 0;
      }
      return CutOff(EvaluateReal(frame, node.args[0]), node.dtype);
    case ScalarKind::kBits:
      return IsReal(frame, node.args[0])
                 ? BitsOfReal(EvaluateReal(frame, node.args[0]))
                 : EvaluateWhole(frame, node.args[0]);
  }
  return 0;
}

}  // namespace

int64_t WrapTo(DType dtype, int64_t value) {
  switch (dtype) {
    case DType::kBool:
      return value != 0;
    case DType::kInt8:
      return static_cast<int8_t>(value);
    case DType::kUint8:
      return static_cast<uint8_t>(value);
    case DType::kInt16:
      return static_cast<int16_t>(value);
    case DType::kUint16:
      return static_cast<uint16_t>(value);
    case DType::kInt32:
      return static_cast<int32_t>(value);
    case DType::kUint32:
      return static_cast<uint32_t>(value);
    default:
      return value;
  }
}

int64_t EvaluateInt(const Frame& frame, IntRef position) {
  const IntNode& node = frame.program.ints[static_cast<size_t>(position)];
  if (node.kind == IntKind::kConstant) return node.value;
  if (node.kind == IntKind::kName) {
    return frame.values[static_cast<size_t>(node.slot)];
  }
  const int64_t a = EvaluateInt(frame, node.args[0]);
  switch (node.kind) {
    case IntKind::kElement:
      return frame.arrays[static_cast<size_t>(node.slot)]->at(
          static_cast<size_t>(a));
    case IntKind::kSelect:
      return EvaluateInt(frame, a != 0 ? node.args[1] : node.args[2]);
    case IntKind::kAnd:
    case IntKind::kOr:
      if ((a != 0) == (node.kind == IntKind::kOr)) return a != 0;
      if (node.rest != 0) {
        Spend(frame.program.seconds[static_cast<size_t>(node.rest)]);
      }
      return EvaluateInt(frame, node.args[1]) != 0;
    case IntKind::kNot:
      return a == 0;
    default:
      break;
  }
  const int64_t b = EvaluateInt(frame, node.args[1]);
  switch (node.kind) {
    case IntKind::kAdd:
      return WrapAdd(a, b);
    case IntKind::kSub:
      return WrapSub(a, b);
    case IntKind::kMul:
      return WrapMul(a, b);
    case IntKind::kFloorDiv:
      return FloorQuotient(a, b);
    case IntKind::kCeilDiv:
      return CeilQuotient(a, b);
    case IntKind::kMod:
      return WrapSub(a, WrapMul(FloorQuotient(a, b), b));
    case IntKind::kAlignUp:
      return WrapMul(CeilQuotient(a, b), b);
    case IntKind::kMin:
      return std::min(a, b);
    case IntKind::kMax:
      return std::max(a, b);
    case IntKind::kLess:
      return a < b;
    case IntKind::kLessEqual:
      return a <= b;
    case IntKind::kEqual:
      return a == b;
    default:
      return a != b;
  }
}

int64_t EvaluateWhole(const Frame& frame, ScalarRef position) {
  const ScalarNode& node = frame.program.scalars[static_cast<size_t>(position)];
  return WrapTo(node.dtype, WholeOf(frame, node));
}

float EvaluateReal(const Frame& frame, ScalarRef position) {
  const ScalarNode& node = frame.program.scalars[static_cast<size_t>(position)];
  switch (node.kind) {
    case ScalarKind::kReal:
      return node.real;
    case ScalarKind::kInt:
      return static_cast<float>(EvaluateInt(frame, node.integer));
    case ScalarKind::kHost:
    case ScalarKind::kVariable:
      return RealOfBits(frame.values[static_cast<size_t>(node.slot)]);
    case ScalarKind::kElement:
    case ScalarKind::kGlobal:
      return ReadReal(frame, node);
    case ScalarKind::kSelect:
      return EvaluateReal(frame, Chosen(frame, node));
    case ScalarKind::kUnary:
      return -EvaluateReal(frame, node.args[0]);
    case ScalarKind::kCast: {
      if (IsReal(frame, node.args[0])) return EvaluateReal(frame, node.args[0]);
      const int64_t value = EvaluateWhole(frame, node.args[0]);
      const DType from =
          frame.program.scalars[static_cast<size_t>(node.args[0])].dtype;
      return IsUnsigned64(from)
                 ? static_cast<float>(static_cast<uint64_t>(value))
                 : static_cast<float>(value);
    }
    case ScalarKind::kBits:
      return RealOfBits(EvaluateWhole(frame, node.args[0]));
    case ScalarKind::kBinary:
      break;
  }
  const float a = EvaluateReal(frame, node.args[0]);
  const float b = EvaluateReal(frame, node.args[1]);
  switch (node.op) {
    case ScalarOp::kAdd:
      return a + b;
    case ScalarOp::kSub:
      return a - b;
    case ScalarOp::kMul:
      return a * b;
    default:
      return a / b;
  }
}

}  // namespace belay::crux::run
