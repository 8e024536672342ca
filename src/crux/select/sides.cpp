// SPDX-License-Identifier: Apache-2.0
#include "crux/select/sides.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "crux/passes/walk.h"
#include "crux/select/elementwise.h"
#include "crux/select/emitter.h"
#include "crux/select/layout.h"

namespace belay::crux::select {
namespace {

// After so many bytes bank groups repeat.
constexpr int64_t kPeriod = 512;
constexpr int64_t kBlock = 32;

// What is converted between queues and buffers to elements of another size, in
// the innermost loops that do. A conversion reads and writes at different paces
// and waits where both are in 64 KB, longest when it narrows.
class Conversions {
 public:
  Conversions(const ir::Kernel& kernel, const StoragePlan& plan)
      : kernel_(kernel), plan_(plan) {
    Visit(kernel.body, 0);
  }

  // Whether the buffer has converted tiles.
  bool HasBuffer(const std::string& name) const {
    return buffers_.contains(name);
  }

  // The buffer from which tiles are narrowed to a queue; empty: none.
  std::string SourceOf(const std::string& queue) const {
    const auto found = narrowed_.find(queue);
    return found == narrowed_.end() ? "" : found->second;
  }

 private:
  void Visit(const ir::Block& block, int depth) {
    for (const auto& stmt : block) {
      Add(*stmt, depth);
      Visit(stmt->body, depth);
      Visit(stmt->otherwise, depth);
      if (stmt->kind == ir::StmtKind::kLoop) Visit(stmt->loop->body, depth + 1);
    }
  }

  void Add(const ir::Stmt& stmt, int depth) {
    if (stmt.kind != ir::StmtKind::kCompute || stmt.op != Op::kTo) return;
    const int* from = std::get_if<int>(&stmt.operands[0]);
    if (from == nullptr || depth < depth_) return;
    const int to = stmt.results[0];
    const size_t read = BytesOf(kernel_.tiles[*from].dtype);
    const size_t written = BytesOf(kernel_.tiles[to].dtype);
    const Storage& source = plan_.tiles[plan_.tiles[*from].root];
    const Storage& result = plan_.tiles[plan_.tiles[to].root];
    if (read == written || source.home == result.home) return;
    if (depth > depth_) {
      buffers_.clear();
      narrowed_.clear();
    }
    depth_ = depth;
    for (const Storage* one : {&source, &result}) {
      if (one->home == Home::kBuffer) buffers_.insert(one->container);
    }
    if (written < read) narrowed_[result.container] = source.container;
  }

  const ir::Kernel& kernel_;
  const StoragePlan& plan_;
  int depth_ = 0;
  std::set<std::string> buffers_;
  std::map<std::string, std::string> narrowed_;  // by queue
};

// Turns of a loop, about, and of all around a statement at most.
constexpr int kTurns = 8;
constexpr int kMostTimes = 1 << 18;

// So many can be tried in all ways.
constexpr size_t kFew = 10;

// Pairs that should be apart, by how often.
using Pairs = std::map<std::pair<std::string, std::string>, int>;

class Chooser {
 public:
  // `set_apart`: buffers that have no side.
  Chooser(const ir::Kernel& kernel, const Layouts& layouts,
          const StoragePlan& plan, const std::set<std::string>& set_apart)
      : kernel_(kernel), plan_(plan), layouts_(layouts), set_apart_(set_apart) {
    Visit(kernel.body);
  }

  std::set<std::string> Run() {
    std::vector<std::string> movable;
    for (const code::Buffer& buffer : plan_.buffers) {
      movable.push_back(buffer.name);
    }
    const Conversions conversions(kernel_, plan_);
    std::stable_partition(
        movable.begin(), movable.end(),
        [&](const std::string& name) { return !conversions.HasBuffer(name); });
    for (const code::Queue& queue : plan_.queues) movable.push_back(queue.name);
    std::erase_if(movable, [&](const std::string& name) {
      return std::none_of(pairs_.begin(), pairs_.end(), [&](const auto& one) {
        return one.first.first == name || one.first.second == name;
      });
    });
    const std::set<std::string> good = Good(movable);
    return movable.size() <= kFew ? Best(movable, good) : good;
  }

