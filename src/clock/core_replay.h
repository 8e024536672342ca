// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_CORE_REPLAY_H_
#define BELAY_CLOCK_CORE_REPLAY_H_

// One core in simulated time: the scalar unit takes records in program order
// and fills the queues of the pipes; each pipe takes its queue in order.
// Records wait for what they need (a flag, a place in a queue, a move that is
// under way), so the order in which times become known is free.

#include <array>
#include <cstdint>
#include <vector>

#include "clock/core_costs.h"
#include "clock/replay.h"

namespace belay::clock {

class CoreReplay;

// What a core meets outside itself. Calls may answer at once, by the functions
// of the core named with them.
class Outside {
 public:
  virtual ~Outside() = default;
  // A move, or a scalar access (pipe S), may ask for memory from `at` on.
  // Answered by CoreReplay::OnMoved.
  virtual void StartMove(CoreReplay& core, abi::Pipe pipe, Ticks at,
                         const Record& record) = 0;
  // The scalar unit waits for all blocks, or for a kNotify. Answered by
  // CoreReplay::OnMet.
  // `meeting` says who meets.
  virtual void Meet(CoreReplay& core, const SyncWork& meeting, Ticks at) = 0;
  virtual void Await(CoreReplay& core, uint64_t token, Ticks at) = 0;
  virtual void Notify(uint64_t token, Ticks at) = 0;
  // A flag between cores is set at `at`; the scalar unit waits for one from
  // `at` on, answered by CoreReplay::OnMet.
  virtual void TellCores(CoreReplay& core, const SyncWork& flag, Ticks at) = 0;
  virtual void AwaitCores(CoreReplay& core, uint32_t id, Ticks at) = 0;
};

// How a move went: memory was free for the next one from `issued` on, the last
// byte arrived at `done`, `contention` later than if the core had been alone.
struct Moved {
  Ticks issued;
  Ticks done;
  Ticks contention;
};

class CoreReplay {
 public:
  // `costs` and `outside` must outlive the core; `sink` may be null.
  CoreReplay(const CoreCosts& costs, Outside& outside, TimelineSink* sink,
             int core, bool cube);

  // The core is the launch's from `at` on.
  void Begin(Ticks at);
  // A block starts, no earlier than the core began or the block before it
  // ended.
  void BeginBlock(int block, Ticks at);
  // Whether the scalar unit is ready for the next record.
  bool WantsRecord() const { return !waiting_; }
  void Feed(const Record& record, const ScalarWork& work);
  // No more records will come: true once all pipes are done, with the time of
  // the last one in `end`.
  bool IsDrained() const;
  void EndBlock();

  void OnMoved(abi::Pipe pipe, const Moved& moved);
  void OnMet(Ticks at);
  // Goes on as far as what is known allows. To be called after OnMoved and
  // OnMet.
  void Run();

  // When the scalar unit is where it is.
  Ticks scalar_now() const { return scalar_.now; }
  const CoreTime& time() const { return time_; }
  int core() const { return time_.core; }
  int block() const { return block_; }  // the one that runs
  bool cube() const { return time_.cube; }

 private:
  // Completions of a pipe that are remembered, for kOrder.
  static constexpr uint64_t kRemembered = 256;
  static constexpr int kPairs = 8 * 8;
  static constexpr int kFlagIds = 16;

  enum class Wait : uint8_t { kNone, kRecord, kMove, kBlocks };

  struct Entry {
    Record record;
    Ticks issued;
    uint64_t target;  // kOrder: the instruction waited for
  };

  struct Pipe {
    std::vector<Entry> queue;  // ring of `depth` entries
    std::vector<Ticks> left;   // when each place of the ring was left
    uint64_t pushed = 0;
    uint64_t taken = 0;
    uint64_t instructions = 0;  // pushed
    uint64_t completed = 0;
    std::array<Ticks, kRemembered> completion{};

    Ticks cursor = 0;            // the next instruction starts no earlier
    Ticks done = 0;              // all instructions so far are complete
    Ticks drained = 0;           // the last entry has left the queue
    Ticks span_end = 0;          // end of the last span
    Cause cause = Cause::kNone;  // why `cursor` is later than span_end
    abi::Pipe waited_for = abi::Pipe::kS;
    // When instruction `number`, which must be complete, was. Of those that are
    // forgotten, when the first one remembered was: not earlier.
    Ticks CompletionOf(uint64_t number) const {
      const uint64_t first =
          completed > kRemembered ? completed - kRemembered : 0;
      return completion[(number < first ? first : number) % kRemembered];
    }

    bool fresh = true;    // no instruction of this block yet
    bool moving = false;  // an instruction asks for memory
    Entry current;        // that one
    Ticks start = 0;      // and its start
  };

  struct ScalarUnit {
    Ticks now = 0;
    Ticks work_begin = 0;  // it works since then
    // How long it stood still before that, and why for the most part.
    Ticks stall = 0;
    Ticks longest_stall = 0;
    Cause cause = Cause::kNone;
    abi::Pipe waited_for = abi::Pipe::kS;
  };

  struct Flags {
    std::vector<Ticks> set;
    size_t taken = 0;
  };

  static constexpr abi::Pipe PipeAt(int index) {
    return static_cast<abi::Pipe>(index);
  }
  static constexpr uint32_t BitOf(abi::Pipe pipe) {
    return 1u << static_cast<uint32_t>(pipe);
  }
  static constexpr uint32_t kAllPipes = (1u << kPipeCount) - 2;  // but S

  Pipe& At(abi::Pipe pipe) { return pipes_[static_cast<size_t>(pipe)]; }
  const Pipe& At(abi::Pipe pipe) const {
    return pipes_[static_cast<size_t>(pipe)];
  }
  Flags& FlagsOf(const SyncWork& sync);

  // What the scalar unit does with a record; false when it waits for something
  // that is not known yet.
  bool RunScalar();
  bool SetOrWaitFlag();
  bool PassBarrier();
  bool WaitForAll();  // pipes
  bool WaitForOrder();
  bool MeetBlocks();
  bool TellCores();
  bool AwaitCores();
  bool AccessGlobal();
  void NoteBuffer();
  // Puts its record into a queue.
  bool Push(abi::Pipe pipe, bool is_instruction, uint64_t target);
  void RunPipe(abi::Pipe pipe);
  bool TakeHead(abi::Pipe pipe, const Entry& entry);
  void Execute(abi::Pipe pipe, const Entry& entry, Ticks ticks, Ticks lost);
  void Complete(abi::Pipe pipe, const Entry& entry, Ticks start, Ticks end,
                Ticks conflict, Ticks contention);
  // The scalar unit stands still until `at`.
  void StallScalar(Ticks at, Cause cause, abi::Pipe waited_for);
  // Its work since it began, if there was any.
  void EmitScalar();
  bool AllIdle() const;
  Ticks AllDone(abi::Pipe& last) const;
  void Raise(Pipe& pipe, Ticks at, Cause cause, abi::Pipe waited_for);
  void MeetFlag(const SyncWork& sync, Flags& flags, Ticks met);

  const CoreCosts& costs_;
  Outside& outside_;
  TimelineSink* sink_;
  CoreTime time_;
  int block_ = 0;

  std::array<Pipe, kPipeCount> pipes_;
  ScalarUnit scalar_;
  std::array<Flags, kPairs * kFlagIds> flags_;
  uint32_t wake_ = 0;  // pipes that may be able to go on

  // The record the scalar unit is at.
  bool waiting_ = false;
  Wait wait_ = Wait::kNone;
  Record record_;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_CORE_REPLAY_H_
