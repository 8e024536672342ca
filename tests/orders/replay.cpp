// SPDX-License-Identifier: Apache-2.0
#include "replay.h"

#include <cstring>
#include <set>

#include "check/checkers.h"
#include "recorder.h"

namespace belay::orders {
namespace {

npu::Core& CoreOf(npu::Chip& chip, int slot) {
  return slot < chip.spec().vector_cores
             ? chip.VectorCore(slot)
             : chip.CubeCore(slot - chip.spec().vector_cores);
}

void TellHostActions(const Recording& recording, npu::Chip& chip) {
  for (const HostAction& action : recording.host) {
    if (action.allocates) {
      chip.NotifyAllocate(action.address, action.bytes);
    } else {
      chip.NotifyHostWrite({action.address, action.bytes, action.source});
    }
  }
}

void AccessScalar(const Event& event, npu::Chip& chip, npu::Core& core) {
  void* place = event.direct
                    ? chip.AccessDirect(core, event.address, event.bytes,
                                        event.write, event.pc)
                    : chip.AccessScalar(core, event.address, event.bytes,
                                        event.write, event.ordered, event.pc);
  if (event.write) std::memcpy(place, event.value.data(), event.bytes);
}

void Repeat(const Event& event, npu::Chip& chip) {
  npu::Core& core = CoreOf(chip, event.slot);
  core.block = event.block;
  const auto& observers = chip.observers();
  switch (event.kind) {
    case Event::Kind::kBlockBegin:
      for (npu::Observer* observer : observers) observer->OnBlockBegin(core);
      return;
    case Event::Kind::kInstruction: {
      abi::Instruction instruction = event.instruction;
      chip.Issue(core, instruction);
      return;
    }
    case Event::Kind::kWaited:
      return chip.NotifyWaited(core, event.instruction);
    case Event::Kind::kScalar:
      return AccessScalar(event, chip, core);
    case Event::Kind::kRegister:
      return chip.NotifyRegister(core, event.which, event.pc);
    case Event::Kind::kOutside:
      for (npu::Observer* observer : observers) {
        observer->OnOutsideBuffer({core, event.address, event.bytes,
                                   event.buffer, event.buffer_bytes, event.pc});
      }
      return;
    case Event::Kind::kBlockEnd:
      for (npu::Observer* observer : observers) observer->OnBlockEnd(core);
      core.cache.CleanAndInvalidateAll();
      return;
  }
}

}  // namespace

void RestoreStart(const Recording& recording, npu::Chip& chip) {
  for (const Recording::Allocation& allocation : *recording.memory) {
    if (allocation.before.empty()) continue;
    std::memcpy(reinterpret_cast<void*>(allocation.base),
                allocation.before.data(), allocation.before.size());
  }
  std::set<int> slots;
  for (const Event& event : recording.events) slots.insert(event.slot);
  for (const int slot : slots) {
    npu::Core& core = CoreOf(chip, slot);
    core.vector = npu::VectorState{};
    core.vector.exact_reciprocal = recording.exact_reciprocal;
    core.flags = npu::FlagTable{};
    core.cache.Invalidate();
    chip.on_chip().Poison(slot);
  }
}

std::optional<std::string> Replay(const Recording& recording,
                                  const std::vector<Event>& events,
                                  npu::Chip& chip) {
  RestoreStart(recording, chip);
  TellHostActions(recording, chip);
  for (npu::Observer* observer : chip.observers()) {
    observer->OnLaunch(recording.launch);
  }
  std::optional<std::string> trapped;
  try {
    for (const Event& event : events) Repeat(event, chip);
  } catch (npu::Trap& trap) {
    trapped = trap.fault().diagnostic.code;
  }
  for (npu::Observer* observer : chip.observers()) observer->OnLaunchEnd();
  return trapped;
}

CheckedReplay ReplayUnderCheckers(const Recording& recording,
                                  const std::vector<Event>& events,
                                  bool auto_sync, npu::Chip& chip) {
  CheckedReplay result;
  const auto keep = [&](npu::Fault fault) {
    result.findings.push_back(
        {fault.diagnostic.code, fault.diagnostic.severity == Severity::kNote,
         fault.pc, fault.notes.empty() ? 0 : fault.notes.front().pc});
  };
  check::CheckOptions options;
  options.auto_sync = auto_sync;
  check::Checkers checkers(chip, options, keep);
  chip.SetReporter(keep);
  Recorder recorder(chip,
                    [&](const Recording& again) { result.recording = again; });
  chip.AddObserver(&recorder);
  result.trap = Replay(recording, events, chip);
  recorder.SetOn(false);
  return result;
}

}  // namespace belay::orders
