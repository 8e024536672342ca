// SPDX-License-Identifier: Apache-2.0
// Folded records come back exactly as they went in: compared with a plain list,
// on random programs of nested loops.

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "base/error.h"
#include "clock/sequence.h"

namespace belay::clock::test_sequence {
namespace {

// A program: an instruction, or a loop over parts whose addresses advance.
struct Part {
  Record record;
  std::vector<Part> body;  // a loop when there are any
  int turns = 1;
  std::vector<int64_t> advance;  // by depth of the loops around it
};

class RandomProgram {
 public:
  explicit RandomProgram(uint64_t seed) : random_(seed) {}

  std::vector<Part> Parts(int depth, int most) {
    std::vector<Part> parts;
    const int count = 1 + Below(most);
    for (int i = 0; i < count; ++i) {
      Part part;
      if (depth < 4 && Below(3) == 0) {
        part.turns = 1 + Below(depth == 0 ? 40 : 6);
        part.body = Parts(depth + 1, 4);
      } else {
        part.record = RandomRecord();
        for (int level = 0; level < depth; ++level) {
          part.advance.push_back(Below(4) * 512 - 512);
        }
      }
      parts.push_back(std::move(part));
    }
    return parts;
  }

  // Runs the program, with now and then a record left out or another one put
  // in, `odd` times in a thousand.
  void Run(const std::vector<Part>& parts, int odd, std::vector<int>& turns,
           std::vector<Record>& out) {
    for (const Part& part : parts) {
      if (part.body.empty()) {
        if (Below(1000) < odd) {
          if (Below(2) == 0) continue;
          out.push_back(RandomRecord());
        }
        out.push_back(part.record);
        int64_t moved = 0;
        for (size_t level = 0; level < part.advance.size(); ++level) {
          moved += part.advance[level] * turns[level];
        }
        Record& record = out.back();
        if (record.kind == Kind::kMove) record.move.address += moved;
        if (record.kind == Kind::kGlobalScalar) record.global.address += moved;
        if (record.kind == Kind::kNotify) record.sync.token += moved;
        continue;
      }
      turns.push_back(0);
      for (int turn = 0; turn < part.turns; ++turn) {
        turns.back() = turn;
        Run(part.body, odd, turns, out);
      }
      turns.pop_back();
    }
  }

  int Below(int n) { return static_cast<int>(random_() % n); }

 private:
  Record RandomRecord() {
    Record record;
    record.place = 16 * Below(5);
    record.scalar = Below(3);
    record.op = abi::Op::kAdd;
    switch (Below(7)) {
      case 0:
      case 1:
        record.kind = Kind::kMove;
        record.pipe = abi::Pipe::kMte2;
        record.move = {uint64_t{1} << 40, 4096, 1u, 512, abi::Memory::kUb,
                       uint8_t(Below(2)), 64};
        break;
      case 2:
        record.kind = Kind::kGlobalScalar;
        record.global = {uint64_t(Below(4)) * 64, 4, uint8_t(Below(2)), 0};
        break;
      case 3:
        record.kind = Kind::kNotify;
        record.sync = {abi::Pipe::kS, abi::Pipe::kS, 0, 1, 0, 7};
        break;
      case 4:
        record.kind = Kind::kSetFlag;
        record.sync = {
            abi::Pipe::kV, abi::Pipe::kS, 1, uint32_t(Below(2)), 0, 0};
        break;
      default:
        record.kind = Kind::kVector;
        record.pipe = abi::Pipe::kV;
        record.vector = {3, 0, 0, uint32_t(Below(3)), 0, 0, 64, 0};
        break;
    }
    return record;
  }

