// SPDX-License-Identifier: Apache-2.0
#include "unordered.h"

#include <algorithm>
#include <cstdint>

namespace belay::orders {
namespace {

// For each node, a bit for each node before it.
class Ancestors {
 public:
  explicit Ancestors(const std::vector<OrderNode>& nodes)
      : words_((nodes.size() + 63) / 64), bits_(nodes.size() * words_) {
    for (size_t i = 0; i < nodes.size(); ++i) {
      uint64_t* own = &bits_[i * words_];
      for (const int before : nodes[i].after) {
        const uint64_t* theirs = &bits_[before * words_];
        for (size_t word = 0; word < words_; ++word) own[word] |= theirs[word];
        own[before / 64] |= uint64_t{1} << before % 64;
      }
    }
  }

  bool Has(int node, int ancestor) const {
    return bits_[node * words_ + ancestor / 64] >> ancestor % 64 & 1;
  }

 private:
  size_t words_;
  std::vector<uint64_t> bits_;
};

bool IsAtomic(const Event& event) {
  return event.kind == Event::Kind::kInstruction && !event.is_vector &&
         event.instruction.dst.memory == abi::Memory::kGm &&
         event.state.atomic != abi::Atomic::kNone;
}

// Whether two accesses may come in any order although they conflict.
bool MayMeet(const Event& a, const Event& b, const Touch& x, const Touch& y) {
  const bool both_accumulate = IsAtomic(a) && IsAtomic(b) &&
                               a.state.atomic == b.state.atomic &&
                               a.state.atomic_dtype == b.state.atomic_dtype;
  const auto is_target = [](const Event& event, const Touch& touch) {
    return touch.begin >= event.instruction.dst.address;
  };
  if (both_accumulate && is_target(a, x) && is_target(b, y)) return true;
  return a.kind == Event::Kind::kScalar && b.kind == Event::Kind::kScalar &&
         (a.direct || b.direct);
}

bool Conflict(const Event& a, const Event& b) {
  for (const Touch& x : a.touches) {
    for (const Touch& y : b.touches) {
      if ((x.write || y.write) && x.begin < y.end && y.begin < x.end &&
          !MayMeet(a, b, x, y)) {
        return true;
      }
    }
  }
  return false;
}

struct Access {
  int node;
  int event;
  uint64_t begin;  // no byte touched lies before
  uint64_t end;    // nor from here on
};

}  // namespace

std::optional<std::pair<int, int>> FindUnordered(
    const Recording& recording, const std::vector<OrderNode>& nodes) {
  std::vector<Access> accesses;
  for (size_t i = 0; i < nodes.size(); ++i) {
    const int event = nodes[i].event;
    if (event < 0 || recording.events[event].touches.empty()) continue;
    Access access{static_cast<int>(i), event, UINT64_MAX, 0};
    for (const Touch& touch : recording.events[event].touches) {
      access.begin = std::min(access.begin, touch.begin);
      access.end = std::max(access.end, touch.end);
    }
    accesses.push_back(access);
  }
  const Ancestors ancestors(nodes);
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& later = accesses[i];
    for (size_t j = 0; j < i; ++j) {
      const Access& earlier = accesses[j];
      if (earlier.end <= later.begin || later.end <= earlier.begin ||
          ancestors.Has(later.node, earlier.node)) {
        continue;
      }
      if (Conflict(recording.events[earlier.event],
                   recording.events[later.event])) {
        return std::pair{earlier.event, later.event};
      }
    }
  }
  return std::nullopt;
}

}  // namespace belay::orders
