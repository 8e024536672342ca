// SPDX-License-Identifier: Apache-2.0
#include "crux/print_typed.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace belay::crux {

namespace {

std::string Name(Op op) {
  std::string name;
  for (const char c : InfoOf(op).id) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !name.empty()) name += '_';
    name += capital ? static_cast<char>(c | 0x20) : c;
  }
  return name;
}

std::string Literal(const typed::Expr& expr) {
  switch (expr.type.kind) {
    case TypeKind::kHostInt:
      return std::to_string(expr.integer);
    case TypeKind::kHostFloat:
      if (std::isnan(expr.real)) return "nan";
      if (std::isinf(expr.real)) return expr.real < 0 ? "-inf" : "inf";
      if (std::floor(expr.real) == expr.real && std::fabs(expr.real) < 1e15) {
        return fmt::format("{:.1f}", expr.real);
      }
      // The shortest text that reads back as the same number.
      return fmt::format("{}", expr.real);
    case TypeKind::kHostBool:
      return expr.integer ? "True" : "False";
    default:
      return fmt::format("\"{}\"", expr.text);
  }
}

std::string Joined(const std::vector<const typed::Expr*>& args, size_t from,
                   std::string_view between = ", ") {
  std::string text;
  for (size_t i = from; i < args.size(); ++i) {
    if (i > from) text += between;
    text += args[i] ? ToText(*args[i]) : "_";
  }
  return text;
}

std::string Subscripts(const std::vector<typed::Subscript>& subscripts) {
  std::string text;
  for (const typed::Subscript& subscript : subscripts) {
    if (!text.empty()) text += ", ";
    switch (subscript.kind) {
      case typed::SubscriptKind::kNewAxis:
        text += "None";
        break;
      case typed::SubscriptKind::kSlice:
        if (subscript.low) text += ToText(*subscript.low);
        text += ':';
        if (subscript.high) text += ToText(*subscript.high);
        if (subscript.step) text += ":" + ToText(*subscript.step);
        break;
      case typed::SubscriptKind::kGather:
        text += "gather " + ToText(*subscript.value);
        break;
      default:
        text += ToText(*subscript.value);
        break;
    }
  }
  return text;
}

class Printer {
 public:
  std::string Kernel(const typed::Kernel& kernel) {
    Line(fmt::format("kernel {}{}", kernel.name, kernel.fast ? " fast" : ""));
    ++depth_;
    for (const DtypeVariable* dtype : kernel.dtypes) {
      std::string allowed;
      for (const DType each : dtype->allowed) {
        allowed += fmt::format(" {}", belay::NameOf(each));
      }
      Line(fmt::format("dtype {}{} (group {})", dtype->name, allowed,
                       dtype->group));
    }
    for (const typed::Parameter* parameter : kernel.parameters) {
      Parameter(*parameter);
    }
    if (!kernel.sizes.empty()) Line("sizes " + Words(kernel.sizes));
    if (!kernel.packs.empty()) Line("packs " + Words(kernel.packs));
    Block(kernel.body);
    return std::move(text_);
  }

 private:
  static std::string Words(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
      text += (text.empty() ? "" : ", ") + word;
    }
    return text;
  }

  void Line(const std::string& line) {
    text_.append(static_cast<size_t>(depth_) * 2, ' ');
    text_ += line;
    text_ += '\n';
  }

  void Parameter(const typed::Parameter& parameter) {
    constexpr std::string_view kRoles[] = {"in", "out", "inout", "value",
                                           "attribute"};
    std::string line =
        fmt::format("{} {}{}", kRoles[static_cast<size_t>(parameter.role)],
                    parameter.optional ? "optional " : "", parameter.name);
    line += ": " + ToText(parameter.type);
    for (const typed::ParameterDim& dim : parameter.dims) {
      if (dim.upto) line += " upto " + ToText(dim.size);
    }
    if (parameter.fallback) line += " = " + ToText(*parameter.fallback);
    Line(line);
  }

  void Block(const typed::Block& block) {
    for (const typed::Statement* statement : block) Print(*statement);
  }

  void Nested(const typed::Block& block) {
    ++depth_;
    if (block.empty()) Line("pass");
    Block(block);
    --depth_;
  }

  void Print(const typed::Statement& statement) {
    switch (statement.kind) {
      case typed::StatementKind::kAssign: {
        std::string targets;
        for (const typed::Variable* target : statement.targets) {
          targets += fmt::format("{}{}: {}", targets.empty() ? "" : ", ",
                                 target->name, ToText(target->type));
        }
        Line(fmt::format("{} = {}", targets, Joined(statement.values, 0)));
        return;
      }
      case typed::StatementKind::kLoop:
        Loop(*statement.loop);
        return;
      case typed::StatementKind::kIf:
        If(statement);
        return;
      case typed::StatementKind::kStore:
      case typed::StatementKind::kAtomicAdd:
      case typed::StatementKind::kAcrossUpdate: {
        const std::string_view word =
            statement.kind == typed::StatementKind::kStore       ? "store"
            : statement.kind == typed::StatementKind::kAtomicAdd ? "atomic_add"
                                                                 : "update";
        Line(fmt::format(
            "{} {} : {} <- {} : {}", word, ToText(*statement.target),
            ToText(statement.target->type), ToText(*statement.value),
            ToText(statement.value->type)));
        return;
      }
      case typed::StatementKind::kAssert:
        Line(fmt::format("assert {}, \"{}\"", ToText(*statement.condition),
                         statement.text));
        return;
    }
  }

  void Loop(const typed::Loop& loop) {
    constexpr std::string_view kKinds[] = {"cores", "tiles", "range", "each"};
    std::string line =
        fmt::format("for {}: {} in {}(", loop.name, ToText(loop.type),
                    kKinds[static_cast<size_t>(loop.kind)]);
    if (loop.list) line += ToText(*loop.list);
    if (loop.low) line += ToText(*loop.low) + ", ";
    if (loop.high) line += ToText(*loop.high);
    if (loop.step) line += ", " + ToText(*loop.step);
    if (loop.tile) line += ", tile=" + ToText(*loop.tile);
    if (loop.reverse) line += ", reverse=" + ToText(*loop.reverse);
    line += ")";
    if (!loop.carried.empty()) {
      line += " carries";
      for (const typed::Variable* variable : loop.carried) {
        line += " " + variable->name;
      }
    }
    Line(line);
    Nested(loop.body);
  }

  void If(const typed::Statement& statement) {
    const std::string_view how = statement.how == typed::IfKind::kFits ? "fits"
                                 : statement.how == typed::IfKind::kDevice
                                     ? "device"
                                     : "variant";
    Line(fmt::format("if {} {}", how, ToText(*statement.condition)));
    Nested(statement.body);
    if (!statement.has_otherwise) return;
    Line("else");
    Nested(statement.otherwise);
  }

  std::string text_;
  int depth_ = 0;
};

}  // namespace

