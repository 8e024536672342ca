// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_MATMUL_DESCRIBE_H_
#define BELAY_ASCENDC_MATMUL_DESCRIBE_H_

// A Matmul object's template arguments as the library reads them, and its
// call-backs as the library calls them.

#include "ascendc/issue.h"
#include "ascendc/matmul/static_tiling.h"
#include "ascendc/que.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

template <typename Type>
BELAY_API constexpr abi::MatmulMatrix DescribeMatrix() {
  return {PositionOf(Type::pos), static_cast<abi::MatmulFormat>(Type::format),
          static_cast<abi::MatmulBatchLayout>(Type::layout),
          kDTypeOf<AscendC::PrimT<typename Type::T>>,
          static_cast<uint8_t>(Type::ibShare)};
}

template <typename A, typename B, typename C, typename Bias>
BELAY_API constexpr abi::MatmulSpec DescribeMatmul(const MatmulConfig& config,
                                                   abi::MatmulPart part,
                                                   bool cube_only,
                                                   bool constant_tiling) {
  abi::MatmulSpec spec{};
  spec.a = DescribeMatrix<A>();
  spec.b = DescribeMatrix<B>();
  spec.c = DescribeMatrix<C>();
  spec.bias = DescribeMatrix<Bias>();
  spec.part = part;
  spec.sparse_b = kIsSparse<B>;
  spec.whole_slabs = config.doMultiDataLoad || config.doSpecialMDL;
  spec.unit_flag = config.enUnitFlag;
  spec.channel_split = config.isEnableChannelSplit;
  spec.partial_output = config.isPartialOutput;
  spec.reorder_k = config.enableKdimReorderLoad;
  spec.long_rows = config.intrinsicsCheck;
  spec.bias_per_batch = config.isBiasBatch;
  spec.dual_master = config.enableMixDualMaster;
  spec.cube_only = cube_only;
  spec.constant_tiling = constant_tiling;
  return spec;
}

// What a call-back is given: bytes of an on-chip memory.
BELAY_API AscendC::LocalTensor<int8_t> BytesAt(const abi::Operand& place,
                                               AscendC::TPosition position) {
  return AscendC::LocalTensor<int8_t>(position, place.address,
                                      place.buffer_bytes, 0);
}

template <typename Callback>
void MatmulCopyOut(uint64_t gm, const abi::Operand* co1, const void* params,
                   uint64_t user_info, uint64_t self_data) {
  Callback::kDataCopyOut(reinterpret_cast<const void*>(gm),
                         BytesAt(*co1, AscendC::TPosition::CO1), params,
                         user_info, self_data);
}
template <typename Callback>
void MatmulCopyA(const abi::Operand* l1, uint64_t gm, int32_t row,
                 int32_t column, int32_t use_rows, int32_t use_columns,
                 uint64_t user_info, uint64_t self_data) {
  Callback::kCopyA1(BytesAt(*l1, AscendC::TPosition::A1),
                    reinterpret_cast<const void*>(gm), row, column, use_rows,
                    use_columns, user_info, self_data);
}
template <typename Callback>
void MatmulCopyB(const abi::Operand* l1, uint64_t gm, int32_t row,
                 int32_t column, int32_t use_rows, int32_t use_columns,
                 uint64_t user_info, uint64_t self_data) {
  Callback::kCopyB1(BytesAt(*l1, AscendC::TPosition::B1),
                    reinterpret_cast<const void*>(gm), row, column, use_rows,
                    use_columns, user_info, self_data);
}

template <typename Callback>
BELAY_API abi::MatmulCallbacks DescribeCallbacks() {
  abi::MatmulCallbacks callbacks{};
  if constexpr (Callback::kDataCopyOut != nullptr) {
    callbacks.copy_out = MatmulCopyOut<Callback>;
  }
  if constexpr (Callback::kCopyA1 != nullptr) {
    callbacks.copy_a = MatmulCopyA<Callback>;
  }
  if constexpr (Callback::kCopyB1 != nullptr) {
    callbacks.copy_b = MatmulCopyB<Callback>;
  }
  return callbacks;
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_MATMUL_DESCRIBE_H_
