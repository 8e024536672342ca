// SPDX-License-Identifier: Apache-2.0
// Operations of integers, element by element, by the scalar unit.
//
// Everything is computed in i64 (u64 in u64) and wraps when it is written. What
// a shift, a division or a power has to ask of its right operand is not asked
// of a number that is known.

#include <fmt/format.h>

#include <bit>
#include <optional>

#include "base/error.h"
#include "crux/select/elementwise.h"

namespace belay::crux::select {
namespace {

class ScalarWhole {
 public:
  ScalarWhole(Emitter& emitter, const ir::Stmt& stmt)
      : emitter_(emitter),
        op_(stmt.op),
        dtype_(OperandDtype(emitter, stmt)),
        wide_(dtype_ == DType::kUint64 ? DType::kUint64 : DType::kInt64) {}

  ScalarPtr Of(const std::vector<ScalarPtr>& operands) {
    std::vector<ScalarPtr> args;
    for (size_t i = 0; i < operands.size(); ++i) {
      const std::optional<int64_t> known = KnownOf(*operands[i]);
      args.push_back(i == 1 && known
                         ? Number(*known)
                         : emitter_.LetScalar(i == 0 ? "left" : "right",
                                              Converted(wide_, operands[i])));
    }
    ScalarPtr result =
        args.size() == 1 ? OfOne(args[0]) : OfTwo(args[0], args[1]);
    return Converted(dtype_, std::move(result));
  }

 private:
  ScalarPtr Number(int64_t value) const { return Whole(wide_, value); }
  ScalarPtr Run(const char* op, ScalarPtr a, ScalarPtr b) const {
    return Binary(wide_, op, std::move(a), std::move(b));
  }
  ScalarPtr IsNegative(const ScalarPtr& a) const {
    return Run("<", a, Number(0));
  }

  // A choice between numbers, which has their type only under a name: in
  // compiled text they are of type int.
  ScalarPtr OfNumbers(const char* name, ScalarPtr choice) {
    return emitter_.LetScalar(name, std::move(choice));
  }

  ScalarPtr OfOne(const ScalarPtr& a) {
    const bool has_sign = IsSigned(dtype_);
    const ScalarPtr negative = Run("-", Number(0), a);
    const ScalarPtr positive =
        Choose(Run("==", a, Number(0)), Number(0), Number(1));
    switch (op_) {
      case Op::kNegate:
        return negative;
      case Op::kAbs:
        return has_sign ? Choose(IsNegative(a), negative, a) : a;
      case Op::kSign:
        return OfNumbers(
            "sign",
            has_sign ? Choose(IsNegative(a), Number(-1), positive) : positive);
      case Op::kBitNot:
        return Unary("~", a);
      default:
        throw Missing();
    }
  }

  ScalarPtr OfTwo(const ScalarPtr& a, const ScalarPtr& b) {
    switch (op_) {
      case Op::kAdd:
        return Run("+", a, b);
      case Op::kSub:
        return Run("-", a, b);
      case Op::kMul:
        return Run("*", a, b);
      case Op::kMaximum:
        return Choose(Run("<", a, b), b, a);
      case Op::kMinimum:
        return Choose(Run("<", b, a), b, a);
      case Op::kBitAnd:
        return Run("&", a, b);
      case Op::kBitOr:
        return Run("|", a, b);
      case Op::kBitXor:
        return Run("^", a, b);
      case Op::kShiftLeft:
      case Op::kShiftRight:
        return Shift(a, b);
      case Op::kFloorDiv:
      case Op::kMod:
        return Divide(a, b);
      case Op::kPow:
        return Power(a, b);
      default:
        throw Missing();
    }
  }

  ScalarPtr Shift(const ScalarPtr& a, const ScalarPtr& by) {
    const bool left = op_ == Op::kShiftLeft;
    const ScalarPtr gone = !left && IsSigned(dtype_)
                               ? Choose(IsNegative(a), Number(-1), Number(0))
                               : Number(0);
    if (const std::optional<int64_t> known = KnownOf(*by)) {
      const bool inside = 0 <= *known && *known < BitsOf(dtype_);
      return inside ? Run(left ? "<<" : ">>", a, by) : OfNumbers("sign", gone);
    }
    const ScalarPtr width = Number(BitsOf(dtype_));
    ScalarPtr inside = Run("<", by, width);
    if (wide_ == DType::kInt64) {
      inside = Binary(DType::kBool, "&&", Run("<=", Number(0), by), inside);
    }
    const ScalarPtr distance = Choose(inside, by, Number(0));
    const ScalarPtr shifted = Run(left ? "<<" : ">>", a, distance);
    return Choose(inside, shifted, gone);
  }

  void Fault(const ScalarPtr& condition, const char* text) {
    const Int wrong = emitter_.LetInt(
        "wrong",
        Choose(condition, Whole(DType::kInt64, 1), Whole(DType::kInt64, 0)));
    emitter_.If(wrong, [&] {
      code::Stmt fault;
      fault.kind = code::StmtKind::kFault;
      fault.text = text;
      emitter_.Append(std::move(fault));
    });
  }

