// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_TEMPORARY_H_
#define BELAY_ASCENDC_HIGH_LEVEL_TEMPORARY_H_

// The memory a function of the high-level library works in: the caller's
// temporary buffer, or the part of UB that no InitBuffer has taken.

#include "ascendc/stack_buffer.h"
#include "ascendc/tensor.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Bytes that `count` elements of `size` bytes take, in whole 32-byte blocks.
BELAY_API constexpr uint64_t BlockBytes(uint64_t count, uint64_t size) {
  return (count * size + 31) / 32 * 32;
}

class Temporary {
 public:
  // `name` is the function's, for messages.
  BELAY_API Temporary(const char* name,
                      const AscendC::LocalTensor<uint8_t>& buffer)
      : name_(name) {
    Use(buffer);
  }
  BELAY_API explicit Temporary(const char* name) : name_(name) {
    AscendC::LocalTensor<uint8_t> rest;
    AscendC::PopStackBuffer<uint8_t, AscendC::TPosition::LCM>(rest);
    Use(rest);
  }

  BELAY_API const char* name() const { return name_; }
  // What is left, in bytes.
  BELAY_API uint64_t bytes() const { return bytes_; }

  // Ends the block unless `needed` bytes are left.
  BELAY_API void Require(uint64_t needed) const {
    if (__builtin_expect(bytes_ < needed, 0)) {
      belay_temporary_too_small(name_, needed, bytes_);
    }
  }

  // The next `count` elements; ends the block when there are fewer.
  template <typename T>
  BELAY_API AscendC::LocalTensor<T> Take(uint64_t count) {
    const uint64_t taken = BlockBytes(count, sizeof(T));
    Require(taken);
    AscendC::LocalTensor<T> result(position_, address_, taken, 0, bounds_);
    address_ += taken;
    bytes_ -= taken;
    return result;
  }

 private:
  BELAY_API void Use(const AscendC::LocalTensor<uint8_t>& buffer) {
    address_ = buffer.GetPhyAddr();
    bytes_ = buffer.GetLength();
    position_ = static_cast<AscendC::TPosition>(buffer.GetPosition());
    bounds_ = {buffer.BufferStart(), buffer.BufferBytes()};
  }

  const char* name_;
  uint64_t address_ = 0;
  uint64_t bytes_ = 0;
  AscendC::TPosition position_ = AscendC::TPosition::LCM;
  Bounds bounds_;
};

// Ends the block unless `holds`; `rule` says what must be, `value` is what is.
BELAY_API void RequireArgument(bool holds, const char* name, const char* rule,
                               int64_t value) {
  if (__builtin_expect(!holds, 0)) belay_library_argument(name, rule, value);
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_TEMPORARY_H_
