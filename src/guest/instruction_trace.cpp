// SPDX-License-Identifier: Apache-2.0
#include "guest/instruction_trace.h"

#include <fmt/format.h>

#include <filesystem>
#include <unordered_map>

#include "base/error.h"
#include "npu/tracer.h"
#include "toolchain/symbolize.h"

namespace belay::guest {
namespace {

std::FILE* OpenTrace(const std::string& path) {
  if (path.empty()) return stderr;
  std::FILE* file = std::fopen(path.c_str(), "w");
  if (file == nullptr) {
    throw UserError(fmt::format("[run] cannot write '{}'", path));
  }
  return file;
}

}  // namespace

struct InstructionTrace::State {
  // "file:line" of a program counter, remembered.
  class Locator {
   public:
    Locator(const std::string& module, uint64_t base)
        : symbolizer_(module), base_(base) {}

    std::string operator()(uint64_t pc) {
      auto [entry, is_new] = known_.try_emplace(pc);
      if (is_new) {
        const auto frames = symbolizer_.Frames(pc - base_);
        if (!frames.empty() && frames.front().known()) {
          entry->second = fmt::format(
              "{}:{}",
              std::filesystem::path(frames.front().file).filename().string(),
              frames.front().line);
        }
      }
      return entry->second;
    }

   private:
    toolchain::Symbolizer symbolizer_;
    uint64_t base_;
    std::unordered_map<uint64_t, std::string> known_;
  };

  State(const TraceOptions& options, runtime::Device& device,
        const std::string& module, uint64_t base)
      : locator(module, base),
        file(OpenTrace(options.file)),
        tracer(device.chip(), file,
               [this](uint64_t pc) { return locator(pc); }) {
    device.chip().AddObserver(&tracer);
  }
  ~State() {
    if (file != stderr) std::fclose(file);
  }

  Locator locator;
  std::FILE* file;
  npu::Tracer tracer;
};

InstructionTrace::InstructionTrace(const TraceOptions& options,
                                   runtime::Device& device,
                                   const std::string& module, uint64_t base) {
  if (!options.instructions) return;
  state_ = std::make_unique<State>(options, device, module, base);
}

InstructionTrace::~InstructionTrace() = default;

}  // namespace belay::guest
