// SPDX-License-Identifier: Apache-2.0
// The tile form of a kernel: names, and its text.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "crux/ir/tile.h"
#include "crux/print_typed.h"

namespace belay::crux::ir {
namespace {

// "exp", "bit_and".
std::string OperationText(Op op) {
  std::string name;
  for (const char c : InfoOf(op).id) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && !name.empty()) name += '_';
    name += capital ? static_cast<char>(c | 0x20) : c;
  }
  return name;
}

std::string RealText(double real) {
  if (std::isnan(real)) return "nan";
  if (std::isinf(real)) return real < 0 ? "-inf" : "inf";
  if (std::floor(real) == real && std::fabs(real) < 1e15) {
    return fmt::format("{:.1f}", real);
  }
  return fmt::format("{}", real);
}

std::string NumberText(const Number& number) {
  switch (number.kind) {
    case Number::Kind::kReal:
      return RealText(number.real);
    case Number::Kind::kHostReal:
      return number.name;
    case Number::Kind::kInt:
      return ToText(number.integer);
  }
  return "";
}

// "f32[c_size<=c_tile, N]".
std::string TypeText(DType dtype, const std::vector<Dim>& dims) {
  std::string text(belay::NameOf(dtype));
  if (dims.empty()) return text;
  text += '[';
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) text += ", ";
    text += ToText(dims[i].size);
    if (!Same(dims[i].size, dims[i].capacity)) {
      text += "<=" + ToText(dims[i].capacity);
    }
  }
  return text + ']';
}

class TilePrinter {
 public:
  explicit TilePrinter(const Kernel& kernel) : kernel_(kernel) {}

  std::string Print() {
    Header();
    PrintBlock(kernel_.body);
    return std::move(text_);
  }

 private:
  void Line(const std::string& line) {
    text_.append(static_cast<size_t>(depth_) * 2, ' ');
    text_ += line + '\n';
  }

  void Header() {
    std::string title = "kernel " + kernel_.name;
    for (size_t i = 0; i < kernel_.dtypes.size(); ++i) {
      title += fmt::format(
          " {}={}",
          kernel_.source != nullptr ? kernel_.source->dtypes.at(i)->name : "?",
          belay::NameOf(kernel_.dtypes[i]));
    }
    Line(title + (kernel_.fast ? " fast" : ""));
    ++depth_;
    constexpr std::string_view kRoles[] = {"in", "out", "inout", "scratch"};
    for (const Tensor& tensor : kernel_.tensors) {
      Line(fmt::format("{} {}: {}{}{}",
                       kRoles[static_cast<size_t>(tensor.role)], tensor.name,
                       tensor.list ? "list " : "", belay::NameOf(tensor.dtype),
                       tensor.list ? "" : "[" + ToText(tensor.elements) + "]"));
    }
    for (const HostValue& value : kernel_.host) Line(HostText(value));
    for (const Assertion& one : kernel_.asserts) {
      Line(fmt::format("assert {}, \"{}\"", crux::ToText(*one.condition),
                       one.Text()));
    }
    for (const Across& across : kernel_.across) {
      Line(fmt::format("across {}: {} {}", across.name,
                       OperationText(across.combine),
                       TypeText(across.dtype, across.dims)));
    }
  }

  std::string HostText(const HostValue& value) const {
    const std::string name = "host " + value.name;
    switch (value.source) {
      case HostSource::kSize:
        return name + ": size";
      case HostSource::kExpr:
        return fmt::format("{}: {}= {}", name, value.real ? "real " : "",
                           crux::ToText(*value.expr));
      case HostSource::kPerItem:
        return fmt::format("{}: for each {} = {}", name, value.loop->name,
                           crux::ToText(*value.expr));
      case HostSource::kList:
        return fmt::format("{}: list {}", name, crux::ToText(*value.expr));
      case HostSource::kLargest:
        return fmt::format("{}: largest of {}", name, ToText(value.formula));
      case HostSource::kFormula:
        return fmt::format("{} = {}", name, ToText(value.formula));
      case HostSource::kSlots:
        return name + ": slots";
      case HostSource::kChosen:
        break;
    }
    for (const TileParameter& parameter : kernel_.parameters) {
      if (parameter.name != value.name) continue;
      constexpr std::string_view kRoles[] = {"cores", "rows", "piece"};
      const bool limited = parameter.role != TileParameter::Role::kRows &&
                           !Same(parameter.most, TileParameter().most);
      return fmt::format(
          "{}: {} of {}{}{}{}", name,
          kRoles[static_cast<size_t>(parameter.role)], ToText(parameter.extent),
          parameter.outer.Is(1) ? "" : ", outer " + ToText(parameter.outer),
          parameter.unit == 1 ? "" : fmt::format(", unit {}", parameter.unit),
          limited ? ", at most " + ToText(parameter.most) : "");
    }
    return name + ": chosen";
  }

