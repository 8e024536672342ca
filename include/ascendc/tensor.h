// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_TENSOR_H_
#define BELAY_ASCENDC_TENSOR_H_

// LocalTensor and GlobalTensor: an address, a length and a place. Copies share
// the memory. Elements lie at real addresses of the simulating process.

#include <stdint.h>

#include "ascendc/dtype.h"
#include "ascendc/inline.h"
#include "ascendc/shape_info.h"
#include "ascendc/types.h"
#include "belay/guest_abi.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// The memory a position lies in on this chip.
BELAY_API constexpr abi::Memory MemoryOf(AscendC::TPosition position) {
  switch (position) {
    case AscendC::TPosition::GM:
    case AscendC::TPosition::CO2:
      return abi::Memory::kGm;
    case AscendC::TPosition::A1:
    case AscendC::TPosition::B1:
    case AscendC::TPosition::C1:
    case AscendC::TPosition::SPM:
    case AscendC::TPosition::TSCM:
      return abi::Memory::kL1;
    case AscendC::TPosition::A2:
      return abi::Memory::kL0a;
    case AscendC::TPosition::B2:
      return abi::Memory::kL0b;
    case AscendC::TPosition::C2:
      return abi::Memory::kBt;
    case AscendC::TPosition::CO1:
      return abi::Memory::kL0c;
    case AscendC::TPosition::C2PIPE2GM:
    case AscendC::TPosition::C2PIPE2LOCAL:
      return abi::Memory::kFb;
    default:
      return abi::Memory::kUb;
  }
}

// What a tensor may touch: the buffer it was taken from, or what it was
// declared to cover. 0 bytes: not known.
struct Bounds {
  uint64_t start = 0;
  uint64_t bytes = 0;
};

// Element `index` of T at `base`, read as GetValue reads it.
template <typename T>
BELAY_API T ReadElement(uint64_t base, uint64_t index, const Bounds& bounds) {
  const void* place =
      belay_get_value(reinterpret_cast<const void*>(base + OffsetOf<T>(index)),
                      sizeof(T), bounds.start, bounds.bytes);
  if constexpr (kBitsOf<T> == 4) {
    const int8_t pair = *static_cast<const int8_t*>(place);
    const int nibble = (index & 1) != 0 ? pair >> 4 : pair;
    return T{static_cast<int8_t>(static_cast<int8_t>(nibble << 4) >> 4)};
  } else {
    return *static_cast<const T*>(place);
  }
}

// Writes it as SetValue does. A nibble leaves its neighbour alone.
template <typename T, typename U>
BELAY_API void WriteElement(uint64_t base, uint64_t index, const Bounds& bounds,
                            const U& value) {
  void* place =
      belay_set_value(reinterpret_cast<void*>(base + OffsetOf<T>(index)),
                      sizeof(T), bounds.start, bounds.bytes);
  if constexpr (kBitsOf<T> == 4) {
    uint8_t* pair = static_cast<uint8_t*>(place);
    const int shift = (index & 1) != 0 ? 4 : 0;
    int bits;
    if constexpr (AscendC::IsSameType<U, T>::value) {
      bits = value.pair & 15;
    } else {
      bits = static_cast<int>(value) & 15;
    }
    *pair = static_cast<uint8_t>((*pair & ~(15 << shift)) | bits << shift);
  } else {
    *static_cast<T*>(place) = static_cast<T>(value);
  }
}

// What operator() yields: reads and writes one element, each time as GetValue
// and SetValue would.
template <typename T>
class ElementReference {
 public:
  using ElementType = T;

  BELAY_API ElementReference(uint64_t base, uint64_t index,
                             const Bounds& bounds)
      : base_(base), index_(index), bounds_(bounds) {}
  ElementReference(const ElementReference&) = default;

  BELAY_API operator T() const {
    return ReadElement<T>(base_, index_, bounds_);
  }

  template <typename U>
  BELAY_API const ElementReference& operator=(const U& value) const {
    WriteElement<T>(base_, index_, bounds_, value);
    return *this;
  }
  BELAY_API const ElementReference& operator=(
      const ElementReference& other) const {
    return *this = static_cast<T>(other);
  }
  template <typename U>
  BELAY_API const ElementReference& operator+=(const U& value) const {
    return *this = static_cast<T>(*this) + value;
  }
  template <typename U>
  BELAY_API const ElementReference& operator-=(const U& value) const {
    return *this = static_cast<T>(*this) - value;
  }
  template <typename U>
  BELAY_API const ElementReference& operator*=(const U& value) const {
    return *this = static_cast<T>(*this) * value;
  }
  template <typename U>
  BELAY_API const ElementReference& operator/=(const U& value) const {
    return *this = static_cast<T>(*this) / value;
  }
  BELAY_API const ElementReference& operator++() const { return *this += 1; }
  BELAY_API const ElementReference& operator--() const { return *this -= 1; }

