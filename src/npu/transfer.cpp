// SPDX-License-Identifier: Apache-2.0
#include "npu/transfer.h"

#include <algorithm>
#include <cstring>

#include "base/dtype.h"
#include "base/float16.h"
#include "npu/lanes.h"
#include "npu/on_chip_memory.h"

namespace belay::npu {
namespace {

uint64_t BlockUp(uint64_t bytes) {
  return (bytes + kBlockBytes - 1) / kBlockBytes * kBlockBytes;
}

template <typename T>
T Combine(abi::Atomic how, T old, T value) {
  switch (how) {
    case abi::Atomic::kAdd:
      return static_cast<T>(old + value);
    case abi::Atomic::kMax:
      return std::max(old, value);
    case abi::Atomic::kMin:
      return std::min(old, value);
    case abi::Atomic::kNone:
      break;
  }
  return value;
}

// Elements convert to `Compute`, combine there, and convert back.
template <typename T, typename Load, typename Store>
void Accumulate(abi::Atomic how, std::byte* to, const std::byte* from,
                uint64_t bytes, Load load, Store store) {
  for (uint64_t at = 0; at + sizeof(T) <= bytes; at += sizeof(T)) {
    T old;
    T value;
    std::memcpy(&old, to + at, sizeof(T));
    std::memcpy(&value, from + at, sizeof(T));
    const T result = store(Combine(how, load(old), load(value)));
    std::memcpy(to + at, &result, sizeof(T));
  }
}

template <typename T>
void AccumulateNative(abi::Atomic how, std::byte* to, const std::byte* from,
                      uint64_t bytes) {
  const auto same = [](T value) { return value; };
  Accumulate<T>(how, to, from, bytes, same, same);
}

// Padding comes in whole bytes, for int4 too.
uint64_t ElementBytes(const abi::Instruction& instruction) {
  return std::max<uint64_t>(BytesOf(instruction.dst.dtype, 2) / 2, 1);
}

uint64_t PaddingBytes(const abi::Instruction& instruction) {
  return (uint64_t{instruction.transfer.left_padding} +
          instruction.transfer.right_padding) *
         ElementBytes(instruction);
}

// What DataCopyPad writes beside the data: the padding value where one is
// given, by the call or by SetPadValue; without padding, the block's first
// element; else undefined bytes.
void FillPadding(const abi::Instruction& instruction, const VectorState& state,
                 std::byte* block, uint64_t block_bytes) {
  const abi::Transfer& transfer = instruction.transfer;
  const uint64_t element = ElementBytes(instruction);
  std::byte value[16];
  std::memset(value, kPoison, sizeof value);
  if (transfer.is_pad) {
    std::memcpy(value, &transfer.padding_value, sizeof(uint64_t));
  } else if (state.pad_value_set) {
    std::memcpy(value, &state.pad_value, sizeof(uint64_t));
  }
  if (PaddingBytes(instruction) == 0 && !state.pad_value_set) {
    std::memcpy(value, block, element);
  }
  const uint64_t left = transfer.left_padding * element;
  for (uint64_t at = 0; at < left; ++at) block[at] = value[at % element];
  for (uint64_t at = left + transfer.block_bytes; at < block_bytes; ++at) {
    block[at] = value[(at - left - transfer.block_bytes) % element];
  }
}

// Half to float on the way to the bias table.
void Widen(std::byte* to, const std::byte* from, uint64_t bytes) {
  for (uint64_t at = 0; at < bytes; at += sizeof(Half)) {
    Half half;
    std::memcpy(&half, from + at, sizeof half);
    const float wide = ToFloat(half);
    std::memcpy(to + at * 2, &wide, sizeof wide);
  }
}

}  // namespace

bool Widens(const abi::Instruction& instruction) {
  return instruction.dst.memory == abi::Memory::kBt &&
         instruction.src0.dtype == DType::kHalf &&
         instruction.dst.dtype == DType::kFloat;
}

bool CanAccumulate(abi::Atomic how, abi::DType dtype) {
  if (how == abi::Atomic::kNone) return true;
  switch (dtype) {
    case DType::kInt8:
    case DType::kInt16:
    case DType::kHalf:
    case DType::kBfloat16:
    case DType::kInt32:
    case DType::kFloat:
      return true;
    default:
      return false;
  }
}

void AccumulateInto(abi::Atomic how, DType dtype, std::byte* to,
                    const std::byte* from, uint64_t bytes) {
  switch (dtype) {
    case DType::kFloat:
      return AccumulateNative<float>(how, to, from, bytes);
    case DType::kInt32:
      return AccumulateNative<int32_t>(how, to, from, bytes);
    case DType::kInt16:
      return AccumulateNative<int16_t>(how, to, from, bytes);
    case DType::kInt8:
      return AccumulateNative<int8_t>(how, to, from, bytes);
    case DType::kHalf:
      return Accumulate<Half>(
          how, to, from, bytes, [](Half h) { return ToFloat(h); },
          [](float f) { return HalfFromFloat(f); });
    case DType::kBfloat16:
      return Accumulate<Bfloat16>(
          how, to, from, bytes, [](Bfloat16 b) { return ToFloat(b); },
          [](float f) { return BfloatFromFloat(f); });
    default:
      break;  // CanAccumulate has refused it
  }
}

TransferSide SourceOf(const abi::Instruction& instruction) {
  const abi::Transfer& transfer = instruction.transfer;
  const bool rounds = instruction.op == abi::Op::kDataCopyPad &&
                      instruction.src0.memory != abi::Memory::kGm;
  const uint64_t room =
      rounds ? BlockUp(transfer.block_bytes) : transfer.block_bytes;
  return {transfer.block_count, transfer.block_bytes,
          static_cast<int64_t>(room) + transfer.source_gap};
}

TransferSide DestinationOf(const abi::Instruction& instruction) {
  const abi::Transfer& transfer = instruction.transfer;
  const bool rounds = instruction.op == abi::Op::kDataCopyPad &&
                      instruction.dst.memory != abi::Memory::kGm;
  uint64_t block = transfer.block_bytes;
  if (rounds) block = BlockUp(block + PaddingBytes(instruction));
  if (Widens(instruction)) block *= 2;
  return {transfer.block_count, block,
          static_cast<int64_t>(block) + transfer.destination_gap};
}

void ExecuteTransfer(const abi::Instruction& instruction,
                     const VectorState& state) {
  const TransferSide source = SourceOf(instruction);
  const TransferSide destination = DestinationOf(instruction);
  auto* to = reinterpret_cast<std::byte*>(instruction.dst.address);
  auto* from = reinterpret_cast<const std::byte*>(instruction.src0.address);
  const bool atomic = state.atomic != abi::Atomic::kNone &&
                      instruction.dst.memory == abi::Memory::kGm;
  const bool widens = Widens(instruction);
  const bool pads = destination.block != source.block && !widens;
  const uint64_t left =
      pads ? instruction.transfer.left_padding * ElementBytes(instruction) : 0;

  for (uint64_t block = 0; block < source.blocks; ++block) {
    if (atomic) {
      AccumulateInto(state.atomic, state.atomic_dtype, to, from, source.block);
    } else if (widens) {
      Widen(to, from, source.block);
    } else {
      std::memmove(to + left, from, source.block);
      if (pads) FillPadding(instruction, state, to, destination.block);
    }
    from += source.step;
    to += destination.step;
  }
}

}  // namespace belay::npu
