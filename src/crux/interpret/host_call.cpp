// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/host_call.h"

#include <map>

#include "base/error.h"
#include "crux/interpret/machine.h"

namespace belay::crux::interpret {
namespace {

using typed::IfKind;
using typed::Parameter;
using typed::ParameterRole;
using typed::Statement;
using typed::StatementKind;

Options OptionsFor(std::string file) {
  Options options;
  options.bounds = false;
  options.file = std::move(file);
  return options;
}

// Whether a statement assigns what the host knows: numbers, texts, tensors.
bool IsHostLine(const Statement& statement) {
  for (const typed::Variable* target : statement.targets) {
    if (!target->type.is_host() && target->type.kind != TypeKind::kTensor) {
      return false;
    }
  }
  return !statement.targets.empty();
}

}  // namespace

template <typename F>
auto HostCall::Guarded(F action) {
  try {
    return action();
  } catch (const Fault& fault) {
    throw CallRefused(machine_->ToDiagnostic(fault));
  }
}

HostCall::HostCall(const typed::Kernel& kernel, const Arguments& arguments,
                   std::string file)
    : kernel_(kernel),
      options_(OptionsFor(std::move(file))),
      machine_(std::make_unique<Machine>(kernel, arguments, options_)) {
  machine_->shapes_only_ = true;
  Guarded([&] {
    machine_->RequireKnownArguments();
    machine_->BindDtypes();
    machine_->BindTensors();
    machine_->BindAttributes();
  });
}

HostCall::~HostCall() = default;

std::vector<DType> HostCall::Dtypes() const {
  std::vector<DType> dtypes;
  for (const DtypeVariable* variable : kernel_.dtypes) {
    dtypes.push_back(machine_->dtypes_.at(variable));
  }
  return dtypes;
}

void HostCall::Walk(const typed::Block& block,
                    const std::function<bool(const Statement&)>& fits,
                    std::vector<Choice>& choices) {
  for (const Statement* statement : block) {
    machine_->place_ = &statement->range;
    switch (statement->kind) {
      case StatementKind::kAssign:
        if (IsHostLine(*statement)) machine_->Assign(*statement);
        break;
      case StatementKind::kAssert:
        machine_->Assert(*statement);
        break;
      case StatementKind::kLoop:
        WalkLoop(*statement->loop, fits, choices);
        break;
      case StatementKind::kIf: {
        if (statement->how == IfKind::kDevice) {
          Walk(statement->body, fits, choices);
          Walk(statement->otherwise, fits, choices);
          break;
        }
        const bool taken = statement->how == IfKind::kFits
                               ? fits(*statement)
                               : machine_->HostBoolOf(*statement->condition);
        choices.push_back({statement, taken});
        Walk(taken ? statement->body : statement->otherwise, fits, choices);
        break;
      }
      default:
        break;
    }
  }
}

void HostCall::WalkLoop(const typed::Loop& loop,
                        const std::function<bool(const Statement&)>& fits,
                        std::vector<Choice>& choices) {
  if (loop.kind != typed::LoopKind::kEach) {
    return Walk(loop.body, fits, choices);
  }
  // What fits is the same for all tensors of the list.
  std::map<const Statement*, bool> known;
  const auto once = [&](const Statement& statement) {
    const auto [at, is_new] = known.try_emplace(&statement);
    if (is_new) at->second = fits(statement);
    return at->second;
  };
  const auto list = std::get<std::shared_ptr<TensorList>>(
      machine_->Evaluate(*loop.list).data);
  for (size_t i = 0; i < list->size(); ++i) {
    machine_->loop_values_[static_cast<size_t>(loop.id)].data =
        static_cast<int64_t>(i);
    Walk(loop.body, once, choices);
  }
}

std::vector<HostCall::Choice> HostCall::Choose(
    const std::function<bool(const Statement&)>& fits) {
  std::vector<Choice> choices;
  Guarded([&] { Walk(kernel_.body, fits, choices); });
  return choices;
}

int64_t HostCall::Integer(const typed::Expr& expr) {
  return Guarded([&] { return machine_->IntegerOf(expr); });
}

double HostCall::Real(const typed::Expr& expr) {
  return Guarded([&] {
    const Value value = machine_->Evaluate(expr);
    if (const auto* whole = std::get_if<int64_t>(&value.data)) {
      return static_cast<double>(*whole);
    }
    return std::get<double>(value.data);
  });
}

std::vector<int64_t> HostCall::PerItem(const typed::Loop& loop,
                                       const typed::Expr& expr) {
  return Guarded([&] {
    const auto list = std::get<std::shared_ptr<TensorList>>(
        machine_->Evaluate(*loop.list).data);
    std::vector<int64_t> values;
    Value& index = machine_->loop_values_[static_cast<size_t>(loop.id)];
    for (size_t i = 0; i < list->size(); ++i) {
      index.data = static_cast<int64_t>(i);
      values.push_back(machine_->IntegerOf(expr));
    }
    return values;
  });
}

std::vector<int64_t> HostCall::List(const typed::Expr& expr) {
  return Guarded(
      [&] { return *std::get<WholeList>(machine_->Evaluate(expr).data); });
}

void HostCall::Assign(const typed::Variable& variable,
                      const typed::Expr& expr) {
  Guarded([&] {
    machine_->variables_[static_cast<size_t>(variable.id)] =
        machine_->Evaluate(expr);
  });
}

void HostCall::Require(const typed::Expr& condition,
                       const std::string& message) {
  Statement statement;
  statement.condition = &condition;
  statement.text = message;
  Guarded([&] {
    machine_->place_ = &condition.range;
    machine_->Assert(statement);
  });
}

void HostCall::RequireMeaning(const typed::Expr& condition, const char* code,
                              const std::string& message) {
  Guarded([&] {
    machine_->place_ = &condition.range;
    if (machine_->HostBoolOf(condition)) return;
    throw Fault(code, message,
                "call the kernel with sizes and attributes it takes");
  });
}

int64_t HostCall::Size(const std::string& name) {
  typed::Expr size;
  size.kind = typed::ExprKind::kSize;
  size.text = name;
  return Integer(size);
}

bool HostCall::IsGiven(const Parameter& parameter) {
  return Guarded([&] { return !machine_->ParameterValue(parameter).absent(); });
}

size_t HostCall::Count(const Parameter& parameter) {
  return Guarded([&]() -> size_t {
    const Value& value = machine_->ParameterValue(parameter);
    const auto* list = std::get_if<std::shared_ptr<TensorList>>(&value.data);
    return list == nullptr ? 1 : (*list)->size();
  });
}

Shape HostCall::ShapeOf(const Parameter& parameter, size_t element) {
  return Guarded([&] {
    const Value& value = machine_->ParameterValue(parameter);
    if (const auto* ref = std::get_if<TensorRef>(&value.data)) {
      return ref->shape;
    }
    return (*std::get<std::shared_ptr<TensorList>>(value.data))
        .at(element)
        ->shape();
  });
}

DType HostCall::DtypeOf(const Parameter& parameter) {
  return machine_->DtypeOf(parameter.type.element);
}

void HostCall::CheckShapes() {
  Guarded([&] {
    for (const Parameter* parameter : kernel_.parameters) {
      if (parameter->role == ParameterRole::kAttribute) continue;
      machine_->place_ = &parameter->range;
      machine_->ParameterValue(*parameter);
    }
  });
}

}  // namespace belay::crux::interpret
