// SPDX-License-Identifier: Apache-2.0
#include "library/process_device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "base/resources.h"
#include "guest/crash.h"
#include "guest/place_fault.h"
#include "library/guest_modules.h"
#include "library/user_frames.h"
#include "runtime/guest_memory.h"

namespace belay::library {
namespace {

using runtime::Device;
using runtime::DeviceOptions;

[[noreturn]] void RefuseVariable(const char* name, std::string_view rule,
                                 std::string_view value) {
  throw UserError(
      fmt::format("[environment] {} takes {}, not '{}'", name, rule, value));
}

std::optional<uint64_t> ParseNumber(const std::string& text) {
  size_t used = 0;
  try {
    const uint64_t number = std::stoull(text, &used);
    if (used == text.size() && text[0] != '-') return number;
  } catch (const std::exception&) {
  }
  return std::nullopt;
}

// Calls read(value) when the variable is set and not empty.
template <typename F>
void ForVariable(const char* name, F read) {
  const char* value = std::getenv(name);
  if (value != nullptr && value[0] != '\0') read(std::string(value));
}

// Places faults in the sources they came from and prints them. Faults of a
// running block wait until the launch has ended: there is no room for reading
// symbols on a block's stack.
class FaultPrinter {
 public:
  void Add(npu::Fault fault) {
    waiting_.push_back(std::move(fault));
    if (runtime::Fiber::Running() == nullptr) Print();
  }

  void Print() {
    if (waiting_.empty()) return;
    RegisterLoadedModules();
    const bool color = isatty(STDERR_FILENO) != 0;
    for (const npu::Fault& fault : std::exchange(waiting_, {})) {
      const Diagnostic placed = guest::PlaceFault(
          fault, [this](uint64_t pc) { return FramesAt(pc); });
      std::fputs(ToText(placed, color).c_str(), stderr);
      if (placed.severity == Severity::kError) {
        const std::string text = ToText(placed);
        Device::Get()->SetFailure(text.substr(0, text.find('\n')));
      }
    }
    std::fflush(stderr);
  }

 private:
  std::vector<SourceLocation> FramesAt(uint64_t pc) {
    const runtime::GuestModule* module = runtime::FindGuestModule(pc);
    if (module == nullptr) return {};
    return user_frames_.Keep(
        symbolizers_.try_emplace(module->path, module->path)
            .first->second.Frames(pc - module->base));
  }

  std::vector<npu::Fault> waiting_;
  std::map<std::string, toolchain::Symbolizer> symbolizers_;  // by module
  UserFrames user_frames_{Resource("include")};
};

// Everything here lives as long as the process: programs use the device in
// their own exit handlers.
Device* MakeDevice() {
  try {
    auto* device = new Device(OptionsFromEnvironment());
    auto* printer = new FaultPrinter;
    device->SetFaultSink(
        [printer](npu::Fault fault) { printer->Add(std::move(fault)); });
    device->SetBeforeLaunch([] {
      RegisterLoadedModules();
      guest::PrepareThreadForCrashes();
    });
    device->SetAfterLaunch([printer] { printer->Print(); });
    Device::Install(device);
    guest::CatchCrashes(guest::HostCrash::kPassOn);
    return device;
  } catch (const UserError& error) {
    std::fprintf(stderr, "belay: error: %s\n", error.what());
    std::exit(2);
  } catch (const InternalError& error) {
    std::fprintf(stderr, "belay: internal error: %s\nThis is a bug in Belay.\n",
                 error.what());
    std::exit(70);
  }
}

Device* DeviceOfProcess() {
  static std::once_flag once;
  static Device* device = nullptr;
  std::call_once(once, [] { device = MakeDevice(); });
  return device;
}

// Before any code of the program runs, its static initialisers included.
[[gnu::constructor(101)]] void InstallOnFirstUse() {
  Device::InstallOnFirstUse(DeviceOfProcess);
}

}  // namespace

DeviceOptions OptionsFromEnvironment() {
  DeviceOptions options;
  options.host_faults_throw = true;
  ForVariable("BELAY_CHIP", [&](std::string value) { options.chip = value; });
  ForVariable("BELAY_SCHEDULE", [&](std::string value) {
    if (value == "forward") {
      options.schedule = runtime::Schedule::kForward;
    } else if (value == "reverse") {
      options.schedule = runtime::Schedule::kReverse;
    } else if (const auto seed = ParseNumber(value)) {
      options.schedule = runtime::Schedule::kSeeded;
      options.seed = *seed;
    } else {
      RefuseVariable("BELAY_SCHEDULE", "forward, reverse or a seed", value);
    }
  });
  ForVariable("BELAY_FUEL", [&](std::string value) {
    const auto fuel = ParseNumber(value);
    if (!fuel) {
      RefuseVariable("BELAY_FUEL", "a number of units of scalar work", value);
    }
    options.fuel = *fuel;
  });
  ForVariable("BELAY_RECIP", [&](std::string value) {
    if (value != "chip" && value != "exact") {
      RefuseVariable("BELAY_RECIP", "chip or exact", value);
    }
    options.exact_reciprocal = value == "exact";
  });
  ForVariable("BELAY_FRESH_MEMORY", [&](std::string value) {
    if (value != "poison" && value != "zero") {
      RefuseVariable("BELAY_FRESH_MEMORY", "poison or zero", value);
    }
    options.zero_global_memory = value == "zero";
  });
  ForVariable("BELAY_CHECK", [&](std::string value) {
    if (value != "off") check::SelectTools(value, options.check.emplace());
  });
  return options;
}

}  // namespace belay::library
