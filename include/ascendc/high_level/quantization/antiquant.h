// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_QUANTIZATION_ANTIQUANT_H_
#define BELAY_ASCENDC_HIGH_LEVEL_QUANTIZATION_ANTIQUANT_H_

// AscendAntiQuant: scale · (x + offset) of int8 or int4 weights. Results in
// half are computed in half; results in bfloat16 in float, rounded once.

#include "ascendc/fill.h"
#include "ascendc/high_level/rows.h"
#include "ascendc/high_level/temporary.h"
#include "ascendc/scalar.h"
#include "ascendc/vector_scalar.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// Rows and columns of offset and scale; zeros: as their ShapeInfo says.
struct AntiQuantShapeInfo {
  uint32_t offsetHeight{0};
  uint32_t offsetWidth{0};
  uint32_t scaleHeight{0};
  uint32_t scaleWidth{0};
};

}  // namespace AscendC

namespace belay::api {

inline constexpr char kAntiQuant[] = "AscendAntiQuant";

template <typename From, typename To>
BELAY_API constexpr void AntiQuantTakes() {
  static_assert(
      (kDTypeOf<From> == DType::kInt8 || kDTypeOf<From> == DType::kInt4) &&
          (kDTypeOf<To> == DType::kHalf || kDTypeOf<To> == DType::kBfloat16),
      "AscendC::AscendAntiQuant takes int8_t or int4b_t and gives half or "
      "bfloat16_t on this chip");
}

// The type results are computed in.
template <typename To>
using AntiQuantWork =
    std::conditional_t<kDTypeOf<To> == DType::kHalf, half, float>;

// Computes `count` elements of `work` from src: widened, nothing added yet.
// `halves` holds as many, where work is float.
template <typename From, typename Work>
BELAY_API void WidenWeights(const AscendC::LocalTensor<Work>& work,
                            const AscendC::LocalTensor<From>& src,
                            const AscendC::LocalTensor<half>& halves,
                            uint32_t count) {
  if constexpr (sizeof(Work) == 2) {
    AscendC::Cast(work, src, AscendC::RoundMode::CAST_NONE, count);
  } else {
    AscendC::Cast(halves, src, AscendC::RoundMode::CAST_NONE, count);
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Cast(work, halves, AscendC::RoundMode::CAST_NONE, count);
  }
  AscendC::PipeBarrier<PIPE_V>();
}

// Where a pass computes: in dst itself for half, else in the temporary buffer.
template <typename To>
struct AntiQuantPass {
  using Work = AntiQuantWork<To>;

  // `least` elements must fit.
  BELAY_API AntiQuantPass(Temporary& temporary, uint32_t least, uint32_t count)
      : most(count) {
    if constexpr (sizeof(Work) == 4) {
      constexpr uint32_t kEach = sizeof(float) + sizeof(half);
      temporary.Require(BlockBytes(least, kEach));
      const auto room =
          static_cast<uint32_t>(temporary.bytes() / kEach / 64 * 64);
      most = room < least ? least : room;
      if (most > count) most = count;
      floats = temporary.Take<float>(most);
      halves = temporary.Take<half>(most);
    }
  }

  BELAY_API AscendC::LocalTensor<Work> At(
      const AscendC::LocalTensor<To>& dst) const {
    if constexpr (sizeof(Work) == 2) {
      return dst;
    } else {
      return floats;
    }
  }
  BELAY_API void Finish(const AscendC::LocalTensor<To>& dst,
                        uint32_t count) const {
    if constexpr (sizeof(Work) == 4) {
      AscendC::Cast(dst, floats, AscendC::RoundMode::CAST_RINT, count);
      AscendC::PipeBarrier<PIPE_V>();
    }
  }

