// SPDX-License-Identifier: Apache-2.0
#include "crux/print/scalar_text.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <map>
#include <string_view>

#include "base/error.h"

namespace belay::crux::print {
namespace {

using code::Scalar;
using code::ScalarKind;

struct ScalarPiece {
  std::string text;
  int binds = precedence::kPrimary;
};

bool IsHalf(DType dtype) {
  return dtype == DType::kHalf || dtype == DType::kBfloat16;
}

// Of computation: 16-bit floats are computed in float.
DType ComputedIn(DType dtype) { return IsHalf(dtype) ? DType::kFloat : dtype; }

bool IsInteger(DType dtype) {
  return !IsFloating(dtype) && dtype != DType::kBool;
}

bool IsUnsigned(DType dtype) { return IsInteger(dtype) && !IsSigned(dtype); }

std::string ValueType(DType dtype) {
  return dtype == DType::kBool ? "bool" : TypeName(dtype);
}

// The unsigned type an integer is computed in: never narrower than int.
std::string_view WrappingType(DType dtype) {
  return BitsOf(dtype) == 64 ? "uint64_t" : "uint32_t";
}

int BindingOf(std::string_view op) {
  static const std::map<std::string_view, int> kBindings = {
      {"+", precedence::kSum},       {"-", precedence::kSum},
      {"*", precedence::kProduct},   {"/", precedence::kProduct},
      {"%", precedence::kProduct},   {"&", precedence::kBitAnd},
      {"|", precedence::kBitOr},     {"^", precedence::kBitXor},
      {"<<", precedence::kShift},    {">>", precedence::kShift},
      {"<", precedence::kRelation},  {"<=", precedence::kRelation},
      {">", precedence::kRelation},  {">=", precedence::kRelation},
      {"==", precedence::kEquality}, {"!=", precedence::kEquality},
      {"&&", precedence::kAnd},      {"||", precedence::kOr},
  };
  const auto found = kBindings.find(op);
  if (found == kBindings.end()) {
    throw InternalError(fmt::format("[crux] no C++ operator '{}'", op));
  }
  return found->second;
}

std::string StaticCast(std::string_view type, std::string_view text) {
  return fmt::format("static_cast<{}>({})", type, text);
}

class ScalarWriter {
 public:
  explicit ScalarWriter(const ScalarContext& context) : context_(context) {}

  std::string In(const Scalar& scalar, int least) {
    const ScalarPiece piece = Of(scalar);
    return piece.binds < least ? "(" + piece.text + ")" : piece.text;
  }

  ScalarPiece Of(const Scalar& scalar) {
    switch (scalar.kind) {
      case ScalarKind::kReal:
        return Real(scalar);
      case ScalarKind::kHost:
        return {context_.host_real(scalar.name)};
      case ScalarKind::kInt:
        return Whole(scalar);
      case ScalarKind::kVariable:
        return {context_.variable(scalar.name)};
      case ScalarKind::kElement:
        return Read(context_.local({scalar.local.name, 0}), scalar.local.offset,
                    context_.dtype_of_local(scalar.local.name));
      case ScalarKind::kGlobal:
        return Read(context_.global({scalar.global.name, 0}),
                    scalar.global.offset,
                    context_.dtype_of_global(scalar.global.name));
      case ScalarKind::kUnary:
        return Unary(scalar);
      case ScalarKind::kBinary:
        return Binary(scalar);
      case ScalarKind::kSelect:
        return {fmt::format("{} ? {} : {}",
                            In(*scalar.args[0], precedence::kConditional + 1),
                            In(*scalar.args[1], precedence::kConditional),
                            In(*scalar.args[2], precedence::kConditional)),
                precedence::kConditional};
      case ScalarKind::kCast:
        return Cast(*scalar.args[0], scalar.dtype);
      case ScalarKind::kBits:
        context_.integers->helpers->insert(Helper::kBitCast);
        return {fmt::format("BitCast<{}>({})", TypeName(scalar.dtype),
                            Of(*scalar.args[0]).text)};
    }
    throw InternalError("[crux] a scalar that cannot be printed");
  }

