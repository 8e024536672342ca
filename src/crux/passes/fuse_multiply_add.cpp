// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/fuse_multiply_add.h"

#include <algorithm>
#include <optional>

#include "crux/passes/walk.h"
#include "crux/select/occurrences.h"
#include "crux/select/vector.h"

namespace belay::crux::passes {
namespace {

using ir::Block;
using ir::Kernel;
using ir::Operand;
using ir::Stmt;
using ir::StmtKind;
using select::Occurrence;

const int* TileIn(const Operand& operand) { return std::get_if<int>(&operand); }

// The first number of them; null: there is none.
ir::Number* NumberIn(std::vector<Operand>& operands) {
  for (Operand& operand : operands) {
    if (auto* number = std::get_if<ir::Number>(&operand)) return number;
  }
  return nullptr;
}

std::optional<ir::Number> Negated(ir::Number number) {
  switch (number.kind) {
    case ir::Number::Kind::kReal:
      number.real = -number.real;
      return number;
    case ir::Number::Kind::kInt:
      number.integer = ir::Int(0) - number.integer;
      return number;
    case ir::Number::Kind::kHostReal:
      break;
  }
  return std::nullopt;
}

class Fuser {
 public:
  explicit Fuser(Kernel& kernel) : kernel_(kernel), at_(kernel) {}

  void Run() {
    ForEachBlock(kernel_.body, [&](Block& block) { OfBlock(block); });
  }

 private:
  void OfBlock(Block& block) {
    for (size_t i = 0; i < block.size(); ++i) {
      const Stmt& sum = *block[i];
      if (sum.kind != StmtKind::kCompute ||
          (sum.op != Op::kAdd && sum.op != Op::kSub) ||
          kernel_.tiles[sum.results[0]].dtype != DType::kFloat) {
        continue;
      }
      for (const size_t which : {0, 1}) {
        const std::optional<size_t> from = ProductAt(block, i, which);
        if (!from || NeedsAnotherTile(block, *from, i)) continue;
        const auto operands = TileIn(sum.operands[1 - which]) == nullptr
                                  ? WithNumber(block, *from, i, which)
                                  : Fused(block, *from, i, which);
        if (!operands) continue;
        Stmt& fused = *block[i];
        fused.op = Op::kMul;
        fused.operands = *operands;
        dropped_.push_back(block[*from]);
        block.erase(block.begin() + static_cast<std::ptrdiff_t>(*from));
        --i;
        break;
      }
    }
  }

  bool HasDimsOf(const Operand& operand, int result) const {
    const int* tile = TileIn(operand);
    return tile != nullptr &&
           SameDims(kernel_.tiles[*tile].dims, kernel_.tiles[result].dims);
  }

  // One element, or one number for each row.
  bool IsOfRows(int tile) const {
    const std::vector<ir::Dim>& dims = kernel_.tiles[tile].dims;
    return std::all_of(dims.begin(), dims.end(), [&](const ir::Dim& dim) {
      return dim.is_one() || select::CountsRows(kernel_, dim.capacity);
    });
  }

  // Where the product that operand `which` of block[at] is was made, if nobody
  // else reads it and its factors are still the same.
  std::optional<size_t> ProductAt(const Block& block, size_t at,
                                  size_t which) const {
    const Operand& operand = block[at]->operands[which];
    const int* product = TileIn(operand);
    if (product == nullptr || at_.Assignments(*product) != 1 ||
        at_.Of(*product).size() != 2 ||
        !HasDimsOf(operand, block[at]->results[0])) {
      return std::nullopt;
    }
    std::set<int> changed;
    for (size_t i = at; i-- > 0;) {
      const Stmt& stmt = *block[i];
      if (std::find(stmt.results.begin(), stmt.results.end(), *product) ==
          stmt.results.end()) {
        changed.merge(TilesAssignedIn({block[i]}));
        continue;
      }
      const bool multiplies = stmt.kind == StmtKind::kCompute &&
                              stmt.op == Op::kMul && stmt.operands.size() == 2;
      const bool same = std::none_of(
          stmt.operands.begin(), stmt.operands.end(), [&](const Operand& one) {
            const int* tile = TileIn(one);
            return tile != nullptr && changed.contains(*tile);
          });
      if (multiplies && same) return i;
      return std::nullopt;
    }
    return std::nullopt;
  }

  // Whether the block gives the tile its first value and nobody has it behind
  // `at`.
  bool EndsAt(const Operand& operand, const Block& block, size_t at) const {
    const int* tile = TileIn(operand);
    if (tile == nullptr) return false;
    const auto seen = at_.Of(*tile);
    const int here = at_.First(block[at].get());
    return !seen.empty() && seen.front().block == &block &&
           std::all_of(seen.begin(), seen.end(), [&](const Occurrence& one) {
             const bool first = one.number == seen.front().number;
             return (one.assigns || !first) && one.number <= here;
           });
  }

  // Whether a statement behind block[at] has the tile.
  bool LivesBehind(int tile, const Block& block, size_t at) const {
    return LivesBehind(tile, at_.First(block[at].get()));
  }

