// SPDX-License-Identifier: Apache-2.0
#include "npu/timing_only.h"

#include <algorithm>

#include "npu/footprint.h"

namespace belay::npu {
namespace {

// Elements of this size are read from what is larger, too.
constexpr uint64_t kWordBytes = 4;

}  // namespace

bool TimingOnly::Pass(const InstructionEvent& event) {
  const Footprint footprint = FootprintOf(event);
  const bool on_chip = event.instruction.op == abi::Op::kDataCopy ||
                       event.instruction.op == abi::Op::kDataCopyPad;
  bool known = on_chip && event.instruction.dst.memory != abi::Memory::kGm;
  for (const FootprintUse& use : footprint) {
    if (!known || !use.reads()) continue;
    ForEachRange(use, [&](uint64_t begin, uint64_t end) {
      known = known && known_.Contains(begin, end);
    });
  }
  for (const FootprintUse& use : footprint) {
    if (!use.writes()) continue;
    if (!known && !use.FollowsData() &&
        !known_.Overlaps(use.address, use.UpperBound())) {
      continue;
    }
    ForEachRange(use, [&](uint64_t begin, uint64_t end) {
      known ? known_.Add(begin, end) : known_.Remove(begin, end);
    });
  }
  return known;
}

const void* TimingOnly::Pretend(uint64_t bytes, uint64_t pc) {
  Count(pc);
  if (bytes == answer_.size()) return answer_.data();
  answer_.assign(bytes, 0);
  const uint64_t element = bytes <= 8 ? bytes : kWordBytes;
  for (uint64_t at = 0; at < bytes; at += element) {
    answer_[at] = pretence_ == Pretence::kThree ? 3 : 1;
    if (pretence_ == Pretence::kMinus) {
      answer_[std::min(at + element, bytes) - 1] |= 0x80;
    }
  }
  return answer_.data();
}

uint64_t TimingOnly::PretendRegister(uint64_t pc) {
  Count(pc);
  return pretence_ == Pretence::kThree ? 3 : 1;
}

void TimingOnly::Count(uint64_t pc) {
  if (pretended_++ == 0) first_pc_ = pc;
}

}  // namespace belay::npu