 private:
  ScalarPiece Real(const Scalar& scalar) {
    if (!IsFloating(scalar.dtype)) {
      return {fmt::format("{}", static_cast<int64_t>(scalar.real))};
    }
    std::string text = FloatText(scalar.real, *context_.integers);
    const bool negative = text.starts_with('-');
    return {std::move(text),
            negative ? precedence::kUnary : precedence::kPrimary};
  }

  ScalarPiece Whole(const Scalar& scalar) {
    std::string text = print::TextOf(scalar.integer, *context_.integers, 0);
    if (IsFloating(scalar.dtype)) {
      if (scalar.integer.is_constant()) {
        Scalar real = scalar;
        real.real = static_cast<double>(scalar.integer.value());
        return Real(real);
      }
      return {StaticCast("float", text)};
    }
    if (scalar.integer.is_constant()) {
      if (scalar.dtype == DType::kUint64 && scalar.integer.value() < 0) {
        return {
            fmt::format("{}u", static_cast<uint64_t>(scalar.integer.value()))};
      }
      // The lowest number has no literal: without its sign it is one too many.
      const int64_t value = scalar.integer.value();
      if (value == std::numeric_limits<int32_t>::min() ||
          value == std::numeric_limits<int64_t>::min()) {
        return {fmt::format("{} - 1", value + 1), precedence::kSum};
      }
      const bool negative = text.starts_with('-');
      return {std::move(text),
              negative ? precedence::kUnary : precedence::kPrimary};
    }
    if (scalar.dtype != DType::kInt64) {
      return {StaticCast(ValueType(scalar.dtype), text)};
    }
    return {print::TextOf(scalar.integer, *context_.integers,
                          precedence::kPrimary)};
  }

  ScalarPiece Read(const std::string& tensor, const ir::Int& offset,
                   DType dtype) {
    std::string text = fmt::format("{}.GetValue({})", tensor,
                                   print::TextOf(offset, *context_.integers));
    if (dtype == DType::kHalf) return {StaticCast("float", text)};
    if (dtype == DType::kBfloat16) {
      return {fmt::format("ToFloat({})", text)};
    }
    return {std::move(text)};
  }

  ScalarPiece Unary(const Scalar& scalar) {
    const Scalar& operand = *scalar.args[0];
    if (scalar.op == "-" && IsInteger(scalar.dtype)) {
      return {StaticCast(
          TypeName(scalar.dtype),
          "0 - " + StaticCast(WrappingType(scalar.dtype), Of(operand).text))};
    }
    const std::string text = scalar.op + In(operand, precedence::kPrimary);
    if (scalar.op == "~" && BitsOf(scalar.dtype) < 32) {
      return {StaticCast(TypeName(scalar.dtype), text)};
    }
    return {text, precedence::kUnary};
  }

  ScalarPiece Binary(const Scalar& scalar) {
    const std::string& op = scalar.op;
    const Scalar& a = *scalar.args[0];
    const Scalar& b = *scalar.args[1];
    const int binds = BindingOf(op);
    const bool wraps = op == "+" || op == "-" || op == "*" || op == "<<";
    if (wraps && IsInteger(scalar.dtype)) {
      const std::string_view wide = WrappingType(scalar.dtype);
      const std::string right =
          op == "<<" ? In(b, binds + 1) : StaticCast(wide, Of(b).text);
      const std::string text =
          fmt::format("{} {} {}", StaticCast(wide, Of(a).text), op, right);
      if (TypeName(scalar.dtype) == wide) return {text, binds};
      return {StaticCast(TypeName(scalar.dtype), text)};
    }
    if (op == ">>" && a.kind == ScalarKind::kInt && a.integer.is_constant()) {
      // A literal would be shifted as an int.
      return {fmt::format("{} >> {}",
                          StaticCast(TypeName(scalar.dtype), Of(a).text),
                          In(b, binds + 1)),
              binds};
    }
    // clang warns where these are mixed without parentheses.
    const bool mixes = binds <= precedence::kShift &&
                       binds != precedence::kEquality &&
                       binds != precedence::kRelation;
    const auto side = [&](const Scalar& operand, int least) {
      const bool same = operand.kind == ScalarKind::kBinary && operand.op == op;
      return In(operand, mixes && !same ? precedence::kUnary : least);
    };
    return {fmt::format("{} {} {}", side(a, binds), op, side(b, binds + 1)),
            binds};
  }

