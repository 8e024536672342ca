// SPDX-License-Identifier: Apache-2.0
// Fixpipe bit by bit against the documented arithmetic, element by element,
// and its layouts against the definition of each.

#include <bit>
#include <cmath>
#include <cstring>
#include <map>

#include "base/dtype.h"
#include "base/float16.h"
#include "cube_bench.h"

namespace belay::npu {
namespace {

using abi::DType;
using abi::Memory;
using abi::Op;
using abi::Quant;

struct Mode {
  Quant quant;
  DType from;
  DType to;
  bool vector = false;
};

constexpr Mode kModes[] = {
    {Quant::kNone, DType::kFloat, DType::kFloat},
    {Quant::kNone, DType::kInt32, DType::kInt32},
    {Quant::kF322F16, DType::kFloat, DType::kHalf},
    {Quant::kF322BF16, DType::kFloat, DType::kBfloat16},
    {Quant::kDeqF16, DType::kInt32, DType::kHalf},
    {Quant::kVDeqF16, DType::kInt32, DType::kHalf, true},
    {Quant::kQF322B8, DType::kFloat, DType::kInt8},
    {Quant::kVQF322B8, DType::kFloat, DType::kUint8, true},
    {Quant::kReq8, DType::kInt32, DType::kUint8},
    {Quant::kVReq8, DType::kInt32, DType::kInt8, true},
};

uint64_t Parameter(float scale, uint32_t shift, bool shifts, int offset,
                   bool is_signed) {
  return uint64_t{std::bit_cast<uint32_t>(scale)} | uint64_t{shift} << 32 |
         uint64_t{shifts} << 36 | uint64_t(offset & 0x1ff) << 37 |
         uint64_t{is_signed} << 46;
}

// The nearest multiple of 1, ties to even.
double Nearest(double value) {
  const double down = std::floor(value);
  const double rest = value - down;
  if (rest != 0.5) return rest < 0.5 ? down : down + 1;
  return std::fmod(down, 2) == 0 ? down : down + 1;
}

// Nearest half or bfloat16 by scaling to its last place; overflow to infinity.
double Narrow(double value, int mantissa, int least_exponent, double most) {
  if (value == 0 || !std::isfinite(value)) return value;
  int exponent;
  std::frexp(value, &exponent);
  const int place = std::max(exponent - 1, least_exponent) - mantissa;
  const double narrow = std::ldexp(Nearest(std::ldexp(value, -place)), place);
  return std::fabs(narrow) > most ? std::copysign(INFINITY, value) : narrow;
}

// What leaves for one element of L0C, as a number.
double Expected(const Mode& mode, bool relu, uint64_t parameter, double value) {
  const bool quantises = mode.quant > Quant::kF322BF16;
  double scale = 1;
  if (quantises) {
    const auto bits = static_cast<uint32_t>(parameter) & 0xffffe000u;
    scale = std::bit_cast<float>(bits);
  }
  if (mode.from == DType::kInt32 && quantises) {
    if ((parameter >> 36 & 1) != 0) {
      const auto shift = static_cast<int>(parameter >> 32 & 15) + 1;
      value =
          std::clamp(std::floor(std::ldexp(value, -shift)), -32768.0, 32767.0);
    }
    value = static_cast<float>(value);
  }
  // A product of float and a scale of 11 bits is exact in double.
  const bool below = value < 0;
  if (quantises) value = static_cast<float>(value * scale);
  if (relu && below) value = 0;
  if (mode.to == DType::kHalf) return Narrow(value, 10, -14, 65504);
  if (mode.to == DType::kBfloat16) {
    return Narrow(value, 7, -126, std::ldexp(255.0, 120));
  }
  if (BitsOf(mode.to) == 8) {
    int offset = static_cast<int>(parameter >> 37 & 0x1ff);
    if (offset >= 256) offset -= 512;
    const double moved = Nearest(std::clamp(value, -256.0, 255.0)) + offset;
    const bool is_signed = (parameter >> 46 & 1) != 0;
    return std::clamp(moved, is_signed ? -128.0 : 0.0,
                      is_signed ? 127.0 : 255.0);
  }
  return value;
}

double Decode(DType dtype, const uint8_t* at, bool is_signed) {
  uint32_t bits = 0;
  std::memcpy(&bits, at, BytesOf(dtype));
  switch (dtype) {
    case DType::kHalf:
      return ToFloat(Half{static_cast<uint16_t>(bits)});
    case DType::kBfloat16:
      return ToFloat(Bfloat16{static_cast<uint16_t>(bits)});
    case DType::kInt32:
      return static_cast<int32_t>(bits);
    case DType::kFloat:
      return std::bit_cast<float>(bits);
    default:
      return is_signed ? static_cast<int8_t>(bits) : static_cast<double>(bits);
  }
}

class FixpipeTest : public CubeTest {
 protected:
  // Fills L0C with numbers that reach all ranges and many ties.
  void FillL0c(DType dtype, std::mt19937_64& random) {
    auto* words = At<uint32_t>(Memory::kL0c);
    for (int i = 0; i < 32768; ++i) {
      const int exponent = static_cast<int>(random() % 40) - 20;
      double value =
          std::ldexp(static_cast<double>(random() % 4096) - 2048, exponent);
      if (random() % 3 == 0) value = (static_cast<int>(random() % 1001) - 500);
      if (random() % 7 == 0) {
        value = (static_cast<int>(random() % 1001) - 500) + 0.5;
      }
      words[i] = dtype == DType::kFloat
                     ? std::bit_cast<uint32_t>(static_cast<float>(value))
                     : static_cast<uint32_t>(static_cast<int32_t>(
                           std::clamp(value, -2147483648.0, 2147483647.0)));
    }
  }

