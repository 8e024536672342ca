// SPDX-License-Identifier: Apache-2.0
// Moves between global memory and the Unified Buffer: strides, padding,
// atomics, limits; against a byte-by-byte model.

#include <cstdlib>
#include <cstring>
#include <random>

#include "base/float16.h"
#include "chip_fixture.h"

namespace belay::npu {
namespace {

using abi::DType;
using abi::Memory;
using abi::Op;

class TransferTest : public ChipTest {
 protected:
  TransferTest() : gm_(chip_.global().Allocate(kGmBytes)) {
    std::memset(reinterpret_cast<void*>(gm_), 0x11, kGmBytes);
  }

  abi::Instruction Load(Op op, DType dtype, uint64_t ub, uint64_t gm,
                        abi::Transfer transfer) const {
    abi::Instruction move{};
    move.op = op;
    move.dst = Local(ub, dtype);
    move.src0 = Global(gm_ + gm, dtype);
    move.transfer = transfer;
    return move;
  }

  abi::Instruction Store(Op op, DType dtype, uint64_t gm, uint64_t ub,
                         abi::Transfer transfer) const {
    abi::Instruction move{};
    move.op = op;
    move.dst = Global(gm_ + gm, dtype);
    move.src0 = Local(ub, dtype);
    move.transfer = transfer;
    return move;
  }

  uint8_t* Gm(uint64_t offset = 0) const {
    return reinterpret_cast<uint8_t*>(gm_ + offset);
  }

