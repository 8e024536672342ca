// SPDX-License-Identifier: Apache-2.0
// Attention without its matrix of scores: a vector core takes a tile of
// queries, has its cube core multiply it with one tile of keys after the other,
// and keeps only the largest score, the sum and the weighted values of each
// row. While the vector core is at one tile, the cube core computes the scores
// of the next and the values of the one before.

#include "kernel_operator.h"
#include "lib/matmul_intf.h"
#include "online_softmax.h"

using namespace AscendC;

class FlashAttention {
 public:
  __aicore__ inline void Init(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR y,
                              GM_ADDR workspace,
                              const FlashAttentionTilingData& tiling,
                              TPipe* pipe) {
    tiling_ = &tiling;
    const uint64_t heads = tiling.heads;
    const uint64_t of_queries = heads * tiling.queries * tiling.depth;
    const uint64_t of_keys = heads * tiling.keys * tiling.depth;
    q_.SetGlobalBuffer((__gm__ half*)q, of_queries);
    k_.SetGlobalBuffer((__gm__ half*)k, of_keys);
    v_.SetGlobalBuffer((__gm__ half*)v, of_keys);
    y_.SetGlobalBuffer((__gm__ half*)y, of_queries);

    __gm__ float* own =
        (__gm__ float*)workspace + (uint64_t)GetBlockIdx() * kWorkspaceFloats;
    scores_.SetGlobalBuffer(own, 2 * kScoreFloats);
    own += 2 * kScoreFloats;
    probabilities_.SetGlobalBuffer((__gm__ half*)own, kTileQueries * kTileKeys);
    own += kProbabilityFloats;
    values_.SetGlobalBuffer(own, 2 * kValueFloats);

    if ASCEND_IS_AIV {
      const uint32_t row = tiling.depth;
      pipe->InitBuffer(scores_in_, 1, kScoreFloats * sizeof(float));
      pipe->InitBuffer(values_in_, 1, kTileQueries * row * sizeof(float));
      // Probabilities, or results, of which there are fewer.
      pipe->InitBuffer(out_, 1, kTileQueries * kTileKeys * sizeof(half));
      softmax_.Init(pipe, row);
    }
  }

  __aicore__ inline void Process() {
    const uint32_t core = GetBlockIdx();
    if (core >= tiling_->cores) return;
    const uint32_t tiles_per_head =
        (tiling_->queries + kTileQueries - 1) / kTileQueries;
    const uint64_t tiles = tiling_->heads * tiles_per_head;
    for (uint64_t tile = core; tile < tiles; tile += tiling_->cores) {
      Queries(tile / tiles_per_head, tile % tiles_per_head * kTileQueries);
    }
    score_product.End();
    value_product.End();
  }

  using Halves = matmul::MatmulType<TPosition::GM, CubeFormat::ND, half>;
  using Keys = matmul::MatmulType<TPosition::GM, CubeFormat::ND, half, true>;
  using Floats = matmul::MatmulType<TPosition::GM, CubeFormat::ND, float>;
  matmul::Matmul<Halves, Keys, Floats> score_product;
  matmul::Matmul<Halves, Halves, Floats> value_product;

