// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_API_KERNELS_H_
#define BELAY_TESTS_API_KERNELS_H_

// What the sweep's kernels share: element types by name, tensors at given
// places, and the mask arguments of a call.

#include <type_traits>
#include <utility>

#include "bench.h"
#include "kernel_operator.h"

namespace belay::sweep {

template <typename T>
struct Type;
#define BELAY_SWEEP_TYPE(type, word, id)                 \
  template <>                                            \
  struct Type<type> {                                    \
    static constexpr const char* kName = word;           \
    static constexpr abi::DType kDType = abi::DType::id; \
  };
BELAY_SWEEP_TYPE(bool, "bool", kBool)
BELAY_SWEEP_TYPE(AscendC::int4b_t, "int4b_t", kInt4)
BELAY_SWEEP_TYPE(int8_t, "int8_t", kInt8)
BELAY_SWEEP_TYPE(uint8_t, "uint8_t", kUint8)
BELAY_SWEEP_TYPE(int16_t, "int16_t", kInt16)
BELAY_SWEEP_TYPE(uint16_t, "uint16_t", kUint16)
BELAY_SWEEP_TYPE(half, "half", kHalf)
BELAY_SWEEP_TYPE(bfloat16_t, "bfloat16_t", kBfloat16)
BELAY_SWEEP_TYPE(int32_t, "int32_t", kInt32)
BELAY_SWEEP_TYPE(uint32_t, "uint32_t", kUint32)
BELAY_SWEEP_TYPE(float, "float", kFloat)
BELAY_SWEEP_TYPE(int64_t, "int64_t", kInt64)
BELAY_SWEEP_TYPE(uint64_t, "uint64_t", kUint64)
BELAY_SWEEP_TYPE(double, "double", kDouble)
#undef BELAY_SWEEP_TYPE

template <typename T>
inline constexpr uint32_t kBits =
    std::is_same_v<T, AscendC::int4b_t> ? 4 : 8 * sizeof(T);

template <typename... T>
struct Types {};
using HalfFloat = Types<half, float>;
using Arithmetic = Types<int16_t, half, int32_t, float>;
using Words = Types<int16_t, uint16_t>;
using Integers = Types<int16_t, uint16_t, int32_t, uint32_t>;
using Moved =
    Types<int16_t, uint16_t, half, bfloat16_t, int32_t, uint32_t, float>;

// f.template operator()<T>() for each type.
template <typename... T, typename F>
void ForEach(Types<T...>, F f) {
  (f.template operator()<T>(), ...);
}

template <typename T>
AscendC::LocalTensor<T> TensorAt(uint32_t at, uint32_t bytes = kRegionBytes) {
  return AscendC::LocalTensor<T>(AscendC::TPosition::VECCALC, at,
                                 bytes * 8 / kBits<T>);
}
template <typename T>
AscendC::LocalTensor<T> TensorAt(const Place& place,
                                 uint32_t bytes = kRegionBytes) {
  return TensorAt<T>(place.at, bytes);
}

// The same as a tensor of TensorTrait<T>.
template <typename T>
auto TraitAt(const Place& place) {
  return TensorAt<T>(place).template ReinterpretCast<AscendC::TensorTrait<T>>();
}

template <typename T>
T ValueOf(uint64_t bits) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof value);
  return value;
}

inline AscendC::UnaryRepeatParams UnaryParams(const Call& call) {
  AscendC::UnaryRepeatParams params;
  params.dstBlkStride = call.dst.block;
  params.srcBlkStride = call.src0.block;
  params.dstRepStride = call.dst.repeat;
  params.srcRepStride = call.src0.repeat;
  return params;
}
inline AscendC::BinaryRepeatParams BinaryParams(const Call& call) {
  AscendC::BinaryRepeatParams params;
  params.dstBlkStride = call.dst.block;
  params.src0BlkStride = call.src0.block;
  params.src1BlkStride = call.src1.block;
  params.dstRepStride = call.dst.repeat;
  params.src0RepStride = call.src0.repeat;
  params.src1RepStride = call.src1.repeat;
  return params;
}

// Puts mask register and mode as the call wants to find them.
template <typename T>
void SetRegisters(const Call& call) {
  if (call.counter) AscendC::SetMaskCount();
  if (call.form != Form::kRegister) return;
  if (call.counter) {
    if (call.listed) {
      AscendC::SetVectorMask<T, AscendC::MaskMode::COUNTER>(
          0, static_cast<uint64_t>(call.count));
    } else {
      AscendC::SetVectorMask<T, AscendC::MaskMode::COUNTER>(
          static_cast<int32_t>(call.count));
    }
  } else {
    AscendC::SetMaskNorm();
    AscendC::SetVectorMask<T, AscendC::MaskMode::NORMAL>(call.bits[1],
                                                         call.bits[0]);
  }
}

// f(mask, std::bool_constant<isSetMask>) with the mask argument of a call.
template <typename F>
void WithMask(const Call& call, F f) {
  switch (call.form) {
    case Form::kMask:
      return f(call.mask, std::true_type{});
    case Form::kBits:
      return f(call.bits, std::true_type{});
    default:
      if (call.listed) {
        return f(AscendC::MASK_PLACEHOLDER_LIST, std::false_type{});
      }
      return f(AscendC::MASK_PLACEHOLDER, std::false_type{});
  }
}

// How many random calls a cell gets.
inline constexpr int kCalls = 12;

// An API name as a type, so that one template sweeps many of them.
#define BELAY_SWEEP_API(name, op)                                \
  struct name##Api {                                             \
    static constexpr const char* kName = #name;                  \
    static constexpr abi::Op kOp = abi::Op::op;                  \
    template <typename... Arguments>                             \
    static void Call(const Arguments&... arguments) {            \
      AscendC::name(arguments...);                               \
    }                                                            \
    template <typename T, bool isSetMask, typename... Arguments> \
    static void Masked(const Arguments&... arguments) {          \
      AscendC::name<T, isSetMask>(arguments...);                 \
    }                                                            \
  };

}  // namespace belay::sweep

#endif  // BELAY_TESTS_API_KERNELS_H_
