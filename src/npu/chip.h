// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CHIP_H_
#define BELAY_NPU_CHIP_H_

// The simulated chip: cores and memories, and the one place every instruction
// and every scalar access passes.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "npu/chip_spec.h"
#include "npu/core.h"
#include "npu/fault.h"
#include "npu/global_memory.h"
#include "npu/observer.h"
#include "npu/on_chip_memory.h"
#include "npu/timing_only.h"

namespace belay::npu {

class Chip {
 public:
  explicit Chip(ChipSpec spec);

  const ChipSpec& spec() const { return spec_; }
  GlobalMemory& global() { return global_; }
  const GlobalMemory& global() const { return global_; }
  OnChipMemory& on_chip() { return on_chip_; }
  const OnChipMemory& on_chip() const { return on_chip_; }
  Core& VectorCore(int index) { return cores_[index]; }
  Core& CubeCore(int index) { return cores_[spec_.vector_cores + index]; }

  // Observers must outlive the chip's use and are called in this order.
  void AddObserver(Observer* observer) { observers_.push_back(observer); }
  const std::vector<Observer*>& observers() const { return observers_; }

  // From here on no payload is executed and fresh global memory is not filled.
  void RunTimingOnly(Pretence pretence) {
    timing_only_ = std::make_unique<TimingOnly>(pretence);
    global_.LeaveFreshMemory();
  }
  // Null when payloads are executed.
  TimingOnly* timing_only() { return timing_only_.get(); }

  // What the host does to global memory, for observers.
  void NotifyAllocate(uint64_t address, uint64_t bytes) const {
    if (timing_only_) timing_only_->Forget(address, bytes);
    for (Observer* observer : observers_) observer->OnAllocate(address, bytes);
  }
  void NotifyHostWrite(const HostWriteEvent& event) const {
    if (timing_only_) timing_only_->HostWrote(event.address, event.bytes);
    for (Observer* observer : observers_) observer->OnHostWrite(event);
  }

  // Warnings go here; errors are thrown as Trap.
  void SetReporter(std::function<void(Fault)> reporter) {
    reporter_ = std::move(reporter);
  }
  void Report(Fault fault) const {
    if (reporter_) reporter_(std::move(fault));
  }

  // Requirements, observers, execution. Vector instructions on a cube core and
  // cube instructions on a vector core do nothing, as on the chip. Throws Trap.
  void Issue(Core& core, abi::Instruction& instruction);

  // Tells observers that the wait for other blocks `instruction` began is over.
  void NotifyWaited(const Core& core, const abi::Instruction& instruction);

  // Tells observers that guest code reads a register.
  void NotifyRegister(const Core& core, abi::Register which, uint64_t pc);

  // A scalar access of guest code to chip memory: bounds, then observers.
  // Returns where to make it, valid until the next call: on-chip memory itself,
  // or the core's data cache. Throws Trap.
  void* AccessScalar(Core& core, uint64_t address, uint64_t bytes, bool write,
                     bool ordered, uint64_t pc);

  // The same past the data cache: global memory itself.
  void* AccessDirect(Core& core, uint64_t address, uint64_t bytes, bool write,
                     uint64_t pc);

 private:
  void IssueVector(Core& core, abi::Instruction& instruction);
  void IssueCube(Core& core, abi::Instruction& instruction);
  void Notify(const Core& core, const abi::Instruction& instruction,
              const Lanes* lanes);
  // Whether the bytes lie in one memory of the core.
  bool IsInside(const Core& core, uint64_t address, uint64_t bytes) const;
  // Bounds and observers; whether the access is to the core's own memory.
  bool CheckScalar(Core& core, uint64_t address, uint64_t bytes, bool write,
                   bool ordered, uint64_t pc, bool direct);
  // When only time counts: whether a scalar access is made where it points.
  bool KnowsScalar(uint64_t address, uint64_t bytes, bool write);
  // What lies at an address no kernel may touch, for messages.
  std::string DescribeAddress(uint64_t address) const;

  const ChipSpec spec_;
  OnChipMemory on_chip_;
  GlobalMemory global_;
  std::vector<Core> cores_;
  std::vector<Observer*> observers_;
  std::unique_ptr<TimingOnly> timing_only_;
  std::function<void(Fault)> reporter_;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_CHIP_H_
