// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_WORD_TABLE_H_
#define BELAY_CRUX_PRINT_WORD_TABLE_H_

// A map from words of a vocabulary, which are small numbers: finding one is an
// access to an array.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/error.h"

namespace belay::crux::print {

using Word = int32_t;

// Entries are visited in the order they came; erasing moves the last one.
template <typename Value>
class WordTable {
 public:
  using Entry = std::pair<Word, Value>;
  using Iterator = typename std::vector<Entry>::iterator;
  using ConstIterator = typename std::vector<Entry>::const_iterator;

  Iterator begin() { return entries_.begin(); }
  Iterator end() { return entries_.end(); }
  ConstIterator begin() const { return entries_.begin(); }
  ConstIterator end() const { return entries_.end(); }
  bool empty() const { return entries_.empty(); }
  size_t size() const { return entries_.size(); }

  // Negative words are in no table.
  bool contains(Word word) const { return PlaceOf(word) != 0; }
  Iterator find(Word word) {
    const uint32_t place = PlaceOf(word);
    return place == 0 ? end() : begin() + static_cast<ptrdiff_t>(place - 1);
  }
  ConstIterator find(Word word) const {
    const uint32_t place = PlaceOf(word);
    return place == 0 ? end() : begin() + static_cast<ptrdiff_t>(place - 1);
  }
  const Value& at(Word word) const {
    const auto found = find(word);
    if (found == end()) throw InternalError("[crux] a word without an entry");
    return found->second;
  }

  Value& operator[](Word word) {
    const uint32_t place = PlaceOf(word);
    if (place != 0) return entries_[place - 1].second;
    return Add(word, Value())->second;
  }

  // Like std::map's: an entry that is there stays.
  std::pair<Iterator, bool> emplace(Word word, Value value) {
    const auto found = find(word);
    if (found != end()) return {found, false};
    return {Add(word, std::move(value)), true};
  }

  void erase(Word word) {
    const uint32_t place = PlaceOf(word);
    if (place == 0) return;
    places_[static_cast<size_t>(entries_.back().first)] = place;
    places_[static_cast<size_t>(word)] = 0;
    if (place < entries_.size()) {
      entries_[place - 1] = std::move(entries_.back());
    }
    entries_.pop_back();
  }

  // Keeps its memory.
  void clear() {
    for (const Entry& entry : entries_) {
      places_[static_cast<size_t>(entry.first)] = 0;
    }
    entries_.clear();
  }

 private:
  uint32_t PlaceOf(Word word) const {
    const auto at = static_cast<size_t>(word);
    return at < places_.size() ? places_[at] : 0;
  }

  // One that is not there yet.
  Iterator Add(Word word, Value value) {
    const auto at = static_cast<size_t>(word);
    if (at >= places_.size()) places_.resize(at + at / 2 + 1);
    entries_.emplace_back(word, std::move(value));
    places_[at] = static_cast<uint32_t>(entries_.size());
    return entries_.end() - 1;
  }

  std::vector<uint32_t> places_;  // one past the entry; 0: none
  std::vector<Entry> entries_;
};

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_WORD_TABLE_H_
