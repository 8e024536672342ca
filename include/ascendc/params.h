// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_PARAMS_H_
#define BELAY_ASCENDC_PARAMS_H_

// The structs that carry strides, block counts and padding.

#include <stdint.h>

#include "ascendc/dtype.h"
#include "ascendc/inline.h"
#include "ascendc/types.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// A member that AscendC declares as Narrow. It reads back as Narrow, but keeps
// what was assigned to it, so that the chip can say "256 does not fit" where
// the card would silently compute with 0.
template <typename Narrow>
class Field {
 public:
  Field() = default;
  BELAY_API explicit constexpr Field(Narrow value) : value_(value) {}

  template <typename T>
  BELAY_API constexpr Field& operator=(T value) {
    value_ = static_cast<int64_t>(value);
    return *this;
  }
  template <typename T>
  BELAY_API constexpr Field& operator=(const Field<T>& other) {
    value_ = other.Assigned();
    return *this;
  }
  template <typename T>
  BELAY_API constexpr Field& operator+=(T value) {
    return *this = value_ + static_cast<int64_t>(value);
  }
  template <typename T>
  BELAY_API constexpr Field& operator-=(T value) {
    return *this = value_ - static_cast<int64_t>(value);
  }
  template <typename T>
  BELAY_API constexpr Field& operator*=(T value) {
    return *this = value_ * static_cast<int64_t>(value);
  }
  template <typename T>
  BELAY_API constexpr Field& operator/=(T value) {
    return *this = value_ / static_cast<int64_t>(value);
  }
  BELAY_API constexpr Field& operator++() { return *this += 1; }
  BELAY_API constexpr Field& operator--() { return *this -= 1; }

  BELAY_API constexpr operator Narrow() const {
    return static_cast<Narrow>(value_);
  }

  BELAY_API constexpr int64_t Assigned() const { return value_; }
  // As 32 bits; what does not fit, or is negative, becomes the largest value.
  BELAY_API constexpr uint32_t Saturated() const {
    return value_ < 0 || value_ > int64_t{UINT32_MAX}
               ? UINT32_MAX
               : static_cast<uint32_t>(value_);
  }

 private:
  int64_t value_;
};

}  // namespace belay::api

namespace AscendC {

// Strides count 32-byte blocks. Constructors keep AscendC's widths, so that
// narrowing in braces is refused as the card's compiler refuses it.
struct UnaryRepeatParams {
  BELAY_API constexpr UnaryRepeatParams() {}
  BELAY_API constexpr UnaryRepeatParams(uint16_t dst_block, uint16_t src_block,
                                        uint8_t dst_repeat, uint8_t src_repeat)
      : dstBlkStride(dst_block),
        srcBlkStride(src_block),
        dstRepStride(dst_repeat),
        srcRepStride(src_repeat) {}
  BELAY_API constexpr UnaryRepeatParams(uint16_t dst_block, uint16_t src_block,
                                        uint8_t dst_repeat, uint8_t src_repeat,
                                        bool half_block)
      : UnaryRepeatParams(dst_block, src_block, dst_repeat, src_repeat) {
    halfBlock = half_block;
  }

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  belay::api::Field<uint16_t> dstBlkStride{1};
  belay::api::Field<uint16_t> srcBlkStride{1};
  belay::api::Field<uint8_t> dstRepStride{8};
  belay::api::Field<uint8_t> srcRepStride{8};
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
  bool halfBlock = false;
};

struct BinaryRepeatParams {
  BELAY_API constexpr BinaryRepeatParams() {}
  BELAY_API constexpr BinaryRepeatParams(uint8_t dst_block, uint8_t src0_block,
                                         uint8_t src1_block, uint8_t dst_repeat,
                                         uint8_t src0_repeat,
                                         uint8_t src1_repeat)
      : dstBlkStride(dst_block),
        src0BlkStride(src0_block),
        src1BlkStride(src1_block),
        dstRepStride(dst_repeat),
        src0RepStride(src0_repeat),
        src1RepStride(src1_repeat) {}

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  belay::api::Field<uint8_t> dstBlkStride{1};
  belay::api::Field<uint8_t> src0BlkStride{1};
  belay::api::Field<uint8_t> src1BlkStride{1};
  belay::api::Field<uint8_t> dstRepStride{8};
  belay::api::Field<uint8_t> src0RepStride{8};
  belay::api::Field<uint8_t> src1RepStride{8};
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

struct BrcbRepeatParams {
  BELAY_API constexpr BrcbRepeatParams() {}
  BELAY_API constexpr BrcbRepeatParams(uint16_t dst_block, uint16_t dst_repeat)
      : dstBlkStride(dst_block), dstRepStride(dst_repeat) {}

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  belay::api::Field<uint16_t> dstBlkStride{1};
  belay::api::Field<uint16_t> dstRepStride{8};
};

struct GatherRepeatParams {
  BELAY_API constexpr GatherRepeatParams() {}
  BELAY_API constexpr GatherRepeatParams(uint8_t dst_block, uint16_t dst_repeat)
      : dstBlkStride(dst_block), dstRepStride(dst_repeat) {}

