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

BELAY_API abi::Atomic AtomicNow() {
  return static_cast<abi::Atomic>(belay_get_register(abi::Register::kAtomic) &
                                  0xff);
}
BELAY_API DType AtomicTypeNow() {
  return static_cast<DType>(belay_get_register(abi::Register::kAtomic) >> 8);
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
// Names the type only. The operation stays, a sum where there was none.
template <typename T>
BELAY_API void SetAtomicType() {
  const belay::abi::Atomic now = belay::api::AtomicNow();
  belay::api::IssueAtomic(
      belay::api::kDTypeOf<T>,
      now == belay::abi::Atomic::kNone ? belay::abi::Atomic::kAdd : now);
}

BELAY_API void SetAtomicNone() {
  belay::api::IssueAtomic(belay::api::DType::kNone, belay::abi::Atomic::kNone);
}
BELAY_API void DisableDmaAtomic() { SetAtomicNone(); }

enum class AtomicDtype {
  ATOMIC_NONE = 0,
  ATOMIC_F32,
  ATOMIC_F16,
  ATOMIC_S16,
  ATOMIC_S32,
  ATOMIC_S8,
  ATOMIC_BF16,
};
enum class AtomicOp { ATOMIC_SUM = 0 };

template <AtomicDtype type, AtomicOp op>
BELAY_API void SetStoreAtomicConfig() {
  using belay::api::DType;
  constexpr DType kTypes[] = {DType::kNone,    DType::kFloat, DType::kHalf,
                              DType::kInt16,   DType::kInt32, DType::kInt8,
                              DType::kBfloat16};
  if constexpr (type == AtomicDtype::ATOMIC_NONE) {
    SetAtomicNone();
  } else {
    belay::api::IssueAtomic(kTypes[static_cast<int>(type)],
                            belay::abi::Atomic::kAdd);
  }
}

// Numbers of AtomicDtype and AtomicOp.
BELAY_API void GetStoreAtomicConfig(uint16_t& atomicType, uint16_t& atomicOp) {
  using belay::api::DType;
  atomicOp = static_cast<uint16_t>(AtomicOp::ATOMIC_SUM);
  const DType now = belay::api::AtomicNow() == belay::abi::Atomic::kNone
                        ? DType::kNone
                        : belay::api::AtomicTypeNow();
  atomicType = now == DType::kFloat      ? 1
               : now == DType::kHalf     ? 2
               : now == DType::kInt16    ? 3
               : now == DType::kInt32    ? 4
               : now == DType::kInt8     ? 5
               : now == DType::kBfloat16 ? 6
                                         : 0;
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_ATOMIC_H_
