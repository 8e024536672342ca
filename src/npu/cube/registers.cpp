// SPDX-License-Identifier: Apache-2.0
// The cube core's registers: setting them, and what they add to a record.

#include "npu/cube/cube.h"
#include "npu/cube/quantise.h"
#include "npu/names.h"

namespace belay::npu {

void ExecuteCubeRegister(const abi::Instruction& instruction,
                         CubeState& state) {
  switch (instruction.op) {
    case abi::Op::kSetFixpipeConfig:
      if (instruction.src1.dtype != abi::DType::kNone) {
        state.quant_vector = instruction.src1;
      }
      if (instruction.mode != 0) state.units.reset();
      break;
    case abi::Op::kSetFixpipeNz2ndFlag:
      state.nz2nd = instruction.nz2nd;
      break;
    case abi::Op::kSetFixpipePreQuantFlag:
      state.quant = instruction.scalar;
      break;
    case abi::Op::kSetFmatrix:
      state.fmatrix = instruction.fmatrix;
      break;
    case abi::Op::kSetHF32Mode:
      state.hf32 = instruction.mode != 0;
      break;
    case abi::Op::kSetHF32TransMode:
      state.hf32_ties_towards_zero = instruction.mode != 0;
      break;
    case abi::Op::kSetLoadDataBoundary:
      state.boundary = static_cast<uint32_t>(instruction.scalar);
      break;
    case abi::Op::kSetLoadDataPaddingValue:
      state.padding_value = instruction.scalar;
      break;
    case abi::Op::kSetLoadDataRepeat:
      state.load_repeat = instruction.load_repeat;
      break;
    case abi::Op::kSetMMLayoutTransform:
      state.n_first = instruction.mode != 0;
      break;
    default:
      break;
  }
}

void CompleteCube(abi::Instruction& instruction, const CubeState& state) {
  if (instruction.op == abi::Op::kLoadData3D) {
    instruction.load3d.fmatrix = state.fmatrix;
    instruction.load3d.repeat = state.load_repeat;
    instruction.load3d.boundary = state.boundary;
    instruction.scalar = state.padding_value;
  } else if (instruction.op == abi::Op::kFixpipe) {
    abi::Fixpipe& fixpipe = instruction.fixpipe;
    const bool many = fixpipe.nz2nd != 0;
    fixpipe.matrices = many ? state.nz2nd.matrices : 1;
    fixpipe.source_matrix_stride = many ? state.nz2nd.source_matrix_stride : 0;
    fixpipe.destination_matrix_stride =
        many ? state.nz2nd.destination_matrix_stride : 0;
    instruction.scalar = state.quant;
    instruction.src1 =
        TakesVector(fixpipe.quant) ? state.quant_vector : abi::Operand{};
  }
}

bool IsNothing(const abi::Instruction& i) {
  switch (FamilyOf(i.op)) {
    case Family::kLoad2D:
      return i.load2d.repeat == 0;
    case Family::kLoad3D:
      return i.load3d.fmatrix.height == 0 || i.load3d.fmatrix.width == 0 ||
             i.load3d.channels == 0 || i.load3d.k_extension == 0 ||
             i.load3d.m_extension == 0 || i.load3d.filter_width == 0 ||
             i.load3d.filter_height == 0 || i.load3d.repeat.times == 0;
    case Family::kNd2Nz:
      return i.nd2nz.matrices == 0 || i.nd2nz.rows == 0 || i.nd2nz.columns == 0;
    case Family::kFill:
      return i.fill.repeat == 0 || i.fill.blocks == 0;
    case Family::kMmad:
      return i.mmad.m == 0 || i.mmad.n == 0 || i.mmad.k == 0;
    case Family::kFixpipe:
      return i.fixpipe.m == 0 || i.fixpipe.n == 0 || i.fixpipe.matrices == 0;
    default:
      return false;
  }
}

void ExecuteCube(const abi::Instruction& instruction, const CubePlaces& places,
                 CubeState& state, const VectorState& vector) {
  switch (FamilyOf(instruction.op)) {
    case Family::kLoad2D:
      ExecuteLoad2D(instruction);
      if (instruction.op == abi::Op::kLoadDataSparse) {
        KeepSparseIndices(instruction, places, state);
      }
      return;
    case Family::kLoad3D:
      return ExecuteLoad3D(instruction, places.l1);
    case Family::kNd2Nz:
      return ExecuteNd2Nz(instruction);
    case Family::kFill:
      return ExecuteFill(instruction);
    case Family::kMmad:
      return ExecuteMmad(instruction, places, state, vector.saturate);
    case Family::kFixpipe:
      return ExecuteFixpipe(instruction, vector);
    case Family::kCubeRegister:
      return ExecuteCubeRegister(instruction, state);
    default:
      return;
  }
}

}  // namespace belay::npu
