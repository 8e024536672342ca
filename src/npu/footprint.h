// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_FOOTPRINT_H_
#define BELAY_NPU_FOOTPRINT_H_

// Exactly which bytes an instruction reads and writes, operand by operand.
// Scratch that the chip takes without being given it is not included.

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "npu/observer.h"
#include "npu/operands.h"

namespace belay::npu {

// `runs` whole runs of `run_bytes`, `run_stride` apart, then `last_bytes` more
// at the next run's place: what one repeat touches.
struct RunPattern {
  uint32_t runs;
  uint32_t last_bytes;
};

// The bytes one operand touches. Has no initial values: made for each
// instruction, it must be cheap.
struct FootprintUse {
  enum class Shape : uint8_t {
    kRuns,          // `repeats` times `body`, then `tail` once
    kMasked,        // lanes of `mask`, the same in each of `repeats`
    kOffsets,       // elements at the offsets a Gather reads
    kBlockOffsets,  // 32-byte blocks at the offsets a Gatherb reads
    kRows,          // 16 rows of a TransDataTo5HD, each repeated
    kNzRows,        // 32-byte rows a DataCopyNd2Nz writes apart
  };

  std::string_view role;  // "dst", "src0", …
  Access access;
  abi::Memory memory;
  abi::DType dtype;
  Shape shape;

  uint64_t address;  // of the first run or lane
  uint64_t run_bytes;
  uint64_t run_stride;     // bytes, start to start
  uint64_t repeat_stride;  // bytes, start to start
  uint32_t repeats;
  RunPattern body;
  RunPattern tail;

  // kMasked: a lane has `lane_bits`, a run `lanes_per_run` lanes.
  uint32_t lane_bits;
  uint32_t lanes_per_run;
  uint64_t mask[2];

  // For shapes that follow data, and kNzRows: the instruction, valid while its
  // event is.
  const abi::Instruction* instruction;
  const Lanes* lanes;

  bool reads() const { return access != Access::kWrite; }
  bool writes() const { return access != Access::kRead; }

  // No byte lies before `address` or from here on. Not for shapes that follow
  // offsets or lists.
  uint64_t UpperBound() const {
    const uint64_t runs = shape == Shape::kMasked
                              ? 128 / lanes_per_run
                              : std::max(body.runs, tail.runs);
    return address + repeats * repeat_stride + runs * run_stride + run_bytes;
  }
  bool FollowsData() const {
    return shape != Shape::kRuns && shape != Shape::kMasked;
  }

  // True when the bytes are one range: [address, address + run_bytes).
  bool IsOneRange() const {
    return shape == Shape::kRuns && repeats == 1 && body.runs == 1 &&
           body.last_bytes == 0 && tail.runs == 0 && tail.last_bytes == 0;
  }
};

class Footprint {
 public:
  static constexpr int kMaxUses = 5;

  Footprint() : count_(0) {}

  const FootprintUse* begin() const { return uses_.data(); }
  const FootprintUse* end() const { return uses_.data() + count_; }
  int size() const { return count_; }
  const FootprintUse& operator[](int i) const { return uses_[i]; }

  // Uses that touch no byte are not taken.
  void Add(const FootprintUse& use);
  // The same for one range of bytes from the operand's address on.
  void AddRange(const abi::Operand& operand, std::string_view role,
                Access access, uint64_t bytes);

 private:
  std::array<FootprintUse, kMaxUses> uses_;
  int count_;
};

// What the instruction of `event` touches; empty for those that touch no
// memory of the chip (flags, registers, queues, the data cache). Reads what
// decides it: offsets, bits, lists, which must have been checked. A move to
// global memory under SetAtomic reads and writes its destination. O(1) but for
// GatherMask by bits and MrgSort that may stop early.
Footprint FootprintOf(const InstructionEvent& event);

// Bytes of its work buffer a Reduce uses, by the formulas of the pages
// ReduceSum and ReduceMax.
uint64_t ReduceWorkBytes(const abi::Instruction& reduce, const Lanes& lanes);

namespace internal {
void ForEachRangeByData(const FootprintUse& use, void* context,
                        void (*f)(void* context, uint64_t begin, uint64_t end));
}  // namespace internal

// Calls f(begin, end) for the ranges of addresses of a use. Adjacent runs come
// as one range; ranges may come in any order, and overlap where strides do.
template <typename F>
void ForEachRange(const FootprintUse& use, F f) {
  if (use.IsOneRange()) {
    f(use.address, use.address + use.run_bytes);
    return;
  }
  uint64_t begin = 0;
  uint64_t end = 0;
  const auto add = [&](uint64_t from, uint64_t to) {
    if (from == end) {
      end = to;
      return;
    }
    if (end != begin) f(begin, end);
    begin = from;
    end = to;
  };
  if (use.shape == FootprintUse::Shape::kRuns) {
    const auto pattern = [&](uint64_t at, const RunPattern& runs) {
      for (uint32_t run = 0; run < runs.runs; ++run, at += use.run_stride) {
        add(at, at + use.run_bytes);
      }
      if (runs.last_bytes != 0) add(at, at + runs.last_bytes);
    };
    uint64_t at = use.address;
    for (uint32_t repeat = 0; repeat < use.repeats; ++repeat) {
      pattern(at, use.body);
      at += use.repeat_stride;
    }
    pattern(at, use.tail);
  } else {
    auto call = [](void* context, uint64_t from, uint64_t to) {
      (*static_cast<decltype(add)*>(context))(from, to);
    };
    internal::ForEachRangeByData(
        use, const_cast<void*>(static_cast<const void*>(&add)), call);
  }
  if (end != begin) f(begin, end);
}

}  // namespace belay::npu

#endif  // BELAY_NPU_FOOTPRINT_H_
