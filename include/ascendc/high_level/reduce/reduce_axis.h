// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_AXIS_H_
#define BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_AXIS_H_

// ReduceSum, ReduceMean, ReduceMax, ReduceMin, ReduceProd, ReduceAny and
// ReduceAll of a matrix over its second axis (AR) or its first (RA).

#include "ascendc/high_level/float_rows.h"
#include "ascendc/high_level/reduce/reduce_space.h"
#include "ascendc/high_level/temporary.h"

BELAY_KERNEL_CODE_BEGIN

namespace belay::api {

struct ProductOfRow {
  static constexpr Op kPair = Op::kMul;
};

// dst = `count` elements of src that came as 0 or 1.
BELAY_API void WidenBytes(const Floats& dst, const View<half>& between,
                          const View<uint8_t>& src, uint64_t count) {
  IssueUnary(Op::kCast, OperandOf(between, 1, 8), OperandOf(src, 1, 4),
             FirstLanes(count), 0,
             static_cast<uint8_t>(AscendC::RoundMode::CAST_NONE));
  Settle();
  Convert(dst, between, count);
}

// dst[0..count / 2) = the products of pairs.
BELAY_API void MultiplyPairs(const Floats& dst, const Floats& odd,
                             const Floats& src, uint32_t count) {
  for (uint8_t pattern = 1; pattern <= 2; ++pattern) {
    Instruction record{};
    record.op = Op::kGatherMask;
    record.form = Form::kRegister;
    record.repeat = 1;
    record.count = count;
    record.dst = OperandOf(pattern == 1 ? dst : odd, 1, 8);
    record.src0 = OperandOf(src, 1, 8);
    record.gather_mask.pattern = pattern;
    record.gather_mask.by_mask = 1;
    belay_issue(&record);
  }
  Settle();
  Both<Op::kMul>(dst, dst, odd, count / 2);
}

// results[r] = the product of a row. `rows` * `width` elements of each of
// `work` and `spare` are written over; src has rows of `pitch`.
BELAY_API void MultiplyRows(const Floats& results, const Floats& src,
                            const Floats& work, const Floats& spare,
                            uint32_t rows, uint32_t pitch, uint32_t columns) {
  const uint32_t width = RoundUp(columns, 8);
  Instruction record = Record(Op::kDuplicate, FirstLanes(rows * width));
  record.scalar = BitsOf(1.0f);
  record.dst = OperandOf(work, 1, 8);
  belay_issue(&record);
  Settle();
  for (uint32_t row = 0; row < rows; ++row) {
    IssueUnary(Op::kMuls, OperandOf(work[row * width], 1, 8),
               OperandOf(src[row * pitch], 1, 8), FirstLanes(columns),
               BitsOf(1.0f));
  }
  Settle();
  // Halves of rows onto each other, down to one block a row.
  for (uint32_t left = width; left > 8;) {
    const uint32_t kept = RoundUp(left / 2, 8);
    for (uint32_t row = 0; row < rows; ++row) {
      const Floats front = work[row * width];
      IssueBinary(Op::kMul, OperandOf(front, 1, 8), OperandOf(front, 1, 8),
                  OperandOf(front[kept], 1, 8), FirstLanes(left - kept));
    }
    Settle();
    left = kept;
  }
  for (uint32_t row = 1; row < rows && width > 8; ++row) {
    Each<Op::kMuls>(work[row * 8], work[row * width], 8, 1.0f);
  }
  MultiplyPairs(spare, spare[RoundUp(rows * 4, 8)], work, rows * 8);
  MultiplyPairs(work, work[RoundUp(rows * 2, 8)], spare, rows * 4);
  MultiplyPairs(spare, spare[RoundUp(rows, 8)], work, rows * 2);
  for (uint32_t row = 0; row < rows; ++row) {
    // Results may lie at any element, where only a reduction can write.
    const uint64_t lane[2] = {uint64_t{1} << row % 8, 0};
    IssueUnary(Op::kWholeReduceSum, OperandOf(results[row], 1, 1),
               OperandOf(spare[row / 8 * 8], 1, 8),
               MaskedLanes<true, 32>(lane, 1));
  }
  Settle();
}

// results[r] = row r reduced, each at its element.
template <typename How, typename T>
BELAY_API void ReduceEachRow(Temporary temporary, const Floats& results,
                             const View<T>& src, uint32_t rows, uint32_t pitch,
                             uint32_t columns) {
  constexpr bool kIsProduct = std::is_same_v<How, ProductOfRow>;
  const RowSpace space = SpaceOfReduction(columns, sizeof(T), kIsProduct);
  uint32_t chunk = space.RowsIn(temporary.bytes(), rows);
  if (chunk == 0) temporary.Require(space.Bytes(1));
  if (chunk > kMostRepeats) chunk = 240;
  const uint32_t width = RoundUp(columns, 32);
  const Floats fold =
      temporary.Take<float>(FoldBytes(chunk, columns) / sizeof(float));
  Floats work;
  Floats spare;
  View<half> between;
  if constexpr (kIsProduct) {
    const uint64_t size = uint64_t{chunk} * RoundUp(columns, 8) + 16;
    work = temporary.Take<float>(size);
    spare = temporary.Take<float>(size);
  } else if constexpr (!std::is_same_v<T, float>) {
    work = temporary.Take<float>(uint64_t{chunk} * width);
    if constexpr (sizeof(T) == 1) {
      between = temporary.Take<half>(uint64_t{chunk} * width);
    }
  }
  uint32_t count = 0;
  for (uint32_t row = 0; row < rows; row += count) {
    count = rows - row < chunk ? rows - row : chunk;
    const View<T> source = src[row * pitch];
    if constexpr (kIsProduct) {
      MultiplyRows(results[row], source, work, spare, count, pitch, columns);
    } else if constexpr (std::is_same_v<T, float>) {
      ReduceRows<How>(results[row], source, count, pitch, columns, fold);
    } else {
      if constexpr (sizeof(T) == 1) {
        WidenBytes(work, between, source, count * pitch);
      } else {
        Convert(work, source, count * pitch);
      }
      ReduceRows<How>(results[row], work, count, pitch, columns, fold);
    }
  }
}

// dst[r] = row r reduced.
template <typename How, typename T>
BELAY_API void ReduceInner(Temporary temporary, const View<T>& dst,
                           const View<T>& src, uint32_t rows,
                           uint32_t columns) {
  const uint32_t pitch = RoundUp(columns, 32 / sizeof(T));
  if constexpr (std::is_same_v<T, float>) {
    ReduceEachRow<How, T>(temporary, dst, src, rows, pitch, columns);
  } else {
    const Floats results = temporary.Take<float>(rows);
    const View<half> narrow = temporary.Take<half>(rows);
    ReduceEachRow<How, T>(temporary, results, src, rows, pitch, columns);
    if constexpr (sizeof(T) == 2) {
      Convert(dst, results, rows);
    } else {
      Convert(narrow, results, rows);
      IssueUnary(Op::kCast, OperandOf(dst, 1, 4), OperandOf(narrow, 1, 8),
                 FirstLanes(rows), 0,
                 static_cast<uint8_t>(AscendC::RoundMode::CAST_RINT));
      Settle();
    }
  }
}

// dst[c] = column c reduced, row after row. Bytes are 0 or 1: they go in
// pairs, by `bytes`.
template <Op pair, Op bytes, typename T>
BELAY_API void ReduceOuter(const View<T>& dst, const View<T>& src,
                           uint32_t rows, uint32_t columns) {
  const uint32_t pitch = RoundUp(columns, 32 / sizeof(T));
  if constexpr (sizeof(T) == 1) {
    const View<uint16_t> to = dst.template As<uint16_t>();
    const View<uint16_t> from = src.template As<uint16_t>();
    const uint32_t count = (columns + 1) / 2;
    Both<bytes>(to, from, from, count);
    for (uint32_t row = 1; row < rows; ++row) {
      Both<bytes>(to, to, from[row * (pitch / 2)], count);
    }
  } else {
    Each<Op::kMuls>(dst, src, columns, T(1));
    for (uint32_t row = 1; row < rows; ++row) {
      Both<pair>(dst, dst, src[row * pitch], columns);
    }
  }
}

template <typename How, Op bytes, typename T, typename Pattern>
BELAY_API void ReduceAxis(const Temporary& temporary, const View<T>& dst,
                          const View<T>& src, const uint32_t shape[],
                          bool is_padded) {
  if (ASCEND_IS_AIC) return;
  RequireArgument(is_padded, temporary.name(),
                  "srcInnerPad must be true: rows start at whole blocks",
                  is_padded);
  if constexpr (Pattern::kPattern == AscendC::ReducePattern::AR) {
    ReduceInner<How, T>(temporary, dst, src, shape[0], shape[1]);
  } else {
    ReduceOuter<How::kPair, bytes, T>(dst, src, shape[0], shape[1]);
  }
}

}  // namespace belay::api

