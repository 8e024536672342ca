// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TILING_MATMUL_MATMUL_TILING_BASE_H_
#define BELAY_TILING_MATMUL_MATMUL_TILING_BASE_H_

// matmul_tiling::MatmulApiTilingBase: what all tiling objects of matrix
// products can be told. Setters answer -1 for values that can never be right
// and keep what was set before.

#include <string.h>

#include "belay/matmul_tiling.h"
#include "tiling/matmul/cube_tiling_class.h"
#include "tiling/matmul/matmul_tiling_types.h"

namespace matmul_tiling {

class MatmulApiTilingBase {
 public:
  // The chip in use.
  MatmulApiTilingBase()
      : MatmulApiTilingBase(platform_ascendc::PlatformAscendC(nullptr)) {}
  explicit MatmulApiTilingBase(
      const platform_ascendc::PlatformAscendC& ascendcPlatform) {
    using platform_ascendc::CoreMemType;
    ascendcPlatform.GetCoreMemSize(CoreMemType::L1, memory_.l1Size);
    ascendcPlatform.GetCoreMemSize(CoreMemType::L0_A, memory_.l0ASize);
    ascendcPlatform.GetCoreMemSize(CoreMemType::L0_B, memory_.l0BSize);
    ascendcPlatform.GetCoreMemSize(CoreMemType::L0_C, memory_.l0CSize);
    ascendcPlatform.GetCoreMemSize(CoreMemType::UB, memory_.ubSize);
    ascendcPlatform.GetCoreMemSize(CoreMemType::BT, bias_table_bytes_);
    UseWholeMemories();
  }
  explicit MatmulApiTilingBase(const PlatformInfo& platform)
      : memory_(platform) {
    bias_table_bytes_ = belay_host_platform(nullptr)->bt_bytes;
    UseWholeMemories();
  }
  virtual ~MatmulApiTilingBase() = default;

  int32_t SetAType(TPosition pos, CubeFormat type, DataType dataType,
                   bool isTrans = false) {
    request_.a = Operand(pos, type, dataType, isTrans);
    return 0;
  }
  int32_t SetBType(TPosition pos, CubeFormat type, DataType dataType,
                   bool isTrans = false) {
    request_.b = Operand(pos, type, dataType, isTrans);
    return 0;
  }
  int32_t SetCType(TPosition pos, CubeFormat type, DataType dataType) {
    request_.c = Operand(pos, type, dataType, false);
    return 0;
  }
  int32_t SetBiasType(TPosition pos, CubeFormat type, DataType dataType) {
    request_.bias = Operand(pos, type, dataType, false);
    return 0;
  }
  // Scales of MX products, which this architecture does not have.
  int32_t SetScaleAType(TPosition, CubeFormat, bool = false) { return -1; }
  int32_t SetScaleBType(TPosition, CubeFormat, bool = true) { return -1; }

  int32_t SetDequantType(DequantType dequantType) {
    request_.quantization = dequantType == DequantType::SCALAR
                                ? belay::abi::MatmulQuantization::kScalar
                                : belay::abi::MatmulQuantization::kVector;
    return 0;
  }

  // -1 stands for the original shape's.
  int32_t SetShape(int32_t m, int32_t n, int32_t k) {
    return SetLimits(m, n, k, request_.shape);
  }
  int32_t SetOrgShape(int32_t orgMIn, int32_t orgNIn, int32_t orgKIn) {
    return SetOrgShape(orgMIn, orgNIn, orgKIn, orgKIn);
  }
  int32_t SetOrgShape(int32_t orgMIn, int32_t orgNIn, int32_t orgKaIn,
                      int32_t orgKbIn) {
    if (orgMIn <= 0 || orgNIn <= 0 || orgKaIn <= 0 || orgKbIn <= 0) return -1;
    request_.whole_m = orgMIn;
    request_.whole_n = orgNIn;
    request_.whole_ka = orgKaIn;
    request_.whole_kb = orgKbIn;
    return 0;
  }

