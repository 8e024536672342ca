// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/catalogue.h"
#include "base/error.h"
#include "belay/guest_abi.h"
#include "guest/compile_child.h"
#include "guest/operator_arguments.h"
#include "guest/operator_binding.h"
#include "guest/operator_compile.h"
#include "guest/operator_host.h"
#include "guest/operator_prelude.h"
#include "guest/operator_project.h"
#include "guest/operator_results.h"
#include "guest/same_course.h"
#include "guest/shared_bytes.h"
#include "guest/work_folder.h"

namespace belay::guest {
namespace fs = std::filesystem;
namespace {

using runtime::CallArgument;
using runtime::OperatorSignature;

bool HasError(const OperatorResult& result) {
  return std::any_of(
      result.diagnostics.begin(), result.diagnostics.end(),
      [](const Diagnostic& d) { return d.severity == Severity::kError; });
}

template <typename T>
void Append(std::vector<T>& list, std::vector<T> more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

void RequireExpectedFiles(const std::vector<OutputRequest>& outputs) {
  for (const OutputRequest& output : outputs) {
    for (const TensorFile& file : output.expected) ReadTensor(file);
  }
}

// Values that are not computed can be neither given back nor compared, and
// values that are not given cannot be computed with.
void RequireFittingValues(const OperatorOptions& options) {
  for (const OutputRequest& output : options.outputs) {
    if (options.device.timing_only &&
        (!output.files.empty() || !output.expected.empty())) {
      RefuseCall(fmt::format(
          "a run for time only computes no values: leave --out and --expect of "
          "'{}' out",
          output.name));
    }
  }
  for (const InputRequest& input : options.inputs) {
    for (const TensorFile& file : input.files) {
      if (file.shape && !options.device.timing_only) {
        RefuseCall(fmt::format(
            "input '{}' is given by its shape alone, which only a run for time "
            "can do with: give a file, or add --timing-only",
            input.name));
      }
    }
  }
}

// One call on its way; each step leaves its diagnostics in the result.
class Call {
 public:
  explicit Call(const OperatorOptions& options)
      : options_(options),
        inputs_(ReadInputs(options.inputs)),
        folder_(options.keep) {
    RequireExpectedFiles(options.outputs);
  }

  OperatorResult RunProject();
  OperatorResult RunKernelFile();

 private:
  // Compiles op_host and lets it plan; false after errors.
  bool Plan();
  bool CompileHost();
  bool PlanOnce(const HostOptions& host);
  bool ChooseColumn(const HostOptions& host);
  void KeepList(const char* name, const std::vector<std::string>& lines) const;

  bool CompileKernel(const std::string& source, const std::string& prelude);
  void Launch(OperatorArguments arguments);
  // Refuses a run for time only whose kernel needs values.
  void RequireSameCourse();
  std::vector<std::byte> ReadTilingFile() const;

  const OperatorOptions& options_;
  std::vector<ReadInput> inputs_;
  WorkFolder folder_;
  OperatorResult result_;

  OperatorProject project_;
  OperatorSignature signature_;
  BoundCall bound_;
  runtime::LaunchPlan plan_;
  KernelRun run_;
};

void Call::KeepList(const char* name,
                    const std::vector<std::string>& lines) const {
  if (!folder_.kept()) return;
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  folder_.Write(name, text);
}

bool Call::CompileHost() {
  toolchain::CompileOptions compile = HostCompileOptions(project_);
  compile.include_dirs.insert(compile.include_dirs.end(),
                              options_.include_dirs.begin(),
                              options_.include_dirs.end());
  compile.defines = options_.defines;
  compile.output = folder_.File("op_host.so");
  KeepList("op_host.sources", compile.sources);
  ChildCompilation compiled = CompileInChild(compile);
  Append(result_.diagnostics, std::move(compiled.diagnostics));
  result_.host_compile_milliseconds = compiled.milliseconds;
  return compiled.ok;
}

bool Call::Plan() {
  if (!CompileHost()) return false;
  const HostOptions host{folder_.File("op_host.so"), options_.host_limits,
                         options_.output_to_stderr};
  OperatorsFound found = DescribeOperators(host, options_.device.chip);
  Append(result_.diagnostics, std::move(found.diagnostics));
  if (HasError(result_)) return false;
  signature_ = ChooseOperator(found.operators, options_.type);
  result_.type = signature_.type;
  bound_ =
      BindCall(signature_, std::move(inputs_), options_.attributes,
               options_.outputs, AllowedColumns(signature_, options_.dtype));
  bound_.call.chip = options_.device.chip;
  if (!PlanOnce(host)) return false;
  if (options_.tiling_key) plan_.tiling_key = *options_.tiling_key;
  if (options_.blocks) plan_.blocks = *options_.blocks;
  return true;
}

bool Call::ChooseColumn(const HostOptions& host) {
  result_.column = plan_.column;
  if (std::find(bound_.columns.begin(), bound_.columns.end(), plan_.column) !=
          bound_.columns.end() ||
      bound_.columns.empty()) {
    return true;
  }
  // Inference took another column than --dtype: plan again with its types.
  for (size_t i = 0; i < signature_.outputs.size(); ++i) {
    CallArgument output = plan_.outputs.at(i);
    for (runtime::CallTensor& tensor : output) {
      tensor.dtype = signature_.outputs[i].dtypes.at(bound_.columns.front());
    }
    bound_.call.outputs[i] = std::move(output);
  }
  bound_.columns.clear();
  return PlanOnce(host);
}

bool Call::PlanOnce(const HostOptions& host) {
  HostPlan planned = PlanInChild(host, bound_.call);
  Append(result_.diagnostics, std::move(planned.diagnostics));
  if (HasError(result_)) return false;
  if (!planned.plan) throw InternalError("[operator] no plan and no error");
  plan_ = std::move(*planned.plan);
  return ChooseColumn(host);
}

bool Call::CompileKernel(const std::string& source,
                         const std::string& prelude) {
  toolchain::CompileOptions compile =
      KernelCompileOptions(project_, source, prelude);
  compile.include_dirs.insert(compile.include_dirs.end(),
                              options_.include_dirs.begin(),
                              options_.include_dirs.end());
  compile.defines.insert(compile.defines.end(), options_.defines.begin(),
                         options_.defines.end());
  compile.output = folder_.File("op_kernel.so");
  KeepList("op_kernel.sources", compile.sources);
  KeepList("op_kernel.defines", compile.defines);
  if (folder_.kept() && !prelude.empty()) {
    folder_.Write("belay_prelude.h", prelude);
  }
  ChildCompilation compiled = CompileInChild(compile);
  Append(result_.diagnostics, std::move(compiled.diagnostics));
  result_.kernel_compile_milliseconds = compiled.milliseconds;
  result_.compiled = compiled.ok;
  run_.module = compile.output;
  run_.source = source;
  return compiled.ok;
}

void Call::Launch(OperatorArguments arguments) {
  run_.arguments = std::move(arguments.arguments);
  for (const ResultRequest& request : arguments.results) {
    for (const OutputRequest& output : options_.outputs) {
      if (output.name != request.name) continue;
      RequireFiles(output, run_.arguments[request.argument].tensors.size());
    }
  }
  if (options_.device.timing_only) arguments.results.clear();
  const OperatorResults results(arguments.results, run_.arguments);
  const SharedBytes memory(results.bytes());
  run_.results = memory.data();
  run_.device = options_.device;
  run_.trace = options_.trace;
  run_.record = options_.record;
  run_.output_to_stderr = options_.output_to_stderr;
  result_.blocks = run_.blocks;
  result_.tiling_key = run_.tiling_key;
  result_.tiling_bytes = run_.tiling ? run_.tiling->size() : 0;
  result_.workspace_bytes = run_.workspace_bytes;
  KernelOutcome outcome = RunKernelInChild(run_);
  result_.kernel = outcome.kernel;
  Append(result_.diagnostics, std::move(outcome.diagnostics));
  result_.launched = outcome.finished;
  result_.launch_milliseconds = outcome.launch_milliseconds;
  result_.recorded = std::move(outcome.recorded);
  if (options_.device.timing_only && options_.record) RequireSameCourse();
  if (result_.launched) results.Deliver(memory.data(), options_, result_);
}

void Call::RequireSameCourse() {
  auto dependence =
      FindDependence(result_.recorded, [&](npu::Pretence pretence) {
        KernelRun again = run_;
        again.device.timing_only = pretence;
        again.record = RecordOptions{};
        again.trace = {};
        again.discard_output = true;
        return std::move(RunKernelInChild(again).recorded);
      });
  if (!dependence) return;
  result_.diagnostics.push_back(std::move(*dependence));
  result_.recorded.launches.clear();
  result_.launched = false;
}

OperatorResult Call::RunProject() {
  project_ = FindOperatorProject(options_.folder);
  if (!Plan()) return std::move(result_);
  const std::string source = FindKernelSource(project_, signature_.kernel);
  if (source.empty()) {
    result_.diagnostics.push_back(NoKernelSource(project_, signature_.kernel));
    return std::move(result_);
  }
  const std::string prelude =
      OperatorPrelude(signature_, result_.column, plan_, UsesOrigTypes(source));
  if (!CompileKernel(source, prelude)) return std::move(result_);
  run_.kernel = signature_.kernel;
  run_.workspace_bytes = plan_.workspace_bytes;
  run_.tiling = plan_.tiling;
  run_.tiling_key = plan_.tiling_key;
  run_.blocks = plan_.blocks;
  Launch(ArgumentsOfCall(signature_, bound_, plan_, options_.outputs));
  return std::move(result_);
}

std::vector<std::byte> Call::ReadTilingFile() const {
  std::ifstream in(options_.tiling_file, std::ios::binary);
  if (!in) {
    throw UserError(
        fmt::format("[run] no tiling file '{}'", options_.tiling_file));
  }
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
  return {bytes, bytes + text.size()};
}

OperatorResult Call::RunKernelFile() {
  if (!fs::is_regular_file(options_.kernel_file)) {
    throw UserError(fmt::format("[run] no file '{}'", options_.kernel_file));
  }
  if (!options_.blocks) {
    RefuseCall("a kernel without op_host needs --blocks N");
  }
  if (!options_.attributes.empty()) {
    RefuseCall("a kernel without op_host has no attributes: leave --attr out");
  }
  OperatorArguments arguments = ArgumentsAsGiven(inputs_, options_.outputs);
  if (!options_.tiling_file.empty()) run_.tiling = ReadTilingFile();
  if (!CompileKernel(options_.kernel_file, "")) return std::move(result_);
  run_.kernel = options_.type;
  run_.needs_all_parameters = false;
  run_.workspace_bytes =
      abi::kSystemWorkspaceBytes + options_.workspace_bytes.value_or(0);
  run_.tiling_key = options_.tiling_key.value_or(0);
  run_.blocks = *options_.blocks;
  Launch(std::move(arguments));
  return std::move(result_);
}

}  // namespace

OperatorResult RunOperator(const OperatorOptions& options) {
  npu::LoadChip(options.device.chip);
  if (options.blocks && *options.blocks == 0) {
    RefuseCall("--blocks must be at least 1");
  }
  RequireFittingValues(options);
  Call call(options);
  OperatorResult result =
      options.kernel_file.empty() ? call.RunProject() : call.RunKernelFile();
  return result;
}

}  // namespace belay::guest