  uint32_t blockNumber = DEFAULT_BLK_NUM;
  belay::api::Field<uint8_t> dstBlkStride{1};
  belay::api::Field<uint16_t> dstRepStride{8};
  bool repeatStrideMode = false;
  bool strideSizeMode = false;
};

// DataCopy: lengths and gaps count 32-byte blocks. DataCopyPad: the length
// counts bytes, the gap on the GM side bytes, on the other side blocks.
struct DataCopyParams {
  BELAY_API constexpr DataCopyParams() {}
  BELAY_API constexpr DataCopyParams(uint16_t count, uint16_t length,
                                     uint16_t source_gap,
                                     uint16_t destination_gap)
      : blockCount(count),
        blockLen(length),
        srcGap(source_gap),
        dstGap(destination_gap) {}

  belay::api::Field<uint16_t> blockCount{1};
  belay::api::Field<uint16_t> blockLen{0};
  union {
    belay::api::Field<uint16_t> srcGap{0};
    belay::api::Field<uint16_t> srcStride;
  };
  union {
    belay::api::Field<uint16_t> dstGap{0};
    belay::api::Field<uint16_t> dstStride;
  };
};

struct DataCopyExtParams {
  BELAY_API constexpr DataCopyExtParams() {}
  BELAY_API constexpr DataCopyExtParams(uint16_t count, uint32_t length,
                                        uint32_t source_stride,
                                        uint32_t destination_stride,
                                        uint32_t reserved)
      : blockCount(count),
        blockLen(length),
        srcStride(source_stride),
        dstStride(destination_stride),
        rsv(reserved) {}

  belay::api::Field<uint16_t> blockCount{1};
  belay::api::Field<uint32_t> blockLen{0};
  belay::api::Field<uint32_t> srcStride{0};
  belay::api::Field<uint32_t> dstStride{0};
  belay::api::Field<uint32_t> rsv{0};
};

struct DataCopyPadParams {
  BELAY_API constexpr DataCopyPadParams() {}
  BELAY_API constexpr DataCopyPadParams(bool is_pad, uint8_t left,
                                        uint8_t right, uint64_t value)
      : isPad(is_pad),
        leftPadding(left),
        rightPadding(right),
        paddingValue(value) {}

  bool isPad = false;
  belay::api::Field<uint8_t> leftPadding{0};
  belay::api::Field<uint8_t> rightPadding{0};
  uint64_t paddingValue = 0;
};

// The padding value is given as an element; for bfloat16_t, which takes no
// literal, as its bits.
template <typename T>
struct DataCopyPadExtParams {
  using ValueType = std::conditional_t<
      std::is_same_v<T, bfloat16_t>, uint16_t,
      std::conditional_t<std::is_same_v<T, int4b_t>, int8_t, T>>;

  BELAY_API constexpr DataCopyPadExtParams() {}
  BELAY_API constexpr DataCopyPadExtParams(bool is_pad, uint8_t left,
                                           uint8_t right, ValueType value)
      : isPad(is_pad),
        leftPadding(left),
        rightPadding(right),
        paddingValue(value) {}

  bool isPad = false;
  belay::api::Field<uint8_t> leftPadding{0};
  belay::api::Field<uint8_t> rightPadding{0};
  ValueType paddingValue = 0;
};

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_PARAMS_H_
