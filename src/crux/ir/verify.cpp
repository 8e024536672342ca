// SPDX-License-Identifier: Apache-2.0
#include "crux/ir/verify.h"

#include <fmt/format.h>

#include <algorithm>

#include "crux/ir/walk.h"

namespace belay::crux::ir {
namespace {

bool MayMeet(const Dim& a, const Dim& b) {
  if (a.is_one() || b.is_one()) return true;
  return !a.size.is_constant() || !b.size.is_constant() ||
         a.size.value() == b.size.value();
}

// Whether `from` broadcasts to `to` by NumPy's rule, as far as can be said.
bool Broadcasts(const std::vector<Dim>& from, const std::vector<Dim>& to) {
  if (from.size() > to.size()) return false;
  for (size_t i = 0; i < from.size(); ++i) {
    const Dim& a = from[from.size() - 1 - i];
    const Dim& b = to[to.size() - 1 - i];
    if (!MayMeet(a, b) || (b.is_one() && !a.is_one())) return false;
  }
  return true;
}

size_t RankOf(const std::vector<Index>& indices, const Kernel& kernel) {
  size_t rank = 0;
  for (const Index& index : indices) {
    if (index.kind == IndexKind::kRange) ++rank;
    if (index.kind == IndexKind::kTile && index.tile >= 0) {
      rank += kernel.tiles.at(static_cast<size_t>(index.tile)).dims.size();
    }
  }
  return rank;
}

// Truth values are bool tiles, or after legalisation f16 tiles of 0 and 1; in
// global memory they are bytes.
bool IsTruth(DType dtype) {
  return dtype == DType::kBool || dtype == DType::kHalf;
}

class Verifier {
 public:
  explicit Verifier(const Kernel& kernel) : kernel_(kernel) {}

  std::vector<std::string> Run() {
    for (const std::string name :
         {"block_idx", "block_num", "core_count", "ub_size", "ub_used"}) {
      names_.insert(name);
    }
    for (size_t i = 0; i < kernel_.tiles.size(); ++i) {
      if (kernel_.tiles[i].id != static_cast<int>(i)) {
        Wrong(fmt::format("tile {} has the id {}", i, kernel_.tiles[i].id));
      }
    }
    for (const HostValue& value : kernel_.host) {
      Defined(value.formula, "the host value " + value.name);
      if (!names_.insert(value.name).second) {
        Wrong("two host values are called " + value.name);
      }
    }
    for (const TileParameter& parameter : kernel_.parameters) {
      Defined(Int::Name(parameter.name), "a tile parameter");
      Defined(parameter.extent, "the extent of " + parameter.name);
      Defined(parameter.outer, "the outer of " + parameter.name);
      Defined(parameter.most, "the most of " + parameter.name);
    }
    Visit(kernel_.body);
    return std::move(wrong_);
  }

 private:
  void Wrong(std::string message) {
    if (stmt_ != nullptr && stmt_->line > 0) {
      message = fmt::format("line {}: {}", stmt_->line, message);
    }
    wrong_.push_back(std::move(message));
  }

  void Defined(const Int& value, const std::string& where) {
    std::set<std::string> names;
    CollectNames(value, names);
    for (const std::string& name : names) {
      if (!names_.contains(name)) {
        Wrong(fmt::format("{} uses {}, which nothing defines", where, name));
      }
    }
  }

  const Tile* Find(int id) {
    if (id >= 0 && id < static_cast<int>(kernel_.tiles.size())) {
      return &kernel_.tiles[static_cast<size_t>(id)];
    }
    Wrong(fmt::format("there is no tile {}", id));
    return nullptr;
  }

  void Visit(const Block& block) {
    for (const auto& stmt : block) {
      stmt_ = stmt.get();
      Check(*stmt);
    }
  }

  // A block whose names and tiles end with it.
  std::set<int> VisitInside(const Block& block) {
    const std::set<std::string> names = names_;
    const std::set<int> assigned = assigned_;
    Visit(block);
    names_ = names;
    std::set<int> after = std::move(assigned_);
    assigned_ = assigned;
    return after;
  }

  void CheckUses(const Stmt& stmt) {
    ForEachTileRead(stmt, [&](int id) {
      const Tile* tile = Find(id);
      if (tile == nullptr) return;
      if (!assigned_.contains(id)) {
        Wrong(fmt::format("{} is read before it is assigned", tile->name));
      }
      for (const Dim& dim : tile->dims) {
        Defined(dim.size, "a size of " + tile->name);
        Defined(dim.capacity, "a capacity of " + tile->name);
      }
    });
    Stmt own = stmt;
    own.results.clear();
    ForEachInt(kernel_, own,
               [&](const Int& value) { Defined(value, "a statement"); });
  }

