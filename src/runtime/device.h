// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_DEVICE_H_
#define BELAY_RUNTIME_DEVICE_H_

// The device a guest program talks to: one simulated chip, and the launching
// of kernels on it. One per process, used from one thread at a time.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "check/checkers.h"
#include "clock/recorder.h"
#include "npu/chip.h"
#include "npu/cross_core_flags.h"
#include "runtime/block_sync.h"
#include "runtime/fiber.h"
#include "runtime/kernel.h"

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
  std::optional<check::CheckOptions> check;  // which checkers watch
  // Values are not computed; reads of them are answered so.
  std::optional<npu::Pretence> timing_only = {};
  bool record = false;  // launches are written down for the clock
  // Blocks that run, the others end before they begin; none: all run.
  std::set<int> only_blocks = {};
  // Called once with the new chip, to add further observers.
  std::function<void(npu::Chip&)> attach = {};
  bool host_faults_throw =
      false;  // as runtime_error; else they end the program
};

// What became of a launch, as the runtime's error codes say it.
enum class LaunchStatus : int {
  kOk = 0,
  kCubeCoreTimeout = 507014,
  kCubeCoreException = 507015,
  kVectorCoreTimeout = 507034,
  kVectorCoreException = 507035,
};

// Flags between cores; each step of a counter knows where it was set last.
inline void KeepPlace(uint64_t& into, const uint64_t& from) { into = from; }
using Flags = npu::CrossCoreFlags<uint64_t, KeepPlace>;

// What a block waits for.
struct Wait {
  const char* call = "";
  std::string what;  // "event 3 of block 0"
  uint64_t pc = 0;
  std::function<bool()> is_over;
  // Who would make it so; asked when nobody can go on.
  std::function<std::vector<npu::Participant>()> awaited;
  bool is_overflow = false;  // of a counter, should it never be over
};

// A meeting: who comes to it. `first`: only so many blocks of the type, 0 for
// all.
struct Meeting {
  bool cube = false;
  bool vector = true;
  int first = 0;

  bool operator==(const Meeting&) const = default;
  bool Includes(const npu::Participant& core) const {
    return (core.cube ? cube : vector) && (first == 0 || core.index < first);
  }
};

// What one core runs of a kernel: a block, or its part on that core.
struct Block {
  enum class State { kReady, kMeeting, kWaiting, kDone };

  int index = 0;     // what GetBlockIdx says: among the cores of its type
  int subblock = 0;  // among the cores of its type in its block
  npu::Core* core = nullptr;
  std::unique_ptr<Fiber> fiber;
  State state = State::kReady;
  Wait wait;        // when kWaiting; call and pc also when kMeeting
  Meeting meeting;  // when kMeeting

  int64_t budget = 0;   // left of its slice when it was suspended
  uint64_t spent = 0;   // scalar work of finished slices
  uint64_t polled = 0;  // global address it read last
  int polls = 0;        // how often in a row
  // Where the last scalar access was to be made, until compiled code has made
  // it there: such an access is not announced twice.
  uint64_t granted = 0;
  uint64_t granted_bytes = 0;
  uint64_t workspace = 0;  // as the kernel set it
  void* pipe = nullptr;    // the guest's live TPipe state
};

class Device {
 public:
  explicit Device(DeviceOptions options);

  // The device of this process. Before Install, what the installer gives, or
  // nullptr without one.
  static Device* Get() {
    if (instance_ == nullptr && installer_ != nullptr) instance_ = installer_();
    return instance_;
  }
  static void Install(Device* device) { instance_ = device; }
  // `installer` is called on the first use of the device, on any thread.
  static void InstallOnFirstUse(Device* (*installer)()) {
    installer_ = installer;
  }

  npu::Chip& chip() { return chip_; }
  const DeviceOptions& options() const { return options_; }

  // Runs all blocks of a kernel to the end or to the first fault, which goes
  // to the fault sink.
  LaunchStatus Launch(const Kernel& kernel, int blocks, const void* arguments,
                      size_t bytes);

  // What kernels of launches to come find: the tiling key, and the workspace
  // that the system part of the library uses (0: the kernel sets it).
  void SetTilingKey(uint64_t key) { tiling_key_ = key; }
  void SetWorkspace(uint64_t address) { workspace_ = address; }
  uint64_t tiling_key() const { return tiling_key_; }

  // What kernels that use cube cores get where none was set: allocated at the
  // first call. 0 for other kernels.
  uint64_t SystemWorkspace();

  // Writes launches down; null unless asked for.
  clock::Recorder* recorder() {
    return options_.record ? recorder_.get() : nullptr;
  }

  // Where faults and findings go.
  void SetFaultSink(std::function<void(npu::Fault)> sink);
  void Raise(npu::Fault fault);
  // The same, but nothing is told twice: one of the same code, place and place
  // of the first note.
  void RaiseOnce(npu::Fault fault);
  // Counts the warning; told when the launch ends, each place once with how
  // often it was met. In host code it is told at once.
  void Warn(npu::Fault fault);
  // Warnings of the running launch.
  check::Findings& warnings() { return warnings_; }
  // Real time all launches took so far.
  double launch_milliseconds() const { return launch_milliseconds_; }

