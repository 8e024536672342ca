// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_BLOCK_SYNC_H_
#define BELAY_RUNTIME_BLOCK_SYNC_H_

// Flags and turns that blocks of one launch pass to each other: IBSet and
// IBWait, NotifyNextBlock and WaitPreBlock.

#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <vector>

namespace belay::runtime {

class BlockSync {
 public:
  // A flag is named by the workspace it lies in, an event and a block.
  using Flag = std::tuple<uint64_t, uint32_t, uint32_t>;

  void Set(const Flag& flag) { flags_.insert(flag); }
  bool IsSet(const Flag& flag) const { return flags_.count(flag) != 0; }
  void Clear(const Flag& flag) { flags_.erase(flag); }

  // Turns go round the blocks in order: block b may take its next turn when
  // its predecessor has finished one more turn than b has taken (block 0: when
  // the last block has finished as many).
  bool MayTakeTurn(uint64_t workspace, int block, int blocks);
  void TakeTurn(uint64_t workspace, int block, int blocks);
  void FinishTurn(uint64_t workspace, int block, int blocks);

 private:
  struct Turns {
    uint64_t taken = 0;
    uint64_t finished = 0;
  };
  std::vector<Turns>& TurnsOf(uint64_t workspace, int blocks);

  std::set<Flag> flags_;
  std::map<uint64_t, std::vector<Turns>> turns_;  // by workspace
};

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_BLOCK_SYNC_H_