  std::string TileName(int id) const {
    if (id < 0 || id >= static_cast<int>(kernel_.tiles.size())) {
      return fmt::format("?{}", id);
    }
    return kernel_.tiles[static_cast<size_t>(id)].name;
  }

  int RankOfTile(int id) const {
    if (id < 0 || id >= static_cast<int>(kernel_.tiles.size())) return 1;
    return static_cast<int>(kernel_.tiles[static_cast<size_t>(id)].dims.size());
  }

  std::string OperandText(const Operand& operand) const {
    if (const int* id = std::get_if<int>(&operand)) return TileName(*id);
    return NumberText(std::get<Number>(operand));
  }

  std::string OperandsText(const Stmt& stmt) const {
    std::string text;
    for (const Operand& operand : stmt.operands) {
      text += (text.empty() ? "" : ", ") + OperandText(operand);
    }
    return text;
  }

  // An axis of the tile that is not the next one is named: r:+rows@0.
  std::string IndicesText(const std::vector<Index>& indices) const {
    std::string text;
    int next = 0;
    for (const Index& index : indices) {
      if (!text.empty()) text += ", ";
      switch (index.kind) {
        case IndexKind::kPoint:
          text += ToText(index.start);
          break;
        case IndexKind::kRange:
          text += fmt::format("{}:+{}", ToText(index.start),
                              ToText(index.extent.size));
          if (!index.step.Is(1)) text += ":" + ToText(index.step);
          break;
        case IndexKind::kTile:
          text += "at " + TileName(index.tile);
          break;
      }
      if (index.kind == IndexKind::kPoint) continue;
      if (index.axis != next) text += fmt::format("@{}", index.axis);
      next = index.axis +
             (index.kind == IndexKind::kRange ? 1 : RankOfTile(index.tile));
    }
    return text;
  }

  std::string AccessText(const Access& access) const {
    const Tensor& tensor =
        kernel_.tensors.at(static_cast<size_t>(access.tensor));
    std::string text = tensor.name;
    if (tensor.list) text += "{" + ToText(access.element) + "}";
    std::string dims;
    for (const Index& index : access.indices) {
      dims += (dims.empty() ? "" : ", ") + ToText(index.dim);
    }
    return fmt::format("{}({})[{}]", text, dims, IndicesText(access.indices));
  }

  // "t: f32[N], n: i32 = "; the type only where the tile is made.
  std::string ResultsText(const Stmt& stmt) {
    std::string text;
    for (const int id : stmt.results) {
      if (!text.empty()) text += ", ";
      text += TileName(id);
      if (std::find(shown_.begin(), shown_.end(), id) != shown_.end()) continue;
      shown_.push_back(id);
      const Tile& tile = kernel_.tiles.at(static_cast<size_t>(id));
      text += ": " + TypeText(tile.dtype, tile.dims);
    }
    return text + " = ";
  }

  static std::string OptionsText(const Stmt& stmt) {
    std::string text;
    if (!stmt.axes.empty()) {
      text += fmt::format(" axes [{}]", fmt::join(stmt.axes, ", "));
    }
    if (stmt.round) {
      constexpr std::string_view kModes[] = {"none",  "rint",  "floor", "ceil",
                                             "round", "trunc", "odd"};
      text += fmt::format(" {}", kModes[static_cast<size_t>(*stmt.round)]);
    }
    if (stmt.compare) text += " by " + OperationText(*stmt.compare);
    if (stmt.op == Op::kMul && stmt.operands.size() == 3) text += " then add";
    if (stmt.reverse) text += " reverse";
    if (stmt.exclusive) text += " exclusive";
    if (stmt.by_rows) text += " by rows";
    if (stmt.in_turns) text += " in turns";
    if (stmt.descending) text += " descending";
    if (!stmt.largest) text += " smallest";
    if (stmt.tanh) text += " tanh";
    if (stmt.of_size) text += " of size";
    if (stmt.op == Op::kNorm) text += " order " + RealText(stmt.order);
    return text;
  }

  void PrintBlock(const Block& block) {
    if (block.empty()) Line("pass");
    for (const auto& stmt : block) Print(*stmt);
  }

