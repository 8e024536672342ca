// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TRACE_SLICE_KIND_H_
#define BELAY_TRACE_SLICE_KIND_H_

// What slices that look alike have in common: a name, a place, the sizes.

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "clock/replay.h"

namespace belay::trace {

// "32 KB" when it is whole, "1.95 KB" when not.
std::string SizeText(uint64_t bytes);

// "aiv 3", "aic 0".
std::string CoreName(int core, bool cube);

// "waits for a flag of another pipe"; empty for kNone.
std::string_view CauseText(clock::Cause cause);

struct SliceKind {
  std::string name;           // "Add 64 repeats", "DataCopy 32 KB"
  std::string_view category;  // "vector", "move", "cube", "scalar", "sync"
  uint64_t place = 0;         // as in the log
  // Sizes in words: "repeats", "bytes", …
  std::vector<std::pair<std::string_view, uint64_t>> sizes;
};

// The kinds of a launch, each once, in the order they came.
class SliceKinds {
 public:
  // Index of the kind of a span; amortised O(1).
  uint32_t Find(const clock::Span& span);

  const std::vector<SliceKind>& all() const { return kinds_; }

 private:
  // What two spans must share to be of one kind.
  struct Key {
    uint64_t place;
    uint64_t shape[2];
    uint32_t what;  // kind, operation, whether the scalar unit only issues it
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const;
  };
  static Key KeyOf(const clock::Span& span);

  std::vector<SliceKind> kinds_;
  std::unordered_map<Key, uint32_t, Hash> index_;
};

}  // namespace belay::trace

#endif  // BELAY_TRACE_SLICE_KIND_H_
