// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_EXTREMES_H_
#define BELAY_CRUX_SELECT_EXTREMES_H_

// The largest or the smallest element of a tile of i32, read by the scalar
// unit: what decides whether a kernel goes on.

#include <string>

#include "crux/select/emitter.h"

namespace belay::crux::select {

// Whether all rows of such a tile are there: it has two axes at most.
bool HasPlainRows(const Layout& layout);

// The largest ("Max") or smallest ("Min") of the elements that lie at `numbers`
// with this layout, and of `start`. Found as i32, 64 at a time; of those 64 as
// f32, so that a number beyond 2^24 is one of about its size and sign.
Int ExtremeOf(Emitter& emitter, const std::string& function,
              const Local& numbers, const Layout& layout, int64_t start,
              const char* wish);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_EXTREMES_H_
