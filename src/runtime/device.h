// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_DEVICE_H_
#define BELAY_RUNTIME_DEVICE_H_

// The device a guest program talks to: one simulated chip, and the launching
// of kernels on it. One per process, used from one thread at a time.

#include <cstdint>
#include <functional>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "npu/chip.h"
#include "runtime/block_sync.h"
#include "runtime/fiber.h"

namespace belay::runtime {

// In which order the blocks of a launch take turns.
enum class Schedule { kForward, kReverse, kSeeded };

struct DeviceOptions {
  std::string chip = npu::kDefaultChip;
  Schedule schedule = Schedule::kForward;
  uint64_t seed = 0;               // for kSeeded
  uint64_t fuel = 10'000'000'000;  // scalar work one block may do
  bool exact_reciprocal = false;
  bool zero_global_memory = false;  // fresh allocations are 0, not poison
};

// A kernel as the compiled guest hands it over.
struct Kernel {
  std::string name;
  std::string kind;  // "aicore", "vector", "cube", "mix:A:V"
  void (*entry)(void* arguments) = nullptr;
};

// What became of a launch, as the runtime's error codes say it.
enum class LaunchStatus : int {
  kOk = 0,
  kVectorCoreTimeout = 507034,
  kVectorCoreException = 507035,
};

// One block of a running kernel.
struct Block {
  enum class State { kReady, kMeeting, kWaiting, kDone };

  int index = 0;
  npu::Core* core = nullptr;
  std::unique_ptr<Fiber> fiber;
  State state = State::kReady;
  uint64_t waiting_pc = 0;  // where it waits, when it does
  const char* waiting_in = "";
  std::function<bool()> may_go_on;  // when kWaiting

  int64_t budget = 0;      // left of its slice when it was suspended
  uint64_t spent = 0;      // scalar work of finished slices
  uint64_t polled = 0;     // global address it read last
  int polls = 0;           // how often in a row
  uint64_t workspace = 0;  // as the kernel set it
  void* pipe = nullptr;    // the guest's live TPipe state
};

class Device {
 public:
  explicit Device(DeviceOptions options);

  // The device of this process, or nullptr before Install.
  static Device* Get() { return instance_; }
  static void Install(Device* device) { instance_ = device; }

  npu::Chip& chip() { return chip_; }
  const DeviceOptions& options() const { return options_; }

  // Runs all blocks of a kernel to the end or to the first fault, which goes
  // to the fault sink.
  LaunchStatus Launch(const Kernel& kernel, int blocks, const void* arguments,
                      size_t bytes);

  // Where faults and warnings go; a warning once for each place.
  void SetFaultSink(std::function<void(npu::Fault)> sink);
  void Raise(npu::Fault fault);
  int errors() const { return errors_; }

  // --- for guest calls, on a block's fiber ----------------------------------

  // The running block, or nullptr in host code.
  Block* current() { return current_; }
  int block_count() const { return block_count_; }

  // Lets the other blocks run.
  void Yield();

  // Waits until all blocks of the launch wait here.
  void Meet(uint64_t pc);

  // Waits in the call `what` until `condition` holds; other blocks make it so.
  void WaitUntil(std::function<bool()> condition, const char* what,
                 uint64_t pc);

  // Flags and turns between the blocks of this launch.
  BlockSync& block_sync() { return block_sync_; }

  // The slice is used up: yields, or ends the block when its fuel is.
  void Tick(uint64_t pc);

  // Reports the fault and ends the launch; does not return.
  [[noreturn]] void Abort(npu::Fault fault);

  // Scalar work of the current block so far.
  uint64_t SpentByCurrent() const;

 private:
  static void RunBlock(void* block);

  int CoresFor(const Kernel& kernel) const;
  void RunWave(const Kernel& kernel, const std::vector<npu::Core*>& cores,
               int first, int count, const void* arguments, size_t bytes);
  // False when no block can go on.
  bool RunRound();
  // Ends the launch when blocks that have no core yet are waited for.
  void RequireAllBlocksOnCores(const char* what, uint64_t pc);
  void ReportDeadlock();
  void ReleaseMeeting();

  static Device* instance_;

  DeviceOptions options_;
  npu::Chip chip_;
  std::mt19937_64 random_;
  std::function<void(npu::Fault)> sink_;
  int errors_ = 0;
  std::set<std::pair<std::string, uint64_t>> warned_;  // code and place

  const Kernel* kernel_ = nullptr;
  int block_count_ = 0;
  int wave_blocks_ = 0;
  std::vector<Block> wave_;
  std::vector<std::unique_ptr<Fiber>> spare_;
  Block* current_ = nullptr;
  BlockSync block_sync_;
  bool failed_ = false;
  LaunchStatus status_ = LaunchStatus::kOk;
};

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_DEVICE_H_
