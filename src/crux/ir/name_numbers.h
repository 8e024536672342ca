// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_NAME_NUMBERS_H_
#define BELAY_CRUX_IR_NAME_NUMBERS_H_

// Small numbers for names, so that sets of names are arrays.

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "crux/ir/name_set.h"

namespace belay::crux::ir {

// Numbers go up from 0 in the order names are first seen. Names are not copied:
// they must outlive it.
class NameNumbers {
 public:
  uint32_t Of(std::string_view name) { return Of(name, NameSet::HashOf(name)); }
  uint32_t Of(std::string_view name, uint64_t hash) {
    if (names_.size() * 2 >= table_.size()) Grow();
    uint32_t& number = table_[PlaceOf(name, hash)];
    if (number == kNone) {
      number = static_cast<uint32_t>(names_.size());
      names_.push_back({name, hash});
    }
    return number;
  }
  // kNone: not seen yet.
  uint32_t Find(std::string_view name, uint64_t hash) const {
    return table_.empty() ? kNone : table_[PlaceOf(name, hash)];
  }
  std::string_view TextOf(uint32_t number) const { return names_[number].text; }
  size_t size() const { return names_.size(); }

  static constexpr uint32_t kNone = ~uint32_t{0};

 private:
  struct Name {
    std::string_view text;
    uint64_t hash = 0;  // of NameSet
  };

  // In table_: the name's, or the free one for it.
  size_t PlaceOf(std::string_view name, uint64_t hash) const {
    size_t at = hash & mask_;
    for (; table_[at] != kNone; at = (at + 1) & mask_) {
      const Name& one = names_[table_[at]];
      if (one.hash == hash && one.text == name) break;
    }
    return at;
  }

  void Grow() {
    constexpr size_t kFirst = 256;
    table_.assign(table_.empty() ? kFirst : table_.size() * 2, kNone);
    mask_ = table_.size() - 1;
    for (size_t i = 0; i < names_.size(); ++i) {
      size_t at = names_[i].hash & mask_;
      while (table_[at] != kNone) at = (at + 1) & mask_;
      table_[at] = static_cast<uint32_t>(i);
    }
  }

  std::vector<Name> names_;
  std::vector<uint32_t> table_;  // positions in names_, or kNone
  size_t mask_ = 0;
};

}  // namespace belay::crux::ir

#endif  // BELAY_CRUX_IR_NAME_NUMBERS_H_
