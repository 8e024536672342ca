// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_INIT_TOUCHES_H_
#define BELAY_CHECK_INIT_TOUCHES_H_

// Ranges that hold all bytes a vector instruction reads and writes: what must
// be clear for the shadow to have nothing to propagate.

#include <array>
#include <cstdint>

#include "npu/observer.h"

namespace belay::check {

struct Touch {
  uint64_t address;
  uint64_t bytes;
};

struct TouchList {
  std::array<Touch, 20> touch;
  int count = 0;
  void Add(uint64_t address, uint64_t bytes) {
    if (bytes != 0) touch[count++] = {address, bytes};
  }
  const Touch* begin() const { return touch.data(); }
  const Touch* end() const { return touch.data() + count; }
};

struct Touches {
  TouchList reads;
  TouchList writes;
  bool dense = false;  // every byte of `writes` is written
};

// Reads guest memory where ranges depend on data (offsets, bits, lists). The
// work buffer of a reduction is not among the writes.
Touches TouchesOf(const npu::InstructionEvent& event);

// Bytes of its work buffer a reduction may leave anything in (pages ReduceMax
// and ReduceSum): nothing for a single repeat, nor for a sum by count.
uint64_t ReduceWorkBytes(const npu::InstructionEvent& event);

}  // namespace belay::check

#endif  // BELAY_CHECK_INIT_TOUCHES_H_
