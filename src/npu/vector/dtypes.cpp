// SPDX-License-Identifier: Apache-2.0
// Which instructions the chip has for which element types (the tables of data
// types on each interface's page, for Atlas A2).

#include <algorithm>
#include <initializer_list>

#include "base/dtype.h"
#include "npu/execute.h"
#include "npu/vector/sort.h"

namespace belay::npu {
namespace {

using abi::DType;
using abi::Op;

constexpr uint32_t Bit(DType dtype) {
  return uint32_t{1} << static_cast<int>(dtype);
}

constexpr uint32_t SetOf(std::initializer_list<DType> dtypes) {
  uint32_t set = 0;
  for (const DType dtype : dtypes) set |= Bit(dtype);
  return set;
}

constexpr uint32_t kFloats = SetOf({DType::kHalf, DType::kFloat});
constexpr uint32_t kArithmetic =
    SetOf({DType::kInt16, DType::kHalf, DType::kInt32, DType::kFloat});
constexpr uint32_t kRelus = SetOf({DType::kHalf, DType::kInt32, DType::kFloat});
constexpr uint32_t kFusedRelus =
    SetOf({DType::kInt16, DType::kHalf, DType::kFloat});
constexpr uint32_t kBits16 = SetOf({DType::kInt16, DType::kUint16});
constexpr uint32_t kShifts =
    SetOf({DType::kInt16, DType::kUint16, DType::kInt32, DType::kUint32});
constexpr uint32_t kMoves =
    SetOf({DType::kInt16, DType::kUint16, DType::kHalf, DType::kBfloat16,
           DType::kInt32, DType::kUint32, DType::kFloat});

// Types of the data an operation computes on.
uint32_t DataTypes(Op op) {
  switch (op) {
    case Op::kAbs:
    case Op::kExp:
    case Op::kLn:
    case Op::kReciprocal:
    case Op::kRsqrt:
    case Op::kSqrt:
    case Op::kDiv:
    case Op::kAxpy:
    case Op::kLeakyRelu:
    case Op::kCompareToMask:
    case Op::kSelect:
    case Op::kReduceMax:
    case Op::kReduceMin:
    case Op::kReduceSum:
    case Op::kBlockReduceMax:
    case Op::kBlockReduceMin:
    case Op::kBlockReduceSum:
    case Op::kPairReduceSum:
    case Op::kWholeReduceMax:
    case Op::kWholeReduceMin:
    case Op::kWholeReduceSum:
      return kFloats;
    case Op::kRelu:
    case Op::kCompare:
    case Op::kCompareScalar:
      return kRelus;
    case Op::kAddRelu:
    case Op::kSubRelu:
      return kFusedRelus;
    case Op::kAdd:
    case Op::kMax:
    case Op::kMin:
    case Op::kMul:
    case Op::kSub:
    case Op::kAdds:
    case Op::kMaxs:
    case Op::kMins:
    case Op::kMuls:
      return kArithmetic;
    case Op::kAnd:
    case Op::kNot:
    case Op::kOr:
      return kBits16;
    case Op::kShiftLeft:
    case Op::kShiftRight:
      return kShifts;
    case Op::kDuplicate:
    case Op::kGather:
    case Op::kBrcb:
    case Op::kCopy:
    case Op::kGatherMask:
      return kMoves;
    case Op::kFusedMulAdd:
    case Op::kFusedMulAddRelu:
    case Op::kMulAddDst:
    case Op::kSort32:
    case Op::kMrgSort:
      return kFloats;
    case Op::kCreateVecIndex:
      return kArithmetic;
    case Op::kGatherb:
      return SetOf({DType::kUint16, DType::kUint32});
    case Op::kTranspose:
      return SetOf({DType::kInt16, DType::kUint16, DType::kHalf});
    case Op::kTransDataTo5HD:
      return SetOf({DType::kInt8, DType::kUint8, DType::kInt16, DType::kUint16,
                    DType::kHalf, DType::kInt32, DType::kUint32,
                    DType::kFloat});
    default:
      return 0;
  }
}

constexpr uint32_t ModeBit(abi::Round mode) {
  return uint32_t{1} << static_cast<int>(mode);
}

// CAST_NONE; CAST_RINT, FLOOR, CEIL, ROUND, TRUNC; CAST_ODD.
constexpr uint32_t kN = ModeBit(abi::Round::kNone);
constexpr uint32_t kRFCAZ =
    ModeBit(abi::Round::kRint) | ModeBit(abi::Round::kFloor) |
    ModeBit(abi::Round::kCeil) | ModeBit(abi::Round::kRound) |
    ModeBit(abi::Round::kTrunc);
constexpr uint32_t kO = ModeBit(abi::Round::kOdd);
constexpr uint32_t kAnyMode = ~uint32_t{0};

struct CastPair {
  DType from;
  DType to;
  uint32_t modes;
};

constexpr CastPair kCasts[] = {
    {DType::kInt4, DType::kHalf, kN},
    {DType::kInt8, DType::kHalf, kN},
    {DType::kUint8, DType::kHalf, kN},
    {DType::kInt16, DType::kHalf, kRFCAZ | kN},
    {DType::kInt16, DType::kFloat, kN},
    {DType::kHalf, DType::kInt4, kRFCAZ | kN},
    {DType::kHalf, DType::kInt8, kRFCAZ | kN},
    {DType::kHalf, DType::kUint8, kRFCAZ | kN},
    {DType::kHalf, DType::kInt16, kRFCAZ},
    // The page's example also casts half to int32 with CAST_NONE.
    {DType::kHalf, DType::kInt32, kRFCAZ | kN},
    {DType::kHalf, DType::kFloat, kN},
    {DType::kBfloat16, DType::kInt32, kRFCAZ},
    {DType::kBfloat16, DType::kFloat, kN},
    {DType::kInt32, DType::kInt16, kN},
    {DType::kInt32, DType::kHalf, kAnyMode},
    {DType::kInt32, DType::kFloat, kRFCAZ | kN},
    {DType::kInt32, DType::kInt64, kN},
    {DType::kFloat, DType::kInt16, kRFCAZ},
    {DType::kFloat, DType::kHalf, kRFCAZ | kO | kN},
    {DType::kFloat, DType::kBfloat16, kRFCAZ},
    {DType::kFloat, DType::kInt32, kRFCAZ},
    {DType::kFloat, DType::kFloat, kRFCAZ},
    {DType::kFloat, DType::kInt64, kRFCAZ},
    {DType::kInt64, DType::kInt32, kN},
    {DType::kInt64, DType::kFloat, kRFCAZ},
};

const CastPair* FindCast(const abi::Instruction& cast) {
  const auto* found = std::find_if(
      std::begin(kCasts), std::end(kCasts), [&](const CastPair& pair) {
        return pair.from == cast.src0.dtype && pair.to == cast.dst.dtype;
      });
  return found == std::end(kCasts) ? nullptr : found;
}

// Pairs of source and destination, for operations that convert.
bool IsConvertingPair(Op op, DType from, DType to) {
  const bool half_to_byte = from == DType::kHalf && to == DType::kInt8;
  const bool int32_to_half = from == DType::kInt32 && to == DType::kHalf;
  switch (op) {
    case Op::kAddDeqRelu:
      return int32_to_half;
    case Op::kAddReluCast:
    case Op::kSubReluCast:
      return half_to_byte || (from == DType::kInt16 && to == DType::kInt8) ||
             (from == DType::kFloat && to == DType::kHalf);
    case Op::kMulCast:
      return half_to_byte || (from == DType::kHalf && to == DType::kUint8);
    case Op::kCastDequant:
      return int32_to_half || (from == DType::kInt16 &&
                               (to == DType::kInt8 || to == DType::kUint8));
    case Op::kAxpy:
    case Op::kMulAddDst:
      return from == DType::kHalf && to == DType::kFloat;
    default:
      return false;
  }
}

bool IsComparison(Op op) {
  return op == Op::kCompare || op == Op::kCompareScalar ||
         op == Op::kCompareToMask;
}

}  // namespace

bool SupportsDTypes(const abi::Instruction& instruction) {
  const Op op = instruction.op;
  const DType from = instruction.src0.dtype;
  const DType to = instruction.dst.dtype;
  switch (op) {
    case Op::kCast:
      return FindCast(instruction) != nullptr;
    case Op::kGetCmpMask:
    case Op::kSetCmpMask:
      return true;
    case Op::kCompare:
    case Op::kCompareScalar:
      return (DataTypes(op) & Bit(from)) != 0 &&
             (to == DType::kUint8 || to == DType::kInt8);
    case Op::kCompareToMask:
      return (DataTypes(op) & Bit(from)) != 0;
    case Op::kCreateVecIndex:
    case Op::kDuplicate:
      return (DataTypes(op) & Bit(to)) != 0;
    default:
      break;
  }
  if (IsConvertingPair(op, from, to)) return true;
  return (DataTypes(op) & Bit(from)) != 0 && from == to;
}

bool SupportsMode(const abi::Instruction& instruction) {
  if (instruction.op == Op::kCast) {
    const CastPair* pair = FindCast(instruction);
    return pair != nullptr && instruction.mode <= 31 &&
           (pair->modes >> instruction.mode & 1) != 0;
  }
  if (IsComparison(instruction.op)) {
    const auto mode = static_cast<abi::Compare>(instruction.mode);
    return instruction.src0.dtype == DType::kInt32 ? mode == abi::Compare::kEq
                                                   : mode <= abi::Compare::kNe;
  }
  return true;
}

uint32_t LanesPerRepeat(const abi::Instruction& instruction) {
  constexpr uint32_t kRepeatBits = kRepeatBytes * 8;
  const auto bits_of = [](const abi::Operand& operand) {
    return static_cast<uint32_t>(std::max(BitsOf(operand.dtype), 1));
  };
  switch (instruction.op) {
    case Op::kBrcb:
    case Op::kGatherb:
      return kRepeatBytes / kBlockBytes;
    case Op::kSort32:
    case Op::kMrgSort:
      return kRepeatBytes / kPairBytes;
    case Op::kCreateVecIndex:
    case Op::kDuplicate:
    case Op::kGather:
    case Op::kGetCmpMask:
      return kRepeatBits / bits_of(instruction.dst);
    case Op::kCompare:
    case Op::kCompareScalar:
    case Op::kCompareToMask:
    case Op::kSetCmpMask:
      return kRepeatBits / bits_of(instruction.src0);
    default:
      return kRepeatBits /
             std::max(bits_of(instruction.dst), bits_of(instruction.src0));
  }
}

}  // namespace belay::npu
