// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_MATMUL_CONFIG_H_
#define BELAY_ASCENDC_MATMUL_CONFIG_H_

// MatmulConfig: how a Matmul object works, and the functions that make one.
// These names live in the global namespace and in AscendC.

#include <stdint.h>

#include "ascendc/inline.h"

BELAY_KERNEL_CODE_BEGIN

enum class CubeFormat {
  ND = 0,
  NZ,
  ZN,
  ZZ,
  NN,
  ND_ALIGN,
  SCALAR,
  VECTOR,
  ROW_MAJOR,
  COLUMN_MAJOR,
};

enum class LayoutMode { NONE = 0, BSNGD, SBNGD, BNGS1S2, NORMAL };

enum class BatchMode {
  NONE = 0,
  BATCH_LESS_THAN_L1,
  BATCH_LARGE_THAN_L1,
  SINGLE_LARGE_THAN_L1,
};

enum class BatchOutMode { SINGLE_BATCH = 0, MULTI_BATCH, DEFAULT };

enum class IterateMode : uint8_t {
  ITERATE_MODE_NORMAL = 0b00000001,
  ITERATE_MODE_ALL = 0b00000010,
  ITERATE_MODE_BATCH = 0b00000100,
  ITERATE_MODE_N_BATCH = 0b00001000,
  ITERATE_MODE_DEFAULT = 0b11111111,
};

enum class IterateOrder { ORDER_M = 0, ORDER_N, UNDEF };

enum class ScheduleType {
  INNER_PRODUCT = 0,
  OUTER_PRODUCT = 1,
  N_BUFFER_33 = 2,
};

enum class MatmulConfigMode {
  CONFIG_NORM = 0,
  CONFIG_MDL,
  CONFIG_SPECIALMDL,
  CONFIG_IBSHARE,
};

// Sizes in elements, steps in base blocks.
struct MatmulConfig {
  bool doNorm = true;
  bool doBasicBlock = false;
  bool doMultiDataLoad = false;
  uint32_t basicM = 0;
  uint32_t basicN = 0;
  uint32_t basicK = 0;
  bool intrinsicsCheck = false;
  bool isNBatch = false;
  bool enVecND2NZ = false;
  bool doSpecialBasicBlock = false;
  uint32_t doMTE2Preload = 0;
  uint32_t singleCoreM = 0;
  uint32_t singleCoreN = 0;
  uint32_t singleCoreK = 0;
  uint32_t stepM = 0;
  uint32_t stepN = 0;
  uint32_t baseMN = 0;
  uint32_t singleCoreMN = 0;
  bool enUnitFlag = true;
  bool isPerTensor = false;
  bool hasAntiQuantOffset = false;
  bool doIBShareNorm = false;
  bool doSpecialMDL = false;
  bool enableInit = true;
  BatchMode batchMode = BatchMode::NONE;
  bool enableEnd = true;
  bool enableGetTensorC = true;
  bool enableSetOrgShape = true;
  bool enableSetBias = true;
  bool enableSetTail = true;
  bool enableQuantVector = true;
  bool enableSetDefineData = true;
  uint8_t iterateMode = static_cast<uint8_t>(IterateMode::ITERATE_MODE_DEFAULT);
  bool enableReuse = true;
  bool enableUBReuse = true;
  bool enableL1CacheUB = false;
  bool intraBlockPartSum = false;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  bool enableDoubleCache = false;
  bool isBiasBatch = true;
  bool enableStaticPadZeros = false;
  bool isPartialOutput = false;
  bool enableMixDualMaster = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
  bool isCO1Shared = false;
  uint32_t sharedCO1BufferSize = 64 * 1024;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
  bool enableL1BankConflictOptimise = false;
  bool enableRelu = false;
};

struct MatmulShapeParams {
  uint32_t singleCoreM = 0;
  uint32_t singleCoreN = 0;
  uint32_t singleCoreK = 0;
  uint32_t basicM = 0;
  uint32_t basicN = 0;
  uint32_t basicK = 0;
};

struct MatmulQuantParams {
  bool isPerTensor = false;
  bool hasAntiQuantOffset = false;
};

struct MatmulBatchParams {
  bool isNBatch = false;
  BatchMode batchMode = BatchMode::NONE;
  bool isBiasBatch = true;
  BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH;
};

struct MatmulFuncParams {
  bool intrinsicsLimit = false;
  bool enVecND2NZ = false;
  bool enableDoubleCache = false;
  bool enableL1CacheUB = false;
  uint32_t doMTE2Preload = 0;
  IterateOrder iterateOrder = IterateOrder::UNDEF;
  ScheduleType scheduleType = ScheduleType::INNER_PRODUCT;
  bool enableReuse = true;
  bool enableUBReuse = true;
  bool isPartialOutput = false;
  bool isA2B2Shared = false;
  bool isEnableChannelSplit = false;
  bool enableKdimReorderLoad = false;
  bool enableL1BankConflictOptimise = false;
};

