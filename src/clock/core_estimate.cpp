// SPDX-License-Identifier: Apache-2.0
#include "clock/core_estimate.h"

#include "clock/core_costs.h"
#include "clock/core_replay.h"
#include "clock/memory_system.h"
#include "clock/traffic.h"

namespace belay::clock {
namespace {

// A core's share of L2.
uint64_t ShareOfL2(const ClockSpec& spec, bool cube) {
  const int cores = cube ? spec.cube_cores() : spec.vector_cores();
  return static_cast<uint64_t>(spec.Value("memory.l2_bytes")) / cores;
}

}  // namespace

class CoreEstimate::Alone : public Outside {
 public:
  Alone(const ClockSpec& spec, bool cube)
      : costs_(spec),
        memory_(spec, ShareOfL2(spec, cube), nullptr),
        traffic_(spec, memory_),
        core_(costs_, *this, nullptr, 0, cube) {
    traffic_.AddCore(cube);
    core_.BeginBlock(0, 0);
  }

  void Feed(const Record& record, const ScalarWork& work) {
    core_.Feed(record, work);
    Traffic::Finished finished;
    while (!core_.WantsRecord() && traffic_.RunToFinish(finished)) {
      core_.OnMoved(finished.pipe, finished.moved);
      core_.Run();
    }
  }

  Ticks Now() const { return core_.scalar_now(); }

  void StartMove(CoreReplay&, abi::Pipe pipe, Ticks at,
                 const Record& record) override {
    traffic_.Start(0, pipe, at, record);
  }
  void Meet(CoreReplay& core, const SyncWork&, Ticks at) override {
    core.OnMet(at);
  }
  void Await(CoreReplay& core, uint64_t, Ticks at) override { core.OnMet(at); }
  void Notify(uint64_t, Ticks) override {}
  void TellCores(CoreReplay&, const SyncWork&, Ticks) override {}
  void AwaitCores(CoreReplay& core, uint32_t, Ticks at) override {
    core.OnMet(at);
  }

 private:
  const CoreCosts costs_;
  MemorySystem memory_;
  Traffic traffic_;
  CoreReplay core_;
};

CoreEstimate::CoreEstimate(const ClockSpec& spec, bool cube)
    : alone_(std::make_unique<Alone>(spec, cube)) {}

CoreEstimate::~CoreEstimate() = default;

void CoreEstimate::Feed(const Record& record, const ScalarWork& work) {
  alone_->Feed(record, work);
}

Ticks CoreEstimate::Now() const { return alone_->Now(); }

}  // namespace belay::clock
