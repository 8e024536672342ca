// SPDX-License-Identifier: Apache-2.0
#include "crux/print/integer_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "crux/print/concat.h"

namespace belay::crux::print {
namespace {

using ir::Int;
using ir::IntKind;

struct Piece {
  std::string text;
  int binds = precedence::kPrimary;
};

std::string InParentheses(Piece piece, int least) {
  return piece.binds < least ? "(" + piece.text + ")" : std::move(piece.text);
}

class Writer {
 public:
  explicit Writer(const IntegerContext& context) : context_(context) {}

  Piece Of(const Int& expr) {
    const auto args = expr.args();
    switch (expr.kind()) {
      case IntKind::kConstant:
        return Constant(expr.value());
      case IntKind::kName:
        return {context_.spell(expr.name())};
      case IntKind::kElement:
        return {
            Concat({context_.spell(expr.name()), "[", Of(args[0]).text, "]"})};
      case IntKind::kAdd:
        if (const auto shares = FirstItem(expr)) return *shares;
        return Sum(expr);
      case IntKind::kSub:
        if (args[0].Is(0)) {
          return {"-" + InParentheses(Of(args[1]), precedence::kPrimary),
                  precedence::kUnary};
        }
        return Operator(args, " - ", precedence::kSum);
      case IntKind::kMul:
        return Operator(args, " * ", precedence::kProduct);
      case IntKind::kFloorDiv:
        if (AnyNegative(args)) return Call(Helper::kFloorDiv, "FloorDiv", args);
        return Operator(args, " / ", precedence::kProduct);
      case IntKind::kMod:
        if (AnyNegative(args)) return Call(Helper::kFloorMod, "FloorMod", args);
        return Operator(args, " % ", precedence::kProduct);
      case IntKind::kCeilDiv:
        if (MayBeNegative(args[1], context_)) {
          return Of(Int(0) - FloorDiv(Int(0) - args[0], args[1]));
        }
        return Call(Helper::kCeilDiv, "CeilDiv", args);
      case IntKind::kAlignUp:
        if (MayBeNegative(args[1], context_)) {
          return Of((Int(0) - FloorDiv(Int(0) - args[0], args[1])) * args[1]);
        }
        return Call(Helper::kAlignUp, "AlignUp", args);
      case IntKind::kMin:
      case IntKind::kMax:
        return Extreme(expr);
      case IntKind::kSelect:
        if (const auto most = PowerIn(expr)) {
          return Call(Helper::kPowerIn, "PowerIn",
                      std::array{args[0].args()[0].args()[0], Int(*most)});
        }
        return {fmt::format(
                    "{} ? {} : {}",
                    InParentheses(Of(args[0]), precedence::kConditional + 1),
                    InParentheses(Of(args[1]), precedence::kConditional),
                    InParentheses(Of(args[2]), precedence::kConditional)),
                precedence::kConditional};
      case IntKind::kLess:
        return Operator(args, " < ", precedence::kRelation);
      case IntKind::kLessEqual:
        return Operator(args, " <= ", precedence::kRelation);
      case IntKind::kEqual:
        return Operator(args, " == ", precedence::kEquality);
      case IntKind::kNotEqual:
        return Operator(args, " != ", precedence::kEquality);
      case IntKind::kAnd:
        return Operator(args, " && ", precedence::kAnd);
      case IntKind::kOr:
        // clang warns of a && b || c.
        return {fmt::format("{} || {}", OrOperand(args[0]), OrOperand(args[1])),
                precedence::kOr};
      case IntKind::kNot:
        return {"!" + InParentheses(Of(args[0]), precedence::kUnary),
                precedence::kUnary};
    }
    throw InternalError("[crux] an integer that cannot be printed");
  }

 private:
  static Piece Constant(int64_t value) {
    if (value == std::numeric_limits<int64_t>::min()) return {"INT64_MIN"};
    return {std::to_string(value),
            value < 0 ? precedence::kUnary : precedence::kPrimary};
  }

