// SPDX-License-Identifier: Apache-2.0
#include "crux/select/work.h"

#include <algorithm>

#include "crux/select/layout.h"
#include "crux/select/occurrences.h"

namespace belay::crux::select {
namespace {

using ir::StmtKind;

// Bytes that reach a core in a cycle when all of them load, and bytes that an
// instruction works on in a cycle (910B1: 1.56 TB/s for 48 cores of 1.85 GHz).
constexpr double kLoadedBytes = 17.5;
constexpr double kVectorBytes = 256;
// So much longer must the work take: loads and stores share the memory.
constexpr double kMargin = 1.0;

// Cycles for 256 bytes, about.
double CyclesOf(const ir::Stmt& stmt) {
  switch (stmt.op) {
    case Op::kExp:
    case Op::kLn:
    case Op::kSqrt:
    case Op::kDiv:
      return 2;
    default:
      return 1;
  }
}

// Instructions that wait for the vector unit at most, and those of a statement
// that goes over rows one by one, about.
constexpr int kWaiting = 24;
constexpr int kForRows = 8;

int InstructionsOf(const ir::Kernel& kernel, const ir::Stmt& stmt) {
  const auto layout = [&](int tile) {
    return LayoutOf(kernel.tiles[tile].dims, PaddingOf(kernel));
  };
  const Layout result = layout(stmt.results[0]);
  for (const int tile : TilesReadBy(stmt)) {
    const Layout operand = layout(tile);
    const bool rows = !operand.is_flat() || !result.is_flat();
    if (rows && !SamePlaces(operand, result)) return kForRows;
  }
  return 1;
}

}  // namespace

bool IsLongTurn(const ir::Kernel& kernel, const ir::Block& block) {
  int instructions = 0;
  for (const auto& stmt : block) {
    if (stmt->kind == StmtKind::kCompute) {
      instructions += InstructionsOf(kernel, *stmt);
    }
  }
  return instructions >= kWaiting;
}

bool IsHeldByVectors(const ir::Kernel& kernel, const ir::Block& block,
                     int tile) {
  const int64_t padding = PaddingOf(kernel);
  const ir::Int elements = LayoutOf(kernel.tiles[tile].dims, padding).elements;
  const auto bytes_of = [&](int other) -> double {
    const ir::Tile& one = kernel.tiles[other];
    if (!ir::Same(LayoutOf(one.dims, padding).elements, elements)) return 0;
    return static_cast<double>(BytesOf(one.dtype));
  };
  double work = 0;
  double loads = 0;
  for (const auto& stmt : block) {
    if (stmt->kind == StmtKind::kLoad) {
      loads += bytes_of(stmt->results[0]) / kLoadedBytes;
    }
    if (stmt->kind != StmtKind::kCompute) continue;
    double widest = 0;
    for (const int one : stmt->results)
      widest = std::max(widest, bytes_of(one));
    for (const int one : TilesReadBy(*stmt)) {
      widest = std::max(widest, bytes_of(one));
    }
    work += widest * CyclesOf(*stmt) / kVectorBytes;
  }
  return work > loads * kMargin;
}

}  // namespace belay::crux::select
