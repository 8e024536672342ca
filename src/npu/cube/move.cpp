// SPDX-License-Identifier: Apache-2.0
// DataCopyNd2Nz and Fill.

#include <algorithm>
#include <cstring>

#include "npu/cube/cube.h"
#include "npu/cube/fractal.h"

namespace belay::npu {

void ExecuteNd2Nz(const abi::Instruction& instruction) {
  const abi::Nd2Nz& copy = instruction.nd2nz;
  const uint64_t element = BytesOf(instruction.dst.dtype);
  const uint64_t row_bytes = copy.columns * element;
  for (uint64_t matrix = 0; matrix < copy.matrices; ++matrix) {
    const std::byte* from =
        reinterpret_cast<const std::byte*>(instruction.src0.address) +
        matrix * copy.source_matrix_stride * element;
    std::byte* to = reinterpret_cast<std::byte*>(instruction.dst.address) +
                    matrix * copy.destination_matrix_stride * element;
    for (uint64_t row = 0; row < copy.rows; ++row) {
      std::byte* block = to;
      for (uint64_t at = 0; at < row_bytes; at += kFractalRowBytes) {
        const uint64_t bytes =
            std::min<uint64_t>(row_bytes - at, kFractalRowBytes);
        std::memcpy(block, from + at, bytes);
        std::memset(block + bytes, 0, kFractalRowBytes - bytes);
        block += uint64_t{copy.column_block_stride} * kFractalRowBytes;
      }
      from += copy.source_row_stride * element;
      to += uint64_t{copy.row_stride} * kFractalRowBytes;
    }
  }
}

void ExecuteFill(const abi::Instruction& instruction) {
  const abi::Fill& fill = instruction.fill;
  const uint64_t element = BytesOf(instruction.dst.dtype);
  const uint64_t unit = instruction.dst.memory == abi::Memory::kL1
                            ? kFractalRowBytes
                            : kFractalBytes;
  auto* to = reinterpret_cast<std::byte*>(instruction.dst.address);
  const uint64_t bytes = fill.blocks * unit;
  for (uint32_t repeat = 0; repeat < fill.repeat; ++repeat) {
    for (uint64_t at = 0; at < bytes; at += element) {
      std::memcpy(to + at, &instruction.scalar, element);
    }
    to += bytes + fill.gap * unit;
  }
}

}  // namespace belay::npu
