// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul/product.h"

#include <fmt/format.h>

#include <algorithm>

namespace belay::runtime::matmul {

using abi::DType;
using abi::Memory;
using abi::Op;
using abi::Pipe;

namespace {

DType AccumulatorOf(DType input) {
  return input == DType::kInt8 || input == DType::kInt4 ? DType::kInt32
                                                        : DType::kFloat;
}

OwnMove MoveOf(const abi::MatmulState& state, bool left) {
  return {left ? state.callbacks.copy_a : state.callbacks.copy_b,
          state.job.user_info, state.job.self_data, left};
}

}  // namespace

Product::Product(Instructions& instructions, abi::MatmulState& state)
    : instructions_(instructions),
      state_(state),
      left_(Input::Left(state)),
      right_(Input::Right(state)),
      bias_(state.job.bias),
      left_slabs_(instructions, state.left, MoveOf(state, true)),
      right_slabs_(instructions, state.right, MoveOf(state, false)),
      m_blocks_(
          CeilDivide(state.job.single_m, std::max(state.tiling.baseM, 1))),
      n_blocks_(
          CeilDivide(state.job.single_n, std::max(state.tiling.baseN, 1))),
      k_blocks_(
          CeilDivide(state.job.single_k, std::max(state.tiling.baseK, 1))) {}

void Product::Replace(const Input& left, const Input& right,
                      const abi::Operand& bias) {
  left_ = left;
  right_ = right;
  bias_ = bias;
}

bool Product::IsLeftOut(int32_t m_block, int32_t n_block) const {
  switch (state_.spec->part) {
    case abi::MatmulPart::kUpper:
      return m_block > n_block;
    case abi::MatmulPart::kLower:
      return m_block < n_block;
    default:
      return false;
  }
}

int32_t Product::Results() const {
  int32_t blocks = 0;
  for (int32_t m = 0; m < m_blocks_; ++m) {
    for (int32_t n = 0; n < n_blocks_; ++n) blocks += IsLeftOut(m, n) ? 0 : 1;
  }
  return state_.spec->partial_output != 0 ? blocks * k_blocks_ : blocks;
}

Product::Step Product::StepOf(int32_t result) const {
  const bool partial = state_.spec->partial_output != 0;
  int32_t kept = partial ? result / k_blocks_ : result;
  const bool m_first = state_.tiling.iterateOrder != 1;
  const int32_t inner = m_first ? m_blocks_ : n_blocks_;
  const auto m_of = [&](int32_t i) { return m_first ? i % inner : i / inner; };
  const auto n_of = [&](int32_t i) { return m_first ? i / inner : i % inner; };
  int32_t block = kept;
  if (state_.spec->part != abi::MatmulPart::kAll) {
    block = 0;
    while (IsLeftOut(m_of(block), n_of(block)) || kept-- > 0) ++block;
  }
  return {m_of(block), n_of(block), partial ? result % k_blocks_ : 0,
          partial ? 1 : k_blocks_};
}

ResultBlock Product::BlockOf(int32_t result) const {
  const Step step = StepOf(result);
  const AscendC::tiling::TCubeTiling& tiling = state_.tiling;
  const int32_t m0 = step.m_block * tiling.baseM;
  const int32_t n0 = step.n_block * tiling.baseN;
  return {m0, n0, std::min(tiling.baseM, state_.job.single_m - m0),
          std::min(tiling.baseN, state_.job.single_n - n0)};
}

// Cores that reorder k start at different slabs, so that they do not all read
// the same addresses at the same time.
int32_t Product::KOf(int32_t index) const {
  if (state_.spec->reorder_k == 0 || k_blocks_ <= 1) return index;
  const int32_t step = std::min(left_.step_k(), right_.step_k());
  const int32_t slabs = CeilDivide(k_blocks_, step);
  const int32_t first = instructions_.device().current()->index % slabs * step;
  return (first + index) % k_blocks_;
}

bool Product::IsDoubleL0() const {
  const uint64_t half = instructions_.MemoryBytes(Memory::kL0a) / 2;
  return state_.tiling.dbL0A == 2 && state_.tiling.dbL0B == 2 &&
         left_.BlockBytes() <= half && right_.BlockBytes() <= half;
}

// Squares that are transposed fill whole columns of 32 bytes.
int32_t Product::MmadColumns(int32_t n) const {
  const int32_t columns = right_.block_columns();
  return right_.k_rows() && columns > 16 ? AlignUp(n, columns) : n;
}

uint64_t Product::L0cBytes() const {
  return static_cast<uint64_t>(AlignUp(state_.tiling.baseM, 16)) *
         static_cast<uint64_t>(AlignUp(MmadColumns(state_.tiling.baseN), 16)) *
         4;
}

abi::Operand Product::L0c(uint8_t buffer) const {
  return instructions_.Place(
      Memory::kL0c,
      instructions_.MemoryBase(Memory::kL0c) + buffer * L0cBytes(), L0cBytes(),
      AccumulatorOf(left_.dtype()));
}

uint8_t Product::NextBuffer() {
  const bool two = state_.tiling.dbL0C == 2 &&
                   2 * L0cBytes() <= instructions_.MemoryBytes(Memory::kL0c);
  const uint8_t buffer = two ? state_.l0c_next & 1 : 0;
  state_.l0c_next = buffer ^ 1;
  return buffer;
}

void Product::LoadBias(const ResultBlock& block) {
  if (state_.bias_n == block.n0) return;
  state_.bias_n = block.n0;
  const DType dtype = state_.spec->bias.dtype;
  abi::Operand from = bias_;
  from.dtype = dtype;
  from.address += belay::BytesOf(dtype, static_cast<size_t>(block.n0));
  const uint64_t bytes = static_cast<uint64_t>(AlignUp(
      static_cast<int32_t>(belay::BytesOf(dtype, static_cast<size_t>(block.n))),
      64));
  const abi::Operand in_l1 =
      instructions_.Place(Memory::kL1, state_.l1_bias, bytes, dtype);
  instructions_.Order(Pipe::kMte1, Pipe::kMte2);
  LoadElements(instructions_, in_l1, from, block.n);
  instructions_.Order(Pipe::kMte2, Pipe::kMte1);
  instructions_.Order(Pipe::kM, Pipe::kMte1);
  instructions_.Copy(
      instructions_.Place(Memory::kBt, instructions_.MemoryBase(Memory::kBt),
                          instructions_.MemoryBytes(Memory::kBt),
                          AccumulatorOf(left_.dtype())),
      in_l1, bytes);
}

abi::Operand Product::LoadIndex(const ResultBlock& block, int32_t k_block,
                                int32_t k) {
  const int32_t columns = right_.block_columns();
  const int32_t n_fractals = CeilDivide(block.n, 16);
  const int32_t row = CeilDivide(state_.job.org_n, 16);
  const int32_t first_k = k_block * right_.base_k() / columns;
  abi::Instruction move{};
  move.op = Op::kDataCopy;
  move.src0 = state_.job.index;
  move.src0.address += static_cast<uint64_t>(
      (int64_t{first_k} * row + block.n0 / 16) * kIndexBytes);
  move.transfer.block_count = static_cast<uint32_t>(CeilDivide(k, columns));
  move.transfer.block_bytes = static_cast<uint32_t>(n_fractals * kIndexBytes);
  move.transfer.source_gap = int64_t{row - n_fractals} * kIndexBytes;
  move.dst = instructions_.Place(
      Memory::kL1, state_.l1_index,
      uint64_t{move.transfer.block_count} * move.transfer.block_bytes,
      DType::kUint8);
  instructions_.Order(Pipe::kMte1, Pipe::kMte2);
  instructions_.Issue(move);
  instructions_.Order(Pipe::kMte2, Pipe::kMte1);
  return move.dst;
}

void Product::Compute(int32_t result, bool accumulate, uint8_t buffer,
                      const abi::Operand* own) {
  const Step step = StepOf(result);
  const ResultBlock block = BlockOf(result);
  const abi::Operand l0c = own != nullptr ? *own : L0c(buffer);
  if (own == nullptr) {
    instructions_.Await(state_.l0c_free[buffer], Pipe::kFix, Pipe::kM);
  }
  const bool two = IsDoubleL0();
  const int32_t mmad_n = MmadColumns(block.n);
  const bool k_by_16 =
      left_.block_columns() == 8 && (left_.k_rows() || right_.k_rows());
  for (int32_t i = 0; i < step.k_blocks; ++i) {
    const int32_t k_block = KOf(step.first_k + i);
    const int32_t k = std::min(left_.base_k(),
                               state_.job.single_k - k_block * left_.base_k());
    const uint8_t ping = two ? state_.pings++ & 1 : 0;
    const uint64_t half = ping * instructions_.MemoryBytes(Memory::kL0a) / 2;
    abi::Operand l0a = instructions_.Place(
        Memory::kL0a, instructions_.MemoryBase(Memory::kL0a) + half,
        instructions_.MemoryBytes(Memory::kL0a) - half, left_.dtype());
    abi::Operand l0b = instructions_.Place(
        Memory::kL0b, instructions_.MemoryBase(Memory::kL0b) + half,
        instructions_.MemoryBytes(Memory::kL0b) - half, right_.dtype());
    const L1Block a = left_slabs_.Need(left_, step.m_block, k_block);
    const L1Block b = right_slabs_.Need(right_, step.n_block, k_block);
    const bool first = i == 0 && !accumulate;
    const bool adds_bias =
        first && state_.job.has_bias != 0 && (step.first_k == 0);
    instructions_.Await(state_.l0_free[ping], Pipe::kM, Pipe::kMte1);
    if (adds_bias) LoadBias(block);
    LoadLeft(instructions_, left_, a, {block.m, k, k_by_16}, l0a);
    if (right_.is_sparse()) {
      const int32_t packed = k / 2;
      LoadSparse(instructions_, right_, b, {block.n, packed, false},
                 LoadIndex(block, k_block, packed), l0b);
    } else {
      LoadRight(instructions_, right_, b, {mmad_n, k, k_by_16}, l0b);
    }
    instructions_.Order(Pipe::kMte1, Pipe::kM);

    abi::Instruction mmad{};
    mmad.op = right_.is_sparse() ? Op::kMmadSparse : Op::kMmad;
    mmad.dst = l0c;
    mmad.src0 = l0a;
    mmad.src1 = l0b;
    // A single row would be taken for a vector that lies in one piece.
    const bool is_row = block.m == 1 && !left_.is_vector();
    mmad.mmad.m = static_cast<uint16_t>(is_row ? 16 : block.m);
    mmad.mmad.n = static_cast<uint16_t>(mmad_n);
    mmad.mmad.k = static_cast<uint16_t>(k);
    mmad.mmad.k_align_16 = k_by_16;
    mmad.mmad.init = adds_bias ? abi::MmadInit::kBias
                     : first   ? abi::MmadInit::kZero
                               : abi::MmadInit::kAccumulate;
    if (adds_bias) {
      mmad.src2 = instructions_.Place(
          Memory::kBt, instructions_.MemoryBase(Memory::kBt),
          instructions_.MemoryBytes(Memory::kBt), l0c.dtype);
    }
    instructions_.Issue(mmad);
    // Small ones that follow each other on the same results must not overlap.
    if (CeilDivide(block.m, 16) * CeilDivide(mmad_n, 16) < 10) {
      instructions_.Barrier(Pipe::kM);
    }
    instructions_.Raise(state_.l0_free[ping], Pipe::kM, Pipe::kMte1);
  }
}

bool Product::HasL1() const {
  return instructions_.pipe().matmul_owner ==
         reinterpret_cast<uint64_t>(&state_);
}

void Product::Begin(uint8_t client) {
  const bool has_l1 = HasL1();
  instructions_.pipe().matmul_owner = reinterpret_cast<uint64_t>(&state_);
  const auto keep_shared =
      [client, has_l1](const Input& input, abi::MatmulSide& side, bool shared) {
        const bool same = has_l1 && shared && side.source == input.address() &&
                          side.owner != client && side.uses == 1;
        side.source = input.address();
        side.owner = client;
        side.uses = same ? 2 : 1;
        return same;
      };
  if (!keep_shared(left_, state_.left, state_.spec->a.ib_share != 0)) {
    left_slabs_.Forget();
  }
  if (!keep_shared(right_, state_.right, state_.spec->b.ib_share != 0)) {
    right_slabs_.Forget();
  }
  state_.bias_n = -1;
}

void Product::Drain() {
  left_slabs_.Drain();
  right_slabs_.Drain();
  instructions_.Order(Pipe::kMte1, Pipe::kMte2);
  for (abi::MatmulFlag& flag : state_.l0_free) {
    instructions_.Await(flag, Pipe::kM, Pipe::kMte1);
  }
  for (abi::MatmulFlag& flag : state_.l0c_free) {
    instructions_.Await(flag, Pipe::kFix, Pipe::kM);
  }
}

}  // namespace belay::runtime::matmul
