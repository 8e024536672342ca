// SPDX-License-Identifier: Apache-2.0
#ifndef FLASH_ATTENTION_TILE_H_
#define FLASH_ATTENTION_TILE_H_

// Sizes that host and kernel agree on. A vector core works at a tile of queries
// against one tile of keys after the other.

constexpr int kTileQueries = 64;
constexpr int kTileKeys = 256;
constexpr int kMostDepth = 128;

// A vector core's part of the workspace, in floats: two tiles of scores, one of
// probabilities in half, two of their products with the values.
constexpr int kScoreFloats = kTileQueries * kTileKeys;
constexpr int kProbabilityFloats = kTileQueries * kTileKeys / 2;
constexpr int kValueFloats = kTileQueries * kMostDepth;
constexpr int kWorkspaceFloats =
    2 * kScoreFloats + kProbabilityFloats + 2 * kValueFloats;

#endif  // FLASH_ATTENTION_TILE_H_
