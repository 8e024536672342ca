// SPDX-License-Identifier: Apache-2.0
#include "crux/select/work.h"

#include <algorithm>

#include "crux/passes/walk.h"
#include "crux/select/views.h"

namespace belay::crux::select {
namespace {

using ir::StmtKind;

// Bytes that reach a core in a cycle when all of them load, and bytes that an
// instruction works on in a cycle (910B1: 1.56 TB/s for 48 cores of 1.85 GHz).
constexpr double kLoadedBytes = 17.5;
constexpr double kVectorBytes = 256;
// Bytes that a core stores in a cycle, to the L2 cache.
constexpr double kStoredBytes = 50;
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

// What it takes to start an instruction, and a reduction along rows, by the
// cycles of 256 bytes: tiles with rows that are reduced are some 32 KB large.
constexpr double kStart = 0.25;
constexpr double kStartsOfReduction = 0.9;
// So much longer must the work take where these are a good part of it. With one
// slot a tile's load runs beside all of it but the tile's own conversion.
constexpr double kMarginOfLoad = 1.15;
// Work between these parts of the loads holds a loop up as much as they do.
constexpr double kLeastHeld = 0.6;
constexpr double kMostHeld = 1.2;

// Instructions of a turn that fill the line before the vector unit, and those
// of a statement that goes over rows one by one, about.
constexpr int kWaiting = 16;
constexpr int kForRows = 8;

int InstructionsOf(const Layouts& layouts, const ir::Stmt& stmt) {
  const Layout& result = layouts[stmt.results[0]];
  const bool for_rows = ir::AnyTileRead(stmt, [&](int tile) {
    const Layout& operand = layouts[tile];
    const bool rows = !operand.is_flat() || !result.is_flat();
    return rows && !SamePlaces(operand, result);
  });
  return for_rows ? kForRows : 1;
}

}  // namespace

bool IsLongTurn(const Layouts& layouts, const ir::Block& block) {
  int instructions = 0;
  for (const auto& stmt : block) {
    if (stmt->kind == StmtKind::kCompute) {
      instructions += InstructionsOf(layouts, *stmt);
    }
  }
  return instructions >= kWaiting;
}

namespace {

// Elements of tiles in `block` that are about as large as `tile`: as many, or
// those of a window over its rows.
std::vector<ir::Int> ElementsLike(const ir::Kernel& kernel,
                                  const Layouts& layouts,
                                  const ir::Block& block, int tile) {
  std::vector<ir::Int> like = {layouts[tile].elements};
  const auto is_like = [&](const ir::Int& elements) {
    return std::any_of(like.begin(), like.end(), [&](const ir::Int& one) {
      return ir::Same(one, elements);
    });
  };
  const auto grows = [&](const ir::Int& elements) {
    return std::any_of(kernel.parameters.begin(), kernel.parameters.end(),
                       [&](const ir::TileParameter& one) {
                         return ir::Mentions(elements, one.name);
                       });
  };
  for (const auto& stmt : block) {
    if (stmt->kind != StmtKind::kSlice || !FirstOfRows(kernel, *stmt)) continue;
    const ir::Int& part = layouts[stmt->results[0]].elements;
    if (is_like(layouts[std::get<int>(stmt->operands[0])].elements) &&
        grows(part) && !is_like(part)) {
      like.push_back(part);
    }
  }
  return like;
}

// What a loaded tile is on lanes; itself if it is not turned.
int TurnedTo(const ir::Block& block, int tile) {
  for (const auto& stmt : block) {
    if (stmt->kind == StmtKind::kTurn &&
        std::get<int>(stmt->operands[0]) == tile) {
      return stmt->results[0];
    }
  }
  return tile;
}

// Starts of the instructions where rows are reduced and others stored: cycles
// for each 256 bytes of such a tile.
double StartsOf(const Layouts& layouts, const ir::Block& block,
                const ir::Int& elements) {
  bool reduces = false;
  bool stores = false;
  double starts = 0;
  for (const auto& stmt : block) {
    if (stmt->kind == StmtKind::kStore) {
      const int stored = std::get<int>(stmt->operands[0]);
      stores = stores || ir::Same(layouts[stored].elements, elements);
    }
    if (stmt->kind != StmtKind::kCompute) continue;
    starts += kStart;
    if (!passes::IsReduction(*stmt)) continue;
    const Layout& from = layouts[std::get<int>(stmt->operands[0])];
    if (from.is_flat() || !ir::Same(from.elements, elements)) continue;
    reduces = true;
    starts += kStartsOfReduction;
  }
  return reduces && stores ? starts : 0;
}

// Cycles for each element of a tile, of one turn of the loop over its block.
struct Turn {
  double work = 0;
  double conversion = 0;  // the part of the work that converts the tile
  double loads = 0;
  double own = 0;       // the load of the tile itself
  int statements = 0;   // that work
  bool stores = false;  // a tile as large
};

Turn TurnOf(const ir::Kernel& kernel, const Layouts& layouts,
            const ir::Block& block, int tile) {
  std::vector<ir::Int> like = ElementsLike(kernel, layouts, block, tile);
  if (const int turned = TurnedTo(block, tile); turned != tile) {
    like.push_back(layouts[turned].elements);
  }
  const auto bytes_of = [&](int other) -> double {
    const ir::Int& own = layouts[other].elements;
    if (std::none_of(like.begin(), like.end(), [&](const ir::Int& one) {
          return ir::Same(one, own);
        })) {
      return 0;
    }
    return static_cast<double>(BytesOf(kernel.tiles[other].dtype));
  };
  Turn turn;
  for (const auto& stmt : block) {
    if (stmt->kind == StmtKind::kLoad) {
      const double cycles = bytes_of(stmt->results[0]) / kLoadedBytes;
      turn.loads += cycles;
      if (stmt->results[0] == tile) turn.own = cycles;
    }
    if (stmt->kind == StmtKind::kStore) {
      turn.stores |= bytes_of(std::get<int>(stmt->operands[0])) > 0;
    }
    if (stmt->kind != StmtKind::kCompute && stmt->kind != StmtKind::kTurn &&
        stmt->kind != StmtKind::kTurnBack) {
      continue;
    }
    double widest = 0;
    for (const int one : stmt->results)
      widest = std::max(widest, bytes_of(one));
    bool converts = false;
    ir::ForEachTileRead(*stmt, [&](int one) {
      widest = std::max(widest, bytes_of(one));
      converts = converts || (one == tile && stmt->op == Op::kTo);
    });
    const double cycles = widest * CyclesOf(*stmt) / kVectorBytes;
    if (converts) turn.conversion += cycles;
    turn.work += cycles;
    turn.statements += widest > 0;
  }
  return turn;
}

}  // namespace

bool IsHeldByVectors(const ir::Kernel& kernel, const Layouts& layouts,
                     const ir::Block& block, int tile) {
  const Turn turn = TurnOf(kernel, layouts, block, tile);
  const ir::Int& elements = layouts[tile].elements;
  const double starts =
      StartsOf(layouts, block, elements) * sizeof(float) / kVectorBytes;
  const double margin = starts > 0 ? kMarginOfLoad : kMargin;
  if (turn.conversion > 0 &&
      turn.work + starts - turn.conversion < turn.own * margin) {
    return false;
  }
  return turn.work + starts > turn.loads * margin;
}

bool IsHeldByBoth(const ir::Kernel& kernel, const Layouts& layouts,
                  const ir::Block& block, int tile) {
  const Turn turn = TurnOf(kernel, layouts, block, tile);
  const double starts = turn.statements * kStart * sizeof(float) / kVectorBytes;
  const double part = (turn.work + starts) / turn.loads;
  return turn.stores && TurnedTo(block, tile) == tile &&
         turn.own == turn.loads && kLeastHeld < part && part < kMostHeld;
}

bool IsStoredBesideWork(const ir::Kernel& kernel, const Layouts& layouts,
                        const ir::Block& block, int tile) {
  const Turn turn = TurnOf(kernel, layouts, block, tile);
  const auto bytes = static_cast<double>(BytesOf(kernel.tiles[tile].dtype));
  return turn.work - turn.conversion > bytes / kStoredBytes;
}

int StatementsBefore(const Layouts& layouts, const ir::Block& block,
                     const ir::Stmt* end, int tile) {
  int statements = 0;
  for (const auto& stmt : block) {
    if (stmt.get() == end) break;
    if (stmt->kind != StmtKind::kCompute) continue;
    statements += ir::AnyTileRead(*stmt, [&](int one) {
      return ir::Same(layouts[one].elements, layouts[tile].elements);
    });
  }
  return statements;
}

namespace {

bool Loads(const ir::Block& block) {
  bool loads = false;
  passes::ForEachStmt(block, [&](const ir::Stmt& stmt) {
    loads = loads || stmt.kind == StmtKind::kLoad;
  });
  return loads;
}

}  // namespace

ir::Int BytesWaitedFor(const ir::Kernel& kernel, const Layouts& layouts,
                       const ir::Block& block) {
  ir::Int bytes = 0;
  int largest = -1;
  size_t most_axes = 0;
  for (const auto& stmt : block) {
    if (stmt->kind == StmtKind::kLoop && Loads(stmt->loop->body)) return 0;
    if (stmt->kind != StmtKind::kLoad) continue;
    const ir::Tile& tile = kernel.tiles[stmt->results[0]];
    bytes = bytes + layouts[tile.id].elements *
                        static_cast<int64_t>(BytesOf(tile.dtype));
    if (largest >= 0 && tile.dims.size() <= most_axes) continue;
    largest = stmt->results[0];
    most_axes = tile.dims.size();
  }
  if (largest < 0 || IsHeldByVectors(kernel, layouts, block, largest)) return 0;
  return passes::IsHost(kernel, bytes) ? bytes : ir::Int(0);
}

}  // namespace belay::crux::select
