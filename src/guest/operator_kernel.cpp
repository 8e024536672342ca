// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_kernel.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "base/catalogue.h"
#include "check/input_writes.h"
#include "guest/child.h"
#include "guest/crash.h"
#include "guest/fault_message.h"
#include "guest/module.h"
#include "guest/operator_memory.h"
#include "guest/place_fault.h"
#include "runtime/stream.h"

namespace belay::guest {
namespace {

using abi::KernelRecord;
using runtime::Device;

void Raise(Device& device, const char* code, std::string message,
           std::string fix) {
  npu::Fault fault;
  fault.diagnostic.code = code;
  fault.diagnostic.message = std::move(message);
  fault.diagnostic.fix = std::move(fix);
  device.Raise(std::move(fault));
}

// Kernels of the module by this name, or all without one.
std::vector<const KernelRecord*> FindKernels(const KernelRecord* table,
                                             const std::string& name) {
  std::vector<const KernelRecord*> found;
  std::set<std::string> seen;  // one may be listed more than once
  for (; table != nullptr && table->name != nullptr; ++table) {
    if (!name.empty() && name != table->name) continue;
    if (seen.insert(table->name).second) found.push_back(table);
  }
  return found;
}

// The kernel to launch; null after a report.
const KernelRecord* ChooseKernel(const KernelRun& run,
                                 const KernelRecord* table, Device& device) {
  const auto found = FindKernels(table, run.kernel);
  if (found.size() == 1) return found.front();
  std::vector<std::string> names;
  for (const KernelRecord* kernel : FindKernels(table, "")) {
    names.push_back(kernel->name);
  }
  const std::string file =
      std::filesystem::path(run.source).filename().string();
  const std::string defined =
      names.empty()
          ? fmt::format("{} defines no kernel", file)
          : fmt::format("{} defines: {}", file, fmt::join(names, ", "));
  if (run.kernel.empty()) {
    Raise(
        device, code::kH110,
        fmt::format("which kernel is to be launched is not clear: {}", defined),
        names.empty() ? "mark the entry with __global__ __aicore__"
                      : "name it with --op");
  } else {
    Raise(device, code::kH110,
          fmt::format("kernel entry '{}' not found: {}", run.kernel, defined),
          "the entry must be a function extern \"C\" __global__ __aicore__ "
          "void of that name: the operator's type in lower case with "
          "underscores");
  }
  return nullptr;
}

std::vector<std::string> LabelsOf(const KernelRun& run) {
  std::vector<std::string> labels;
  for (const KernelArgument& argument : run.arguments) {
    labels.push_back(argument.label);
  }
  return labels;
}

// Whether workspace and tiling are passed; nothing after a report.
struct Trailing {
  bool workspace = false;
  bool tiling = false;
};
std::optional<Trailing> ChooseTrailing(const KernelRun& run,
                                       const KernelRecord& kernel,
                                       Device& device) {
  const size_t own = run.arguments.size();
  const size_t has = kernel.parameters;
  if (run.needs_all_parameters && has != own + 2) {
    std::vector<std::string> labels = LabelsOf(run);
    labels.push_back("workspace");
    labels.push_back("tiling");
    Raise(device, code::kH111,
          fmt::format("kernel '{}' has {} parameters, but its operator has {}: "
                      "{}",
                      kernel.name, has, own + 2, fmt::join(labels, ", ")),
          "give the kernel one GM_ADDR for each input, each output, the "
          "workspace and the tiling data, in this order");
    return std::nullopt;
  }
  if (has < own || has > own + 2) {
    Raise(device, code::kH111,
          fmt::format("kernel '{}' has {} parameters, but {} tensors are given "
                      "({}); only workspace and tiling may follow them",
                      kernel.name, has, own, fmt::join(LabelsOf(run), ", ")),
          "give --in for every input and --out-shape or --out-like for every "
          "output, in the order of the kernel's parameters");
    return std::nullopt;
  }
  if (has == own + 2) return Trailing{true, true};
  if (has == own) return Trailing{};
  return run.tiling ? Trailing{false, true} : Trailing{true, false};
}

int LaunchHere(const KernelRun& run, int log, Device* prepared,
               const SendLine& send) {
  if (run.output_to_stderr) dup2(STDERR_FILENO, STDOUT_FILENO);
  if (run.discard_output) DiscardOutput();
  // It goes with its process, which is quicker.
  Device& device =
      prepared != nullptr ? *prepared : *new Device(DeviceOptionsOf(run));
  Device::Install(&device);
  uint64_t module_base = 0;
  device.SetFaultSink(
      [&](npu::Fault fault) { send(EncodeFault(fault, module_base)); });
  CatchCrashes();
  BeforeGuestCode();
  const LoadedModule module = LoadModule(run.module);
  module_base = module.image.base;
  const KernelRecord* kernel = ChooseKernel(run, module.kernels, device);
  if (kernel == nullptr) return 1;
  const auto trailing = ChooseTrailing(run, *kernel, device);
  if (!trailing) return 1;
  send(nlohmann::json{{"kernel", kernel->name}}.dump());

  check::InputWrites input_writes(
      [&](npu::Fault fault) { device.RaiseOnce(std::move(fault)); });
  device.chip().AddObserver(&input_writes);
  OperatorMemory memory(device.chip(), input_writes, run.results);
  std::vector<uint64_t> words;
  const bool placed = memory.Place(run.arguments, words);
  const uint64_t tiling =
      trailing->tiling
          ? memory.PlaceTiling(run.tiling.value_or(std::vector<std::byte>{}))
          : 0;
  if (trailing->workspace) {
    words.push_back(memory.PlaceWorkspace(run.workspace_bytes));
    device.SetWorkspace(words.back());
  }
  if (trailing->tiling) words.push_back(tiling);
  if (!placed || memory.exhausted()) {
    Raise(device, code::kG109,
          fmt::format("[launch] the tensors and the workspace do not fit into "
                      "the {} GB of global memory",
                      device.chip().global().total_bytes() >> 30),
          "use smaller tensors, or check the size of the workspace");
    return 1;
  }
  const InstructionTrace trace(run.trace, device, run.module, module_base);
  LaunchRecording recording(device, log, module_base, send);
  if (device.recorder() != nullptr && run.tiling) {
    device.recorder()->SetTilingBytes(run.tiling->size());
  }
  device.SetTilingKey(run.tiling_key);
  const runtime::Kernel launched = runtime::KernelOf(*kernel, run.tiling_key);
  if (run.needs_all_parameters && run.workspace_bytes == 0 &&
      launched.kind.starts_with("mix:")) {
    Raise(device, code::kG120,
          fmt::format("[launch] kernel '{}' is of a MIX type, and tiling asks "
                      "for no workspace: such kernels need more than 0 bytes",
                      kernel->name),
          "let tiling set the size, for example to GetLibApiWorkSpaceSize(): "
          "context->GetWorkspaceSizes(1)[0] = …");
    return 1;
  }
  runtime::LaunchOnStream(nullptr, launched, run.blocks, words.data(),
                          words.size() * sizeof(uint64_t), 0);
  std::fflush(nullptr);
  recording.Finish();
  send(nlohmann::json{{"launch_milliseconds", device.launch_milliseconds()}}
           .dump());
  if (runtime::FindStream(nullptr)->error != 0) return 1;
  memory.CopyBack();
  return 0;
}

}  // namespace

runtime::DeviceOptions DeviceOptionsOf(const KernelRun& run) {
  runtime::DeviceOptions options = run.device;
  options.record = run.record.has_value();
  return options;
}

KernelOutcome RunKernelInChild(const KernelRun& run) {
  toolchain::Symbolizer symbolizer(run.module);
  return RunKernelInChild(run, symbolizer);
}

KernelOutcome RunKernelInChild(const KernelRun& run,
                               toolchain::Symbolizer& symbolizer,
                               Device* prepared) {
  const Descriptor log = run.record ? MakeLogFile() : Descriptor();
  ChildResult child = RunInChild([&](const SendLine& send) {
    return LaunchHere(run, log.get(), prepared, send);
  });
  KernelOutcome outcome;
  for (const std::string& line : child.lines) {
    if (const auto fault = DecodeFault(line)) {
      AddPlaced(*fault, symbolizer, outcome.diagnostics);
      continue;
    }
    const auto message = nlohmann::json::parse(line, nullptr, false);
    if (message.is_object() && message.contains("kernel")) {
      message["kernel"].get_to(outcome.kernel);
    } else if (message.is_object() && message.contains("launch_milliseconds")) {
      message["launch_milliseconds"].get_to(outcome.launch_milliseconds);
    }
  }
  if (run.record) {
    outcome.recorded =
        LoadLaunches(log.get(), child.lines, symbolizer, *run.record);
  }
  outcome.finished = child.signal == 0 && child.exit_code == 0;
  if (child.signal != 0) {
    Diagnostic crash;
    crash.code = code::kG106;
    crash.message =
        fmt::format("the kernel was ended by {}", DescribeSignal(child.signal));
    outcome.diagnostics.push_back(std::move(crash));
  }
  child.lines.clear();
  outcome.child = std::move(child);
  return outcome;
}

}  // namespace belay::guest
