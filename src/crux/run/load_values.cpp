// SPDX-License-Identifier: Apache-2.0
#include "crux/run/load_values.h"

#include "base/error.h"

namespace belay::crux::run {
namespace {

using code::ScalarKind;
using ir::HostSource;
using ir::IntKind;

bool IsArray(const ir::HostValue& value) {
  return value.source == HostSource::kPerItem ||
         value.source == HostSource::kList;
}

ScalarOp BinaryOpOf(const std::string& op) {
  static const std::map<std::string, ScalarOp, std::less<>> operations = {
      {"+", ScalarOp::kAdd},        {"-", ScalarOp::kSub},
      {"*", ScalarOp::kMul},        {"/", ScalarOp::kDiv},
      {"%", ScalarOp::kMod},        {"&", ScalarOp::kAnd},
      {"|", ScalarOp::kOr},         {"^", ScalarOp::kXor},
      {"<<", ScalarOp::kShiftLeft}, {">>", ScalarOp::kShiftRight},
      {"<", ScalarOp::kLess},       {"<=", ScalarOp::kLessEqual},
      {"==", ScalarOp::kEqual},     {"!=", ScalarOp::kNotEqual},
      {"&&", ScalarOp::kBothTrue},  {"||", ScalarOp::kEitherTrue},
  };
  const auto found = operations.find(op);
  if (found == operations.end()) {
    throw InternalError("[crux run] no operator '" + op + "'");
  }
  return found->second;
}

ScalarOp UnaryOpOf(const std::string& op) {
  if (op == "-") return ScalarOp::kNegate;
  if (op == "~") return ScalarOp::kInvert;
  if (op == "!") return ScalarOp::kNot;
  throw InternalError("[crux run] no operator '" + op + "'");
}

}  // namespace

ValueLoader::ValueLoader(const code::Kernel& kernel, const CompiledWork& work,
                         Program& program)
    : kernel_(kernel), work_(work), program_(program) {
  // Position 0 is the integer 0, so that what is left out is 0.
  Load(ir::Int(0));
  program_.block_slot = program_.value_slots++;
  program_.blocks_slot = program_.value_slots++;
  members_["block_idx"] = program_.block_slot;
  members_["block_num"] = program_.blocks_slot;
  for (const ir::HostValue& value : kernel.tiles->host) {
    if (IsArray(value)) {
      arrays_[value.name] = static_cast<int32_t>(program_.arrays.size());
      program_.arrays.push_back(value.name);
      continue;
    }
    const int32_t slot = program_.value_slots++;
    members_[value.name] = slot;
    (value.real ? program_.reals : program_.integers)
        .emplace_back(value.name, slot);
  }
}

void ValueLoader::EnterFunction() {
  values_.clear();
  locals_.clear();
}

int32_t ValueLoader::DeclareValue(const std::string& name) {
  const auto [found, added] = values_.emplace(name, program_.value_slots);
  if (added) ++program_.value_slots;
  return found->second;
}

int32_t ValueLoader::DeclareLocal(const std::string& name, DType dtype) {
  const auto [found, added] =
      locals_.emplace(name, LocalSlot{program_.local_slots, dtype});
  if (added) ++program_.local_slots;
  found->second.dtype = dtype;
  return found->second.slot;
}

int32_t ValueLoader::SlotOf(const std::string& name) const {
  const auto own = values_.find(name);
  if (own != values_.end()) return own->second;
  const auto member = members_.find(name);
  if (member != members_.end()) return member->second;
  throw InternalError("[crux run] no integer '" + name + "'");
}

int32_t ValueLoader::LocalOf(const std::string& name) const {
  const auto found = locals_.find(name);
  if (found == locals_.end()) {
    throw InternalError("[crux run] no tensor '" + name + "'");
  }
  return found->second.slot;
}

IntRef ValueLoader::LoadCondition(const code::Stmt& branch) {
  branch_ = &branch;
  const IntRef condition = Load(branch.value);
  branch_ = nullptr;
  return condition;
}

IntRef ValueLoader::Load(const ir::Int& value) {
  const auto next = [&] { return static_cast<IntRef>(program_.ints.size()); };
  if (value.is_constant()) {
    const auto [found, added] = constants_.emplace(value.value(), next());
    if (added) {
      IntNode node;
      node.value = value.value();
      program_.ints.push_back(node);
    }
    return found->second;
  }
  IntNode node;
  node.kind = value.kind();
  if (node.kind == IntKind::kName) {
    node.slot = SlotOf(value.name());
  } else if (node.kind == IntKind::kElement) {
    const auto found = arrays_.find(value.name());
    if (found == arrays_.end()) {
      throw InternalError("[crux run] no array '" + value.name() + "'");
    }
    node.slot = found->second;
  }
  for (size_t i = 0; i < value.args().size(); ++i) {
    node.args[i] = Load(value.args()[i]);
  }
  if (branch_ != nullptr &&
      (node.kind == IntKind::kAnd || node.kind == IntKind::kOr)) {
    node.rest = static_cast<int32_t>(program_.seconds.size());
    program_.seconds.push_back(work_.SecondOf(branch_, value.identity()));
  }
  const IntRef position = next();
  program_.ints.push_back(node);
  return position;
}

TensorRef ValueLoader::Load(const code::Local& local) {
  const auto found = locals_.find(local.name);
  if (found == locals_.end()) {
    throw InternalError("[crux run] no tensor '" + local.name + "'");
  }
  return {found->second.slot, Load(local.offset), found->second.dtype};
}

TensorRef ValueLoader::Load(const code::GlobalPart& global) {
  for (size_t i = 0; i < kernel_.globals.size(); ++i) {
    if (kernel_.globals[i].name != global.name) continue;
    return {static_cast<int32_t>(i), Load(global.offset),
            kernel_.globals[i].dtype};
  }
  throw InternalError("[crux run] no global tensor '" + global.name + "'");
}

ScalarRef ValueLoader::Load(const code::Scalar& scalar) {
  ScalarNode node;
  node.kind = scalar.kind;
  node.dtype = scalar.dtype;
  switch (scalar.kind) {
    case ScalarKind::kReal:
      node.real = static_cast<float>(scalar.real);
      if (!IsFloating(scalar.dtype)) {
        node.integer = Load(ir::Int(static_cast<int64_t>(scalar.real)));
        node.kind = ScalarKind::kInt;
      }
      break;
    case ScalarKind::kHost:
    case ScalarKind::kVariable:
      node.slot = SlotOf(scalar.name);
      break;
    case ScalarKind::kInt:
      node.integer = Load(scalar.integer);
      break;
    case ScalarKind::kElement:
      node.tensor = Load(scalar.local);
      break;
    case ScalarKind::kGlobal:
      node.tensor = Load(scalar.global);
      break;
    case ScalarKind::kUnary:
      node.op = UnaryOpOf(scalar.op);
      break;
    case ScalarKind::kBinary:
      node.op = BinaryOpOf(scalar.op);
      if (node.op == ScalarOp::kBothTrue || node.op == ScalarOp::kEitherTrue) {
        node.rest = work_.SecondOf(nullptr, &scalar.args[1]);
      }
      break;
    case ScalarKind::kSelect:
      node.arms[0] = work_.SecondOf(nullptr, &scalar.args[1]);
      node.arms[1] = work_.SecondOf(nullptr, &scalar.args[2]);
      break;
    case ScalarKind::kCast:
    case ScalarKind::kBits:
      break;
  }
  for (size_t i = 0; i < scalar.args.size(); ++i) {
    node.args[i] = Load(*scalar.args[i]);
  }
  program_.scalars.push_back(node);
  return static_cast<ScalarRef>(program_.scalars.size() - 1);
}

}  // namespace belay::crux::run
