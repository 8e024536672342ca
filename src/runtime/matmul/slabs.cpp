// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul/slabs.h"

#include <algorithm>

namespace belay::runtime::matmul {

using abi::Pipe;

namespace {

// The piece that starts at a base block, `blocks` of them each way or as far
// as the matrix goes.
Piece PieceAt(const Input& input, int32_t outer, int32_t k,
              int32_t outer_blocks, int32_t k_blocks) {
  const int32_t first_outer = outer * input.base_outer();
  const int32_t first_k = k * input.base_k();
  return {
      first_outer, first_k,
      std::min(outer_blocks * input.base_outer(), input.outer() - first_outer),
      std::min(k_blocks * input.base_k(), input.k() - first_k)};
}

}  // namespace

abi::MatmulSlab& Slabs::Find(const Input& input, int32_t outer, int32_t k) {
  const int slabs = input.slabs();
  int found = -1;
  for (int i = 0; i < slabs; ++i) {
    const abi::MatmulSlab& slab = side_.slab[i];
    if (slab.valid && slab.outer == outer && slab.k == k) found = i;
  }
  const int current = side_.current & 1;
  if (found == current) return side_.slab[current];
  const bool is_new = found < 0;
  if (is_new) found = slabs == 1 ? 0 : current ^ 1;
  abi::MatmulSlab& slab = side_.slab[found];
  if (found != current) {
    abi::MatmulSlab& left = side_.slab[current];
    if (left.valid && left.released.raised == 0) {
      instructions_.Raise(left.released, Pipe::kMte1, Pipe::kMte2);
    }
    instructions_.Await(slab.released, Pipe::kMte1, Pipe::kMte2);
  } else if (slab.valid) {
    instructions_.Order(Pipe::kMte1, Pipe::kMte2);
  }
  side_.current = static_cast<uint8_t>(found);
  if (is_new) {
    slab.valid = 1;
    slab.outer = outer;
    slab.k = k;
    slab.loaded = 0;
  }
  return slab;
}

void Slabs::Load(const Input& input, const Piece& piece, const L1Matrix& to) {
  if (own_.move == nullptr) {
    input.Load(instructions_, piece, to);
  } else {
    const bool slabs = input.by_slabs();
    const int32_t outer =
        piece.outer / input.base_outer() / (slabs ? input.step_outer() : 1);
    const int32_t k = piece.k / input.base_k() / (slabs ? input.step_k() : 1);
    own_.move(&to.place, input.address(), own_.left ? outer : k,
              own_.left ? k : outer,
              own_.left ? piece.outer_size : piece.k_size,
              own_.left ? piece.k_size : piece.outer_size, own_.user_info,
              own_.self_data);
  }
  instructions_.Order(Pipe::kMte2, Pipe::kMte1);
}

L1Block Slabs::Need(const Input& input, int32_t outer, int32_t k) {
  const Piece block = PieceAt(input, outer, k, 1, 1);
  const bool k_rows = input.k_rows();
  if (input.is_in_l1()) {
    return {input.WholeInL1(), k_rows ? block.k : block.outer,
            k_rows ? block.outer : block.k};
  }
  const int32_t slab_outer = outer - outer % input.step_outer();
  const int32_t slab_k = k - k % input.step_k();
  abi::MatmulSlab& slab = Find(input, slab_outer, slab_k);
  const uint64_t base = side_.base + (&slab - side_.slab) * input.SlabBytes();
  if (input.by_slabs()) {
    const Piece whole =
        PieceAt(input, slab_outer, slab_k, input.step_outer(), input.step_k());
    const L1Matrix matrix{instructions_.Place(abi::Memory::kL1, base,
                                              input.SlabBytes(), input.dtype()),
                          input.RowsOf(whole)};
    if (slab.loaded == 0) Load(input, whole, matrix);
    slab.loaded = 1;
    const int32_t outer_offset = block.outer - whole.outer;
    const int32_t k_offset = block.k - whole.k;
    return {matrix, k_rows ? k_offset : outer_offset,
            k_rows ? outer_offset : k_offset};
  }
  const int32_t index = (outer - slab_outer) * input.step_k() + (k - slab_k);
  const L1Matrix matrix{
      instructions_.Place(
          abi::Memory::kL1,
          base + static_cast<uint64_t>(index) * input.BlockBytes(),
          input.BlockBytes(), input.dtype()),
      input.RowsOf(block)};
  const uint64_t bit = uint64_t{1} << (index & 63);
  if ((slab.loaded & bit) == 0) Load(input, block, matrix);
  slab.loaded |= bit;
  return {matrix, 0, 0};
}

void Slabs::Forget() {
  Drain();
  if (side_.slab[0].valid != 0 || side_.slab[1].valid != 0) {
    instructions_.Order(Pipe::kMte1, Pipe::kMte2);
  }
  for (abi::MatmulSlab& slab : side_.slab) slab.valid = 0;
}

void Slabs::Drain() {
  for (abi::MatmulSlab& slab : side_.slab) {
    instructions_.Await(slab.released, Pipe::kMte1, Pipe::kMte2);
  }
}

}  // namespace belay::runtime::matmul
