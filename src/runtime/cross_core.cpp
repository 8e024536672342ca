// SPDX-License-Identifier: Apache-2.0
#include "runtime/cross_core.h"

#include <fmt/format.h>

#include <algorithm>

namespace belay::runtime {
namespace {

using npu::Participant;

// Whether a set would raise a counter that is at its limit.
bool Overflows(const Flags& flags, const Participant& setter, uint32_t mode,
               uint32_t id) {
  if (!flags.Completes(setter, mode, id)) return false;
  const auto told = flags.modes().Told(setter, mode);
  return std::any_of(told.begin(), told.end(), [&](const Participant& core) {
    return flags.CountOf(core, id) >= npu::kMaxCrossCoreCount;
  });
}

// Who could raise a counter, as far as the kernel's shape and the sets so far
// tell.
std::vector<Participant> Awaited(const Flags& flags, const Participant& core,
                                 uint32_t id) {
  std::vector<Participant> missing = flags.Missing(core, id);
  if (!missing.empty()) return missing;
  const npu::LaunchShape& shape = flags.modes().shape();
  const int other = shape.PartsOf(!core.cube);
  for (int i = 0; i < other; ++i) {
    missing.push_back({!core.cube, shape.BlockOf(core) * other + i});
  }
  if (!missing.empty()) return missing;
  for (int i = 0; i < shape.blocks * shape.PartsOf(core.cube); ++i) {
    missing.push_back({core.cube, i});
  }
  return missing;
}

}  // namespace

void SetCrossCoreFlag(Device& device, const abi::Instruction& instruction) {
  const Participant setter = npu::ParticipantOf(*device.current()->core);
  const uint32_t mode = instruction.mode;
  const uint32_t id = instruction.sync.id;
  Flags& flags = device.flags();
  if (mode == 0) {
    device.RequireAllBlocksOnCores("CrossCoreSetFlag", instruction.pc);
  }
  Wait wait;
  wait.call = "CrossCoreSetFlag";
  wait.what = fmt::format("room in the counter of flag {}, which is at {}",
                          npu::CrossCoreFlagOf(id), npu::kMaxCrossCoreCount);
  wait.is_overflow = true;
  wait.is_over = [&flags, setter, mode, id] {
    return !Overflows(flags, setter, mode, id);
  };
  wait.awaited = [&flags, setter, mode] {
    return flags.modes().Told(setter, mode);
  };
  wait.pc = instruction.pc;
  device.WaitUntil(std::move(wait));
  flags.Set(setter, mode, id, instruction.pc);
}

void WaitCrossCoreFlag(Device& device, const abi::Instruction& instruction) {
  const Participant core = npu::ParticipantOf(*device.current()->core);
  const uint32_t id = instruction.sync.id;
  Flags& flags = device.flags();
  Wait wait;
  wait.call = "CrossCoreWaitFlag";
  wait.what = fmt::format("flag {}", npu::CrossCoreFlagOf(id));
  wait.is_over = [&flags, core, id] { return flags.CountOf(core, id) > 0; };
  wait.awaited = [&flags, core, id] { return Awaited(flags, core, id); };
  wait.pc = instruction.pc;
  device.WaitUntil(std::move(wait));
  flags.Take(core, id);
}

}  // namespace belay::runtime