  // Rounded down. The scalar unit cuts off, and the lowest i64 has no quotient
  // by -1.
  ScalarPtr Divide(const ScalarPtr& a, ScalarPtr b) {
    if (const std::optional<int64_t> known = KnownOf(*b)) {
      if (*known != 0) return DivideByKnown(a, *known);
      b = emitter_.LetScalar("right", b);
    }
    Fault(Run("==", b, Number(0)), "an integer is divided by zero");
    const bool quotient = op_ == Op::kFloorDiv;
    if (!IsSigned(dtype_)) return Run(quotient ? "/" : "%", a, b);
    const bool overflows = dtype_ == DType::kInt64;
    const auto named = [&](const char* name, ScalarPtr value) {
      return overflows ? value : emitter_.LetScalar(name, value);
    };
    const ScalarPtr rest = named("rest", Run("%", a, b));
    const ScalarPtr other_sign =
        Binary(DType::kBool, "&&", Run("!=", rest, Number(0)),
               Run("<", Run("^", rest, b), Number(0)));
    ScalarPtr result;
    if (quotient) {
      const ScalarPtr cut = named("cut", Run("/", a, b));
      result = Choose(other_sign, Run("-", cut, Number(1)), cut);
    } else {
      result = Choose(other_sign, Run("+", rest, b), rest);
    }
    if (!overflows) return result;
    return Choose(Run("==", b, Number(-1)),
                  quotient ? Run("-", Number(0), a) : Number(0), result);
  }

  ScalarPtr DivideByKnown(const ScalarPtr& a, int64_t by) {
    const bool quotient = op_ == Op::kFloorDiv;
    if (by == -1) return quotient ? Run("-", Number(0), a) : Number(0);
    const auto distance = static_cast<uint64_t>(by);
    if (by > 0 && std::has_single_bit(distance)) {
      return quotient ? Run(">>", a, Number(std::countr_zero(distance)))
                      : Run("&", a, Number(by - 1));
    }
    if (!IsSigned(dtype_)) return Run(quotient ? "/" : "%", a, Number(by));
    const ScalarPtr rest = emitter_.LetScalar("rest", Run("%", a, Number(by)));
    const ScalarPtr other_sign =
        by > 0 ? IsNegative(rest) : Run("<", Number(0), rest);
    if (!quotient) {
      return Choose(other_sign, Run("+", rest, Number(by)), rest);
    }
    const ScalarPtr cut = emitter_.LetScalar("cut", Run("/", a, Number(by)));
    return Choose(other_sign, Run("-", cut, Number(1)), cut);
  }

  // By squaring.
  ScalarPtr Power(const ScalarPtr& base, const ScalarPtr& exponent) {
    if (const std::optional<int64_t> known = KnownOf(*exponent);
        known && *known >= 0) {
      return PowerOfKnown(base, *known);
    }
    if (IsSigned(dtype_)) {
      Fault(IsNegative(exponent), "an integer is raised to a negative power");
    }
    // Bit by bit of the exponent; each step has variables of its own.
    ScalarPtr result = Number(1);
    ScalarPtr square = base;
    for (int bit = 0; bit < BitsOf(dtype_); ++bit) {
      const ScalarPtr set =
          Run("!=", Run("&", Run(">>", exponent, Number(bit)), Number(1)),
              Number(0));
      result = emitter_.LetScalar(
          "power", Choose(set, Run("*", result, square), result));
      if (bit + 1 < BitsOf(dtype_)) {
        square = emitter_.LetScalar("square", Run("*", square, square));
      }
    }
    return result;
  }

  ScalarPtr PowerOfKnown(const ScalarPtr& base, int64_t exponent) {
    ScalarPtr result;
    ScalarPtr square = base;
    for (auto bits = static_cast<uint64_t>(exponent); bits != 0; bits >>= 1) {
      if (bits % 2 != 0) {
        result = result == nullptr
                     ? square
                     : emitter_.LetScalar("power", Run("*", result, square));
      }
      if (bits > 1) {
        square = emitter_.LetScalar("square", Run("*", square, square));
      }
    }
    return result == nullptr ? Number(1) : result;
  }

  // The number that an operand is known to be.
  std::optional<int64_t> KnownOf(const code::Scalar& operand) const {
    if (operand.kind != code::ScalarKind::kInt ||
        !operand.integer.is_constant()) {
      return std::nullopt;
    }
    const int64_t value = operand.integer.value();
    const bool has_sign = IsSigned(dtype_);
    if (!has_sign && value < 0) return std::nullopt;
    if (BitsOf(dtype_) == 64) return value;
    const int64_t end = int64_t{1} << (BitsOf(dtype_) - (has_sign ? 1 : 0));
    if (value >= end || value < -end) return std::nullopt;
    return value;
  }

  InternalError Missing() const {
    return InternalError(
        fmt::format("[crux] {} of integers is not selected", InfoOf(op_).id));
  }

  Emitter& emitter_;
  Op op_;
  DType dtype_;
  DType wide_;
};

}  // namespace

void SelectWholeByScalars(Emitter& emitter, const ir::Stmt& stmt) {
  ScalarWhole scalars(emitter, stmt);
  ByScalars(emitter, stmt, [&](const std::vector<ScalarPtr>& operands) {
    return scalars.Of(operands);
  });
}

}  // namespace belay::crux::select