  int32_t SetALayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    request_.a_layout = {b, s, n, g, d};
    return 0;
  }
  int32_t SetBLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    request_.b_layout = {b, s, n, g, d};
    return 0;
  }
  int32_t SetCLayout(int32_t b, int32_t s, int32_t n, int32_t g, int32_t d) {
    request_.c_layout = {b, s, n, g, d};
    return 0;
  }
  // Matrices that lie one behind the other, batchA and batchB of them.
  int32_t SetBatchInfoForNormal(int32_t batchA, int32_t batchB, int32_t m,
                                int32_t n, int32_t k) {
    if (batchA <= 0 || batchB <= 0 || m <= 0 || n <= 0 || k <= 0) return -1;
    request_.a_layout = {batchA, m, 1, 1, k};
    request_.b_layout = {batchB, n, 1, 1, k};
    request_.c_layout = {batchA > batchB ? batchA : batchB, m, 1, 1, n};
    return 0;
  }
  int32_t SetBatchNum(int32_t batch) {
    if (batch <= 0) return -1;
    request_.batches = batch;
    return 0;
  }

  int32_t EnableBias(bool isBiasIn = false) {
    request_.has_bias = isBiasIn ? 1 : 0;
    return 0;
  }
  int32_t SetBias(bool isBiasIn = false) { return EnableBias(isBiasIn); }

  int32_t SetFixSplit(int32_t baseMIn = -1, int32_t baseNIn = -1,
                      int32_t baseKIn = -1) {
    return SetLimits(baseMIn, baseNIn, baseKIn, request_.base);
  }
  int32_t SetSplitRange(int32_t maxBaseM = -1, int32_t maxBaseN = -1,
                        int32_t maxBaseK = -1, int32_t minBaseM = -1,
                        int32_t minBaseN = -1, int32_t minBaseK = -1) {
    return SetRange({minBaseM, minBaseN, minBaseK},
                    {maxBaseM, maxBaseN, maxBaseK}, request_.least_base,
                    request_.most_base);
  }
  // In bytes; -1 stands for all there is.
  int32_t SetBufferSpace(int32_t l1Size = -1, int32_t l0CSize = -1,
                         int32_t ubSize = -1, int32_t btSize = -1) {
    if (!IsPart(l1Size, memory_.l1Size) || !IsPart(l0CSize, memory_.l0CSize) ||
        !IsPart(ubSize, memory_.ubSize) || !IsPart(btSize, bias_table_bytes_)) {
      return -1;
    }
    request_.l1_bytes = Part(l1Size, memory_.l1Size);
    request_.l0c_bytes = Part(l0CSize, memory_.l0CSize);
    request_.ub_bytes = Part(ubSize, memory_.ubSize);
    request_.bt_bytes = Part(btSize, bias_table_bytes_);
    return 0;
  }

  int32_t SetTraverse(MatrixTraverse traverse) {
    request_.traverse = static_cast<belay::abi::MatmulTraverse>(traverse);
    return 0;
  }
  int32_t SetMadType(MatrixMadType madType) {
    if (madType == MatrixMadType::MXMODE) return -1;
    request_.hf32 = madType == MatrixMadType::HF32 ? 1 : 0;
    return 0;
  }
  // Half of B is left out then; tiling counts it all the same.
  int32_t SetSparse(bool = false) { return 0; }
  // The double buffers are tiling's own choice.
  int32_t SetDoubleBuffer(bool, bool, bool, bool, bool = true, bool = true) {
    return 0;
  }

  // What tiling decides is right for both templates; without a call it is best
  // for Norm.
  void SetMatmulConfigParams(
      int32_t mmConfigTypeIn = 1, bool enableL1CacheUBIn = false,
      ScheduleType scheduleTypeIn = ScheduleType::INNER_PRODUCT,
      MatrixTraverse traverseIn = MatrixTraverse::NOSET,
      bool enVecND2NZIn = false) {
    SetMatmulConfigParams(MatmulConfigParams(mmConfigTypeIn, enableL1CacheUBIn,
                                             scheduleTypeIn, traverseIn,
                                             enVecND2NZIn));
  }
  void SetMatmulConfigParams(const MatmulConfigParams& configParams) {
    request_.copies_steps = configParams.mmConfigType == 1 ? 1 : 0;
    request_.schedule =
        static_cast<belay::abi::MatmulSchedule>(configParams.scheduleType);
    if (configParams.traverse != MatrixTraverse::NOSET) {
      SetTraverse(configParams.traverse);
    }
  }

  // After GetTiling.
  int32_t GetBaseM() const { return tiling_.baseM; }
  int32_t GetBaseN() const { return tiling_.baseN; }
  int32_t GetBaseK() const { return tiling_.baseK; }
  // Blocks in L1 lie so that nothing could be gained.
  bool EnableL1BankConflictOptimise() const { return false; }

  // -1 when nothing fits; the host log (BELAY_LOG) says why.
  int64_t GetTiling(optiling::TCubeTiling& tiling) {
    AscendC::tiling::TCubeTiling plain;
    const int64_t status = GetTiling(plain);
    if (status == 0) tiling = plain;
    return status;
  }
  int64_t GetTiling(AscendC::tiling::TCubeTiling& tiling) {
    if (belay_matmul_tiling(&request_, &tiling_, &cores_) != 0) return -1;
    tiling = tiling_;
    return 0;
  }

 protected:
  static bool IsLimit(int32_t value) { return value == -1 || value > 0; }
  static int32_t SetLimits(int32_t m, int32_t n, int32_t k,
                           belay::abi::MatmulLimits& limits) {
    if (!IsLimit(m) || !IsLimit(n) || !IsLimit(k)) return -1;
    limits = {m, n, k};
    return 0;
  }
  static int32_t SetRange(const belay::abi::MatmulLimits& least,
                          const belay::abi::MatmulLimits& most,
                          belay::abi::MatmulLimits& to_least,
                          belay::abi::MatmulLimits& to_most) {
    const auto is_range = [](int32_t from, int32_t to) {
      return IsLimit(from) && IsLimit(to) &&
             (from == -1 || to == -1 || from <= to);
    };
    if (!is_range(least.m, most.m) || !is_range(least.n, most.n) ||
        !is_range(least.k, most.k)) {
      return -1;
    }
    to_least = least;
    to_most = most;
    return 0;
  }

  belay::abi::MatmulTilingRequest request_;
  belay::abi::MatmulCores cores_;
  AscendC::tiling::TCubeTiling tiling_;

 private:
  static belay::abi::MatmulOperand Operand(TPosition position,
                                           CubeFormat format, DataType dtype,
                                           bool transposed) {
    return {static_cast<int32_t>(position), static_cast<int32_t>(format),
            static_cast<int32_t>(dtype), transposed ? 1 : 0};
  }
  static bool IsPart(int32_t bytes, uint64_t whole) {
    return bytes >= -1 && (bytes < 0 || static_cast<uint64_t>(bytes) <= whole);
  }
  static uint64_t Part(int32_t bytes, uint64_t whole) {
    return bytes < 0 ? whole : static_cast<uint64_t>(bytes);
  }
  void UseWholeMemories() {
    request_.l1_bytes = memory_.l1Size;
    request_.l0a_bytes = memory_.l0ASize;
    request_.l0b_bytes = memory_.l0BSize;
    request_.l0c_bytes = memory_.l0CSize;
    request_.ub_bytes = memory_.ubSize;
    request_.bt_bytes = bias_table_bytes_;
  }

  PlatformInfo memory_{};
  uint64_t bias_table_bytes_ = 0;
};

}  // namespace matmul_tiling

#endif  // BELAY_TILING_MATMUL_MATMUL_TILING_BASE_H_
