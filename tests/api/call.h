// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_API_CALL_H_
#define BELAY_TESTS_API_CALL_H_

// The arguments of one API call, drawn at random, and the record they mean by
// the documents: written down here a second time, apart from the headers.

#include <cstdint>
#include <random>

#include "npu/vector_state.h"

namespace belay::sweep {

// The ways a vector API names its lanes.
enum class Form { kCount, kMask, kBits, kRegister, kOperator };
inline constexpr Form kMaskForms[] = {Form::kMask, Form::kBits,
                                      Form::kRegister};
const char* NameOf(Form form);

// An operand in UB: byte offset and strides in blocks.
struct Place {
  uint32_t at = 0;
  uint32_t block = 1;
  uint32_t repeat = 8;
};

struct Call {
  Form form = Form::kCount;
  int64_t count = 0;          // kCount, and the register in counter mode
  uint64_t mask = 0;          // kMask
  uint64_t bits[2] = {0, 0};  // kBits, and the register in normal mode
  uint32_t repeat = 1;
  bool counter = false;   // SetMaskCount comes before the call
  bool listed = false;    // kRegister through the signature of kBits
  bool saturate = false;  // CTRL asks for saturation
  Place dst, src0, src1, src2;
  uint64_t scalar = 0;  // bits
  uint8_t mode = 0;
};

// Operands of a call in this order, their widths in bits; 0 for none.
struct Widths {
  uint32_t dst = 0;
  uint32_t src0 = 0;
  uint32_t src1 = 0;

  uint32_t Widest() const;
  uint32_t LanesPerRepeat() const { return 2048 / Widest(); }
};

class Draw {
 public:
  explicit Draw(uint64_t seed) : random_(seed) {}

  uint64_t Below(uint64_t limit) {
    return std::uniform_int_distribution<uint64_t>(0, limit - 1)(random_);
  }
  bool Chance(uint64_t percent) { return Below(100) < percent; }
  template <typename T>
  T OneOf(std::initializer_list<T> values) {
    return values.begin()[Below(values.size())];
  }
  uint64_t Word() { return random_(); }

  // Lanes, repeats, strides and places: dst nowhere overlaps itself or a
  // source, but for one call in six that works in place where `may_alias`.
  Call Lanes(Form form, const Widths& widths, bool may_alias = false);

 private:
  void Strides(Place& place, uint32_t row_blocks, uint32_t repeats,
               bool is_dst);

  std::mt19937_64 random_;
};

// Where operands of calls start, roughly; each has the bytes up to the next.
inline constexpr uint32_t kDstAt = 0;
inline constexpr uint32_t kSrc0At = 46 * 1024;
inline constexpr uint32_t kSrc1At = 92 * 1024;
inline constexpr uint32_t kSrc2At = 138 * 1024;
inline constexpr uint32_t kRegionBytes = 44 * 1024;

// The record a call means. Addresses are offsets into UB.
abi::Instruction RecordOf(abi::Op op, const Call& call, abi::DType dst,
                          abi::DType src0, abi::DType src1 = abi::DType::kNone);
// An operand whose lanes follow each other without gaps when the widest
// element has `widest` bits.
abi::Operand Dense(uint32_t at, abi::DType dtype, uint32_t widest);
abi::Operand OperandAt(const Place& place, abi::DType dtype);

// The registers a call finds.
npu::VectorState StateBefore(const Call& call);

}  // namespace belay::sweep

#endif  // BELAY_TESTS_API_CALL_H_
