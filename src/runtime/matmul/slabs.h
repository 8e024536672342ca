// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_SLABS_H_
#define BELAY_RUNTIME_MATMUL_SLABS_H_

// What of A or B lies in L1: one or two slabs of base blocks. A slab stays
// until another one needs its place; it is filled by one move, or block by
// block as they are asked for.

#include "runtime/matmul/input.h"

namespace belay::runtime::matmul {

// A base block in L1: the matrix it is part of, and where in it it starts.
struct L1Block {
  L1Matrix matrix;
  int32_t first_row = 0;
  int32_t first_column = 0;
};

// The kernel's own move of a piece, or null.
struct OwnMove {
  void (*move)(const abi::Operand* l1, uint64_t gm, int32_t row, int32_t column,
               int32_t use_rows, int32_t use_columns, uint64_t user_info,
               uint64_t self_data) = nullptr;
  uint64_t user_info = 0;
  uint64_t self_data = 0;
  bool left = false;
};

class Slabs {
 public:
  Slabs(Instructions& instructions, abi::MatmulSide& side, const OwnMove& own)
      : instructions_(instructions), side_(side), own_(own) {}

  // Brings the block at (outer, k), counted in base blocks, to L1 where it is
  // not there already. What MTE1 reads of it next is ordered behind.
  L1Block Need(const Input& input, int32_t outer, int32_t k);

  // Forgets what the slabs hold, and lets loads wait for those who read it.
  void Forget();
  // Waits for flags nobody has waited for.
  void Drain();

 private:
  // The slab with these blocks, emptied for them if it held others.
  abi::MatmulSlab& Find(const Input& input, int32_t outer, int32_t k);
  void Load(const Input& input, const Piece& piece, const L1Matrix& to);

  Instructions& instructions_;
  abi::MatmulSide& side_;
  OwnMove own_;
};

}  // namespace belay::runtime::matmul

#endif  // BELAY_RUNTIME_MATMUL_SLABS_H_
