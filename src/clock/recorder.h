// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_RECORDER_H_
#define BELAY_CLOCK_RECORDER_H_

// Writes down what each core does, for the replay: one LaunchLog for every
// launch that ends without a fault.

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "clock/auto_sync_waits.h"
#include "clock/buffer_use.h"
#include "clock/clock_spec.h"
#include "clock/core_estimate.h"
#include "clock/cube_work.h"
#include "clock/log.h"
#include "clock/scalar_table.h"
#include "clock/unit_order.h"
#include "clock/vector_cost.h"
#include "npu/chip.h"

namespace belay::clock {

// How much scalar work kernels of the process did: `offset` less `budget` in
// all, and by class; null when nobody counts.
struct ScalarCounters {
  const int64_t* budget = nullptr;
  const uint64_t* offset = nullptr;
  const uint64_t* classes = nullptr;  // two words, see belay/scalar_work.h
};

struct RecorderOptions {
  // Off: no logs, only what ReadClock needs, from its first call on each core.
  bool keep_logs = true;
  std::set<int> only_blocks = {};  // that run, as in DeviceOptions; none: all
  ScalarCounters counters;
};

class Recorder : public npu::Observer {
 public:
  Recorder(npu::Chip& chip, const ClockSpec& spec, RecorderOptions options);

  // Where the kernel's module is loaded: places are offsets from there.
  void SetModuleBase(uint64_t base) { module_base_ = base; }
  // Of launches to come.
  void SetTilingBytes(uint64_t bytes) { tiling_bytes_ = bytes; }

  // The launches that were recorded, once.
  std::vector<LaunchLog> TakeLaunches() { return std::move(launches_); }
  // Kernels whose launch did not end well, so that there is no log of it.
  const std::vector<std::string>& dropped() const { return dropped_; }

  // What GetSystemCycle answers on this core: the time of its own work alone,
  // as though no other core used the memory, in ticks of the chip's counter.
  int64_t ReadClock(const npu::Core& core, uint64_t pc);

  void OnLaunch(const npu::LaunchEvent& event) override;
  void OnBlockBegin(const npu::Core& core) override;
  void OnInstruction(const npu::InstructionEvent& event) override;
  void OnWaited(const npu::InstructionEvent& event) override;
  void OnScalar(const npu::ScalarEvent& event) override;
  void OnRegister(const npu::RegisterEvent& event) override;
  void OnYield(const npu::Core& core) override;
  void OnBlockEnd(const npu::Core& core) override;
  void OnLaunchEnd() override;

 private:
  // The block that runs on a core.
  struct CoreState {
    size_t log = 0;   // of its block, in current_.logs
    ScalarWork work;  // since its last record
    // Accesses that compiled code counted as to the kernel's own variables.
    uint32_t loads_elsewhere = 0;
    uint32_t stores_elsewhere = 0;
    uint64_t first_access_pc = 0;  // of those in `work`
    AutoSyncWaits waits;
    UnitOrder units;
    BufferUse buffers;
    std::unique_ptr<CoreEstimate> estimate;  // once it was asked for
  };
  // Who tells a waiting block, by workspace, event and block.
  using NotifyKey = std::tuple<uint64_t, uint64_t, uint64_t>;

  CoreState& StateOf(const npu::Core& core) { return states_[core.slot]; }
  bool IsWatched(const CoreState& state) const {
    return options_.keep_logs || state.estimate != nullptr;
  }
  uint64_t PlaceOf(uint64_t pc) const {
    return pc < module_base_ ? 0 : pc - module_base_;
  }

  void ReadCounters();
  // Adds what was counted since the last reading to the core's scalar work.
  void Count(CoreState& state);
  // Puts the scalar work so far before the record and keeps it.
  void Emit(CoreState& state, Record& record, uint64_t pc);
  void Keep(CoreState& state, Record& record, const ScalarWork& before);
  void EmitScalar(CoreState& state, abi::Op op, uint64_t pc);
  void EmitOrder(CoreState& state, abi::Pipe from, abi::Pipe to, uint64_t pc,
                 uint32_t distance = 1);
  void EmitWaits(CoreState& state, AutoSyncWaits::Pipes pipes, uint64_t pc);
  void EmitBuffer(CoreState& state, abi::Memory memory, uint64_t pc);

  void RecordVector(CoreState& state, const npu::InstructionEvent& event);
  void RecordTransfer(CoreState& state, const npu::InstructionEvent& event);
  void RecordCube(CoreState& state, const npu::InstructionEvent& event);
  void RecordSync(CoreState& state, const npu::InstructionEvent& event);
  void RecordCache(CoreState& state, const npu::InstructionEvent& event);
  void RecordQueue(CoreState& state, const npu::InstructionEvent& event);
  void Prepare(CoreState& state, const npu::InstructionEvent& event);
  NotifyKey KeyOf(const npu::InstructionEvent& event, bool waits) const;

  npu::Chip& chip_;
  const ClockSpec spec_;
  RecorderOptions options_;
  VectorPricer pricer_;
  CubeDepths depths_;
  uint64_t module_base_ = 0;
  uint64_t tiling_bytes_ = 0;

  std::vector<CoreState> states_;  // by slot
  // The last reading of the counters.
  uint64_t done_ = 0;
  uint64_t classes_[2] = {0, 0};
  LaunchLog current_;
  ScalarTable scalar_;
  // Blocks of this launch, core by core: that ended, and that there are.
  int ended_ = 0;
  int expected_ = 0;
  int vector_cores_ = 1;  // of a block
  uint64_t tokens_ = 0;
  std::map<NotifyKey, uint64_t> notified_;  // the last token
  std::vector<LaunchLog> launches_;
  std::vector<std::string> dropped_;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_RECORDER_H_
