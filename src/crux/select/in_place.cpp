// SPDX-License-Identifier: Apache-2.0
#include "crux/select/in_place.h"

#include <algorithm>
#include <set>
#include <string>

#include "crux/ir/bounds.h"
#include "crux/passes/walk.h"
#include "crux/select/vector.h"

namespace belay::crux::select {
namespace {

class Mover {
 public:
  Mover(const ir::Kernel& kernel, const Layouts& layouts, StoragePlan& plan)
      : kernel_(kernel), layouts_(layouts), plan_(plan) {}

  void Run() {
    // Columns of rows on lanes are placed by what else meets them.
    if (!layouts_.padding().lanes.empty()) return;
    passes::ForEachStmt(kernel_.body, [&](const ir::Stmt& stmt) {
      if (stmt.kind != ir::StmtKind::kCompute || !IsFunction(stmt.op)) return;
      const int* operand = std::get_if<int>(&stmt.operands[0]);
      const int result = stmt.results[0];
      if (operand == nullptr || !IsLong(result) ||
          plan_.tiles[result].home != Home::kBuffer ||
          plan_.tiles[result].over != plan_.tiles[*operand].root) {
        return;
      }
      const std::set<int> before = InPlaceOf(plan_.tiles[*operand].root);
      if (!MeetsOthers(before)) Move(before);
    });
  }

 private:
  static bool IsFunction(Op op) {
    return op == Op::kExp || op == Op::kLn || op == Op::kSqrt;
  }

  // Neither one element nor one number for each row.
  bool IsLong(int tile) const {
    const Layout& layout = layouts_[tile];
    return layout.last >= 0 &&
           !(layout.is_flat() &&
             CountsRows(kernel_, layout.dims[layout.last].capacity));
  }

  // `tile` and those that it lies in place of.
  std::set<int> InPlaceOf(int tile) const {
    std::set<int> tiles;
    for (; tile >= 0; tile = plan_.tiles[tile].over) tiles.insert(tile);
    return tiles;
  }

  // Whether an instruction takes a block of each of eight rows of the result:
  // these lie in every other bank group, wherever they begin, and what all of
  // them meet in the others.
  bool IsInEights(const ir::Stmt& stmt) const {
    const Layout& layout = layouts_[stmt.results[0]];
    const Padding& padding = layouts_.padding();
    const bool rows = FoldsSlices(layout, padding) && !layout.on_lanes;
    return rows && HasEveryOtherGroup(padding) &&
           ir::Most(kernel_, layout.dims[layout.last].capacity)
                   .value_or(kLongestOfEight + 1) <= kLongestOfEight;
  }

  // Whether an instruction reads one of them and another long tile.
  bool MeetsOthers(const std::set<int>& tiles) const {
    bool meets = false;
    passes::ForEachStmt(kernel_.body, [&](const ir::Stmt& stmt) {
      if (stmt.kind != ir::StmtKind::kCompute || IsInEights(stmt)) return;
      std::set<int> read;
      ir::ForEachTileRead(stmt, [&](int tile) {
        if (IsLong(tile)) read.insert(plan_.tiles[tile].root);
      });
      meets = meets || (read.size() > 1 &&
                        std::any_of(read.begin(), read.end(), [&](int tile) {
                          return tiles.contains(tile);
                        }));
    });
    return meets;
  }

  void Move(const std::set<int>& tiles) {
    const std::string& name = plan_.tiles[*tiles.begin()].container;
    if (!moved_.insert(name).second) return;
    for (const int tile : tiles) plan_.tiles[tile].shift = kHalfPeriod;
    const auto buffer =
        std::find_if(plan_.buffers.begin(), plan_.buffers.end(),
                     [&](const code::Buffer& one) { return one.name == name; });
    buffer->bytes = buffer->bytes + kPeriodOfBanks;
  }

  const ir::Kernel& kernel_;
  const Layouts& layouts_;
  StoragePlan& plan_;
  std::set<std::string> moved_;  // buffers
};

}  // namespace

void MoveOperandsOfFunctions(const ir::Kernel& kernel, const Layouts& layouts,
                             StoragePlan& plan) {
  Mover(kernel, layouts, plan).Run();
}

}  // namespace belay::crux::select
