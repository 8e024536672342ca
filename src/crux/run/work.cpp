// SPDX-License-Identifier: Apache-2.0
#include "crux/run/work.h"

#include <algorithm>

#include "belay/guest_abi.h"
#include "belay/scalar_work.h"

namespace belay::crux::run {
namespace {

using abi::ScalarClass;
using code::ScalarKind;
using code::StmtKind;
using ir::IntKind;

// Whether it calls the chip: what does not is worked out without a branch.
bool ReadsElements(const code::Scalar& scalar) {
  if (scalar.kind == ScalarKind::kElement ||
      scalar.kind == ScalarKind::kGlobal) {
    return true;
  }
  return std::any_of(
      scalar.args.begin(), scalar.args.end(),
      [](const code::ScalarPtr& part) { return ReadsElements(*part); });
}

// A test for NaN: a variable compared with itself.
bool IsNanTest(const code::Scalar& scalar) {
  return (scalar.op == "==" || scalar.op == "!=") &&
         scalar.args[0]->kind == ScalarKind::kVariable &&
         scalar.args[1]->kind == ScalarKind::kVariable &&
         scalar.args[0]->name == scalar.args[1]->name;
}

// Worked out by the compiler.
bool IsConstant(const code::Scalar& scalar) {
  if (scalar.kind == ScalarKind::kReal) return true;
  if (scalar.kind == ScalarKind::kInt) return scalar.integer.is_constant();
  return !scalar.args.empty() &&
         std::ranges::all_of(scalar.args, [](const code::ScalarPtr& part) {
           return IsConstant(*part);
         });
}

using Fields = std::set<std::string, std::less<>>;

class Estimate {
 public:
  explicit Estimate(const Fields& fields) : fields_(fields) {}

  void Add(ScalarClass which, uint64_t count = 1) {
    work_.all += static_cast<int64_t>(count);
    if (which == ScalarClass::kSimple) return;
    work_.words[abi::ScalarWordOf(which)] += count << abi::ScalarShiftOf(which);
  }

  // Equal parts of a statement are worked out once.
  void Add(const ir::Int& value) {
    if (!value.args().empty() && !seen_.insert(ir::ToText(value)).second) {
      return;
    }
    for (const ir::Int& argument : value.args()) Add(argument);
    switch (value.kind()) {
      case IntKind::kConstant:
        return;
      case IntKind::kName:
        return AddName(value.name());
      case IntKind::kElement:
        AddName(value.name());
        return Add(ScalarClass::kStackLoad);
      case IntKind::kMul:
        return Multiply(value.args()[0], value.args()[1]);
      case IntKind::kFloorDiv:
      case IntKind::kMod:
        return Divide(value.args()[1]);
      // A quotient, and one more if there is a remainder.
      case IntKind::kCeilDiv:
        Divide(value.args()[1], 2);
        return Add(ScalarClass::kSimple, 3);
      case IntKind::kAlignUp:
        Divide(value.args()[1], 2);
        Add(ScalarClass::kSimple, 3);
        return Multiply(value.args()[0], value.args()[1]);
      default:
        return Add(ScalarClass::kSimple);
    }
  }

  void Add(const code::Scalar& scalar) {
    if (IsConstant(scalar)) return;
    // Whether it is one or is none: the same comparison.
    if (IsNanTest(scalar) && !tested_.insert(scalar.args[0]->name).second) {
      return;
    }
    if (scalar.op == "&&" || scalar.op == "||") {
      Add(*scalar.args[0]);
      if (!ReadsElements(*scalar.args[1])) Add(*scalar.args[1]);
      return Add(ScalarClass::kSimple);
    }
    for (const code::ScalarPtr& argument : scalar.args) Add(*argument);
    switch (scalar.kind) {
      case ScalarKind::kReal:
      case ScalarKind::kVariable:
      case ScalarKind::kBits:
        return;
      case ScalarKind::kHost:
        return AddName(scalar.name);
      case ScalarKind::kInt:
        Add(scalar.integer);
        if (IsFloating(scalar.dtype) && !scalar.integer.is_constant()) {
          Add(ScalarClass::kFloating);
        }
        return;
      case ScalarKind::kElement:
        return Add(scalar.local.offset);
      case ScalarKind::kGlobal:
        return Add(scalar.global.offset);
      case ScalarKind::kCast:
        return AddCast(scalar.args[0]->dtype, scalar.dtype);
      case ScalarKind::kSelect:
        return Add(ScalarClass::kSimple);
      case ScalarKind::kUnary:
      case ScalarKind::kBinary:
        // The opposite of a comparison is a comparison.
        if (scalar.op == "!") return;
        if (IsFloating(scalar.args[0]->dtype)) {
          return Add(ScalarClass::kFloating);
        }
        if (scalar.op == "*") return Add(ScalarClass::kMultiply);
        if (scalar.op == "/" || scalar.op == "%") {
          return Add(ScalarClass::kDivide);
        }
        return Add(ScalarClass::kSimple);
    }
  }