 private:
  // Of all choices, each one move from the last, the first that parts most;
  // `good` unless another is better.
  std::set<std::string> Best(const std::vector<std::string>& movable,
                             const std::set<std::string>& good) const {
    const size_t count = movable.size();
    const auto index = [&](const std::string& name) {
      return static_cast<size_t>(
          std::find(movable.begin(), movable.end(), name) - movable.begin());
    };
    // What stays behind comes last.
    std::vector<std::vector<int>> times(count, std::vector<int>(count + 1));
    for (const auto& [pair, often] : pairs_) {
      const size_t i = index(pair.first);
      const size_t j = index(pair.second);
      if (i < count) times[i][j] += often;
      if (j < count) times[j][i] += often;
    }
    int64_t most = 0;
    for (const auto& [pair, often] : pairs_) {
      const bool apart =
          good.contains(pair.first) != good.contains(pair.second);
      if (apart) most += often;
    }
    uint32_t front = 0;
    uint32_t best = 0;
    int64_t parted = 0;
    for (uint32_t choice = 1; choice < uint32_t{1} << count; ++choice) {
      const auto moved = static_cast<size_t>(std::countr_zero(choice));
      for (size_t other = 0; other <= count; ++other) {
        const bool apart = ((front >> moved ^ front >> other) & 1) != 0;
        parted += apart ? -times[moved][other] : times[moved][other];
      }
      front ^= uint32_t{1} << moved;
      if (parted <= most) continue;
      most = parted;
      best = front;
    }
    if (best == 0) return good;
    std::set<std::string> names;
    for (size_t i = 0; i < count; ++i) {
      if ((best >> i & 1) != 0) names.insert(movable[i]);
    }
    return names;
  }

  // Moves one by one, as long as any parts more pairs.
  std::set<std::string> Good(const std::vector<std::string>& movable) const {
    std::set<std::string> front;
    for (bool again = true; again;) {
      again = false;
      for (const std::string& name : movable) {
        if (GainOfMoving(name, front) <= 0) continue;
        if (front.erase(name) == 0) front.insert(name);
        again = true;
      }
    }
    return front;
  }

  void Visit(const ir::Block& block) {
    for (const auto& stmt : block) {
      Count(*stmt);
      Visit(stmt->body);
      Visit(stmt->otherwise);
      if (stmt->kind != ir::StmtKind::kLoop) continue;
      const int times = times_;
      times_ = std::min(times_ * kTurns, kMostTimes);
      Visit(stmt->loop->body);
      times_ = times;
    }
  }

  // Empty: one element, or no memory of its own.
  std::string ContainerOf(const ir::Operand& operand) const {
    const int* tile = std::get_if<int>(&operand);
    if (tile == nullptr) return "";
    if (layouts_[*tile].last < 0) return "";
    return plan_.tiles[plan_.tiles[*tile].root].container;
  }

  // Whether an operand has one number for each row of the result: it is read
  // from where that is spread.
  bool IsSpread(const ir::Stmt& stmt, size_t operand) const {
    const int* tile = std::get_if<int>(&stmt.operands[operand]);
    const std::vector<ir::Dim>& result = kernel_.tiles[stmt.results[0]].dims;
    if (tile == nullptr || result.empty()) return false;
    const std::vector<ir::Dim>& own = kernel_.tiles[*tile].dims;
    return !own.empty() && own.back().is_one() && !result.back().is_one();
  }

  void Add(const std::string& a, const std::string& b) {
    if (a.empty() || b.empty() || a == b) return;
    if (set_apart_.contains(a) || set_apart_.contains(b)) return;
    pairs_[std::minmax(a, b)] += times_;
  }

