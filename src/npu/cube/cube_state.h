// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_CUBE_CUBE_STATE_H_
#define BELAY_NPU_CUBE_CUBE_STATE_H_

// The registers of one core that cube instructions read and write.

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "belay/instruction.h"

namespace belay::npu {

struct CubeState {
  // Mmad of float rounds its operands to HF32 first.
  bool hf32 = false;
  bool hf32_ties_towards_zero = false;
  // Mmad goes along n first. Changes no result.
  bool n_first = false;

  // LoadData3D.
  abi::Fmatrix fmatrix = {};
  abi::LoadRepeat load_repeat = {0, 1, 0};
  uint64_t padding_value = 0;  // bits of one element
  uint32_t boundary = 0;

  // Fixpipe.
  abi::Nz2Nd nz2nd = {1, 0, 0};
  uint64_t quant = 0;
  abi::Operand quant_vector = {};  // in the fixpipe buffer; dtype kNone: unset

  // One for every 1024 bytes of L0C: Mmad handed it over to Fixpipe.
  static constexpr size_t kUnits = 512;
  std::bitset<kUnits> units;

  // The buffer behind L0B that LoadDataSparse fills: a quarter of L0B's bytes,
  // for the byte of L0B at 4i the index byte i. Empty until then.
  std::vector<std::byte> sparse_indices;
};

}  // namespace belay::npu

#endif  // BELAY_NPU_CUBE_CUBE_STATE_H_