  // Called on the host's stack before every launch, and after it, also when it
  // was refused.
  void SetBeforeLaunch(std::function<void()> action) {
    before_launch_ = std::move(action);
  }
  void SetAfterLaunch(std::function<void()> action) {
    after_launch_ = std::move(action);
  }
  void BeginLaunch() {
    if (before_launch_) before_launch_();
  }
  void EndLaunch() {
    if (after_launch_) after_launch_();
  }

  // The text of the last error, until it is taken for an exception or an acl
  // error text.
  void SetFailure(std::string text) { failure_ = std::move(text); }
  const std::string& failure() const { return failure_; }

  // --- for guest calls, on a block's fiber ----------------------------------

  // The running block, or nullptr in host code.
  Block* current() { return current_; }
  int block_count() const { return block_count_; }
  // Cores of the current one's type that a block has.
  int subblock_count() const { return shape_.PartsOf(IsCube(*current_)); }

  // The cube core of the block the current core belongs to; null without one.
  npu::Core* cube_core() {
    if (shape_.cube == 0) return nullptr;
    const auto at = static_cast<size_t>(current_ - wave_.data());
    const auto parts = static_cast<size_t>(shape_.cube + shape_.vector);
    return wave_[at - at % parts].core;
  }

  // Whether the launch's tiling key is `key`, asked at `pc`.
  bool AskTilingKey(uint64_t key, uint64_t pc);

  // Lets the other blocks run.
  void Yield();

  // Waits until all blocks that take part in the meeting wait here.
  void Meet(const Meeting& meeting, uint64_t pc);

  // Waits until the wait is over.
  void WaitUntil(Wait wait);

  // Ends the launch when blocks that have no core yet are waited for.
  void RequireAllBlocksOnCores(const char* what, uint64_t pc);

  // Flags and turns between the blocks of this launch.
  BlockSync& block_sync() { return block_sync_; }
  // Flags between its cores.
  Flags& flags() { return flags_; }

  // The slice is used up: yields, or ends the block when its fuel is.
  void Tick(uint64_t pc);

  // Reports the fault and ends the launch; does not return.
  [[noreturn]] void Abort(npu::Fault fault);

  // What the system counter of the current core shows.
  int64_t ReadClock(uint64_t pc);

 private:
  static void RunBlock(void* block);
  static bool IsCube(const Block& block) {
    return block.core->type == npu::CoreType::kCube;
  }

  // Blocks of the launch's shape that run at once.
  int BlocksAtOnce() const;
  // The core a part of the block `position` of a wave runs on.
  npu::Core& CoreOf(int position, bool cube, int subblock);
  void PrepareCore(npu::Core& core);
  void StartBlock(Block& block, const void* arguments, size_t bytes);
  // Runs blocks `first` to `first + count - 1`.
  void RunWave(int first, int count, const void* arguments, size_t bytes);
  // What the runtime calls a launch that ended so on the current core.
  LaunchStatus TimeoutStatus() const;
  LaunchStatus ExceptionStatus() const;
  // False when no block can go on.
  bool RunRound();
  void ReportDeadlock();
  // The kernel asked for its tiling key, but has no branch for it.
  void ReportUnknownTilingKey();
  void TellWarnings();
  void ReleaseMeeting(const Meeting& meeting);
  void AttachRecorder(bool keep_logs);
  // Gives the running block another slice; what was done so far stays known.
  void SetBudget(int64_t budget);

  static Device* instance_;
  static Device* (*installer_)();

  DeviceOptions options_;
  npu::Chip chip_;
  std::unique_ptr<check::Checkers> checkers_;
  std::unique_ptr<clock::Recorder> recorder_;
  uint64_t work_offset_ = 0;  // scalar work done by all blocks, plus the budget
  std::mt19937_64 random_;
  std::function<void(npu::Fault)> sink_;
  std::function<void()> before_launch_;
  std::function<void()> after_launch_;
  std::string failure_;
  double launch_milliseconds_ = 0;
  // Code, place and place of the first note of what is told once.
  std::set<std::tuple<std::string, uint64_t, uint64_t>> told_;

  check::Findings warnings_{std::numeric_limits<size_t>::max()};

  uint64_t tiling_key_ = 0;
  uint64_t workspace_ = 0;
  uint64_t system_workspace_ = 0;
  std::set<uint64_t> asked_keys_;  // in this launch
  uint64_t first_asked_pc_ = 0;

  const Kernel* kernel_ = nullptr;
  npu::LaunchShape shape_;
  int block_count_ = 0;
  int wave_blocks_ = 0;      // blocks of the launch that run now
  std::vector<Block> wave_;  // their parts, block by block, cube cores first
  std::vector<std::unique_ptr<Fiber>> spare_;
  Block* current_ = nullptr;
  BlockSync block_sync_;
  Flags flags_;
  bool failed_ = false;
  uint64_t failed_pc_ = 0;  // of the fault that ended the launch
  LaunchStatus status_ = LaunchStatus::kOk;
};

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_DEVICE_H_
