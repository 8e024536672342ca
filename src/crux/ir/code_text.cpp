// SPDX-License-Identifier: Apache-2.0
// Code as text, for dumps and tests: C++ in spirit, short in form.

#include <fmt/format.h>

#include "crux/ir/code.h"

namespace belay::crux::code {
namespace {

std::string Name(DType dtype) { return std::string(belay::NameOf(dtype)); }

std::string At(const std::string& name, const Int& offset) {
  return offset.Is(0) ? name : fmt::format("{}[{}]", name, ToText(offset));
}

std::string Text(const Scalar& scalar) {
  const auto arg = [&](size_t i) { return Text(*scalar.args[i]); };
  switch (scalar.kind) {
    case ScalarKind::kReal:
      return fmt::format("{}", scalar.real);
    case ScalarKind::kHost:
    case ScalarKind::kVariable:
      return scalar.name;
    case ScalarKind::kInt:
      return ToText(scalar.integer);
    case ScalarKind::kElement:
      return At(scalar.local.name + ".value", scalar.local.offset);
    case ScalarKind::kGlobal:
      return At(scalar.global.name + ".value", scalar.global.offset);
    case ScalarKind::kUnary:
      return scalar.op + arg(0);
    case ScalarKind::kBinary:
      return fmt::format("({} {} {})", arg(0), scalar.op, arg(1));
    case ScalarKind::kSelect:
      return fmt::format("({} ? {} : {})", arg(0), arg(1), arg(2));
    case ScalarKind::kCast:
      return fmt::format("{}({})", Name(scalar.dtype), arg(0));
    case ScalarKind::kBits:
      return fmt::format("bits_{}({})", Name(scalar.dtype), arg(0));
  }
  return "";
}

struct ArgText {
  std::string operator()(const Local& local) const {
    return At(local.name, local.offset);
  }
  std::string operator()(const GlobalPart& global) const {
    return "gm " + At(global.name, global.offset);
  }
  std::string operator()(const Int& integer) const { return ToText(integer); }
  std::string operator()(const ScalarPtr& scalar) const {
    return Text(*scalar);
  }
  std::string operator()(const Word& word) const { return word.text; }
  std::string operator()(const Struct& fields) const {
    std::string text = "{";
    for (size_t i = 0; i < fields.fields.size(); ++i) {
      text += (i == 0 ? "" : ", ") + ToText(fields.fields[i]);
    }
    if (fields.padding != nullptr) text += ", " + Text(*fields.padding);
    return text + "}";
  }
};

std::string Call(const Stmt& stmt) {
  std::string text = stmt.function;
  for (size_t i = 0; i < stmt.types.size(); ++i) {
    const auto* dtype = std::get_if<DType>(&stmt.types[i]);
    text += i == 0 ? "<" : ", ";
    text +=
        dtype != nullptr ? Name(*dtype) : std::get<std::string>(stmt.types[i]);
  }
  if (!stmt.types.empty()) text += ">";
  text += "(";
  for (size_t i = 0; i < stmt.args.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::visit(ArgText(), stmt.args[i]);
  }
  return text + ")";
}

std::string Line(const Stmt& stmt) {
  const std::string dtype =
      stmt.dtype == DType::kNone ? "" : Name(stmt.dtype) + " ";
  switch (stmt.kind) {
    case StmtKind::kComment:
      return "# " + stmt.text;
    case StmtKind::kLet:
      return fmt::format("let {} = {}", stmt.name, ToText(stmt.value));
    case StmtKind::kSet:
      return fmt::format("{} = {}", stmt.name, ToText(stmt.value));
    case StmtKind::kVariable:
      return fmt::format("var {} = {}", stmt.name, ToText(stmt.value));
    case StmtKind::kScalarLet:
      return fmt::format("let {}{} = {}", dtype, stmt.name, Text(*stmt.scalar));
    case StmtKind::kFor:
      return fmt::format("for {} in {}..{} step {}", stmt.name,
                         ToText(stmt.value), ToText(stmt.high),
                         ToText(stmt.step));
    case StmtKind::kIf:
      return "if " + ToText(stmt.value);
    case StmtKind::kCall:
      return Call(stmt);
    case StmtKind::kAlloc:
      return fmt::format("{}{} = alloc {}", dtype, stmt.name, stmt.from);
    case StmtKind::kEnQue:
      return fmt::format("enque {} to {}", stmt.name, stmt.from);
    case StmtKind::kDeQue:
      return fmt::format("{}{} = deque {}", dtype, stmt.name, stmt.from);
    case StmtKind::kFree:
      return fmt::format("free {} to {}", stmt.name, stmt.from);
    case StmtKind::kGet:
      return fmt::format("{}{} = get {}", dtype, stmt.name,
                         At(stmt.from, stmt.value));
    case StmtKind::kCast:
      return fmt::format("{}{} = cast {}", dtype, stmt.name,
                         At(stmt.from, stmt.value));
    case StmtKind::kSetValue:
      return fmt::format("{} = {}", At(stmt.target.name, stmt.target.offset),
                         Text(*stmt.scalar));
    case StmtKind::kSetGlobal:
      return fmt::format("gm {} = {}", At(stmt.global.name, stmt.global.offset),
                         Text(*stmt.scalar));
    case StmtKind::kSync:
      return "sync " + stmt.text;
    case StmtKind::kBarrier:
      return "barrier " + stmt.text;
    case StmtKind::kSyncAll:
      return "sync_all";
    case StmtKind::kOpenElement:
      return fmt::format("open {} of {}", ToText(stmt.value), stmt.global.name);
    case StmtKind::kInvoke: {
      std::string text = stmt.function + "(";
      for (const std::string& tensor : stmt.tensors) text += tensor + ", ";
      for (const Int& argument : stmt.arguments) {
        text += ToText(argument) + ", ";
      }
      if (text.ends_with(", ")) text.resize(text.size() - 2);
      return text + ")";
    }
    case StmtKind::kFault:
      return "fault \"" + stmt.text + "\"";
  }
  return "";
}

void Append(const Block& block, int depth, std::string& text) {
  for (const auto& stmt : block) {
    text += std::string(2 * depth, ' ') + Line(*stmt) + "\n";
    Append(stmt->body, depth + 1, text);
    if (stmt->otherwise.empty()) continue;
    text += std::string(2 * depth, ' ') + "else\n";
    Append(stmt->otherwise, depth + 1, text);
  }
}

}  // namespace

std::string ToText(const Kernel& kernel) {
  constexpr std::string_view kPositions[] = {"in", "out", "bind"};
  constexpr std::string_view kRanks[] = {" in front", " between", ""};
  std::string text;
  for (const Queue& queue : kernel.queues) {
    text += fmt::format("queue {} {} x{}: {} bytes{}\n", queue.name,
                        kPositions[static_cast<size_t>(queue.position)],
                        ToText(queue.slots), ToText(queue.bytes),
                        kRanks[static_cast<size_t>(queue.rank)]);
  }
  for (const Buffer& buffer : kernel.buffers) {
    text += fmt::format("buffer {}: {} bytes{}\n", buffer.name,
                        ToText(buffer.bytes),
                        kRanks[static_cast<size_t>(buffer.rank)]);
  }
  for (const Global& global : kernel.globals) {
    if (global.past_l2.Is(0)) continue;
    text += fmt::format("loads of {} pass L2 by if {}\n", global.name,
                        ToText(global.past_l2));
  }
  text += fmt::format("blocks {}\n", ToText(kernel.block_dim));
  if (!kernel.workspace_bytes.Is(0)) {
    text += fmt::format("workspace {}\n", ToText(kernel.workspace_bytes));
  }
  for (const Function& function : kernel.functions) {
    text += "function " + function.name + "(";
    std::string parameters;
    for (const TensorParameter& tensor : function.tensors) {
      parameters += Name(tensor.dtype) + " " + tensor.name + ", ";
    }
    for (const std::string& name : function.parameters) {
      parameters += name + ", ";
    }
    if (!parameters.empty()) parameters.resize(parameters.size() - 2);
    text += parameters + ")\n";
    Append(function.body, 1, text);
  }
  return text;
}

}  // namespace belay::crux::code
