// SPDX-License-Identifier: Apache-2.0
#include "crux/print/host_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "crux/print/names.h"
#include "crux/print_typed.h"

namespace belay::crux::print {
namespace {

using typed::Expr;
using typed::ExprKind;
using typed::Parameter;
using typed::ParameterDim;
using typed::ParameterRole;

bool IsInteger(const Expr& expr) {
  return expr.type.kind == TypeKind::kHostInt ||
         expr.type.kind == TypeKind::kHostBool ||
         expr.type.kind == TypeKind::kIndex;
}

// What std:: calls the operation on doubles; empty: nothing of one argument.
std::string_view StandardName(Op op) {
  switch (op) {
    case Op::kExp:
      return "std::exp";
    case Op::kLn:
      return "std::log";
    case Op::kLog2:
      return "std::log2";
    case Op::kLog10:
      return "std::log10";
    case Op::kLog1p:
      return "std::log1p";
    case Op::kExpm1:
      return "std::expm1";
    case Op::kSqrt:
      return "std::sqrt";
    case Op::kSin:
      return "std::sin";
    case Op::kCos:
      return "std::cos";
    case Op::kTan:
      return "std::tan";
    case Op::kAsin:
      return "std::asin";
    case Op::kAcos:
      return "std::acos";
    case Op::kAtan:
      return "std::atan";
    case Op::kSinh:
      return "std::sinh";
    case Op::kCosh:
      return "std::cosh";
    case Op::kTanh:
      return "std::tanh";
    case Op::kErf:
      return "std::erf";
    case Op::kErfc:
      return "std::erfc";
    case Op::kFloor:
      return "std::floor";
    case Op::kCeil:
      return "std::ceil";
    case Op::kRound:
      return "std::nearbyint";
    case Op::kTrunc:
      return "std::trunc";
    case Op::kIsNan:
      return "std::isnan";
    case Op::kIsInf:
      return "std::isinf";
    case Op::kIsFinite:
      return "std::isfinite";
    default:
      return "";
  }
}

std::string DoubleText(double value) {
  if (std::isnan(value)) return "std::numeric_limits<double>::quiet_NaN()";
  if (std::isinf(value)) {
    return value < 0 ? "-std::numeric_limits<double>::infinity()"
                     : "std::numeric_limits<double>::infinity()";
  }
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

}  // namespace

void HostNeeds::Add(const HostNeeds& other) {
  sizes.insert(other.sizes.begin(), other.sizes.end());
  packs.insert(other.packs.begin(), other.packs.end());
  shapes.insert(other.shapes.begin(), other.shapes.end());
  presences.insert(other.presences.begin(), other.presences.end());
  values.insert(other.values.begin(), other.values.end());
  variables.insert(other.variables.begin(), other.variables.end());
  helpers.insert(other.helpers.begin(), other.helpers.end());
  integer_helpers.insert(other.integer_helpers.begin(),
                         other.integer_helpers.end());
}

std::string HostText::Of(const Expr& expr, int least) {
  const Piece piece = Write(expr);
  return piece.binds < least ? "(" + piece.text + ")" : piece.text;
}

NamedLines::Spelling HostText::SpellingOf(const Expr& expr) {
  return WriteOut(expr);
}

std::string HostText::NameOf(const typed::Variable& line) {
  needs_.variables.insert(&line);
  return LegalName(line.name);
}

HostText::Piece HostText::Literal(const Expr& expr) {
  switch (expr.type.kind) {
    case TypeKind::kHostFloat: {
      std::string text = DoubleText(expr.real);
      const bool negative = text.starts_with('-');
      return {std::move(text),
              negative ? precedence::kUnary : precedence::kPrimary};
    }
    case TypeKind::kHostString:
      return {QuotedText(expr.text)};
    case TypeKind::kHostBool:
      return {expr.integer != 0 ? "true" : "false"};
    default:
      return {fmt::format("{}", expr.integer),
              expr.integer < 0 ? precedence::kUnary : precedence::kPrimary};
  }
}

HostText::Piece HostText::Size(const std::string& name) {
  if (!element_.empty() && IsOfElements(kernel_, name)) {
    const Binding binding = BindingOf(kernel_, name);
    needs_.shapes.insert(binding.parameter);
    needs_.helpers.insert(HostHelper::kSizeAt);
    return {BoundSize(
        binding,
        fmt::format("{}[{}]", DimsName(*binding.parameter), element_))};
  }
  needs_.sizes.insert(name);
  return {LegalName(name)};
}

DType HostText::DtypeOf(const Element& element) const {
  if (element.variable == nullptr) return element.dtype;
  for (size_t i = 0; i < kernel_.dtypes.size() && i < dtypes_.size(); ++i) {
    if (kernel_.dtypes[i] == element.variable) return dtypes_[i];
  }
  throw InternalError("[crux] a dtype that no choice settles");
}

HostText::Piece HostText::Write(const Expr& expr) {
  Piece piece = WriteOut(expr);
  if (lines_ != nullptr && element_.empty()) {
    if (const typed::Variable* line = lines_->LineOf(piece.text)) {
      return {NameOf(*line)};
    }
  }
  return piece;
}

HostText::Piece HostText::WriteOut(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return Literal(expr);
    case ExprKind::kSize:
      return Size(expr.text);
    case ExprKind::kPackSize: {
      needs_.helpers.insert(HostHelper::kProduct);
      if (!element_.empty() && IsOfElements(kernel_, expr.text)) {
        const Binding binding = BindingOf(kernel_, expr.text);
        needs_.shapes.insert(binding.parameter);
        needs_.helpers.insert(HostHelper::kPart);
        const size_t after = binding.parameter->dims.size() - 1 - binding.dim;
        return {fmt::format("Product(Part({}[{}], {}, {}))",
                            DimsName(*binding.parameter), element_, binding.dim,
                            after)};
      }
      needs_.packs.insert(expr.text);
      return {fmt::format("Product({})", LegalName(expr.text))};
    }
    case ExprKind::kParameter:
      needs_.values.insert(expr.parameter);
      return {LegalName(expr.parameter->name)};
    case ExprKind::kVariable:
      if (lines_ != nullptr) {
        if (const Piece* known = lines_->SpellingOf(*expr.variable)) {
          return *known;
        }
      }
      needs_.variables.insert(expr.variable);
      return {LegalName(expr.variable->name)};
    case ExprKind::kLoopIndex:
      return {fmt::format("static_cast<int64_t>({})", element_)};
    case ExprKind::kOperation:
      return Operation(expr);
    case ExprKind::kSelect: {
      const bool mixed = IsInteger(*expr.args[0]) != IsInteger(*expr.args[2]);
      const std::string_view widen = mixed ? "1.0 * " : "";
      return {fmt::format("{} ? {}{} : {}{}",
                          Of(*expr.args[1], precedence::kConditional + 1),
                          widen, Of(*expr.args[0], precedence::kProduct), widen,
                          Of(*expr.args[2], precedence::kProduct)),
              precedence::kConditional};
    }
    case ExprKind::kHostElement:
      return {fmt::format("{}.at({})", Of(*expr.args[0], precedence::kPrimary),
                          Of(*expr.args[1]))};
    case ExprKind::kHostLogic: {
      if (expr.text == "not") {
        return {"!" + Of(*expr.args[0], precedence::kUnary),
                precedence::kUnary};
      }
      const bool is_or = expr.text == "or";
      std::vector<std::string> parts;
      for (const Expr* arg : expr.args) {
        parts.push_back(Of(*arg, precedence::kAnd + 1));
      }
      return {fmt::format("{}", fmt::join(parts, is_or ? " || " : " && ")),
              is_or ? precedence::kOr : precedence::kAnd};
    }
    case ExprKind::kDtypeIs:
      return {DtypeOf(expr.args[0]->type.element) ==
                      DtypeOf(expr.args[1]->type.element)
                  ? "true"
                  : "false"};
    case ExprKind::kTensorSize:
      needs_.helpers.insert(HostHelper::kProduct);
      return {fmt::format("Product({})", DimsOf(*expr.args[0]))};
    case ExprKind::kTensorRank:
      return {fmt::format("static_cast<int64_t>({}.size())",
                          DimsOf(*expr.args[0]))};
    case ExprKind::kDimension:
      needs_.helpers.insert(HostHelper::kDim);
      return {
          fmt::format("Dim({}, {})", DimsOf(*expr.args[0]), Of(*expr.args[1]))};
    case ExprKind::kListCount: {
      const Expr& list = *expr.args[0];
      return {fmt::format("static_cast<int64_t>({}.size())",
                          list.type.kind == TypeKind::kHostList
                              ? Of(list, precedence::kPrimary)
                              : DimsOf(list))};
    }
    case ExprKind::kFromHost:
      return Write(*expr.args[0]);
    default:
      throw InternalError(fmt::format(
          "[crux] a host expression that cannot be printed: {}", ToText(expr)));
  }
}

std::string HostText::DimsOf(const Expr& tensor) {
  switch (tensor.kind) {
    case ExprKind::kParameter:
      needs_.shapes.insert(tensor.parameter);
      return DimsName(*tensor.parameter);
    case ExprKind::kVariable:
      if (lines_ != nullptr) {
        if (const std::string* known = lines_->DimsOf(*tensor.variable)) {
          return *known;
        }
      }
      needs_.variables.insert(tensor.variable);
      return LegalName(tensor.variable->name) + "_dims";
    case ExprKind::kListElement:
      return fmt::format("{}[{}]", DimsOf(*tensor.args[0]),
                         tensor.args[1]->kind == ExprKind::kLoopIndex
                             ? element_
                             : Of(*tensor.args[1]));
    case ExprKind::kFlat:
      needs_.helpers.insert(HostHelper::kProduct);
      return fmt::format("Dims{{Product({})}}", DimsOf(*tensor.args[0]));
    case ExprKind::kReshaped: {
      needs_.helpers.insert(HostHelper::kProduct);
      needs_.helpers.insert(HostHelper::kReshaped);
      std::vector<std::string> sizes;
      for (size_t i = 1; i < tensor.args.size(); ++i) {
        sizes.push_back(Of(*tensor.args[i]));
      }
      return fmt::format("Reshaped({}, {{{}}})", DimsOf(*tensor.args[0]),
                         fmt::join(sizes, ", "));
    }
    case ExprKind::kAround:
      needs_.helpers.insert(HostHelper::kAround);
      return fmt::format("Around({}, {})", DimsOf(*tensor.args[0]),
                         Of(*tensor.args[1]));
    default:
      throw InternalError(fmt::format(
          "[crux] a shape that cannot be printed: {}", ToText(tensor)));
  }
}

std::string HostText::DeclaredDims(const Parameter& parameter) {
  if (const Parameter* one = OneOfTheShape(kernel_, parameter)) {
    needs_.shapes.insert(one);
    return DimsName(*one);
  }
  // A pack stands between plain sizes.
  std::vector<std::string> parts;
  std::vector<std::string> plain;
  const auto flush = [&] {
    if (plain.empty()) return;
    parts.push_back(fmt::format("Dims{{{}}}", fmt::join(plain, ", ")));
    plain.clear();
  };
  for (const ParameterDim& dim : parameter.dims) {
    if (dim.pack.empty()) {
      plain.push_back(Of(*dim.expr));
      continue;
    }
    flush();
    if (!element_.empty() && IsOfElements(kernel_, dim.pack)) {
      const Binding binding = BindingOf(kernel_, dim.pack);
      needs_.shapes.insert(binding.parameter);
      needs_.helpers.insert(HostHelper::kPart);
      parts.push_back(fmt::format(
          "Part({}[{}], {}, {})", DimsName(*binding.parameter), element_,
          binding.dim, binding.parameter->dims.size() - 1 - binding.dim));
    } else {
      needs_.packs.insert(dim.pack);
      parts.push_back(LegalName(dim.pack));
    }
  }
  flush();
  if (parts.empty()) return "Dims{}";
  if (parts.size() == 1) return parts[0];
  needs_.helpers.insert(HostHelper::kJoined);
  return fmt::format("Joined({{{}}})", fmt::join(parts, ", "));
}

HostText::Piece HostText::Binary(const Expr& expr, std::string_view sign,
                                 int binds) {
  return {fmt::format("{} {} {}", Of(*expr.args[0], binds), sign,
                      Of(*expr.args[1], binds + 1)),
          binds};
}

HostText::Piece HostText::Call(std::string_view function, const Expr& expr) {
  std::vector<std::string> args;
  for (const Expr* arg : expr.args) {
    if (arg != nullptr) args.push_back(Of(*arg));
  }
  return {fmt::format("{}({})", function, fmt::join(args, ", "))};
}

HostText::Piece HostText::Operation(const Expr& expr) {
  const bool whole = std::all_of(
      expr.args.begin(), expr.args.end(),
      [](const Expr* arg) { return arg == nullptr || IsInteger(*arg); });
  const auto helper = [&](Helper which, std::string_view name) {
    needs_.integer_helpers.insert(which);
    return Call(name, expr);
  };
  const std::string_view type = whole ? "int64_t" : "double";
  switch (expr.op) {
    case Op::kAdd:
      return Binary(expr, "+", precedence::kSum);
    case Op::kSub:
      return Binary(expr, "-", precedence::kSum);
    case Op::kMul:
      return Binary(expr, "*", precedence::kProduct);
    case Op::kDiv:
      if (!whole) return Binary(expr, "/", precedence::kProduct);
      return {fmt::format("static_cast<double>({}) / {}", Of(*expr.args[0]),
                          Of(*expr.args[1], precedence::kProduct + 1)),
              precedence::kProduct};
    case Op::kFloorDiv:
      if (!whole) {
        return {fmt::format("std::floor({})",
                            Binary(expr, "/", precedence::kProduct).text)};
      }
      if (MayBeNegative(expr)) return helper(Helper::kFloorDiv, "FloorDiv");
      return Binary(expr, "/", precedence::kProduct);
    case Op::kMod:
      if (!whole) {
        // With the sign of the divisor.
        const std::string a = Of(*expr.args[0]);
        const std::string b = Of(*expr.args[1]);
        return {fmt::format("std::fmod(std::fmod({0}, {1}) + {2}, {1})", a, b,
                            Of(*expr.args[1], precedence::kSum + 1))};
      }
      if (MayBeNegative(expr)) return helper(Helper::kFloorMod, "FloorMod");
      return Binary(expr, "%", precedence::kProduct);
    case Op::kCeilDiv:
      if (MayBeNegative(*expr.args[1])) {
        needs_.integer_helpers.insert(Helper::kFloorDiv);
        return {fmt::format("-FloorDiv(-{}, {})",
                            Of(*expr.args[0], precedence::kPrimary),
                            Of(*expr.args[1])),
                precedence::kUnary};
      }
      return helper(Helper::kCeilDiv, "CeilDiv");
    case Op::kPow:
      if (whole && expr.type.kind == TypeKind::kHostInt) {
        needs_.helpers.insert(HostHelper::kPower);
        return Call("Power", expr);
      }
      return Call("std::pow", expr);
    case Op::kMaximum:
      return Call(fmt::format("std::max<{}>", type), expr);
    case Op::kMinimum:
      return Call(fmt::format("std::min<{}>", type), expr);
    case Op::kClamp:
      return {fmt::format("std::min<{0}>(std::max<{0}>({1}, {2}), {3})", type,
                          Of(*expr.args[0]), Of(*expr.args[1]),
                          Of(*expr.args[2]))};
    case Op::kNegate:
      return {"-" + Of(*expr.args[0], precedence::kPrimary),
              precedence::kUnary};
    case Op::kBitNot:
      return {"~" + Of(*expr.args[0], precedence::kPrimary),
              precedence::kUnary};
    case Op::kAbs:
      return {fmt::format("std::abs({})", Of(*expr.args[0]))};
    case Op::kSign: {
      const std::string x = Of(*expr.args[0], precedence::kRelation + 1);
      return {fmt::format("({0} > 0) - ({0} < 0)", x), precedence::kSum};
    }
    case Op::kReciprocal:
      return {"1.0 / " + Of(*expr.args[0], precedence::kProduct + 1),
              precedence::kProduct};
    case Op::kRsqrt:
      return {fmt::format("1.0 / std::sqrt({})", Of(*expr.args[0])),
              precedence::kProduct};
    case Op::kBitAnd:
      return {fmt::format("({} & {})", Of(*expr.args[0], precedence::kUnary),
                          Of(*expr.args[1], precedence::kUnary))};
    case Op::kBitOr:
      return {fmt::format("({} | {})", Of(*expr.args[0], precedence::kUnary),
                          Of(*expr.args[1], precedence::kUnary))};
    case Op::kBitXor:
      return {fmt::format("({} ^ {})", Of(*expr.args[0], precedence::kUnary),
                          Of(*expr.args[1], precedence::kUnary))};
    case Op::kShiftLeft:
      return {fmt::format("(static_cast<int64_t>({}) << {})", Of(*expr.args[0]),
                          Of(*expr.args[1], precedence::kUnary))};
    case Op::kShiftRight:
      return {fmt::format("({} >> {})", Of(*expr.args[0], precedence::kUnary),
                          Of(*expr.args[1], precedence::kUnary))};
    case Op::kLess:
      return Binary(expr, "<", precedence::kRelation);
    case Op::kLessEqual:
      return Binary(expr, "<=", precedence::kRelation);
    case Op::kGreater:
      return Binary(expr, ">", precedence::kRelation);
    case Op::kGreaterEqual:
      return Binary(expr, ">=", precedence::kRelation);
    case Op::kEqual:
      return Binary(expr, "==", precedence::kEquality);
    case Op::kNotEqual:
      return Binary(expr, "!=", precedence::kEquality);
    case Op::kPresent:
      needs_.presences.insert(expr.args[0]->parameter);
      return {PresenceName(*expr.args[0]->parameter)};
    case Op::kChoose: {
      const Expr& values = *expr.args[0];
      return Write(values.kind == ExprKind::kTuple ? *values.args[0] : values);
    }
    default:
      break;
  }
  const std::string_view standard = StandardName(expr.op);
  if (standard.empty()) {
    throw InternalError(fmt::format("[crux] {} cannot be printed for the host",
                                    InfoOf(expr.op).id));
  }
  if (whole && IsInteger(expr) && expr.args.size() == 1) {
    return Write(*expr.args[0]);  // floor of an integer
  }
  return Call(standard, expr);
}

bool HostText::MayBeNegative(const Expr& expr) const {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      return expr.integer < 0;
    case ExprKind::kSize:
    case ExprKind::kPackSize:
    case ExprKind::kTensorSize:
    case ExprKind::kTensorRank:
    case ExprKind::kDimension:
    case ExprKind::kListCount:
    case ExprKind::kLoopIndex:
      return false;
    case ExprKind::kVariable: {
      const auto known = values_.find(expr.variable);
      return known == values_.end() || known->second == nullptr ||
             MayBeNegative(*known->second);
    }
    case ExprKind::kOperation:
      switch (expr.op) {
        case Op::kAdd:
        case Op::kMul:
        case Op::kFloorDiv:
        case Op::kCeilDiv:
        case Op::kMod:
        case Op::kMinimum:
          return MayBeNegative(*expr.args[0]) || MayBeNegative(*expr.args[1]);
        case Op::kMaximum:
          return MayBeNegative(*expr.args[0]) && MayBeNegative(*expr.args[1]);
        default:
          return true;
      }
    default:
      return true;
  }
}

}  // namespace belay::crux::print
