// SPDX-License-Identifier: Apache-2.0
#include "crux/run/runner.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

#include "base/catalogue.h"
#include "base/error.h"
#include "crux/run/call_memory.h"
#include "crux/run/execute.h"
#include "crux/run/open_outputs.h"
#include "runtime/guest_fault.h"

namespace belay::crux::run {
namespace {

// The launch that runs now.
struct Active {
  std::vector<std::unique_ptr<BlockRun>> blocks;
  std::exception_ptr bug;
};
Active* active = nullptr;

// The kernel's entry, on a block's fiber.
void RunBlock(void*) {
  const int block = runtime::Device::Get()->current()->index;
  try {
    active->blocks[static_cast<size_t>(block)]->Run();
    return;
  } catch (const std::exception&) {
    active->bug = std::current_exception();
  }
  runtime::FailGuest(belay::code::kG107, "the compiled kernel cannot go on", "",
                     {runtime::stated_place, __builtin_frame_address(0)});
}

SourceLocation LocationOf(const Program& program, uint64_t place,
                          const std::string& file) {
  SourceLocation location;
  if (place == 0 || place > program.places.size()) return location;
  location.file = file;
  location.line = program.places[place - 1].line;
  location.function = program.kernel;
  return location;
}

}  // namespace

bool RunResult::ok() const {
  return std::none_of(diagnostics.begin(), diagnostics.end(),
                      [](const Diagnostic& diagnostic) {
                        return diagnostic.severity == Severity::kError;
                      });
}

const interpret::OutputTensor* RunResult::Find(std::string_view name) const {
  for (const interpret::OutputTensor& output : outputs) {
    if (output.name == name) return &output;
  }
  return nullptr;
}

Runner::Runner(runtime::DeviceOptions options) : device_(std::move(options)) {
  runtime::Device::Install(&device_);
  if (!device_.options().check) return;
  input_writes_ =
      std::make_unique<check::InputWrites>([this](npu::Fault fault) {
        if (sink_) sink_(std::move(fault));
      });
  device_.chip().AddObserver(input_writes_.get());
}

Runner::~Runner() { runtime::Device::Install(nullptr); }

Diagnostic Runner::PlaceFault(const npu::Fault& fault, const Prepared& prepared,
                              const std::string& file) const {
  const Program& program = *prepared.program;
  const auto locate = [&](uint64_t pc) {
    return LocationOf(program, pc < place_base_ ? 0 : pc - place_base_, file);
  };
  Diagnostic diagnostic = fault.diagnostic;
  diagnostic.location = locate(fault.pc);
  for (const npu::Fault::PlacedNote& note : fault.notes) {
    diagnostic.notes.push_back({note.message, locate(note.pc)});
  }
  static constexpr std::string_view kMark = "{name}";
  const size_t at = diagnostic.message.find(kMark);
  const uint64_t place = fault.name_pc - place_base_;
  if (at != std::string::npos && place > 0 && place <= program.places.size()) {
    diagnostic.message.replace(at, kMark.size(),
                               program.places[place - 1].name);
  }
  return diagnostic;
}

run::Launch Runner::PlaceCall(const Prepared& prepared,
                              interpret::HostCall& call,
                              const interpret::Arguments& arguments,
                              CallMemory& memory) const {
  const CallPlan& plan = prepared.plan;
  run::Launch launch;
  launch.program = prepared.program.get();
  launch.place_base = place_base_;
  memory.Place(*prepared.variant.tiles, call, arguments);
  launch.tensors = memory.addresses();
  const std::vector<std::byte> tiling(plan.tiling_bytes);
  launch.tiling_bytes = plan.tiling_bytes;
  launch.tiling =
      memory.PlaceBytes(tiling.data(), tiling.size(), "the tiling data");
  launch.workspace = memory.PlaceBytes(
      nullptr, static_cast<uint64_t>(plan.workspace_bytes), "the workspace");
  return launch;
}

void Runner::LaunchBlocks(const Prepared& prepared, const run::Launch& launch,
                          const std::string& file, RunResult& result) {
  const CallPlan& plan = prepared.plan;
  Active running;
  for (int64_t i = 0; i < plan.blocks; ++i) {
    running.blocks.push_back(std::make_unique<BlockRun>(launch, plan.host));
  }
  sink_ = [&](npu::Fault fault) {
    result.diagnostics.push_back(PlaceFault(fault, prepared, file));
  };
  device_.SetFaultSink(sink_);
  if (clock::Recorder* recorder = device_.recorder()) {
    recorder->SetModuleBase(place_base_);
    recorder->SetTilingBytes(plan.tiling_bytes);
  }
  std::vector<uint64_t> words = launch.tensors;
  words.push_back(launch.workspace);
  words.push_back(launch.tiling);
  runtime::Kernel kernel;
  kernel.name = prepared.program->kernel;
  kernel.kind = prepared.program->meets ? "mix:0:1" : "vector";
  kernel.entry = RunBlock;
  active = &running;
  const runtime::LaunchStatus status =
      device_.Launch(kernel, static_cast<int>(plan.blocks), words.data(),
                     words.size() * sizeof(uint64_t));
  result.finished = status == runtime::LaunchStatus::kOk;
  active = nullptr;
  runtime::stated_place = 0;
  device_.SetFaultSink({});
  sink_ = {};
  place_base_ += prepared.program->places.size() + 1;
  if (running.bug) std::rethrow_exception(running.bug);
}

void Runner::TakeLog(const Prepared& prepared, const std::string& file,
                     RunResult& result) {
  if (device_.recorder() == nullptr) return;
  std::vector<clock::LaunchLog> launches = device_.recorder()->TakeLaunches();
  if (launches.empty()) return;
  for (size_t i = 1; i <= prepared.program->places.size(); ++i) {
    launches.back().places[i] = LocationOf(*prepared.program, i, file);
  }
  result.launch = std::move(launches.back());
}

RunResult Runner::Launch(const Prepared& prepared, interpret::HostCall& call,
                         const interpret::Arguments& arguments,
                         const std::string& file) {
  return Launch(prepared, call, arguments, file, nullptr);
}

RunResult Runner::LaunchPart(const Prepared& prepared,
                             interpret::HostCall& call,
                             const interpret::Arguments& arguments,
                             const std::string& file,
                             const PartOfLaunch& part) {
  return Launch(prepared, call, arguments, file, &part);
}

RunResult Runner::Launch(const Prepared& prepared, interpret::HostCall& call,
                         const interpret::Arguments& arguments,
                         const std::string& file, const PartOfLaunch* part) {
  RunResult result;
  // The same addresses in every launch, so that each is the same.
  device_.chip().global().Restart();
  CallMemory memory(device_.chip(), part);
  const run::Launch launch = PlaceCall(prepared, call, arguments, memory);
  if (memory.exhausted()) {
    Diagnostic diagnostic;
    diagnostic.code = belay::code::kG109;
    diagnostic.message = fmt::format(
        "[launch] the tensors and the workspace do not fit into the {} GB of "
        "global memory",
        device_.chip().global().total_bytes() >> 30);
    diagnostic.fix = "use smaller tensors";
    result.diagnostics.push_back(std::move(diagnostic));
    return result;
  }
  if (input_writes_) {
    input_writes_->Clear();
    for (const CallMemory::Input& input : memory.inputs()) {
      input_writes_->Protect(input.address, input.bytes, input.name);
    }
  }
  LaunchBlocks(prepared, launch, file, result);
  TakeLog(prepared, file, result);
  if (!result.finished || device_.chip().timing_only() != nullptr) {
    return result;
  }
  if (part != nullptr) {
    result.windows = memory.ReadWindows(part->windows);
    return result;
  }
  result.outputs = memory.ReadBack();
  CutOpenOutputs(*prepared.variant.code, prepared.plan.host, launch.workspace,
                 result.outputs);
  return result;
}

}  // namespace belay::crux::run
