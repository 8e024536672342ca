// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ASCENDC_HIGH_LEVEL_SORT_TOPK_H_
#define BELAY_ASCENDC_HIGH_LEVEL_SORT_TOPK_H_

// TopK: the k largest or smallest of each row and their indices, by Sort32 and
// MrgSort. Equal values keep their order.

#include "ascendc/copy.h"
#include "ascendc/fill.h"
#include "ascendc/high_level/sort/topk_tiling.h"
#include "ascendc/high_level/temporary.h"
#include "ascendc/scalar.h"
#include "ascendc/sort_lists.h"
#include "ascendc/sync.h"
#include "ascendc/vector_scalar.h"

BELAY_KERNEL_CODE_BEGIN

namespace AscendC {

// Rows of inner elements, a multiple of 32, of which n are the user's.
struct TopKInfo {
  int32_t outter = 1;
  int32_t inner;
  int32_t n;
};

}  // namespace AscendC

namespace belay::api {

// The first k values and indices of a sorted list.
template <typename T>
BELAY_API void TakePairs(const AscendC::LocalTensor<T>& values,
                         const AscendC::LocalTensor<int32_t>& indices,
                         const AscendC::LocalTensor<T>& pairs, uint32_t k) {
  constexpr uint8_t kFirstOfTwo = 1;
  constexpr uint8_t kSecondOfTwo = 2;
  constexpr uint8_t kFirstOfFour = 3;
  uint64_t kept = 0;
  AscendC::GatherMask(values, pairs,
                      sizeof(T) == 4 ? kFirstOfTwo : kFirstOfFour, true,
                      k * kPairLength<T>, {1, 1, 0, 0}, kept);
  AscendC::GatherMask(indices, pairs.template ReinterpretCast<int32_t>(),
                      kSecondOfTwo, true, k * 2, {1, 1, 0, 0}, kept);
  AscendC::SetMaskNorm();
  AscendC::ResetMask();
}

// Rows of any length, one after the other; results of a row start at whole
// blocks.
template <bool has_index, bool has_finish, typename T>
BELAY_API void TopKRows(const AscendC::LocalTensor<T>& values,
                        const AscendC::LocalTensor<int32_t>& indices,
                        const AscendC::LocalTensor<T>& src,
                        const AscendC::LocalTensor<int32_t>& src_index,
                        const AscendC::LocalTensor<bool>& finish,
                        Temporary temporary, uint32_t k,
                        const AscendC::TopKInfo& info, bool largest) {
  const auto inner = static_cast<uint32_t>(info.inner);
  AscendC::LocalTensor<int32_t> index = src_index;
  if constexpr (!has_index) {
    index = temporary.Take<int32_t>(inner);
    AscendC::CreateVecIndex(index, 0, inner);
  }
  AscendC::LocalTensor<T> negated;
  if (!largest) negated = temporary.Take<T>(inner);
  AscendC::LocalTensor<T> pairs =
      temporary.Take<T>(AscendC::GetSortLen<T>(inner));
  AscendC::LocalTensor<T> merged =
      temporary.Take<T>(AscendC::GetSortLen<T>(inner));
  const auto value_pitch =
      static_cast<uint32_t>(BlockBytes(k, sizeof(T)) / sizeof(T));
  const uint32_t index_pitch = (k + 7) / 8 * 8;
  for (int32_t row = 0; row < info.outter; ++row) {
    AscendC::LocalTensor<T> of_row = src[row * inner];
    if (!largest) {
      AscendC::Muls(negated, of_row, static_cast<T>(-1.0f), inner);
      of_row = negated;
    }
    AscendC::PipeBarrier<PIPE_V>();
    AscendC::Sort<T, true>(pairs, of_row,
                           index.template ReinterpretCast<uint32_t>(), merged,
                           inner / 32);
    AscendC::PipeBarrier<PIPE_V>();
    const AscendC::LocalTensor<T> to = values[row * value_pitch];
    const AscendC::LocalTensor<int32_t> to_index = indices[row * index_pitch];
    TakePairs(to, to_index, pairs, k);
    AscendC::PipeBarrier<PIPE_V>();
    if (!largest) AscendC::Muls(to, to, static_cast<T>(-1.0f), k);
    if constexpr (has_finish) {
      if (finish.GetValue(row)) AscendC::Duplicate(to_index, info.n, k);
    }
    AscendC::PipeBarrier<PIPE_V>();
  }
}

// One 64-bit or 128-bit pattern at `to`, by words.
BELAY_API void StorePattern(const AscendC::LocalTensor<uint32_t>& to,
                            const uint32_t (&words)[4]) {
  for (int i = 0; i < 4; ++i) {
    const uint64_t lane[1] = {uint64_t{1} << i};
    AscendC::Duplicate(to, words[i], lane, 1, 1, 8);
  }
}

// Rows of 32, all at once; results follow each other without gaps.
template <bool has_index, typename T>
BELAY_API void TopKSmall(const AscendC::LocalTensor<T>& values,
                         const AscendC::LocalTensor<int32_t>& indices,
                         const AscendC::LocalTensor<T>& src,
                         const AscendC::LocalTensor<int32_t>& src_index,
                         Temporary temporary, uint32_t k, uint32_t rows,
                         bool largest) {
  const uint32_t count = rows * 32;
  AscendC::LocalTensor<int32_t> index = src_index;
  if constexpr (!has_index) {
    index = temporary.Take<int32_t>(count);
    AscendC::CreateVecIndex(index, 0, 32);
    AscendC::PipeBarrier<PIPE_V>();
    for (uint32_t row = 1; row < rows; row += 255) {
      const uint32_t now = rows - row < 255 ? rows - row : 255;
      AscendC::Copy(index[row * 32], index, 32, now, {1, 1, 4, 0});
    }
  }
  AscendC::LocalTensor<T> scores = src;
  if (!largest) {
    scores = temporary.Take<T>(count);
    AscendC::Muls(scores, src, static_cast<T>(-1.0f), count);
  }
  const AscendC::LocalTensor<T> pairs =
      temporary.Take<T>(AscendC::GetSortLen<T>(count));
  const AscendC::LocalTensor<uint32_t> pattern = temporary.Take<uint32_t>(16);
  // Bit i of a row: value or index of pair i · (bits of a row) / 32.
  constexpr uint32_t kStep = kPairLength<T>;
  uint32_t value_bits[4] = {};
  uint32_t index_bits[4] = {};
  for (uint32_t i = 0; i < k; ++i) {
    value_bits[i * kStep / 32] |= 1u << (i * kStep % 32);
    index_bits[i * 2 / 32] |= 2u << (i * 2 % 32);
  }
  StorePattern(pattern, value_bits);
  StorePattern(pattern[8], index_bits);
  AscendC::PipeBarrier<PIPE_V>();
  for (uint32_t row = 0; row < rows; row += 255) {
    AscendC::Sort32(pairs[row * 32 * kStep], scores[row * 32],
                    index[row * 32].template ReinterpretCast<uint32_t>(),
                    rows - row < 255 ? rows - row : 255);
  }
  AscendC::PipeBarrier<PIPE_V>();
  uint64_t kept = 0;
  const AscendC::GatherMaskParams all(1, static_cast<uint16_t>(rows), 8, 0);
  if constexpr (sizeof(T) == 4) {
    AscendC::GatherMask(values, pairs, pattern, false, 0, all, kept);
  } else {
    AscendC::GatherMask(values, pairs,
                        pattern.template ReinterpretCast<uint16_t>(), false, 0,
                        all, kept);
  }
  AscendC::GatherMask(indices, pairs.template ReinterpretCast<int32_t>(),
                      pattern[8], false, 0, all, kept);
  AscendC::PipeBarrier<PIPE_V>();
  if (!largest) {
    AscendC::Muls(values, values, static_cast<T>(-1.0f), rows * k);
    AscendC::PipeBarrier<PIPE_V>();
  }
}

template <bool has_index, bool has_finish, AscendC::TopKMode mode, typename T>
BELAY_API void TopKImpl(const AscendC::LocalTensor<T>& values,
                        const AscendC::LocalTensor<int32_t>& indices,
                        const AscendC::LocalTensor<T>& src,
                        const AscendC::LocalTensor<int32_t>& src_index,
                        const AscendC::LocalTensor<bool>& finish,
                        const Temporary& temporary, int32_t k,
                        const AscendC::TopKInfo& info, bool largest) {
  BELAY_TAKES(T, "TopK", BELAY_HALF_FLOAT)
  RequireArgument(info.n >= 1 && info.n <= info.inner, "TopK",
                  "topKInfo.n must lie in [1, inner]", info.n);
  RequireArgument(k >= 1 && k <= info.n, "TopK", "k must lie in [1, n]", k);
  if constexpr (mode == AscendC::TopKMode::TOPK_NSMALL) {
    RequireArgument(!has_finish, "TopK",
                    "isHasfinish must be false in small mode", has_finish);
    RequireArgument(info.inner == 32, "TopK",
                    "topKInfo.inner must be 32 in small mode", info.inner);
    if (info.outter <= 0) return;
    TopKSmall<has_index>(values, indices, src, src_index, temporary,
                         static_cast<uint32_t>(k),
                         static_cast<uint32_t>(info.outter), largest);
  } else {
    RequireArgument(info.inner % 32 == 0 && info.inner <= 4096, "TopK",
                    "topKInfo.inner must be a multiple of 32, at most 4096",
                    info.inner);
    TopKRows<has_index, has_finish>(values, indices, src, src_index, finish,
                                    temporary, static_cast<uint32_t>(k), info,
                                    largest);
  }
}

// What the configuration says, or else the argument.
BELAY_API constexpr bool WantsLargest(const AscendC::TopKConfig& config,
                                      bool argument) {
  return config.order == AscendC::TopKOrder::UNSET
             ? argument
             : config.order == AscendC::TopKOrder::LARGEST;
}

}  // namespace belay::api