  uint32_t most;  // elements of one pass
  AscendC::LocalTensor<float> floats;
  AscendC::LocalTensor<half> halves;
};

template <typename From, typename To>
BELAY_API void AntiQuantTensor(const AscendC::LocalTensor<To>& dst,
                               const AscendC::LocalTensor<From>& src,
                               const To* offset, To scale,
                               Temporary temporary) {
  AntiQuantTakes<From, To>();
  using Work = AntiQuantWork<To>;
  const uint32_t count = src.GetSize();
  if (count == 0) return;
  const AntiQuantPass<To> pass(temporary, 64, count);
  for (uint32_t done = 0; done < count; done += pass.most) {
    const uint32_t now = count - done < pass.most ? count - done : pass.most;
    const AscendC::LocalTensor<Work> work = pass.At(dst[done]);
    WidenWeights(work, src[done], pass.halves, now);
    if (offset != nullptr) {
      AscendC::Adds(work, work, static_cast<Work>(static_cast<float>(*offset)),
                    now);
      AscendC::PipeBarrier<PIPE_V>();
    }
    AscendC::Muls(work, work, static_cast<Work>(static_cast<float>(scale)),
                  now);
    AscendC::PipeBarrier<PIPE_V>();
    pass.Finish(dst[done], now);
  }
}

// `count` parameters as Work: as they are, or widened at `room`.
template <typename To>
BELAY_API AscendC::LocalTensor<AntiQuantWork<To>> WidenParameters(
    const AscendC::LocalTensor<To>& from,
    const AscendC::LocalTensor<AntiQuantWork<To>>& room, uint32_t count) {
  if constexpr (sizeof(AntiQuantWork<To>) == 2) {
    return from;
  } else {
    AscendC::Cast(room, from, AscendC::RoundMode::CAST_NONE, count);
    AscendC::PipeBarrier<PIPE_V>();
    return room;
  }
}

// src is [k, n]; row i of it takes row i / (k / groups) of offset and scale.
template <typename From, typename To>
BELAY_API void AntiQuantByColumn(const AscendC::LocalTensor<To>& dst,
                                 const AscendC::LocalTensor<From>& src,
                                 const AscendC::LocalTensor<To>* offset,
                                 const AscendC::LocalTensor<To>& scale,
                                 Temporary temporary, uint32_t k,
                                 uint32_t groups) {
  using Work = AntiQuantWork<To>;
  const uint32_t n = src.GetSize() / k;
  const uint32_t group_rows = k / groups;
  RequireArgument(n % 32 == 0, kAntiQuant,
                  "columns must be a multiple of 32: size of src / k", n);
  AscendC::LocalTensor<Work> parameters;
  if constexpr (sizeof(Work) == 4) parameters = temporary.Take<Work>(n);
  const AntiQuantPass<To> pass(temporary, n, group_rows * n);
  const uint32_t rows_at_once = pass.most / n;
  for (uint32_t group = 0; group < groups; ++group) {
    for (uint32_t row = 0; row < group_rows; row += rows_at_once) {
      const uint32_t left = group_rows - row;
      const uint32_t rows = left < rows_at_once ? left : rows_at_once;
      const uint32_t at = (group * group_rows + row) * n;
      const AscendC::LocalTensor<Work> work = pass.At(dst[at]);
      WidenWeights(work, src[at], pass.halves, rows * n);
      if (offset != nullptr) {
        WithRow<PlusRow>(
            work, WidenParameters<To>((*offset)[group * n], parameters, n),
            rows, n, n);
        AscendC::PipeBarrier<PIPE_V>();
      }
      WithRow<TimesRow>(work,
                        WidenParameters<To>(scale[group * n], parameters, n),
                        rows, n, n);
      AscendC::PipeBarrier<PIPE_V>();
      pass.Finish(dst[at], rows * n);
    }
  }
}

// segment[j] = segment[j] op (the value that fills `block`).
template <typename Operation, typename T>
BELAY_API void WithBlock(const AscendC::LocalTensor<T>& segment,
                         const AscendC::LocalTensor<T>& block, uint32_t count) {
  constexpr uint32_t kLanes = 256 / sizeof(T);
  constexpr AscendC::BinaryRepeatParams kOneBlock(1, 1, 0, 8, 8, 0);
  uint32_t done = 0;
  while (count - done >= kLanes) {
    uint32_t repeats = (count - done) / kLanes;
    if (repeats > 255) repeats = 255;
    Operation::Apply(segment[done], segment[done], block, kLanes, repeats,
                     kOneBlock);
    done += repeats * kLanes;
  }
  if (done < count) {
    Operation::Apply(segment[done], segment[done], block, count - done, 1,
                     kOneBlock);
  }
}

// src is [n, k]; offset and scale are [n, groups], one for each k / groups
// columns.
template <typename From, typename To>
BELAY_API void AntiQuantByRow(const AscendC::LocalTensor<To>& dst,
                              const AscendC::LocalTensor<From>& src,
                              const AscendC::LocalTensor<To>* offset,
                              const AscendC::LocalTensor<To>& scale,
                              Temporary temporary, uint32_t k,
                              uint32_t groups) {
  using Work = AntiQuantWork<To>;
  constexpr uint32_t kBlock = 32 / sizeof(Work);
  const uint32_t n = src.GetSize() / k;
  const uint32_t width = k / groups;
  RequireArgument(k % 32 == 0, kAntiQuant,
                  "k must be a multiple of 32 where src is transposed", k);
  RequireArgument(width % kBlock == 0, kAntiQuant,
                  "k / groups must fill whole blocks of 32 bytes", width);
  const uint32_t total = n * groups;
  AscendC::LocalTensor<Work> offsets;
  AscendC::LocalTensor<Work> scales;
  if constexpr (sizeof(Work) == 4) {
    if (offset != nullptr) offsets = temporary.Take<Work>(total);
    scales = temporary.Take<Work>(total);
  }
  if (offset != nullptr) offsets = WidenParameters<To>(*offset, offsets, total);
  scales = WidenParameters<To>(scale, scales, total);
  // A block of parameters at a time becomes blocks filled with one each.
  const AscendC::LocalTensor<Work> added =
      temporary.Take<Work>(kBlock * kBlock);
  const AscendC::LocalTensor<Work> factors =
      temporary.Take<Work>(kBlock * kBlock);
  const AntiQuantPass<To> pass(temporary, width, width);
  for (uint32_t first = 0; first < total; first += kBlock) {
    const uint32_t left = total - first;
    const uint32_t segments = left < kBlock ? left : kBlock;
    const uint32_t repeats = (segments + 7) / 8;
    if (offset != nullptr) {
      AscendC::Brcb(added, offsets[first], repeats, {1, 8});
    }
    AscendC::Brcb(factors, scales[first], repeats, {1, 8});
    AscendC::PipeBarrier<PIPE_V>();
    for (uint32_t i = 0; i < segments; ++i) {
      const uint32_t at = (first + i) * width;
      const AscendC::LocalTensor<Work> work = pass.At(dst[at]);
      WidenWeights(work, src[at], pass.halves, width);
      if (offset != nullptr) {
        WithBlock<PlusRow>(work, added[i * kBlock], width);
        AscendC::PipeBarrier<PIPE_V>();
      }
      WithBlock<TimesRow>(work, factors[i * kBlock], width);
      AscendC::PipeBarrier<PIPE_V>();
      pass.Finish(dst[at], width);
    }
  }
}

// Rows (dimension 0) or columns of the parameters: as given, or as the
// ShapeInfo of one of the tensors says; 0 where nobody does.
template <typename To>
BELAY_API uint32_t ParameterGroups(uint32_t of_offset, uint32_t of_scale,
                                   const AscendC::LocalTensor<To>* offset,
                                   const AscendC::LocalTensor<To>& scale,
                                   int dimension) {
  if (offset != nullptr && of_offset != 0) return of_offset;
  if (of_scale != 0) return of_scale;
  if (offset != nullptr && offset->GetShapeInfo().shapeDim > dimension) {
    return offset->GetShapeInfo().shape[dimension];
  }
  const AscendC::ShapeInfo shape = scale.GetShapeInfo();
  return shape.shapeDim > dimension ? shape.shape[dimension] : 0;
}

template <bool isTranspose, typename From, typename To>
BELAY_API void AntiQuantChannels(const AscendC::LocalTensor<To>& dst,
                                 const AscendC::LocalTensor<From>& src,
                                 const AscendC::LocalTensor<To>* offset,
                                 const AscendC::LocalTensor<To>& scale,
                                 Temporary temporary, uint32_t k,
                                 const AscendC::AntiQuantShapeInfo& info) {
  AntiQuantTakes<From, To>();
  RequireArgument(k > 0, kAntiQuant, "k must not be 0", k);
  const uint32_t groups =
      isTranspose
          ? ParameterGroups(info.offsetWidth, info.scaleWidth, offset, scale, 1)
          : ParameterGroups(info.offsetHeight, info.scaleHeight, offset, scale,
                            0);
  RequireArgument(
      groups > 0 && k % groups == 0, kAntiQuant,
      "the groups of scale and offset (their height, or their width "
      "where src is transposed; by shapeInfo or ShapeInfo) must "
      "divide k",
      groups);
  if constexpr (isTranspose) {
    AntiQuantByRow(dst, src, offset, scale, temporary, k, groups);
  } else {
    AntiQuantByColumn(dst, src, offset, scale, temporary, k, groups);
  }
}

}  // namespace belay::api