  bool AnyNegative(std::span<const Int> args) const {
    return MayBeNegative(args[0], context_) || MayBeNegative(args[1], context_);
  }

  // The smallest or largest of all operands of nested ones, each once.
  Piece Extreme(const Int& expr) {
    const bool smallest = expr.kind() == IntKind::kMin;
    std::vector<Int> operands;
    AddOperands(expr, expr.kind(), operands);
    if (!smallest) DropBelow(operands);
    if (operands.size() == 1) return Of(operands[0]);
    if (context_.host) {
      std::string text;
      for (const Int& operand : operands) {
        text += (text.empty() ? "" : ", ") + Of(operand).text;
      }
      const std::string_view name =
          smallest ? "std::min<int64_t>" : "std::max<int64_t>";
      return {operands.size() == 2 ? fmt::format("{}({})", name, text)
                                   : fmt::format("{}({{{}}})", name, text)};
    }
    context_.helpers->insert(smallest ? Helper::kMin : Helper::kMax);
    std::string text = Of(operands[0]).text;
    for (size_t i = 1; i < operands.size(); ++i) {
      text = fmt::format("{}({}, {})", smallest ? "Min" : "Max", text,
                         Of(operands[i]).text);
    }
    return {text};
  }

  // Without those that are there already.
  static void AddOperands(const Int& expr, IntKind kind,
                          std::vector<Int>& operands) {
    if (expr.kind() == kind) {
      for (const Int& arg : expr.args()) AddOperands(arg, kind, operands);
      return;
    }
    for (const Int& operand : operands) {
      if (Same(operand, expr)) return;
    }
    operands.push_back(expr);
  }

  // Of a maximum: constants that another operand is never below.
  void DropBelow(std::vector<Int>& operands) const {
    for (size_t i = 0; i < operands.size(); ++i) {
      if (!operands[i].is_constant()) continue;
      for (size_t other = 0; other < operands.size(); ++other) {
        if (other == i || LeastOf(operands[other]) < operands[i].value()) {
          continue;
        }
        operands.erase(operands.begin() + static_cast<ptrdiff_t>(i));
        --i;
        break;
      }
    }
  }

  // What it is at least, as far as it is easily seen.
  int64_t LeastOf(const Int& expr) const {
    constexpr int64_t kUnknown = std::numeric_limits<int64_t>::min();
    switch (expr.kind()) {
      case IntKind::kConstant:
        return expr.value();
      case IntKind::kMax:
        return std::max(LeastOf(expr.args()[0]), LeastOf(expr.args()[1]));
      case IntKind::kMin:
        return std::min(LeastOf(expr.args()[0]), LeastOf(expr.args()[1]));
      default:
        return MayBeNegative(expr, context_) ? kUnknown : 0;
    }
  }

  Piece Sum(const Int& expr) {
    const std::vector<CountedTerm> terms = CountedTerms(expr);
    std::string text;
    for (const CountedTerm& term : terms) {
      const bool minus =
          term.value.is_constant() && term.value.value() < 0 && !text.empty();
      const Int value = minus ? Int(-term.value.value()) : term.value;
      if (!text.empty()) text += minus ? " - " : " + ";
      text += InParentheses(Of(value * Int(term.times)), precedence::kSum);
    }
    return {text, terms.size() > 1 ? precedence::kSum : precedence::kProduct};
  }

  // Whether it is a product that begins with no quotient or remainder.
  static bool IsPureProduct(const Int& expr) {
    if (expr.kind() != IntKind::kMul) return false;
    const Int* first = &expr;
    while (first->kind() == IntKind::kMul) first = &first->args()[0];
    return first->kind() != IntKind::kFloorDiv &&
           first->kind() != IntKind::kMod;
  }

  // Left to right: the right operand must bind tighter.
  Piece Operator(std::span<const Int> args, std::string_view sign, int binds) {
    const bool times = sign == " * ";
    // a * (b * c) may be regrouped, a * (b / c) and a * (b / c * d) may not.
    const int right = times && IsPureProduct(args[1]) ? binds : binds + 1;
    return {Concat({InParentheses(Of(args[0]), binds), sign,
                    InParentheses(Of(args[1]), right)}),
            binds};
  }

