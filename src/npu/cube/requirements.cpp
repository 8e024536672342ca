// SPDX-License-Identifier: Apache-2.0
#include "npu/cube/requirements.h"

#include <fmt/format.h>

#include "base/catalogue.h"
#include "base/dtype.h"
#include "npu/cube/cube.h"
#include "npu/cube/fixpipe.h"
#include "npu/cube/footprint.h"
#include "npu/cube/quantise.h"
#include "npu/names.h"
#include "npu/requirements.h"
#include "npu/transfer.h"

namespace belay::npu {
namespace {

using abi::Memory;

[[noreturn]] void TrapMemory(abi::Op op, std::string_view role, Memory memory,
                             std::string_view rule) {
  ThrowTrap(code::kN106,
            fmt::format("[{}] {} lies in {}, but {}", NameOf(op), role,
                        NameOf(memory), rule),
            "give the tensor the position of the unit that works on it");
}

void RequireMemory(abi::Op op, std::string_view role,
                   const abi::Operand& operand,
                   std::initializer_list<Memory> allowed,
                   std::string_view rule) {
  for (const Memory memory : allowed) {
    if (operand.memory == memory) return;
  }
  TrapMemory(op, role, operand.memory, rule);
}

void RequireField(abi::Op op, std::string_view name, uint64_t value,
                  uint64_t least, uint64_t most) {
  if (value >= least && value <= most) return;
  ThrowTrap(code::kN110,
            fmt::format("[{}] {} is {}, but must be from {} to {}", NameOf(op),
                        name, value, least, most),
            "split the work into several calls");
}

void RequireMultiple(abi::Op op, std::string_view name, uint64_t value,
                     uint64_t unit, std::string_view why) {
  if (value % unit == 0) return;
  ThrowTrap(code::kN130,
            fmt::format("[{}] {} is {}, but {} needs a multiple of {}",
                        NameOf(op), name, value, why, unit),
            fmt::format("round {} up to a multiple of {} inside padded buffers",
                        name, unit));
}

[[noreturn]] void TrapTypes(const abi::Instruction& i, std::string_view more) {
  ThrowTrap(code::kN107,
            fmt::format("[{}] the chip has no such instruction for dst {} and "
                        "src {}{}",
                        NameOf(i.op), AscendNameOf(i.dst.dtype),
                        AscendNameOf(i.src0.dtype), more),
            "use types the documentation lists for this call");
}

void RequireLoad2D(const ChipSpec::CubeLimits& limits,
                   const abi::Instruction& i) {
  const abi::Load2D& load = i.load2d;
  const int bits = BitsOf(i.dst.dtype);
  RequireField(i.op, "repeatTimes", load.repeat, 0, limits.load_repeat);
  RequireField(i.op, "startIndex", load.start, 0, limits.load_index);
  RequireField(i.op, "srcStride", load.source_stride, 0, limits.load_index);
  RequireField(i.op, "dstGap", load.destination_gap, 0, limits.load_index);
  RequireField(i.op, "dstFracGap", load.fractal_gap, 0, limits.load_index);
  if (i.op == abi::Op::kLoadData2D) {
    RequireMemory(i.op, "src", i.src0, {Memory::kGm, Memory::kL1},
                  "it is loaded from GM or L1");
    RequireMemory(i.op, "dst", i.dst, {Memory::kL1, Memory::kL0a, Memory::kL0b},
                  "it goes to L1, L0A or L0B");
    if (i.src0.memory == i.dst.memory) {
      TrapMemory(i.op, "dst", i.dst.memory, "it comes from there");
    }
    const bool from_l1 = i.src0.memory == Memory::kL1;
    if (load.transpose != 0 && (!from_l1 || bits != 16)) {
      TrapTypes(i, from_l1 ? " with ifTranspose" : " from GM with ifTranspose");
    }
    if (bits == 4 && !from_l1) TrapTypes(i, " from GM");
  } else {
    const bool sparse = i.op == abi::Op::kLoadDataSparse;
    RequireMemory(i.op, "src", i.src0, {Memory::kL1}, "it is loaded from L1");
    if (sparse) {
      RequireMemory(i.op, "idx", i.src1, {Memory::kL1}, "it is loaded from L1");
      RequireMemory(i.op, "dst", i.dst, {Memory::kL0b}, "it goes to L0B");
      if (i.dst.dtype != DType::kInt8) TrapTypes(i, "");
    } else {
      RequireMemory(i.op, "dst", i.dst, {Memory::kL0a, Memory::kL0b},
                    "it goes to L0A or L0B");
      if (bits == 4 && i.dst.memory == Memory::kL0a) TrapTypes(i, " to L0A");
    }
  }
  if (bits > 32) TrapTypes(i, "");
  const bool descends =
      load.descending != 0 && i.op != abi::Op::kLoadDataSparse;
  const uint64_t back = uint64_t{load.repeat - 1} * load.source_stride;
  if (descends && back > load.start) {
    ThrowTrap(code::kN101,
              fmt::format("[{}] with addrMode decreasing the source starts at "
                          "fractal {} and steps {} back, before its start",
                          NameOf(i.op), load.start, back),
              "start at a larger startIndex");
  }
}

// Channels come as whole blocks and a rest of 4, 8, 16 or 32 elements that is
// below one.
bool IsChannelCount(uint32_t channels, uint32_t columns) {
  const uint32_t rest = channels % columns;
  const uint32_t least = columns == 64 ? 8 : 4;
  return rest == 0 || (rest >= least && (rest & (rest - 1)) == 0);
}

void RequireLoad3D(const ChipSpec::CubeLimits& limits,
                   const abi::Instruction& i) {
  const abi::Load3D& load = i.load3d;
  const uint32_t columns = FractalColumns(i.src0.dtype);
  const int bits = BitsOf(i.src0.dtype);
  RequireMemory(i.op, "src", i.src0, {Memory::kL1}, "it is loaded from L1");
  RequireMemory(i.op, "dst", i.dst, {Memory::kL0a, Memory::kL0b},
                "it goes to L0A or L0B");
  if (bits > 32) TrapTypes(i, "");
  if (bits < 16 && i.dst.memory == Memory::kL0b) TrapTypes(i, " to L0B");
  if (bits < 16 && load.transpose != 0) TrapTypes(i, " with enTranspose");
  RequireField(i.op, "l1H", load.fmatrix.height, 1, limits.map_side);
  RequireField(i.op, "l1W", load.fmatrix.width, 1, limits.map_side);
  RequireField(i.op, "strideW", load.stride_width, 1, limits.filter_stride);
  RequireField(i.op, "strideH", load.stride_height, 1, limits.filter_stride);
  RequireField(i.op, "dilationFilterW", load.dilation_width, 1, 255);
  RequireField(i.op, "dilationFilterH", load.dilation_height, 1, 255);
  RequireMultiple(i.op, "kStartPt", load.k_start, columns, "this type");
  if (!IsChannelCount(load.channels, columns)) {
    ThrowTrap(code::kN130,
              fmt::format("[{}] channelSize {} leaves {} channels of a block "
                          "of {}, but only 4, 8, 16 or 32 may be left",
                          NameOf(i.op), load.channels, load.channels % columns,
                          columns),
              "pad the channels");
  }
}

void RequireNd2Nz(const ChipSpec::CubeLimits& limits,
                  const abi::Instruction& i) {
  const abi::Nd2Nz& copy = i.nd2nz;
  RequireMemory(i.op, "src", i.src0, {Memory::kGm}, "it is copied from GM");
  RequireMemory(i.op, "dst", i.dst, {Memory::kL1}, "it goes to L1");
  RequireField(i.op, "ndNum", copy.matrices, 0, limits.nz_matrices);
  RequireField(i.op, "nValue", copy.rows, 0, limits.nz_rows);
  RequireField(i.op, "dValue", copy.columns, 0, limits.nz_columns);
  RequireField(i.op, "srcDValue", copy.source_row_stride, 1, limits.nz_columns);
  RequireField(i.op, "dstNzC0Stride", copy.column_block_stride, 1,
               limits.nz_stride);
  RequireField(i.op, "dstNzNStride", copy.row_stride, 1, limits.nz_stride);
}

void RequireFill(const ChipSpec::CubeLimits& limits,
                 const abi::Instruction& i) {
  RequireMemory(i.op, "dst", i.dst, {Memory::kL1, Memory::kL0a, Memory::kL0b},
                "it fills L1, L0A or L0B");
  RequireField(i.op, "repeatTimes", i.fill.repeat, 0, limits.fill_count);
  RequireField(i.op, "blockNum", i.fill.blocks, 0, limits.fill_count);
  RequireField(i.op, "dstGap", i.fill.gap, 0, limits.fill_count);
  const int bits = BitsOf(i.dst.dtype);
  if (bits != 16 && bits != 32) TrapTypes(i, "");
}

void RequireMmad(const ChipSpec::CubeLimits& limits,
                 const abi::Instruction& i) {
  RequireMemory(i.op, "dst", i.dst, {Memory::kL0c}, "the result goes to L0C");
  RequireMemory(i.op, "fm", i.src0, {Memory::kL0a},
                "the left matrix comes from L0A");
  RequireMemory(i.op, "filter", i.src1, {Memory::kL0b},
                "the right matrix comes from L0B");
  RequireField(i.op, "m", i.mmad.m, 0, limits.mmad_side);
  RequireField(i.op, "n", i.mmad.n, 0, limits.mmad_side);
  RequireField(i.op, "k", i.mmad.k, 0, limits.mmad_side);
  const DType in = i.src0.dtype;
  const bool integers = in == DType::kInt8 || in == DType::kInt4;
  const bool floats =
      in == DType::kHalf || in == DType::kBfloat16 || in == DType::kFloat;
  const DType out = integers ? DType::kInt32 : DType::kFloat;
  const bool sparse = i.op == abi::Op::kMmadSparse;
  if ((!integers && !floats) || i.src1.dtype != in || i.dst.dtype != out ||
      (sparse && in != DType::kInt8)) {
    TrapTypes(i,
              fmt::format(" (fm) and {} (filter)", AscendNameOf(i.src1.dtype)));
  }
  if (i.mmad.init == abi::MmadInit::kBias) {
    RequireMemory(i.op, "bias", i.src2, {Memory::kBt},
                  "the bias comes from BT (TPosition C2)");
    if (i.src2.dtype != out) {
      TrapTypes(i, fmt::format(" with bias {}", AscendNameOf(i.src2.dtype)));
    }
  }
}

void RequireFixpipe(const ChipSpec::CubeLimits& limits, const Core& core,
                    const abi::Instruction& i) {
  const abi::Fixpipe& fixpipe = i.fixpipe;
  const bool to_gm = i.dst.memory == Memory::kGm;
  RequireMemory(i.op, "src", i.src0, {Memory::kL0c}, "it comes from L0C");
  RequireMemory(i.op, "dst", i.dst, {Memory::kGm, Memory::kL1},
                "it goes to GM or L1");
  RequireField(i.op, "nSize", fixpipe.n, 0, limits.fixpipe_columns);
  RequireField(
      i.op, "mSize", fixpipe.m, 0,
      fixpipe.nz2nd != 0 ? limits.fixpipe_nd_rows : limits.fixpipe_rows);
  RequireField(i.op, "srcStride", fixpipe.source_stride, 0, 65535);
  if (fixpipe.matrices > 1) {
    RequireField(i.op, "srcNdStride", fixpipe.source_matrix_stride, 0,
                 limits.fixpipe_matrix_stride);
  }
  const bool to_l1_unconverted = !to_gm && fixpipe.quant == abi::Quant::kNone;
  if (!Converts(fixpipe.quant, i.src0.dtype, i.dst.dtype) ||
      to_l1_unconverted) {
    ThrowTrap(code::kN132,
              fmt::format("[Fixpipe] quantPre {} does not take {} in L0C to {} "
                          "in {}",
                          NameOf(fixpipe.quant), AscendNameOf(i.src0.dtype),
                          AscendNameOf(i.dst.dtype), NameOf(i.dst.memory)),
              "choose the QuantMode_t for the two types");
  }
  if (fixpipe.channel_split != 0 &&
      (!to_gm || fixpipe.nz2nd != 0 || fixpipe.unit_flag != 0 ||
       i.dst.dtype != DType::kFloat)) {
    ThrowTrap(code::kN132,
              "[Fixpipe] channelSplit is for float from L0C to GM by NZ, "
              "without unitFlag",
              "turn channelSplit off, or use CFG_NZ and no unitFlag");
  }
  if (fixpipe.nz2nd != 0 && !to_gm) {
    ThrowTrap(code::kN132, "[Fixpipe] NZ2ND does not go to L1",
              "use CFG_NZ for a destination in L1");
  }
  if (fixpipe.nz2nd == 0) {
    const bool split = fixpipe.channel_split != 0;
    RequireMultiple(i.op, "nSize", fixpipe.n, split ? 8 : kResultSide,
                    split ? "channelSplit" : "NZ");
  }
  if (fixpipe.destination_stride == 0 &&
      (fixpipe.nz2nd != 0 ? fixpipe.m : fixpipe.n / kResultSide) > 1) {
    ThrowTrap(code::kN110, "[Fixpipe] dstStride is 0, but must not be",
              fixpipe.nz2nd != 0
                  ? "give the elements of a row at the destination"
                  : "give the step between columns of fractals, in 32 bytes");
  }
  if (TakesVector(fixpipe.quant) && i.src1.memory != Memory::kFb) {
    ThrowTrap(code::kN132,
              fmt::format("[Fixpipe] quantPre {} takes its parameters from the "
                          "fixpipe buffer, and no SetFixPipeConfig said where",
                          NameOf(fixpipe.quant)),
              "copy them to a C2PIPE2GM tensor and call SetFixPipeConfig");
  }
  if (to_gm && !CanAccumulate(core.vector.atomic, core.vector.atomic_dtype)) {
    ThrowTrap(code::kN107,
              fmt::format("[Fixpipe] the chip cannot accumulate {} into global "
                          "memory, as SetAtomic asked for",
                          AscendNameOf(core.vector.atomic_dtype)),
              "use int8_t, int16_t, half, bfloat16_t, int32_t or float");
  }
}

uint32_t AlignmentOf(const ChipSpec& spec, const abi::Instruction& i,
                     const FootprintUse& use) {
  if (use.memory == Memory::kGm) {
    const bool by_nz = i.op == abi::Op::kFixpipe && i.fixpipe.nz2nd == 0;
    return by_nz ? kFractalRowBytes : 1;
  }
  if (FamilyOf(i.op) == Family::kMmad && use.memory == Memory::kL0c) {
    return spec.cube.result_alignment;
  }
  return spec.AlignmentOf(use.memory);
}

// Bytes from the use's address to the end of the last.
uint64_t ExtentOf(const FootprintUse& use) {
  uint64_t end = use.address;
  if (use.shape == FootprintUse::Shape::kRuns) {
    const uint64_t body =
        use.body.last_bytes != 0
            ? use.body.runs * use.run_stride + use.body.last_bytes
            : (use.body.runs - 1) * use.run_stride + use.run_bytes;
    return (use.repeats - 1) * use.repeat_stride + body;
  }
  ForEachRange(use, [&](uint64_t, uint64_t to) { end = std::max(end, to); });
  return end - use.address;
}

}  // namespace

void RequireCube(const Chip& chip, const Core& core,
                 const abi::Instruction& i) {
  const ChipSpec::CubeLimits& limits = chip.spec().cube;
  switch (FamilyOf(i.op)) {
    case Family::kLoad2D:
      RequireLoad2D(limits, i);
      break;
    case Family::kLoad3D:
      RequireLoad3D(limits, i);
      break;
    case Family::kNd2Nz:
      RequireNd2Nz(limits, i);
      break;
    case Family::kFill:
      RequireFill(limits, i);
      break;
    case Family::kMmad:
      RequireMmad(limits, i);
      break;
    case Family::kFixpipe:
      RequireFixpipe(limits, core, i);
      break;
    default:
      return;
  }
  const bool atomic = core.vector.atomic != abi::Atomic::kNone;
  for (const FootprintUse& use : CubeFootprintOf(i, atomic)) {
    RequireAligned(chip, core, i.op, use.role, use.memory, use.address,
                   AlignmentOf(chip.spec(), i, use));
    RequireRange(chip, core, i.op, use.role, use.memory, use.address,
                 ExtentOf(use));
  }
}

void PassUnitFlags(const Chip& chip, Core& core, const abi::Instruction& i) {
  const bool mmad = FamilyOf(i.op) == Family::kMmad;
  if (!mmad && i.op != abi::Op::kFixpipe) return;
  const uint8_t flag = mmad ? i.mmad.unit_flag : i.fixpipe.unit_flag;
  if ((flag & 2) == 0) return;
  const uint64_t base = chip.on_chip().Base(core.slot, Memory::kL0c);
  for (const FootprintUse& use : CubeFootprintOf(i, false)) {
    if (use.memory != Memory::kL0c) continue;
    ForEachRange(use, [&](uint64_t begin, uint64_t end) {
      for (uint64_t unit = (begin - base) / kResultBytes;
           unit < CeilDivide(end - base, kResultBytes); ++unit) {
        if (core.cube.units[unit] == mmad) {
          ThrowTrap(
              code::kN131,
              mmad
                  ? fmt::format("[{}] with unitFlag waits for ever: bytes {} "
                                "to {} of L0C were handed over and no Fixpipe "
                                "with unitFlag took them out",
                                NameOf(i.op), unit * kResultBytes,
                                (unit + 1) * kResultBytes)
                  : fmt::format("[Fixpipe] with unitFlag waits for ever: no "
                                "Mmad with unitFlag 3 handed bytes {} to {} "
                                "of L0C over",
                                unit * kResultBytes, (unit + 1) * kResultBytes),
              "end the Mmads into one place with unitFlag 3, and take all of "
              "it out with unitFlag 3 before the next");
        }
        if (flag == 3) core.cube.units[unit] = mmad;
      }
    });
  }
}

}  // namespace belay::npu