  void Count(const ir::Stmt& stmt) {
    if (stmt.kind != ir::StmtKind::kCompute) return;
    if (InfoOf(stmt.op).family == OpFamily::kReduce) {
      if (const auto beside = plan_.beside.find(&stmt);
          beside != plan_.beside.end()) {
        Add(ContainerOf(stmt.operands[0]),
            plan_.tiles[beside->second].container);
      }
      const auto spare = plan_.spare.find(&stmt);
      const std::string scratch =
          layouts_.padding().lanes.empty() ? std::string(kScratchBuffer) : "";
      return Add(ContainerOf(stmt.operands[0]),
                 spare == plan_.spare.end() ? FoldsInto(stmt)
                 : spare->second.empty()    ? scratch
                                            : spare->second);
    }
    const auto add = [&](size_t i, size_t j) {
      if (IsSpread(stmt, i) || IsSpread(stmt, j)) return;
      Add(ContainerOf(stmt.operands[i]), ContainerOf(stmt.operands[j]));
    };
    const bool fused = stmt.op == Op::kMul && stmt.operands.size() == 3;
    if (fused) {
      // FusedMulAdd reads what it does not write over, Axpy both.
      return PlaceOfMultiplyAdd(stmt) == 0 ? add(1, 2) : add(0, 2);
    }
    if (stmt.op == Op::kWhere) {
      if (stmt.compare) add(0, 1);
      const size_t values = stmt.operands.size() - 2;
      return add(values, values + 1);
    }
    if (stmt.operands.size() != 2) return;
    add(0, 1);
    // Two cycles a repeat: twice as many are lost.
    if (stmt.op == Op::kDiv) add(0, 1);
  }

  // What a reduction's operand meets: along the last axis scratch, along others
  // the result.
  std::string FoldsInto(const ir::Stmt& stmt) const {
    const int operand = std::get<int>(stmt.operands[0]);
    const int last = layouts_[operand].last;
    const bool rows =
        std::find(stmt.axes.begin(), stmt.axes.end(), last) != stmt.axes.end();
    // Halves, and parts in slots of loaded tiles, are far from it as they are.
    const int host = plan_.tiles[plan_.tiles[operand].root].host;
    if (rows && (kernel_.tiles[operand].dtype == DType::kHalf ||
                 (plan_.parts.contains(&stmt) && host >= 0 &&
                  plan_.tiles[host].home == Home::kQueueIn))) {
      return "";
    }
    return rows ? std::string(kScratchBuffer) : ContainerOf(stmt.results[0]);
  }

  int GainOfMoving(const std::string& name,
                   const std::set<std::string>& front) const {
    int gain = 0;
    for (const auto& [pair, times] : pairs_) {
      if (pair.first != name && pair.second != name) continue;
      const bool apart =
          front.contains(pair.first) != front.contains(pair.second);
      gain += apart ? -times : times;
    }
    return gain;
  }

  const ir::Kernel& kernel_;
  const StoragePlan& plan_;
  const Layouts& layouts_;
  const std::set<std::string>& set_apart_;
  Pairs pairs_;
  int times_ = 1;  // that the statement at hand runs, about
};

// Whether numbers of rows on lanes meet columns, and none in front.
bool MeetColumnsBehind(const ir::Kernel& kernel,
                       const std::set<std::string>& rows,
                       const std::set<std::string>& front,
                       const StoragePlan& plan) {
  bool behind = false;
  bool ahead = false;
  passes::ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
    if (stmt.kind != ir::StmtKind::kCompute) return;
    std::set<std::string> read;
    ir::ForEachTileRead(stmt, [&](int tile) {
      read.insert(plan.tiles[plan.tiles[tile].root].container);
    });
    const auto is_in = [&](const std::set<std::string>& names) {
      return [&](const std::string& name) { return names.contains(name); };
    };
    if (std::none_of(read.begin(), read.end(), is_in(rows))) return;
    behind = behind || !std::all_of(read.begin(), read.end(), is_in(rows));
    ahead = ahead || std::any_of(read.begin(), read.end(), is_in(front));
  });
  return behind && !ahead;
}