  double Source(DType dtype, uint64_t offset) const {
    return Decode(dtype, At<uint8_t>(Memory::kL0c, offset), true);
  }

  // Parameters for 256 columns, in the register and in the fixpipe buffer.
  std::vector<uint64_t> SetParameters(std::mt19937_64& random) {
    std::vector<uint64_t> words(256);
    for (uint64_t& word : words) {
      // More mantissa bits than count.
      const float scale =
          std::ldexp(1.0f + static_cast<float>(random() % 8388608) / 8388608.0f,
                     static_cast<int>(random() % 8) - 6);
      word = Parameter(
          random() % 4 == 0 ? -scale : scale, random() % 16, random() % 2 == 0,
          static_cast<int>(random() % 512) - 256, random() % 2 == 0);
    }
    abi::Instruction flag{};
    flag.op = Op::kSetFixpipePreQuantFlag;
    flag.scalar = words[0];
    Run(flag);
    std::vector<uint8_t> bytes(2048);
    std::memcpy(bytes.data(), words.data(), bytes.size());
    abi::Instruction copy{};
    copy.op = Op::kDataCopy;
    copy.dst = Local(Memory::kL1, 0, DType::kUint64);
    copy.src0 = Global(Put(bytes), DType::kUint64);
    copy.transfer.block_count = 1;
    copy.transfer.block_bytes = 2048;
    Run(copy);
    copy.src0 = copy.dst;
    copy.dst = Local(Memory::kFb, 0, DType::kUint64);
    Run(copy);
    abi::Instruction config{};
    config.op = Op::kSetFixpipeConfig;
    config.src1 = copy.dst;
    Run(config);
    return words;
  }