  // Whether a statement behind that of number `here` has it.
  bool LivesBehind(int tile, int here) const {
    const auto seen = at_.Of(tile);
    return std::any_of(seen.begin(), seen.end(), [&](const Occurrence& one) {
      return one.number > here;
    });
  }

  // Tiles like `result` that live between block[at] and what follows it.
  int LiveBehind(int result, const Block& block, size_t at) const {
    const int here = at_.First(block[at].get());
    int live = 0;
    for (const ir::Tile& tile : kernel_.tiles) {
      const auto seen = at_.Of(tile.id);
      live += !seen.empty() && HasDimsOf(tile.id, result) &&
              tile.dtype == DType::kFloat && seen[0].number <= here &&
              LivesBehind(tile.id, here);
    }
    return live;
  }

  // Two factors that end before the sum would live up to it, one tile more than
  // their product. Where most tiles of the block live, larger pieces are worth
  // more than an instruction.
  bool NeedsAnotherTile(const Block& block, size_t from, size_t at) const {
    const std::vector<Operand>& factors = block[from]->operands;
    const int* first = TileIn(factors[0]);
    const int* second = TileIn(factors[1]);
    const int result = block[at]->results[0];
    if (first == nullptr || second == nullptr || *first == *second)
      return false;
    size_t end = from;  // of both factors
    for (const int tile : {*first, *second}) {
      if (!HasDimsOf(tile, result)) return false;
      while (end < at && LivesBehind(tile, block, end)) ++end;
    }
    int most = 0;
    int between = 0;
    for (size_t i = 0; i < block.size(); ++i) {
      const int live = LiveBehind(result, block, i);
      most = std::max(most, live);
      if (end <= i && i < at) between = std::max(between, live);
    }
    return end < at && between == most;
  }

  // A number is added: in place of a factor that ends here.
  std::optional<std::vector<Operand>> WithNumber(const Block& block,
                                                 size_t from, size_t at,
                                                 size_t which) const {
    const Stmt& sum = *block[at];
    auto added = std::get<ir::Number>(sum.operands[1 - which]);
    std::vector<Operand> factors = block[from]->operands;
    if (sum.op == Op::kSub) {
      ir::Number* subtracted = which == 0 ? &added : NumberIn(factors);
      if (subtracted == nullptr) return std::nullopt;
      const auto negated = Negated(*subtracted);
      if (!negated) return std::nullopt;
      *subtracted = *negated;
    }
    const int* first = TileIn(factors[0]);
    const int* second = TileIn(factors[1]);
    // The instruction reads what it writes over as one factor only.
    if (first != nullptr && second != nullptr && *first == *second) {
      return std::nullopt;
    }
    for (const int* tile : {first, second}) {
      if (tile != nullptr && *tile == sum.results[0]) return std::nullopt;
    }
    // Numbers lie in memory of their own. What a loop makes of few elements is
    // not worth it: it is used once for many turns.
    const auto is_worth_it = [&](const Operand& factor) {
      const int* tile = TileIn(factor);
      return at_.Assignments(*tile) == 1 || !IsOfRows(*tile);
    };
    for (const size_t kept : {0, 1}) {
      if (HasDimsOf(factors[kept], sum.results[0]) &&
          EndsAt(factors[kept], block, at) && is_worth_it(factors[kept])) {
        return {{factors[kept], factors[1 - kept], added}};
      }
    }
    return std::nullopt;
  }

  std::optional<std::vector<Operand>> Fused(const Block& block, size_t from,
                                            size_t at, size_t which) const {
    const Stmt& sum = *block[at];
    // What a difference subtracts is its second operand.
    if (sum.op == Op::kSub && which == 0) return std::nullopt;
    const int result = sum.results[0];
    const Operand& added = sum.operands[1 - which];
    std::vector<Operand> factors = block[from]->operands;
    const auto is_result = [&](const Operand& operand) {
      const int* tile = TileIn(operand);
      return tile != nullptr && *tile == result;
    };
    for (const size_t kept : {0, 1}) {
      const Operand& other = factors[1 - kept];
      if (!HasDimsOf(factors[kept], result) || is_result(other)) continue;
      // A sum that is carried: s = s * scale + added.
      if (is_result(factors[kept])) {
        if (sum.op == Op::kSub || is_result(added) ||
            TileIn(other) == nullptr) {
          continue;
        }
        return {{factors[kept], other, added}};
      }
      if (const auto* number = std::get_if<ir::Number>(&other)) {
        const bool in_place = is_result(added) || EndsAt(added, block, at);
        if (!HasDimsOf(added, result) || !in_place) continue;
        if (sum.op == Op::kAdd) return {{factors[kept], *number, added}};
        const auto negated = Negated(*number);
        if (!negated) return std::nullopt;
        return {{factors[kept], *negated, added}};
      }
      if (sum.op == Op::kAdd && !is_result(added) &&
          EndsAt(factors[kept], block, at)) {
        return {{factors[kept], other, added}};
      }
    }
    return std::nullopt;
  }

  Kernel& kernel_;
  const select::Occurrences at_;
  Block dropped_;  // `at_` knows them
};

}  // namespace

void FuseMultiplyAdd(Kernel& kernel) { Fuser(kernel).Run(); }

}  // namespace belay::crux::passes
