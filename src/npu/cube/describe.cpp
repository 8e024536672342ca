// SPDX-License-Identifier: Apache-2.0
#include "npu/cube/describe.h"

#include <fmt/format.h>

#include "npu/cube/quantise.h"
#include "npu/names.h"

namespace belay::npu {
namespace {

std::string DescribeRegister(const abi::Instruction& i) {
  switch (i.op) {
    case abi::Op::kSetFmatrix:
      return fmt::format(" map={}x{} pads={},{},{},{}", i.fmatrix.height,
                         i.fmatrix.width, i.fmatrix.pad_left,
                         i.fmatrix.pad_right, i.fmatrix.pad_top,
                         i.fmatrix.pad_bottom);
    case abi::Op::kSetLoadDataRepeat:
      return fmt::format(" times={} stride={} along={}", i.load_repeat.times,
                         i.load_repeat.stride,
                         i.load_repeat.along_k ? "k" : "m");
    case abi::Op::kSetFixpipeNz2ndFlag:
      return fmt::format(" matrices={} strides={},{}", i.nz2nd.matrices,
                         i.nz2nd.source_matrix_stride,
                         i.nz2nd.destination_matrix_stride);
    case abi::Op::kSetHF32Mode:
    case abi::Op::kSetHF32TransMode:
    case abi::Op::kSetMMLayoutTransform:
      return fmt::format(" mode={}", i.mode);
    default:
      return "";
  }
}

std::string DescribeFixpipe(const abi::Fixpipe& fixpipe) {
  std::string text = fmt::format(
      " n={} m={} strides={},{} quant={}", fixpipe.n, fixpipe.m,
      fixpipe.source_stride, fixpipe.destination_stride, NameOf(fixpipe.quant));
  text += fixpipe.nz2nd ? " nd" : " nz";
  if (fixpipe.matrices > 1) text += fmt::format("x{}", fixpipe.matrices);
  if (fixpipe.relu) text += " relu";
  if (fixpipe.channel_split) text += " split";
  if (fixpipe.unit_flag) text += fmt::format(" unit={}", fixpipe.unit_flag);
  return text;
}

std::string DescribeMmad(const abi::Mmad& mmad) {
  constexpr const char* kStarts[] = {"zero", "c", "bias"};
  std::string text = fmt::format(" m={} n={} k={} init={}", mmad.m, mmad.n,
                                 mmad.k, kStarts[static_cast<int>(mmad.init)]);
  if (mmad.unit_flag) text += fmt::format(" unit={}", mmad.unit_flag);
  if (mmad.k_align_16) text += " k16";
  return text;
}

}  // namespace

std::string DescribeCube(const abi::Instruction& i) {
  switch (FamilyOf(i.op)) {
    case Family::kLoad2D:
      return fmt::format(" start={} repeat={} stride={}{} gaps={},{}{}",
                         i.load2d.start, i.load2d.repeat,
                         i.load2d.descending ? "-" : "", i.load2d.source_stride,
                         i.load2d.destination_gap, i.load2d.fractal_gap,
                         i.load2d.transpose ? " transpose" : "");
    case Family::kLoad3D:
      return fmt::format(
          " channels={} k={}+{} m={}+{} filter={}x{} map={}x{}{}",
          i.load3d.channels, i.load3d.k_start, i.load3d.k_extension,
          i.load3d.m_start, i.load3d.m_extension, i.load3d.filter_height,
          i.load3d.filter_width, i.load3d.fmatrix.height,
          i.load3d.fmatrix.width, i.load3d.transpose ? " transpose" : "");
    case Family::kNd2Nz:
      return fmt::format(" {}x[{},{}] row={} strides={},{}", i.nd2nz.matrices,
                         i.nd2nz.rows, i.nd2nz.columns,
                         i.nd2nz.source_row_stride, i.nd2nz.column_block_stride,
                         i.nd2nz.row_stride);
    case Family::kFill:
      return fmt::format(" repeat={} blocks={} gap={}", i.fill.repeat,
                         i.fill.blocks, i.fill.gap);
    case Family::kMmad:
      return DescribeMmad(i.mmad);
    case Family::kFixpipe:
      return DescribeFixpipe(i.fixpipe);
    default:
      return DescribeRegister(i);
  }
}

}  // namespace belay::npu
