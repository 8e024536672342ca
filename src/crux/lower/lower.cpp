// SPDX-License-Identifier: Apache-2.0
#include "crux/lower/lower.h"

#include <algorithm>

#include "base/error.h"
#include "crux/ir/unused.h"
#include "crux/lower/barriers.h"
#include "crux/lower/lowering.h"
#include "crux/passes/lanes.h"

namespace belay::crux {

bool HostOracle::Prefer(const typed::Expr*) { return false; }

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
  for (const char* name :
       {"block_idx", "block_num", "core_count", "ub_size", "ub_used"}) {
    kernel_.used_names.insert(name);
  }
  for (const std::string& size : source_.sizes) {
    kernel_.used_names.insert(size);
  }
  for (const typed::Parameter* parameter : source_.parameters) {
    if (parameter->role == typed::ParameterRole::kAttribute ||
        parameter->role == typed::ParameterRole::kValue) {
      continue;
    }
    ir::Tensor tensor;
    tensor.id = static_cast<int>(kernel_.tensors.size());
    // The host knows it by this name, be it one of an integer's, too.
    tensor.name = parameter->name;
    kernel_.used_names.insert(tensor.name);
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
  for (size_t id = 0; id < kernel_.tensors.size(); ++id) {
    const typed::Parameter* parameter = kernel_.tensors[id].parameter;
    if (parameter == nullptr || parameter->list) continue;
    const bool open =
        std::ranges::any_of(parameter->dims, &typed::ParameterDim::upto);
    const bool used = used_tensors_.contains(static_cast<int>(id));
    if (!open && !used) continue;
    Expr* expr = NewExpr(typed::ExprKind::kParameter, TypeKind::kTensor);
    expr->parameter = parameter;
    expr->type = parameter->type;
    TensorView view = ViewOf(*expr);
    if (used) kernel_.tensors[id].elements = view.elements;
    if (open) kernel_.tensors[id].dims = std::move(view.dims);
  }
  for (const auto& [loop, name] : pieces_) {
    for (ir::TileParameter& parameter : kernel_.parameters) {
      if (parameter.name == name) parameter.loops.push_back(loop);
    }
  }
  ir::RemoveUnused(kernel_);
  InsertBarriers(kernel_);
  AskForLanes();
  return std::move(kernel_);
}

// Whether rows are short, and enough of them stand in a turn of the loops
// around them; null: no expression of the host says so.
const typed::Expr* Lowering::AreShort(const passes::ShortRows& rows) {
  Expr* all = NewExpr(typed::ExprKind::kHostLogic, TypeKind::kHostBool);
  all->text = "and";
  all->range = source_.range;
  const auto literal = [&](int64_t number) { return HostExpr(Int(number)); };
  const auto compare = [&](Op op, const Expr* a, const Expr* b) {
    Expr* expr = NewExpr(typed::ExprKind::kOperation, TypeKind::kHostBool);
    expr->op = op;
    expr->args = {a, b};
    all->args.push_back(expr);
  };
  if (!rows.length.is_constant()) {
    if (rows.length.kind() != ir::IntKind::kName) return nullptr;
    const Expr* length = HostExpr(rows.length);
    if (length == nullptr) return nullptr;
    compare(Op::kLess, literal(0), length);
    compare(Op::kLessEqual, length, literal(passes::kShortRow));
  }
  for (const Int& count : rows.counts) {
    if (count.is_constant()) continue;
    const Expr* enough = HostExpr(count);
    if (enough == nullptr) return nullptr;
    compare(Op::kLessEqual, literal(passes::kEnoughRows), enough);
  }
  return all->args.size() == 1 ? all->args[0] : all;
}

void Lowering::AskForLanes() {
  // What does not fit on chip as a whole has long rows.
  std::optional<passes::ShortRows> rows;
  if (!too_large_) rows = passes::RowsForLanes(kernel_);
  if (!rows) {
    kernel_.columns_on_lanes =
        passes::HasColumnsForLanes(kernel_) && oracle_.Prefer(nullptr);
    return;
  }
  const Int& length = rows->length;
  const auto is_known = [](const Int& count) { return count.is_constant(); };
  const bool never =
      (length.is_constant() &&
       (length.value() <= 0 || length.value() > passes::kShortRow)) ||
      std::any_of(
          rows->counts.begin(), rows->counts.end(), [&](const Int& count) {
            return is_known(count) && count.value() < passes::kEnoughRows;
          });
  if (never) return;
  if (length.is_constant() &&
      std::all_of(rows->counts.begin(), rows->counts.end(), is_known)) {
    kernel_.rows_on_lanes = oracle_.Prefer(nullptr);
    return;
  }
  const Expr* condition = AreShort(*rows);
  if (condition == nullptr || facts_.Settled(*condition) == false) return;
  kernel_.rows_on_lanes = oracle_.Prefer(condition);
  if (kernel_.rows_on_lanes && !length.is_constant()) {
    kernel_.most.emplace_back(length.name(), passes::kShortRow);
  }
}

}  // namespace lower

ir::Kernel Lower(const typed::Kernel& kernel, const std::vector<DType>& dtypes,
                 HostOracle& oracle) {
  return lower::Lowering(kernel, dtypes, oracle).Run();
}

}  // namespace belay::crux