 private:
  uint64_t base_;
  uint64_t index_;
  Bounds bounds_;
};

// What a vector operator of two tensors yields until it is assigned.
template <abi::Op op, uint8_t mode, typename T>
struct TensorExpression;

}  // namespace belay::api

namespace AscendC {

template <typename T>
class LocalTensor {
 public:
  using PrimType = PrimT<T>;

  LocalTensor() = default;
  // `offset` in bytes from the start of the position's memory, `count` in
  // elements.
  BELAY_API LocalTensor(TPosition position, uint32_t offset, uint32_t count)
      : LocalTensor(position,
                    belay_memory_base(belay::api::MemoryOf(position)) + offset,
                    belay::api::BytesOf<T>(count), 0) {
    buffer_.bytes = (buffer_.bytes + 31) / 32 * 32;
  }

  BELAY_API PrimType GetValue(uint64_t index) const {
    return belay::api::ReadElement<PrimType>(address_, index, buffer_);
  }
  template <typename U>
  BELAY_API void SetValue(uint64_t index, U value) const {
    belay::api::WriteElement<PrimType>(address_, index, buffer_, value);
  }
  BELAY_API belay::api::ElementReference<PrimType> operator()(
      uint64_t index) const {
    return {address_, index, buffer_};
  }

  // From element `offset` to the end.
  BELAY_API LocalTensor operator[](uint64_t offset) const {
    LocalTensor result(*this);
    const uint64_t skipped = belay::api::OffsetOf<PrimType>(offset);
    result.address_ += skipped;
    result.bytes_ =
        skipped < bytes_ ? bytes_ - static_cast<uint32_t>(skipped) : 0;
    return result;
  }

  template <typename U>
  BELAY_API LocalTensor<U> ReinterpretCast() const {
    LocalTensor<U> result(GetTPosition(), address_, bytes_, tag_, buffer_);
    result.SetShapeInfo(shape_);
    return result;
  }

  BELAY_API uint64_t GetPhyAddr() const { return address_; }
  BELAY_API uint64_t GetPhyAddr(uint32_t offset) const {
    return address_ + belay::api::OffsetOf<PrimType>(offset);
  }
  BELAY_API int32_t GetPosition() const { return position_; }

  BELAY_API uint32_t GetSize() const {
    return static_cast<uint32_t>(belay::api::CountOf<PrimType>(bytes_));
  }
  BELAY_API void SetSize(uint32_t count) {
    bytes_ = static_cast<uint32_t>(belay::api::BytesOf<PrimType>(count));
  }
  BELAY_API uint32_t GetLength() const { return bytes_; }
  BELAY_API void SetBufferLen(uint32_t bytes) { bytes_ = bytes; }

  template <typename U>
  BELAY_API void SetAddrWithOffset(const LocalTensor<U>& source,
                                   uint32_t offset) {
    *this = source[offset].template ReinterpretCast<T>();
  }

  BELAY_API void SetUserTag(TTagType tag) { tag_ = tag; }
  BELAY_API TTagType GetUserTag() const { return tag_; }
  BELAY_API void SetShapeInfo(const ShapeInfo& shape) { shape_ = shape; }
  BELAY_API ShapeInfo GetShapeInfo() const { return shape_; }

  // dst = src0 + src1 and its like, over the whole of dst.
  template <belay::abi::Op op, uint8_t mode, typename U>
  BELAY_API LocalTensor& operator=(
      const belay::api::TensorExpression<op, mode, U>& expression) {
    expression.StoreTo(*this);
    return *this;
  }

  // For the library's own use: memory handed out by a queue or a buffer. What
  // it may touch is `buffer`, or itself.
  BELAY_API LocalTensor(TPosition position, uint64_t address, uint64_t bytes,
                        TTagType tag, const belay::api::Bounds& buffer)
      : address_(address),
        bytes_(static_cast<uint32_t>(bytes)),
        position_(static_cast<uint8_t>(position)),
        memory_(belay::api::MemoryOf(position)),
        tag_(tag),
        buffer_(buffer) {}
  BELAY_API LocalTensor(TPosition position, uint64_t address, uint64_t bytes,
                        TTagType tag)
      : LocalTensor(position, address, bytes, tag, {address, bytes}) {}
  BELAY_API belay::abi::Memory GetMemory() const { return memory_; }
  BELAY_API uint64_t BufferStart() const { return buffer_.start; }
  BELAY_API uint64_t BufferBytes() const { return buffer_.bytes; }

