// SPDX-License-Identifier: Apache-2.0
#include "clock/sequence.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/error.h"

namespace belay::clock {
namespace {

constexpr size_t kWords = 6;
static_assert(sizeof(Record) == kWords * sizeof(uint64_t));
static_assert(std::is_trivially_copyable_v<Record>);

// Of the body of a loop, in tops; longer ones are not found.
constexpr size_t kWindow = 4096;
constexpr size_t kSlots = 1024;
// How many earlier tops of a slot are looked at.
constexpr int kCandidates = 16;

constexpr uint64_t kBase = 0x9E3779B97F4A7C15;

// What of the record advances: a word of it, or none.
constexpr size_t kNoWord = kWords;
constexpr size_t AdvancingWord(Kind kind) {
  switch (kind) {
    case Kind::kMove:
    case Kind::kGlobalScalar:
      return 2;
    case Kind::kNotify:
    case Kind::kAwait:
      return 4;
    default:
      return kNoWord;
  }
}

// The record with no bits set that mean nothing.
Record Canonical(const Record& record) {
  Record clean;
  std::memset(static_cast<void*>(&clean), 0, sizeof(clean));
  clean.kind = record.kind;
  clean.pipe = record.pipe;
  clean.op = record.op;
  clean.scalar = record.scalar;
  clean.place = record.place;
  switch (record.kind) {
    case Kind::kVector:
      clean.vector = record.vector;
      break;
    case Kind::kMove:
      clean.move.address = record.move.address;
      clean.move.stride = record.move.stride;
      clean.move.bursts = record.move.bursts;
      clean.move.burst_bytes = record.move.burst_bytes;
      clean.move.memory = record.move.memory;
      clean.move.flags = record.move.flags;
      clean.move.local_offset = record.move.local_offset;
      break;
    case Kind::kLoad:
    case Kind::kMmad:
      clean.cube.steps = record.cube.steps;
      clean.cube.bytes = record.cube.bytes;
      clean.cube.products = record.cube.products;
      clean.cube.to = record.cube.to;
      clean.cube.three_d = record.cube.three_d;
      break;
    case Kind::kSetFlag:
    case Kind::kWaitFlag:
    case Kind::kBarrier:
    case Kind::kOrder:
    case Kind::kMeet:
    case Kind::kNotify:
    case Kind::kAwait:
    case Kind::kTellCores:
    case Kind::kAwaitCores:
      clean.sync.from = record.sync.from;
      clean.sync.to = record.sync.to;
      clean.sync.by_queue = record.sync.by_queue;
      clean.sync.id = record.sync.id;
      clean.sync.distance = record.sync.distance;
      clean.sync.token = record.sync.token;
      break;
    case Kind::kGlobalScalar:
      clean.global.address = record.global.address;
      clean.global.bytes = record.global.bytes;
      clean.global.write = record.global.write;
      clean.global.direct = record.global.direct;
      break;
    case Kind::kBuffer:
      clean.buffer.memory = record.buffer.memory;
      clean.buffer.bytes_in_use = record.buffer.bytes_in_use;
      break;
    case Kind::kCacheClean:
      clean.lines = record.lines;
      break;
    case Kind::kScalar:
    case Kind::kReadClock:
      break;
  }
  return clean;
}

using Words = std::array<uint64_t, kWords>;

Words WordsOf(const Record& record) {
  Words words;
  std::memcpy(words.data(), &record, sizeof(words));
  return words;
}

// What advances taken out, 0 put in its place.
uint64_t TakeAddress(Kind kind, Words& words) {
  const size_t word = AdvancingWord(kind);
  return word == kNoWord ? 0 : std::exchange(words[word], 0);
}

void AddToAddress(Record& record, int64_t bytes) {
  const size_t word = AdvancingWord(record.kind);
  if (word == kNoWord || bytes == 0) return;
  Words words = WordsOf(record);
  words[word] += static_cast<uint64_t>(bytes);
  std::memcpy(static_cast<void*>(&record), words.data(), sizeof(record));
}

uint64_t Mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0xD6E8FEB86659FD93;
  return hash ^ hash >> 32;
}

uint64_t HashOf(const Record& canonical) {
  Words words = WordsOf(canonical);
  TakeAddress(canonical.kind, words);
  uint64_t hash = kBase;
  for (const uint64_t word : words) hash = Mix(hash, word);
  return hash;
}

// Powers of kBase, for hashes of windows.
const std::array<uint64_t, kWindow + 1>& Powers() {
  static const auto powers = [] {
    std::array<uint64_t, kWindow + 1> made;
    made[0] = 1;
    for (size_t i = 1; i < made.size(); ++i) made[i] = made[i - 1] * kBase;
    return made;
  }();
  return powers;
}

}  // namespace

