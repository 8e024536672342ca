// SPDX-License-Identifier: Apache-2.0
#include "crux/run/compiled_work.h"

#include <algorithm>
#include <set>

#include "crux/run/compiled_expressions.h"

namespace belay::crux::run {
namespace {

using code::Stmt;
using code::StmtKind;
using Class = CompiledValues::Class;

class Estimator {
 public:
  explicit Estimator(const code::Kernel& kernel)
      : kernel_(kernel), expressions_(kernel, values_) {
    for (const code::Function& function : kernel.functions) {
      Count(function.body);
    }
  }

  CompiledWork Run() {
    const Site start = values_.site();
    Start();
    Visit(kernel_.functions.back().body);
    const std::vector<Work> all = values_.Finish();
    const auto at = [&](Site site) { return all[static_cast<size_t>(site)]; };
    CompiledWork result;
    result.start = at(start);
    for (const auto& [stmt, site] : sites_) {
      result.statements[stmt].work = at(site);
    }
    for (const auto& [stmt, site] : turns_) {
      result.statements[stmt].turn = at(site);
    }
    for (const auto& [scalar, site] : expressions_.seconds()) {
      result.seconds[{nullptr, scalar}] = at(site);
    }
    for (const auto& [which, site] : conditions_) {
      result.seconds[which] = at(site);
    }
    return result;
  }

 private:
  void Count(const code::Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kInvoke) ++invoked_[stmt->function];
      if (stmt->kind == StmtKind::kSync) ++invoked_[stmt->text];
      Count(stmt->body);
      Count(stmt->otherwise);
    }
  }

  // Something is called that may write memory.
  void Call() { values_.ForgetLoads(); }

  void Use(const ir::Int& expr) { values_.Use(expressions_.Of(expr)); }

  // Sizes of tensors, queues and buffers.
  void Start() {
    for (const code::Global& global : kernel_.globals) {
      if (global.list) continue;
      Use(global.elements);
      Use(global.workspace);
      Call();
      if (global.past_l2.is_constant()) continue;
      Use(global.past_l2);
      values_.Spend(Class::kSimple, 2);
      Call();
    }
    for (const code::Queue& queue : kernel_.queues) InitBuffer(queue.bytes);
    for (const code::Buffer& buffer : kernel_.buffers) {
      InitBuffer(buffer.bytes);
    }
  }

  // With what fields of the tiling data hold by their names, as it is printed.
  ir::Int ByFields(const ir::Int& expr) const {
    if (expr.is_constant() || expr.kind() == ir::IntKind::kName) return expr;
    for (const ir::HostValue& value : kernel_.tiles->host) {
      if (value.source == ir::HostSource::kFormula &&
          Same(value.formula, expr) &&
          std::ranges::count(kernel_.fields, value.name) > 0) {
        return ir::Int::Name(value.name);
      }
    }
    const auto args = expr.args();
    if (args.size() == 2) {
      return ir::Int::Of(expr.kind(), ByFields(args[0]), ByFields(args[1]));
    }
    if (args.size() != 3) return expr;
    return ir::Int::Select(ByFields(args[0]), ByFields(args[1]),
                           ByFields(args[2]));
  }

  void InitBuffer(const ir::Int& bytes) {
    values_.Use(expressions_.Narrow(expressions_.Of(ByFields(bytes)), 32));
    Call();
  }

  // The same wherever it is asked for, by what the text says: only the tiling
  // data and constants.
  bool IsFixed(const ir::Int& expr) const {
    switch (expr.kind()) {
      case ir::IntKind::kName:
        return std::ranges::count(kernel_.fields, expr.name()) > 0;
      case ir::IntKind::kConstant:
      case ir::IntKind::kAdd:
      case ir::IntKind::kSub:
      case ir::IntKind::kMul:
      case ir::IntKind::kFloorDiv:
        return std::ranges::all_of(
            expr.args(), [&](const ir::Int& arg) { return IsFixed(arg); });
      default:
        return false;
    }
  }

