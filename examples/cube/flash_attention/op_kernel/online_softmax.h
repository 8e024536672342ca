// SPDX-License-Identifier: Apache-2.0
#ifndef ONLINE_SOFTMAX_H_
#define ONLINE_SOFTMAX_H_

// Softmax over rows that arrive in tiles of columns, and the weighted sum of
// values that belongs to it. Rows lie kTileKeys (scores) or `depth` (sums)
// floats apart. A value of each row stands in a vector, or in a block of 8
// equal floats where rows are scaled by it.

#include "flash_attention_tile.h"
#include "kernel_operator.h"

using namespace AscendC;

class OnlineSoftmax {
 public:
  __aicore__ inline void Init(TPipe* pipe, uint32_t depth) {
    depth_ = depth;
    pipe->InitBuffer(fold_, kTileQueries * kLanes * sizeof(float));
    pipe->InitBuffer(blocks_, kTileQueries * kBlock * sizeof(float));
    pipe->InitBuffer(largest_, kTileQueries * sizeof(float));
    pipe->InitBuffer(total_, kTileQueries * sizeof(float));
    pipe->InitBuffer(tile_, kTileQueries * sizeof(float));
    pipe->InitBuffer(rescale_, kTileQueries * sizeof(float));
    pipe->InitBuffer(sums_, kTileQueries * depth * sizeof(float));
  }

  // A new tile of queries.
  __aicore__ inline void Start(uint32_t rows) {
    rows_ = rows;
    Duplicate(largest_.Get<float>(), kLowest, rows_);
    Duplicate(total_.Get<float>(), 0.0f, rows_);
    Duplicate(sums_.Get<float>(), 0.0f, rows_ * depth_);
    PipeBarrier<PIPE_V>();
  }

  // Scores of `columns` keys become probabilities, in units of the largest
  // score so far. Rescale must follow before values of this tile are added.
  __aicore__ inline void Add(const LocalTensor<float>& scores,
                             const LocalTensor<half>& probabilities,
                             float scale, uint32_t columns) {
    const LocalTensor<float> largest = largest_.Get<float>();
    const LocalTensor<float> total = total_.Get<float>();
    const LocalTensor<float> tile = tile_.Get<float>();
    const LocalTensor<float> rescale = rescale_.Get<float>();
    ForGroups(columns, [&](uint32_t at, uint32_t lanes) {
      Muls(scores[at], scores[at], scale, lanes, rows_,
           {1, 1, kScorePitch, kScorePitch});
    });
    PipeBarrier<PIPE_V>();

    FoldColumns(scores, columns, true);
    WholeReduceMax(tile, fold_.Get<float>(), Lanes(columns), rows_, 1, 1, 8,
                   ReduceOrder::ORDER_ONLY_VALUE);
    PipeBarrier<PIPE_V>();
    Max(tile, tile, largest, rows_);
    PipeBarrier<PIPE_V>();
    Sub(rescale, largest, tile, rows_);
    PipeBarrier<PIPE_V>();
    Exp(rescale, rescale, rows_);
    Adds(largest, tile, 0.0f, rows_);
    PipeBarrier<PIPE_V>();

    const LocalTensor<float> blocks = Spread(largest);
    ForGroups(columns, [&](uint32_t at, uint32_t lanes) {
      Sub(scores[at], scores[at], blocks, lanes, rows_,
          {1, 1, 0, kScorePitch, kScorePitch, 1});
    });
    PipeBarrier<PIPE_V>();
    ForGroups(columns, [&](uint32_t at, uint32_t lanes) {
      Exp(scores[at], scores[at], lanes, rows_,
          {1, 1, kScorePitch, kScorePitch});
    });
    PipeBarrier<PIPE_V>();
    ForGroups(columns, [&](uint32_t at, uint32_t lanes) {
      Cast(probabilities[at], scores[at], RoundMode::CAST_RINT, lanes, rows_,
           {1, 1, kScorePitch / 2, kScorePitch});
    });

    FoldColumns(scores, columns, false);
    WholeReduceSum(tile, fold_.Get<float>(), Lanes(columns), rows_, 1, 1, 8);
    Mul(total, total, rescale, rows_);
    PipeBarrier<PIPE_V>();
    AscendC::Add(total, total, tile, rows_);
    PipeBarrier<PIPE_V>();
  }

