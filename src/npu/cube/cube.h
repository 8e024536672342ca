// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_CUBE_H_
#define BELAY_NPU_CUBE_CUBE_H_

// What a cube instruction does once its requirements hold, and what it needs
// to know of its core.

#include "npu/cube/cube_state.h"
#include "npu/vector_state.h"

namespace belay::npu {

// Where a core's memories start that cube instructions find without being
// told.
struct CubePlaces {
  uint64_t l1 = 0;
  uint64_t l0b = 0;
  uint64_t l0b_bytes = 0;
};

// Puts what the registers say into the record: the feature map, repeats and
// boundary of LoadData3D, matrices and parameters of Fixpipe.
void CompleteCube(abi::Instruction& instruction, const CubeState& state);

// True for sizes of zero, which the chip passes over. After CompleteCube.
bool IsNothing(const abi::Instruction& instruction);

void ExecuteCubeRegister(const abi::Instruction& instruction, CubeState& state);

// Moves only need addresses, so that they move shadows as well as data.
void ExecuteLoad2D(const abi::Instruction& load);
void ExecuteLoad3D(const abi::Instruction& load, uint64_t l1);
void ExecuteNd2Nz(const abi::Instruction& copy);
void ExecuteFill(const abi::Instruction& fill);

// The indices that go with a LoadDataSparse.
void KeepSparseIndices(const abi::Instruction& load, const CubePlaces& places,
                       CubeState& state);

// Float results: products are rounded to float and added to what was there one
// after the other, k ascending; the documents say nothing of the order. int32:
// the products of one Mmad are added exactly, their sum is added to what was
// there and clamped. Columns up to a multiple of 16 are written, as if B had
// zeros there; rows beyond m are left alone. Saturating, infinities become the
// largest finite value and NaN becomes 0.
void ExecuteMmad(const abi::Instruction& mmad, const CubePlaces& places,
                 const CubeState& state, bool saturate);

void ExecuteFixpipe(const abi::Instruction& fixpipe, const VectorState& state);

// Any of the above.
void ExecuteCube(const abi::Instruction& instruction, const CubePlaces& places,
                 CubeState& state, const VectorState& vector);

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_CUBE_H_