std::string ToText(const typed::Expr& expr) {
  const auto arg = [&](size_t i) { return ToText(*expr.args[i]); };
  switch (expr.kind) {
    case typed::ExprKind::kLiteral:
      return Literal(expr);
    case typed::ExprKind::kSize:
      return expr.text;
    case typed::ExprKind::kPackSize:
      return expr.text + ".size";
    case typed::ExprKind::kParameter:
      return expr.parameter->name;
    case typed::ExprKind::kVariable:
      return expr.variable->name;
    case typed::ExprKind::kLoopIndex:
      return expr.loop->name;
    case typed::ExprKind::kAuto:
      return "auto";
    case typed::ExprKind::kFunction:
      return std::string(InfoOf(expr.type.combine).spelling);
    case typed::ExprKind::kType: {
      const std::string element = ToText(expr.type.element);
      if (expr.args.empty()) return element;
      return fmt::format("{}[{}]", element, Joined(expr.args, 0));
    }
    case typed::ExprKind::kTuple:
      return fmt::format("({})", Joined(expr.args, 0));
    case typed::ExprKind::kOperation: {
      std::string text =
          fmt::format("{}({})", Name(expr.op), Joined(expr.args, 0));
      if (!expr.axes.empty()) {
        text += fmt::format("@[{}]", fmt::join(expr.axes, ", "));
      }
      return text;
    }
    case typed::ExprKind::kFromHost:
      return fmt::format("{}({})", ToText(expr.type.element), arg(0));
    case typed::ExprKind::kSelect:
      return fmt::format("({} if {} else {})", arg(0), arg(1), arg(2));
    case typed::ExprKind::kHostElement:
    case typed::ExprKind::kListElement:
      return fmt::format("{}[{}]", arg(0), arg(1));
    case typed::ExprKind::kHostLogic:
      if (expr.args.size() == 1) return fmt::format("(not {})", arg(0));
      return fmt::format("({})", Joined(expr.args, 0, ' ' + expr.text + ' '));
    case typed::ExprKind::kDtypeIs:
      return fmt::format("({} is {})", arg(0), arg(1));
    case typed::ExprKind::kFlat:
      return arg(0) + ".flat";
    case typed::ExprKind::kReshaped:
      return fmt::format("{}.view({})", arg(0), Joined(expr.args, 1));
    case typed::ExprKind::kAround:
      return fmt::format("{}.around({})", arg(0), arg(1));
    case typed::ExprKind::kTensorSize:
    case typed::ExprKind::kRangeSize:
      return arg(0) + ".size";
    case typed::ExprKind::kTensorRank:
      return arg(0) + ".rank";
    case typed::ExprKind::kDimension:
      return fmt::format("{}.shape[{}]", arg(0), arg(1));
    case typed::ExprKind::kListCount:
      return arg(0) + ".count";
    case typed::ExprKind::kRangeStart:
      return arg(0) + ".start";
    case typed::ExprKind::kRangeStop:
      return arg(0) + ".stop";
    case typed::ExprKind::kView:
    case typed::ExprKind::kSubscript:
      return fmt::format("{}[{}]", arg(0), Subscripts(expr.subscripts));
    case typed::ExprKind::kAcrossValue:
      return arg(0);
    case typed::ExprKind::kAcrossPrefix:
      return fmt::format("prefix {}[{}]", arg(0), Joined(expr.args, 1));
    case typed::ExprKind::kItem:
      return fmt::format("{}.{}", arg(0), expr.item);
  }
  return "";
}

std::string ToText(const typed::Kernel& kernel) {
  return Printer().Kernel(kernel);
}

std::string ToText(const typed::Program& program) {
  std::string text;
  for (const typed::Kernel* kernel : program.kernels) {
    if (!text.empty()) text += '\n';
    text += ToText(*kernel);
  }
  return text;
}

}  // namespace belay::crux
