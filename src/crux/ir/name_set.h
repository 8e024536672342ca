// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_NAME_SET_H_
#define BELAY_CRUX_IR_NAME_SET_H_

// A set of names to which the same few are added again and again.

#include <cstdint>
#include <functional>
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

  static uint64_t HashOf(std::string_view name) {
    return std::hash<std::string_view>()(name);
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};

  uint32_t Find(std::string_view name, uint64_t hash) const;
  void Sort() const;
  void Fill(size_t places) const;  // the table, anew

  mutable std::vector<std::string> names_;
  mutable std::vector<uint64_t> hashes_;  // of names_
  mutable std::vector<uint32_t> table_;   // positions in names_, or kNone
  mutable bool sorted_ = true;
};

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_NAME_SET_H_
