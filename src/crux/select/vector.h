// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_VECTOR_H_
#define BELAY_CRUX_SELECT_VECTOR_H_

// Vector instructions over whole tiles, with operands that broadcast.

#include <string>
#include <string_view>
#include <vector>

#include "crux/ir/tile.h"
#include "crux/select/emitter.h"

namespace belay::crux::select {

// Elements on chip, as a tile with these dims lies there.
struct Lane {
  Local place;
  std::vector<ir::Dim> dims;
  // One number, already in every lane of a repeat: dims are not looked at.
  bool filled = false;
  int tile = -1;  // that it is (part) of; -1: not known
};

// Lanes of a 32-byte block, and of a repeat of 256 bytes.
int64_t LanesOfBlock(DType dtype);
int64_t LanesOfRepeat(DType dtype);

// What an instruction takes at most: repeats, and blocks from one block or
// repeat to the next.
constexpr int64_t kMostRepeats = 255;
constexpr int64_t kLongestStride = 255;
// Groups of eight numbers that Brcbs one after the other take: an even number,
// since two groups of 16 bits are a block.
constexpr int64_t kGroupsOfBrcb = 254;
// Cycles to start one, about.
constexpr int64_t kStartCycles = 25;

// So many elements behind it.
Local Moved(const Local& place, const Int& elements);

Lane LaneOf(Emitter& emitter, int tile);
// The same bits under a dtype of equal width; itself if that is its dtype.
Lane ViewAs(Emitter& emitter, const Lane& lane, DType dtype);
Lane ScratchLike(Emitter& emitter, const std::vector<ir::Dim>& dims,
                 DType dtype, std::string_view wish);
// A number for all lanes, not to be written over.
Lane FilledWith(Emitter& emitter, DType dtype, const ScalarPtr& value);

// What an instruction on every lane of it works on.
Int CountOf(const Emitter& emitter, const Lane& lane);
// Whether an axis counts the rows that run at a time. Instructions on one
// number for each row take whole repeats: the clock charges a rest for more.
bool CountsRows(const ir::Kernel& kernel, const Int& capacity);
// The same up to whole repeats of 256 bytes of `dtype`: comparisons know
// nothing smaller. Memory of tiles and scratch reaches as far.
Int WholeRepeats(const Int& count, DType dtype);

// What an instruction on tiles of one element works on: a whole repeat where
// they begin their memory, since the clock charges a rest for more.
Int LanesForOne(const Emitter& emitter, const std::vector<Lane>& lanes);

// dst = function(a, b), operands broadcast to dst's dims. dst may lie where an
// operand of its dims lies. All of one dtype, 16 or 32 bits wide, that the
// function has.
void VectorBinary(Emitter& emitter, const std::string& function,
                  const Lane& dst, const Lane& a, const Lane& b);

// `source` broadcast to dst's dims, bit by bit; elements of 16 or 32 bits.
void BroadcastTo(Emitter& emitter, const Lane& dst, const Lane& source);

// A place where `source` lies with these dims: its own, or a copy.
Lane Dense(Emitter& emitter, const Lane& source,
           const std::vector<ir::Dim>& dims);

// dst = function(a): dense.
void VectorUnary(Emitter& emitter, const std::string& function, const Lane& dst,
                 const Lane& a);
// dst = function(a, scalar): dense.
void VectorScalar(Emitter& emitter, const std::string& function,
                  const Lane& dst, const Lane& a, ScalarPtr scalar);
void VectorCast(Emitter& emitter, const Lane& dst, const Lane& a,
                abi::Round mode);

std::string_view WordOf(abi::Round mode);  // "RoundMode::CAST_RINT"

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_VECTOR_H_