// Numbers of rows on lanes lie at the other end than the columns that they
// meet, in another 64 KB, and nine blocks from where these begin: eight columns
// are in every other bank group, and of the next two seven blocks are in none
// of the groups of seven numbers' blocks (select/broadcast_eight.h).
void SetApart(const ir::Kernel& kernel, const std::set<std::string>& rows,
              const std::set<std::string>& front, StoragePlan& plan) {
  std::vector<code::Buffer> apart;
  std::vector<code::Buffer> others;
  for (code::Buffer& one : plan.buffers) {
    (rows.contains(one.name) ? apart : others).push_back(std::move(one));
  }
  plan.buffers = std::move(others);
  if (apart.empty()) return;
  const bool first = MeetColumnsBehind(kernel, rows, front, plan);
  const code::Rank rank = first ? code::Rank::kFront : code::Rank::kBack;
  const int64_t pad = front.empty() ? kPeriod / 2 + kBlock : kBlock;
  apart.insert(apart.begin(), {"row_pad", pad});
  apart.back().bytes = apart.back().bytes + kPeriod - pad;
  for (code::Buffer& one : apart) one.rank = rank;
  plan.buffers.insert(first ? plan.buffers.begin() : plan.buffers.end(),
                      apart.begin(), apart.end());
}

// Buffers of rows that many rows meet in one instruction, by the elements they
// have: gamma in t * gamma; and of rows that those meet, so that all of them
// begin as far from where others do.
class SharedRows {
 public:
  SharedRows(const ir::Kernel& kernel, const Layouts& layouts,
             const StoragePlan& plan)
      : plan_(plan), layouts_(layouts) {
    passes::ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
      const Layout& result = LayoutOf(stmt);
      if (stmt.operands.size() == 2 && !result.is_flat()) {
        Add(stmt, result.dims[result.last].capacity);
      }
    });
    for (size_t known = 0; known != buffers_.size();) {
      known = buffers_.size();
      passes::ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
        const Layout& result = LayoutOf(stmt);
        if (stmt.operands.size() < 2 || result.last < 0 || !result.is_flat()) {
          return;
        }
        for (const ir::Operand& operand : stmt.operands) {
          if (!buffers_.contains(BufferOf(operand, result.elements))) continue;
          return Add(stmt, result.elements);
        }
      });
    }
  }

  const std::map<std::string, ir::Int>& buffers() const { return buffers_; }

 private:
  const Layout& LayoutOf(const ir::Stmt& stmt) const {
    static const Layout kNone;
    if (stmt.kind != ir::StmtKind::kCompute) return kNone;
    return layouts_[stmt.results[0]];
  }

  // Empty: no row of so many elements in a buffer.
  std::string BufferOf(const ir::Operand& operand,
                       const ir::Int& elements) const {
    const int* tile = std::get_if<int>(&operand);
    if (tile == nullptr) return "";
    const Storage& storage = plan_.tiles[plan_.tiles[*tile].root];
    const Layout& own = layouts_[*tile];
    const bool row = storage.home == Home::kBuffer && own.last >= 0 &&
                     own.is_flat() && ir::Same(own.elements, elements);
    return row ? storage.container : "";
  }

  // The rows that the statement reads.
  void Add(const ir::Stmt& stmt, const ir::Int& elements) {
    for (const ir::Operand& operand : stmt.operands) {
      const std::string name = BufferOf(operand, elements);
      if (!name.empty()) buffers_.emplace(name, elements);
    }
  }

  const StoragePlan& plan_;
  const Layouts& layouts_;
  std::map<std::string, ir::Int> buffers_;
};