void Sequence::Walker::Enter(const Sequence& sequence, uint32_t node,
                             uint32_t leaf, uint64_t turn) {
  const uint32_t begin = node + 1;
  frames_[0] = {begin, begin + sequence.nodes_[node].length, leaf, turn,
                UINT64_MAX};
  depth_ = 1;
  node_ = begin;
  leaf_ = leaf;
}

void Sequence::Walker::Settle(const Sequence& sequence) {
  const std::vector<Node>& nodes = sequence.nodes_;
  while (true) {
    if (depth_ > 0 && node_ == frames_[depth_ - 1].end) {
      Frame& frame = frames_[depth_ - 1];
      if (++frame.turn < frame.turns) {
        node_ = frame.begin;
        leaf_ = frame.leaf;
      } else {
        --depth_;
      }
      continue;
    }
    const Node& node = nodes[node_];
    if (node.length == 0) return;
    const uint32_t begin = node_ + 1;
    const uint32_t end = begin + node.length;
    const bool may_go_on = depth_ == 0 && end == nodes.size();
    frames_[depth_++] = {begin, end, leaf_, 0,
                         may_go_on ? UINT64_MAX : node.turns};
    node_ = begin;
  }
}

bool Sequence::Cursor::Next(Record& record) {
  if (given_ == sequence_->size_) return false;
  walker_.Settle(*sequence_);
  const Leaf& leaf = walker_.At(*sequence_);
  record = leaf.record;
  AddToAddress(record, walker_.Advanced(leaf));
  walker_.Pass();
  ++given_;
  return true;
}

void Sequence::Append(const Record& record) {
  if (closed_) throw InternalError("a record comes after its sequence's end");
  ++size_;
  const Record canonical = Canonical(record);
  if (following_ && Follow(canonical)) return;
  Take(canonical);
  while (!todo_.empty()) {
    const Record next = todo_.back();
    todo_.pop_back();
    Take(next);
  }
}

void Sequence::Take(const Record& canonical) {
  if (following_) {
    if (Follow(canonical)) return;
    todo_.push_back(canonical);
    StopFollowing();
    return;
  }
  AddLeaf(canonical);
  FoldTail();
}

// Whether the record is the one the last loop goes on with; takes it then.
bool Sequence::Follow(const Record& canonical) {
  const Leaf& leaf = expected_.At(*this);
  Words came = WordsOf(canonical);
  Words kept = WordsOf(leaf.record);
  const size_t word = AdvancingWord(leaf.record.kind);
  if (word != kNoWord) {
    kept[word] += static_cast<uint64_t>(expected_.Advanced(leaf));
  }
  if (came != kept) return false;
  expected_.Pass();
  expected_.Settle(*this);
  ++pending_;
  Node& loop = nodes_[tops_.back().node];
  if (expected_.outer_turn() != loop.turns) {
    loop.turns = expected_.outer_turn();
    pending_ = 0;
  }
  return true;
}

// The last loop ends here: what came of its next turn is to be taken again.
void Sequence::StopFollowing() {
  Top& top = tops_.back();
  const uint64_t turns = nodes_[top.node].turns;
  Walker walker;
  walker.Enter(*this, top.node, top.leaf, turns);
  const size_t first = todo_.size();
  for (; pending_ > 0; --pending_, walker.Pass()) {
    walker.Settle(*this);
    const Leaf& leaf = walker.At(*this);
    todo_.push_back(leaf.record);
    AddToAddress(todo_.back(), walker.Advanced(leaf));
  }
  std::reverse(todo_.begin() + static_cast<ptrdiff_t>(first), todo_.end());
  following_ = false;
  const Top closed = top;
  tops_.pop_back();
  AddTop(closed.node, closed.leaf, closed.depth, HashOfLoop(closed));
  FoldTail();
}

void Sequence::AddLeaf(const Record& canonical) {
  const auto node = static_cast<uint32_t>(nodes_.size());
  const auto leaf = static_cast<uint32_t>(leaves_.size());
  nodes_.push_back({1, 0});
  leaves_.push_back({canonical, {}});
  AddTop(node, leaf, 0, HashOf(canonical));
}

void Sequence::AddTop(uint32_t node, uint32_t leaf, uint32_t depth,
                      uint64_t hash) {
  if (slots_.empty()) slots_.resize(kSlots);
  uint32_t& slot = slots_[hash % kSlots];
  const uint64_t before = tops_.empty() ? 0 : tops_.back().prefix;
  tops_.push_back({node, leaf, depth, slot, hash, before * kBase + hash});
  slot = static_cast<uint32_t>(tops_.size());
}

