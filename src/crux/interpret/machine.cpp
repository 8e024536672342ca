// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "base/error.h"

namespace belay::crux::interpret {
namespace {

using typed::Block;
using typed::Expr;
using typed::ExprKind;
using typed::IfKind;
using typed::Loop;
using typed::LoopKind;
using typed::Statement;
using typed::StatementKind;

// "c = 64:128" or "r = 3".
std::string PositionText(const Loop& loop, const Value& value) {
  if (const auto* range = std::get_if<Range>(&value.data)) {
    return fmt::format("{} = {}:{}", loop.name, range->start,
                       range->start + range->count);
  }
  return fmt::format("{} = {}", loop.name, std::get<int64_t>(value.data));
}

}  // namespace

Machine::Machine(const typed::Kernel& kernel, const Arguments& arguments,
                 const Options& options)
    : kernel_(kernel),
      arguments_(arguments),
      options_(options),
      budget_(options.limits),
      context_{options.arithmetic, options.bounds, &budget_},
      iterations_(budget_),
      parameters_(kernel.parameters.size()),
      ready_(kernel.parameters.size(), false),
      variables_(kernel.variables.size()),
      loop_values_(kernel.loops.size()),
      place_(&kernel.range) {}

Results Machine::Run() {
  Results results;
  try {
    RequireKnownArguments();
    BindDtypes();
    BindTensors();
    BindAttributes();
    Execute(kernel_.body);
    place_ = &kernel_.range;
    Deliver(results);
  } catch (const Fault& fault) {
    results.outputs.clear();
    results.diagnostics = {ToDiagnostic(fault)};
  } catch (const std::bad_alloc&) {
    results.outputs.clear();
    results.diagnostics = {ToDiagnostic(
        Fault(code::kX186, "this machine has not the memory the program needs",
              "use smaller tensors"))};
  }
  results.steps = budget_.spent();
  return results;
}

SourceLocation Machine::LocationOf(const SourceRange& range) const {
  SourceLocation location;
  location.file = options_.file;
  location.line = range.line;
  location.column = range.column;
  if (range.end_line == range.line) location.end_column = range.end_column;
  location.function = kernel_.name;
  return location;
}

Diagnostic Machine::ToDiagnostic(const Fault& fault) const {
  Diagnostic diagnostic;
  diagnostic.code = fault.code();
  diagnostic.severity = FindCode(fault.code())->severity;
  diagnostic.message = fault.message();
  diagnostic.fix = fault.fix();
  diagnostic.location = LocationOf(*place_);
  std::string loops;
  for (const Loop* loop : running_) {
    loops += (loops.empty() ? "" : ", ") +
             PositionText(*loop, loop_values_[static_cast<size_t>(loop->id)]);
  }
  if (!loops.empty()) {
    diagnostic.notes.push_back({"in the iteration " + loops, {}});
  }
  return diagnostic;
}

void Machine::Execute(const Block& block) {
  for (const Statement* statement : block) Execute(*statement);
}

void Machine::Execute(const Statement& statement) {
  place_ = &statement.range;
  budget_.Spend(1);
  switch (statement.kind) {
    case StatementKind::kAssign:
      return Assign(statement);
    case StatementKind::kLoop:
      return RunLoop(*statement.loop);
    case StatementKind::kIf:
      return RunIf(statement);
    case StatementKind::kStore:
    case StatementKind::kAtomicAdd:
      return Store(statement);
    case StatementKind::kAcrossUpdate:
      return UpdateAcross(statement);
    case StatementKind::kAssert:
      return Assert(statement);
  }
}

void Machine::Assert(const Statement& statement) {
  if (HostBoolOf(*statement.condition)) return;
  throw Fault(code::kX192,
              statement.text.empty()
                  ? "an assertion of the kernel does not hold"
                  : "the kernel asserts: " + statement.text,
              "call the kernel with sizes and attributes it takes");
}

void Machine::Assign(const Statement& statement) {
  std::vector<Value> values;
  for (const Expr* expr : statement.values) {
    if (expr->kind == ExprKind::kOperation && expr->op == Op::kScratch) {
      const Expr& type = *expr->args.at(0);
      Shape shape;
      for (const Expr* size : type.args) shape.push_back(SizeOf(*size));
      const TensorPtr tensor =
          NewTensor(statement.targets.at(values.size())->name,
                    DtypeOf(type.type.element), shape);
      if (!shapes_only_) tensor->WatchReads(context_);
      values.push_back({TensorRef{tensor, shape}});
    } else {
      values.push_back(Evaluate(*expr));
    }
  }
  if (values.size() == 1 && statement.targets.size() > 1) {
    const auto tuple = std::get<std::shared_ptr<Tuple>>(values[0].data);
    values = *tuple;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    variables_[static_cast<size_t>(statement.targets.at(i)->id)] =
        std::move(values[i]);
  }
}

void Machine::RunIf(const Statement& statement) {
  bool chosen = false;
  switch (statement.how) {
    case IfKind::kVariant:
      chosen = HostBoolOf(*statement.condition);
      break;
    case IfKind::kFits:
      chosen = options_.fits;
      if (const auto found = options_.fits_of.find(&statement);
          found != options_.fits_of.end()) {
        chosen = found->second;
      }
      if (!chosen && !statement.has_otherwise) {
        throw Fault(code::kX195, "fits() says no, and the `if` has no `else`",
                    "add an `else` that works on smaller pieces");
      }
      break;
    case IfKind::kDevice:
      chosen = ConditionOf(*statement.condition);
      break;
  }
  Execute(chosen ? statement.body : statement.otherwise);
}

void Machine::RunIteration(const Loop& loop, const Range& position) {
  budget_.Spend(1);
  Value& value = loop_values_[static_cast<size_t>(loop.id)];
  if (loop.tile != nullptr) {
    value.data = position;
  } else {
    value.data = position.start;
  }
  if (loop.kind == LoopKind::kCores) iterations_.Enter(position);
  Execute(loop.body);
  if (loop.kind == LoopKind::kCores) iterations_.Leave();
}

void Machine::RunLoop(const Loop& loop) {
  int64_t low = 0;
  int64_t high = 0;
  if (loop.kind == LoopKind::kEach) {
    const Value list = Evaluate(*loop.list);
    high = static_cast<int64_t>(
        std::get<std::shared_ptr<TensorList>>(list.data)->size());
  } else {
    if (loop.low != nullptr) low = IntegerOf(*loop.low);
    high = IntegerOf(*loop.high);
  }
  int64_t step = 1;
  if (loop.step != nullptr) step = IntegerOf(*loop.step);
  if (loop.tile != nullptr) {
    const auto chosen = options_.tile_of.find(&loop);
    step = chosen != options_.tile_of.end() ? chosen->second
                                            : IntegerOf(*loop.tile);
  }
  const bool by_range = loop.tile != nullptr;
  if (step == 0 || (by_range && step < 0)) {
    throw Fault(
        code::kX193,
        fmt::format("a loop with a {} of {}", by_range ? "tile" : "step", step),
        "it must be positive");
  }
  // Wide: bounds may lie anywhere in 64 bits.
  const __int128 span = step > 0 ? static_cast<__int128>(high) - low
                                 : static_cast<__int128>(low) - high;
  const __int128 stride = step > 0 ? step : -static_cast<__int128>(step);
  const __int128 pieces = span <= 0 ? 0 : (span + stride - 1) / stride;
  const bool reverse = FlagOf(loop.reverse, false);

  running_.push_back(&loop);
  const bool cores = loop.kind == LoopKind::kCores;
  if (cores) iterations_.EnterLoop(loop.name, by_range);
  for (__int128 n = 0; n < pieces; ++n) {
    const __int128 piece = reverse ? pieces - 1 - n : n;
    const auto start = static_cast<int64_t>(low + piece * step);
    Range position{start, 1, 1};
    if (by_range) {
      position.count = static_cast<int64_t>(
          std::min<__int128>(step, static_cast<__int128>(high) - start));
    }
    RunIteration(loop, position);
  }
  if (cores) iterations_.LeaveLoop();
  running_.pop_back();
}

void Machine::Store(const Statement& statement) {
  auto [tensor, window] = WindowOf(*statement.target);
  const TilePtr value = ToScalar(Evaluate(*statement.value), tensor->dtype());
  place_ = &statement.target->range;
  if (statement.kind == StatementKind::kStore) {
    tensor->Store(context_, iterations_, window, *value);
  } else {
    tensor->AtomicAdd(context_, iterations_, window, *value);
  }
}

void Machine::UpdateAcross(const Statement& statement) {
  const Expr& target = *statement.target;
  const bool part = target.kind == ExprKind::kSubscript;
  const auto across = std::get<std::shared_ptr<Across>>(
      Evaluate(part ? *target.args[0] : target).data);
  std::vector<Selection> selections;
  if (part) selections = SelectionsOf(target.subscripts, across->shape());
  const TilePtr value = TileOf(*statement.value);
  place_ = &statement.range;
  across->Update(context_, selections, *value, iterations_.Positions());
}

bool Results::ok() const {
  return std::none_of(diagnostics.begin(), diagnostics.end(),
                      [](const Diagnostic& diagnostic) {
                        return diagnostic.severity == Severity::kError;
                      });
}

const OutputTensor* Results::Find(std::string_view name) const {
  const auto found =
      std::find_if(outputs.begin(), outputs.end(),
                   [&](const OutputTensor& o) { return o.name == name; });
  return found == outputs.end() ? nullptr : &*found;
}

Results Interpret(const typed::Kernel& kernel, const Arguments& arguments,
                  const Options& options) {
  return Machine(kernel, arguments, options).Run();
}

}  // namespace belay::crux::interpret
