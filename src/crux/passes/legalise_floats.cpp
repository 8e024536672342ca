// SPDX-License-Identifier: Apache-2.0
#include <map>

#include "base/float16.h"
#include "crux/passes/builder.h"
#include "crux/passes/legalise.h"
#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

bool IsShortFloat(DType dtype) {
  return dtype == DType::kHalf || dtype == DType::kBfloat16;
}

// What the unit does in f16 with one rounding, or none.
bool IsExactInHalf(Op op) {
  switch (op) {
    case Op::kAdd:
    case Op::kSub:
    case Op::kMul:
    case Op::kNegate:
    case Op::kAbs:
    case Op::kSign:
    case Op::kMaximum:
    case Op::kMinimum:
    case Op::kClamp:
    case Op::kMax:
    case Op::kMin:
    case Op::kArgmax:
    case Op::kArgmin:
    case Op::kCummax:
    case Op::kSort:
    case Op::kArgsort:
    case Op::kTopk:
    case Op::kMergeTopk:
      return true;
    default:
      return InfoOf(op).family == OpFamily::kCompare;
  }
}

// Whether the operation computes with its operands, and does not only move
// them.
bool Computes(Op op) {
  switch (InfoOf(op).family) {
    case OpFamily::kElementwise:
    case OpFamily::kReduce:
      return true;
    case OpFamily::kCompare:
      return op != Op::kWhere;
    case OpFamily::kScan:
      return op != Op::kLast;
    case OpFamily::kOrder:
      return op == Op::kSort || op == Op::kArgsort || op == Op::kTopk ||
             op == Op::kMergeTopk;
    default:
      return false;
  }
}

double RoundedTo(DType dtype, double value) {
  const auto single = static_cast<float>(value);
  return dtype == DType::kHalf ? ToFloat(HalfFromFloat(single))
                               : ToFloat(BfloatFromFloat(single));
}

class FloatLegaliser {
 public:
  explicit FloatLegaliser(ir::Kernel& kernel) : kernel_(kernel) {}

  void Run(ir::Block& block) {
    widened_.clear();
    ir::Block result;
    for (const auto& stmt : block) {
      if (stmt->kind == ir::StmtKind::kLoop) {
        Run(stmt->loop->body);
        widened_.clear();
      } else if (stmt->kind == ir::StmtKind::kIf) {
        Run(stmt->body);
        Run(stmt->otherwise);
        widened_.clear();
      }
      ir::Block made = Legal(stmt);
      std::move(made.begin(), made.end(), std::back_inserter(result));
      for (const int tile : stmt->results) widened_.erase(tile);
    }
    widened_.clear();
    block = std::move(result);
  }

 private:
  ir::Block Legal(const std::shared_ptr<ir::Stmt>& stmt) {
    if (stmt->kind != ir::StmtKind::kCompute || !Computes(stmt->op)) {
      return {stmt};
    }
    Builder build(kernel_, *stmt);
    DType dtype = DType::kNone;
    for (const ir::Operand& operand : stmt->operands) {
      if (dtype == DType::kNone) dtype = build.DtypeOf(operand);
    }
    if (!IsShortFloat(dtype)) return {stmt};
    if (dtype == DType::kHalf && IsExactInHalf(stmt->op)) return {stmt};
    auto wide = std::make_shared<ir::Stmt>(*stmt);
    for (ir::Operand& operand : wide->operands) {
      operand = Widened(build, operand, dtype);
    }
    std::vector<std::pair<int, int>> narrowed;
    for (int& result : wide->results) {
      if (kernel_.tiles[result].dtype != dtype) continue;
      const int own = result;
      result = kernel_
                   .NewTile(kernel_.tiles[own].name + "_f32", DType::kFloat,
                            kernel_.tiles[own].dims, stmt->line)
                   .id;
      narrowed.emplace_back(own, result);
    }
    build.Append(std::move(wide));
    for (const auto& [own, result] : narrowed) {
      build.Set(own, Op::kTo, {result});
    }
    return build.Take();
  }

  ir::Operand Widened(Builder& build, const ir::Operand& operand, DType dtype) {
    if (const auto* number = std::get_if<ir::Number>(&operand)) {
      return WidenedNumber(build, *number, dtype);
    }
    const int tile = std::get<int>(operand);
    if (kernel_.tiles[tile].dtype != dtype) return operand;
    const auto found = widened_.find(tile);
    if (found != widened_.end()) return found->second;
    const int wide =
        build.Convert(tile, DType::kFloat, kernel_.tiles[tile].name + "_f32");
    widened_[tile] = wide;
    return wide;
  }

  // A number has the tile's dtype: it is rounded to it first.
  ir::Operand WidenedNumber(Builder& build, ir::Number number, DType dtype) {
    const bool constant =
        number.kind == ir::Number::Kind::kReal ||
        (number.kind == ir::Number::Kind::kInt && number.integer.is_constant());
    if (constant) {
      const double value = number.kind == ir::Number::Kind::kReal
                               ? number.real
                               : static_cast<double>(number.integer.value());
      return RealNumber(RoundedTo(dtype, value));
    }
    const int own = build.MakeAs(dtype, Op::kFull, {number}, "number");
    return build.Convert(own, DType::kFloat, "number_f32");
  }

  ir::Kernel& kernel_;
  std::map<int, int> widened_;  // tile → the same in f32, in this block
};

}  // namespace

void LegaliseFloats(ir::Kernel& kernel) {
  FloatLegaliser(kernel).Run(kernel.body);
}

}  // namespace belay::crux::passes