BELAY_API constexpr MatmulConfig GetNormalConfig(
    const bool intrinsicsLimit = false, const bool batchLoop = false,
    const bool isVecND2NZ = false,
    const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
    const bool isMsgReuse = true,
    const IterateOrder iterateOrder = IterateOrder::UNDEF,
    const ScheduleType scheduleType = ScheduleType::INNER_PRODUCT,
    const bool enUnitFlag = true, const bool enableMixDualMaster = false,
    const BatchOutMode bmmOutMode = BatchOutMode::SINGLE_BATCH) {
  MatmulConfig config;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.enVecND2NZ = isVecND2NZ;
  config.batchMode = bmmMode;
  config.enableReuse = isMsgReuse;
  config.iterateOrder = iterateOrder;
  config.scheduleType = scheduleType;
  config.enUnitFlag = enUnitFlag;
  config.enableMixDualMaster = enableMixDualMaster;
  config.bmmOutMode = bmmOutMode;
  return config;
}

BELAY_API constexpr MatmulConfig GetMDLConfig(
    const bool intrinsicsLimit = false, const bool batchLoop = false,
    const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false,
    bool isPerTensor = false, bool hasAntiQuantOffset = false,
    const bool enUnitFlag = false, const bool isMsgReuse = true,
    const bool enableUBReuse = true, const bool enableL1CacheUB = false,
    const bool enableMixDualMaster = false,
    const bool enableKdimReorderLoad = false) {
  MatmulConfig config;
  config.doNorm = false;
  config.doMultiDataLoad = true;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.doMTE2Preload = doMTE2Preload;
  config.enVecND2NZ = isVecND2NZ;
  config.isPerTensor = isPerTensor;
  config.hasAntiQuantOffset = hasAntiQuantOffset;
  config.enUnitFlag = enUnitFlag;
  config.enableReuse = isMsgReuse;
  config.enableUBReuse = enableUBReuse;
  config.enableL1CacheUB = enableL1CacheUB;
  config.enableMixDualMaster = enableMixDualMaster;
  config.enableKdimReorderLoad = enableKdimReorderLoad;
  return config;
}

BELAY_API constexpr MatmulConfig GetSpecialMDLConfig(
    const bool intrinsicsLimit = false, const bool batchLoop = false,
    const uint32_t doMTE2Preload = 0, const bool isVecND2NZ = false,
    bool isPerTensor = false, bool hasAntiQuantOffset = false,
    const bool enableMixDualMaster = false) {
  MatmulConfig config =
      GetMDLConfig(intrinsicsLimit, batchLoop, doMTE2Preload, isVecND2NZ,
                   isPerTensor, hasAntiQuantOffset);
  config.doMultiDataLoad = false;
  config.doSpecialMDL = true;
  config.enableMixDualMaster = enableMixDualMaster;
  return config;
}

BELAY_API constexpr MatmulConfig GetIBShareNormConfig(
    const bool intrinsicsLimit = false, const bool batchLoop = false,
    const bool isVecND2NZ = false,
    const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1,
    const bool isDoubleCache = false, const bool enUnitFlag = true) {
  MatmulConfig config =
      GetNormalConfig(intrinsicsLimit, batchLoop, isVecND2NZ, bmmMode);
  config.doNorm = false;
  config.doIBShareNorm = true;
  config.enableDoubleCache = isDoubleCache;
  config.enUnitFlag = enUnitFlag;
  return config;
}

BELAY_API constexpr MatmulConfig GetBasicConfig(
    const uint32_t basicM, const uint32_t basicN, const uint32_t basicK,
    const bool intrinsicsLimit = false, const bool batchLoop = false,
    const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig config;
  config.doNorm = false;
  config.doBasicBlock = true;
  config.basicM = basicM;
  config.basicN = basicN;
  config.basicK = basicK;
  config.intrinsicsCheck = intrinsicsLimit;
  config.isNBatch = batchLoop;
  config.batchMode = bmmMode;
  return config;
}

