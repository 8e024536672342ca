// SPDX-License-Identifier: Apache-2.0
#include "crux/lower/lower.h"

#include "base/error.h"
#include "crux/ir/walk.h"
#include "crux/lower/barriers.h"
#include "crux/lower/lowering.h"

namespace belay::crux {
namespace lower {
namespace {

ir::TensorRole TensorRoleOf(typed::ParameterRole role) {
  switch (role) {
    case typed::ParameterRole::kOut:
      return ir::TensorRole::kOut;
    case typed::ParameterRole::kInOut:
      return ir::TensorRole::kInOut;
    default:
      return ir::TensorRole::kIn;
  }
}

}  // namespace

Lowering::Lowering(const typed::Kernel& source,
                   const std::vector<DType>& dtypes, HostOracle& oracle)
    : source_(source),
      oracle_(oracle),
      facts_([this](const Element& element) { return DtypeOf(element); }),
      variables_(source.variables.size()),
      loop_names_(source.loops.size()),
      loop_extents_(source.loops.size()) {
  kernel_.name = source.name;
  kernel_.source = &source;
  kernel_.dtypes = dtypes;
  kernel_.fast = source.fast;
  kernel_.made = std::make_shared<std::deque<Expr>>();
}

ir::Kernel Lowering::Run() {
  // Integers that every kernel has.
  kernel_.used_names = {"block_idx", "block_num", "core_count", "ub_size"};
  for (const std::string& size : source_.sizes) {
    kernel_.used_names.push_back(size);
  }
  for (const typed::Parameter* parameter : source_.parameters) {
    if (parameter->role == typed::ParameterRole::kAttribute ||
        parameter->role == typed::ParameterRole::kValue) {
      continue;
    }
    ir::Tensor tensor;
    tensor.id = static_cast<int>(kernel_.tensors.size());
    tensor.name = kernel_.FreshName(parameter->name);
    tensor.dtype = DtypeOf(parameter->type.element);
    tensor.role = TensorRoleOf(parameter->role);
    tensor.parameter = parameter;
    tensor.list = parameter->list;
    tensors_[parameter] = tensor.id;
    kernel_.tensors.push_back(std::move(tensor));
  }
  for (const std::string& size : source_.sizes) SizeNamed(size);
  for (const typed::Parameter* parameter : source_.parameters) {
    for (const typed::ParameterDim& dim : parameter->dims) {
      if (dim.expr != nullptr && dim.expr->kind == typed::ExprKind::kSize &&
          host_names_.contains(dim.expr->text)) {
        Learn(dim.size, Int::Name(dim.expr->text));
      }
    }
  }
  LinkPrefixLoops();
  block_ = &kernel_.body;
  LowerBlock(source_.body);
  for (const int id : used_tensors_) {
    ir::Tensor& tensor = kernel_.tensors[static_cast<size_t>(id)];
    if (tensor.list || tensor.parameter == nullptr) continue;
    Expr* expr = NewExpr(typed::ExprKind::kParameter, TypeKind::kTensor);
    expr->parameter = tensor.parameter;
    expr->type = tensor.parameter->type;
    const Int elements = ViewOf(*expr).elements;
    kernel_.tensors[static_cast<size_t>(id)].elements = elements;
  }
  for (const auto& [loop, name] : pieces_) {
    for (ir::TileParameter& parameter : kernel_.parameters) {
      if (parameter.name == name) parameter.loops.push_back(loop);
    }
  }
  ir::RemoveUnused(kernel_);
  InsertBarriers(kernel_);
  return std::move(kernel_);
}

}  // namespace lower

ir::Kernel Lower(const typed::Kernel& kernel, const std::vector<DType>& dtypes,
                 HostOracle& oracle) {
  return lower::Lowering(kernel, dtypes, oracle).Run();
}

}  // namespace belay::crux
