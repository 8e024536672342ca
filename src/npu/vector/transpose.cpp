// SPDX-License-Identifier: Apache-2.0
// Transpose of 16 x 16 elements, and TransDataTo5HD of 16 rows anywhere.
//
// TransDataTo5HD takes element i of each of the 16 source rows and puts them
// side by side: 16-bit elements fill destination row i, 32-bit elements rows
// 2 i and 2 i + 1, 8-bit elements (16 of the 32 in a row) one half of row i.

#include "npu/vector/transpose.h"

#include <algorithm>
#include <cstring>

#include "base/dtype.h"
#include "npu/vector/families.h"

namespace belay::npu {
namespace {

constexpr uint32_t kRows = kTransposeRows;

}  // namespace

TransposeRows ReadTransposeRows(const abi::Instruction& instruction) {
  TransposeRows rows;
  std::memcpy(rows.destinations,
              reinterpret_cast<const void*>(instruction.lists.destinations),
              sizeof rows.destinations);
  std::memcpy(rows.sources,
              reinterpret_cast<const void*>(instruction.lists.sources),
              sizeof rows.sources);
  if (instruction.repeat == 1) {
    for (uint32_t row = 0; row < kRows; ++row) {
      rows.destinations[row] +=
          uint64_t{instruction.dst.repeat_stride} * kBlockBytes;
      rows.sources[row] +=
          uint64_t{instruction.src0.repeat_stride} * kBlockBytes;
    }
  }
  return rows;
}

void ExecuteTranspose(const abi::Instruction& instruction, const Lanes& lanes) {
  if (lanes.repeats == 0) return;
  uint16_t matrix[kRows][kRows];
  uint16_t transposed[kRows][kRows];
  std::memcpy(matrix, reinterpret_cast<const void*>(instruction.src0.address),
              sizeof matrix);
  for (uint32_t row = 0; row < kRows; ++row) {
    for (uint32_t column = 0; column < kRows; ++column) {
      transposed[column][row] = matrix[row][column];
    }
  }
  std::memcpy(reinterpret_cast<void*>(instruction.dst.address), transposed,
              sizeof transposed);
}

void ExecuteTransDataTo5HD(const abi::Instruction& instruction,
                           const Lanes& lanes) {
  if (lanes.repeats == 0) return;
  const auto bytes = static_cast<uint32_t>(BytesOf(instruction.dst.dtype));
  const TransposeRows rows = ReadTransposeRows(instruction);
  const abi::TransposeLists& lists = instruction.lists;
  const uint32_t half = kBlockBytes / 2;
  const uint32_t read_at = bytes == 1 && lists.source_high_half ? half : 0;
  const uint32_t write_at =
      bytes == 1 && lists.destination_high_half ? half : 0;
  const uint32_t row_bytes = bytes == 1 ? half : kBlockBytes;
  const uint32_t columns = row_bytes / bytes;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    const uint64_t source_step =
        uint64_t{repeat} * instruction.src0.repeat_stride * kBlockBytes;
    const uint64_t destination_step =
        uint64_t{repeat} * instruction.dst.repeat_stride * kBlockBytes;
    uint8_t read[kRows][kBlockBytes];
    for (uint32_t row = 0; row < kRows; ++row) {
      std::memcpy(read[row],
                  reinterpret_cast<const uint8_t*>(rows.sources[row]) +
                      source_step + read_at,
                  row_bytes);
    }
    uint8_t columns_in_order[kRows * kBlockBytes];
    uint8_t* to = columns_in_order;
    for (uint32_t column = 0; column < columns; ++column) {
      for (uint32_t row = 0; row < kRows; ++row, to += bytes) {
        std::memcpy(to, read[row] + column * bytes, bytes);
      }
    }
    for (uint32_t row = 0; row < kRows; ++row) {
      std::memcpy(reinterpret_cast<uint8_t*>(rows.destinations[row]) +
                      destination_step + write_at,
                  columns_in_order + row * row_bytes, row_bytes);
    }
  }
}

}  // namespace belay::npu
