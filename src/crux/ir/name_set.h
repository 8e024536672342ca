// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_NAME_SET_H_
#define BELAY_CRUX_IR_NAME_SET_H_

// A set of names to which the same few are added again and again.

#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace belay::crux::ir {

// Adding and asking take one hash of the name. Visiting goes in the order of
// the alphabet; the first visit after an addition sorts, so that a set must not
// be visited by two threads at a time.
class NameSet {
 public:
  using Iterator = std::vector<std::string>::const_iterator;

  void insert(std::string_view name) { insert(name, HashOf(name)); }
  void insert(std::string_view name, uint64_t hash);  // of HashOf
  template <typename Other>
  void insert(Other begin, Other end) {
    for (; begin != end; ++begin) insert(*begin);
  }
  bool contains(std::string_view name) const {
    return !names_.empty() && contains(name, HashOf(name));
  }
  bool contains(std::string_view name, uint64_t hash) const {  // of HashOf
    return Find(name, hash) != kNone;
  }
  bool empty() const { return names_.empty(); }
  size_t size() const { return names_.size(); }

  Iterator begin() const {
    Sort();
    return names_.begin();
  }
  Iterator end() const {
    Sort();
    return names_.end();
  }
  operator std::set<std::string>() const { return {begin(), end()}; }

  // Names are short: it takes a few instructions.
  static uint64_t HashOf(std::string_view name) {
    const char* at = name.data();
    size_t left = name.size();
    uint64_t hash = left;
    for (; left > 8; at += 8, left -= 8) hash = Mixed(hash, Word<uint64_t>(at));
    if (left >= 4) {
      const uint64_t first = Word<uint32_t>(at);
      return Mixed(hash, first << 32 | Word<uint32_t>(at + left - 4));
    }
    for (; left > 0; --left) hash = hash << 8 ^ static_cast<uint8_t>(*at++);
    return Mixed(hash, 0);
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  template <typename T>
  static T Word(const char* at) {
    T word;
    std::memcpy(&word, at, sizeof(word));
    return word;
  }
  static uint64_t Mixed(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15;
    return hash ^ hash >> 32;
  }

  uint32_t Find(std::string_view name, uint64_t hash) const;
  void Sort() const;
  void Fill(size_t places) const;  // the table, anew

  mutable std::vector<std::string> names_;
  mutable std::vector<uint64_t> hashes_;  // of names_
  mutable std::vector<uint32_t> table_;   // positions in names_, or kNone
  mutable bool sorted_ = true;
};

// For tables of names and of other short text.
struct NameHash {
  using is_transparent = void;
  size_t operator()(std::string_view name) const {
    return NameSet::HashOf(name);
  }
};

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_NAME_SET_H_
