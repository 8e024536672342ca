// SPDX-License-Identifier: Apache-2.0
#include "compiled_coverage.h"

#include <fmt/format.h>

#include <cstdio>
#include <set>

#include "crux/interpret/host_call.h"
#include "crux/ir/walk.h"
#include "crux/lower/lower.h"

namespace belay::testing {
namespace {

namespace ir = crux::ir;

// Answers as the call and the compiled variant did.
class SameAnswers : public crux::HostOracle {
 public:
  SameAnswers(crux::interpret::HostCall& call,
              const crux::CompiledVariant& variant)
      : call_(call), fits_(variant.fits.begin(), variant.fits.end()) {}

  bool Decide(const crux::typed::Expr& condition) override {
    return call_.Integer(condition) != 0;
  }
  bool Fits(const crux::typed::Statement& statement) override {
    return fits_.at(&statement);
  }

 private:
  crux::interpret::HostCall& call_;
  std::map<const crux::typed::Statement*, bool> fits_;
};

KernelForm FormOf(const ir::Kernel& kernel) {
  KernelForm form = KernelForm::kFlat;
  for (const ir::TileParameter& parameter : kernel.parameters) {
    if (parameter.role == ir::TileParameter::Role::kRows) {
      return KernelForm::kRows;
    }
    if (parameter.role == ir::TileParameter::Role::kPiece) {
      form = KernelForm::kPieces;
    }
  }
  return form;
}

// Of the first tile that goes in, else of what comes out.
DType DtypeOf(const ir::Kernel& kernel, const ir::Stmt& stmt) {
  for (const ir::Operand& operand : stmt.operands) {
    if (const int* id = std::get_if<int>(&operand)) {
      return kernel.tiles[static_cast<size_t>(*id)].dtype;
    }
  }
  if (stmt.results.empty()) return DType::kNone;
  return kernel.tiles[static_cast<size_t>(stmt.results.front())].dtype;
}

std::optional<crux::Op> OperationOf(const ir::Stmt& stmt) {
  switch (stmt.kind) {
    case ir::StmtKind::kCompute:
      return stmt.op;
    case ir::StmtKind::kReshape:
      return crux::Op::kReshape;
    case ir::StmtKind::kLoad:
      return crux::Op::kLoad;
    case ir::StmtKind::kStore:
      return crux::Op::kStore;
    case ir::StmtKind::kAtomicAdd:
      return crux::Op::kAtomicAdd;
    case ir::StmtKind::kAcrossUpdate:
      return crux::Op::kAcrossCores;
    default:
      return std::nullopt;
  }
}

// Without the names and numbers that differ from program to program.
std::string ReasonOf(const std::string& refusal) {
  std::string reason;
  bool quoted = false;
  for (const char c : refusal) {
    if (c == '`') quoted = !quoted;
    if (quoted || (c >= '0' && c <= '9' && reason.size() > 8)) continue;
    reason += c;
  }
  return reason;
}

}  // namespace

void CompiledCoverage::Add(const crux::typed::Kernel& kernel,
                           const crux::interpret::Arguments& arguments,
                           const CompiledCase& result) {
  ++programs_;
  if (!result.refusal.empty()) {
    ++refused_;
    ++refusals_[ReasonOf(result.refusal)];
    return;
  }
  if (!result.variant.tiles) return;
  compared_.held += result.compared.held;
  compared_.in_doubt += result.compared.in_doubt;
  if (result.compared.held == 0) ++in_doubt_;
  const auto form = static_cast<size_t>(FormOf(*result.variant.tiles));
  crux::interpret::HostCall call(kernel, arguments, "program");
  SameAnswers answers(call, result.variant);
  const ir::Kernel lowered =
      crux::Lower(kernel, result.variant.dtypes, answers);
  ir::ForEachStmt(lowered.body, [&](const ir::Stmt& stmt) {
    if (const auto op = OperationOf(stmt)) {
      ++counts_[{*op, DtypeOf(lowered, stmt)}][form];
    }
  });
}

size_t CompiledCoverage::operations() const {
  std::set<crux::Op> met;
  for (const auto& [cell, counts] : counts_) met.insert(cell.first);
  return met.size();
}

void CompiledCoverage::Print() const {
  std::printf(
      "operation by dtype: statements in kernels of batched rows / of rows in "
      "pieces / flat\n");
  std::string line;
  std::optional<crux::Op> op;
  for (const auto& [cell, counts] : counts_) {
    if (cell.first != op) {
      if (!line.empty()) std::printf("%s\n", line.c_str());
      op = cell.first;
      line = fmt::format("{:<14}", crux::InfoOf(*op).id);
    }
    line += fmt::format("  {} {}/{}/{}", NameOf(cell.second), counts[0],
                        counts[1], counts[2]);
  }
  std::printf(
      "%s\n%zu elements held to a value or bound, %zu in doubt; no element "
      "held "
      "in %d programs\n%d programs, %d refused\n",
      line.c_str(), compared_.held, compared_.in_doubt, in_doubt_, programs_,
      refused_);
  for (const auto& [reason, count] : refusals_) {
    std::printf("%6d %s\n", count, reason.c_str());
  }
}

}  // namespace belay::testing