  // The 8 of a % 8 == 0 ? 8 : a % 4 == 0 ? 4 : a % 2 == 0 ? 2 : 1.
  std::optional<int64_t> PowerIn(const Int& expr) const {
    std::optional<int64_t> most;
    const Int* here = &expr;
    int64_t power = 0;
    for (; here->kind() == IntKind::kSelect; here = &here->args()[2]) {
      const Int& condition = here->args()[0];
      const Int& value = here->args()[1];
      if (condition.kind() != IntKind::kEqual || !condition.args()[1].Is(0) ||
          condition.args()[0].kind() != IntKind::kMod || !value.is_constant() ||
          !Same(condition.args()[0].args()[1], value) ||
          !Same(condition.args()[0].args()[0],
                expr.args()[0].args()[0].args()[0]) ||
          (most && value.value() * 2 != power)) {
        return std::nullopt;
      }
      power = value.value();
      if (!most) most = power;
    }
    return here->Is(1) && power == 2 && *most > 2 ? most : std::nullopt;
  }

  std::optional<Piece> FirstItem(const Int& expr) {
    const auto shared = SharedItems::Of(expr);
    if (!shared) return std::nullopt;
    const std::string late = shared->late    ? Of(*shared->late).text
                             : context_.late ? context_.late()
                                             : "";
    context_.helpers->insert(Helper::kMin);
    context_.helpers->insert(late.empty() ? Helper::kFirstItem
                                          : Helper::kFirstItemLate);
    return Piece{fmt::format("FirstItem({}, {}{})", Of(shared->items).text,
                             shared->next ? 1 : 0,
                             late.empty() ? "" : ", " + late)};
  }

  std::string OrOperand(const Int& expr) {
    return InParentheses(Of(expr), expr.kind() == IntKind::kAnd
                                       ? precedence::kPrimary
                                       : precedence::kOr);
  }

  Piece Call(Helper helper, std::string_view name, std::span<const Int> args) {
    context_.helpers->insert(helper);
    return HostCall(name, args);
  }

  Piece HostCall(std::string_view name, std::span<const Int> args) {
    return {Concat({name, "(", Of(args[0]).text, ", ", Of(args[1]).text, ")"})};
  }

