// SPDX-License-Identifier: Apache-2.0
// What a Matmul object takes of L1.

#include <fmt/format.h>

#include <algorithm>

#include "runtime/matmul/product.h"

namespace belay::runtime::matmul {

using abi::DType;

uint64_t LayOutL1(abi::MatmulState& state, uint64_t base) {
  const Input left = Input::Left(state);
  const Input right = Input::Right(state);
  const uint64_t row =
      static_cast<uint64_t>(AlignUp(std::max(state.tiling.baseN, 0), 64)) * 8;
  state.left.base = base;
  base += left.SlabBytes() * static_cast<uint64_t>(left.slabs());
  state.right.base = base;
  base += right.SlabBytes() * static_cast<uint64_t>(right.slabs());
  state.l1_bias = base;
  base += state.tiling.isBias != 0 ? row / 2 : 0;
  state.l1_quant = base;
  const DType input = state.spec->a.dtype;
  const DType output = state.spec->c.dtype;
  const bool quantises =
      BitsOf(output) == 8 || (output == DType::kHalf &&
                              (input == DType::kInt8 || input == DType::kInt4));
  base += quantises ? row : 0;
  state.l1_index = base;
  if (state.spec->sparse_b != 0) {
    base += static_cast<uint64_t>(kIndexBytes) *
            static_cast<uint64_t>(CeilDivide(state.tiling.baseN, 16)) *
            static_cast<uint64_t>(
                CeilDivide(right.base_k(), right.block_columns()));
  }
  return base - state.left.base;
}

void ReserveL1(Instructions& instructions, abi::MatmulState& state) {
  abi::PipeState& pipe = instructions.pipe();
  const uint64_t l1 = instructions.MemoryBase(abi::Memory::kL1);
  uint32_t& used = pipe.used[static_cast<int>(abi::Memory::kL1)];
  const uint64_t needed = (LayOutL1(state, 0) + 31) / 32 * 32;
  const bool is_last = pipe.matmul_l1_bytes != 0 &&
                       pipe.matmul_l1 + pipe.matmul_l1_bytes == l1 + used;
  if (needed > pipe.matmul_l1_bytes) {
    const uint64_t start =
        is_last ? pipe.matmul_l1 : l1 + (used + 511) / 512 * 512;
    const uint64_t room = instructions.MemoryBytes(abi::Memory::kL1);
    if (start + needed > l1 + room) {
      const AscendC::tiling::TCubeTiling& t = state.tiling;
      Refuse("BLY-N160",
             fmt::format("[Matmul] the tiling takes {} bytes of L1 ({} blocks "
                         "of A with {} × {}, {} blocks of B with {} × {}), "
                         "but {} are left",
                         needed, t.depthA1, t.baseM, t.baseK, t.depthB1,
                         t.baseK, t.baseN, l1 + room - start),
             "use smaller base blocks or depths, or give the tiling less L1 "
             "with SetBufferSpace");
    }
    pipe.matmul_l1 = start;
    pipe.matmul_l1_bytes = static_cast<uint32_t>(needed);
    used = static_cast<uint32_t>(start + needed - l1);
  }
  LayOutL1(state, pipe.matmul_l1);
}

}  // namespace belay::runtime::matmul
