// SPDX-License-Identifier: Apache-2.0
#include "clock/cube_work.h"

#include <algorithm>

#include "base/dtype.h"
#include "npu/cube/fixpipe.h"
#include "npu/cube/im2col.h"
#include "npu/cube/load3d.h"
#include "npu/cube/mmad.h"
#include "npu/names.h"

namespace belay::clock {
namespace {

using npu::CeilDivide;
using npu::Family;

constexpr uint64_t kRowOf512 = 512;

// How much slower than its memory's rate a LoadData3D is, as documented: by the
// filter's step along the width and the rows of the map it goes over.
double SlownessOf(const abi::Instruction& load, uint64_t lines) {
  const bool to_l0b = load.dst.memory == abi::Memory::kL0b;
  const double full = to_l0b ? 128 : 256;
  const double least = to_l0b ? 512.0 / 18 : 32;
  const uint64_t stride = load.load3d.stride_width;
  const double more = to_l0b ? 2 : 0;
  double rate = full;
  if (stride == 1) {
    if (lines > 1) rate = 512.0 / (static_cast<double>(lines) + 2 + more);
  } else if (stride == 2 || stride == 4 || stride == 8) {
    rate = 512.0 / (static_cast<double>(stride) * 2 + more +
                    (lines > 1 ? static_cast<double>(lines) : 0));
  } else {
    rate = least;
  }
  return full / std::clamp(rate, least, full);
}

// Rows of the filter's places that the load's rows reach over.
uint64_t LinesOf(const abi::Instruction& load) {
  const abi::Load3D& l = load.load3d;
  const uint64_t reach = (l.filter_width - 1u) * l.dilation_width + 1u;
  const uint64_t room =
      uint64_t{l.fmatrix.width} + l.fmatrix.pad_left + l.fmatrix.pad_right;
  if (room < reach || l.stride_width == 0) return 1;
  const uint64_t width = (room - reach) / l.stride_width + 1;
  const uint64_t first = l.m_start / width;
  return (l.m_start + l.m_extension - 1u) / width - first + 1;
}

struct Rows {
  const abi::Operand& global;
  const abi::Operand& local;
  uint64_t bytes;
  uint64_t count;
  int64_t stride;
  uint64_t matrices = 1;
  uint64_t matrix_stride = 0;
};

Rows RowsOf(const abi::Instruction& i) {
  const uint64_t element = BytesOf(i.dst.dtype, 2) / 2;
  switch (npu::FamilyOf(i.op)) {
    case Family::kNd2Nz:
      return {i.src0,
              i.dst,
              i.nd2nz.columns * element,
              i.nd2nz.rows,
              static_cast<int64_t>(i.nd2nz.source_row_stride * element),
              i.nd2nz.matrices,
              i.nd2nz.source_matrix_stride * element};
    case Family::kLoad2D: {
      const int64_t step = int64_t{i.load2d.source_stride} * kRowOf512;
      return {i.src0, i.dst, kRowOf512, i.load2d.repeat,
              i.load2d.descending != 0 ? -step : step};
    }
    default: {
      const abi::Fixpipe& fixpipe = i.fixpipe;
      if (fixpipe.nz2nd != 0) {
        return {i.dst,
                i.src0,
                fixpipe.n * element,
                fixpipe.m,
                static_cast<int64_t>(fixpipe.destination_stride * element),
                fixpipe.matrices,
                fixpipe.destination_matrix_stride * element};
      }
      // By NZ a column of fractals lies in one piece.
      const uint64_t width = element == 1 ? 32 : npu::FixpipeWidth(i);
      return {i.dst, i.src0,
              fixpipe.m * std::min<uint64_t>(width, fixpipe.n) * element,
              CeilDivide(fixpipe.n, width),
              int64_t{fixpipe.destination_stride} * npu::kFractalRowBytes};
    }
  }
}

}  // namespace

CubeDepths::CubeDepths(const ClockSpec& spec) {
  const auto depth = [&](std::string_view key) {
    return std::max<uint64_t>(1, static_cast<uint64_t>(spec.Value(key)));
  };
  int4 = depth("cube.depth_int4");
  int8 = depth("cube.depth_int8");
  half = depth("cube.depth_half");
  single = depth("cube.depth_float");
  hf32 = depth("cube.depth_hf32");
}

uint64_t CubeDepths::Of(const npu::InstructionEvent& mmad) const {
  switch (BitsOf(mmad.instruction.src0.dtype)) {
    case 4:
      return int4;
    case 8:
      return int8;
    case 16:
      return half;
    default:
      return mmad.core.cube.hf32 ? hf32 : single;
  }
}

CubeWork MmadWorkOf(const npu::InstructionEvent& event,
                    const CubeDepths& depths) {
  const npu::MmadShape shape = npu::MmadShapeOf(event.instruction);
  CubeWork work{};
  // The packed side of a sparse product counts.
  work.steps =
      shape.m_blocks * shape.n_blocks *
      CeilDivide(shape.right_fractals * shape.columns, depths.Of(event));
  const bool sparse = event.instruction.op == abi::Op::kMmadSparse;
  work.products = shape.m * shape.n * (sparse ? (shape.k + 1) / 2 : shape.k);
  work.to = abi::Memory::kL0c;
  return work;
}

CubeWork LoadWorkOf(const npu::InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  CubeWork work{};
  work.to = i.dst.memory;
  switch (npu::FamilyOf(i.op)) {
    case Family::kLoad2D: {
      const uint64_t fractals = i.op == abi::Op::kLoadDataTranspose
                                    ? npu::FractalsOfSquare(i.dst.dtype)
                                    : 1;
      work.bytes = fractals * i.load2d.repeat * npu::kFractalBytes;
      break;
    }
    case Family::kLoad3D:
      work.bytes = static_cast<uint64_t>(
          static_cast<double>(npu::Load3DPartOf(i).bytes) *
          SlownessOf(i, LinesOf(i)));
      work.three_d = 1;
      break;
    case Family::kFill:
      work.bytes = uint64_t{i.fill.repeat} * i.fill.blocks *
                   (i.dst.memory == abi::Memory::kL1 ? npu::kFractalRowBytes
                                                     : npu::kFractalBytes);
      break;
    default:
      // 64 elements a cycle whatever their type: as many bytes as of half.
      work.bytes = uint64_t{i.fixpipe.m} * i.fixpipe.n * 2;
      break;
  }
  return work;
}

bool MovesGlobal(const abi::Instruction& instruction) {
  const Family family = npu::FamilyOf(instruction.op);
  return family != Family::kMmad && family != Family::kFill &&
         (instruction.src0.memory == abi::Memory::kGm ||
          instruction.dst.memory == abi::Memory::kGm);
}

std::vector<MoveWork> MovesOf(const npu::InstructionEvent& event,
                              uint64_t local_base) {
  const abi::Instruction& i = event.instruction;
  Rows rows = RowsOf(i);
  if (rows.matrices > 1 && static_cast<int64_t>(rows.matrix_stride) ==
                               rows.stride * static_cast<int64_t>(rows.count)) {
    rows.count *= rows.matrices;
    rows.matrices = 1;
  }
  MoveWork work{};
  work.address = rows.global.address;
  if (i.op == abi::Op::kLoadData2D) {
    work.address += uint64_t{i.load2d.start} * kRowOf512;
  }
  work.stride = rows.stride;
  work.bursts = static_cast<uint32_t>(rows.count);
  work.burst_bytes = static_cast<uint32_t>(rows.bytes);
  work.memory = rows.local.memory;
  work.local_offset = static_cast<uint32_t>(rows.local.address - local_base);
  const bool reads = i.src0.memory == abi::Memory::kGm;
  if ((rows.global.past_l2 & (reads ? 1 : 2)) != 0) {
    work.flags |= MoveWork::kBypassL2;
  }
  if (!reads && event.core.vector.atomic != abi::Atomic::kNone) {
    work.flags |= MoveWork::kAtomic;
  }
  if (i.op == abi::Op::kDataCopyNd2Nz) work.flags |= MoveWork::kNd2Nz;
  std::vector<MoveWork> moves;
  for (uint64_t matrix = 0; matrix < rows.matrices; ++matrix) {
    moves.push_back(work);
    work.address += rows.matrix_stride;
  }
  return moves;
}

}  // namespace belay::clock
