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
#include <memory>
#include <optional>
#include <utility>

#include "base/catalogue.h"
#include "base/error.h"
#include "toolchain/blame_user_code.h"
#include "toolchain/collect_backend_errors.h"
#include "toolchain/confine_kernels.h"
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
#include "toolchain/read_annotations.h"
#include "toolchain/read_task_types.h"

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

bool Contains(const std::vector<Diagnostic>& diagnostics,
              const Diagnostic& wanted) {
  const SourceLocation& place = wanted.location;
  return std::any_of(
      diagnostics.begin(), diagnostics.end(), [&](const Diagnostic& one) {
        return one.code == wanted.code && one.message == wanted.message &&
               one.location.file == place.file &&
               one.location.line == place.line &&
               one.location.column == place.column;
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
  for (const char* suffix : {kDeviceSuffix, kCubeDeviceSuffix, kRecordSuffix})
    name.consume_back(suffix);
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

// A source as it is for cube cores.
struct CubeSource {
  std::unique_ptr<llvm::LLVMContext> context =
      std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module;  // null after errors
  std::vector<Diagnostic> diagnostics;
};

// A compilation under way: what its sources gave so far.
struct Progress {
  FrontEndReport report;
  std::map<size_t, CubeSource> cube_sources;  // by index, once parsed
  PhaseTimes times;
  TemporaryFiles objects;
  FirstUses uses;
};

// Belay's passes and code generation; false after errors.
template <typename Lower>
bool CompileModule(const CompileOptions& options, llvm::Module& module,
                   const Lower& lower, const std::string& object,
                   Progress& progress) {
  std::vector<Diagnostic>& diagnostics = progress.report.diagnostics;
  const BackendErrorCollector errors(module, &diagnostics);
  const std::unique_ptr<llvm::TargetMachine> machine =
      MakeTargetMachine(module);
  {
    Stopwatch watch(&progress.times.passes);
    lower(module, diagnostics);
    if (HasError(diagnostics)) return false;
    const LibraryCalls library(module, options.headers);
    Optimizer optimizer(module, *machine, options.optimization);
    optimizer.Inline();
    if (options.untrusted) CheckIndirectCalls(module);
    GuardScalarMemory(module);
    optimizer.Simplify();
    CountScalarWork(module, library);
    if (options.untrusted) RequireConfined(module, diagnostics);
    if (HasError(diagnostics)) return false;
    if (options.untrusted) SeparateVariables(module);
    for (auto& [symbol, place] : FirstUsesOfUndefined(module))
      progress.uses.emplace(symbol, place);
  }
  Stopwatch watch(&progress.times.code_generation);
  EmitObject(module, *machine, object);
  return !HasError(diagnostics);
}

CubeSource& ParseForCube(const CompileOptions& all_options, size_t index,
                         Progress& progress) {
  const auto [entry, is_new] = progress.cube_sources.try_emplace(index);
  CubeSource& cube = entry->second;
  if (!is_new) return cube;
  CompileOptions options = all_options;
  options.core = CoreType::kCube;
  options.precompiled_header = options.cube_precompiled_header;
  Stopwatch watch(&progress.times.front_end);
  std::swap(cube.diagnostics, progress.report.diagnostics);
  cube.module = ParseToModule(options, options.sources[index], *cube.context,
                              progress.report);
  std::swap(cube.diagnostics, progress.report.diagnostics);
  return cube;
}

bool SaysItsCores(const llvm::Function& function) {
  return !function.hasFnAttribute(kKernelMark) || function.isDeclaration() ||
         function.hasFnAttribute(kKindMark);
}

// Kernels that do not say which cores they run on, in a program that tells
// types of core apart: calls for the cube may stand where only the compilation
// for cube cores sees them.
void DecideCores(const CompileOptions& options, size_t index,
                 llvm::Module& module, Progress& progress) {
  ReadAnnotations(module);
  ReadTaskTypes(module);
  if (options.core != CoreType::kVector || options.host_only ||
      !progress.report.inputs.asks_core_type ||
      std::all_of(module.begin(), module.end(), SaysItsCores))
    return;
  const CubeSource& cube = ParseForCube(options, index, progress);
  if (!cube.module) return;
  ReadAnnotations(*cube.module);
  ReadTaskTypes(*cube.module);
  for (llvm::Function& kernel : module) {
    if (SaysItsCores(kernel)) continue;
    const llvm::Function* other = cube.module->getFunction(kernel.getName());
    if (!other || !other->hasFnAttribute(kInferredMark)) continue;
    kernel.addFnAttr(kKindMark, kernel.hasFnAttribute(kVectorCallsMark)
                                    ? "mix:1:2"
                                    : "cube");
  }
}

// One source, by its index, to one object; nothing after errors.
std::optional<LoweredModule> CompileSource(const CompileOptions& options,
                                           size_t index, Progress& progress) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
  {
    Stopwatch watch(&progress.times.front_end);
    module = ParseToModule(options, options.sources[index], context,
                           progress.report);
  }
  if (!module) return std::nullopt;
  DecideCores(options, index, *module, progress);
  const std::string object =
      options.output + "." + std::to_string(index) + ".o";
  progress.objects.Add(object);
  LoweredModule lowered;
  const auto lower = [&](llvm::Module& all,
                         std::vector<Diagnostic>& diagnostics) {
    const ModuleRole role = {
        .source = std::to_string(index),
        .is_last = index + 1 == options.sources.size(),
        .may_have_cube_module = options.core == CoreType::kVector,
        .untrusted = options.untrusted};
    lowered = LowerModule(all, role, diagnostics);
  };
  if (!CompileModule(options, *module, lower, object, progress))
    return std::nullopt;
  return lowered;
}

// The kernel code of a source once more, for cube cores.
void CompileForCube(const CompileOptions& options, size_t index,
                    Progress& progress) {
  CubeSource& cube = ParseForCube(options, index, progress);
  // What was said before is not said again.
  std::vector<Diagnostic> before = std::move(progress.report.diagnostics);
  progress.report.diagnostics = std::move(cube.diagnostics);
  if (cube.module) {
    const std::string object =
        options.output + "." + std::to_string(index) + ".cube.o";
    progress.objects.Add(object);
    const auto lower = [&](llvm::Module& kernels,
                           std::vector<Diagnostic>& diagnostics) {
      ModuleRole role;
      role.source = std::to_string(index);
      role.untrusted = options.untrusted;
      LowerCubeModule(kernels, role, diagnostics);
    };
    CompileModule(options, *cube.module, lower, object, progress);
  }
  for (Diagnostic& diagnostic : progress.report.diagnostics)
    if (!Contains(before, diagnostic)) before.push_back(std::move(diagnostic));
  progress.report.diagnostics = std::move(before);
}

// Device code of any source may call that of another, so all of it is compiled
// for cube cores when some kernel runs there.
bool CompileSources(const CompileOptions& options, Progress& progress) {
  std::vector<size_t> with_device_code;
  bool wants_cube = false;
  bool ok = true;
  for (size_t i = 0; i < options.sources.size(); ++i) {
    const auto lowered = CompileSource(options, i, progress);
    ok &= lowered.has_value();
    if (lowered && lowered->has_device_code) with_device_code.push_back(i);
    wants_cube |= lowered && lowered->wants_cube_module;
  }
  if (!ok || !wants_cube) return ok;
  for (const size_t index : with_device_code)
    CompileForCube(options, index, progress);
  return !HasError(progress.report.diagnostics);
}

void CompileAll(const CompileOptions& options, Progress& progress) {
  if (!CompileSources(options, progress)) return;
  std::vector<Diagnostic>& diagnostics = progress.report.diagnostics;
  Stopwatch watch(&progress.times.link);
  const LinkResult linked = Link(progress.objects.files(), options.output);
  for (const std::string& error : linked.errors)
    diagnostics.push_back(LinkError(error));
  if (!linked.ok) return;
  for (const std::string& symbol : UndefinedSymbols(options.output)) {
    if (options.is_provided ? options.is_provided(symbol)
                            : IsProvidedHere(symbol))
      continue;
    diagnostics.push_back(UndefinedSymbol(symbol, progress.uses));
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
  Progress progress;
  ContainCrash(progress.report.diagnostics,
               [&] { CompileAll(options, progress); });
  CompileResult result =
      ToResult(options, std::move(progress.report), progress.times);
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
