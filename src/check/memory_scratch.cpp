// SPDX-License-Identifier: Apache-2.0
#include "check/memory_scratch.h"

#include <algorithm>

namespace belay::check {

ScratchShadow::Clip ScratchShadow::ClipOf(uint64_t from, uint64_t to) const {
  const uint64_t end = begin_ + bytes_;
  return {std::clamp(from, begin_, end) - begin_,
          std::clamp(to, begin_, end) - begin_};
}

void ScratchShadow::Write(uint64_t from, uint64_t to, uint64_t pc) {
  const Clip clip = ClipOf(from, to);
  if (clip.from >= clip.to) return;
  if (state_.empty()) {
    state_.resize(bytes_, State::kNone);
    write_pc_.resize((bytes_ + kBlock - 1) / kBlock);
    clobber_pc_.resize(bytes_);
  }
  std::fill(state_.begin() + clip.from, state_.begin() + clip.to, State::kLive);
  std::fill(write_pc_.begin() + clip.from / kBlock,
            write_pc_.begin() + (clip.to + kBlock - 1) / kBlock, pc);
}

void ScratchShadow::Clobber(uint64_t from, uint64_t to, uint64_t pc) {
  if (state_.empty()) return;
  const Clip clip = ClipOf(from, to);
  for (uint64_t at = clip.from; at < clip.to; ++at) {
    if (state_[at] != State::kLive) continue;
    state_[at] = State::kLost;
    clobber_pc_[at] = pc;
  }
}

ScratchShadow::Loss ScratchShadow::Read(uint64_t from, uint64_t to) const {
  if (state_.empty()) return {};
  const Clip clip = ClipOf(from, to);
  if (clip.from >= clip.to) return {};
  const auto lost = std::find(state_.begin() + clip.from,
                              state_.begin() + clip.to, State::kLost);
  if (lost == state_.begin() + clip.to) return {};
  const auto at = static_cast<uint64_t>(lost - state_.begin());
  return {begin_ + at, write_pc_[at / kBlock], clobber_pc_[at]};
}

}  // namespace belay::check