namespace AscendC {

template <typename T, bool isInitIndex = false, bool isHasfinish = false,
          bool isReuseSrc = false, TopKMode topkMode = TopKMode::TOPK_NORMAL,
          const TopKConfig& config = defaultTopKConfig>
BELAY_API void TopK(const LocalTensor<T>& dstValueLocal,
                    const LocalTensor<int32_t>& dstIndexLocal,
                    const LocalTensor<T>& srcLocal,
                    const LocalTensor<int32_t>& srcIndexLocal,
                    const LocalTensor<bool>& finishLocal, const int32_t k,
                    const TopkTiling&, const TopKInfo& topKInfo,
                    const bool isLargest = true) {
  belay::api::TopKImpl<isInitIndex, isHasfinish, topkMode>(
      dstValueLocal, dstIndexLocal, srcLocal, srcIndexLocal, finishLocal,
      belay::api::Temporary("TopK"), k, topKInfo,
      belay::api::WantsLargest(config, isLargest));
}
template <typename T, bool isInitIndex = false, bool isHasfinish = false,
          bool isReuseSrc = false, TopKMode topkMode = TopKMode::TOPK_NORMAL,
          const TopKConfig& config = defaultTopKConfig>
BELAY_API void TopK(const LocalTensor<T>& dstValueLocal,
                    const LocalTensor<int32_t>& dstIndexLocal,
                    const LocalTensor<T>& srcLocal,
                    const LocalTensor<int32_t>& srcIndexLocal,
                    const LocalTensor<bool>& finishLocal,
                    const LocalTensor<uint8_t>& tmpLocal, const int32_t k,
                    const TopkTiling&, const TopKInfo& topKInfo,
                    const bool isLargest = true) {
  belay::api::TopKImpl<isInitIndex, isHasfinish, topkMode>(
      dstValueLocal, dstIndexLocal, srcLocal, srcIndexLocal, finishLocal,
      belay::api::Temporary("TopK", tmpLocal), k, topKInfo,
      belay::api::WantsLargest(config, isLargest));
}

}  // namespace AscendC

BELAY_KERNEL_CODE_END

#endif  // BELAY_ASCENDC_HIGH_LEVEL_SORT_TOPK_H_