namespace AscendC {

#define BELAY_ANTIQUANT_TEMPLATE \
  template <typename InputDataType, typename OutputDataType, bool isTranspose>
#define BELAY_ANTIQUANT_TEMPORARY \
  belay::api::Temporary(belay::api::kAntiQuant, sharedTmpBuffer)
#define BELAY_ANTIQUANT_STACK belay::api::Temporary(belay::api::kAntiQuant)

// A scale for each channel, with or without an offset.
BELAY_ANTIQUANT_TEMPLATE
BELAY_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                               const LocalTensor<InputDataType>& src,
                               const LocalTensor<OutputDataType>& offset,
                               const LocalTensor<OutputDataType>& scale,
                               const LocalTensor<uint8_t>& sharedTmpBuffer,
                               const uint32_t k,
                               const AntiQuantShapeInfo& shapeInfo = {}) {
  belay::api::AntiQuantChannels<isTranspose>(
      dst, src, &offset, scale, BELAY_ANTIQUANT_TEMPORARY, k, shapeInfo);
}
BELAY_ANTIQUANT_TEMPLATE
BELAY_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                               const LocalTensor<InputDataType>& src,
                               const LocalTensor<OutputDataType>& scale,
                               const LocalTensor<uint8_t>& sharedTmpBuffer,
                               const uint32_t k,
                               const AntiQuantShapeInfo& shapeInfo = {}) {
  belay::api::AntiQuantChannels<isTranspose, InputDataType, OutputDataType>(
      dst, src, nullptr, scale, BELAY_ANTIQUANT_TEMPORARY, k, shapeInfo);
}
BELAY_ANTIQUANT_TEMPLATE
BELAY_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                               const LocalTensor<InputDataType>& src,
                               const LocalTensor<OutputDataType>& offset,
                               const LocalTensor<OutputDataType>& scale,
                               const uint32_t k,
                               const AntiQuantShapeInfo& shapeInfo = {}) {
  belay::api::AntiQuantChannels<isTranspose>(
      dst, src, &offset, scale, BELAY_ANTIQUANT_STACK, k, shapeInfo);
}