  // Whether it is another name for a tensor in scope: not printed
  // (print/drop_aliases.h).
  bool IsAlias(const Stmt& stmt) {
    if (stmt.kind != StmtKind::kGet || !IsFixed(stmt.value)) return false;
    const bool alias = std::ranges::any_of(in_scope_, [&](const Stmt* one) {
      return one->dtype == stmt.dtype && one->from == stmt.from &&
             Same(one->value, stmt.value);
    });
    if (!alias) in_scope_.push_back(&stmt);
    return alias;
  }

  void Visit(const code::Block& block) {
    const size_t scope = in_scope_.size();
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kComment || IsAlias(*stmt)) continue;
      if (begins_) {
        block_ = values_.NewSite();
        sites_[stmt.get()] = block_;
        begins_ = false;
      }
      values_.Enter(block_);
      const size_t tests = values_.tests();
      Visit(*stmt);
      begins_ = begins_ || Ends(*stmt) || tests != values_.tests();
    }
    in_scope_.resize(scope);
  }

  // Whether a basic block ends there: its work is spent where it begins.
  static bool Ends(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kCall:
        return stmt.function == "Extract";
      case StmtKind::kGet:
      case StmtKind::kCast:
      case StmtKind::kAlloc:
      case StmtKind::kDeQue:
      case StmtKind::kEnQue:
      case StmtKind::kSyncAll:
      case StmtKind::kOpenElement:
        return true;
      default:
        return false;
    }
  }

  void Visit(const Stmt& stmt) {
    switch (stmt.kind) {
      case StmtKind::kLet:
      case StmtKind::kVariable:
        expressions_.names()[stmt.name] =
            values_.AsInteger(expressions_.Of(stmt.value));
        return;
      case StmtKind::kSet:
        Use(stmt.value);
        expressions_.names()[stmt.name] = values_.Opaque();
        return;
      case StmtKind::kScalarLet:
        expressions_.names()[stmt.name] = expressions_.Of(*stmt.scalar);
        return;
      case StmtKind::kFor:
        return Loop(stmt);
      case StmtKind::kIf:
        return Branch(stmt);
      case StmtKind::kCall:
        return CallFunction(stmt);
      case StmtKind::kSetValue: {
        const DType dtype = expressions_.DtypeOfLocal(stmt.target.name);
        expressions_.UseOffset(stmt.target.offset, dtype);
        values_.Use(expressions_.AsElement(*stmt.scalar, dtype));
        return Call();
      }
      case StmtKind::kSetGlobal: {
        const DType dtype = expressions_.DtypeOfGlobal(stmt.global.name);
        expressions_.UseOffset(stmt.global.offset, dtype);
        values_.Use(expressions_.AsElement(*stmt.scalar, dtype));
        Call();
        // The line is cleaned.
        expressions_.UseOffset(stmt.global.offset, dtype);
        return Call();
      }
      case StmtKind::kInvoke:
        return Invoke(stmt);
      case StmtKind::kGet:
      case StmtKind::kCast:
        expressions_.UseOffset(stmt.value, stmt.dtype);
        return Call();
      case StmtKind::kOpenElement:
        Use(stmt.value);
        return Call();
      case StmtKind::kSync:
        if (invoked_[stmt.text] > 1) CallSync(stmt);
        return Call();
      default:
        return Call();
    }
  }

  // As a function, it gets the event's number as a byte, and returns.
  void CallSync(const Stmt& stmt) {
    constexpr uint32_t kInside = 3;
    values_.Spend(Class::kSimple, kCallWork + 2 - kInside);
    const auto [found, fresh] = sites_.emplace(&stmt, block_);
    if (fresh) found->second = values_.NewSite();
    values_.Enter(found->second);
    values_.Spend(Class::kSimple, kInside);
    values_.Enter(block_);
  }

  // Variables that are set in there are not what they were.
  void Disturb(const code::Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kSet) {
        expressions_.names()[stmt->name] = values_.Opaque();
      }
      Disturb(stmt->body);
      Disturb(stmt->otherwise);
    }
  }

  // The loop is turned over: its test stands in front of it and at its end.
  void Loop(const Stmt& stmt) {
    const Value low = expressions_.Of(stmt.value);
    values_.Use(low);
    // What the loop around it has loaded to ask for its turn is not at hand.
    if (values_.generation() == turn_) values_.ForgetLoads();
    const Value enters =
        values_.Binary(ValueOp::kLess, low, expressions_.Of(stmt.high));
    if (!values_.ConstantOf(enters)) values_.Spend(Class::kSimple);
    values_.Use(enters);
    Disturb(stmt.body);
    values_.ForgetLoads();
    const size_t mark = values_.Mark();
    const Site turn = values_.NewSite();
    turns_[&stmt] = turn;
    values_.Enter(turn);
    const Value variable = values_.Opaque();
    expressions_.names()[stmt.name] = variable;
    const Value high = expressions_.Of(stmt.high);
    const Value step = expressions_.Of(stmt.step);
    values_.Use(high);
    values_.Hold(values_.Binary(ValueOp::kLess, variable, high));
    turn_ = values_.generation();
    block_ = turn;
    Visit(stmt.body);
    // Step, compare, branch: at the end. The step may have been taken before.
    values_.Enter(begins_ ? turn : block_);
    values_.Use(values_.Binary(ValueOp::kAdd, variable, step));
    values_.Spend(Class::kSimple, 2);
    begins_ = true;
    // A loop that surely has a turn comes before what follows.
    if (!values_.ConstantOf(enters).value_or(0)) values_.Return(mark);
    values_.ForgetLoads();
  }

  void Branch(const Stmt& stmt) {
    // Code behind a fault is reached when all of the condition was asked.
    const bool faults =
        !stmt.body.empty() && stmt.body.back()->kind == StmtKind::kFault;
    const bool all = faults || stmt.value.kind() == ir::IntKind::kAnd;
    Value condition = expressions_.OfCondition(stmt.value, all);
    for (const auto& [which, site] : expressions_.second_integers()) {
      conditions_[{&stmt, which}] = site;
    }
    if (const auto known = values_.ConstantOf(condition)) {
      return Visit(*known != 0 ? stmt.body : stmt.otherwise);
    }
    // A truth that was made a number is a truth.
    if (values_.OpOf(condition) == ValueOp::kWiden) {
      condition = values_.ArgOf(condition, 0);
    }
    values_.Use(condition);
    // A number is compared with 0.
    const Site here = values_.site();
    const auto branch = expressions_.BranchOn(condition);
    values_.Enter(branch ? branch->site : here);
    values_.Spend(Class::kSimple, values_.IsTruth(condition) ? 1 : 2);
    values_.Enter(here);
    const size_t asked = values_.Mark();
    const size_t kept = std::min(asked, expressions_.kept());
    const int64_t generation = values_.generation();
    begins_ = true;
    Visit(stmt.body);
    begins_ = true;
    values_.Return(faults ? asked : kept);
    values_.Recall(generation);
    if (!faults && kept != asked) values_.ForgetLoads();
    Visit(stmt.otherwise);
    begins_ = true;
    Disturb(stmt.body);
    Disturb(stmt.otherwise);
    if (faults) return values_.Rule(condition);
    values_.Return(kept);
    values_.ForgetLoads();
  }

  // A part of a tensor is an object in memory, which is written.
  void UsePart(const ir::Int& offset, DType dtype) {
    if (offset.Is(0)) return;
    expressions_.UseOffset(offset, dtype);
    values_.ForgetLoads();
  }

  void CallFunction(const Stmt& stmt) {
    const DType dtype = DtypeOf(stmt);
    for (const code::Arg& argument : stmt.args) {
      if (const auto* local = std::get_if<code::Local>(&argument)) {
        UsePart(local->offset, expressions_.DtypeOfLocal(local->name));
      } else if (const auto* global =
                     std::get_if<code::GlobalPart>(&argument)) {
        UsePart(global->offset, expressions_.DtypeOfGlobal(global->name));
      } else if (const auto* value = std::get_if<ir::Int>(&argument)) {
        values_.Use(values_.AsInteger(expressions_.Of(*value)));
      } else if (const auto* scalar = std::get_if<code::ScalarPtr>(&argument)) {
        UseNumber(**scalar, dtype);
      } else if (const auto* given = std::get_if<code::Struct>(&argument)) {
        UseStruct(*given, dtype);
      }
    }
    Call();
    if (stmt.name.empty()) return;
    values_.Spend(Class::kStackLoad);
    expressions_.names()[stmt.name] = values_.Opaque();
  }

  // Numbers of an instruction lie in words of 64 bits: integers are not cut.
  void UseNumber(const code::Scalar& scalar, DType dtype) {
    if (scalar.kind == code::ScalarKind::kInt && !IsFloating(dtype)) {
      return Use(scalar.integer);
    }
    values_.Use(expressions_.AsElement(scalar, dtype));
  }

  // Of the numbers a call takes: as its first tensor; Axpy and comparisons
  // convert, they take one of the source's.
  DType DtypeOf(const Stmt& call) const {
    const bool from_source = call.function == "Axpy" ||
                             call.function == "CompareScalar" ||
                             call.function == "Compares";
    DType dtype = DType::kFloat;
    size_t seen = 0;
    for (const code::Arg& argument : call.args) {
      const auto* local = std::get_if<code::Local>(&argument);
      if (local == nullptr) continue;
      dtype = expressions_.DtypeOfLocal(local->name);
      if (seen++ == (from_source ? 1u : 0u)) break;
    }
    return dtype;
  }

  // Strides of copies are wide again where they are used.
  void UseStruct(const code::Struct& given, DType dtype) {
    const size_t narrow =
        given.type == "DataCopyExtParams" ? 2 : given.fields.size();
    for (size_t i = 0; i < given.fields.size(); ++i) {
      const Value field = values_.AsInteger(expressions_.Of(given.fields[i]));
      values_.Use(i < narrow ? expressions_.Narrow(field, 16) : field);
    }
    if (given.padding != nullptr) {
      values_.Use(expressions_.AsElement(*given.padding, dtype));
    }
  }

  // Functions that are called once are inlined.
  void Invoke(const Stmt& stmt) {
    const auto function = std::ranges::find(kernel_.functions, stmt.function,
                                            &code::Function::name);
    CompiledExpressions::Names inside;
    std::vector<Value> arguments;
    for (const ir::Int& argument : stmt.arguments) {
      arguments.push_back(values_.AsInteger(expressions_.Of(argument)));
    }
    const bool alone = invoked_[stmt.function] > 1;
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (alone) values_.Use(arguments[i]);
      inside[function->parameters[i]] = alone ? values_.Opaque() : arguments[i];
    }
    if (alone) {
      values_.Spend(Class::kSimple, kCallWork);
      Call();
      if (!visited_.insert(stmt.function).second) return;
    }
    const Site here = values_.site();
    std::swap(inside, expressions_.names());
    const size_t mark = values_.Mark();
    begins_ = alone;
    std::vector<const Stmt*> in_scope;
    std::swap(in_scope, in_scope_);
    Visit(function->body);
    std::swap(in_scope, in_scope_);
    std::swap(inside, expressions_.names());
    if (!alone) return;
    begins_ = false;
    block_ = here;
    values_.Return(mark);
    Call();
  }

  const code::Kernel& kernel_;
  CompiledValues values_;
  CompiledExpressions expressions_;
  std::map<std::string, int> invoked_;
  std::set<std::string> visited_;
  std::vector<const Stmt*> in_scope_;  // tensors of buffers
  std::map<const Stmt*, Site> sites_;
  std::map<const Stmt*, Site> turns_;
  Site block_ = 0;      // of the basic block
  bool begins_ = true;  // whether the next statement begins one
  int64_t turn_ = -1;   // loads of the loop's own test
  std::map<std::pair<const Stmt*, const void*>, Site> conditions_;
};

}  // namespace

CompiledWork CompiledWorkOf(const code::Kernel& kernel) {
  return Estimator(kernel).Run();
}

}  // namespace belay::crux::run
