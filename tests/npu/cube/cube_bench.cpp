// SPDX-License-Identifier: Apache-2.0
#include "cube_bench.h"

#include <cstdlib>
#include <cstring>
#include <iostream>

#include "base/dtype.h"
#include "base/float16.h"

namespace belay::npu {

uint64_t TestSeed() {
  uint64_t seed = 20261115;
  if (const char* text = std::getenv("BELAY_SEED")) seed = std::atoll(text);
  std::cout << "BELAY_SEED=" << seed << "\n";
  return seed;
}

Matrix Matrix::Transposed() const {
  Matrix turned{dtype, columns, rows, std::vector<double>(values.size())};
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      turned.At(column, row) = At(row, column);
    }
  }
  return turned;
}

Matrix RandomMatrix(abi::DType dtype, uint32_t rows, uint32_t columns,
                    std::mt19937_64& random) {
  Matrix matrix{dtype, rows, columns,
                std::vector<double>(size_t{rows} * columns)};
  std::uniform_real_distribution<float> real(-3.0f, 3.0f);
  for (double& value : matrix.values) {
    switch (dtype) {
      case abi::DType::kInt4:
        value = static_cast<int>(random() % 16) - 8;
        break;
      case abi::DType::kInt8:
        value = static_cast<int>(random() % 256) - 128;
        break;
      case abi::DType::kHalf:
        value = ToFloat(HalfFromFloat(real(random)));
        break;
      case abi::DType::kBfloat16:
        value = ToFloat(BfloatFromFloat(real(random)));
        break;
      default:
        value = real(random);
        break;
    }
  }
  return matrix;
}

std::vector<uint8_t> BytesOfMatrix(const Matrix& matrix) {
  const size_t bits = BitsOf(matrix.dtype);
  std::vector<uint8_t> bytes(matrix.values.size() * bits / 8);
  for (size_t i = 0; i < matrix.values.size(); ++i) {
    const double value = matrix.values[i];
    const auto put = [&](auto typed) {
      std::memcpy(bytes.data() + i * sizeof typed, &typed, sizeof typed);
    };
    switch (matrix.dtype) {
      case abi::DType::kInt4:
        bytes[i / 2] |= (static_cast<int>(value) & 15) << (i % 2 * 4);
        break;
      case abi::DType::kInt8:
        put(static_cast<int8_t>(value));
        break;
      case abi::DType::kHalf:
        put(HalfFromFloat(static_cast<float>(value)));
        break;
      case abi::DType::kBfloat16:
        put(BfloatFromFloat(static_cast<float>(value)));
        break;
      default:
        put(static_cast<float>(value));
        break;
    }
  }
  return bytes;
}

CubeTest::CubeTest() : chip_(LoadChip(kDefaultChip)), core_(chip_.CubeCore(2)) {
  chip_.on_chip().Poison(core_.slot);
}

uint64_t CubeTest::Base(abi::Memory memory) const {
  return chip_.on_chip().Base(core_.slot, memory);
}

abi::Operand CubeTest::Local(abi::Memory memory, uint64_t offset,
                             abi::DType dtype) const {
  return {Base(memory) + offset, 0, 0, dtype, memory};
}

abi::Operand CubeTest::Global(uint64_t address, abi::DType dtype) {
  return {address, 0, 0, dtype, abi::Memory::kGm};
}

uint64_t CubeTest::Put(const std::vector<uint8_t>& bytes) {
  const uint64_t address = chip_.global().Allocate(bytes.size());
  std::memcpy(reinterpret_cast<void*>(address), bytes.data(), bytes.size());
  return address;
}

std::string CubeTest::CodeOf(abi::Instruction instruction) {
  try {
    chip_.Issue(core_, instruction);
  } catch (Trap& trap) {
    message_ = trap.fault().diagnostic.message;
    return trap.fault().diagnostic.code;
  }
  message_.clear();
  return "";
}

void CubeTest::Run(const abi::Instruction& instruction) {
  EXPECT_EQ(CodeOf(instruction), "") << message_;
}

uint32_t CubeTest::CopyToL1(uint64_t gm, uint64_t l1, const Matrix& matrix,
                            uint32_t row_unit) {
  // int4 is moved as pairs.
  const bool pairs = matrix.dtype == abi::DType::kInt4;
  const abi::DType dtype = pairs ? abi::DType::kInt8 : matrix.dtype;
  const uint32_t columns = pairs ? matrix.columns / 2 : matrix.columns;
  const uint32_t l1_rows = (matrix.rows + row_unit - 1) / row_unit * row_unit;
  abi::Instruction copy{};
  copy.op = abi::Op::kDataCopyNd2Nz;
  copy.dst = Local(abi::Memory::kL1, l1, dtype);
  copy.src0 = Global(gm, dtype);
  copy.nd2nz = {1, matrix.rows, columns, 0, columns, l1_rows, 1, 0};
  Run(copy);
  return l1_rows;
}

abi::Instruction CubeTest::Load2D(abi::Op op, abi::Memory to,
                                  uint64_t to_offset, uint64_t l1,
                                  abi::DType dtype, abi::Load2D load) {
  abi::Instruction instruction{};
  instruction.op = op;
  instruction.dst = Local(to, to_offset, dtype);
  instruction.src0 = Local(abi::Memory::kL1, l1, dtype);
  instruction.load2d = load;
  return instruction;
}

void CubeTest::Load3D(abi::Memory to, uint64_t l1, abi::DType dtype,
                      uint32_t rows, uint32_t l1_rows, uint32_t columns,
                      bool transpose) {
  const uint32_t block = 256 / BitsOf(dtype);
  const auto wide =
      static_cast<uint16_t>((columns + block - 1) / block * block);
  abi::Instruction map{};
  map.op = abi::Op::kSetFmatrix;
  map.fmatrix = {1, static_cast<uint16_t>(l1_rows), 0, 0, 0, 0};
  Run(map);
  abi::Instruction load{};
  load.op = abi::Op::kLoadData3D;
  load.dst = Local(to, 0, dtype);
  load.src0 = Local(abi::Memory::kL1, l1, dtype);
  load.load3d.channels = wide;
  load.load3d.k_extension = wide;
  load.load3d.m_extension = static_cast<uint16_t>(rows);
  load.load3d.filter_width = load.load3d.filter_height = 1;
  load.load3d.stride_width = load.load3d.stride_height = 1;
  load.load3d.dilation_width = load.load3d.dilation_height = 1;
  load.load3d.transpose = transpose;
  Run(load);
}

}  // namespace belay::npu
