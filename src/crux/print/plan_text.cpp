// SPDX-License-Identifier: Apache-2.0
#include "crux/print/plan_text.h"

#include <fmt/format.h>

#include <set>
#include <vector>

namespace belay::crux::print {
namespace {

using code::StmtKind;

std::string_view PositionName(code::QueuePosition position) {
  switch (position) {
    case code::QueuePosition::kIn:
      return "VECIN";
    case code::QueuePosition::kOut:
      return "VECOUT";
    case code::QueuePosition::kBind:
      return "VECIN to VECOUT";
  }
  return "";
}

std::string_view RoleText(ir::TileParameter::Role role) {
  switch (role) {
    case ir::TileParameter::Role::kCores:
      return "shared out over the cores";
    case ir::TileParameter::Role::kRows:
      return "iterations that run as one, shared out over the cores";
    case ir::TileParameter::Role::kPiece:
      return "in order, on one core";
  }
  return "";
}

std::string_view RoleText(ir::TensorRole role) {
  switch (role) {
    case ir::TensorRole::kIn:
      return "read";
    case ir::TensorRole::kOut:
      return "written";
    case ir::TensorRole::kInOut:
      return "read and written";
    case ir::TensorRole::kScratch:
      return "workspace";
  }
  return "";
}

class PlanWriter {
 public:
  explicit PlanWriter(const CompiledVariant& variant)
      : variant_(variant), code_(*variant.code), tiles_(*variant.tiles) {}

  std::string Run() {
    Title();
    Pieces();
    Memory();
    Tensors();
    Line("cores");
    Line("  " + ir::ToText(code_.block_dim));
    Line("steps");
    for (const code::Function& function : code_.functions) {
      Line("  " + function.name);
      Steps(function.body, 2);
    }
    return std::move(text_);
  }

 private:
  void Line(const std::string& line) { text_ += line + "\n"; }

  void Title() {
    std::string title = "kernel " + tiles_.name;
    const auto& variables = tiles_.source->dtypes;
    for (size_t i = 0; i < variables.size() && i < variant_.dtypes.size();
         ++i) {
      title += fmt::format(", {} = {}", variables[i]->name,
                           belay::NameOf(variant_.dtypes[i]));
    }
    for (const auto& [condition, holds] : variant_.conditions) {
      title += fmt::format(", line {}: {}", condition->range.line,
                           holds ? "yes" : "no");
    }
    for (const auto& [statement, holds] : variant_.fits) {
      if (statement == nullptr) continue;
      title += fmt::format(", fits() of line {}: {}", statement->range.line,
                           holds ? "yes" : "no");
    }
    Line(title);
  }

  void Pieces() {
    if (tiles_.parameters.empty()) return;
    Line("pieces, as large as fits on chip");
    for (const ir::TileParameter& parameter : tiles_.parameters) {
      Line(fmt::format("  {:<12} of {}, a multiple of {}; {}", parameter.name,
                       ir::ToText(parameter.extent), parameter.unit,
                       RoleText(parameter.role)));
    }
  }

  void Memory() {
    Line("on chip, in bytes");
    for (const code::Queue& queue : code_.queues) {
      Line(fmt::format("  {:<12} {} x {} ({})", queue.name,
                       ir::ToText(queue.slots), ir::ToText(queue.bytes),
                       PositionName(queue.position)));
    }
    for (const code::Buffer& buffer : code_.buffers) {
      Line(fmt::format("  {:<12} {}", buffer.name, ir::ToText(buffer.bytes)));
    }
  }

  void Tensors() {
    Line("in global memory");
    for (const code::Global& global : code_.globals) {
      const ir::Tensor& tensor =
          tiles_.tensors[static_cast<size_t>(global.tensor)];
      Line(fmt::format("  {:<12} {} {}, {}", global.name,
                       belay::NameOf(global.dtype),
                       global.list ? "list" : ir::ToText(global.elements),
                       RoleText(tensor.role)));
    }
    if (!code_.workspace_bytes.Is(0)) {
      Line(fmt::format("  {} bytes of workspace",
                       ir::ToText(code_.workspace_bytes)));
    }
  }

  void Steps(const code::Block& block, int depth) {
    std::string calls;
    int line = 0;
    const auto end_calls = [&] {
      if (!calls.empty()) At(depth, line, calls);
      calls.clear();
    };
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kCall) {
        if (!calls.empty() && stmt->line != line) end_calls();
        line = stmt->line;
        calls += (calls.empty() ? "" : ", ") + stmt->function;
        continue;
      }
      const std::string what = Describe(*stmt);
      if (what.empty()) continue;
      end_calls();
      At(depth, stmt->line, what);
      Steps(stmt->body, depth + 1);
      if (stmt->otherwise.empty()) continue;
      At(depth, stmt->line, "else");
      Steps(stmt->otherwise, depth + 1);
    }
    end_calls();
  }

  void At(int depth, int line, const std::string& what) {
    const std::string mark = line > 0 ? fmt::format("{:>4}", line) : "    ";
    Line(fmt::format("{} {}{}", mark,
                     std::string(static_cast<size_t>(2 * depth), ' '), what));
  }

  // Empty for what a plan leaves out.
  static std::string Describe(const code::Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kFor:
        return fmt::format("for {} from {} to {} by {}", stmt.name,
                           ir::ToText(stmt.value), ir::ToText(stmt.high),
                           ir::ToText(stmt.step));
      case StmtKind::kIf:
        return "if " + ir::ToText(stmt.value);
      case StmtKind::kInvoke:
        return stmt.function;
      case StmtKind::kSetValue:
        return "set an element of " + stmt.target.name;
      case StmtKind::kSetGlobal:
        return "set an element of " + stmt.global.name;
      case StmtKind::kSync:
        return "wait " + stmt.text;
      case StmtKind::kBarrier:
        return "barrier " + stmt.text;
      case StmtKind::kSyncAll:
        return "all cores meet";
      case StmtKind::kOpenElement:
        return fmt::format("open {}[{}]", stmt.global.name,
                           ir::ToText(stmt.value));
      case StmtKind::kFault:
        return "fault: " + stmt.text;
      default:
        return "";
    }
  }

  const CompiledVariant& variant_;
  const code::Kernel& code_;
  const ir::Kernel& tiles_;
  std::string text_;
};

}  // namespace

std::string PlanText(const CompiledVariant& variant) {
  return PlanWriter(variant).Run();
}

}  // namespace belay::crux::print