namespace AscendC {

#define BELAY_REDUCE_AXIS(name, how, bytes, ...)                             \
  template <class T, class pattern, bool isReuseSource = false>              \
  BELAY_API void name(const LocalTensor<T>& dstTensor,                       \
                      const LocalTensor<T>& srcTensor,                       \
                      const LocalTensor<uint8_t>& sharedTmpBuffer,           \
                      const uint32_t srcShape[], bool srcInnerPad) {         \
    BELAY_TAKES(PrimT<T>, #name, __VA_ARGS__)                                \
    belay::api::ReduceAxis<belay::api::how, belay::api::Op::bytes, T,        \
                           pattern>(                                         \
        belay::api::Temporary(#name, sharedTmpBuffer), dstTensor, srcTensor, \
        srcShape, srcInnerPad);                                              \
  }                                                                          \
  template <class T, class pattern, bool isReuseSource = false>              \
  BELAY_API void name(const LocalTensor<T>& dstTensor,                       \
                      const LocalTensor<T>& srcTensor,                       \
                      const uint32_t srcShape[], bool srcInnerPad) {         \
    BELAY_TAKES(PrimT<T>, #name, __VA_ARGS__)                                \
    belay::api::ReduceAxis<belay::api::how, belay::api::Op::bytes, T,        \
                           pattern>(belay::api::Temporary(#name), dstTensor, \
                                    srcTensor, srcShape, srcInnerPad);       \
  }
#define BELAY_FLOAT_ONLY \
  (::belay::api::kSetOf<::belay::api::DType::kFloat>), "float"
#define BELAY_BYTE_FLOAT                               \
  (::belay::api::kSetOf<::belay::api::DType::kUint8,   \
                        ::belay::api::DType::kFloat>), \
      "uint8_t or float"
BELAY_REDUCE_AXIS(ReduceSum, SumOfRow, kAdd, BELAY_FLOAT_ONLY)
BELAY_REDUCE_AXIS(ReduceMax, MaxOfRow, kMax, BELAY_HALF_FLOAT)
BELAY_REDUCE_AXIS(ReduceMin, MinOfRow, kMin, BELAY_HALF_FLOAT)
BELAY_REDUCE_AXIS(ReduceProd, ProductOfRow, kMul, BELAY_FLOAT_ONLY)
// Of elements that are 0 or 1.
BELAY_REDUCE_AXIS(ReduceAny, MaxOfRow, kOr, BELAY_BYTE_FLOAT)
BELAY_REDUCE_AXIS(ReduceAll, MinOfRow, kAnd, BELAY_BYTE_FLOAT)
#undef BELAY_REDUCE_AXIS
#undef BELAY_BYTE_FLOAT

template <class T, class pattern, bool isReuseSource = false>
BELAY_API void ReduceMean(const LocalTensor<T>& dstTensor,
                          const LocalTensor<T>& srcTensor,
                          const LocalTensor<uint8_t>& sharedTmpBuffer,
                          const uint32_t srcShape[], bool srcInnerPad) {
  BELAY_TAKES(PrimT<T>, "ReduceMean", BELAY_FLOAT_ONLY)
  constexpr bool kIsInner = pattern::kPattern == ReducePattern::AR;
  belay::api::ReduceAxis<belay::api::SumOfRow, belay::api::Op::kAdd, T,
                         pattern>(
      belay::api::Temporary("ReduceMean", sharedTmpBuffer), dstTensor,
      srcTensor, srcShape, srcInnerPad);
  belay::api::Each<belay::api::Op::kMuls, T>(
      dstTensor, dstTensor, srcShape[kIsInner ? 0 : 1],
      1.0f / static_cast<float>(srcShape[kIsInner ? 1 : 0]));
}
template <class T, class pattern, bool isReuseSource = false>
BELAY_API void ReduceMean(const LocalTensor<T>& dstTensor,
                          const LocalTensor<T>& srcTensor,
                          const uint32_t srcShape[], bool srcInnerPad) {
  LocalTensor<uint8_t> rest;
  PopStackBuffer<uint8_t, TPosition::LCM>(rest);
  ReduceMean<T, pattern, isReuseSource>(dstTensor, srcTensor, rest, srcShape,
                                        srcInnerPad);
}
#undef BELAY_FLOAT_ONLY

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_REDUCE_REDUCE_AXIS_H_
