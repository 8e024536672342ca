// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_FINDINGS_H_
#define BELAY_CHECK_FINDINGS_H_

// Where checkers leave what they find: repeats of one pair of places are
// counted, not repeated.

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "npu/core.h"
#include "npu/fault.h"

namespace belay::check {

// A finding of `core` at `pc`, with the severity the catalogue gives the code.
// `pipe` as npu::NameOf spells it.
npu::Fault MakeFinding(std::string_view code, const npu::Core& core,
                       std::string_view pipe, uint64_t pc, std::string message,
                       std::string fix);

class Findings {
 public:
  // The first of each kind is kept; at most `limit` kinds.
  explicit Findings(size_t limit = 100) : limit_(limit) {}

  // Takes the finding unless one of the same code, place and places of notes
  // is there; then counts it. Cheap for repeats.
  void Add(npu::Fault fault);

  // Whether Add would only count: lets a checker skip making the message.
  // Counts when it is so.
  bool CountIfKnown(std::string_view code, uint64_t pc, uint64_t other_pc);

  struct Entry {
    npu::Fault fault;
    uint64_t count = 1;
  };
  const std::vector<Entry>& entries() const { return entries_; }
  // Kinds beyond the limit, which were dropped.
  uint64_t dropped() const { return dropped_; }

  void Clear();

  // While closed, Add and CountIfKnown drop what they are given: for blocks
  // that nobody asked about.
  void SetOpen(bool open) { open_ = open; }

 private:
  struct Key {
    std::string code;
    uint64_t pc;
    uint64_t other_pc;
    auto operator<=>(const Key&) const = default;
  };
  size_t limit_;
  uint64_t dropped_ = 0;
  bool open_ = true;
  std::map<Key, size_t> known_;
  std::vector<Entry> entries_;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_FINDINGS_H_