 private:
  __aicore__ inline static uint32_t Least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
  }

  // One tile of queries against all keys.
  __aicore__ inline void Queries(uint64_t head, uint32_t first) {
    rows_ = Least(kTileQueries, tiling_->queries - first);
    const uint64_t query = (head * tiling_->queries + first) * tiling_->depth;
    const uint64_t key = head * tiling_->keys * tiling_->depth;
    softmax_.Start(rows_);
    StartScores(query, key, 0);
    uint32_t last = 0;
    for (uint32_t at = 0; at < tiling_->keys; at += kTileKeys) {
      score_product.WaitIterateAll();
      if (at + kTileKeys < tiling_->keys) {
        StartScores(query, key, at + kTileKeys);
      }
      const uint32_t columns = Least(kTileKeys, tiling_->keys - at);
      const LocalTensor<half> probabilities = Softmax(at, columns);
      if (at > 0) AddValues(at - kTileKeys);
      softmax_.Rescale();
      Store(probabilities, columns);
      StartValues(key, at, columns);
      last = at;
    }
    AddValues(last);
    LocalTensor<half> y = out_.AllocTensor<half>();
    softmax_.Finish(y);
    out_.EnQue(y);
    y = out_.DeQue<half>();
    DataCopy(y_[query], y, rows_ * tiling_->depth);
    out_.FreeTensor(y);
  }

  // Tiles alternate between two places.
  __aicore__ inline static uint32_t ScorePlace(uint32_t at) {
    return at / kTileKeys % 2 * kScoreFloats;
  }
  __aicore__ inline static uint32_t ValuePlace(uint32_t at) {
    return at / kTileKeys % 2 * kValueFloats;
  }

  __aicore__ inline void StartScores(uint64_t query, uint64_t key,
                                     uint32_t at) {
    score_product.SetTensorA(q_[query]);
    score_product.SetTensorB(k_[key + (uint64_t)at * tiling_->depth], true);
    score_product.SetSingleShape(rows_, Least(kTileKeys, tiling_->keys - at),
                                 tiling_->depth);
    score_product.IterateAll<false>(scores_[ScorePlace(at)], 0, false, true);
  }

  __aicore__ inline LocalTensor<half> Softmax(uint32_t at, uint32_t columns) {
    LocalTensor<float> scores = scores_in_.AllocTensor<float>();
    const uint32_t apart = kTileKeys - columns;
    DataCopyPad(scores, scores_[ScorePlace(at)],
                {(uint16_t)rows_, columns * (uint32_t)sizeof(float),
                 apart * (uint32_t)sizeof(float), apart / 8, 0},
                {false, 0, 0, 0});
    scores_in_.EnQue(scores);
    scores = scores_in_.DeQue<float>();
    LocalTensor<half> probabilities = out_.AllocTensor<half>();
    softmax_.Add(scores, probabilities, tiling_->scale, columns);
    scores_in_.FreeTensor(scores);
    return probabilities;
  }

  __aicore__ inline void Store(const LocalTensor<half>& computed,
                               uint32_t columns) {
    const uint32_t apart = kTileKeys - columns;
    out_.EnQue(computed);
    LocalTensor<half> probabilities = out_.DeQue<half>();
    DataCopyPad(probabilities_, probabilities,
                {(uint16_t)rows_, columns * (uint32_t)sizeof(half), apart / 16,
                 apart * (uint32_t)sizeof(half), 0});
    out_.FreeTensor(probabilities);
    // The cube core reads what must have left the Unified Buffer.
    const TEventID stored = GetTPipePtr()->FetchEventID(HardEvent::MTE3_S);
    SetFlag<HardEvent::MTE3_S>(stored);
    WaitFlag<HardEvent::MTE3_S>(stored);
  }

  __aicore__ inline void StartValues(uint64_t key, uint32_t at,
                                     uint32_t columns) {
    value_product.SetTensorA(probabilities_);
    value_product.SetTensorB(v_[key + (uint64_t)at * tiling_->depth]);
    value_product.SetSingleShape(rows_, tiling_->depth, columns);
    value_product.IterateAll<false>(values_[ValuePlace(at)], 0, false, true);
  }

  __aicore__ inline void AddValues(uint32_t at) {
    value_product.WaitIterateAll();
    LocalTensor<float> values = values_in_.AllocTensor<float>();
    DataCopy(values, values_[ValuePlace(at)], rows_ * tiling_->depth);
    values_in_.EnQue(values);
    values = values_in_.DeQue<float>();
    softmax_.AddValues(values);
    values_in_.FreeTensor(values);
  }

  const FlashAttentionTilingData* tiling_ = nullptr;
  uint32_t rows_ = 0;
  OnlineSoftmax softmax_;
  GlobalTensor<half> q_, k_, v_, y_, probabilities_;
  GlobalTensor<float> scores_, values_;
  TQue<TPosition::VECIN, 1> scores_in_, values_in_;
  TQue<TPosition::VECOUT, 1> out_;
};

extern "C" __global__ __aicore__ void flash_attention(GM_ADDR q, GM_ADDR k,
                                                      GM_ADDR v, GM_ADDR y,
                                                      GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  FlashAttention op;
  op.Init(q, k, v, y, GetUserWorkspace(workspace), data, &pipe);
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.score_product, &data.scores,
                    op.value_product, &data.values);
  op.Process();
}
