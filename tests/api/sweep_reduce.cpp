// SPDX-License-Identifier: Apache-2.0
// Reductions of all lanes to one, and of each repeat, block or pair: every
// name, element type, order of results and form.

#include <gtest/gtest.h>

#include <algorithm>

#include "kernels.h"

namespace belay::sweep::sweep_reduce {
namespace {

using AscendC::ReduceOrder;
using AscendC::ReduceType;

template <typename T>
abi::Instruction PrepareWhole(abi::Op op, Form form, Call& call) {
  Bench& bench = Bench::Get();
  call = bench.draw.Lanes(form, {kBits<T>, kBits<T>});
  call.counter = false;
  if (form == Form::kMask) {
    call.mask = std::min<uint64_t>(call.mask, 2048 / kBits<T>);
  }
  call.src0.block = 1;
  call.mode = op != abi::Op::kReduceSum && bench.draw.Chance(50) ? 1 : 0;
  constexpr abi::DType kType = Type<T>::kDType;
  abi::Instruction record = RecordOf(op, call, kType, kType);
  record.src1 = {call.src1.at, 1, 8, kType, abi::Memory::kUb};
  bench.Fill(record.src0);
  return record;
}

template <typename Api, typename T>
void SweepWhole() {
  constexpr bool kHasIndex = Api::kOp != abi::Op::kReduceSum;
  for (const Form form : {Form::kCount, Form::kMask, Form::kBits}) {
    for (int i = 0; i < kCalls; ++i) {
      Call call;
      const abi::Instruction record = PrepareWhole<T>(Api::kOp, form, call);
      Bench::Get().Check({"Vector", Api::kName, Type<T>::kName, NameOf(form)},
                         {record}, StateBefore(call), [&] {
                           const auto dst = TensorAt<T>(call.dst);
                           const auto src = TensorAt<T>(call.src0);
                           const auto work = TensorAt<T>(call.src1);
                           const auto reduce = [&](const auto&... lanes) {
                             if constexpr (kHasIndex) {
                               Api::Call(dst, src, work, lanes...,
                                         call.mode == 1);
                             } else {
                               Api::Call(dst, src, work, lanes...);
                             }
                           };
                           if (form == Form::kCount) {
                             reduce(call.count);
                           } else if (form == Form::kMask) {
                             reduce(static_cast<int32_t>(call.mask),
                                    call.repeat, call.src0.repeat);
                           } else {
                             reduce(call.bits, call.repeat, call.src0.repeat);
                           }
                         });
    }
  }
}

#define BELAY_SWEEP_REDUCE(name)                                            \
  BELAY_SWEEP_API(name, k##name)                                            \
  TEST(Reduce, name) {                                                      \
    ForEach(HalfFloat{}, []<typename T>() { SweepWhole<name##Api, T>(); }); \
  }

BELAY_SWEEP_REDUCE(ReduceMax)
BELAY_SWEEP_REDUCE(ReduceMin)
BELAY_SWEEP_REDUCE(ReduceSum)

// ReduceSum's count form with isSetMask = false takes the register's count.
TEST(Reduce, ReduceSumByRegister) {
  ForEach(HalfFloat{}, []<typename T>() {
    for (int i = 0; i < kCalls; ++i) {
      Call call;
      abi::Instruction record =
          PrepareWhole<T>(abi::Op::kReduceSum, Form::kCount, call);
      call.form = Form::kRegister;
      call.counter = true;
      record.form = abi::Form::kRegister;
      Bench::Get().Check({"Vector", "ReduceSum", Type<T>::kName, "register"},
                         {record}, StateBefore(call), [&] {
                           SetRegisters<T>(call);
                           AscendC::ReduceSum<T, false>(
                               TensorAt<T>(call.dst), TensorAt<T>(call.src0),
                               TensorAt<T>(call.src1), 1);
                         });
    }
  });
}

template <typename T>
abi::Instruction PrepareParts(abi::Op op, Form form, ReduceOrder order,
                              Call& call) {
  Bench& bench = Bench::Get();
  call = bench.draw.Lanes(form, {kBits<T>, kBits<T>});
  call.dst.block = 1;
  call.dst.repeat = bench.draw.OneOf<uint32_t>({1, 1, 2, 5});
  call.mode = static_cast<uint8_t>(order);
  const abi::Instruction record =
      RecordOf(op, call, Type<T>::kDType, Type<T>::kDType);
  bench.Fill(record.src0);
  return record;
}

// `reduce(call, dst, src, mask, set)` makes the call.
template <typename T, typename Reduce>
void SweepParts(abi::Op op, const char* row, ReduceOrder order, Reduce reduce) {
  for (const Form form : kMaskForms) {
    for (int i = 0; i < kCalls; ++i) {
      Call call;
      const abi::Instruction record = PrepareParts<T>(op, form, order, call);
      Bench::Get().Check({"Vector", row, Type<T>::kName, NameOf(form)},
                         {record}, StateBefore(call), [&] {
                           SetRegisters<T>(call);
                           WithMask(call, [&](const auto& mask, auto set) {
                             reduce(call, TensorAt<T>(call.dst),
                                    TensorAt<T>(call.src0), mask, set);
                           });
                         });
    }
  }
}

// A newer name, with the mask before repeatTime, for one kind of reduction.
#define BELAY_SWEEP_PARTS(name, type, op)                                      \
  TEST(ReduceParts, name##type) {                                              \
    ForEach(HalfFloat{}, []<typename T>() {                                    \
      SweepParts<T>(                                                           \
          abi::Op::op, #name "<" #type ">", ReduceOrder::ORDER_ONLY_VALUE,     \
          [](const Call& call, const auto& dst, const auto& src,               \
             const auto& mask, auto set) {                                     \
            AscendC::name<ReduceType::type, T, T, decltype(set)::value>(       \
                dst, src, mask, call.repeat, call.dst.repeat, call.src0.block, \
                call.src0.repeat);                                             \
          });                                                                  \
    });                                                                        \
  }

BELAY_SWEEP_PARTS(ReduceDataBlock, SUM, kBlockReduceSum)
BELAY_SWEEP_PARTS(ReduceDataBlock, MAX, kBlockReduceMax)
BELAY_SWEEP_PARTS(ReduceDataBlock, MIN, kBlockReduceMin)
BELAY_SWEEP_PARTS(ReducePairElem, SUM, kPairReduceSum)
BELAY_SWEEP_PARTS(ReduceRepeat, SUM, kWholeReduceSum)

constexpr ReduceOrder kOrders[] = {
    ReduceOrder::ORDER_VALUE_INDEX, ReduceOrder::ORDER_INDEX_VALUE,
    ReduceOrder::ORDER_ONLY_VALUE, ReduceOrder::ORDER_ONLY_INDEX};

// The same, in each order of value and index.
#define BELAY_SWEEP_ORDERS(test, row, op, ...)                                 \
  TEST(ReduceParts, test) {                                                    \
    for (const ReduceOrder order : kOrders) {                                  \
      const auto sweep = [order]<typename T>() {                               \
        SweepParts<T>(abi::Op::op, row, order,                                 \
                      [order](const Call& call, const auto& dst,               \
                              const auto& src, const auto& mask, auto set) {   \
                        constexpr bool kSet = decltype(set)::value;            \
                        AscendC::__VA_ARGS__(dst, src, mask, call.repeat,      \
                                             call.dst.repeat, call.src0.block, \
                                             call.src0.repeat, order);         \
                      });                                                      \
      };                                                                       \
      ForEach(HalfFloat{}, sweep);                                             \
    }                                                                          \
  }

BELAY_SWEEP_ORDERS(ReduceRepeatMAX, "ReduceRepeat<MAX>", kWholeReduceMax,
                   ReduceRepeat<ReduceType::MAX, T, T, kSet>)
BELAY_SWEEP_ORDERS(ReduceRepeatMIN, "ReduceRepeat<MIN>", kWholeReduceMin,
                   ReduceRepeat<ReduceType::MIN, T, T, kSet>)
BELAY_SWEEP_ORDERS(WholeReduceMax, "WholeReduceMax", kWholeReduceMax,
                   WholeReduceMax<T, kSet>)
BELAY_SWEEP_ORDERS(WholeReduceMin, "WholeReduceMin", kWholeReduceMin,
                   WholeReduceMin<T, kSet>)

TEST(ReduceParts, WholeReduceSum) {
  ForEach(HalfFloat{}, []<typename T>() {
    SweepParts<T>(abi::Op::kWholeReduceSum, "WholeReduceSum",
                  ReduceOrder::ORDER_ONLY_VALUE,
                  [](const Call& call, const auto& dst, const auto& src,
                     const auto& mask, auto set) {
                    AscendC::WholeReduceSum<T, decltype(set)::value>(
                        dst, src, mask, call.repeat, call.dst.repeat,
                        call.src0.block, call.src0.repeat);
                  });
  });
}

// The older names put repeatTime before the mask.
#define BELAY_SWEEP_OLDER(name)                                             \
  TEST(ReduceParts, name) {                                                 \
    ForEach(HalfFloat{}, []<typename T>() {                                 \
      SweepParts<T>(abi::Op::k##name, #name, ReduceOrder::ORDER_ONLY_VALUE, \
                    [](const Call& call, const auto& dst, const auto& src,  \
                       const auto& mask, auto set) {                        \
                      AscendC::name<T, decltype(set)::value>(               \
                          dst, src, call.repeat, mask, call.dst.repeat,     \
                          call.src0.block, call.src0.repeat);               \
                    });                                                     \
    });                                                                     \
  }

BELAY_SWEEP_OLDER(BlockReduceMax)
BELAY_SWEEP_OLDER(BlockReduceMin)
BELAY_SWEEP_OLDER(BlockReduceSum)
BELAY_SWEEP_OLDER(PairReduceSum)

TEST(ReduceParts, RepeatReduceSum) {
  ForEach(HalfFloat{}, []<typename T>() {
    SweepParts<T>(abi::Op::kWholeReduceSum, "RepeatReduceSum",
                  ReduceOrder::ORDER_ONLY_VALUE,
                  [](const Call& call, const auto& dst, const auto& src,
                     const auto& mask, auto set) {
                    AscendC::RepeatReduceSum<T, decltype(set)::value>(
                        dst, src, call.repeat, mask, 1, call.src0.block,
                        call.dst.repeat, call.src0.repeat);
                  });
  });
}

}  // namespace
}  // namespace belay::sweep::sweep_reduce