BELAY_API constexpr MatmulConfig GetSpecialBasicConfig(
    const uint32_t basicM, const uint32_t basicN, const uint32_t basicK,
    const uint32_t singleCoreM, const uint32_t singleCoreN,
    const uint32_t singleCoreK, const uint32_t stepM, const uint32_t stepN,
    const bool intrinsicsLimit = false, const bool batchLoop = false,
    const BatchMode bmmMode = BatchMode::BATCH_LESS_THAN_L1) {
  MatmulConfig config = GetBasicConfig(basicM, basicN, basicK, intrinsicsLimit,
                                       batchLoop, bmmMode);
  config.doSpecialBasicBlock = true;
  config.singleCoreM = singleCoreM;
  config.singleCoreN = singleCoreN;
  config.singleCoreK = singleCoreK;
  config.stepM = stepM;
  config.stepN = stepN;
  config.baseMN = basicM * basicN;
  config.singleCoreMN = singleCoreM * singleCoreN;
  return config;
}

namespace belay::api {

BELAY_API constexpr void Apply(MatmulConfig& config,
                               const MatmulShapeParams& params) {
  config.singleCoreM = params.singleCoreM;
  config.singleCoreN = params.singleCoreN;
  config.singleCoreK = params.singleCoreK;
  config.basicM = params.basicM;
  config.basicN = params.basicN;
  config.basicK = params.basicK;
}
BELAY_API constexpr void Apply(MatmulConfig& config,
                               const MatmulQuantParams& params) {
  config.isPerTensor = params.isPerTensor;
  config.hasAntiQuantOffset = params.hasAntiQuantOffset;
}
BELAY_API constexpr void Apply(MatmulConfig& config,
                               const MatmulBatchParams& params) {
  config.isNBatch = params.isNBatch;
  config.batchMode = params.batchMode;
  config.isBiasBatch = params.isBiasBatch;
  config.bmmOutMode = params.bmmOutMode;
}
BELAY_API constexpr void Apply(MatmulConfig& config,
                               const MatmulFuncParams& params) {
  config.intrinsicsCheck = params.intrinsicsLimit;
  config.enVecND2NZ = params.enVecND2NZ;
  config.enableDoubleCache = params.enableDoubleCache;
  config.enableL1CacheUB = params.enableL1CacheUB;
  config.doMTE2Preload = params.doMTE2Preload;
  config.iterateOrder = params.iterateOrder;
  config.scheduleType = params.scheduleType;
  config.enableReuse = params.enableReuse;
  config.enableUBReuse = params.enableUBReuse;
  config.isPartialOutput = params.isPartialOutput;
  config.isA2B2Shared = params.isA2B2Shared;
  config.isEnableChannelSplit = params.isEnableChannelSplit;
  config.enableKdimReorderLoad = params.enableKdimReorderLoad;
  config.enableL1BankConflictOptimise = params.enableL1BankConflictOptimise;
}

BELAY_API constexpr MatmulConfig ConfigOf(MatmulConfigMode mode) {
  switch (mode) {
    case MatmulConfigMode::CONFIG_MDL:
      return GetMDLConfig();
    case MatmulConfigMode::CONFIG_SPECIALMDL:
      return GetSpecialMDLConfig();
    case MatmulConfigMode::CONFIG_IBSHARE:
      return GetIBShareNormConfig();
    default:
      return GetNormalConfig();
  }
}

}  // namespace belay::api

// The mode's own values with those of the arguments, which may be any of the
// four structs above, in any order.
template <MatmulConfigMode configMode, typename... ArgTypes>
BELAY_API constexpr MatmulConfig GetMMConfig(ArgTypes&&... args) {
  MatmulConfig config = belay::api::ConfigOf(configMode);
  (belay::api::Apply(config, args), ...);
  return config;
}

inline constexpr MatmulConfig CFG_NORM = GetNormalConfig();
inline constexpr MatmulConfig CFG_MDL = GetMDLConfig();
inline constexpr MatmulConfig CFG_IBSHARE_NORM = GetIBShareNormConfig();
inline constexpr MatmulConfig MM_CFG_BB = GetBasicConfig(128, 128, 128);

namespace AscendC {

using ::BatchMode;
using ::BatchOutMode;
using ::CFG_IBSHARE_NORM;
using ::CFG_MDL;
using ::CFG_NORM;
using ::CubeFormat;
using ::GetBasicConfig;
using ::GetIBShareNormConfig;
using ::GetMDLConfig;
using ::GetMMConfig;
using ::GetNormalConfig;
using ::GetSpecialBasicConfig;
using ::GetSpecialMDLConfig;
using ::IterateMode;
using ::IterateOrder;
using ::LayoutMode;
using ::MatmulBatchParams;
using ::MatmulConfig;
using ::MatmulConfigMode;
using ::MatmulFuncParams;
using ::MatmulQuantParams;
using ::MatmulShapeParams;
using ::MM_CFG_BB;
using ::ScheduleType;

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_MATMUL_CONFIG_H_
