// SPDX-License-Identifier: Apache-2.0
// CreateVecIndex, Copy, Gatherb and GatherMask: every element type and form.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "kernels.h"

namespace belay::sweep::sweep_move {
namespace {

template <typename T>
void SweepIndex() {
  Bench& bench = Bench::Get();
  for (const Form form : {Form::kCount, Form::kMask, Form::kBits}) {
    for (int i = 0; i < kCalls; ++i) {
      Call call = bench.draw.Lanes(form, {kBits<T>});
      call.counter = false;
      call.mask = std::min<uint64_t>(call.mask, 2048 / kBits<T>);
      call.scalar =
          bench.Element(Type<T>::kDType) & ((uint64_t{1} << kBits<T>)-1);
      const abi::Instruction record = RecordOf(
          abi::Op::kCreateVecIndex, call, Type<T>::kDType, abi::DType::kNone);
      bench.Check(
          {"Vector", "CreateVecIndex", Type<T>::kName, NameOf(form)}, {record},
          StateBefore(call), [&] {
            const auto dst = TensorAt<T>(call.dst);
            const T first = ValueOf<T>(call.scalar);
            if (form == Form::kCount) {
              AscendC::CreateVecIndex(dst, first,
                                      static_cast<uint32_t>(call.count));
            } else if (form == Form::kMask) {
              AscendC::CreateVecIndex(dst, first, call.mask, call.repeat,
                                      call.dst.block, call.dst.repeat);
            } else {
              AscendC::CreateVecIndex(dst, first, call.bits, call.repeat,
                                      call.dst.block, call.dst.repeat);
            }
          });
    }
  }
}

TEST(Move, CreateVecIndex) {
  ForEach(Arithmetic{}, []<typename T>() { SweepIndex<T>(); });
}

// In counter mode the register counts the elements of every repeat.
template <typename T>
void SweepCopy() {
  Bench& bench = Bench::Get();
  for (const Form form : kMaskForms) {
    for (int i = 0; i < kCalls; ++i) {
      Call call = bench.draw.Lanes(form, {kBits<T>, kBits<T>});
      if (call.counter) {
        call.dst.block = 1;
        call.dst.repeat = 9;
        call.count = std::min<int64_t>(call.count, 2048 / kBits<T>);
        if (form == Form::kMask) call.mask = static_cast<uint64_t>(call.count);
      }
      const abi::Instruction record =
          RecordOf(abi::Op::kCopy, call, Type<T>::kDType, Type<T>::kDType);
      bench.Fill(record.src0);
      bench.Check({"Vector", "Copy", Type<T>::kName, NameOf(form)}, {record},
                  StateBefore(call), [&] {
                    AscendC::CopyRepeatParams params;
                    params.dstStride = call.dst.block;
                    params.srcStride = call.src0.block;
                    params.dstRepeatSize = call.dst.repeat;
                    params.srcRepeatSize = call.src0.repeat;
                    SetRegisters<T>(call);
                    WithMask(call, [&](const auto& mask, auto set) {
                      AscendC::Copy<T, decltype(set)::value>(
                          TensorAt<T>(call.dst), TensorAt<T>(call.src0), mask,
                          call.repeat, params);
                    });
                  });
    }
  }
}

TEST(Move, Copy) {
  ForEach(Moved{}, []<typename T>() { SweepCopy<T>(); });
}

template <typename T>
void SweepGatherb() {
  Bench& bench = Bench::Get();
  for (int i = 0; i < kCalls; ++i) {
    Call call = bench.draw.Lanes(Form::kRegister, {kBits<T>, kBits<T>});
    call.counter = false;
    abi::Instruction record =
        RecordOf(abi::Op::kGatherb, call, Type<T>::kDType, Type<T>::kDType);
    record.src0 = {call.src0.at, 1, 8, Type<T>::kDType, abi::Memory::kUb};
    record.src1 = {call.src1.at, 1, 1, abi::DType::kUint32, abi::Memory::kUb};
    bench.Fill(record.src0);
    for (uint32_t k = 0; k < 8 * call.repeat; ++k) {
      const uint32_t offset = 32 * static_cast<uint32_t>(bench.draw.Below(300));
      std::memcpy(bench.image() + call.src1.at + 4 * k, &offset, 4);
    }
    bench.Check(
        {"Vector", "Gatherb", Type<T>::kName, "call"}, {record}, {}, [&] {
          AscendC::GatherRepeatParams params;
          params.dstBlkStride = call.dst.block;
          params.dstRepStride = call.dst.repeat;
          AscendC::Gatherb(TensorAt<T>(call.dst), TensorAt<T>(call.src0),
                           TensorAt<uint32_t>(call.src1), call.repeat, params);
        });
  }
}

TEST(Move, Gatherb) {
  ForEach(Types<uint16_t, uint32_t>{}, []<typename T>() { SweepGatherb<T>(); });
}

// The pattern is bits of the same width as the elements.
template <typename T>
using PatternOf = std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t>;

template <typename T>
void SweepGatherMask(bool built_in) {
  Bench& bench = Bench::Get();
  using Pattern = PatternOf<T>;
  for (int i = 0; i < 2 * kCalls; ++i) {
    Call call = bench.draw.Lanes(Form::kRegister, {kBits<T>, kBits<T>});
    call.counter = false;
    const bool by_mask = bench.draw.Chance(50);
    const auto pattern =
        built_in ? static_cast<uint8_t>(1 + bench.draw.Below(7)) : uint8_t{0};
    const auto pattern_stride = bench.draw.OneOf<uint32_t>({0, 1, 2});
    abi::Instruction record =
        RecordOf(abi::Op::kGatherMask, call, Type<T>::kDType, Type<T>::kDType);
    record.count = by_mask ? 1 + bench.draw.Below(2048 / kBits<T>) : 0;
    record.dst = {call.dst.at, 1, 8, Type<T>::kDType, abi::Memory::kUb};
    if (!built_in) {
      record.src1 = {call.src1.at, 1, pattern_stride, Type<Pattern>::kDType,
                     abi::Memory::kUb};
      bench.Fill(record.src1);
    }
    record.gather_mask.pattern = pattern;
    record.gather_mask.by_mask = by_mask ? 1 : 0;
    record.gather_mask.src1_repeat_stride = pattern_stride;
    bench.Fill(record.src0);
    uint64_t kept = 0;
    const Cell cell{"Vector", "GatherMask", Type<T>::kName,
                    built_in ? "pattern" : "tensor"};
    bench.Check(cell, {record}, {}, [&] {
      AscendC::GatherMaskParams params;
      params.src0BlockStride = call.src0.block;
      params.repeatTimes = call.repeat;
      params.src0RepeatStride = call.src0.repeat;
      params.src1RepeatStride = pattern_stride;
      const auto dst = TensorAt<T>(call.dst);
      const auto src = TensorAt<T>(call.src0);
      const auto mask = static_cast<uint32_t>(record.count);
      if (built_in) {
        AscendC::GatherMask(dst, src, pattern, by_mask, mask, params, kept);
      } else {
        AscendC::GatherMask(dst, src, TensorAt<Pattern>(call.src1), by_mask,
                            mask, params, kept);
      }
    });
    const uint64_t in_register =
        bench.device().chip().VectorCore(0).vector.gathered;
    bench.Note(cell, kept == in_register, "rsvdCnt is not what was kept");
  }
}

TEST(Move, GatherMask) {
  ForEach(Moved{}, []<typename T>() {
    SweepGatherMask<T>(true);
    SweepGatherMask<T>(false);
  });
}

// The compiler takes these, the chip has them not.
TEST(Move, OtherTypesAreRefused) {
  using Others =
      Types<bool, AscendC::int4b_t, int8_t, uint8_t, int64_t, uint64_t, double>;
  ForEach(Others{}, []<typename T>() {
    Bench::Get().CheckRefused(
        {"Vector", "Copy", Type<T>::kName, "refused"}, "BLY-N107", [] {
          AscendC::Copy(TensorAt<T>(kDstAt), TensorAt<T>(kSrc0At), 32, 1,
                        AscendC::CopyRepeatParams(1, 1, 8, 8));
        });
    Bench::Get().CheckRefused(
        {"Vector", "GatherMask", Type<T>::kName, "refused"}, "BLY-N107", [] {
          AscendC::GatherMaskParams params;
          uint64_t kept = 0;
          AscendC::GatherMask(TensorAt<T>(kDstAt), TensorAt<T>(kSrc0At),
                              uint8_t{1}, false, 0, params, kept);
        });
  });
}

}  // namespace
}  // namespace belay::sweep::sweep_move