  std::mt19937_64 random_;
};

// Every field that the kind has.
void ExpectSame(const Record& a, const Record& b, size_t at) {
  ASSERT_EQ(a.kind, b.kind) << at;
  ASSERT_EQ(a.pipe, b.pipe) << at;
  ASSERT_EQ(a.op, b.op) << at;
  ASSERT_EQ(a.scalar, b.scalar) << at;
  ASSERT_EQ(a.place, b.place) << at;
  switch (a.kind) {
    case Kind::kMove:
      ASSERT_EQ(a.move.address, b.move.address) << at;
      ASSERT_EQ(a.move.stride, b.move.stride) << at;
      ASSERT_EQ(a.move.bursts, b.move.bursts) << at;
      ASSERT_EQ(a.move.burst_bytes, b.move.burst_bytes) << at;
      ASSERT_EQ(a.move.flags, b.move.flags) << at;
      ASSERT_EQ(a.move.local_offset, b.move.local_offset) << at;
      break;
    case Kind::kGlobalScalar:
      ASSERT_EQ(a.global.address, b.global.address) << at;
      ASSERT_EQ(a.global.write, b.global.write) << at;
      break;
    case Kind::kNotify:
    case Kind::kSetFlag:
      ASSERT_EQ(a.sync.token, b.sync.token) << at;
      ASSERT_EQ(a.sync.id, b.sync.id) << at;
      break;
    default:
      ASSERT_EQ(a.vector.repeats, b.vector.repeats) << at;
      ASSERT_EQ(a.vector.elements, b.vector.elements) << at;
      break;
  }
}

void ExpectReads(const Sequence& sequence, const std::vector<Record>& all) {
  ASSERT_EQ(sequence.size(), all.size());
  Sequence::Cursor cursor(sequence);
  Record record;
  for (size_t i = 0; i < all.size(); ++i) {
    ASSERT_TRUE(cursor.Next(record));
    ExpectSame(record, all[i], i);
    if (::testing::Test::HasFatalFailure()) return;
  }
  EXPECT_FALSE(cursor.Next(record));
  uint64_t counted = 0;
  sequence.ForEachFolded(
      [&](const Record&, uint64_t times) { counted += times; });
  EXPECT_EQ(counted, all.size());
}

Sequence Fold(const std::vector<Record>& all) {
  Sequence sequence;
  for (const Record& record : all) sequence.Append(record);
  return sequence;
}

TEST(Sequence, RandomProgramsComeBackExactly) {
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    RandomProgram program(seed);
    const std::vector<Part> parts = program.Parts(0, 6);
    std::vector<int> turns;
    std::vector<Record> all;
    program.Run(parts, seed % 3 == 0 ? 0 : program.Below(60), turns, all);
    if (all.size() > 20000) all.resize(20000);
    Sequence sequence = Fold(all);
    ExpectReads(sequence, all);
    sequence.Close();
    ExpectReads(sequence, all);
    if (HasFatalFailure()) return;
  }
}

TEST(Sequence, ReadsWhileItGrows) {
  RandomProgram program(99);
  const std::vector<Part> parts = program.Parts(0, 6);
  std::vector<int> turns;
  std::vector<Record> all;
  program.Run(parts, 5, turns, all);
  ASSERT_GT(all.size(), 10u);
  Sequence sequence;
  std::vector<Record> so_far;
  for (size_t i = 0; i < std::min<size_t>(all.size(), 400); ++i) {
    sequence.Append(all[i]);
    so_far.push_back(all[i]);
    ExpectReads(sequence, so_far);
    if (HasFatalFailure()) return;
  }
}

Record MoveAt(uint64_t address, uint64_t place) {
  Record record;
  record.kind = Kind::kMove;
  record.place = place;
  record.move.address = address;
  record.move.bursts = 1;
  record.move.burst_bytes = 512;
  return record;
}

Record Vector(uint64_t place) {
  Record record;
  record.kind = Kind::kVector;
  record.place = place;
  return record;
}

TEST(Sequence, LoopIsKeptOnce) {
  Sequence sequence;
  for (int i = 0; i < 100000; ++i) {
    sequence.Append(MoveAt(i * 512, 1));
    sequence.Append(Vector(2));
    sequence.Append(Vector(2));
    sequence.Append(MoveAt(i * 1024, 3));
  }
  EXPECT_EQ(sequence.size(), 400000u);
  EXPECT_LE(sequence.folded_size(), 8u);
}

TEST(Sequence, LoopsOfLoopsAreKeptOnce) {
  Sequence sequence;
  for (int row = 0; row < 500; ++row) {
    sequence.Append(Vector(1));
    for (int column = 0; column < 37; ++column) {
      sequence.Append(MoveAt(row * 100000 + column * 512, 2));
      for (int step = 0; step < 5; ++step) sequence.Append(Vector(3));
    }
    sequence.Append(Vector(4));
  }
  EXPECT_EQ(sequence.size(), 500u * (2 + 37 * 6));
  EXPECT_LE(sequence.folded_size(), 16u);
}

TEST(Sequence, RowsOfAMatrixThatRunOnAreKeptOnce) {
  // One loop over tiles whose addresses jump at the end of each row.
  Sequence sequence;
  for (int i = 0; i < 64 * 1000; ++i) {
    sequence.Append(MoveAt(i / 64 * 1000000 + i % 64 * 512, 1));
    sequence.Append(Vector(2));
  }
  EXPECT_LE(sequence.folded_size(), 8u);
}

TEST(Sequence, DoubleBufferingIsALoopOfTwoTiles) {
  Sequence sequence;
  std::vector<Record> all;
  for (int i = 0; i < 1001; ++i) {
    Record move = MoveAt(i * 512, 1);
    move.move.local_offset = i % 2 * 8192;
    all.push_back(move);
    all.push_back(Vector(2));
  }
  for (const Record& record : all) sequence.Append(record);
  EXPECT_LE(sequence.folded_size(), 8u);
  ExpectReads(sequence, all);
}

TEST(Sequence, WhatNeverRepeatsIsKept) {
  std::vector<Record> all;
  for (int i = 0; i < 10000; ++i) all.push_back(Vector(i));
  const Sequence sequence = Fold(all);
  EXPECT_EQ(sequence.folded_size(), all.size());
  ExpectReads(sequence, all);
}

TEST(Sequence, BitsOfOtherKindsDoNotMatter) {
  Record first = Vector(1);
  Record second;
  second.kind = Kind::kScalar;
  second.move = {1, 2, 3, 4, abi::Memory::kL1, 5, 6};
  Record third = second;
  third.move.address = 77;
  Sequence sequence;
  for (int i = 0; i < 10; ++i) {
    sequence.Append(first);
    sequence.Append(i % 2 == 0 ? second : third);
  }
  EXPECT_LE(sequence.folded_size(), 2u);
}

TEST(Sequence, NothingComesAfterItsEnd) {
  Sequence sequence;
  sequence.Append(Vector(1));
  sequence.Close();
  EXPECT_THROW(sequence.Append(Vector(2)), InternalError);
}

}  // namespace
}  // namespace belay::clock::test_sequence
