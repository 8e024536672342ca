// SPDX-License-Identifier: Apache-2.0
// What the data caches of the scalar units do to accesses that are in order:
// stores that are not written back, old lines, lines that two write.

#include <algorithm>

#include "check/race.h"

namespace belay::check {

using Kind = RaceAccess::Kind;
using Rule = RacePair::Rule;

// The two are or will be ordered; data caches may still stand between them.
void RaceChecker::JudgeCache(Current& current, const RaceAccess& earlier,
                             uint64_t begin, uint64_t end) {
  const RaceAccess& access = current.access;
  if (access.kind() == Kind::kWrite || earlier.kind() == Kind::kRead) return;
  if (earlier.cached()) {
    if (access.cached() && earlier.slot == access.slot) return;
    lines_.ForEach(begin, end, [&](uint64_t line, const LineStore& store) {
      if (store.slot != earlier.slot) return;
      if (store.cleaned != 0 &&
          current.clock.IsComplete(access.pipe(), store.slot, abi::Pipe::kS,
                                   store.cleaned)) {
        return;
      }
      Keep(current, Rule::kNotCleaned, earlier, std::max(begin, line),
           std::min(end, line + StoredLines::kLineBytes));
    });
  }
  if (!access.cached()) return;
  for (uint64_t at = begin; at < end; ++at) {
    const unsigned char* cached = current.core.cache.Find(at);
    if (cached != nullptr &&
        *cached != *reinterpret_cast<const unsigned char*>(at)) {
      return Keep(current, Rule::kStaleLine, earlier, begin, end);
    }
  }
}

// A write past the data caches, into lines that scalar units stored into.
void RaceChecker::JudgeSharedLines(Current& current, uint64_t begin,
                                   uint64_t end) {
  if (!pairs_.empty()) return;
  const abi::Pipe pipe = current.access.pipe();
  lines_.ForEach(begin, end, [&](uint64_t line, const LineStore& store) {
    if (store.cleaned != 0 &&
        current.clock.IsComplete(pipe, store.slot, abi::Pipe::kS,
                                 store.cleaned)) {
      return;
    }
    const RaceAccess earlier{
        store.count, store.site, store.slot,
        RaceAccess::Bits(abi::Pipe::kS, Kind::kWrite, false, false)};
    Keep(current, Rule::kSharedLine, earlier, line,
         line + StoredLines::kLineBytes);
  });
}

// A store through the data cache: the whole line is written back later.
void RaceChecker::StoreIntoLines(Current& current, uint64_t begin,
                                 uint64_t end) {
  const RaceAccess& access = current.access;
  constexpr uint64_t kLine = StoredLines::kLineBytes;
  for (uint64_t line = begin / kLine * kLine; line < end; line += kLine) {
    if (pairs_.empty()) {
      shadow_.Look(line, line + kLine,
                   [&](const RaceCell& cell, uint64_t from, uint64_t to) {
                     cell.ForEach([&](const RaceAccess& earlier) {
                       if (earlier.kind() == Kind::kRead ||
                           (earlier.cached() && earlier.slot == access.slot)) {
                         return;
                       }
                       if (!IsComplete(current, earlier)) {
                         Keep(current, Rule::kSharedLine, earlier, from, to);
                       }
                     });
                   });
    }
    const LineStore* store = lines_.Find(line);
    if (pairs_.empty() && store != nullptr && store->slot != access.slot &&
        (store->cleaned == 0 ||
         !current.clock.IsComplete(abi::Pipe::kS, store->slot, abi::Pipe::kS,
                                   store->cleaned))) {
      const RaceAccess earlier{
          store->count, store->site, store->slot,
          RaceAccess::Bits(abi::Pipe::kS, Kind::kWrite, false, false)};
      Keep(current, Rule::kSharedLine, earlier, line, line + kLine);
    }
    lines_.Store(line, {access.count, 0, access.site, access.slot});
  }
}

}  // namespace belay::check