  ScalarPiece Cast(const Scalar& operand, DType to) {
    const DType from = ComputedIn(operand.dtype);
    if (from == to) return Of(operand);
    const std::string text = Of(operand).text;
    if (to == DType::kHalf) {
      return {StaticCast("float", StaticCast("half", text))};
    }
    if (to == DType::kBfloat16) {
      return {fmt::format("ToFloat(ToBfloat16({}))", text)};
    }
    if (to == DType::kBool) {
      return {In(operand, precedence::kEquality + 1) + " != 0",
              precedence::kEquality};
    }
    if (from == DType::kBool && IsFloating(to)) {
      return {In(operand, precedence::kConditional + 1) + " ? 1.0f : 0.0f",
              precedence::kConditional};
    }
    if (IsFloating(from) && IsUnsigned(to)) {
      if (to == DType::kUint64) {
        context_.integers->helpers->insert(Helper::kToUnsigned);
        return {fmt::format("ToUnsigned({})", text)};
      }
      return {StaticCast(TypeName(to), StaticCast("int64_t", text))};
    }
    if (IsUnsigned(from) && IsFloating(to)) {
      if (from == DType::kUint64) {
        context_.integers->helpers->insert(Helper::kFromUnsigned);
        return {fmt::format("FromUnsigned({})", text)};
      }
      return {StaticCast("float", StaticCast("int64_t", text))};
    }
    return {StaticCast(TypeName(to), text)};
  }

  const ScalarContext& context_;
};

}  // namespace

std::string TypeName(DType dtype) {
  if (dtype == DType::kBool) return "uint8_t";
  return std::string(AscendNameOf(dtype));
}

std::string FloatText(double value, const IntegerContext& context) {
  const float number = static_cast<float>(value);
  if (std::isnan(number)) {
    context.helpers->insert(Helper::kNaN);
    return "kNaN";
  }
  if (std::isinf(number)) {
    context.helpers->insert(Helper::kInfinity);
    return number < 0 ? "-kInfinity" : "kInfinity";
  }
  std::string text = fmt::format("{}", number);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

std::string TextOf(const Scalar& scalar, const ScalarContext& context,
                   int least) {
  return ScalarWriter(context).In(scalar, least);
}

std::string ArgumentOf(const Scalar& scalar, DType dtype,
                       const ScalarContext& context) {
  if (IsInteger(dtype) && scalar.kind == ScalarKind::kReal) {
    Scalar whole = scalar;
    whole.dtype = dtype;
    return StaticCast(TypeName(dtype), TextOf(whole, context));
  }
  const std::string text = TextOf(scalar, context);
  if (dtype == DType::kBfloat16) {
    return fmt::format("ToBfloat16({})", text);
  }
  const bool literal_int = scalar.kind == ScalarKind::kInt &&
                           scalar.integer.is_constant() &&
                           IsInteger(scalar.dtype);
  const bool has_type = literal_int
                            ? dtype == DType::kInt32
                            : ComputedIn(scalar.dtype) == dtype &&
                                  (scalar.kind != ScalarKind::kBinary ||
                                   IsFloating(dtype) || BitsOf(dtype) >= 32);
  return has_type ? text : StaticCast(TypeName(dtype), text);
}

}  // namespace belay::crux::print
