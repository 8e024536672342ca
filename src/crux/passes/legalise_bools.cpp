// SPDX-License-Identifier: Apache-2.0
#include <set>

#include "crux/passes/builder.h"
#include "crux/passes/legalise.h"
#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

class BoolLegaliser {
 public:
  explicit BoolLegaliser(ir::Kernel& kernel) : kernel_(kernel) {}

  void Run() {
    for (const ir::Tile& tile : kernel_.tiles) {
      if (tile.dtype == DType::kBool) bools_.insert(tile.id);
    }
    if (!bools_.empty()) {
      RewriteBlock(kernel_.body, [&](const std::shared_ptr<ir::Stmt>& stmt) {
        return Legal(stmt);
      });
    }
    for (const int tile : bools_) kernel_.tiles[tile].dtype = DType::kHalf;
    for (ir::Across& across : kernel_.across) {
      if (across.dtype == DType::kBool) across.dtype = DType::kHalf;
    }
  }

 private:
  bool IsBool(const ir::Operand& operand) const {
    const int* tile = std::get_if<int>(&operand);
    return tile != nullptr && bools_.contains(*tile);
  }

  Replacement Legal(const std::shared_ptr<ir::Stmt>& stmt) {
    switch (stmt->kind) {
      case ir::StmtKind::kLoad:
        if (IsBool(stmt->results[0])) return Load(*stmt);
        return std::nullopt;
      case ir::StmtKind::kStore:
        if (IsBool(stmt->operands[0])) return Store(*stmt);
        return std::nullopt;
      case ir::StmtKind::kCompute:
        return Operation(stmt);
      default:
        return std::nullopt;
    }
  }

  int BytesOf(int tile, int line) {
    return kernel_
        .NewTile(kernel_.tiles[tile].name + "_u8", DType::kUint8,
                 kernel_.tiles[tile].dims, line)
        .id;
  }

  ir::Block Load(const ir::Stmt& stmt) {
    auto load = std::make_shared<ir::Stmt>(stmt);
    const int result = stmt.results[0];
    load->results[0] = BytesOf(result, stmt.line);
    return {load, Compute(Op::kTo, result, {load->results[0]}, stmt.line)};
  }

  ir::Block Store(const ir::Stmt& stmt) {
    auto store = std::make_shared<ir::Stmt>(stmt);
    const int value = std::get<int>(stmt.operands[0]);
    const int bytes = BytesOf(value, stmt.line);
    store->operands[0] = bytes;
    return {Compute(Op::kTo, bytes, {value}, stmt.line), store};
  }

  Replacement Operation(const std::shared_ptr<ir::Stmt>& stmt) {
    Builder build(kernel_, *stmt);
    const int result = stmt->results[0];
    const bool of_bools =
        !stmt->operands.empty() &&
        (IsBool(stmt->operands[0]) ||
         (stmt->operands.size() > 1 && IsBool(stmt->operands[1])));
    switch (stmt->op) {
      case Op::kTo:
      case Op::kBitcast:
        if (IsBool(result)) {
          int value = std::get<int>(stmt->operands[0]);
          if (kernel_.tiles[value].dtype == DType::kBfloat16) {
            value = build.Convert(value, DType::kFloat, "value_f32");
          }
          build.Set(result, Op::kNotEqual, {value, IntNumber(0)});
          return build.Take();
        }
        if (IsBool(stmt->operands[0])) {
          auto convert = std::make_shared<ir::Stmt>(*stmt);
          convert->op = Op::kTo;
          return ir::Block{convert};
        }
        return std::nullopt;
      case Op::kBitAnd:
        if (of_bools) return Renamed(*stmt, Op::kMul);
        return std::nullopt;
      case Op::kBitOr:
        if (of_bools) return Renamed(*stmt, Op::kMaximum);
        return std::nullopt;
      case Op::kBitXor: {
        if (!of_bools) return std::nullopt;
        const int apart =
            build.MakeAs(DType::kHalf, Op::kSub, stmt->operands, "apart");
        build.Set(result, Op::kAbs, {apart});
        return build.Take();
      }
      case Op::kBitNot:
        if (!of_bools) return std::nullopt;
        build.Set(result, Op::kSub, {IntNumber(1), stmt->operands[0]});
        return build.Take();
      default:
        return std::nullopt;
    }
  }

  static ir::Block Renamed(const ir::Stmt& stmt, Op op) {
    auto renamed = std::make_shared<ir::Stmt>(stmt);
    renamed->op = op;
    return {renamed};
  }

  ir::Kernel& kernel_;
  std::set<int> bools_;
};

}  // namespace

void LegaliseBools(ir::Kernel& kernel) { BoolLegaliser(kernel).Run(); }

}  // namespace belay::crux::passes
