// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_TWINS_H_
#define BELAY_CRUX_TWINS_H_

// Twins: two variants of a kernel, one of f16 and one of bf16, whose code is
// the same but for that. What only moves 16-bit floats and computes in f32, as
// most kernels do, needs to be compiled and printed once.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "crux/ir/code.h"
#include "crux/ir/tile.h"
#include "crux/lower/lower.h"

namespace belay::crux {

// For each choice of dtypes, the position of one before it that has f16 where
// it has bf16; a choice that has f16 itself has none.
std::vector<std::optional<size_t>> HalvesFor(
    const std::vector<std::vector<DType>>& instances);

// A variant's conditions, and its kernel after the passes over tiles, as text.
// `renamed`: with bf16 for f16. Variants may be twins where texts are equal.
std::string TwinText(const Variant& variant, const ir::Kernel& kernel,
                     bool renamed);

// Whether the code, of a variant of f16, holds for bf16 as well: it has f16 in
// moves and in conversions to and from f32 alone.
bool OnlyMovesHalves(const code::Kernel& kernel);

}  // namespace belay::crux

#endif  // BELAY_CRUX_TWINS_H_