void Sequence::DropTops(size_t count) {
  for (; count > 0; --count) {
    slots_[tops_.back().hash % kSlots] = tops_.back().earlier;
    tops_.pop_back();
  }
}

uint64_t Sequence::HashOfLoop(const Top& top) const {
  uint64_t hash = kBase + top.depth;
  size_t leaf = top.leaf;
  for (size_t node = top.node; node < nodes_.size(); ++node) {
    hash = Mix(Mix(hash, nodes_[node].turns), nodes_[node].length);
    if (nodes_[node].length != 0) continue;
    hash = Mix(hash, HashOf(leaves_[leaf].record));
    for (const int64_t advance : leaves_[leaf].advance) {
      hash = Mix(hash, static_cast<uint64_t>(advance));
    }
    ++leaf;
  }
  return hash;
}

// Makes a loop of the last tops when as many before them are the same.
void Sequence::FoldTail() {
  const size_t last = tops_.size() - 1;
  uint32_t earlier = tops_[last].earlier;
  for (int i = 0; i < kCandidates && earlier != 0; ++i) {
    const size_t candidate = earlier - 1;
    const size_t count = last - candidate;
    if (count > kWindow || count > candidate + 1) return;
    if (MayFold(candidate, count) && Matches(candidate, count)) {
      MakeLoop(count);
      return;
    }
    earlier = tops_[candidate].earlier;
  }
}

// By their hashes: whether the `count` tops up to `earlier` are the same as the
// last ones.
bool Sequence::MayFold(size_t earlier, size_t count) const {
  const size_t last = tops_.size() - 1;
  const auto window = [&](size_t end) {
    const uint64_t before = end + 1 == count ? 0 : tops_[end - count].prefix;
    return tops_[end].prefix - before * Powers()[count];
  };
  return tops_[earlier].hash == tops_[last].hash &&
         window(earlier) == window(last);
}

bool Sequence::Matches(size_t earlier, size_t count) const {
  const Top& first = tops_[earlier + 1 - count];
  const Top& second = tops_[earlier + 1];
  const size_t nodes = second.node - first.node;
  const size_t leaves = second.leaf - first.leaf;
  if (nodes_.size() - second.node != nodes ||
      leaves_.size() - second.leaf != leaves) {
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    if (tops_[earlier - i].depth >= kLevels) return false;
  }
  for (size_t i = 0; i < nodes; ++i) {
    const Node& a = nodes_[first.node + i];
    const Node& b = nodes_[second.node + i];
    if (a.turns != b.turns || a.length != b.length) return false;
  }
  for (size_t i = 0; i < leaves; ++i) {
    const Leaf& a = leaves_[first.leaf + i];
    const Leaf& b = leaves_[second.leaf + i];
    Words left = WordsOf(a.record);
    Words right = WordsOf(b.record);
    TakeAddress(a.record.kind, left);
    TakeAddress(b.record.kind, right);
    if (left != right || !std::equal(std::begin(a.advance), std::end(a.advance),
                                     std::begin(b.advance))) {
      return false;
    }
  }
  return true;
}

// The last `count` tops are the second turn of the `count` before them.
void Sequence::MakeLoop(size_t count) {
  const Top first = tops_[tops_.size() - 2 * count];
  const Top second = tops_[tops_.size() - count];
  uint32_t depth = 0;
  for (size_t i = 1; i <= count; ++i) {
    depth = std::max(depth, tops_[tops_.size() - i].depth);
  }
  for (size_t i = first.leaf; i < second.leaf; ++i) {
    Leaf& leaf = leaves_[i];
    Words from = WordsOf(leaf.record);
    Words to = WordsOf(leaves_[second.leaf + i - first.leaf].record);
    const Kind kind = leaf.record.kind;
    std::copy_backward(std::begin(leaf.advance), std::end(leaf.advance) - 1,
                       std::end(leaf.advance));
    leaf.advance[0] =
        static_cast<int64_t>(TakeAddress(kind, to) - TakeAddress(kind, from));
  }
  DropTops(2 * count);
  nodes_.resize(second.node);
  leaves_.resize(second.leaf);
  nodes_.insert(nodes_.begin() + first.node, {2, second.node - first.node});
  // Known by its turns, which are not over: not to be found until they are.
  tops_.push_back({first.node, first.leaf, depth + 1, 0, 0, 0});
  following_ = true;
  pending_ = 0;
  expected_.Enter(*this, first.node, first.leaf, 2);
  expected_.Settle(*this);
}

void Sequence::Close() {
  closed_ = true;
  following_ = false;
  tops_ = {};
  slots_ = {};
  todo_ = {};
  nodes_.shrink_to_fit();
  leaves_.shrink_to_fit();
}

}  // namespace belay::clock
