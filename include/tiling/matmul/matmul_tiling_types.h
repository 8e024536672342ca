// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_MATMUL_MATMUL_TILING_TYPES_H_
#define BELAY_TILING_MATMUL_MATMUL_TILING_TYPES_H_

// matmul_tiling: the words in which a matrix product is described to tiling.

#include <stdint.h>

#include "tiling/platform/platform_ascendc.h"

namespace matmul_tiling {

enum class TPosition : int32_t {
  GM,
  A1,
  A2,
  B1,
  B2,
  C1,
  C2,
  CO1,
  CO2,
  VECIN,
  VECOUT,
  VECCALC,
  LCM = VECCALC,
  SPM,
  SHM = SPM,
  TSCM,
  C2PIPE2GM,
  C2PIPE2LOCAL,
  MAX,
};

enum class CubeFormat : int32_t {
  ND,
  NZ,
  ZN,
  ZZ,
  NN,
  VECTOR,
  SCALAR,
  ND_ALIGN,
  ROW_MAJOR,
  COLUMN_MAJOR,
};

// The numbers are those of ge::DataType.
enum class DataType : int32_t {
  DT_FLOAT = 0,
  DT_FLOAT16 = 1,
  DT_INT8 = 2,
  DT_INT32 = 3,
  DT_UINT8 = 4,
  DT_INT16 = 6,
  DT_UINT16 = 7,
  DT_UINT32 = 8,
  DT_INT64 = 9,
  DT_UINT64 = 10,
  DT_DOUBLE = 11,
  DT_BOOL = 12,
  DT_BF16 = 27,
  DT_BFLOAT16 = 27,
  DT_UNDEFINED = 28,
  DT_INT4 = 29,
  DT_HIFLOAT8 = 34,
  DT_FLOAT8_E5M2 = 35,
  DT_FLOAT8_E4M3FN = 36,
  DT_FLOAT8_E8M0 = 37,
  DT_FLOAT4_E2M1 = 40,
  DT_FLOAT4_E1M2 = 41,
  DT_MAX = 42,
};

enum class MatrixTraverse : int32_t { NOSET = 0, FIRSTM = 1, FIRSTN = 2 };

enum class MatrixMadType : int32_t { NORMAL = 0, HF32 = 1, MXMODE = 2 };

enum class DequantType : int32_t { SCALAR = 0, TENSOR = 1 };

enum class ScheduleType : int32_t {
  INNER_PRODUCT = 0,
  OUTER_PRODUCT = 1,
  N_BUFFER_33 = 2,
};

struct MatmulConfigParams {
  int32_t mmConfigType;  // 0: the Norm template, 1: MDL
  bool enableL1CacheUB;
  ScheduleType scheduleType;
  MatrixTraverse traverse;
  bool enVecND2NZ;

  MatmulConfigParams(int32_t mmConfigTypeIn = 1, bool enableL1CacheUBIn = false,
                     ScheduleType scheduleTypeIn = ScheduleType::INNER_PRODUCT,
                     MatrixTraverse traverseIn = MatrixTraverse::NOSET,
                     bool enVecND2NZIn = false)
      : mmConfigType(mmConfigTypeIn),
        enableL1CacheUB(enableL1CacheUBIn),
        scheduleType(scheduleTypeIn),
        traverse(traverseIn),
        enVecND2NZ(enVecND2NZIn) {}
};

// One core's memories, in bytes.
struct PlatformInfo {
  platform_ascendc::SocVersion socVersion;
  uint64_t l1Size = 0;
  uint64_t l0CSize = 0;
  uint64_t ubSize = 0;
  uint64_t l0ASize = 0;
  uint64_t l0BSize = 0;
};

struct SysTilingTempBufSize {
  int32_t ubSize = 0;
  int32_t l1Size = 0;
  int32_t l0cSize = 0;
};

}  // namespace matmul_tiling

#endif  // BELAY_TILING_MATMUL_MATMUL_TILING_TYPES_H_
