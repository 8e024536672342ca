// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/builder.h"

#include <utility>

#include "base/error.h"
#include "crux/passes/walk.h"

namespace belay::crux::passes {

DType Builder::DtypeOf(const ir::Operand& operand) const {
  const int* tile = std::get_if<int>(&operand);
  return tile == nullptr ? DType::kNone : kernel_.tiles[*tile].dtype;
}

std::vector<ir::Dim> Builder::DimsOf(
    const std::vector<ir::Operand>& operands) const {
  std::vector<ir::Dim> dims;
  for (const ir::Operand& operand : operands) {
    const int* tile = std::get_if<int>(&operand);
    if (tile == nullptr) continue;
    const std::vector<ir::Dim>& own = kernel_.tiles[*tile].dims;
    while (dims.size() < own.size()) dims.insert(dims.begin(), ir::Dim{1, 1});
    const size_t missing = dims.size() - own.size();
    for (size_t i = 0; i < own.size(); ++i) {
      if (!own[i].is_one()) dims[missing + i] = own[i];
    }
  }
  return dims;
}

int Builder::Make(Op op, std::vector<ir::Operand> operands,
                  std::string_view wish) {
  DType dtype = DType::kNone;
  for (const ir::Operand& operand : operands) {
    if (dtype == DType::kNone) dtype = DtypeOf(operand);
  }
  if (dtype == DType::kNone) throw InternalError("[crux] numbers make no tile");
  const bool compares =
      InfoOf(op).family == OpFamily::kCompare && op != Op::kWhere;
  return MakeAs(compares ? DType::kBool : dtype, op, std::move(operands), wish);
}

int Builder::MakeAs(DType dtype, Op op, std::vector<ir::Operand> operands,
                    std::string_view wish) {
  const int tile = kernel_.NewTile(wish, dtype, DimsOf(operands), line_).id;
  Set(tile, op, std::move(operands));
  return tile;
}

void Builder::Set(int result, Op op, std::vector<ir::Operand> operands) {
  Append(Compute(op, result, std::move(operands), line_));
}

int Builder::Convert(int tile, DType dtype, std::string_view wish) {
  return MakeAs(dtype, Op::kTo, {tile}, wish);
}

void Builder::Append(std::shared_ptr<ir::Stmt> stmt) {
  made_.push_back(std::move(stmt));
}

}  // namespace belay::crux::passes
