// SPDX-License-Identifier: Apache-2.0
#include "runtime/block_sync.h"

namespace belay::runtime {

std::vector<BlockSync::Turns>& BlockSync::TurnsOf(uint64_t workspace,
                                                  int blocks) {
  std::vector<Turns>& turns = turns_[workspace];
  turns.resize(blocks);
  return turns;
}

bool BlockSync::MayTakeTurn(uint64_t workspace, int block, int blocks) {
  const std::vector<Turns>& turns = TurnsOf(workspace, blocks);
  if (block == 0) return turns[blocks - 1].finished >= turns[0].taken;
  return turns[block - 1].finished > turns[block].taken;
}

void BlockSync::TakeTurn(uint64_t workspace, int block, int blocks) {
  ++TurnsOf(workspace, blocks)[block].taken;
}

void BlockSync::FinishTurn(uint64_t workspace, int block, int blocks) {
  ++TurnsOf(workspace, blocks)[block].finished;
}

}  // namespace belay::runtime
