// SPDX-License-Identifier: Apache-2.0
// Sort32, MrgSort, Transpose, TransDataTo5HD, and what reductions and merges
// leave in registers: every element type.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "kernels.h"
#include "naive_numbers.h"

namespace belay::sweep::sweep_sort {
namespace {

template <typename T>
void SweepSort32() {
  Bench& bench = Bench::Get();
  for (int i = 0; i < kCalls; ++i) {
    const Call call = bench.draw.Lanes(Form::kCount, {64, 64, 64});
    abi::Instruction record{};
    record.op = abi::Op::kSort32;
    record.form = abi::Form::kRegister;
    record.repeat = bench.draw.OneOf<uint32_t>({0, 1, 3, 9});
    constexpr abi::DType kType = Type<T>::kDType;
    record.dst = {call.dst.at, 1, 8, kType, abi::Memory::kUb};
    record.src0 = {call.src0.at, 1, sizeof(T), kType, abi::Memory::kUb};
    record.src1 = {call.src1.at, 1, 4, abi::DType::kUint32, abi::Memory::kUb};
    bench.Fill(record.src0);
    bench.Fill(record.src1);
    bench.Check({"Vector", "Sort32", Type<T>::kName, "call"}, {record}, {},
                [&] {
                  AscendC::Sort32(TensorAt<T>(call.dst), TensorAt<T>(call.src0),
                                  TensorAt<uint32_t>(call.src1), record.repeat);
                });
  }
}

TEST(Sort, Sort32) {
  ForEach(HalfFloat{}, []<typename T>() { SweepSort32<T>(); });
}

// Puts `count` pairs with falling values at `at`.
void PutSortedPairs(uint32_t at, uint32_t count, abi::DType dtype) {
  Bench& bench = Bench::Get();
  std::vector<long double> values(count);
  for (auto& value : values) {
    value = static_cast<long double>(bench.draw.Below(200)) - 100;
  }
  std::sort(values.rbegin(), values.rend());
  for (uint32_t k = 0; k < count; ++k) {
    const uint64_t pair =
        npu::naive::Encode(values[k], dtype, abi::Round::kRint, false) |
        bench.draw.Word() << 32;
    std::memcpy(bench.image() + at + 8 * k, &pair, 8);
  }
}

template <typename T>
void SweepMrgSort() {
  Bench& bench = Bench::Get();
  for (int i = 0; i < 3 * kCalls; ++i) {
    abi::Instruction record{};
    record.op = abi::Op::kMrgSort;
    record.form = abi::Form::kRegister;
    constexpr abi::DType kType = Type<T>::kDType;
    // Four equal lists, one behind the other, may be merged several times.
    const bool uniform = i % 3 == 0;
    record.repeat =
        uniform ? 1 + static_cast<uint32_t>(bench.draw.Below(3)) : 1;
    record.dst = {kDstAt, 1, 8, kType, abi::Memory::kUb};
    record.src0 = {kSrc0At, 1, 8, kType, abi::Memory::kUb};
    record.merge.valid = uniform ? 15 : bench.draw.OneOf<uint8_t>({3, 7, 15});
    record.merge.stop_when_exhausted =
        !uniform && bench.draw.Chance(50) ? 1 : 0;
    const auto length = static_cast<uint32_t>(1 + bench.draw.Below(40));
    for (uint32_t list = 0; list < 4; ++list) {
      record.merge.count[list] =
          uniform ? length : static_cast<uint32_t>(1 + bench.draw.Below(60));
      record.merge.list[list] =
          kSrc0At + (uniform ? list * 8 * length : list * 1024);
      for (uint32_t repeat = 0; repeat < record.repeat; ++repeat) {
        PutSortedPairs(static_cast<uint32_t>(record.merge.list[list]) +
                           repeat * 32 * length,
                       record.merge.count[list], kType);
      }
    }
    uint16_t taken[4] = {};
    const Cell cell{"Vector", "MrgSort", Type<T>::kName, "call"};
    bench.Check(cell, {record}, {}, [&] {
      const auto list = [&](int k) {
        return TensorAt<T>(static_cast<uint32_t>(record.merge.list[k]));
      };
      const AscendC::MrgSortSrcList<T> lists(list(0), list(1), list(2),
                                             list(3));
      AscendC::MrgSort4Info info;
      for (int k = 0; k < 4; ++k) {
        info.elementLengths[k] = static_cast<uint16_t>(record.merge.count[k]);
      }
      info.ifExhaustedSuspension = record.merge.stop_when_exhausted != 0;
      info.validBit = record.merge.valid;
      info.repeatTimes = static_cast<uint16_t>(record.repeat);
      AscendC::MrgSort(TensorAt<T>(kDstAt), lists, info);
      AscendC::GetMrgSortResult(taken[0], taken[1], taken[2], taken[3]);
    });
    const uint16_t* merged = bench.expected_state().merged;
    bench.Note({"Vector", "GetMrgSortResult", Type<T>::kName, "call"},
               std::equal(taken, taken + 4, merged),
               "the numbers of merged pairs are wrong");
  }
}

TEST(Sort, MrgSort) {
  ForEach(HalfFloat{}, []<typename T>() { SweepMrgSort<T>(); });
}

TEST(Sort, Transpose) {
  ForEach(Types<int16_t, uint16_t, half>{}, []<typename T>() {
    Bench& bench = Bench::Get();
    abi::Instruction record{};
    record.op = abi::Op::kTranspose;
    record.form = abi::Form::kRegister;
    record.repeat = 1;
    record.dst = {kDstAt, 1, 8, Type<T>::kDType, abi::Memory::kUb};
    record.src0 = {kSrc0At, 1, 8, Type<T>::kDType, abi::Memory::kUb};
    bench.Fill(record.src0);
    bench.Check(
        {"Vector", "Transpose", Type<T>::kName, "call"}, {record}, {},
        [] { AscendC::Transpose(TensorAt<T>(kDstAt), TensorAt<T>(kSrc0At)); });
  });
}

// The three ways to hand over the sixteen rows.
enum class Lists { kAddresses, kTensors, kTensorOfAddresses };

template <typename T>
void TransposeRows(const uint64_t to[16], const uint64_t from[16],
                   const AscendC::TransDataTo5HDParams& params, Lists lists) {
  AscendC::LocalTensor<T> dst[16];
  AscendC::LocalTensor<T> src[16];
  uint64_t destinations[16];
  uint64_t sources[16];
  for (int row = 0; row < 16; ++row) {
    dst[row] = TensorAt<T>(static_cast<uint32_t>(to[row]));
    src[row] = TensorAt<T>(static_cast<uint32_t>(from[row]));
    destinations[row] = static_cast<uint64_t>(dst[row].GetPhyAddr());
    sources[row] = static_cast<uint64_t>(src[row].GetPhyAddr());
  }
  switch (lists) {
    case Lists::kAddresses:
      return AscendC::TransDataTo5HD<T>(destinations, sources, params);
    case Lists::kTensors:
      return AscendC::TransDataTo5HD<T>(dst, src, params);
    case Lists::kTensorOfAddresses: {
      // Written past the pipe, so that only the transposition is compared.
      const auto at = TensorAt<uint64_t>(kSrc1At);
      const auto from_at = TensorAt<uint64_t>(kSrc1At + 128);
      std::memcpy(reinterpret_cast<void*>(at.GetPhyAddr()), destinations, 128);
      std::memcpy(reinterpret_cast<void*>(from_at.GetPhyAddr()), sources, 128);
      return AscendC::TransDataTo5HD<T>(at, from_at, params);
    }
  }
}

template <typename T>
void SweepTransDataTo5HD() {
  Bench& bench = Bench::Get();
  for (int i = 0; i < kCalls; ++i) {
    const auto lists = static_cast<Lists>(i % 2);
    uint64_t to[16];
    uint64_t from[16];
    for (uint64_t row = 0; row < 16; ++row) {
      to[row] = kDstAt + 2048 * row;
      from[row] = kSrc0At + 2048 * ((row * 5) % 16);
    }
    abi::Instruction record{};
    record.op = abi::Op::kTransDataTo5HD;
    record.form = abi::Form::kRegister;
    record.repeat = bench.draw.OneOf<uint32_t>({1, 2, 4});
    record.dst = {0, 1, bench.draw.OneOf<uint32_t>({1, 3}), Type<T>::kDType,
                  abi::Memory::kUb};
    record.src0 = {0, 1, bench.draw.OneOf<uint32_t>({1, 2}), Type<T>::kDType,
                   abi::Memory::kUb};
    if (record.repeat == 1) {
      record.dst.repeat_stride = record.src0.repeat_stride = 0;
    }
    record.lists.destinations = reinterpret_cast<uint64_t>(to);
    record.lists.sources = reinterpret_cast<uint64_t>(from);
    record.lists.destination_high_half = bench.draw.Chance(50) ? 1 : 0;
    record.lists.source_high_half = bench.draw.Chance(50) ? 1 : 0;
    bench.Fill(kSrc0At, 32 * 1024, Type<T>::kDType);
    bench.Check({"Vector", "TransDataTo5HD", Type<T>::kName, "call"}, {record},
                {}, [&] {
                  AscendC::TransDataTo5HDParams params;
                  params.dstHighHalf = record.lists.destination_high_half != 0;
                  params.srcHighHalf = record.lists.source_high_half != 0;
                  params.repeatTimes = record.repeat;
                  params.dstRepStride = record.dst.repeat_stride;
                  params.srcRepStride = record.src0.repeat_stride;
                  TransposeRows<T>(to, from, params, lists);
                });
  }
}

TEST(Sort, TransDataTo5HD) {
  using Rows =
      Types<int8_t, uint8_t, int16_t, uint16_t, half, int32_t, uint32_t, float>;
  ForEach(Rows{}, []<typename T>() { SweepTransDataTo5HD<T>(); });
}

// The compiler takes these, the chip has them not.
TEST(Sort, TransposesOfOtherTypesAreRefused) {
  using NotTransposed =
      Types<bool, AscendC::int4b_t, int8_t, uint8_t, bfloat16_t, int32_t,
            uint32_t, float, int64_t, uint64_t, double>;
  ForEach(NotTransposed{}, []<typename T>() {
    Bench::Get().CheckRefused(
        {"Vector", "Transpose", Type<T>::kName, "refused"}, "BLY-N107",
        [] { AscendC::Transpose(TensorAt<T>(kDstAt), TensorAt<T>(kSrc0At)); });
  });
  using NotRows =
      Types<bool, AscendC::int4b_t, bfloat16_t, int64_t, uint64_t, double>;
  ForEach(NotRows{}, []<typename T>() {
    Bench::Get().CheckRefused(
        {"Vector", "TransDataTo5HD", Type<T>::kName, "refused"}, "BLY-N107",
        [] {
          uint64_t to[16];
          uint64_t from[16];
          for (uint64_t row = 0; row < 16; ++row) {
            to[row] = kDstAt + 32 * row;
            from[row] = kSrc0At + 32 * row;
          }
          TransposeRows<T>(to, from, AscendC::TransDataTo5HDParams(),
                           Lists::kTensors);
        });
  });
}

// What the scalar unit reads after a reduction.
template <typename T>
void SweepReducedRegisters() {
  Bench& bench = Bench::Get();
  for (int i = 0; i < kCalls; ++i) {
    const Call call = bench.draw.Lanes(Form::kCount, {kBits<T>, kBits<T>});
    bench.Fill(call.src0.at, 8192, Type<T>::kDType);
    const int64_t count = std::max<int64_t>(call.count, 1);
    uint64_t sum = 0;
    uint64_t value = 0;
    uint64_t index = 0;
    const Outcome& outcome = bench.Run([&] {
      const auto dst = TensorAt<T>(call.dst);
      const auto src = TensorAt<T>(call.src0);
      const auto work = TensorAt<T>(call.src1);
      const auto bits = [](T element) {
        uint64_t word = 0;
        std::memcpy(&word, &element, sizeof element);
        return word;
      };
      AscendC::ReduceSum(dst, src, work, count);
      sum = bits(AscendC::GetReduceRepeatSumSpr<T>());
      AscendC::ReduceRepeat<AscendC::ReduceType::MAX, T>(
          dst, src, static_cast<int32_t>(2048 / kBits<T>), 3, 1, 1, 8);
      T extremum;
      T place;
      AscendC::GetReduceRepeatMaxMinSpr<T>(extremum, place);
      value = bits(extremum);
      index = bits(place);
    });
    bench.Note({"Vector", "GetReduceRepeatSumSpr", Type<T>::kName, "call"},
               outcome.ok && sum == outcome.state.reduced_sum,
               "the sum is not the register's " + outcome.message);
    bench.Note({"Vector", "GetReduceRepeatMaxMinSpr", Type<T>::kName, "call"},
               outcome.ok && value == outcome.state.reduced_value &&
                   index == outcome.state.reduced_index,
               "the extremum is not the register's " + outcome.message);
  }
}

TEST(Sort, ReducedRegisters) {
  ForEach(HalfFloat{}, []<typename T>() { SweepReducedRegisters<T>(); });
}

}  // namespace
}  // namespace belay::sweep::sweep_sort
