// SPDX-License-Identifier: Apache-2.0
#include "check/race_shadow.h"

#include <bit>

namespace belay::check {

RaceCell& RaceCell::operator=(const RaceCell& other) {
  if (this == &other) return *this;
  few_ = other.few_;
  more_ = other.more_ == nullptr
              ? nullptr
              : std::make_unique<std::vector<RaceAccess>>(*other.more_);
  return *this;
}

void RaceCell::PutBehind(const RaceAccess& access) {
  if (more_ == nullptr) more_ = std::make_unique<std::vector<RaceAccess>>();
  for (RaceAccess& old : *more_) {
    if (old.SameThread(access)) {
      old = access;
      return;
    }
  }
  more_->push_back(access);
}

bool RaceCell::EqualsBehind(const RaceCell& other) const {
  return more_ != nullptr && other.more_ != nullptr && *more_ == *other.more_;
}

void RaceShadow::Clear() {
  chunks_.clear();
  recent_ = {};
  last_number_ = ~uint64_t{0};
}

RaceShadow::Page& RaceShadow::LoadPage(uint64_t page_number) {
  const uint64_t number = page_number / kChunkPages;
  Recent& recent = recent_[number % kRecent];
  if (recent.number != number) {
    std::unique_ptr<Chunk>& chunk = chunks_[number];
    if (chunk == nullptr) chunk = std::make_unique<Chunk>();
    recent = {number, chunk.get()};
  }
  Page& page = (*recent.chunk)[page_number % kChunkPages];
  if (page.cells.empty()) {
    page.intervals = 1;
    page.cells.resize(1);
  }
  return page;
}

const RaceShadow::Page* RaceShadow::FindPage(uint64_t address) const {
  const uint64_t page_number = address / kPageBytes;
  const uint64_t number = page_number / kChunkPages;
  const Recent& recent = recent_[number % kRecent];
  const Chunk* chunk = recent.chunk;
  if (recent.number != number) {
    const auto found = chunks_.find(number);
    if (found == chunks_.end()) return nullptr;
    chunk = found->second.get();
  }
  const Page& page = (*chunk)[page_number % kChunkPages];
  return page.cells.empty() ? nullptr : &page;
}

int RaceShadow::SplitAt(Page& page, uint32_t offset) {
  const int at = Holding(page, offset);
  if (page.start[at] == offset) return at;
  if (page.intervals == kMaxIntervals) return -1;
  page.cells.insert(page.cells.begin() + at + 1, RaceCell(page.cells[at]));
  for (int i = page.intervals; i > at + 1; --i) {
    page.start[i] = page.start[i - 1];
  }
  page.start[at + 1] = static_cast<uint16_t>(offset);
  ++page.intervals;
  return at + 1;
}

void RaceShadow::Erase(Page& page, int first, int last) {
  page.cells.erase(page.cells.begin() + first, page.cells.begin() + last);
  std::copy(page.start.begin() + last, page.start.begin() + page.intervals,
            page.start.begin() + first);
  page.intervals = static_cast<uint8_t>(page.intervals - (last - first));
}

// Joins equal neighbours among intervals first to last.
void RaceShadow::MergeEqual(Page& page, int first, int last) {
  first = std::max(first, 0);
  for (int i = std::min(last, page.intervals - 1); i > first; --i) {
    if (page.cells[i].Equals(page.cells[i - 1])) Erase(page, i, i + 1);
  }
}

// Granules small enough for what there is and for [begin, end).
void RaceShadow::ToGranules(Page& page, uint32_t begin, uint32_t end) {
  uint32_t places = begin | end | static_cast<uint32_t>(kPageBytes);
  if (page.intervals == 0) {
    places |= 1u << page.shift;
  } else {
    for (int i = 0; i < page.intervals; ++i) places |= page.start[i];
  }
  const auto shift = static_cast<uint8_t>(std::countr_zero(places));
  std::vector<RaceCell> cells;
  cells.reserve(kPageBytes >> shift);
  int interval = 0;
  for (uint32_t at = 0; at < kPageBytes; at += 1u << shift) {
    if (page.intervals == 0) {
      cells.push_back(page.cells[at >> page.shift]);
      continue;
    }
    while (EndOf(page, interval) <= at) ++interval;
    cells.push_back(page.cells[interval]);
  }
  page.cells = std::move(cells);
  page.intervals = 0;
  page.shift = shift;
}

void RaceShadow::ToOneInterval(Page& page) {
  page.cells.resize(1);
  page.cells.shrink_to_fit();
  page.intervals = 1;
  page.start[0] = 0;
}

}  // namespace belay::check