  const IntegerContext& context_;
};

}  // namespace

std::vector<CountedTerm> CountedTerms(const Int& sum) {
  std::vector<CountedTerm> terms;
  const auto add = [&](const auto& self, const Int& part) -> void {
    if (part.kind() == IntKind::kAdd) {
      self(self, part.args()[0]);
      self(self, part.args()[1]);
      return;
    }
    const bool scaled = part.kind() == IntKind::kMul &&
                        part.args()[1].is_constant() &&
                        part.args()[1].value() > 0;
    const Int base = scaled ? part.args()[0] : part;
    const int64_t times = scaled ? part.args()[1].value() : 1;
    for (CountedTerm& term : terms) {
      if (!term.value.is_constant() && Same(term.value, base)) {
        term.times += times;
        return;
      }
    }
    terms.push_back({base, times});
  };
  add(add, sum);
  return terms;
}

std::string TextOf(const Int& expr, const IntegerContext& context, int least) {
  return InParentheses(Writer(context).Of(expr), least);
}

namespace {

// What is positive and rounded up to multiples of b, or of more, is at least b.
bool IsAtLeast(const Int& a, const Int& b, const IntegerContext& context) {
  if (a.kind() != IntKind::kAlignUp || !b.is_constant() ||
      !a.args()[1].is_constant() || a.args()[1].value() < b.value() ||
      a.args()[0].kind() != IntKind::kAdd) {
    return false;
  }
  const auto terms = a.args()[0].args();
  const bool more = terms[1].is_constant() && terms[1].value() > 0;
  return more && !MayBeNegative(terms[0], context);
}

}  // namespace

bool MayBeNegative(const Int& expr, const IntegerContext& context) {
  const auto args = expr.args();
  const auto either = [&] {
    return MayBeNegative(args[0], context) || MayBeNegative(args[1], context);
  };
  switch (expr.kind()) {
    case IntKind::kConstant:
      return expr.value() < 0;
    case IntKind::kName:
    case IntKind::kElement:
      return context.may_be_negative(expr.name());
    case IntKind::kAdd:
    case IntKind::kMul:
    case IntKind::kFloorDiv:
    case IntKind::kCeilDiv:
    case IntKind::kAlignUp:
    case IntKind::kMin:
      return either();
    case IntKind::kMod:
      return MayBeNegative(args[1], context);
    case IntKind::kMax:
      return MayBeNegative(args[0], context) && MayBeNegative(args[1], context);
    case IntKind::kSelect:
      return MayBeNegative(args[1], context) || MayBeNegative(args[2], context);
    case IntKind::kSub:
      if (IsAtLeast(args[0], args[1], context)) return false;
      return !context.at_least || !context.at_least(args[0], args[1]);
    default:
      return false;
  }
}

std::optional<SharedItems> SharedItems::Of(const Int& expr) {
  if (expr.kind() != IntKind::kAdd) return std::nullopt;
  const Int cores = Int::Name("block_num");
  const bool has_late = expr.args()[1].kind() == IntKind::kFloorDiv;
  const Int& even = has_late ? expr.args()[0] : expr;
  if (even.kind() != IntKind::kAdd || even.args()[0].kind() != IntKind::kMul ||
      even.args()[1].kind() != IntKind::kMin) {
    return std::nullopt;
  }
  const auto whole = even.args()[0].args();
  const auto rest = even.args()[1].args();
  const Int& core = whole[0];
  if (whole[1].kind() != IntKind::kFloorDiv) return std::nullopt;
  SharedItems shared;
  shared.items = whole[1].args()[0];
  const Int own = Int::Name("block_idx");
  shared.next = Same(core, own + 1);
  if (!Same(whole[1], FloorDiv(shared.items, cores)) || !Same(rest[0], core) ||
      !Same(rest[1], Mod(shared.items, cores)) ||
      (!shared.next && !Same(core, own))) {
    return std::nullopt;
  }
  if (!has_late) return shared;
  const Int& part = expr.args()[1];
  const Int& product = part.args()[0];
  if (!Same(part.args()[1], cores * 2) || product.kind() != IntKind::kMul ||
      product.args()[0].kind() != IntKind::kMul ||
      !Same(product.args()[0].args()[1], core) ||
      !Same(product.args()[1], cores - core)) {
    return std::nullopt;
  }
  shared.late = product.args()[0].args()[0];
  return shared;
}

namespace {

std::string DefinitionOf(Helper helper, bool host) {
  const std::string_view mark = host ? "inline" : "__aicore__ inline";
  const auto define = [&](std::string_view name, std::string_view body) {
    return fmt::format("{} int64_t {}(int64_t a, int64_t b) {{ {} }}", mark,
                       name, body);
  };
  switch (helper) {
    case Helper::kMin:
      return define("Min", "return a < b ? a : b;");
    case Helper::kMax:
      return define("Max", "return a > b ? a : b;");
    case Helper::kCeilDiv:
      return define("CeilDiv", "return a / b + (a % b > 0);");
    case Helper::kAlignUp:
      return define("AlignUp", host ? "return CeilDiv(a, b) * b;"
                                    : "return (a / b + (a % b > 0)) * b;");
    case Helper::kFloorDiv:
      return define("FloorDiv",
                    "return a / b - (a % b != 0 && (a < 0) != (b < 0));");
    case Helper::kFloorMod:
      return define("FloorMod",
                    "return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : "
                    "0);");
    case Helper::kPowerIn:
      return fmt::format(
          "// The largest power of two up to b, which is one, that divides a.\n"
          "{} int64_t PowerIn(int64_t a, int64_t b) {{\n"
          "  while (a % b != 0) b /= 2;\n"
          "  return b;\n"
          "}}",
          mark);
    case Helper::kFirstItem:
      return "// Of the core `off` behind this one.\n"
             "__aicore__ inline int64_t FirstItem(int64_t items, int64_t off) "
             "{\n"
             "  const int64_t core = GetBlockIdx() + off;\n"
             "  const int64_t cores = GetBlockNum();\n"
             "  return core * (items / cores) + Min(core, items % cores);\n"
             "}";
    case Helper::kFirstItemLate:
      return "// Of the core `off` behind this one. Cores start one after the "
             "other: later\n"
             "// ones get fewer items.\n"
             "__aicore__ inline int64_t FirstItem(int64_t items, int64_t off, "
             "int64_t late) {\n"
             "  const int64_t core = GetBlockIdx() + off;\n"
             "  const int64_t cores = GetBlockNum();\n"
             "  return core * (items / cores) + Min(core, items % cores) +\n"
             "         late * core * (cores - core) / (cores * 2);\n"
             "}";
    case Helper::kInfinity:
      return "constexpr float kInfinity = "
             "std::numeric_limits<float>::infinity();";
    case Helper::kNaN:
      return "constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();";
    case Helper::kBitCast:
      return "template <typename To, typename From>\n"
             "__aicore__ inline To BitCast(From from) {\n"
             "  union {\n"
             "    From from;\n"
             "    To to;\n"
             "  } bits = {from};\n"
             "  return bits.to;\n"
             "}";
    case Helper::kFromUnsigned:
      return "__aicore__ inline float FromUnsigned(uint64_t a) {\n"
             "  if (a <= INT64_MAX) return static_cast<int64_t>(a);\n"
             "  return 2.0f * static_cast<int64_t>(a >> 1 | (a & 1));\n"
             "}";
    case Helper::kToUnsigned:
      return "__aicore__ inline uint64_t ToUnsigned(float a) {\n"
             "  if (a < 0x1p63f) return static_cast<int64_t>(a);\n"
             "  return static_cast<int64_t>(a - 0x1p63f) + (uint64_t{1} << "
             "63);\n"
             "}";
    case Helper::kSync:
      return "template <HardEvent event>\n"
             "__aicore__ inline void Sync() {\n"
             "  const auto id = GetTPipePtr()->FetchEventID(event);\n"
             "  SetFlag<event>(id);\n"
             "  WaitFlag<event>(id);\n"
             "}";
    case Helper::kTurn:
      return "// Turns a tile as lists of 16 addresses say.\n"
             "template <typename T>\n"
             "__aicore__ inline void Turn(\n"
             "    const LocalTensor<uint64_t>& to, const "
             "LocalTensor<uint64_t>& from,\n"
             "    int64_t entries, int64_t repeats, int64_t to_step, int64_t "
             "from_step) {\n"
             "  const TransDataTo5HDParams params(false, false, repeats, "
             "to_step, from_step);\n"
             "  for (int64_t at = 0; at < entries; at += 16) {\n"
             "    TransDataTo5HD<T>(to[at], from[at], params);\n"
             "  }\n"
             "}";
  }
  throw InternalError("[crux] a helper without a definition");
}

}  // namespace

Text HelperDefinitions(const std::set<Helper>& helpers, bool host) {
  Text text;
  for (const Helper helper : helpers) {
    const std::string definition = DefinitionOf(helper, host);
    if (definition.find('\n') == std::string::npos) {
      text.Declaration(definition);
    } else {
      std::vector<std::string> lines;
      size_t at = 0;
      while (at <= definition.size()) {
        const size_t end =
            std::min(definition.find('\n', at), definition.size());
        lines.push_back(definition.substr(at, end - at));
        at = end + 1;
      }
      text.Verbatim(lines);
    }
    text.Blank();
  }
  return text;
}

}  // namespace belay::crux::print
