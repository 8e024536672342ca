// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_POINTER_OPERAND_H_
#define BELAY_ASCENDC_POINTER_OPERAND_H_

// Operands given by addresses, for the calls that take no tensors. Vector
// operations then work on the lanes the mask register says.

#include "ascendc/data_copy.h"
#include "ascendc/mask.h"
#include "ascendc/sync.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

// Numbers below this are no addresses of the process but offsets into UB.
inline constexpr uint64_t kOffsetLimit = uint64_t{1} << 20;

BELAY_API uint64_t UbAddress(const void* pointer) {
  const auto address = reinterpret_cast<uint64_t>(pointer);
  return address < kOffsetLimit ? belay_memory_base(abi::Memory::kUb) + address
                                : address;
}

template <typename T>
BELAY_API Operand InUb(const T* pointer, int64_t block_stride,
                       int64_t repeat_stride) {
  return {UbAddress(pointer), Saturate(block_stride), Saturate(repeat_stride),
          kDTypeOf<T>, abi::Memory::kUb, true};
}
template <typename T>
BELAY_API Operand InGm(const T* pointer) {
  return {reinterpret_cast<uint64_t>(pointer), 1, 8, kDTypeOf<T>,
          abi::Memory::kGm, true};
}

BELAY_API Lanes RegisterLanes(int64_t repeat) {
  return {Form::kRegister, Saturate(repeat), 0, {0, 0}};
}

// Moves in 32-byte blocks. `void` stands for bytes.
BELAY_API void MoveBlocks(const Operand& dst, const Operand& src,
                          int64_t bursts, int64_t length, int64_t source_gap,
                          int64_t destination_gap) {
  abi::Transfer transfer{};
  transfer.block_count = Saturate(bursts);
  transfer.block_bytes = Saturate(length < 0 ? length : length * 32);
  transfer.source_gap = source_gap * 32;
  transfer.destination_gap = destination_gap * 32;
  IssueTransfer(Op::kDataCopy, dst, src, 0, transfer);
}
BELAY_API void MoveBytes(const Operand& dst, const Operand& src,
                         int64_t bytes) {
  abi::Transfer transfer{};
  transfer.block_count = 1;
  transfer.block_bytes = Saturate(bytes);
  IssueTransfer(Op::kDataCopy, dst, src, 0, transfer);
}

// Moves of any number of bytes; the gap on the side of GM counts bytes, the
// other one blocks. Padding takes the value SetPadValue has set.
BELAY_API void MovePadded(const Operand& dst, const Operand& src,
                          int64_t bursts, int64_t bytes, int64_t left,
                          int64_t right, int64_t source_gap,
                          int64_t destination_gap) {
  const bool to_gm = dst.memory == abi::Memory::kGm;
  abi::Transfer transfer{};
  transfer.block_count = Saturate(bursts);
  transfer.block_bytes = Saturate(bytes);
  transfer.source_gap = source_gap * (to_gm ? 32 : 1);
  transfer.destination_gap = destination_gap * (to_gm ? 1 : 32);
  transfer.left_padding = static_cast<uint8_t>(left);
  transfer.right_padding = static_cast<uint8_t>(right);
  IssueTransfer(Op::kDataCopyPad, dst, src, 0, transfer);
}

BELAY_API Operand BytesInUb(const void* pointer) {
  return InUb(static_cast<const uint8_t*>(pointer), 1, 8);
}
BELAY_API Operand BytesInGm(const void* pointer) {
  return InGm(static_cast<const uint8_t*>(pointer));
}

}  // namespace belay::api

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_POINTER_OPERAND_H_
