// SPDX-License-Identifier: Apache-2.0
#include "runtime/matmul/load_l0.h"

namespace belay::runtime::matmul {

using abi::DType;

namespace {

constexpr int32_t kFractal = 512;

// Fractals that are moved along one axis, the same way `lines` times.
struct Moves {
  int32_t start;       // in the source
  int32_t repeat;      // fractals in a move
  int32_t stride;      // between them in the source
  int32_t gap;         // between them in the target
  int32_t lines;       // moves
  int32_t line_start;  // from one move to the next, in the source
  int32_t line_to;     // and in the target
};

constexpr int32_t kMostRepeats = 255;

void Move(Instructions& instructions, const L1Block& from,
          const abi::Operand& to, abi::Op op, const Moves& moves,
          bool transpose, int32_t fractal_gap = 0) {
  for (int32_t line = 0; line < moves.lines; ++line) {
    for (int32_t done = 0; done < moves.repeat; done += kMostRepeats) {
      abi::Instruction load{};
      load.op = op;
      load.dst = to;
      load.src0 = from.matrix.place;
      load.dst.address += static_cast<uint64_t>(
          (line * moves.line_to + done * (moves.gap + 1)) * kFractal);
      load.load2d.start = static_cast<uint32_t>(
          moves.start + line * moves.line_start + done * moves.stride);
      load.load2d.repeat = static_cast<uint32_t>(
          moves.repeat - done < kMostRepeats ? moves.repeat - done
                                             : kMostRepeats);
      load.load2d.source_stride = static_cast<uint32_t>(moves.stride);
      load.load2d.destination_gap = static_cast<uint32_t>(moves.gap);
      load.load2d.fractal_gap = static_cast<uint32_t>(fractal_gap);
      load.load2d.transpose = transpose;
      instructions.Issue(load);
    }
  }
}

// Fractals of a block along k.
int32_t KFractals(const Input& input, const L0Block& block) {
  return CeilDivide(block.k_by_16 ? AlignUp(block.k, 16) : block.k,
                    input.block_columns());
}

// A block of which rows run along k, turned: floats, which no other load can.
void LoadTurned(Instructions& instructions, const Input& input,
                const L1Block& from, const L0Block& block,
                const abi::Operand& to) {
  const int32_t columns =
      AlignUp(from.first_column + block.outer, input.block_columns());
  abi::Instruction shape{};
  shape.op = abi::Op::kSetFmatrix;
  shape.fmatrix.height = 1;
  shape.fmatrix.width = static_cast<uint16_t>(from.matrix.rows);
  instructions.Issue(shape);
  abi::Instruction load{};
  load.op = abi::Op::kLoadData3D;
  load.dst = to;
  load.src0 = from.matrix.place;
  load.load3d.channels = static_cast<uint16_t>(AlignUp(columns, 16));
  load.load3d.m_start = static_cast<uint16_t>(from.first_row);
  load.load3d.m_extension = static_cast<uint16_t>(AlignUp(block.k, 16));
  load.load3d.k_start = static_cast<uint16_t>(from.first_column);
  load.load3d.k_extension = static_cast<uint16_t>(AlignUp(block.outer, 16));
  load.load3d.filter_width = load.load3d.filter_height = 1;
  load.load3d.stride_width = load.load3d.stride_height = 1;
  load.load3d.dilation_width = load.load3d.dilation_height = 1;
  load.load3d.transpose = 1;
  instructions.Issue(load);
}

}  // namespace

void LoadLeft(Instructions& instructions, const Input& input,
              const L1Block& from, const L0Block& block,
              const abi::Operand& to) {
  const int32_t columns = input.block_columns();
  const int32_t rows = from.matrix.rows / 16;  // of fractals
  const int32_t k_fractals = KFractals(input, block);
  const int32_t m_fractals = CeilDivide(block.outer, 16);
  if (input.is_vector()) {
    L1Block vector = from;
    vector.matrix.place.address +=
        belay::BytesOf(input.dtype(), static_cast<size_t>(from.first_column));
    const Moves moves{0, CeilDivide(k_fractals, 16), 1, 0, 1, 0, 0};
    return Move(instructions, vector, to, abi::Op::kLoadData2D, moves, false);
  }
  if (!input.k_rows()) {
    const int32_t start =
        from.first_column / columns * rows + from.first_row / 16;
    const Moves by_rows{start, k_fractals, rows, 0, m_fractals, 1, k_fractals};
    const Moves by_columns{start,      m_fractals, 1, k_fractals - 1,
                           k_fractals, rows,       1};
    return Move(instructions, from, to, abi::Op::kLoadData2D,
                m_fractals <= k_fractals ? by_rows : by_columns, false);
  }
  if (columns == 8) return LoadTurned(instructions, input, from, block, to);
  if (columns == 16) {
    const int32_t start = from.first_column / 16 * rows + from.first_row / 16;
    const Moves by_rows{start, k_fractals, 1, 0, m_fractals, rows, k_fractals};
    const Moves by_columns{start,      m_fractals, rows, k_fractals - 1,
                           k_fractals, 1,          1};
    return Move(instructions, from, to, abi::Op::kLoadData2D,
                m_fractals <= k_fractals ? by_rows : by_columns, true);
  }
  // Squares of `columns` elements: `high` fractals below each other.
  const int32_t high = columns / 16;
  const Moves squares{
      (from.first_column / columns * rows + from.first_row / 16) / high,
      k_fractals,
      1,
      0,
      CeilDivide(block.outer, columns),
      rows / high,
      high * k_fractals};
  Move(instructions, from, to, abi::Op::kLoadDataTranspose, squares, false,
       k_fractals - 1);
}

void LoadRight(Instructions& instructions, const Input& input,
               const L1Block& from, const L0Block& block,
               const abi::Operand& to) {
  const int32_t columns = input.block_columns();
  const int32_t rows = from.matrix.rows / 16;
  const int32_t k_fractals = KFractals(input, block);
  const int32_t n_fractals = CeilDivide(block.outer, 16);
  if (!input.k_rows()) {
    const int32_t start =
        from.first_column / columns * rows + from.first_row / 16;
    const bool is_whole = rows == n_fractals;
    const Moves moves{start,
                      is_whole ? n_fractals * k_fractals : n_fractals,
                      1,
                      0,
                      is_whole ? 1 : k_fractals,
                      rows,
                      n_fractals};
    return Move(instructions, from, to, abi::Op::kLoadData2D, moves, false);
  }
  if (columns == 8) return LoadTurned(instructions, input, from, block, to);
  if (columns == 16) {
    const int32_t start = from.first_column / 16 * rows + from.first_row / 16;
    const Moves moves{start, n_fractals, rows, 0, k_fractals, 1, n_fractals};
    return Move(instructions, from, to, abi::Op::kLoadData2D, moves, true);
  }
  const int32_t high = columns / 16;
  const Moves squares{
      (from.first_column / columns * rows + from.first_row / 16) / high,
      CeilDivide(block.outer, columns),
      rows / high,
      high - 1,
      k_fractals,
      1,
      n_fractals};
  Move(instructions, from, to, abi::Op::kLoadDataTranspose, squares, false, 0);
}

void LoadSparse(Instructions& instructions, const Input& input,
                const L1Block& from, const L0Block& block,
                const abi::Operand& index, const abi::Operand& to) {
  const int32_t rows = from.matrix.rows / 16;
  const int32_t n_fractals = CeilDivide(block.outer, 16);
  const int32_t first =
      from.first_column / input.block_columns() * rows + from.first_row / 16;
  for (int32_t i = 0; i < CeilDivide(block.k, input.block_columns()); ++i) {
    abi::Instruction load{};
    load.op = abi::Op::kLoadDataSparse;
    load.dst = to;
    load.src0 = from.matrix.place;
    load.src1 = index;
    load.dst.address += static_cast<uint64_t>(i * n_fractals * kFractal);
    load.src0.address += static_cast<uint64_t>((first + i * rows) * kFractal);
    load.src1.address += static_cast<uint64_t>(i * n_fractals * kIndexBytes);
    load.load2d.repeat = static_cast<uint32_t>(n_fractals);
    instructions.Issue(load);
  }
}

}  // namespace belay::runtime::matmul
