// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul/input.h"

#include <algorithm>

namespace belay::runtime::matmul {

using abi::DType;
using abi::MatmulBatchLayout;
using abi::MatmulFormat;

namespace {

// How many slabs of `step` blocks `depth` blocks make: 1 or 2.
int32_t SlabsOf(int32_t depth, int32_t step) {
  return std::clamp(depth / std::max(step, 1), 1, 2);
}

// Rows must start at multiples of this: squares that are transposed on the way
// to L0 are as high as a column of 32 bytes is wide.
int32_t RowUnit(DType dtype, bool k_rows) {
  return k_rows ? std::max(16, BlockElements(dtype)) : 16;
}

// Transposing floats works on 16 columns.
int32_t ColumnUnit(DType dtype) { return std::max(16, BlockElements(dtype)); }

}  // namespace

Input Input::Left(const abi::MatmulState& state) {
  const abi::MatmulJob& job = state.job;
  const AscendC::tiling::TCubeTiling& tiling = state.tiling;
  Input input;
  input.left_ = true;
  input.type_ = state.spec->a;
  input.tensor_ = job.a;
  input.scalar_ = job.a_scalar;
  const bool by_columns = input.type_.format == MatmulFormat::kColumnMajor;
  input.k_rows_ = (job.transpose_a != 0) != by_columns;
  input.row_length_ = input.k_rows_ ? job.org_m : job.org_ka;
  input.outer_ = job.single_m;
  input.k_ = job.single_k;
  input.base_outer_ = tiling.baseM;
  input.base_k_ = tiling.baseK;
  input.step_outer_ = std::max(tiling.stepM, 1);
  input.step_k_ = std::max(tiling.stepKa, 1);
  input.slabs_ = SlabsOf(tiling.depthA1, input.step_outer_ * input.step_k_);
  input.by_slabs_ =
      state.spec->whole_slabs != 0 || input.step_outer_ * input.step_k_ > 64;
  input.long_rows_ = state.spec->long_rows != 0;
  if (input.type_.format == MatmulFormat::kNz) {
    input.row_length_ = input.k_rows_ ? job.org_ka : job.org_m;
  }
  return input;
}

Input Input::Right(const abi::MatmulState& state) {
  const abi::MatmulJob& job = state.job;
  const AscendC::tiling::TCubeTiling& tiling = state.tiling;
  Input input;
  input.type_ = state.spec->b;
  input.tensor_ = job.b;
  input.scalar_ = job.b_scalar;
  const bool by_columns = input.type_.format == MatmulFormat::kColumnMajor;
  input.k_rows_ = (job.transpose_b != 0) == by_columns;
  input.row_length_ = input.k_rows_ ? job.org_n : job.org_kb;
  input.outer_ = job.single_n;
  input.k_ = job.single_k;
  input.base_outer_ = tiling.baseN;
  input.base_k_ = tiling.baseK;
  input.step_outer_ = std::max(tiling.stepN, 1);
  input.step_k_ = std::max(tiling.stepKb, 1);
  input.slabs_ = SlabsOf(tiling.depthB1, input.step_outer_ * input.step_k_);
  input.by_slabs_ =
      state.spec->whole_slabs != 0 || input.step_outer_ * input.step_k_ > 64;
  input.long_rows_ = state.spec->long_rows != 0;
  if (input.type_.format == MatmulFormat::kNz) {
    input.row_length_ = input.k_rows_ ? job.org_kb : job.org_n;
  }
  if (state.spec->sparse_b != 0) {
    // Two of four rows are there.
    input.sparse_ = true;
    input.k_ /= 2;
    input.base_k_ /= 2;
    input.row_length_ /= input.k_rows_ ? 1 : 2;
  }
  return input;
}

bool Input::is_vector() const {
  return left_ && (type_.format == MatmulFormat::kVector ||
                   type_.format == MatmulFormat::kScalar);
}

int32_t Input::RowsOf(const Piece& piece) const {
  if (is_vector()) return 1;
  return AlignUp(Rows(piece), RowUnit(type_.dtype, k_rows_));
}

int32_t Input::ColumnsOf(const Piece& piece) const {
  return AlignUp(Columns(piece), ColumnUnit(type_.dtype));
}

uint64_t Input::BlockBytes() const {
  constexpr uint64_t kFractal = 512;
  const Piece whole{0, 0, base_outer_, base_k_};
  const uint64_t bytes =
      belay::BytesOf(type_.dtype, static_cast<size_t>(RowsOf(whole)) *
                                      static_cast<size_t>(ColumnsOf(whole)));
  // A vector is loaded to L0 by whole fractals.
  return is_vector() ? (bytes + kFractal - 1) / kFractal * kFractal : bytes;
}

uint64_t Input::SlabBytes() const {
  if (is_in_l1()) return 0;
  return BlockBytes() * static_cast<uint64_t>(step_outer_) *
         static_cast<uint64_t>(step_k_);
}

abi::Operand Input::At(int64_t elements) const {
  abi::Operand place = tensor_;
  const auto bits = static_cast<int64_t>(BitsOf(type_.dtype));
  place.address += static_cast<uint64_t>(elements * bits / 8);
  return place;
}

Input Input::Moved(int64_t elements, int64_t row_length) const {
  Input moved = *this;
  moved.tensor_ = At(elements);
  if (row_length != 0) moved.row_length_ = row_length;
  return moved;
}

L1Matrix Input::WholeInL1() const {
  const Piece whole{0, 0, outer_, k_};
  return {tensor_, AlignUp(Rows(whole), 16)};
}

void Input::Load(Instructions& instructions, const Piece& piece,
                 const L1Matrix& to) const {
  switch (type_.format) {
    case MatmulFormat::kScalar:
      return FillScalar(instructions, piece, to);
    case MatmulFormat::kVector:
      return LoadVector(instructions, piece, to);
    case MatmulFormat::kNz:
      return LoadBlocks(instructions, piece, to);
    default:
      return LoadRows(instructions, piece, to);
  }
}

namespace {

// int4 moves in pairs.
int32_t UnitsOf(DType dtype, int64_t elements) {
  return static_cast<int32_t>(dtype == DType::kInt4 ? elements / 2 : elements);
}
DType MovedAs(DType dtype) {
  return dtype == DType::kInt4 ? DType::kInt8 : dtype;
}

}  // namespace

void Input::LoadRows(Instructions& instructions, const Piece& piece,
                     const L1Matrix& to) const {
  constexpr int64_t kLongestRow = 65535;
  const DType dtype = type_.dtype;
  abi::Instruction move{};
  move.op = abi::Op::kDataCopyNd2Nz;
  move.dst = to.place;
  move.src0 = At(FirstRow(piece) * row_length_ + FirstColumn(piece));
  move.dst.dtype = move.src0.dtype = MovedAs(dtype);
  move.nd2nz.matrices = 1;
  move.nd2nz.rows = static_cast<uint32_t>(Rows(piece));
  move.nd2nz.columns = static_cast<uint32_t>(UnitsOf(dtype, Columns(piece)));
  move.nd2nz.source_row_stride =
      static_cast<uint32_t>(UnitsOf(dtype, row_length_));
  move.nd2nz.column_block_stride = static_cast<uint32_t>(to.rows);
  move.nd2nz.row_stride = 1;
  if (!long_rows_ || UnitsOf(dtype, row_length_) <= kLongestRow) {
    instructions.Issue(move);
    return;
  }
  move.nd2nz.rows = 1;
  move.nd2nz.source_row_stride = move.nd2nz.columns;
  for (int32_t row = 0; row < Rows(piece); ++row) {
    move.src0 = At((FirstRow(piece) + row) * row_length_ + FirstColumn(piece));
    move.src0.dtype = move.dst.dtype;
    move.dst.address = to.place.address + static_cast<uint64_t>(row) * 32;
    instructions.Issue(move);
  }
}

void Input::LoadBlocks(Instructions& instructions, const Piece& piece,
                       const L1Matrix& to) const {
  const int32_t columns = block_columns();
  const int32_t rows = Rows(piece);
  abi::Instruction move{};
  move.op = abi::Op::kDataCopy;
  move.dst = to.place;
  move.src0 = At(FirstColumn(piece) / columns * row_length_ * columns +
                 int64_t{FirstRow(piece)} * columns);
  move.transfer.block_count =
      static_cast<uint32_t>(CeilDivide(Columns(piece), columns));
  move.transfer.block_bytes = static_cast<uint32_t>(rows) * 32;
  move.transfer.source_gap = (row_length_ - rows) * 32;
  move.transfer.destination_gap = int64_t{to.rows - rows} * 32;
  instructions.Issue(move);
}

void LoadElements(Instructions& instructions, const abi::Operand& to,
                  const abi::Operand& from, int32_t elements) {
  // 64-bit elements move as two.
  const bool wide = BitsOf(from.dtype) == 64;
  abi::Instruction move{};
  move.op = abi::Op::kDataCopyNd2Nz;
  move.dst = to;
  move.src0 = from;
  move.dst.dtype = move.src0.dtype = wide ? DType::kUint32 : from.dtype;
  move.nd2nz.matrices = 1;
  move.nd2nz.rows = 1;
  move.nd2nz.columns = static_cast<uint32_t>(wide ? elements * 2 : elements);
  move.nd2nz.source_row_stride = move.nd2nz.columns;
  move.nd2nz.column_block_stride = 1;
  move.nd2nz.row_stride = 1;
  instructions.Issue(move);
}

void Input::LoadVector(Instructions& instructions, const Piece& piece,
                       const L1Matrix& to) const {
  LoadElements(instructions, to.place, At(piece.k), piece.k_size);
}

void Input::FillScalar(Instructions& instructions, const Piece& piece,
                       const L1Matrix& to) const {
  abi::Instruction fill{};
  fill.op = abi::Op::kFill;
  fill.dst = to.place;
  fill.scalar = scalar_;
  fill.fill.repeat = 1;
  fill.fill.blocks = static_cast<uint32_t>(
      to.rows * CeilDivide(Columns(piece), block_columns()));
  instructions.Issue(fill);
}

}  // namespace belay::runtime::matmul