  void Assign(const Stmt& stmt) {
    for (const int id : stmt.results) {
      const Tile* tile = Find(id);
      if (tile == nullptr) continue;
      assigned_.insert(id);
      for (const Dim& dim : tile->dims) {
        Defined(dim.capacity, "a capacity of " + tile->name);
      }
    }
  }

  void Check(const Stmt& stmt) {
    CheckUses(stmt);
    switch (stmt.kind) {
      case StmtKind::kCompute:
        CheckCompute(stmt);
        break;
      case StmtKind::kSlice:
        CheckSlice(stmt);
        break;
      case StmtKind::kReshape:
        Expect(stmt.operands.size() == 1 && stmt.results.size() == 1,
               "another name takes one tile and gives one");
        break;
      case StmtKind::kTurn:
      case StmtKind::kTurnBack:
        CheckTurn(stmt);
        break;
      case StmtKind::kLoad:
      case StmtKind::kStore:
      case StmtKind::kAtomicAdd:
        CheckAccess(stmt);
        break;
      case StmtKind::kRead: {
        const Tile* tile = TileOperand(stmt, 0);
        if (tile != nullptr) {
          Expect(std::all_of(tile->dims.begin(), tile->dims.end(),
                             [](const Dim& dim) { return dim.is_one(); }),
                 fmt::format("{} is read and has more than one element",
                             tile->name));
          Expect(!IsFloating(tile->dtype) || tile->dtype == DType::kHalf,
                 fmt::format("{} is read and no integer", tile->name));
        }
        Expect(names_.insert(stmt.name).second,
               fmt::format("{} is defined twice", stmt.name));
        break;
      }
      case StmtKind::kLoop:
        return CheckLoop(*stmt.loop);
      case StmtKind::kIf: {
        const std::set<int> a = VisitInside(stmt.body);
        const std::set<int> b = VisitInside(stmt.otherwise);
        std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                              std::inserter(assigned_, assigned_.end()));
        return;
      }
      case StmtKind::kAcrossUpdate:
      case StmtKind::kAcrossValue:
      case StmtKind::kAcrossPrefix:
        Expect(stmt.across >= 0 &&
                   stmt.across < static_cast<int>(kernel_.across.size()),
               "there is no such value across cores");
        break;
      case StmtKind::kSyncAll:
        break;
    }
    Assign(stmt);
  }

  void Expect(bool holds, std::string message) {
    if (!holds) Wrong(std::move(message));
  }

  const Tile* TileOperand(const Stmt& stmt, size_t i) {
    const int* id = i < stmt.operands.size()
                        ? std::get_if<int>(&stmt.operands[i])
                        : nullptr;
    if (id != nullptr) return Find(*id);
    Wrong(fmt::format("operand {} is no tile", i));
    return nullptr;
  }

  void CheckLoop(const Loop& loop) {
    const std::set<std::string> names = names_;
    Expect(names_.insert(loop.name).second,
           fmt::format("the loop variable {} is defined twice", loop.name));
    if (!loop.extent.empty()) {
      Expect(names_.insert(loop.extent).second,
             fmt::format("{} is defined twice", loop.extent));
    }
    VisitInside(loop.body);
    names_ = names;
  }

  void CheckTurn(const Stmt& stmt) {
    const Tile* from = TileOperand(stmt, 0);
    const Tile* to = stmt.results.size() == 1 ? Find(stmt.results[0]) : nullptr;
    if (from == nullptr || to == nullptr) return Wrong("a turn without tiles");
    if (stmt.kind == StmtKind::kTurnBack) std::swap(from, to);
    Expect(from->dims.size() == 1 && !to->dims.empty(),
           fmt::format("{} is not rows one after the other", from->name));
    Expect(from->dtype == to->dtype, "a turn changes the dtype");
  }

  void CheckSlice(const Stmt& stmt) {
    const Tile* from = TileOperand(stmt, 0);
    const Tile* to = stmt.results.size() == 1 ? Find(stmt.results[0]) : nullptr;
    if (from == nullptr || to == nullptr) return Wrong("a slice without tiles");
    Expect(stmt.slice.size() == from->dims.size(),
           fmt::format("{} has rank {}, its slice {} indices", from->name,
                       from->dims.size(), stmt.slice.size()));
    Expect(RankOf(stmt.slice, kernel_) == to->dims.size(),
           fmt::format("the slice does not give the rank of {}", to->name));
    Expect(from->dtype == to->dtype, "a slice changes the dtype");
  }

