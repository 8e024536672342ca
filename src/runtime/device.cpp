// SPDX-License-Identifier: Apache-2.0
#include "runtime/device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <numeric>

#include "base/catalogue.h"
#include "base/error.h"
#include "belay/guest_abi.h"
#include "check/report.h"
#include "runtime/deadlock.h"
#include "runtime/guest_fault.h"

int64_t belay_budget = 0;
uint64_t belay_scalar_work[2] = {0, 0};

namespace belay::runtime {
namespace {

// Scalar work between two looks at the other blocks.
constexpr int64_t kSlice = 1 << 20;

}  // namespace

Device* Device::instance_ = nullptr;
Device* (*Device::installer_)() = nullptr;

Device::Device(DeviceOptions options)
    : options_(std::move(options)),
      chip_(npu::LoadChip(options_.chip)),
      random_(options_.seed) {
  if (options_.zero_global_memory) chip_.global().SetFreshByte(0);
  if (options_.timing_only) chip_.RunTimingOnly(*options_.timing_only);
  const auto once = [this](npu::Fault fault) { RaiseOnce(std::move(fault)); };
  chip_.SetReporter(once);
  if (options_.check) {
    // What the chip stopped at a place needs no second word, unless that is
    // the cause: offsets nobody wrote.
    checkers_ = std::make_unique<check::Checkers>(
        chip_, *options_.check, [this](npu::Fault fault) {
          if (!failed_ || fault.pc != failed_pc_ ||
              fault.diagnostic.code == code::kI103) {
            RaiseOnce(std::move(fault));
          }
        });
  }
  if (options_.record) AttachRecorder(true);
  if (options_.attach) options_.attach(chip_);
}

void Device::AttachRecorder(bool keep_logs) {
  clock::RecorderOptions options;
  options.keep_logs = keep_logs;
  options.only_blocks = options_.only_blocks;
  options.counters = {&belay_budget, &work_offset_, belay_scalar_work};
  recorder_ = std::make_unique<clock::Recorder>(
      chip_, clock::LoadClockSpec(options_.chip), options);
  chip_.AddObserver(recorder_.get());
}

void Device::SetFaultSink(std::function<void(npu::Fault)> sink) {
  sink_ = std::move(sink);
}

void Device::Raise(npu::Fault fault) {
  if (fault.diagnostic.core.empty() && current_ != nullptr) {
    fault.diagnostic.core = current_->core->Name();
  }
  if (fault.diagnostic.severity == Severity::kError) {
    failure_ = fault.diagnostic.message + " [" + fault.diagnostic.code + "]";
  }
  if (sink_) sink_(std::move(fault));
}

void Device::RaiseOnce(npu::Fault fault) {
  const uint64_t other = fault.notes.empty() ? 0 : fault.notes.front().pc;
  if (told_.emplace(fault.diagnostic.code, fault.pc, other).second) {
    Raise(std::move(fault));
  }
}

void Device::Warn(npu::Fault fault) {
  if (current_ == nullptr) return RaiseOnce(std::move(fault));
  fault.diagnostic.core = current_->core->Name();
  warnings_.Add(std::move(fault));
}

void Device::TellWarnings() {
  for (const check::Findings::Entry& entry : warnings_.entries()) {
    RaiseOnce(check::WithCount(entry));
  }
  warnings_.Clear();
}

int Device::BlocksAtOnce() const {
  const npu::ChipSpec& spec = chip_.spec();
  int blocks = std::numeric_limits<int>::max();
  if (shape_.cube > 0) blocks = spec.cube_cores / shape_.cube;
  if (shape_.vector > 0) {
    blocks = std::min(blocks, spec.vector_cores / shape_.vector);
  }
  return blocks;
}

npu::Core& Device::CoreOf(int position, bool cube, int subblock) {
  return cube ? chip_.CubeCore(position * shape_.cube + subblock)
              : chip_.VectorCore(position * shape_.vector + subblock);
}

void Device::PrepareCore(npu::Core& core) {
  core.vector = npu::VectorState{};
  core.cube = npu::CubeState{};
  core.vector.exact_reciprocal = options_.exact_reciprocal;
  core.flags = npu::FlagTable{};
  core.cache.Invalidate();
  chip_.on_chip().Poison(core.slot);
}

LaunchStatus Device::Launch(const Kernel& kernel, int blocks,
                            const void* arguments, size_t bytes) {
  const auto start = std::chrono::steady_clock::now();
  shape_ = ShapeOf(kernel, blocks);
  const int at_once = std::min(blocks, BlocksAtOnce());
  for (int i = 0; i < at_once; ++i) {
    for (int j = 0; j < shape_.cube; ++j) PrepareCore(CoreOf(i, true, j));
    for (int j = 0; j < shape_.vector; ++j) PrepareCore(CoreOf(i, false, j));
  }

  kernel_ = &kernel;
  block_count_ = blocks;
  failed_ = false;
  failed_pc_ = 0;
  status_ = LaunchStatus::kOk;
  block_sync_ = BlockSync{};
  flags_ = Flags(shape_);
  asked_keys_.clear();
  first_asked_pc_ = 0;
  if (chip_.timing_only() != nullptr) chip_.timing_only()->BeginLaunch();
  const npu::LaunchEvent event{kernel.name,   blocks,
                               bytes,         shape_.cube,
                               shape_.vector, HasScheduler(kernel)};
  for (npu::Observer* observer : chip_.observers()) observer->OnLaunch(event);
  for (int first = 0; first < blocks && !failed_; first += at_once) {
    RunWave(first, std::min(at_once, blocks - first), arguments, bytes);
  }
  if (!failed_ && !asked_keys_.empty() && !asked_keys_.contains(tiling_key_)) {
    ReportUnknownTilingKey();
  }
  TellWarnings();
  for (npu::Observer* observer : chip_.observers()) observer->OnLaunchEnd();
  kernel_ = nullptr;
  launch_milliseconds_ += std::chrono::duration<double, std::milli>(
                              std::chrono::steady_clock::now() - start)
                              .count();
  return status_;
}

void Device::StartBlock(Block& block, const void* arguments, size_t bytes) {
  block.core->block = block.index;
  if (spare_.empty()) spare_.push_back(std::make_unique<Fiber>());
  block.fiber = std::move(spare_.back());
  spare_.pop_back();
  block.workspace = workspace_;
  block.budget = kSlice;
  block.fiber->Reserve(arguments, bytes);
  block.fiber->Start(RunBlock, &block);
}

void Device::RunWave(int first, int count, const void* arguments,
                     size_t bytes) {
  wave_.clear();
  wave_.resize(count * (shape_.cube + shape_.vector));
  wave_blocks_ = count;
  auto next = wave_.begin();
  for (int i = 0; i < count; ++i) {
    const auto start = [&](bool cube, int parts) {
      for (int j = 0; j < parts; ++j, ++next) {
        next->index = (first + i) * parts + j;
        next->subblock = j;
        next->core = &CoreOf(i, cube, j);
        if (options_.only_blocks.empty() ||
            options_.only_blocks.contains(first + i)) {
          StartBlock(*next, arguments, bytes);
        } else {
          next->state = Block::State::kDone;
        }
      }
    };
    start(true, shape_.cube);
    start(false, shape_.vector);
  }
  while (!failed_ && RunRound()) {
  }
  for (Block& block : wave_) {
    if (block.fiber) spare_.push_back(std::move(block.fiber));
  }
  wave_.clear();
}

void Device::RunBlock(void* argument) {
  Device& device = *instance_;
  auto& block = *static_cast<Block*>(argument);
  // Arguments lie at the top of the stack, where Reserve put them.
  for (npu::Observer* observer : device.chip_.observers()) {
    observer->OnBlockBegin(*block.core);
  }
  const Kernel& kernel = *device.kernel_;
  const bool on_cube = IsCube(block) && kernel.cube_entry != nullptr;
  (on_cube ? kernel.cube_entry : kernel.entry)(block.fiber->reserved());
  for (npu::Observer* observer : device.chip_.observers()) {
    observer->OnBlockEnd(*block.core);
  }
  block.core->cache.CleanAndInvalidateAll();
  block.state = Block::State::kDone;
  block.fiber->Suspend();
  std::abort();  // a finished block is never resumed
}

bool Device::RunRound() {
  std::vector<int> order(wave_.size());
  std::iota(order.begin(), order.end(), 0);
  if (options_.schedule == Schedule::kReverse) {
    std::reverse(order.begin(), order.end());
  } else if (options_.schedule == Schedule::kSeeded) {
    std::shuffle(order.begin(), order.end(), random_);
  }
  bool progressed = false;
  bool left = false;
  for (const int i : order) {
    Block& block = wave_[i];
    if (block.state == Block::State::kDone) continue;
    left = true;
    if (block.state == Block::State::kWaiting && block.wait.is_over()) {
      block.state = Block::State::kReady;
    }
    if (block.state != Block::State::kReady) continue;
    progressed = true;
    current_ = &block;
    SetBudget(block.budget);
    block.fiber->Resume();
    block.budget = belay_budget;
    current_ = nullptr;
    if (failed_) return false;
  }
  if (left && !progressed) {
    ReportDeadlock();
    return false;
  }
  return left;
}

uint64_t Device::SystemWorkspace() {
  if (shape_.cube == 0) return 0;
  if (system_workspace_ == 0) {
    system_workspace_ = chip_.global().Allocate(abi::kSystemWorkspaceBytes);
    chip_.NotifyAllocate(system_workspace_, abi::kSystemWorkspaceBytes);
  }
  return system_workspace_;
}

bool Device::AskTilingKey(uint64_t key, uint64_t pc) {
  asked_keys_.insert(key);
  if (first_asked_pc_ == 0) first_asked_pc_ = pc;
  return key == tiling_key_;
}

void Device::ReportUnknownTilingKey() {
  npu::Fault fault;
  fault.diagnostic.code = code::kH102;
  fault.diagnostic.message = fmt::format(
      "[TILING_KEY_IS] tiling chose key {}, but kernel '{}' has branches for "
      "{} only: no branch ran",
      tiling_key_, kernel_->name, fmt::join(asked_keys_, ", "));
  fault.diagnostic.fix =
      "add a branch with TILING_KEY_IS for this key, or let tiling set "
      "(SetTilingKey) one that the kernel has";
  fault.pc = first_asked_pc_;
  failed_ = true;
  failed_pc_ = fault.pc;
  status_ = LaunchStatus::kVectorCoreException;
  Raise(std::move(fault));
}

LaunchStatus Device::TimeoutStatus() const {
  return IsCube(*current_) ? LaunchStatus::kCubeCoreTimeout
                           : LaunchStatus::kVectorCoreTimeout;
}

LaunchStatus Device::ExceptionStatus() const {
  return IsCube(*current_) ? LaunchStatus::kCubeCoreException
                           : LaunchStatus::kVectorCoreException;
}

void Device::SetBudget(int64_t budget) {
  work_offset_ += static_cast<uint64_t>(budget - belay_budget);
  belay_budget = budget;
}

void Device::Yield() {
  for (npu::Observer* observer : chip_.observers()) {
    observer->OnYield(*current_->core);
  }
  const uint64_t place = stated_place;
  current_->fiber->Suspend();
  stated_place = place;
}

void Device::Tick(uint64_t pc) {
  Block& block = *current_;
  block.spent += kSlice - belay_budget;
  SetBudget(kSlice);
  if (block.spent > options_.fuel) {
    npu::Fault fault;
    fault.diagnostic.code = "BLY-G104";
    fault.diagnostic.message = fmt::format(
        "endless loop: block {} of kernel '{}' did more than {} units of "
        "scalar work",
        block.index, kernel_->name, options_.fuel);
    fault.diagnostic.fix =
        "check the loop's end condition; a kernel that really needs more gets "
        "it with --fuel";
    fault.pc = pc;
    status_ = TimeoutStatus();
    Abort(std::move(fault));
  }
  Yield();
}

int64_t Device::ReadClock(uint64_t pc) {
  if (current_ == nullptr) return 0;
  if (!recorder_) {
    try {
      AttachRecorder(false);
    } catch (const UserError& error) {
      npu::ThrowTrap(code::kN111,
                     fmt::format("[GetSystemCycle] {}", error.what()),
                     "use a chip whose clock is known");
    }
  }
  return recorder_->ReadClock(*current_->core, pc);
}

void Device::RequireAllBlocksOnCores(const char* what, uint64_t pc) {
  if (block_count_ <= wave_blocks_) return;
  npu::Fault fault;
  fault.diagnostic.code = "BLY-S103";
  fault.diagnostic.message = fmt::format(
      "[{0}] {1} blocks were launched on {2} cores: blocks that wait for a "
      "core never reach {0}, and those that reached it wait for ever",
      what, block_count_, wave_blocks_);
  fault.diagnostic.fix = "launch at most as many blocks as there are cores";
  fault.pc = pc;
  status_ = TimeoutStatus();
  Abort(std::move(fault));
}

void Device::WaitUntil(Wait wait) {
  if (wait.is_over()) return;
  Block& block = *current_;
  block.state = Block::State::kWaiting;
  block.wait = std::move(wait);
  Yield();
}

void Device::Meet(const Meeting& meeting, uint64_t pc) {
  RequireAllBlocksOnCores("SyncAll", pc);
  Block& block = *current_;
  block.state = Block::State::kMeeting;
  block.meeting = meeting;
  block.wait = Wait{};
  block.wait.call = "SyncAll";
  block.wait.pc = pc;
  if (meeting.cube && shape_.cube == 0) {
    block.wait.what = "cube cores (isAIVOnly = false), which it does not use";
  }
  const bool all =
      (!meeting.cube || shape_.cube > 0) &&
      std::all_of(wave_.begin(), wave_.end(), [&](const Block& other) {
        return !meeting.Includes(npu::ParticipantOf(*other.core)) ||
               (other.state == Block::State::kMeeting &&
                other.meeting == meeting);
      });
  if (all) {
    ReleaseMeeting(meeting);
  } else {
    Yield();
  }
}

void Device::ReleaseMeeting(const Meeting& meeting) {
  for (Block& block : wave_) {
    if (block.state == Block::State::kMeeting && block.meeting == meeting) {
      block.state = Block::State::kReady;
    }
  }
}

void Device::ReportDeadlock() {
  failed_ = true;
  status_ = shape_.cube > 0 ? LaunchStatus::kCubeCoreTimeout
                            : LaunchStatus::kVectorCoreTimeout;
  Raise(DescribeDeadlock(wave_, shape_));
}

void Device::Abort(npu::Fault fault) {
  failed_ = true;
  failed_pc_ = fault.pc;
  if (status_ == LaunchStatus::kOk) status_ = ExceptionStatus();
  Raise(std::move(fault));
  // Let the fault's memory go before the stack is dropped.
  fault = npu::Fault{};
  Block& block = *current_;
  block.state = Block::State::kDone;
  block.fiber->Suspend();
  std::abort();  // a finished block is never resumed
}

}  // namespace belay::runtime
