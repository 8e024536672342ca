// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_NPU_VECTOR_FLAT_FILL_H_
#define BELAY_NPU_VECTOR_FLAT_FILL_H_

// What each of the flat_*.cpp files exports. The files are compiled once per
// host instruction set, each time in a namespace of its own.

#include "npu/vector/flat.h"

#define BELAY_DECLARE_FLAT_VARIANT(name)  \
  namespace belay::npu::name {            \
  void FillCasts(FlatTable& table);       \
  void FillComparisons(FlatTable& table); \
  void FillCube(FlatTable& table);        \
  void FillElementwise(FlatTable& table); \
  void FillFused(FlatTable& table);       \
  void FillIndices(FlatTable& table);     \
  void FillMathematics(FlatTable& table); \
  void FillReductions(FlatTable& table);  \
  }

BELAY_DECLARE_FLAT_VARIANT(flat_baseline)
BELAY_DECLARE_FLAT_VARIANT(flat_avx2)
BELAY_DECLARE_FLAT_VARIANT(flat_avx512)

#undef BELAY_DECLARE_FLAT_VARIANT

#endif  // BELAY_NPU_VECTOR_FLAT_FILL_H_