// One scale for all, with or without an offset; k does not matter.
BELAY_ANTIQUANT_TEMPLATE
BELAY_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                               const LocalTensor<InputDataType>& src,
                               const OutputDataType offset,
                               const OutputDataType scale,
                               const LocalTensor<uint8_t>& sharedTmpBuffer,
                               const uint32_t, const AntiQuantShapeInfo& = {}) {
  belay::api::AntiQuantTensor(dst, src, &offset, scale,
                              BELAY_ANTIQUANT_TEMPORARY);
}
BELAY_ANTIQUANT_TEMPLATE
BELAY_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                               const LocalTensor<InputDataType>& src,
                               const OutputDataType scale,
                               const LocalTensor<uint8_t>& sharedTmpBuffer,
                               const uint32_t, const AntiQuantShapeInfo& = {}) {
  belay::api::AntiQuantTensor<InputDataType, OutputDataType>(
      dst, src, nullptr, scale, BELAY_ANTIQUANT_TEMPORARY);
}
BELAY_ANTIQUANT_TEMPLATE
BELAY_API void AscendAntiQuant(const LocalTensor<OutputDataType>& dst,
                               const LocalTensor<InputDataType>& src,
                               const OutputDataType offset,
                               const OutputDataType scale, const uint32_t,
                               const AntiQuantShapeInfo& = {}) {
  belay::api::AntiQuantTensor(dst, src, &offset, scale, BELAY_ANTIQUANT_STACK);
}

#undef BELAY_ANTIQUANT_STACK
#undef BELAY_ANTIQUANT_TEMPORARY
#undef BELAY_ANTIQUANT_TEMPLATE

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_QUANTIZATION_ANTIQUANT_H_
