// SPDX-License-Identifier: Apache-2.0
#include "toolchain/compile.h"

#include <dlfcn.h>
#include <llvm/Demangle/Demangle.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

#include "base/catalogue.h"
#include "base/error.h"
#include "toolchain/blame_user_code.h"
#include "toolchain/collect_backend_errors.h"
#include "toolchain/contain_crash.h"
#include "toolchain/count_scalar_work.h"
#include "toolchain/device_code.h"
#include "toolchain/emit_object.h"
#include "toolchain/front_end.h"
#include "toolchain/guard_scalar_memory.h"
#include "toolchain/link.h"
#include "toolchain/lint/lint.h"
#include "toolchain/lower_module.h"
#include "toolchain/optimize.h"

namespace belay::toolchain {
namespace {

// Adds the time it lives to `total`.
class Stopwatch {
 public:
  explicit Stopwatch(double* total) : total_(total) {}
  ~Stopwatch() {
    *total_ += std::chrono::duration<double, std::milli>(
                   std::chrono::steady_clock::now() - start_)
                   .count();
  }

 private:
  double* total_;
  std::chrono::steady_clock::time_point start_ =
      std::chrono::steady_clock::now();
};

// Deletes its files when it goes.
class TemporaryFiles {
 public:
  ~TemporaryFiles() {
    for (const std::string& file : files_) ::unlink(file.c_str());
  }
  void Add(std::string file) { files_.push_back(std::move(file)); }
  const std::vector<std::string>& files() const { return files_; }

 private:
  std::vector<std::string> files_;
};

bool HasError(const std::vector<Diagnostic>& diagnostics) {
  return std::any_of(diagnostics.begin(), diagnostics.end(),
                     [](const Diagnostic& diagnostic) {
                       return diagnostic.severity == Severity::kError;
                     });
}

void RequireReadable(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (::access(file.c_str(), R_OK) != 0 ||
        llvm::sys::fs::is_directory(file)) {
      throw UserError("[compile] a source must be a readable file, but '" +
                      file + "' is not; check its name");
    }
  }
}

Diagnostic LinkError(const std::string& message) {
  Diagnostic diagnostic;
  diagnostic.code = code::kC101;
  diagnostic.message = "linking failed: " + message;
  return diagnostic;
}

// First place each symbol that a file does not define is used at.
using FirstUses = std::map<std::string, SourceLocation>;

Diagnostic UndefinedSymbol(const std::string& symbol, const FirstUses& uses) {
  Diagnostic diagnostic;
  diagnostic.code = code::kC103;
  llvm::StringRef name = symbol;
  name.consume_back(kDeviceSuffix);
  diagnostic.message = "'" + llvm::demangle(name) +
                       "' is declared and used, but no source "
                       "defines it";
  const auto use = uses.find(symbol);
  if (use != uses.end()) diagnostic.location = use->second;
  diagnostic.fix = "add the source file that defines it";
  return diagnostic;
}

bool IsProvidedHere(const std::string& symbol) {
  return ::dlsym(RTLD_DEFAULT, symbol.c_str()) != nullptr;
}

// One source, by its index, to one object; false after errors.
bool CompileSource(const CompileOptions& options, size_t index,
                   const std::string& object, FirstUses& uses,
                   FrontEndReport& report, PhaseTimes& times) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  {
    Stopwatch watch(&times.front_end);
    module = ParseToModule(options, options.sources[index], context, report);
  }
  if (!module) return false;
  const BackendErrorCollector errors(*module, &report.diagnostics);
  const std::unique_ptr<llvm::TargetMachine> machine =
      MakeTargetMachine(*module);
  {
    Stopwatch watch(&times.passes);
    LowerModule(*module, index + 1 == options.sources.size(),
                report.diagnostics);
    if (HasError(report.diagnostics)) return false;
    const LibraryCalls library(*module, options.headers);
    Optimizer optimizer(*module, *machine, options.optimization);
    optimizer.Inline();
    GuardScalarMemory(*module);
    optimizer.Simplify();
    CountScalarWork(*module, library);
    for (auto& [symbol, place] : FirstUsesOfUndefined(*module))
      uses.emplace(symbol, place);
  }
  Stopwatch watch(&times.code_generation);
  EmitObject(*module, *machine, object);
  return !HasError(report.diagnostics);
}

void CompileAll(const CompileOptions& options, TemporaryFiles& objects,
                FrontEndReport& report, PhaseTimes& times) {
  FirstUses uses;
  bool ok = true;
  for (size_t i = 0; i < options.sources.size(); ++i) {
    objects.Add(options.output + "." + std::to_string(i) + ".o");
    ok &=
        CompileSource(options, i, objects.files().back(), uses, report, times);
  }
  if (!ok) return;
  Stopwatch watch(&times.link);
  const LinkResult linked = Link(objects.files(), options.output);
  for (const std::string& error : linked.errors)
    report.diagnostics.push_back(LinkError(error));
  if (!linked.ok) return;
  for (const std::string& symbol : UndefinedSymbols(options.output)) {
    if (options.is_provided ? options.is_provided(symbol)
                            : IsProvidedHere(symbol))
      continue;
    report.diagnostics.push_back(UndefinedSymbol(symbol, uses));
  }
}

CompileResult ToResult(const CompileOptions& options, FrontEndReport report,
                       const PhaseTimes& times) {
  CompileResult result;
  SettleDoubts(report.diagnostics);
  for (Diagnostic& diagnostic : report.diagnostics)
    BlameUserCode(options.headers, diagnostic);
  result.ok = !HasError(report.diagnostics);
  result.diagnostics = std::move(report.diagnostics);
  result.milliseconds = times;
  result.used_precompiled_header = report.used_precompiled_header;
  result.inputs = std::move(report.inputs);
  return result;
}

}  // namespace

CompileResult Compile(const CompileOptions& options) {
  RequireReadable(options.sources);
  ::unlink(options.output.c_str());
  FrontEndReport report;
  PhaseTimes times;
  {
    TemporaryFiles objects;
    ContainCrash(report.diagnostics,
                 [&] { CompileAll(options, objects, report, times); });
  }
  CompileResult result = ToResult(options, std::move(report), times);
  if (!result.ok) ::unlink(options.output.c_str());
  return result;
}

CompileResult CheckSyntax(const CompileOptions& options) {
  RequireReadable(options.sources);
  FrontEndReport report;
  PhaseTimes times;
  ContainCrash(report.diagnostics, [&] {
    Stopwatch watch(&times.front_end);
    for (const std::string& source : options.sources)
      ParseOnly(options, source, report);
  });
  return ToResult(options, std::move(report), times);
}

CompileResult BuildPrecompiledHeader(const CompileOptions& options,
                                     const std::string& header,
                                     const std::string& output) {
  RequireReadable({header});
  FrontEndReport report;
  PhaseTimes times;
  ContainCrash(report.diagnostics, [&] {
    Stopwatch watch(&times.front_end);
    Precompile(options, header, output, report);
  });
  return ToResult(options, std::move(report), times);
}

}  // namespace belay::toolchain