// Where a block of each of eight rows lies in every other bank group, what all
// of them meet begins an odd number of blocks away.
void SetSharedRowsApart(const ir::Kernel& kernel, const Layouts& layouts,
                        StoragePlan& plan) {
  if (!HasEveryOtherGroup(layouts.padding())) return;
  const SharedRows shared(kernel, layouts, plan);
  for (const auto& [name, elements] : shared.buffers()) {
    const auto found =
        std::find_if(plan.buffers.begin(), plan.buffers.end(),
                     [&](const code::Buffer& one) { return one.name == name; });
    if (found == plan.buffers.end()) continue;
    const ir::Int in_eights = Less(elements, kLongestOfEight + 1);
    found->bytes =
        found->bytes + ir::Int::Select(in_eights, kPeriod - kBlock, 0);
    plan.buffers.insert(
        found, {name + "_pad", ir::Int::Select(in_eights, kBlock, kPeriod),
                found->rank});
  }
}

// Scratch lies last; far from it, first, lie queues whose slots hold rows that
// are reduced with its help: result and source of an instruction wait for each
// other where both are in 64 KB.
void PutReducedFirst(const ir::Kernel& kernel, const Layouts& layouts,
                     StoragePlan& plan) {
  std::set<std::string> reduced;
  passes::ForEachStmt(kernel.body, [&](const ir::Stmt& stmt) {
    if (!passes::IsReduction(stmt)) return;
    const int operand = std::get<int>(stmt.operands[0]);
    const int last = layouts[operand].last;
    if (std::find(stmt.axes.begin(), stmt.axes.end(), last) ==
        stmt.axes.end()) {
      return;
    }
    reduced.insert(plan.tiles[plan.tiles[operand].root].container);
  });
  std::stable_partition(
      plan.queues.begin(), plan.queues.end(),
      [&](const code::Queue& one) { return reduced.contains(one.name); });
}

void PutOnSides(const ir::Kernel& kernel, const Layouts& layouts,
                const std::set<std::string>& rows, StoragePlan& plan) {
  const std::set<std::string> front =
      Chooser(kernel, layouts, plan, rows).Run();
  if (front.empty()) return SetApart(kernel, rows, front, plan);
  const auto rank_of = [&](const std::string& name) {
    return front.contains(name) ? code::Rank::kFront : code::Rank::kBack;
  };
  const Conversions conversions(kernel, plan);
  const auto is_converted = [&](const code::Buffer& buffer) {
    return conversions.HasBuffer(buffer.name);
  };
  const auto behind = std::stable_partition(
      plan.buffers.begin(), plan.buffers.end(), [&](code::Buffer& buffer) {
        buffer.rank = rank_of(buffer.name);
        return buffer.rank == code::Rank::kFront;
      });
  std::stable_partition(behind, plan.buffers.end(), std::not_fn(is_converted));
  for (code::Queue& queue : plan.queues) queue.rank = rank_of(queue.name);
  // A queue out has two slots where memory holds the loop up: then what is
  // loaded should be read without waiting, and lies first.
  std::stable_partition(
      plan.queues.begin(), plan.queues.end(), [&](const code::Queue& queue) {
        const std::string source = conversions.SourceOf(queue.name);
        return !source.empty() && queue.depth == 1 &&
               queue.rank == code::Rank::kBack &&
               rank_of(source) == code::Rank::kBack;
      });
  const bool beside = std::any_of(
      plan.queues.begin(), plan.queues.end(), [&](const code::Queue& queue) {
        return queue.rank == code::Rank::kFront &&
               front.contains(conversions.SourceOf(queue.name));
      });
  if (beside) {
    std::stable_partition(plan.buffers.begin(), behind, is_converted);
  }
  plan.buffers.insert(behind, {"bank_pad", kPeriod / 2, code::Rank::kBetween});
  SetApart(kernel, rows, front, plan);
}

}  // namespace

void ArrangeSides(const ir::Kernel& kernel, const Layouts& layouts,
                  const std::set<std::string>& rows, StoragePlan& plan) {
  PutReducedFirst(kernel, layouts, plan);
  PutOnSides(kernel, layouts, rows, plan);
  SetSharedRowsApart(kernel, layouts, plan);
}

}  // namespace belay::crux::select
