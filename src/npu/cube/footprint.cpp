// SPDX-License-Identifier: Apache-2.0
#include "npu/cube/footprint.h"

#include "npu/cube/fixpipe.h"
#include "npu/cube/im2col.h"
#include "npu/cube/load3d.h"
#include "npu/cube/mmad.h"
#include "npu/cube/quantise.h"
#include "npu/names.h"

namespace belay::npu {
namespace {

// `runs` of `bytes`, `stride` apart, all of it `repeats` times.
struct Runs {
  uint64_t bytes;
  uint64_t runs = 1;
  uint64_t stride = 0;
  uint64_t repeats = 1;
  uint64_t repeat_stride = 0;
  uint64_t last_bytes = 0;  // at the place of one more run
};

void Add(Footprint& to, const abi::Operand& operand, std::string_view role,
         Access access, uint64_t offset, Runs runs) {
  if (runs.runs > 1 && runs.stride == runs.bytes && runs.last_bytes == 0) {
    runs.bytes *= runs.runs;
    runs.runs = 1;
  }
  if (runs.repeats > 1 && runs.runs == 1 && runs.last_bytes == 0 &&
      (runs.repeat_stride == runs.bytes || runs.repeat_stride == 0)) {
    if (runs.repeat_stride != 0) runs.bytes *= runs.repeats;
    runs.repeats = 1;
  }
  FootprintUse use{};
  use.role = role;
  use.access = access;
  use.memory = operand.memory;
  use.dtype = operand.dtype;
  use.address = operand.address + offset;
  use.run_bytes = runs.bytes;
  use.run_stride = runs.stride;
  use.repeat_stride = runs.repeat_stride;
  use.repeats = static_cast<uint32_t>(runs.repeats);
  use.body = {static_cast<uint32_t>(runs.runs),
              static_cast<uint32_t>(runs.last_bytes)};
  to.Add(use);
}

void AddLoad2D(const abi::Instruction& i, Footprint& to) {
  const abi::Load2D& load = i.load2d;
  const bool sparse = i.op == abi::Op::kLoadDataSparse;
  const uint64_t fractals =
      i.op == abi::Op::kLoadDataTranspose ? FractalsOfSquare(i.dst.dtype) : 1;
  const uint64_t unit = fractals * kFractalBytes;
  const uint64_t gap = sparse ? 0 : load.destination_gap;
  const uint64_t stride = sparse ? 1 : load.source_stride;
  Add(to, i.dst, "dst", Access::kWrite, 0,
      {kFractalBytes, fractals,
       (uint64_t{load.fractal_gap} + 1) * kFractalBytes, load.repeat,
       (gap + 1) * kFractalBytes});
  const uint64_t first = load.descending && !sparse
                             ? load.start - (load.repeat - 1) * stride
                             : load.start;
  Add(to, i.src0, "src", Access::kRead, first * unit,
      {unit, 1, 0, load.repeat, stride * unit});
  if (sparse) {
    Add(to, i.src1, "idx", Access::kRead,
        uint64_t{load.start} * kSparseIndexBytes,
        {uint64_t{load.repeat} * kSparseIndexBytes});
  }
}

// Of a filter of more than one element all of the map's rows between the first
// and the last that are used count as read.
void AddLoad3D(const abi::Instruction& i, Footprint& to) {
  const Load3DPart part = Load3DPartOf(i);
  const Im2col matrix(i);
  Add(to, i.dst, "dst", Access::kWrite, 0, {part.bytes});
  const abi::Fmatrix& map = i.load3d.fmatrix;
  const uint64_t points = uint64_t{map.height} * map.width;
  const uint64_t first_row = part.SourceRow(0);
  // Rows that only fill the last fractal up are read where there are any.
  const uint64_t last_row = part.SourceRow(part.rows - 1);
  const Im2col::Range lines = matrix.MapRows(first_row, last_row);
  uint64_t begin = lines.begin * map.width;
  uint64_t end = lines.end * map.width;
  if (matrix.plain()) {
    begin = std::min(first_row, points);
    end = std::min(last_row + 1, points);
  }
  const uint64_t last_block = part.SourceBlock(part.blocks - 1);
  if (begin >= end) return;
  if (part.SourceBlock(0) < matrix.packed_from()) {
    const uint64_t c0 = part.SourceBlock(0) / matrix.filter();
    const uint64_t c1 =
        std::min(last_block / matrix.filter(), matrix.whole_blocks() - 1);
    Add(to, i.src0, "src", Access::kRead,
        (c0 * points + begin) * kFractalRowBytes,
        {(end - begin) * kFractalRowBytes, c1 - c0 + 1,
         points * kFractalRowBytes});
  }
  const uint64_t whole = matrix.whole_blocks() * points * kFractalRowBytes;
  if (last_block >= matrix.packed_from() && matrix.map_bytes() > whole) {
    Add(to, i.src0, "src", Access::kRead, whole, {matrix.map_bytes() - whole});
  }
}

void AddNd2Nz(const abi::Instruction& i, Footprint& to) {
  const abi::Nd2Nz& copy = i.nd2nz;
  const uint64_t element = BytesOf(i.dst.dtype);
  const uint64_t blocks = CeilDivide(copy.columns * element, kFractalRowBytes);
  const uint64_t block_step =
      uint64_t{copy.column_block_stride} * kFractalRowBytes;
  const uint64_t matrix_step = copy.destination_matrix_stride * element;
  if (copy.row_stride == 1) {
    Add(to, i.dst, "dst", Access::kWrite, 0,
        {uint64_t{copy.rows} * kFractalRowBytes, blocks, block_step,
         copy.matrices, matrix_step});
  } else if (copy.matrices == 1) {
    Add(to, i.dst, "dst", Access::kWrite, 0,
        {kFractalRowBytes, copy.rows,
         uint64_t{copy.row_stride} * kFractalRowBytes, blocks, block_step});
  } else {
    FootprintUse use{};
    use.role = "dst";
    use.access = Access::kWrite;
    use.memory = i.dst.memory;
    use.dtype = i.dst.dtype;
    use.shape = FootprintUse::Shape::kNzRows;
    use.address = i.dst.address;
    use.repeats = 1;
    use.instruction = &i;
    to.Add(use);
  }
  Add(to, i.src0, "src", Access::kRead, 0,
      {copy.columns * element, copy.rows, copy.source_row_stride * element,
       copy.matrices, copy.source_matrix_stride * element});
}

void AddFill(const abi::Instruction& i, Footprint& to) {
  const uint64_t unit =
      i.dst.memory == abi::Memory::kL1 ? kFractalRowBytes : kFractalBytes;
  Add(to, i.dst, "dst", Access::kWrite, 0,
      {i.fill.blocks * unit, 1, 0, i.fill.repeat,
       (uint64_t{i.fill.blocks} + i.fill.gap) * unit});
}

void AddMmad(const abi::Instruction& i, Footprint& to) {
  const MmadShape shape = MmadShapeOf(i);
  const bool accumulates = i.mmad.init == abi::MmadInit::kAccumulate;
  Add(to, i.dst, "dst", accumulates ? Access::kReadWrite : Access::kWrite, 0,
      {shape.m * kResultRowBytes, shape.n_blocks,
       shape.m_blocks * kResultBytes});
  Add(to, i.src0, "fm", Access::kRead, 0,
      {BytesOf(i.src0.dtype, CeilAlign(shape.left_elements, 2))});
  Add(to, i.src1, "filter", Access::kRead, 0,
      {BytesOf(i.src1.dtype, shape.right_elements)});
  if (i.mmad.init == abi::MmadInit::kBias) {
    Add(to, i.src2, "bias", Access::kRead, 0, {shape.n * sizeof(float)});
  }
}

void AddFixpipe(const abi::Instruction& i, bool atomic, Footprint& to) {
  const abi::Fixpipe& fixpipe = i.fixpipe;
  const uint64_t element = BytesOf(i.dst.dtype);
  const bool accumulates = atomic && i.dst.memory == abi::Memory::kGm;
  const Access access = accumulates ? Access::kReadWrite : Access::kWrite;
  const uint64_t width = FixpipeWidth(i);
  const uint64_t blocks = CeilDivide(fixpipe.n, width);
  if (fixpipe.nz2nd != 0) {
    Add(to, i.dst, "dst", access, 0,
        {fixpipe.n * element, fixpipe.m, fixpipe.destination_stride * element,
         fixpipe.matrices, fixpipe.destination_matrix_stride * element});
  } else {
    const uint64_t stride =
        uint64_t{fixpipe.destination_stride} * kFractalRowBytes;
    if (element == 1) {
      Add(to, i.dst, "dst", access, 0,
          {fixpipe.m * uint64_t{kFractalRowBytes}, blocks / 2, stride, 1, 0,
           blocks % 2 * fixpipe.m * width});
    } else {
      Add(to, i.dst, "dst", access, 0,
          {fixpipe.m * width * element, blocks, stride});
    }
  }
  Add(to, i.src0, "src", Access::kRead, 0,
      {fixpipe.m * uint64_t{kResultRowBytes},
       CeilDivide(fixpipe.n, kResultSide),
       uint64_t{fixpipe.source_stride} * kResultRowBytes, fixpipe.matrices,
       uint64_t{fixpipe.source_matrix_stride} * kResultBytes});
  if (TakesVector(fixpipe.quant)) {
    Add(to, i.src1, "quant", Access::kRead, 0, {fixpipe.n * sizeof(uint64_t)});
  }
}

}  // namespace

Footprint CubeFootprintOf(const abi::Instruction& instruction, bool atomic) {
  Footprint footprint;
  switch (FamilyOf(instruction.op)) {
    case Family::kLoad2D:
      AddLoad2D(instruction, footprint);
      break;
    case Family::kLoad3D:
      AddLoad3D(instruction, footprint);
      break;
    case Family::kNd2Nz:
      AddNd2Nz(instruction, footprint);
      break;
    case Family::kFill:
      AddFill(instruction, footprint);
      break;
    case Family::kMmad:
      AddMmad(instruction, footprint);
      break;
    case Family::kFixpipe:
      AddFixpipe(instruction, atomic, footprint);
      break;
    default:
      break;
  }
  return footprint;
}

}  // namespace belay::npu
