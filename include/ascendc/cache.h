// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CACHE_H_
#define BELAY_ASCENDC_CACHE_H_

// The scalar unit's data cache, which nothing keeps coherent.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

enum class CacheLine : uint64_t { SINGLE_CACHE_LINE = 0, ENTIRE_DATA_CACHE };

enum class DcciDst : uint64_t {
  CACHELINE_ALL = 0,
  CACHELINE_UB,
  CACHELINE_OUT,
  CACHELINE_ATOMIC,
};

// Writes back and drops the line that holds dst's first element, or all lines.
template <typename T, CacheLine entireType,
          DcciDst dcciDst = DcciDst::CACHELINE_OUT>
BELAY_API void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kDataCacheCleanAndInvalid;
  record.cache.address = reinterpret_cast<uint64_t>(dst.GetPhyAddr());
  record.cache.entire = entireType == CacheLine::ENTIRE_DATA_CACHE ? 1 : 0;
  belay_issue(&record);
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CACHE_H_