  static constexpr uint64_t kGmBytes = 1 << 16;
  uint64_t gm_;
};

TEST_F(TransferTest, CopiesStridedBlocks) {
  for (int i = 0; i < 1024; ++i) Gm()[i] = static_cast<uint8_t>(i);
  EXPECT_EQ(CodeOf(Load(Op::kDataCopy, DType::kFloat, 0, 0,
                        {3, 64, 32, 96, 0, 0, 0, 0})),
            "");
  for (int block = 0; block < 3; ++block) {
    for (int i = 0; i < 64; ++i) {
      EXPECT_EQ(At<uint8_t>(block * 160)[i],
                static_cast<uint8_t>(block * 96 + i));
    }
    EXPECT_EQ(At<uint8_t>(block * 160)[64], kPoison);
  }
}

TEST_F(TransferTest, RandomPaddedMovesAgreeWithTheModel) {
  uint64_t seed = 20261115;
  if (const char* text = std::getenv("BELAY_SEED")) seed = std::atoll(text);
  std::cout << "BELAY_SEED=" << seed << "\n";
  std::mt19937_64 random(seed);
  const auto below = [&](uint64_t n) { return random() % n; };
  const DType types[] = {DType::kInt8, DType::kHalf, DType::kFloat,
                         DType::kInt64};
  const uint64_t sizes[] = {1, 2, 4, 8};
  for (int round = 0; round < 2000; ++round) {
    const int type = static_cast<int>(below(4));
    const uint64_t element = sizes[type];
    abi::Transfer t{};
    t.block_count = static_cast<uint32_t>(below(5));
    t.block_bytes = static_cast<uint32_t>(below(100) * element);
    t.source_gap = static_cast<int64_t>(below(70));
    t.destination_gap = static_cast<int64_t>(below(4)) * 32;
    t.is_pad = below(2);
    t.left_padding = static_cast<uint8_t>(below(32 / element + 1));
    t.right_padding = static_cast<uint8_t>(below(32 / element + 1));
    t.padding_value = random();
    for (uint64_t i = 0; i < kGmBytes; ++i) {
      Gm()[i] = static_cast<uint8_t>(random());
    }
    std::vector<uint8_t> model(65536);
    for (auto& byte : model) byte = static_cast<uint8_t>(random());
    std::memcpy(At<uint8_t>(0), model.data(), model.size());

    uint64_t to = 0;
    uint64_t from = 0;
    for (uint32_t block = 0; block < t.block_count; ++block) {
      const uint64_t left = t.left_padding * element;
      const uint64_t right = t.right_padding * element;
      const uint64_t whole = (left + t.block_bytes + right + 31) / 32 * 32;
      for (uint64_t i = 0; i < whole; ++i) {
        const bool data = i >= left && i < left + t.block_bytes;
        // Position inside the padding element.
        const uint64_t part =
            (i < left ? i : i - left - t.block_bytes) % element;
        uint8_t value = kPoison;
        if (data) {
          value = Gm()[from + i - left];
        } else if (left + right == 0) {
          value = Gm()[from + part];
        } else if (t.is_pad) {
          value = static_cast<uint8_t>(t.padding_value >> (8 * part));
        }
        model[to + i] = value;
      }
      from += t.block_bytes + t.source_gap;
      to += whole + t.destination_gap;
    }
    ASSERT_EQ(CodeOf(Load(Op::kDataCopyPad, types[type], 0, 0, t)), "")
        << message_;
    ASSERT_EQ(std::memcmp(At<uint8_t>(0), model.data(), model.size()), 0)
        << "round " << round;
  }
}

TEST_F(TransferTest, PaddedStoreWritesExactBytes) {
  for (int i = 0; i < 256; ++i) At<uint8_t>(0)[i] = static_cast<uint8_t>(i);
  // Each block starts at the next 32 bytes of the buffer.
  EXPECT_EQ(CodeOf(Store(Op::kDataCopyPad, DType::kInt8, 5, 0,
                         {2, 33, 32, 7, 0, 0, 0, 0})),
            "");
  for (int i = 0; i < 33; ++i) {
    EXPECT_EQ(Gm(5)[i], i);
    EXPECT_EQ(Gm(5 + 40)[i], 96 + i);
  }
  EXPECT_EQ(Gm(4)[0], 0x11);
  EXPECT_EQ(Gm(38)[0], 0x11);
  EXPECT_EQ(Gm(5 + 40 + 33)[0], 0x11);
}

TEST_F(TransferTest, AtomicsAccumulateInTheirType) {
  const auto set = [&](abi::Atomic mode, DType dtype) {
    abi::Instruction atomic{};
    atomic.op = Op::kSetAtomic;
    atomic.mode = static_cast<uint8_t>(mode);
    atomic.dst.dtype = dtype;
    EXPECT_EQ(CodeOf(atomic), "");
  };
  auto* place = reinterpret_cast<Half*>(Gm());
  for (int i = 0; i < 16; ++i) {
    place[i] = HalfFromFloat(static_cast<float>(i));
    At<Half>(0)[i] = HalfFromFloat(2.5f);
  }
  const abi::Transfer block{1, 32, 0, 0, 0, 0, 0, 0};
  set(abi::Atomic::kAdd, DType::kHalf);
  EXPECT_EQ(CodeOf(Store(Op::kDataCopy, DType::kHalf, 0, 0, block)), "");
  for (int i = 0; i < 16; ++i) EXPECT_EQ(ToFloat(place[i]), i + 2.5f);
  set(abi::Atomic::kMin, DType::kHalf);
  EXPECT_EQ(CodeOf(Store(Op::kDataCopy, DType::kHalf, 0, 0, block)), "");
  for (int i = 0; i < 16; ++i) EXPECT_EQ(ToFloat(place[i]), 2.5f);
  set(abi::Atomic::kNone, DType::kNone);
  At<Half>(0)[0] = HalfFromFloat(9.0f);
  EXPECT_EQ(CodeOf(Store(Op::kDataCopy, DType::kHalf, 0, 0, block)), "");
  EXPECT_EQ(ToFloat(place[0]), 9.0f);
}

TEST_F(TransferTest, LengthsTheChipRoundsDownAreReported) {
  std::memset(Gm(), 0x22, 64);
  EXPECT_EQ(CodeOf(Load(Op::kDataCopy, DType::kFloat, 0, 0,
                        {1, 40, 0, 0, 0, 0, 0, 0})),
            "");
  ASSERT_EQ(reported_.size(), 1u);
  EXPECT_EQ(reported_[0].code, "BLY-N108");
  EXPECT_EQ(reported_[0].severity, Severity::kWarning);
  EXPECT_EQ(At<uint8_t>(0)[31], 0x22);
  EXPECT_EQ(At<uint8_t>(0)[32], kPoison);
}

TEST_F(TransferTest, TrapsWhatDoesNotFit) {
  const auto load = [&](abi::Transfer transfer, uint64_t ub = 0,
                        uint64_t gm = 0) {
    return CodeOf(Load(Op::kDataCopy, DType::kHalf, ub, gm, transfer));
  };
  EXPECT_EQ(load({4096, 32, 0, 0, 0, 0, 0, 0}), "BLY-N108");
  EXPECT_EQ(load({1, 65536 * 32, 0, 0, 0, 0, 0, 0}), "BLY-N108");
  EXPECT_EQ(load({2, 32, 65536 * 32, 0, 0, 0, 0, 0}), "BLY-N104");
  EXPECT_EQ(load({1, 32, 0, 0, 0, 0, 0, 0}, 16), "BLY-N102");
  EXPECT_EQ(load({1, 64, 0, 0, 0, 0, 0, 0}, 196608 - 32), "BLY-N101");
  EXPECT_EQ(load({1, 32, 0, 0, 0, 0, 0, 0}, 0, kGmBytes), "BLY-N109");
  EXPECT_EQ(load({1, 64, 0, 0, 0, 0, 0, 0}, 0, kGmBytes - 32), "BLY-N109");
  EXPECT_EQ(CodeOf(Load(Op::kDataCopyPad, DType::kHalf, 0, 0,
                        {1, 2, 0, 0, 1, 17, 0, 0})),
            "BLY-N110");
  EXPECT_EQ(load({0, 32, 0, 0, 0, 0, 0, 0}), "");
}

}  // namespace
}  // namespace belay::npu
