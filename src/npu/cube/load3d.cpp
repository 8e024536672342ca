// SPDX-License-Identifier: Apache-2.0
// LoadData3D: a part of the im2col matrix as fractals. Rows and columns beyond
// the matrix are written as zeros; the documents say nothing of them. Filler
// that transposing 4-byte elements needs (columns up to 16) is not written.

#include "npu/cube/load3d.h"

#include <cstring>

#include "npu/cube/cube.h"
#include "npu/cube/im2col.h"

namespace belay::npu {
namespace {

// Reads the im2col matrix out of L1, where addresses beyond the boundary start
// over.
class Im2ColReader {
 public:
  Im2ColReader(const abi::Instruction& load, uint64_t l1)
      : matrix_(load),
        columns_(FractalColumns(load.src0.dtype)),
        bits_(static_cast<uint32_t>(BitsOf(load.src0.dtype))),
        map_(load.src0.address),
        l1_(l1),
        boundary_(load.load3d.boundary) {
    const uint64_t value = load.scalar;
    const uint64_t bytes = bits_ < 8 ? 1 : bits_ / 8;
    for (uint64_t at = 0; at < kFractalRowBytes; ++at) {
      padding_[at] = static_cast<std::byte>(value >> at % bytes * 8);
    }
  }

  // 32 bytes, valid until the next call.
  const std::byte* Block(uint64_t row, uint64_t block) {
    if (block < matrix_.packed_from()) {
      const int64_t at = matrix_.BlockAt(row, block);
      if (at == Im2col::kPadding) return padding_;
      if (at == Im2col::kNothing) return kZeros;
      return Place(static_cast<uint64_t>(at));
    }
    std::memset(packed_, 0, sizeof packed_);
    for (uint32_t i = 0; i < columns_; ++i) {
      const int64_t at = matrix_.ElementAt(row, block * columns_ + i);
      if (at == Im2col::kNothing) continue;
      PutElement(i, at);
    }
    return packed_;
  }

 private:
  const std::byte* Place(uint64_t offset) const {
    uint64_t at = map_ - l1_ + offset;
    if (boundary_ != 0 && at >= boundary_) at -= boundary_;
    return reinterpret_cast<const std::byte*>(l1_ + at);
  }

  void PutElement(uint32_t i, int64_t at) {
    if (bits_ < 8) {
      const auto pair = std::to_integer<uint32_t>(
          at < 0 ? padding_[0] : *Place(static_cast<uint64_t>(at) / 2));
      const uint32_t nibble = at > 0 && at % 2 != 0 ? pair >> 4 : pair & 15u;
      packed_[i / 2] |= static_cast<std::byte>(nibble << i % 2 * 4);
      return;
    }
    const uint32_t bytes = bits_ / 8;
    std::memcpy(packed_ + i * bytes,
                at < 0 ? padding_ : Place(static_cast<uint64_t>(at) * bytes),
                bytes);
  }

  static constexpr std::byte kZeros[kFractalRowBytes] = {};

  Im2col matrix_;
  uint32_t columns_;
  uint32_t bits_;
  uint64_t map_;
  uint64_t l1_;
  uint64_t boundary_;
  std::byte padding_[kFractalRowBytes];
  std::byte packed_[kFractalRowBytes];
};

// ZZ: rows of fractals.
void Straight(const Load3DPart& part, Im2ColReader& reader, std::byte* to) {
  for (uint64_t row = 0; row < part.rows; ++row) {
    std::byte* line = to + row / kFractalRows * part.blocks * kFractalBytes +
                      row % kFractalRows * kFractalRowBytes;
    for (uint64_t block = 0; block < part.blocks; ++block) {
      std::memcpy(line + block * kFractalBytes,
                  reader.Block(part.SourceRow(row), part.SourceBlock(block)),
                  kFractalRowBytes);
    }
  }
}

// The matrix turned: its rows become the elements of a fractal's row. To L0A
// (ZZ) fractals along its rows lie side by side, to L0B (ZN) those along its
// columns.
template <typename T>
void Turned(const Load3DPart& part, bool to_l0b, Im2ColReader& reader,
            std::byte* to) {
  constexpr uint64_t kColumns = kFractalRowBytes / sizeof(T);
  const uint64_t across = CeilDivide(part.blocks * kColumns, kFractalRows);
  const uint64_t along = part.rows / kColumns;
  const uint64_t across_step = to_l0b ? 1 : along;
  const uint64_t along_step = to_l0b ? across : 1;
  for (uint64_t row = 0; row < part.rows; ++row) {
    std::byte* column = to + row / kColumns * along_step * kFractalBytes +
                        row % kColumns * sizeof(T);
    for (uint64_t block = 0; block < part.blocks; ++block) {
      const std::byte* from =
          reader.Block(part.SourceRow(row), part.SourceBlock(block));
      for (uint64_t i = 0; i < kColumns; ++i) {
        const uint64_t turned = block * kColumns + i;
        std::memcpy(column +
                        turned / kFractalRows * across_step * kFractalBytes +
                        turned % kFractalRows * kFractalRowBytes,
                    from + i * sizeof(T), sizeof(T));
      }
    }
  }
}

}  // namespace

void ExecuteLoad3D(const abi::Instruction& load, uint64_t l1) {
  const Load3DPart part = Load3DPartOf(load);
  Im2ColReader reader(load, l1);
  auto* to = reinterpret_cast<std::byte*>(load.dst.address);
  const bool to_l0b = load.dst.memory == abi::Memory::kL0b;
  if (!part.transposed) {
    Straight(part, reader, to);
  } else if (BitsOf(load.src0.dtype) == 16) {
    Turned<uint16_t>(part, to_l0b, reader, to);
  } else {
    Turned<uint32_t>(part, to_l0b, reader, to);
  }
}

}  // namespace belay::npu
