// SPDX-License-Identifier: Apache-2.0
#include "check/init_transfer.h"

#include <algorithm>
#include <cstring>

#include "base/dtype.h"
#include "npu/transfer.h"

namespace belay::check {
namespace {

constexpr uint8_t kWhole = 0xff;

uint64_t ElementBytes(const abi::Instruction& instruction) {
  return std::max<uint64_t>(BytesOf(instruction.dst.dtype, 2) / 2, 1);
}

Padding PaddingOf(const npu::InstructionEvent& event) {
  const abi::Instruction& move = event.instruction;
  if (npu::DestinationOf(move).block == npu::SourceOf(move).block) {
    return Padding::kNone;
  }
  const bool asked =
      move.transfer.left_padding != 0 || move.transfer.right_padding != 0;
  if (event.core.vector.pad_value_set) return Padding::kValue;
  if (!asked) return Padding::kFiller;
  return move.transfer.is_pad ? Padding::kValue : Padding::kUndefined;
}

// The shadow of the padding of one block, whose data lie `left` bytes behind
// its start.
void Pad(uint8_t* block, Padding padding, uint64_t block_bytes, uint64_t left,
         uint64_t data_bytes, uint64_t element) {
  uint8_t* right = block + left + data_bytes;
  const uint64_t right_bytes = block_bytes - left - data_bytes;
  if (padding == Padding::kFiller) {
    uint8_t first[16];
    std::memcpy(first, block, element);
    for (uint64_t i = 0; i < right_bytes; ++i) right[i] = first[i % element];
  } else if (padding != Padding::kNone) {
    const int bits = padding == Padding::kUndefined ? 0xff : 0;
    std::memset(block, bits, left);
    std::memset(right, bits, right_bytes);
  }
}

// Of one block of a plain move to global memory.
void StoreBlock(const ShadowMap& source, uint64_t from, ShadowMap& destination,
                uint64_t to, uint64_t bytes, uint64_t end, Faulty& faulty) {
  if (source.IsClear(from, bytes)) return destination.Clear(to, bytes);
  const uint8_t* bits = source.Read(from, bytes);
  uint8_t* written = destination.Write(to, bytes);
  for (uint64_t i = 0; i < bytes; ++i) {
    const bool fault = bits[i] == kWhole && to + i < end;
    if (fault) faulty.Note(from + i);
    written[i] = fault ? 0 : bits[i];
  }
  destination.Settle(to, bytes);
}

// Of one block of an atomic move: both sides are read, whole elements only.
void AccumulateBlock(const ShadowMap& source, uint64_t from,
                     ShadowMap& destination, uint64_t to, uint64_t bytes,
                     uint64_t end, uint64_t element, StoreFaults& faults) {
  bytes = bytes / element * element;
  const auto note = [&](const ShadowMap& map, uint64_t start, Faulty& faulty) {
    if (map.IsClear(start, bytes)) return;
    for (uint64_t i = 0; i < bytes; ++i) {
      if (map.At(start + i) != 0 && to + i < end) faulty.Note(start + i);
    }
  };
  note(source, from, faults.stored);
  note(destination, to, faults.accumulated);
  destination.Clear(to, bytes);
}

}  // namespace

bool PropagateLoad(const npu::InstructionEvent& event, const ShadowMap* source,
                   ShadowMap& destination, Padding marked) {
  const abi::Instruction& move = event.instruction;
  const npu::TransferSide reads = npu::SourceOf(move);
  const npu::TransferSide writes = npu::DestinationOf(move);
  Padding padding = PaddingOf(event);
  const bool marks = padding == marked;
  if (marks) {
    padding = Padding::kUndefined;
  } else if (padding == Padding::kUndefined) {
    padding = Padding::kValue;
  }
  uint64_t from = move.src0.address;
  uint64_t to = move.dst.address;
  const bool clear = source == nullptr || source->IsClear(from, reads.Extent());
  const uint64_t element = ElementBytes(move);
  // Padding that repeats the first element of a block shorter than that takes
  // over what lay there before.
  const bool repeats_old = padding == Padding::kFiller && reads.block < element;
  if (clear && padding != Padding::kUndefined && !repeats_old) {
    const uint64_t extent = writes.Extent();
    if (writes.blocks == 1 ||
        writes.step == static_cast<int64_t>(writes.block)) {
      destination.Clear(to, extent);
      return false;
    }
    if (destination.IsClear(to, extent)) return false;
  }
  const uint64_t left =
      padding == Padding::kNone ? 0 : move.transfer.left_padding * element;
  // What is read here was exposed before anything is written.
  const bool in_place = source == &destination;
  if (in_place) source->Read(from, reads.Extent());
  uint8_t* block = destination.Write(to, writes.Extent());
  for (uint64_t i = 0; i < reads.blocks; ++i) {
    if (clear && !in_place) {
      std::memset(block + left, 0, reads.block);
    } else {
      const uint8_t* data =
          in_place ? source->ShadowOf(from) : source->Read(from, reads.block);
      std::memmove(block + left, data, reads.block);
    }
    Pad(block, padding, writes.block, left, reads.block, element);
    from += reads.step;
    block += writes.step;
  }
  destination.Settle(to, writes.Extent());
  return marks;
}

StoreFaults PropagateStore(const npu::InstructionEvent& event,
                           const ShadowMap& source, ShadowMap& destination,
                           uint64_t end) {
  const abi::Instruction& move = event.instruction;
  const npu::VectorState& state = event.core.vector;
  const npu::TransferSide reads = npu::SourceOf(move);
  const npu::TransferSide writes = npu::DestinationOf(move);
  StoreFaults faults;
  uint64_t from = move.src0.address;
  uint64_t to = move.dst.address;
  if (source.IsClear(from, reads.Extent()) &&
      destination.IsClear(to, writes.Extent())) {
    return faults;
  }
  for (uint64_t block = 0; block < reads.blocks; ++block) {
    if (state.atomic != abi::Atomic::kNone) {
      AccumulateBlock(source, from, destination, to, reads.block, end,
                      BytesOf(state.atomic_dtype), faults);
    } else {
      StoreBlock(source, from, destination, to, reads.block, end,
                 faults.stored);
    }
    from += reads.step;
    to += writes.step;
  }
  return faults;
}

Faulty FindStale(const npu::InstructionEvent& event, const ShadowMap& undefined,
                 const ShadowMap& stale, uint64_t end) {
  const abi::Instruction& move = event.instruction;
  const npu::TransferSide reads = npu::SourceOf(move);
  const npu::TransferSide writes = npu::DestinationOf(move);
  Faulty faulty;
  uint64_t from = move.src0.address;
  uint64_t to = move.dst.address;
  if (stale.IsClear(from, reads.Extent())) return faulty;
  // Atomic moves take whole elements only.
  const npu::VectorState& state = event.core.vector;
  const uint64_t element =
      state.atomic == abi::Atomic::kNone ? 1 : BytesOf(state.atomic_dtype);
  const uint64_t bytes = reads.block / element * element;
  for (uint64_t block = 0; block < reads.blocks; ++block) {
    if (!stale.IsClear(from, bytes)) {
      for (uint64_t i = 0; i < bytes && to + i < end; ++i) {
        if (stale.At(from + i) == kWhole && undefined.At(from + i) == 0) {
          faulty.Note(from + i);
        }
      }
    }
    from += reads.step;
    to += writes.step;
  }
  return faulty;
}

}  // namespace belay::check
