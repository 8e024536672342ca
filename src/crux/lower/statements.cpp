// SPDX-License-Identifier: Apache-2.0
// Assignments, stores, conditions.

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "crux/lower/lowering.h"

namespace belay::crux::lower {
namespace {

using typed::ExprKind;
using typed::IfKind;
using typed::Statement;
using typed::StatementKind;

bool MentionsVariable(const typed::Expr& expr,
                      const typed::Variable& variable) {
  if (expr.kind == ExprKind::kVariable) return expr.variable == &variable;
  for (const typed::Expr* arg : expr.args) {
    if (arg != nullptr && MentionsVariable(*arg, variable)) return true;
  }
  for (const typed::Subscript& subscript : expr.subscripts) {
    for (const typed::Expr* part :
         {subscript.value, subscript.low, subscript.high, subscript.step}) {
      if (part != nullptr && MentionsVariable(*part, variable)) return true;
    }
  }
  return false;
}

void CollectAssigned(const typed::Block& block,
                     std::vector<const typed::Variable*>& names) {
  for (const Statement* statement : block) {
    for (const typed::Variable* target : statement->targets) {
      if (std::find(names.begin(), names.end(), target) == names.end()) {
        names.push_back(target);
      }
    }
    if (statement->loop != nullptr)
      CollectAssigned(statement->loop->body, names);
    CollectAssigned(statement->body, names);
    CollectAssigned(statement->otherwise, names);
  }
}

bool MayFailOnHost(Op op) {
  return op == Op::kDiv || op == Op::kFloorDiv || op == Op::kMod ||
         op == Op::kPow || op == Op::kCeilDiv || op == Op::kPresent;
}

// Made of single numbers that are there already, and of what the host can work
// out in every call.
bool IsAtHand(const typed::Expr& expr) {
  if (expr.type.is_tile() && !expr.type.is_scalar_tile()) return false;
  switch (expr.kind) {
    case ExprKind::kLiteral:
    case ExprKind::kSize:
    case ExprKind::kPackSize:
    case ExprKind::kAcrossValue:
    case ExprKind::kLoopIndex:
      return true;
    case ExprKind::kParameter:
      return !expr.parameter->optional;
    case ExprKind::kVariable: {
      const typed::Parameter* root = expr.variable->root;
      return root == nullptr || !root->optional;
    }
    case ExprKind::kOperation:
      if (expr.op == Op::kLoad) return false;
      if (expr.type.is_host() && MayFailOnHost(expr.op)) return false;
      break;
    case ExprKind::kFromHost:
    case ExprKind::kHostLogic:
    case ExprKind::kTensorSize:
    case ExprKind::kDimension:
      break;
    default:
      return false;
  }
  return std::all_of(
      expr.args.begin(), expr.args.end(),
      [](const typed::Expr* arg) { return arg == nullptr || IsAtHand(*arg); });
}

bool StoresNumbers(const typed::Block& block);

// Whether it stores single numbers: it takes no longer to ask for the answer
// when the kernel runs.
bool StoresNumbers(const Statement& statement) {
  if (statement.kind == StatementKind::kIf) {
    return statement.how == IfKind::kVariant &&
           IsAtHand(*statement.condition) && StoresNumbers(statement.body) &&
           StoresNumbers(statement.otherwise);
  }
  if (statement.kind != StatementKind::kStore) return false;
  const typed::Expr& view = *statement.target;
  return view.type.dims.empty() && IsAtHand(*view.args[0]) &&
         std::all_of(view.subscripts.begin(), view.subscripts.end(),
                     [](const typed::Subscript& subscript) {
                       return subscript.value != nullptr &&
                              IsAtHand(*subscript.value);
                     }) &&
         IsAtHand(*statement.value);
}

bool StoresNumbers(const typed::Block& block) {
  return std::all_of(
      block.begin(), block.end(),
      [](const Statement* statement) { return StoresNumbers(*statement); });
}

}  // namespace

void Lowering::LowerBlock(const typed::Block& block) {
  for (const Statement* statement : block) LowerStatement(*statement);
}

ir::Block Lowering::LowerInside(const typed::Block& block) {
  ir::Block inside;
  ir::Block* outside = block_;
  const std::vector<Value> variables = variables_;
  const std::map<int, Int> reads = reads_;
  const std::map<int, int> totals = totals_;
  const size_t learned = learned_.size();
  block_ = &inside;
  LowerBlock(block);
  block_ = outside;
  variables_ = variables;
  // What was read before and not assigned since stays known.
  std::erase_if(reads_, [&](const auto& entry) {
    const auto before = reads.find(entry.first);
    return before == reads.end() || !Same(before->second, entry.second);
  });
  std::erase_if(totals_, [&](const auto& entry) {
    return !totals.contains(entry.first);
  });
  while (learned_.size() > learned) {
    const auto found = atoms_.find(learned_.back());
    if (!IsHost(found->second)) atoms_.erase(found);
    learned_.pop_back();
  }
  return inside;
}

void Lowering::LowerStatement(const Statement& statement) {
  switch (statement.kind) {
    case StatementKind::kAssign:
      return Assign(statement);
    case StatementKind::kLoop:
      return LowerLoop(*statement.loop, statement.range.line);
    case StatementKind::kIf:
      return LowerIf(statement);
    case StatementKind::kStore:
    case StatementKind::kAtomicAdd:
      return LowerStore(statement);
    case StatementKind::kAcrossUpdate:
      return LowerAcrossUpdate(statement);
    case StatementKind::kAssert:
      return LowerAssert(statement);
  }
}

Target Lowering::TargetOf(const typed::Variable& variable) {
  Target target;
  target.name = variable.name;
  const auto home = homes_.find(variable.id);
  if (home != homes_.end()) target.home = home->second;
  return target;
}

void Lowering::AssignCopy(const typed::Variable& variable, int tile) {
  Target target = TargetOf(variable);
  if (target.home == tile) return;
  const std::vector<Dim> dims = TileAt(tile).dims;
  variables_[static_cast<size_t>(variable.id)] =
      Reshaped(tile, dims, &target, TileAt(tile).line);
}

int Lowering::AssignedTile(const Expr& value, Target target) {
  const ir::Operand operand = OperandOf(value, &target);
  if (target.used) return std::get<int>(operand);
  const int line = value.range.line;
  const int* tile = std::get_if<int>(&operand);
  if (tile == nullptr) {
    return Materialised(operand, DtypeOf(value.type.element), &target, line);
  }
  if (*tile == target.home) return *tile;
  const std::vector<Dim> dims = TileAt(*tile).dims;
  return Reshaped(*tile, dims, &target, line);
}

Value Lowering::ValueOf(const typed::Variable& variable, const Expr& value) {
  switch (variable.type.kind) {
    case TypeKind::kIndex:
      return Shortened(IntOf(value), variable.name, value.range.line);
    case TypeKind::kRange: {
      Range range = RangeOf(value);
      range.start = Shortened(range.start, variable.name, value.range.line);
      return range;
    }
    case TypeKind::kTensor:
      if (value.kind == ExprKind::kOperation && value.op == Op::kScratch) {
        return MakeScratch(variable, value);
      }
      return TensorName{Inlined(value)};
    case TypeKind::kAcross:
      return MakeAcross(variable, value);
    default:
      return LowerHostLine(variable, value);
  }
}

void Lowering::Bind(const typed::Variable& variable, Value value) {
  Value& bound = variables_[static_cast<size_t>(variable.id)];
  const int line = variable.range.line;
  const auto write = [&](int tile, const Int& integer) {
    Target target;
    target.home = tile;
    Compute(Op::kFull, {IntegerNumber(integer)}, DType::kInt64, {}, &target,
            line);
  };
  const bool home = homes_.contains(variable.id);
  if (const auto* cell = std::get_if<IntegerCell>(&bound); cell && home) {
    return write(cell->tile, std::get<Int>(value));
  }
  if (const auto* cell = std::get_if<RangeCell>(&bound); cell && home) {
    const RangeCell to = *cell;
    const Range& range = std::get<Range>(value);
    write(to.start, range.start);
    return write(to.step, range.step);
  }
  bound = std::move(value);
}

void Lowering::Assign(const Statement& statement) {
  if (statement.values.size() == 1 && statement.targets.size() > 1) {
    return AssignTuple(statement, *statement.values[0]);
  }
  const size_t count = statement.targets.size();
  std::vector<Value> values(count);
  std::vector<bool> copies(count, false);
  for (size_t i = 0; i < count; ++i) {
    const typed::Variable& variable = *statement.targets[i];
    const Expr& value = *statement.values[i];
    if (variable.type.kind != TypeKind::kTile) {
      values[i] = ValueOf(variable, value);
      continue;
    }
    // All values are evaluated before the first is assigned.
    Target target = TargetOf(variable);
    for (size_t later = i + 1; later < count; ++later) {
      copies[i] =
          copies[i] || (target.home >= 0 &&
                        MentionsVariable(*statement.values[later], variable));
    }
    if (copies[i]) target.home = -1;
    values[i] = AssignedTile(value, target);
  }
  for (size_t i = 0; i < count; ++i) {
    const typed::Variable& variable = *statement.targets[i];
    if (copies[i]) {
      AssignCopy(variable, std::get<int>(values[i]));
    } else {
      Bind(variable, std::move(values[i]));
    }
  }
}

void Lowering::AssignTuple(const Statement& statement, const Expr& value) {
  if (value.kind == ExprKind::kSelect) {
    return AssignTuple(
        statement, Decide(*value.args[1]) ? *value.args[0] : *value.args[2]);
  }
  const typed::Variable& first = *statement.targets.at(0);
  const typed::Variable& second = *statement.targets.at(1);
  Target one = TargetOf(first);
  Target two = TargetOf(second);
  const auto [a, b] = LowerPair(value, &one, &two);
  const auto bind = [&](const typed::Variable& variable, const Target& target,
                        int tile) {
    if (target.used) {
      variables_[static_cast<size_t>(variable.id)] = tile;
    } else {
      AssignCopy(variable, tile);
    }
  };
  bind(first, one, a);
  bind(second, two, b);
}

Value Lowering::MakeScratch(const typed::Variable& variable,
                            const Expr& value) {
  const Expr& type = *value.args.at(0);
  ir::Tensor tensor;
  tensor.id = static_cast<int>(kernel_.tensors.size());
  tensor.name = kernel_.FreshName(variable.name);
  tensor.dtype = DtypeOf(type.type.element);
  tensor.role = ir::TensorRole::kScratch;
  std::vector<Int> dims;
  for (const Expr* size : type.args) dims.push_back(HostInt(*size));
  tensor.elements = Product(dims);
  scratches_[&variable] = tensor.id;
  scratch_dims_[tensor.id] = std::move(dims);
  kernel_.tensors.push_back(std::move(tensor));
  Expr* name = NewExpr(ExprKind::kVariable, TypeKind::kTensor);
  name->variable = &variable;
  name->type = variable.type;
  return TensorName{name};
}

Value Lowering::MakeAcross(const typed::Variable& variable, const Expr& value) {
  ir::Across across;
  across.id = static_cast<int>(kernel_.across.size());
  across.name = kernel_.FreshName(variable.name);
  across.combine = value.type.combine;
  across.dtype = DtypeOf(value.type.element);
  for (const Expr* size : value.args.at(1)->args) {
    across.dims.push_back(DimOf(*size));
  }
  kernel_.across.push_back(across);
  return AcrossName{across.id};
}

bool Lowering::Decide(const Expr& condition) {
  const Expr* inlined = Inlined(condition);
  if (const auto settled = facts_.Settled(*inlined)) return *settled;
  if (EachLoopIn(*inlined) != nullptr) {
    ir::Refuse(code::kX301, condition.range,
               "what is compiled depends on the tensor of a list",
               "write the choice as an `if` with statements");
  }
  const bool answer = oracle_.Decide(*inlined);
  facts_.Assume(*inlined, answer);
  LearnEqualities(*inlined, answer);
  return answer;
}

void Lowering::LearnEqualities(const Expr& condition, bool answer) {
  if (condition.kind == typed::ExprKind::kHostLogic) {
    if (condition.text == "not") {
      return LearnEqualities(*condition.args[0], !answer);
    }
    if ((condition.text == "and") != answer) return;
    for (const Expr* arg : condition.args) LearnEqualities(*arg, answer);
    return;
  }
  if (condition.kind != typed::ExprKind::kOperation ||
      condition.op != (answer ? Op::kEqual : Op::kNotEqual)) {
    return;
  }
  const Expr& size = *condition.args[0];
  const Expr& number = *condition.args[1];
  if (size.type.kind != TypeKind::kHostInt ||
      number.type.kind != TypeKind::kHostInt || !size.value.known()) {
    return;
  }
  const SizeAtom* atom = size.value.atom();
  const auto constant = number.value.constant();
  if (atom == nullptr || !constant) return;
  const Int value = HostInt(size);
  if (value.kind() == ir::IntKind::kName) constants_[value.name()] = *constant;
  atoms_.insert_or_assign(atom, *constant);
}

void Lowering::LowerIf(const Statement& statement) {
  bool chosen = true;
  switch (statement.how) {
    case IfKind::kVariant: {
      const Expr* inlined = Inlined(*statement.condition);
      const bool when_it_runs =
          EachLoopIn(*inlined) != nullptr || StoresNumbers(statement);
      if (when_it_runs && !facts_.Settled(*inlined)) {
        return LowerDeviceIf(statement, HostInt(*inlined));
      }
      chosen = Decide(*statement.condition);
      break;
    }
    case IfKind::kFits:
      chosen = !statement.has_otherwise || oracle_.Fits(statement);
      too_large_ = too_large_ || !chosen;
      break;
    case IfKind::kDevice:
      return LowerDeviceIf(statement, ConditionOf(*statement.condition));
  }
  LowerBlock(chosen ? statement.body : statement.otherwise);
}

void Lowering::LowerDeviceIf(const Statement& statement, const Int& condition) {
  std::vector<const typed::Variable*> names;
  CollectAssigned(statement.body, names);
  CollectAssigned(statement.otherwise, names);
  std::erase_if(names, [&](const typed::Variable* name) {
    return std::holds_alternative<std::monostate>(
        variables_[static_cast<size_t>(name->id)]);
  });
  const std::vector<int> homes = EnterHomes(names);
  ++device_ifs_;
  ir::Block body = LowerInside(statement.body);
  ir::Block otherwise = LowerInside(statement.otherwise);
  --device_ifs_;
  LeaveHomes(homes);
  ir::Stmt& stmt = Emit(ir::StmtKind::kIf, statement.range.line);
  stmt.condition = condition;
  stmt.body = std::move(body);
  stmt.otherwise = std::move(otherwise);
}

void Lowering::LowerStore(const Statement& statement) {
  std::vector<Dim> dims;
  ir::Access access = AccessOf(*statement.target, &dims, true);
  RequireInside(access.indices, statement.target->range, code::kX182);
  const ir::Operand operand = OperandOf(*statement.value);
  const DType dtype =
      kernel_.tensors.at(static_cast<size_t>(access.tensor)).dtype;
  const int line = statement.range.line;
  int tile = Materialised(operand, dtype, nullptr, line);
  // Positions that fall: the elements are turned round on chip.
  if (ir::Index& last = access.indices.back();
      last.kind == IndexKind::kRange && Less(last.step, 0).Is(1)) {
    last.step = Int(0) - last.step;
    last.start = last.start - (last.extent.size - Int(1)) * last.step;
    tile = TurnedRound(tile, line);
  }
  ir::Stmt& stmt =
      Emit(statement.kind == StatementKind::kStore ? ir::StmtKind::kStore
                                                   : ir::StmtKind::kAtomicAdd,
           line);
  stmt.operands = {tile};
  stmt.access = std::move(access);
}

void Lowering::LowerAcrossUpdate(const Statement& statement) {
  const Expr& target = *statement.target;
  const bool part = target.kind == ExprKind::kSubscript;
  const Expr& name = part ? *target.args[0] : target;
  const Value& value = variables_[static_cast<size_t>(name.variable->id)];
  const int id = std::get<AcrossName>(value).id;
  const std::vector<Dim> dims = kernel_.across.at(static_cast<size_t>(id)).dims;
  std::vector<ir::Index> slice;
  std::vector<Dim> shape;
  if (part)
    slice = IndicesOf(target.subscripts, dims, target.type.dims, &shape);
  const int tile = TileOf(*statement.value);
  ir::Stmt& stmt = Emit(ir::StmtKind::kAcrossUpdate, statement.range.line);
  stmt.operands = {tile};
  stmt.across = id;
  stmt.slice = std::move(slice);
  totals_.erase(id);
}

void Lowering::LowerAssert(const Statement& statement) {
  const Expr* inlined = Inlined(*statement.condition);
  if (EachLoopIn(*inlined) != nullptr) {
    ir::Refuse(code::kX301, statement.range,
               "an assertion about each tensor of a list",
               "assert what all of them have in common");
  }
  kernel_.asserts.push_back({inlined, statement.text});
  facts_.Require(*inlined);
  LearnEquality(*inlined);
}

}  // namespace belay::crux::lower
