// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_SORT_H_
#define BELAY_NPU_VECTOR_SORT_H_

// How many pairs a MrgSort takes from its lists.

#include <array>
#include <cstdint>

#include "belay/instruction.h"

namespace belay::npu {

// A value and its index: eight bytes.
inline constexpr uint32_t kPairBytes = 8;
inline constexpr int kMergeLists = 4;

using MergeCounts = std::array<uint32_t, kMergeLists>;

// Pairs of each list that takes part; 0 for the others.
MergeCounts MergeLengths(const abi::Instruction& merge);

// Pairs one repeat takes from each list. Reads the lists only where it must
// stop once one of them is exhausted.
MergeCounts MergeTaken(const abi::Instruction& merge);

// True when repeats beyond the first have a meaning: four lists of one length
// that follow each other, none of which may stop the merge.
bool MayRepeatMerge(const abi::Instruction& merge);

}  // namespace belay::npu

#endif  // BELAY_NPU_VECTOR_SORT_H_
