// SPDX-License-Identifier: Apache-2.0
// Duplicate, Brcb and Gather: every element type and form.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "kernels.h"

namespace belay::sweep::sweep_fill {
namespace {

template <typename T>
uint64_t DrawScalar() {
  const uint64_t element = Bench::Get().Element(Type<T>::kDType);
  return element & ((uint64_t{1} << kBits<T>)-1);
}

template <typename T>
void SweepDuplicate() {
  for (const Form form :
       {Form::kCount, Form::kMask, Form::kBits, Form::kRegister}) {
    for (int i = 0; i < kCalls; ++i) {
      Call call = Bench::Get().draw.Lanes(form, {kBits<T>});
      call.scalar = DrawScalar<T>();
      const abi::Instruction record = RecordOf(
          abi::Op::kDuplicate, call, Type<T>::kDType, abi::DType::kNone);
      Bench::Get().Check({"Vector", "Duplicate", Type<T>::kName, NameOf(form)},
                         {record}, StateBefore(call), [&] {
                           const auto dst = TensorAt<T>(call.dst);
                           const T scalar = ValueOf<T>(call.scalar);
                           if (form == Form::kCount) {
                             return AscendC::Duplicate(dst, scalar, call.count);
                           }
                           SetRegisters<T>(call);
                           WithMask(call, [&](const auto& mask, auto set) {
                             AscendC::Duplicate<T, decltype(set)::value>(
                                 dst, scalar, mask, call.repeat, call.dst.block,
                                 call.dst.repeat);
                           });
                         });
    }
  }
}

TEST(Fill, Duplicate) {
  ForEach(Moved{}, []<typename T>() { SweepDuplicate<T>(); });
}

template <typename T>
void SweepBrcb() {
  Bench& bench = Bench::Get();
  for (int i = 0; i < kCalls; ++i) {
    Call call = bench.draw.Lanes(Form::kRegister, {kBits<T>, kBits<T>});
    call.counter = false;
    call.dst.block = bench.draw.OneOf<uint32_t>({1, 2, 3});
    call.dst.repeat =
        8 * call.dst.block + bench.draw.OneOf<uint32_t>({0, 1, 5});
    abi::Instruction record =
        RecordOf(abi::Op::kBrcb, call, Type<T>::kDType, Type<T>::kDType);
    record.src0.block_stride = 1;
    record.src0.repeat_stride = 1;
    bench.Fill(record.src0);
    bench.Check({"Vector", "Brcb", Type<T>::kName, "call"}, {record}, {}, [&] {
      AscendC::BrcbRepeatParams params;
      params.dstBlkStride = call.dst.block;
      params.dstRepStride = call.dst.repeat;
      AscendC::Brcb(TensorAt<T>(call.dst), TensorAt<T>(call.src0), call.repeat,
                    params);
    });
  }
}

TEST(Fill, Brcb) {
  ForEach(Moved{}, []<typename T>() { SweepBrcb<T>(); });
}

// Random multiples of the element's size, all inside the table.
void FillOffsets(uint32_t at, uint32_t count, uint32_t element) {
  Bench& bench = Bench::Get();
  for (uint32_t i = 0; i < count; ++i) {
    const auto offset =
        static_cast<uint32_t>(bench.draw.Below(8192 / element)) * element;
    std::memcpy(bench.image() + at + 4 * i, &offset, 4);
  }
}

template <typename T>
void SweepGather() {
  Bench& bench = Bench::Get();
  for (const Form form : {Form::kCount, Form::kMask, Form::kBits}) {
    for (int i = 0; i < kCalls; ++i) {
      Call call = bench.draw.Lanes(form, {kBits<T>, kBits<T>});
      call.counter = false;
      call.mask = std::min<uint64_t>(call.mask, 2048 / kBits<T>);
      if (call.dst.block != 1) call.dst = {call.dst.at, 1, 9};
      call.scalar = 32 * bench.draw.Below(4);
      abi::Instruction record =
          RecordOf(abi::Op::kGather, call, Type<T>::kDType, Type<T>::kDType);
      record.src1 = Dense(call.src1.at, abi::DType::kUint32, kBits<T>);
      bench.Fill(record.src0);
      FillOffsets(call.src1.at, 2048, sizeof(T));
      bench.Check({"Vector", "Gather", Type<T>::kName, NameOf(form)}, {record},
                  StateBefore(call), [&] {
                    const auto dst = TensorAt<T>(call.dst);
                    const auto src = TensorAt<T>(call.src0);
                    const auto offsets = TensorAt<uint32_t>(call.src1);
                    const auto base = static_cast<uint32_t>(call.scalar);
                    if (form == Form::kCount) {
                      AscendC::Gather(dst, src, offsets, base, call.count);
                    } else if (form == Form::kMask) {
                      AscendC::Gather(dst, src, offsets, base, call.mask,
                                      call.repeat, call.dst.repeat);
                    } else {
                      AscendC::Gather(dst, src, offsets, base, call.bits,
                                      call.repeat, call.dst.repeat);
                    }
                  });
    }
  }
}

TEST(Fill, Gather) {
  ForEach(Moved{}, []<typename T>() { SweepGather<T>(); });
}

// The compiler takes these, the chip has them not.
TEST(Fill, OtherTypesAreRefused) {
  using Others =
      Types<bool, AscendC::int4b_t, int8_t, uint8_t, int64_t, uint64_t, double>;
  ForEach(Others{}, []<typename T>() {
    Bench::Get().CheckRefused(
        {"Vector", "Brcb", Type<T>::kName, "refused"}, "BLY-N107", [] {
          AscendC::Brcb(TensorAt<T>(kDstAt), TensorAt<T>(kSrc0At), 1,
                        AscendC::BrcbRepeatParams(1, 8));
        });
    Bench::Get().CheckRefused(
        {"Vector", "Gather", Type<T>::kName, "refused"}, "BLY-N107", [] {
          AscendC::Gather(TensorAt<T>(kDstAt), TensorAt<T>(kSrc0At),
                          TensorAt<uint32_t>(kSrc1At), 0, 32);
        });
  });
}

}  // namespace
}  // namespace belay::sweep::sweep_fill