  void CheckAccess(const Stmt& stmt) {
    const Access& access = stmt.access;
    if (access.tensor < 0 ||
        access.tensor >= static_cast<int>(kernel_.tensors.size())) {
      return Wrong(fmt::format("there is no tensor {}", access.tensor));
    }
    const Tensor& tensor = kernel_.tensors[static_cast<size_t>(access.tensor)];
    const size_t rank = RankOf(access.indices, kernel_);
    const Tile* tile =
        stmt.kind == StmtKind::kLoad
            ? (stmt.results.size() == 1 ? Find(stmt.results[0]) : nullptr)
            : TileOperand(stmt, 0);
    if (tile == nullptr) return Wrong("an access without a tile");
    const bool bytes =
        tile->dtype == DType::kUint8 && tensor.dtype == DType::kBool;
    Expect(tile->dtype == tensor.dtype || bytes,
           fmt::format("{} and {} differ in dtype", tile->name, tensor.name));
    if (stmt.kind == StmtKind::kLoad) {
      Expect(tile->dims.size() == rank,
             fmt::format("{} has rank {}, the view of {} has {}", tile->name,
                         tile->dims.size(), tensor.name, rank));
    } else {
      Expect(tile->dims.size() <= rank,
             fmt::format("{} has more axes than the view of {}", tile->name,
                         tensor.name));
    }
  }

  void CheckCompute(const Stmt& stmt) {
    if (stmt.results.empty()) return Wrong("a computation without a result");
    const Tile* result = Find(stmt.results[0]);
    if (result == nullptr) return;
    const OpInfo& info = InfoOf(stmt.op);
    std::vector<const Tile*> tiles;
    for (const Operand& operand : stmt.operands) {
      if (const int* id = std::get_if<int>(&operand)) {
        if (const Tile* tile = Find(*id)) tiles.push_back(tile);
      }
    }
    const std::string name(info.id);
    if (info.family != OpFamily::kMake) {
      Expect(!tiles.empty(), name + " of numbers only");
      if (tiles.empty()) return;
    }
    switch (info.family) {
      case OpFamily::kElementwise:
      case OpFamily::kCompare:
        for (const Tile* tile : tiles) {
          Expect(Broadcasts(tile->dims, result->dims),
                 fmt::format("{}: {} does not broadcast to {}", name,
                             tile->name, result->name));
        }
        CheckDtypes(stmt, *result);
        break;
      case OpFamily::kReduce: {
        const size_t left = tiles[0]->dims.size() - stmt.axes.size();
        Expect(!stmt.axes.empty(), name + " names no axis");
        Expect(result->dims.size() == left ||
                   result->dims.size() == tiles[0]->dims.size(),
               fmt::format("{} gives {} of a wrong rank", name, result->name));
        break;
      }
      case OpFamily::kScan:
      case OpFamily::kOrder:
        Expect(stmt.op == Op::kCompress || stmt.op == Op::kDeinterleave ||
                   stmt.axes.size() == 1,
               name + " works along one axis");
        break;
      default:
        break;
    }
    for (const int axis : stmt.axes) {
      Expect(axis >= 0 && axis < static_cast<int>(tiles.at(0)->dims.size()),
             fmt::format("{} has no axis {}", tiles[0]->name, axis));
    }
  }

  void CheckDtypes(const Stmt& stmt, const Tile& result) {
    const OpResult kind = InfoOf(stmt.op).result;
    const bool gives_bool =
        kind == OpResult::kBroadcastBool || kind == OpResult::kSameBool;
    // Operands before these are a condition: a tile of truth values, or the
    // two that are compared.
    const size_t first = stmt.op != Op::kWhere
                             ? 0
                             : std::max<size_t>(stmt.operands.size(), 2) - 2;
    DType expected = gives_bool ? DType::kNone : result.dtype;
    for (size_t i = 0; i < stmt.operands.size(); ++i) {
      const int* id = std::get_if<int>(&stmt.operands[i]);
      const Tile* tile = id != nullptr ? Find(*id) : nullptr;
      if (tile == nullptr) continue;
      if (i < first) {
        Expect(stmt.compare || IsTruth(tile->dtype),
               "where without a condition");
        continue;
      }
      if (expected == DType::kNone) expected = tile->dtype;
      Expect(tile->dtype == expected,
             fmt::format("{} of {} and {}: {}", InfoOf(stmt.op).id,
                         belay::NameOf(expected), belay::NameOf(tile->dtype),
                         tile->name));
    }
  }

  const Kernel& kernel_;
  const Stmt* stmt_ = nullptr;
  std::set<std::string> names_;
  std::set<int> assigned_;
  std::vector<std::string> wrong_;
};

}  // namespace

std::vector<std::string> Verify(const Kernel& kernel) {
  return Verifier(kernel).Run();
}

}  // namespace belay::crux::ir