  void Add(const code::Arg& argument) {
    if (const auto* local = std::get_if<code::Local>(&argument)) {
      Add(local->offset);
    } else if (const auto* global = std::get_if<code::GlobalPart>(&argument)) {
      Add(global->offset);
    } else if (const auto* value = std::get_if<ir::Int>(&argument)) {
      Add(*value);
    } else if (const auto* scalar = std::get_if<code::ScalarPtr>(&argument)) {
      Add(**scalar);
    } else if (const auto* given = std::get_if<code::Struct>(&argument)) {
      for (const ir::Int& field : given->fields) Add(field);
      if (given->padding != nullptr) Add(*given->padding);
    }
  }

  // What was added so far is done elsewhere; it need not be done again.
  void Forget() { work_ = {}; }

  // Each field is loaded once in a statement, through a pointer that is loaded
  // once.
  const Work& Finish() {
    if (!used_.empty()) Add(ScalarClass::kStackLoad, 1 + used_.size());
    used_.clear();
    return work_;
  }

 private:
  void AddName(const std::string& name) {
    if (fields_.contains(name)) used_.insert(name);
  }

  // Between integers of one width nothing changes.
  void AddCast(DType from, DType to) {
    if (IsFloating(from) || IsFloating(to)) {
      Add(ScalarClass::kFloating);
    } else if (BytesOf(from) != BytesOf(to)) {
      Add(ScalarClass::kSimple);
    }
  }

  static bool IsPowerOfTwo(const ir::Int& value) {
    return value.is_constant() && value.value() > 0 &&
           (value.value() & (value.value() - 1)) == 0;
  }

  // By powers of two: a shift, and what corrects it below zero.
  void Divide(const ir::Int& by, uint64_t times = 1) {
    if (IsPowerOfTwo(by)) return Add(ScalarClass::kSimple, 3 * times);
    Add(ScalarClass::kDivide, times);
  }

  // Constants that are powers of two are shifted by.
  void Multiply(const ir::Int& a, const ir::Int& b) {
    Add(IsPowerOfTwo(a) || IsPowerOfTwo(b) ? ScalarClass::kSimple
                                           : ScalarClass::kMultiply);
  }
  const Fields& fields_;
  Fields used_;
  std::set<std::string> seen_;
  std::set<std::string> tested_;
  Work work_;
};

// The compiler writes out short loops, turn by turn.
bool IsUnrolled(const code::Stmt& loop) {
  constexpr int64_t kMostTurns = 8;
  return loop.value.is_constant() && loop.high.is_constant() &&
         loop.step.is_constant() &&
         loop.high.value() - loop.value.value() <=
             kMostTurns * loop.step.value();
}

}  // namespace

Work WorkOf(const code::Stmt& stmt, const Fields& fields) {
  Estimate estimate(fields);
  switch (stmt.kind) {
    case StmtKind::kFor:
      // Step, compare, branch.
      if (!IsUnrolled(stmt)) estimate.Add(ScalarClass::kSimple, 3);
      estimate.Add(stmt.high);
      estimate.Add(stmt.step);
      break;
    case StmtKind::kIf:
      estimate.Add(stmt.value);
      estimate.Add(ScalarClass::kSimple);
      break;
    case StmtKind::kCall:
      for (const code::Arg& argument : stmt.args) estimate.Add(argument);
      break;
    case StmtKind::kSetValue:
      estimate.Add(stmt.target.offset);
      estimate.Add(*stmt.scalar);
      break;
    case StmtKind::kSetGlobal:
      estimate.Add(stmt.global.offset);
      estimate.Add(*stmt.scalar);
      break;
    case StmtKind::kScalarLet:
      estimate.Add(*stmt.scalar);
      break;
    case StmtKind::kInvoke:
      for (const ir::Int& value : stmt.arguments) estimate.Add(value);
      break;
    default:
      estimate.Add(stmt.value);
  }
  return estimate.Finish();
}

Work WorkOfSecond(const code::Scalar& scalar, const Fields& fields) {
  if (!ReadsElements(*scalar.args[1])) return {};
  Estimate estimate(fields);
  estimate.Add(*scalar.args[0]);
  estimate.Forget();
  estimate.Add(*scalar.args[1]);
  return estimate.Finish();
}

void Spend(const Work& work) {
  belay_scalar_work[0] += work.words[0];
  belay_scalar_work[1] += work.words[1];
  belay_budget -= work.all;
  if (belay_budget < 0) belay_tick();
}

}  // namespace belay::crux::run
