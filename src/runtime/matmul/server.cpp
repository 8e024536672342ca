// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul/server.h"

#include <algorithm>

#include "runtime/matmul/calls.h"

namespace belay::runtime::matmul {

using abi::MatmulCall;
using abi::Pipe;

Server::Server(Instructions& instructions,
               const std::vector<abi::MatmulState*>& states)
    : instructions_(instructions), states_(states) {
  const int vectors = instructions.device().flags().modes().shape().vector;
  for (int i = 0; i < vectors; ++i) {
    channels_.emplace_back(instructions, states.front()->workspace, i);
  }
  held_.resize(channels_.size());
  left_ = vectors * static_cast<int>(states.size());
}

void Server::Run() {
  const uint64_t own = instructions_.pc();
  while (left_ > 0) {
    const Asked asked = Next();
    instructions_.SetPc(asked.message.pc);
    try {
      Serve(asked);
    } catch (npu::Trap& trap) {
      if (trap.fault().pc == 0) trap.fault().pc = asked.message.pc;
      throw;
    }
    instructions_.SetPc(own);
  }
}

// A vector core must not be served while the other one's result lies in L0C
// and there is room for one only.
bool Server::MayTake(int sub_block) const {
  if (!channels_[sub_block].HasMessage()) return false;
  for (const abi::MatmulState* state : states_) {
    for (int other = 0; other < static_cast<int>(channels_.size()); ++other) {
      if (other != sub_block && state->progress[other & 1].pending != 0) {
        return false;
      }
    }
  }
  return true;
}

Server::Asked Server::Next() {
  const int count = static_cast<int>(channels_.size());
  int found = -1;
  const auto find = [this, count, &found] {
    for (int i = 1; i <= count && found < 0; ++i) {
      if (MayTake((last_ + i) % count)) found = (last_ + i) % count;
    }
    return found >= 0;
  };
  Wait wait;
  wait.call = "Matmul";
  wait.what = "a request of its vector cores";
  wait.is_over = find;
  const npu::LaunchShape& shape =
      instructions_.device().flags().modes().shape();
  const int first =
      shape.vector * shape.BlockOf(npu::ParticipantOf(
                         *instructions_.device().current()->core));
  wait.awaited = [first, count] {
    std::vector<npu::Participant> cores;
    for (int i = 0; i < count; ++i) cores.push_back({false, first + i});
    return cores;
  };
  wait.pc = instructions_.pc();
  instructions_.device().WaitUntil(std::move(wait));
  last_ = found;
  return {found, channels_[found].Take()};
}

void Server::Tell(int sub_block, uint32_t number, Pipe after) {
  channels_[sub_block].TellResult(number, after);
}

bool Server::HoldBack(const Asked& asked, const abi::MatmulState& state) {
  const bool shared =
      state.spec->a.ib_share != 0 && state.spec->b.ib_share != 0;
  if (!shared || asked.message.request.call != MatmulCall::kIterateAll) {
    return false;
  }
  held_[asked.sub_block] = asked.message;
  return !std::all_of(held_.begin(), held_.end(),
                      [](const auto& message) { return message.has_value(); });
}

void Server::Serve(const Asked& asked) {
  const Message& message = asked.message;
  if (message.number >= states_.size()) {
    Refuse("BLY-N164",
           "[Matmul] a vector core asks for an object that the cube core of "
           "its block has not registered",
           "let cube and vector cores reach the same REGIST_MATMUL_OBJ");
  }
  abi::MatmulState& state = *states_[message.number];
  switch (message.request.call) {
    case MatmulCall::kQuit: {
      state.job = message.job;
      if (state.has_tiling != 0) {
        Calls(instructions_, state, static_cast<uint8_t>(asked.sub_block))
            .End();
      }
      --left_;
      return;
    }
    case MatmulCall::kInit:
      state.tiling = message.tiling;
      state.job = message.job;
      state.has_tiling = 1;
      ReserveL1(instructions_, state);
      return;
    case MatmulCall::kCopyToL1: {
      abi::Instruction move = message.instruction;
      instructions_.Order(Pipe::kMte1, Pipe::kMte2);
      instructions_.Issue(move);
      instructions_.Order(Pipe::kMte2, Pipe::kMte1);
      return;
    }
    default:
      break;
  }
  if (HoldBack(asked, state)) return;
  Compute(asked, state);
}

void Server::Compute(const Asked& asked, abi::MatmulState& state) {
  const Message& message = asked.message;
  const abi::MatmulRequest& request = message.request;
  const auto caller = static_cast<uint8_t>(asked.sub_block & 1);
  state.job = message.job;
  if (request.call == MatmulCall::kIterate) {
    state.progress[caller].next = request.result;
    state.progress[caller].running = request.result > 0;
  }
  Calls calls(instructions_, state, caller);
  calls.Do(request, [&] { Tell(asked.sub_block, message.number, Pipe::kFix); });
  const bool tells =
      request.call != MatmulCall::kIterate &&
      request.call != MatmulCall::kEnd &&
      (request.sync != 0 ||
       (request.wait != 0 && request.call != MatmulCall::kIterateNBatch));
  if (held_[asked.sub_block].has_value()) {
    for (int i = 0; i < static_cast<int>(held_.size()); ++i) {
      if (tells) Tell(i, message.number, Pipe::kFix);
      held_[i].reset();
    }
  } else if (tells) {
    Tell(asked.sub_block, message.number, Pipe::kFix);
  }
}

}  // namespace belay::runtime::matmul
