// SPDX-License-Identifier: Apache-2.0
#include "clock/touched_sectors.h"

#include <algorithm>
#include <bit>

namespace belay::clock {
namespace {

// Calls `visit(sector / 64, bits)` for the words that sectors first to last lie
// in.
template <typename Visit>
void ForEachWord(uint64_t first, uint64_t last, Visit visit) {
  while (first <= last) {
    const uint64_t end = std::min(last, first | 63);
    const uint64_t length = end - first + 1;
    const uint64_t bits =
        (length == 64 ? ~uint64_t{0} : (uint64_t{1} << length) - 1)
        << (first & 63);
    visit(first / 64, bits);
    first = end + 1;
  }
}

}  // namespace

uint64_t TouchedSectors::Mark(uint64_t address, uint64_t bytes,
                              const TouchedSectors* except) {
  if (bytes == 0) return 0;
  uint64_t added = 0;
  ForEachWord(address / kBytes, (address + bytes - 1) / kBytes,
              [&](uint64_t word, uint64_t bits) {
                constexpr uint64_t kWords = kPageSectors / 64;
                if (except != nullptr) {
                  const auto found = except->pages_.find(word / kWords);
                  if (found != except->pages_.end()) {
                    bits &= ~found->second[word % kWords];
                  }
                  if (bits == 0) return;
                }
                uint64_t& marked = pages_.try_emplace(word / kWords, Page{})
                                       .first->second[word % kWords];
                added += std::popcount(bits & ~marked);
                marked |= bits;
              });
  count_ += added;
  return added;
}

uint64_t TouchedSectors::CountCommon(const TouchedSectors& other) const {
  uint64_t count = 0;
  for (const auto& [number, page] : pages_) {
    const auto found = other.pages_.find(number);
    if (found == other.pages_.end()) continue;
    for (size_t word = 0; word < page.size(); ++word) {
      count += std::popcount(page[word] & found->second[word]);
    }
  }
  return count;
}

}  // namespace belay::clock