  // Measures the values summed up so far by the largest score of now.
  __aicore__ inline void Rescale() {
    ScaleSums(Spread(rescale_.Get<float>()), false);
  }

  // A tile's probabilities times its values, behind its own Rescale.
  __aicore__ inline void AddValues(const LocalTensor<float>& values) {
    const LocalTensor<float> sums = sums_.Get<float>();
    AscendC::Add(sums, sums, values, rows_ * depth_);
    PipeBarrier<PIPE_V>();
  }

  __aicore__ inline void Finish(const LocalTensor<half>& y) {
    ScaleSums(Spread(total_.Get<float>()), true);
    Cast(y, sums_.Get<float>(), RoundMode::CAST_RINT, rows_ * depth_);
  }

 private:
  static constexpr uint32_t kLanes = 64;
  static constexpr uint32_t kBlock = 8;
  static constexpr uint8_t kScorePitch = kTileKeys / kBlock;  // in blocks
  static constexpr float kLowest = -3.0e38f;

  __aicore__ inline static uint32_t Lanes(uint32_t columns) {
    return columns < kLanes ? columns : kLanes;
  }

  // Calls with the first column and the number of columns of each group.
  template <typename Call>
  __aicore__ inline static void ForGroups(uint32_t columns, const Call& call) {
    for (uint32_t at = 0; at < columns; at += kLanes) {
      call(at, Lanes(columns - at));
    }
  }

  // Every row's groups of columns onto its first group, in fold_.
  __aicore__ inline void FoldColumns(const LocalTensor<float>& scores,
                                     uint32_t columns, bool take_largest) {
    const LocalTensor<float> fold = fold_.Get<float>();
    Adds(fold, scores, 0.0f, Lanes(columns), rows_, {1, 1, 8, kScorePitch});
    PipeBarrier<PIPE_V>();
    for (uint32_t at = kLanes; at < columns; at += kLanes) {
      const BinaryRepeatParams strides = {1, 1, 1, 8, 8, kScorePitch};
      if (take_largest) {
        Max(fold, fold, scores[at], Lanes(columns - at), rows_, strides);
      } else {
        AscendC::Add(fold, fold, scores[at], Lanes(columns - at), rows_,
                     strides);
      }
      PipeBarrier<PIPE_V>();
    }
  }

  // One block for each row's value.
  __aicore__ inline LocalTensor<float> Spread(
      const LocalTensor<float>& of_rows) {
    const LocalTensor<float> blocks = blocks_.Get<float>();
    Brcb(blocks, of_rows, (rows_ + kBlock - 1) / kBlock, {1, kBlock});
    PipeBarrier<PIPE_V>();
    return blocks;
  }

  __aicore__ inline void ScaleSums(const LocalTensor<float>& blocks,
                                   bool divide) {
    const LocalTensor<float> sums = sums_.Get<float>();
    const uint8_t pitch = depth_ / kBlock;
    const BinaryRepeatParams strides = {1, 1, 0, pitch, pitch, 1};
    ForGroups(depth_, [&](uint32_t at, uint32_t lanes) {
      if (divide) {
        Div(sums[at], sums[at], blocks, lanes, rows_, strides);
      } else {
        Mul(sums[at], sums[at], blocks, lanes, rows_, strides);
      }
    });
    PipeBarrier<PIPE_V>();
  }

  uint32_t depth_ = 0;
  uint32_t rows_ = 0;
  TBuf<TPosition::VECCALC> fold_, blocks_, largest_, total_, tile_, rescale_,
      sums_;
};

#endif  // ONLINE_SOFTMAX_H_
