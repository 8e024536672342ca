// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_DUMP_H_
#define BELAY_ASCENDC_DUMP_H_

// Printing tensors from a kernel.

#include "ascendc/debug.h"
#include "ascendc/que.h"
#include "ascendc/shape_info.h"
#include "ascendc/sync.h"
#include "ascendc/system.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Waits for all pipes first: what is under way is printed as it will be.
template <typename T>
BELAY_API void Dump(const AscendC::LocalTensor<T>& tensor, uint32_t label,
                    uint32_t count) {
  IssueSync(Op::kPipeBarrier, abi::Pipe::kAll, abi::Pipe::kAll, 0, 1);
  belay_dump_tensor(tensor.GetPhyAddr(), kDTypeOf<AscendC::PrimT<T>>,
                    static_cast<abi::Position>(tensor.GetPosition()), label,
                    count);
}
template <typename T>
BELAY_API void Dump(const AscendC::GlobalTensor<T>& tensor, uint32_t label,
                    uint32_t count) {
  belay_dump_tensor(reinterpret_cast<uint64_t>(tensor.GetPhyAddr()),
                    kDTypeOf<AscendC::PrimT<T>>, abi::Position::kGm, label,
                    count);
}

template <typename T>
BELAY_API void DumpAt(T* input, abi::Position position, uint32_t label,
                      uint32_t count) {
  belay_dump_tensor(reinterpret_cast<uint64_t>(input),
                    kDTypeOf<std::remove_cv_t<T>>, position, label, count);
}

}  // namespace belay::api

namespace AscendC {

// `count` elements; `desc` is printed beside them.
template <typename T>
BELAY_API void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc,
                          uint32_t dumpSize) {
  belay::api::Dump(tensor, desc, dumpSize);
}
template <typename T>
BELAY_API void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc,
                          uint32_t dumpSize) {
  belay::api::Dump(tensor, desc, dumpSize);
}

// With a shape: at most as many elements as it has.
template <typename T>
BELAY_API void DumpTensor(const LocalTensor<T>& tensor, uint32_t desc,
                          uint32_t dumpSize, const ShapeInfo& shapeInfo) {
  const auto size = static_cast<uint32_t>(GetShapeSize(shapeInfo));
  belay::api::Dump(tensor, desc, size < dumpSize ? size : dumpSize);
}
template <typename T>
BELAY_API void DumpTensor(const GlobalTensor<T>& tensor, uint32_t desc,
                          uint32_t dumpSize, const ShapeInfo& shapeInfo) {
  const auto size = static_cast<uint32_t>(GetShapeSize(shapeInfo));
  belay::api::Dump(tensor, desc, size < dumpSize ? size : dumpSize);
}

// From element `countOff` on.
template <typename T>
BELAY_API void DumpAccChkPoint(const LocalTensor<T>& tensor, uint32_t index,
                               uint32_t countOff, uint32_t dumpSize) {
  belay::api::Dump(tensor[countOff], index, dumpSize);
}
template <typename T>
BELAY_API void DumpAccChkPoint(const GlobalTensor<T>& tensor, uint32_t index,
                               uint32_t countOff, uint32_t dumpSize) {
  belay::api::Dump(tensor[countOff], index, dumpSize);
}

// Prints the system counter, where ASCENDC_TIME_STAMP_ON asks for it.
BELAY_API void PrintTimeStamp(uint32_t descId) {
#if defined(ASCENDC_TIME_STAMP_ON)
  belay_printf("descId is %u, timeStamp is %llu\n", descId,
               static_cast<unsigned long long>(belay_system_cycle()));
#else
  static_cast<void>(descId);
#endif
}

// What a profiler attaches to.
BELAY_API void MetricsProfStart() {}
BELAY_API void MetricsProfStop() {}

}  // namespace AscendC

// The same for addresses.
template <typename T>
BELAY_API void asc_dump_gm(__gm__ T* input, uint32_t desc, uint32_t dump_size) {
  belay::api::DumpAt(input, belay::abi::Position::kGm, desc, dump_size);
}
template <typename T>
BELAY_API void asc_dump_ubuf(__ubuf__ T* input, uint32_t desc,
                             uint32_t dump_size) {
  belay::api::DumpAt(input, belay::abi::Position::kVecCalc, desc, dump_size);
}
template <typename T>
BELAY_API void asc_dump_l1buf(__cbuf__ T* input, uint32_t desc,
                              uint32_t dump_size) {
  belay::api::DumpAt(input, belay::abi::Position::kA1, desc, dump_size);
}
template <typename T>
BELAY_API void asc_dump_cbuf(__cc__ T* input, uint32_t desc,
                             uint32_t dump_size) {
  belay::api::DumpAt(input, belay::abi::Position::kCo1, desc, dump_size);
}
BELAY_API void asc_time_stamp(uint32_t desc_id) {
  AscendC::PrintTimeStamp(desc_id);
}

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_DUMP_H_
