// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_CACHE_H_
#define BELAY_ASCENDC_CACHE_H_

// The scalar unit's data cache, which nothing keeps coherent, and accesses that
// go past it.

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

template <typename T, CacheLine entireType,
          DcciDst dcciDst = DcciDst::CACHELINE_ALL>
BELAY_API void DataCacheCleanAndInvalid(const LocalTensor<T>& dst) {
  belay::abi::Instruction record{};
  record.op = belay::abi::Op::kDataCacheCleanAndInvalid;
  record.cache.address = dst.GetPhyAddr();
  record.cache.entire = entireType == CacheLine::ENTIRE_DATA_CACHE ? 1 : 0;
  belay_issue(&record);
}

// Hints: they change when lines arrive, not what a kernel reads.
template <typename T>
BELAY_API void DataCachePreload(const GlobalTensor<uint64_t>&, const T) {}
BELAY_API void ICachePreLoad(int64_t) {}
BELAY_API int64_t GetICachePreloadStatus() { return 0; }

template <typename T>
BELAY_API T ReadGmByPassDCache(__gm__ T* addr) {
  return *static_cast<const T*>(belay_read_direct(addr, sizeof(T)));
}
template <typename T>
BELAY_API void WriteGmByPassDCache(__gm__ T* addr, T value) {
  *static_cast<T*>(belay_write_direct(addr, sizeof(T))) = value;
}

}  // namespace AscendC

// What kernels that name global memory past the L2 cache declare a variable of:
// the distance between the two views. Here there is one view.
struct OpSystemRunCfg {
  uint64_t l2Cacheoffset;
};

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_CACHE_H_