  void Nested(const Block& block) {
    ++depth_;
    PrintBlock(block);
    --depth_;
  }

  void PrintLoop(const Loop& loop) {
    std::string line = fmt::format("for {} in {} {}:{}", loop.name,
                                   loop.cores ? "cores" : "order",
                                   ToText(loop.low), ToText(loop.high));
    if (!loop.step.Is(1)) line += " by " + ToText(loop.step);
    if (!loop.extent.empty()) line += ", " + loop.extent;
    if (loop.reverse) line += ", reverse";
    Line(line);
    Nested(loop.body);
  }

  void Print(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kCompute:
        Line(fmt::format("{}{}({}){}", ResultsText(stmt),
                         OperationText(stmt.op), OperandsText(stmt),
                         OptionsText(stmt)));
        return;
      case StmtKind::kSlice:
        Line(fmt::format("{}{}[{}]", ResultsText(stmt), OperandsText(stmt),
                         IndicesText(stmt.slice)));
        return;
      case StmtKind::kReshape:
        Line(fmt::format("{}{}", ResultsText(stmt), OperandsText(stmt)));
        return;
      case StmtKind::kTurn:
        Line(fmt::format("{}turn {}", ResultsText(stmt), OperandsText(stmt)));
        return;
      case StmtKind::kTurnBack:
        Line(fmt::format("{}turn back {}", ResultsText(stmt),
                         OperandsText(stmt)));
        return;
      case StmtKind::kLoad:
        Line(fmt::format("{}load {}{}", ResultsText(stmt),
                         AccessText(stmt.access),
                         stmt.fill ? " fill " + NumberText(*stmt.fill) : ""));
        return;
      case StmtKind::kStore:
        Line(fmt::format("store {} = {}", AccessText(stmt.access),
                         OperandsText(stmt)));
        return;
      case StmtKind::kAtomicAdd:
        Line(fmt::format("atomic {} += {}", AccessText(stmt.access),
                         OperandsText(stmt)));
        return;
      case StmtKind::kRead:
        Line(fmt::format("read {} = {}", stmt.name, OperandsText(stmt)));
        return;
      case StmtKind::kLoop:
        PrintLoop(*stmt.loop);
        return;
      case StmtKind::kIf:
        Line("if " + ToText(stmt.condition));
        Nested(stmt.body);
        if (stmt.otherwise.empty()) return;
        Line("else");
        Nested(stmt.otherwise);
        return;
      case StmtKind::kAcrossUpdate:
        Line(fmt::format("across {}[{}] += {}", AcrossName(stmt),
                         IndicesText(stmt.slice), OperandsText(stmt)));
        return;
      case StmtKind::kAcrossValue:
        Line(ResultsText(stmt) + "across " + AcrossName(stmt));
        return;
      case StmtKind::kAcrossPrefix:
        Line(fmt::format("{}prefix {}[{}]", ResultsText(stmt), AcrossName(stmt),
                         IndicesText(stmt.slice)));
        return;
      case StmtKind::kSyncAll:
        Line("sync all");
        return;
    }
  }

  std::string AcrossName(const Stmt& stmt) const {
    return kernel_.across.at(static_cast<size_t>(stmt.across)).name;
  }

  const Kernel& kernel_;
  std::string text_;
  int depth_ = 0;
  std::vector<int> shown_;
};

}  // namespace

Tile& Kernel::NewTile(std::string_view wish, DType dtype, std::vector<Dim> dims,
                      int line) {
  Tile tile;
  tile.id = static_cast<int>(tiles.size());
  tile.name = FreshName(wish);
  tile.dtype = dtype;
  tile.dims = std::move(dims);
  tile.line = line;
  tiles.push_back(std::move(tile));
  return tiles.back();
}

std::string Assertion::Text() const {
  return line > 0 ? fmt::format("line {}: {}", line, message) : message;
}

std::string Kernel::FreshName(std::string_view wish) {
  const auto taken = [&](const std::string& name) {
    return used_names.contains(name);
  };
  std::string name(wish);
  if (taken(name)) {
    // t_2 makes way for t_3.
    const size_t digits = name.find_last_not_of("0123456789") + 1;
    if (digits < name.size() && digits > 1 && name[digits - 1] == '_') {
      wish = wish.substr(0, digits - 1);
    }
    for (int n = 2; taken(name); ++n) name = fmt::format("{}_{}", wish, n);
  }
  used_names.insert(name);
  return name;
}

std::string ToText(const Kernel& kernel) { return TilePrinter(kernel).Print(); }

}  // namespace belay::crux::ir