  abi::Instruction Fixpipe(const Mode& mode, abi::Operand dst,
                           abi::Fixpipe fixpipe) const {
    abi::Instruction instruction{};
    instruction.op = Op::kFixpipe;
    instruction.dst = dst;
    instruction.src0 = Local(Memory::kL0c, 0, mode.from);
    instruction.fixpipe = fixpipe;
    instruction.fixpipe.quant = mode.quant;
    return instruction;
  }
};

TEST_F(FixpipeTest, EveryModeIsExact) {
  std::mt19937_64 random(TestSeed());
  for (const Mode& mode : kModes) {
    for (const bool relu : {false, true}) {
      for (int round = 0; round < 4; ++round) {
        SCOPED_TRACE(std::string(AscendNameOf(mode.from)) + " to " +
                     std::string(AscendNameOf(mode.to)) +
                     (relu ? " with ReLU" : ""));
        FillL0c(mode.from, random);
        const std::vector<uint64_t> words = SetParameters(random);
        constexpr uint32_t kM = 37;
        constexpr uint32_t kN = 67;
        const uint64_t bytes = BytesOf(mode.to);
        const uint64_t out = chip_.global().Allocate(kM * 80 * bytes);
        abi::Fixpipe fixpipe{};
        fixpipe.n = kN;
        fixpipe.m = kM;
        fixpipe.source_stride = 48;
        fixpipe.destination_stride = 80;
        fixpipe.nz2nd = 1;
        fixpipe.relu = relu;
        Run(Fixpipe(mode, Global(out, mode.to), fixpipe));
        for (uint32_t m = 0; m < kM; ++m) {
          for (uint32_t n = 0; n < kN; ++n) {
            const uint64_t word = words[mode.vector ? n : 0];
            const double source = Source(
                mode.from, (uint64_t{n / 16} * 48 + m) * 64 + n % 16 * 4);
            const auto* at = reinterpret_cast<const uint8_t*>(
                out + (uint64_t{m} * 80 + n) * bytes);
            ASSERT_EQ(Decode(mode.to, at, (word >> 46 & 1) != 0),
                      Expected(mode, relu, word, source))
                << "of " << source << " by " << std::hex << word;
          }
        }
      }
    }
  }
}

// Where element (m, n) goes by NZ: fractals of 16 columns, 32 of 8 bits, 8
// when channels are split.
uint64_t NzOffset(uint32_t m, uint32_t n, uint32_t n_size, uint64_t bytes,
                  uint64_t stride, bool split) {
  if (bytes == 1) {
    const uint32_t block = n / 32;
    const bool alone = (block + 1) * 32 > n_size;
    return block * stride * 32 + m * (alone ? 16 : 32) + n % 32;
  }
  const uint32_t width = split ? 8 : 16;
  return n / width * stride * 32 + (uint64_t{m} * width + n % width) * bytes;
}

TEST_F(FixpipeTest, NzLayoutsOfEveryType) {
  std::mt19937_64 random(TestSeed());
  for (const Mode& mode : kModes) {
    for (const bool split : {false, true}) {
      for (const Memory to : {Memory::kGm, Memory::kL1}) {
        if (split && (mode.to != DType::kFloat || to == Memory::kL1)) continue;
        if (mode.quant == Quant::kNone && to == Memory::kL1) continue;
        const uint32_t n_size = split ? 40 : 48;
        constexpr uint32_t kM = 21;
        FillL0c(mode.from, random);
        const std::vector<uint64_t> words = SetParameters(random);
        const uint64_t out = chip_.global().Allocate(65536);
        const abi::Operand dst = to == Memory::kGm
                                     ? Global(out, mode.to)
                                     : Local(Memory::kL1, 4096, mode.to);
        std::memset(reinterpret_cast<void*>(dst.address), 0xAA, 65536);
        abi::Fixpipe fixpipe{};
        fixpipe.n = n_size;
        fixpipe.m = kM;
        fixpipe.source_stride = 32;
        fixpipe.destination_stride = 50;
        fixpipe.channel_split = split;
        Run(Fixpipe(mode, dst, fixpipe));
        const uint64_t bytes = BytesOf(mode.to);
        std::map<uint64_t, bool> written;
        for (uint32_t m = 0; m < kM; ++m) {
          for (uint32_t n = 0; n < n_size; ++n) {
            const uint64_t at = NzOffset(m, n, n_size, bytes, 50, split);
            for (uint64_t i = 0; i < bytes; ++i) written[at + i] = true;
            const uint64_t word = words[mode.vector ? n : 0];
            const double source = Source(
                mode.from, (uint64_t{n / 16} * 32 + m) * 64 + n % 16 * 4);
            ASSERT_EQ(Decode(mode.to,
                             reinterpret_cast<const uint8_t*>(dst.address + at),
                             (word >> 46 & 1) != 0),
                      Expected(mode, false, word, source))
                << m << ", " << n;
          }
        }
        const auto* raw = reinterpret_cast<const uint8_t*>(dst.address);
        for (uint64_t i = 0; i < 65536; ++i) {
          if (!written.contains(i)) {
            ASSERT_EQ(raw[i], 0xAA) << "byte " << i;
          }
        }
      }
    }
  }
}

TEST_F(FixpipeTest, SeveralMatricesByRows) {
  std::mt19937_64 random(TestSeed());
  FillL0c(DType::kFloat, random);
  abi::Instruction flag{};
  flag.op = Op::kSetFixpipeNz2ndFlag;
  flag.nz2nd = {3, 4, 5000};
  Run(flag);
  const uint64_t out = chip_.global().Allocate(20000 * 4);
  abi::Fixpipe fixpipe{};
  fixpipe.n = 19;
  fixpipe.m = 20;
  fixpipe.source_stride = 32;
  fixpipe.destination_stride = 100;
  fixpipe.nz2nd = 1;
  Run(Fixpipe(kModes[0], Global(out, DType::kFloat), fixpipe));
  const auto* results = reinterpret_cast<const float*>(out);
  const auto* source = At<float>(Memory::kL0c);
  for (int matrix = 0; matrix < 3; ++matrix) {
    for (int m = 0; m < 20; ++m) {
      for (int n = 0; n < 19; ++n) {
        EXPECT_EQ(results[matrix * 5000 + m * 100 + n],
                  source[matrix * 4 * 256 + (n / 16 * 32 + m) * 16 + n % 16]);
      }
    }
  }
}

TEST_F(FixpipeTest, AddsToGlobalMemory) {
  auto* source = At<float>(Memory::kL0c);
  for (int i = 0; i < 256; ++i) source[i] = static_cast<float>(i);
  const uint64_t out = chip_.global().Allocate(1024);
  auto* results = reinterpret_cast<float*>(out);
  std::fill(results, results + 256, 0.5f);
  abi::Instruction atomic{};
  atomic.op = Op::kSetAtomic;
  atomic.dst.dtype = DType::kFloat;
  atomic.mode = static_cast<uint8_t>(abi::Atomic::kAdd);
  Run(atomic);
  abi::Fixpipe fixpipe{};
  fixpipe.n = 16;
  fixpipe.m = 16;
  fixpipe.source_stride = 16;
  fixpipe.destination_stride = 16;
  fixpipe.nz2nd = 1;
  for (int round = 0; round < 2; ++round) {
    Run(Fixpipe(kModes[0], Global(out, DType::kFloat), fixpipe));
  }
  for (int i = 0; i < 256; ++i) EXPECT_EQ(results[i], 0.5f + 2 * i);
}

TEST_F(FixpipeTest, HalfOverflowsOrSaturates) {
  auto* source = At<float>(Memory::kL0c);
  source[0] = 1e6f;
  source[1] = -1e6f;
  source[2] = NAN;
  const uint64_t out = chip_.global().Allocate(64);
  abi::Fixpipe fixpipe{};
  fixpipe.n = 3;
  fixpipe.m = 1;
  fixpipe.source_stride = 16;
  fixpipe.destination_stride = 16;
  fixpipe.nz2nd = 1;
  const auto* results = reinterpret_cast<const uint16_t*>(out);
  Run(Fixpipe(kModes[2], Global(out, DType::kHalf), fixpipe));
  EXPECT_EQ(results[0], 0x7c00);
  EXPECT_EQ(results[1], 0xfc00);
  EXPECT_EQ(results[2], 0x7e00);
  core_.vector.SetControl(0);
  Run(Fixpipe(kModes[2], Global(out, DType::kHalf), fixpipe));
  EXPECT_EQ(results[0], 0x7bff);
  EXPECT_EQ(results[1], 0xfbff);
  EXPECT_EQ(results[2], 0);
}

}  // namespace
}  // namespace belay::npu
