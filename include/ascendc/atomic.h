// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_ATOMIC_H_
#define BELAY_ASCENDC_ATOMIC_H_

// What later moves to global memory do with the bytes already there.

#include "ascendc/issue.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

BELAY_API void IssueAtomic(DType dtype, abi::Atomic operation) {
  Instruction record{};
  record.op = Op::kSetAtomic;
  record.mode = static_cast<uint8_t>(operation);
  record.dst.dtype = dtype;
  belay_issue(&record);
}

}  // namespace belay::api

namespace AscendC {

template <typename T>
BELAY_API void SetAtomicAdd() {
  belay::api::IssueAtomic(belay::api::kDTypeOf<T>, belay::abi::Atomic::kAdd);
}
template <typename T>
BELAY_API void SetAtomicMax() {
  belay::api::IssueAtomic(belay::api::kDTypeOf<T>, belay::abi::Atomic::kMax);
}
template <typename T>
BELAY_API void SetAtomicMin() {
  belay::api::IssueAtomic(belay::api::kDTypeOf<T>, belay::abi::Atomic::kMin);
}
// Names the type only; the operation is the register's default, a sum.
template <typename T>
BELAY_API void SetAtomicType() {
  belay::api::IssueAtomic(belay::api::kDTypeOf<T>, belay::abi::Atomic::kAdd);
}

BELAY_API void SetAtomicNone() {
  belay::api::IssueAtomic(belay::api::DType::kNone, belay::abi::Atomic::kNone);
}
BELAY_API void DisableDmaAtomic() { SetAtomicNone(); }

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_ATOMIC_H_
