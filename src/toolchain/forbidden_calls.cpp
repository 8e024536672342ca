// SPDX-License-Identifier: Apache-2.0
#include "toolchain/forbidden_calls.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/StringSwitch.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/Intrinsics.h>

#include <string>

#include "base/catalogue.h"
#include "toolchain/device_code.h"
#include "toolchain/host_compiler.h"

namespace belay::toolchain {
namespace {

using llvm::Intrinsic::ID;

// Intrinsics that stand for functions of libm. Square root, absolute value,
// minimum and maximum are instructions of the scalar unit.
llvm::StringRef LibraryNameOf(ID id) {
  switch (id) {
    case llvm::Intrinsic::acos:
      return "acos";
    case llvm::Intrinsic::asin:
      return "asin";
    case llvm::Intrinsic::atan:
      return "atan";
    case llvm::Intrinsic::ceil:
      return "ceil";
    case llvm::Intrinsic::cos:
      return "cos";
    case llvm::Intrinsic::cosh:
      return "cosh";
    case llvm::Intrinsic::exp:
      return "exp";
    case llvm::Intrinsic::exp2:
      return "exp2";
    case llvm::Intrinsic::exp10:
      return "exp10";
    case llvm::Intrinsic::floor:
      return "floor";
    case llvm::Intrinsic::log:
      return "log";
    case llvm::Intrinsic::log2:
      return "log2";
    case llvm::Intrinsic::log10:
      return "log10";
    case llvm::Intrinsic::llrint:
    case llvm::Intrinsic::lrint:
    case llvm::Intrinsic::nearbyint:
    case llvm::Intrinsic::rint:
      return "rint";
    case llvm::Intrinsic::llround:
    case llvm::Intrinsic::lround:
    case llvm::Intrinsic::round:
    case llvm::Intrinsic::roundeven:
      return "round";
    case llvm::Intrinsic::pow:
    case llvm::Intrinsic::powi:
      return "pow";
    case llvm::Intrinsic::sin:
      return "sin";
    case llvm::Intrinsic::sinh:
      return "sinh";
    case llvm::Intrinsic::tan:
      return "tan";
    case llvm::Intrinsic::tanh:
      return "tanh";
    case llvm::Intrinsic::trunc:
      return "trunc";
    default:
      return {};
  }
}

llvm::StringRef VectorCounterpart(llvm::StringRef name) {
  return llvm::StringSwitch<llvm::StringRef>(name)
      .Cases("exp", "expf", "Exp")
      .Cases("log", "logf", "Ln")
      .Cases("sqrt", "sqrtf", "Sqrt")
      .Cases("fabs", "fabsf", "Abs")
      .Cases("fmax", "fmaxf", "Max")
      .Cases("fmin", "fminf", "Min")
      .Cases("sin", "sinf", "Sin")
      .Cases("cos", "cosf", "Cos")
      .Cases("tanh", "tanhf", "Tanh")
      .Cases("erf", "erff", "Erf")
      .Cases("pow", "powf", "Power")
      .Default({});
}

std::string MessageFor(llvm::StringRef name) {
  if (name.starts_with("__cxa_guard"))
    return "kernel code has a static variable that is initialised at run time, "
           "which the NPU cannot do";
  return "kernel code calls '" + llvm::demangle(name) +
         "', which does not exist on the NPU";
}

// The calls in the user's files through which `call` is reached.
void FindUserCalls(const llvm::CallBase& call,
                   llvm::DenseSet<const llvm::Function*>& seen,
                   std::vector<const llvm::CallBase*>& places) {
  const SourceLocation location = LocationOf(call);
  if (location.known() && !IsSystemHeader(location.file)) {
    places.push_back(&call);
    return;
  }
  const llvm::Function* function = call.getFunction();
  if (!seen.insert(function).second) return;
  for (const llvm::User* user : function->users()) {
    const auto* caller = llvm::dyn_cast<llvm::CallBase>(user);
    if (caller && caller->getFunction()->hasFnAttribute(kDeviceMark))
      FindUserCalls(*caller, seen, places);
  }
}

}  // namespace

bool IsForbidden(const llvm::Function& callee) {
  if (callee.isIntrinsic())
    return !LibraryNameOf(callee.getIntrinsicID()).empty();
  const llvm::StringRef name = callee.getName();
  if (IsRuntimeName(name) || name.ends_with(kDeviceSuffix) ||
      name.ends_with(kCubeDeviceSuffix))
    return false;
  return !llvm::StringSwitch<bool>(name)
              .Cases("sqrt", "fabs", "fabsf", "abs", "labs", true)
              .Default(false);
}

std::vector<Diagnostic> ForbiddenCall(const llvm::CallBase& call,
                                      const llvm::Function& callee) {
  const std::string name = callee.isIntrinsic()
                               ? LibraryNameOf(callee.getIntrinsicID()).str()
                               : callee.getName().str();
  std::vector<const llvm::CallBase*> places;
  llvm::DenseSet<const llvm::Function*> seen;
  FindUserCalls(call, seen, places);
  if (places.empty()) places.push_back(&call);
  std::vector<Diagnostic> diagnostics;
  for (const llvm::CallBase* place : places) {
    Diagnostic diagnostic;
    diagnostic.code = code::kC102;
    diagnostic.message = MessageFor(name);
    diagnostic.location = LocationOf(*place);
    diagnostic.fix = WayAround(name);
    diagnostics.push_back(std::move(diagnostic));
  }
  return diagnostics;
}

std::string WayAround(llvm::StringRef name) {
  if (const llvm::StringRef vector = VectorCounterpart(name); !vector.empty())
    return ("use AscendC::" + vector +
            " on a LocalTensor, or compute the value in host code and pass it")
        .str();
  if (llvm::StringSwitch<bool>(name)
          .Cases("floor", "floorf", "ceil", "ceilf", "round", "roundf", true)
          .Cases("trunc", "truncf", "rint", "rintf", true)
          .Default(false))
    return "use AscendC::ScalarCast, or AscendC::Cast with a round mode";
  if (llvm::StringSwitch<bool>(name)
          .Cases("malloc", "calloc", "realloc", "free", true)
          .StartsWith("_Zn", true)
          .StartsWith("_Zd", true)
          .Default(false))
    return "the NPU has no heap: take buffers from a TPipe with InitBuffer";
  if (name.starts_with("__cxa_guard"))
    return "initialise the static variable with a constant";
  if (name.starts_with("__cxa_"))
    return "the NPU has no exceptions: report errors through global memory";
  if (llvm::StringRef(llvm::demangle(name)).starts_with("std::"))
    return "the NPU has no C++ library: move the call to host code";
  if (name.starts_with("_Z"))
    return "define the function in one of the sources and mark it __aicore__";
  return "move the call to host code";
}

}  // namespace belay::toolchain
