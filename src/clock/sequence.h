// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_SEQUENCE_H_
#define BELAY_CLOCK_SEQUENCE_H_

// A long list of records in little memory: loops are found as it grows, and
// what repeats is kept once.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "clock/record.h"

namespace belay::clock {

// Records of one block. A stretch that repeats, with global addresses (and
// tokens) advancing by a constant from turn to turn, is kept once; so are
// loops of loops, up to kLevels deep. Reading gives the records back exactly,
// with no bits set that mean nothing.
class Sequence {
 public:
  static constexpr int kLevels = 4;

  // A record as it is in the first turn of every loop around it, and by how
  // much its address grows with each turn of them, the outermost loop first.
  struct Leaf {
    Record record;
    int64_t advance[kLevels];
  };

  // The loops, in preorder. A loop stands before the `length` nodes it goes
  // over `turns` times; a node of length 0 is the next of leaves(). The last
  // loop may go on: behind its turns come the first few records of one more,
  // until there are size() in all.
  struct Node {
    uint64_t turns;
    uint32_t length;
  };

  // Amortised O(1); about 10 ns inside a loop, 60 ns outside. Throws
  // InternalError after Close.
  void Append(const Record& record);

  // No more records will come: lets go of what finds loops.
  void Close();

  uint64_t size() const { return size_; }  // records, unfolded
  size_t folded_size() const { return leaves_.size(); }
  const std::vector<Node>& nodes() const { return nodes_; }
  const std::vector<Leaf>& leaves() const { return leaves_; }

  // Calls f(record, times) for each kept record with how often it occurs, its
  // address as at its first time. Records of a turn that is not complete come
  // a second time. O(folded size).
  template <typename F>
  void ForEachFolded(F f) const;

  class Cursor;

 private:
  friend class LogFile;

  // A place between two records: the loops around it and their turns.
  class Walker {
   public:
    void Enter(const Sequence& sequence, uint32_t node, uint32_t leaf,
               uint64_t turn);
    // Moves to the next record, through the ends and beginnings of loops.
    void Settle(const Sequence& sequence);
    void Pass() {
      ++node_;
      ++leaf_;
    }
    const Leaf& At(const Sequence& sequence) const {
      return sequence.leaves_[leaf_];
    }
    int64_t Advanced(const Leaf& leaf) const {
      int64_t sum = 0;
      for (int i = 0; i < depth_; ++i) {
        sum += leaf.advance[i] * static_cast<int64_t>(frames_[i].turn);
      }
      return sum;
    }
    uint64_t outer_turn() const { return frames_[0].turn; }

   private:
    struct Frame {
      uint32_t begin;
      uint32_t end;
      uint32_t leaf;
      uint64_t turn;
      uint64_t turns;
    };
    uint32_t node_ = 0;
    uint32_t leaf_ = 0;
    int depth_ = 0;
    Frame frames_[kLevels];
  };

  // A node that is in no loop, while records may still come.
  struct Top {
    uint32_t node;
    uint32_t leaf;
    uint32_t depth;    // of loops in it
    uint32_t earlier;  // the top before it in its slot, plus 1
    uint64_t hash;     // without addresses
    uint64_t prefix;   // of the hashes of all tops up to it
  };

  void Take(const Record& canonical);
  void AddLeaf(const Record& canonical);
  void AddTop(uint32_t node, uint32_t leaf, uint32_t depth, uint64_t hash);
  void DropTops(size_t count);
  bool Follow(const Record& canonical);
  void StopFollowing();
  void FoldTail();
  bool MayFold(size_t earlier, size_t count) const;
  bool Matches(size_t earlier, size_t count) const;
  void MakeLoop(size_t count);
  uint64_t HashOfLoop(const Top& top) const;

  std::vector<Node> nodes_;
  std::vector<Leaf> leaves_;
  uint64_t size_ = 0;

  // The last top is a loop, and records that come are those of its next turn:
  // `pending_` so far, not kept elsewhere.
  bool following_ = false;
  uint64_t pending_ = 0;
  Walker expected_;

  bool closed_ = false;
  std::vector<Top> tops_;
  std::vector<uint32_t> slots_;  // by hash: the last top there, plus 1
  std::vector<Record> todo_;     // to be taken again, the next one last
};

// Reads a sequence from its start. The sequence must not grow meanwhile.
class Sequence::Cursor {
 public:
  explicit Cursor(const Sequence& sequence) : sequence_(&sequence) {}
  // False at the end.
  bool Next(Record& record);

 private:
  const Sequence* sequence_;
  Walker walker_;
  uint64_t given_ = 0;
};

template <typename F>
void Sequence::ForEachFolded(F f) const {
  uint64_t times[kLevels + 1] = {1};
  size_t ends[kLevels + 1] = {nodes_.size()};
  int depth = 0;
  size_t leaf = 0;
  uint64_t seen = 0;
  size_t last_loop = nodes_.size();
  size_t last_leaf = 0;
  for (size_t node = 0; node < nodes_.size(); ++node) {
    while (node == ends[depth]) --depth;
    if (nodes_[node].length == 0) {
      f(leaves_[leaf++].record, times[depth]);
      seen += times[depth];
      continue;
    }
    if (depth == 0) {
      last_loop = node;
      last_leaf = leaf;
    }
    times[depth + 1] = times[depth] * nodes_[node].turns;
    ends[depth + 1] = node + 1 + nodes_[node].length;
    ++depth;
  }
  if (seen == size_) return;
  Walker walker;
  walker.Enter(*this, static_cast<uint32_t>(last_loop),
               static_cast<uint32_t>(last_leaf), nodes_[last_loop].turns);
  for (; seen < size_; ++seen, walker.Pass()) {
    walker.Settle(*this);
    f(walker.At(*this).record, uint64_t{1});
  }
}

}  // namespace belay::clock

#endif  // BELAY_CLOCK_SEQUENCE_H_