 private:
  BELAY_API TPosition GetTPosition() const {
    return static_cast<TPosition>(position_);
  }

  uint64_t address_ = 0;
  uint32_t bytes_ = 0;
  uint8_t position_ = static_cast<uint8_t>(TPosition::VECCALC);
  belay::abi::Memory memory_ = belay::abi::Memory::kUb;
  TTagType tag_ = 0;
  belay::api::Bounds buffer_;
  ShapeInfo shape_;
};

template <typename T>
class GlobalTensor {
 public:
  using PrimType = PrimT<T>;

  GlobalTensor() = default;

  BELAY_API void SetGlobalBuffer(__gm__ PrimType* buffer, uint64_t count) {
    address_ = reinterpret_cast<uint64_t>(buffer);
    buffer_ = address_;
    count_ = count;
  }
  BELAY_API void SetGlobalBuffer(__gm__ PrimType* buffer) {
    SetGlobalBuffer(buffer, 0);
  }

  BELAY_API const __gm__ PrimType* GetPhyAddr() const {
    return reinterpret_cast<const PrimType*>(address_);
  }
  BELAY_API __gm__ PrimType* GetPhyAddr(uint64_t offset) const {
    return reinterpret_cast<PrimType*>(address_ +
                                       belay::api::OffsetOf<PrimType>(offset));
  }

  BELAY_API PrimType GetValue(uint64_t index) const {
    return belay::api::ReadElement<PrimType>(address_, index, Declared());
  }
  // A plain store: unlike GetValue, compiler auto-sync does not order it.
  BELAY_API void SetValue(uint64_t index, PrimType value) {
    const uint64_t offset =
        address_ - buffer_ + belay::api::OffsetOf<PrimType>(index);
    if (__builtin_expect(count_ != 0 && offset >= BufferBytes(), 0)) {
      belay_outside_buffer(buffer_ + offset, sizeof(PrimType), buffer_,
                           BufferBytes());
    }
    if constexpr (belay::api::kBitsOf<PrimType> == 4) {
      int8_t& pair = GetPhyAddr(index)->pair;
      const int shift = (index & 1) != 0 ? 4 : 0;
      pair = static_cast<int8_t>((pair & ~(15 << shift)) | (value.pair & 15)
                                                               << shift);
    } else {
      *GetPhyAddr(index) = value;
    }
  }
  BELAY_API belay::api::ElementReference<PrimType> operator()(
      uint64_t index) const {
    return {address_, index, Declared()};
  }

  // From element `offset` on; the size is the buffer's, as it was set.
  BELAY_API GlobalTensor operator[](uint64_t offset) const {
    GlobalTensor result(*this);
    result.address_ += belay::api::OffsetOf<PrimType>(offset);
    return result;
  }

  template <typename U>
  BELAY_API GlobalTensor<U> ReinterpretCast() const {
    using Element = typename GlobalTensor<U>::PrimType;
    GlobalTensor<U> result;
    result.SetGlobalBuffer(
        reinterpret_cast<Element*>(buffer_),
        belay::api::CountOf<U>(belay::api::BytesOf<PrimType>(count_)));
    result.MoveTo(address_);
    result.SetShapeInfo(shape_);
    result.past_l2_ = past_l2_;
    return result;
  }

  BELAY_API uint64_t GetSize() const { return count_; }
  BELAY_API void SetShapeInfo(const ShapeInfo& shape) { shape_ = shape; }
  BELAY_API ShapeInfo GetShapeInfo() const { return shape_; }

  // Moves no data and changes no result, only the time moves take.
  template <CacheRwMode rwMode = CacheRwMode::RW>
  BELAY_API void SetL2CacheHint(CacheMode mode) {
    constexpr auto kWhich = static_cast<uint8_t>(rwMode);
    past_l2_ = mode == CacheMode::CACHE_MODE_DISABLE ? past_l2_ | kWhich
                                                     : past_l2_ & ~kWhich;
  }

  // For the library's own use: what SetGlobalBuffer declared.
  BELAY_API uint64_t BufferStart() const { return buffer_; }
  BELAY_API uint64_t BufferBytes() const {
    return belay::api::BytesOf<PrimType>(count_);
  }
  BELAY_API void MoveTo(uint64_t address) { address_ = address; }
  BELAY_API uint8_t PastL2() const { return past_l2_; }

 private:
  template <typename U>
  friend class GlobalTensor;

  BELAY_API belay::api::Bounds Declared() const {
    return {buffer_, BufferBytes()};
  }

  uint64_t address_ = 0;
  uint64_t buffer_ = 0;
  uint64_t count_ = 0;
  uint8_t past_l2_ = 0;  // as abi::Operand has it
  ShapeInfo shape_;
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_TENSOR_H_
