// SPDX-License-Identifier: Apache-2.0
// Comparisons and where. The vector unit compares to bits, one for each lane,
// and chooses by them.

#include <fmt/format.h>

#include <limits>
#include <optional>
#include <utility>

#include "base/error.h"
#include "crux/select/elementwise.h"
#include "crux/select/where_rows.h"

namespace belay::crux::select {
namespace {

using ir::Number;

// b op a where a op' b.
Op Turned(Op op) {
  switch (op) {
    case Op::kLess:
      return Op::kGreater;
    case Op::kLessEqual:
      return Op::kGreaterEqual;
    case Op::kGreater:
      return Op::kLess;
    case Op::kGreaterEqual:
      return Op::kLessEqual;
    default:
      return op;
  }
}

DType DtypeOfEither(const Emitter& emitter, const ir::Operand& a,
                    const ir::Operand& b) {
  const int* tile = std::get_if<int>(&a);
  if (tile == nullptr) tile = std::get_if<int>(&b);
  if (tile == nullptr) throw InternalError("[crux] two numbers are compared");
  return emitter.DtypeOf(*tile);
}

// f16 and f32, by the instruction. A scalar stands on the right.
void CompareFloats(Emitter& emitter, const Local& bits, Op op, const Lane& a,
                   const Lane& b, const std::vector<ir::Dim>& dims) {
  const Lane left = Dense(emitter, a, dims);
  const Lane right = Dense(emitter, b, dims);
  const DType dtype = emitter.DtypeOf(left.place);
  emitter.Call("Compare", {bits, left.place, right.place, Word{ModeOf(op)},
                           WholeRepeats(CountOf(emitter, left), dtype)});
}

void CompareWithScalar(Emitter& emitter, const Local& bits, Op op,
                       const Lane& a, ScalarPtr scalar,
                       const std::vector<ir::Dim>& dims) {
  const Lane left = Dense(emitter, a, dims);
  const DType dtype = emitter.DtypeOf(left.place);
  emitter.Call("CompareScalar",
               {bits, left.place, std::move(scalar), Word{ModeOf(op)},
                WholeRepeats(CountOf(emitter, left), dtype)});
}

// Integers that a float type holds exactly, as that.
Lane AsFloats(Emitter& emitter, const Lane& lane, DType floating) {
  const Lane copy = ScratchLike(emitter, lane.dims, floating, "as_float");
  ConvertLanes(emitter, copy, lane, std::nullopt);
  return copy;
}

// The chip compares i32 for equality only: a <= b where max(a, b) is b.
bool CompareWords(Emitter& emitter, const Local& bits, Op op,
                  const ir::Operand& a, const ir::Operand& b, DType dtype,
                  const std::vector<ir::Dim>& dims) {
  const bool swap = op == Op::kGreater || op == Op::kLessEqual;
  // a < b: not a >= b; a > b: not b >= a.
  const ir::Operand& first = swap ? b : a;
  const ir::Operand& second = swap ? a : b;
  const bool equality = op == Op::kEqual || op == Op::kNotEqual;
  const bool ordered_unsigned = !equality && dtype == DType::kUint32;
  const auto lane = [&](const ir::Operand& operand) {
    Lane words = Dense(
        emitter,
        ViewAs(emitter, LaneOfOperand(emitter, operand, dtype), DType::kInt32),
        dims);
    if (!ordered_unsigned) return words;
    const Lane moved = ScratchLike(emitter, dims, DType::kInt32, "ordered");
    VectorScalar(emitter, "Adds", moved, words,
                 Whole(DType::kInt32, std::numeric_limits<int32_t>::min()));
    return moved;
  };
  const Lane left = lane(first);
  const Int whole = WholeRepeats(CountOf(emitter, left), DType::kInt32);
  if (equality) {
    const auto* number = std::get_if<Number>(&second);
    if (number != nullptr) {
      emitter.Call("CompareScalar",
                   {bits, left.place, ScalarOf(*number, DType::kInt32),
                    Word{"CMPMODE::EQ"}, whole});
    } else {
      emitter.Call("Compare", {bits, left.place, lane(second).place,
                               Word{"CMPMODE::EQ"}, whole});
    }
    return op == Op::kNotEqual;
  }
  const Lane larger = ScratchLike(emitter, dims, DType::kInt32, "larger");
  VectorBinary(emitter, "Max", larger, left, lane(second));
  emitter.Call("Compare",
               {bits, larger.place, left.place, Word{"CMPMODE::EQ"}, whole});
  return op == Op::kLess || op == Op::kGreater;
}

bool Holds64(DType dtype) { return BytesOf(dtype) == 8; }

// Element by element, for 64 bits.
void CompareByScalars(Emitter& emitter, const ir::Stmt& stmt) {
  const DType dtype = OperandDtype(emitter, stmt);
  ByScalars(emitter, stmt, [&](const std::vector<ScalarPtr>& operands) {
    const ScalarPtr& a = operands[0];
    const ScalarPtr& b = operands[1];
    ScalarPtr holds;
    switch (stmt.op) {
      case Op::kLess:
        holds = Binary(dtype, "<", a, b);
        break;
      case Op::kLessEqual:
        holds = Binary(dtype, "<=", a, b);
        break;
      case Op::kGreater:
        holds = Binary(dtype, "<", b, a);
        break;
      case Op::kGreaterEqual:
        holds = Binary(dtype, "<=", b, a);
        break;
      case Op::kEqual:
        holds = Binary(dtype, "==", a, b);
        break;
      default:
        holds = Binary(dtype, "!=", a, b);
        break;
    }
    return Choose(holds, Real(DType::kHalf, 1), Real(DType::kHalf, 0));
  });
}

// One source of where as lanes of 16 or 32 bits under a floating name.
Lane Choice(Emitter& emitter, const ir::Operand& operand, DType dtype,
            DType view, const std::vector<ir::Dim>& dims) {
  const Lane lane =
      Dense(emitter, LaneOfOperand(emitter, operand, dtype), dims);
  return ViewAs(emitter, lane, view);
}

// The number as a scalar of `view` with the bits that it has in `dtype`.
ScalarPtr ChoiceScalar(const Number& number, DType dtype, DType view) {
  const ScalarPtr scalar = ScalarOf(number, dtype);
  if (dtype == view) return scalar;
  return nullptr;
}

// dst = bits ? a : b, lanes of 16 or 32 bits; `contrary`: the other way round.
void ChooseWords(Emitter& emitter, const Local& bits, bool contrary,
                 const ir::Operand& a, const ir::Operand& b, const Lane& dst) {
  const DType dtype = emitter.DtypeOf(dst.place);
  const DType view = BytesOf(dtype) == 2 ? DType::kHalf : DType::kFloat;
  const Int count = CountOf(emitter, dst);
  const Lane to = ViewAs(emitter, dst, view);
  const ir::Operand* first = contrary ? &b : &a;
  const ir::Operand* second = contrary ? &a : &b;
  const auto scalar_of = [&](const ir::Operand& operand) -> ScalarPtr {
    const auto* number = std::get_if<Number>(&operand);
    return number == nullptr ? nullptr : ChoiceScalar(*number, dtype, view);
  };
  if (scalar_of(*first) != nullptr && scalar_of(*second) == nullptr) {
    // The scalar must stand on the right.
    const Int words = CeilDiv(WholeRepeats(count, view), 16);
    const Local words_of_bits = emitter.Cast(bits, DType::kUint16, "bit_words");
    emitter.Call("Not", {words_of_bits, words_of_bits, words});
    std::swap(first, second);
  }
  const Lane left = Choice(emitter, *first, dtype, view, dst.dims);
  if (const ScalarPtr scalar = scalar_of(*second)) {
    emitter.Call("Select", {to.place, bits, left.place, scalar,
                            Word{"SELMODE::VSEL_TENSOR_SCALAR_MODE"}, count});
    return;
  }
  const Lane right = Choice(emitter, *second, dtype, view, dst.dims);
  emitter.Call("Select", {to.place, bits, left.place, right.place,
                          Word{"SELMODE::VSEL_TENSOR_TENSOR_MODE"}, count});
}

// Bytes are chosen as halves.
void ChooseBytes(Emitter& emitter, const Local& bits, bool contrary,
                 const ir::Operand& a, const ir::Operand& b, const Lane& dst) {
  const auto halves = [&](const ir::Operand& operand) {
    if (const auto* number = std::get_if<Number>(&operand)) {
      return Dense(
          emitter,
          FilledWith(emitter, DType::kHalf, ScalarOf(*number, DType::kHalf)),
          dst.dims);
    }
    const Lane bytes = LaneOf(emitter, std::get<int>(operand));
    const Lane copy = ScratchLike(emitter, bytes.dims, DType::kHalf, "as_half");
    ConvertLanes(emitter, copy, bytes, std::nullopt);
    return Dense(emitter, copy, dst.dims);
  };
  const Lane first = halves(contrary ? b : a);
  const Lane second = halves(contrary ? a : b);
  const Lane chosen = ScratchLike(emitter, dst.dims, DType::kHalf, "chosen");
  emitter.Call("Select", {chosen.place, bits, first.place, second.place,
                          Word{"SELMODE::VSEL_TENSOR_TENSOR_MODE"},
                          CountOf(emitter, dst)});
  ConvertLanes(emitter, dst, chosen, std::nullopt);
}

}  // namespace

std::string ModeOf(Op op) {
  switch (op) {
    case Op::kLess:
      return "CMPMODE::LT";
    case Op::kLessEqual:
      return "CMPMODE::LE";
    case Op::kGreater:
      return "CMPMODE::GT";
    case Op::kGreaterEqual:
      return "CMPMODE::GE";
    case Op::kEqual:
      return "CMPMODE::EQ";
    default:
      throw InternalError(
          fmt::format("[crux] {} compares nothing", InfoOf(op).id));
  }
}

Local NewBits(Emitter& emitter, const Lane& lanes) {
  const Int elements = LayoutOf(lanes.dims, emitter.padding()).elements;
  return emitter.Scratch(DType::kUint8, CeilDiv(AlignUp(elements, 256), 8),
                         "bits");
}

bool CompareLanes(Emitter& emitter, const Local& bits, Op op,
                  const ir::Operand& a, const ir::Operand& b,
                  const std::vector<ir::Dim>& dims) {
  const DType dtype = DtypeOfEither(emitter, a, b);
  if (BytesOf(dtype) == 4 && !IsFloating(dtype)) {
    return CompareWords(emitter, bits, op, a, b, dtype, dims);
  }
  // Bytes are exact in f16, 16-bit integers in f32.
  const DType floating = IsFloating(dtype)     ? dtype
                         : BytesOf(dtype) == 1 ? DType::kHalf
                                               : DType::kFloat;
  const auto lane = [&](const ir::Operand& operand) {
    const Lane own = LaneOf(emitter, std::get<int>(operand));
    return dtype == floating ? own : AsFloats(emitter, own, floating);
  };
  // The chip finds NaN and a number neither equal nor not equal.
  const bool contrary = op == Op::kNotEqual;
  if (contrary) op = Op::kEqual;
  if (const auto* number = std::get_if<Number>(&b)) {
    CompareWithScalar(emitter, bits, op, lane(a), ScalarOf(*number, floating),
                      dims);
  } else if (const auto* left = std::get_if<Number>(&a)) {
    CompareWithScalar(emitter, bits, Turned(op), lane(b),
                      ScalarOf(*left, floating), dims);
  } else {
    CompareFloats(emitter, bits, op, lane(a), lane(b), dims);
  }
  return contrary;
}

void SelectCompare(Emitter& emitter, const ir::Stmt& stmt) {
  if (Holds64(OperandDtype(emitter, stmt))) {
    return CompareByScalars(emitter, stmt);
  }
  const Lane dst = LaneOf(emitter, stmt.results[0]);
  const Int count = CountOf(emitter, dst);
  const Local bits = NewBits(emitter, dst);
  const bool contrary = CompareLanes(emitter, bits, stmt.op, stmt.operands[0],
                                     stmt.operands[1], dst.dims);
  emitter.Call("Duplicate",
               {dst.place, Real(DType::kHalf, contrary ? 0 : 1), count});
  emitter.Call("Select", {dst.place, bits, dst.place,
                          Real(DType::kHalf, contrary ? 1 : 0),
                          Word{"SELMODE::VSEL_TENSOR_SCALAR_MODE"}, count});
}

void SelectWhere(Emitter& emitter, const ir::Stmt& stmt) {
  const Lane dst = LaneOf(emitter, stmt.results[0]);
  const DType dtype = emitter.DtypeOf(dst.place);
  if (Holds64(dtype)) {
    return ByScalars(emitter, stmt, [&](const std::vector<ScalarPtr>& all) {
      // Numbers have the dtype of the condition there.
      std::vector<ScalarPtr> values = {all[1], all[2]};
      for (size_t i = 0; i < 2; ++i) {
        if (const auto* number = std::get_if<Number>(&stmt.operands[i + 1])) {
          values[i] = ScalarOf(*number, dtype);
        }
      }
      return Choose(Binary(DType::kFloat, "!=", all[0], Real(DType::kFloat, 0)),
                    values[0], values[1]);
    });
  }
  if (stmt.compare && ChoosesByRows(emitter, stmt)) {
    return ChooseByRows(emitter, stmt);
  }
  const Local bits = NewBits(emitter, dst);
  size_t values = 1;
  bool contrary = false;
  if (stmt.compare) {
    contrary = CompareLanes(emitter, bits, *stmt.compare, stmt.operands[0],
                            stmt.operands[1], dst.dims);
    values = 2;
  } else {
    // A condition is 0 or 1.
    contrary = CompareLanes(emitter, bits, Op::kGreater, stmt.operands[0],
                            Number(), dst.dims);
  }
  const ir::Operand& a = stmt.operands[values];
  const ir::Operand& b = stmt.operands[values + 1];
  if (BytesOf(dtype) == 1) {
    return ChooseBytes(emitter, bits, contrary, a, b, dst);
  }
  ChooseWords(emitter, bits, contrary, a, b, dst);
}

}  // namespace belay::crux::select
