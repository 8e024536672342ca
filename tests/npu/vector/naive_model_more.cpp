// SPDX-License-Identifier: Apache-2.0
#include "naive_model_more.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "naive_lanes.h"
#include "naive_model.h"
#include "naive_numbers.h"

namespace belay::npu::naive {
namespace {

using abi::DType;
using abi::Op;

uint8_t* At(uint64_t address) { return reinterpret_cast<uint8_t*>(address); }

// One step of a fused instruction, by the plain instruction for it.
uint64_t Step(Op op, DType dtype, uint64_t a, uint64_t b,
              const VectorState& state) {
  abi::Instruction step{};
  step.op = op;
  step.src0.dtype = step.src1.dtype = step.dst.dtype = dtype;
  return ComputeLane(step, a, b, state);
}

uint64_t Convert(DType from, DType to, uint64_t a, const VectorState& state) {
  abi::Instruction step{};
  step.op = Op::kCast;
  step.mode = static_cast<uint8_t>(abi::Round::kRint);
  step.src0.dtype = from;
  step.dst.dtype = to;
  return CastLane(step, a, state);
}

uint64_t FusedLane(const abi::Instruction& i, uint64_t a, uint64_t b,
                   uint64_t old, const VectorState& state) {
  const DType from = i.src0.dtype;
  const DType to = i.dst.dtype;
  switch (i.op) {
    case Op::kAddDeqRelu: {
      const uint64_t sum = Step(Op::kAdd, from, a, b, state);
      return Step(Op::kRelu, to, Convert(from, to, sum, state), 0, state);
    }
    case Op::kAddReluCast:
      return Convert(from, to, Step(Op::kAddRelu, from, a, b, state), state);
    case Op::kSubReluCast:
      return Convert(from, to, Step(Op::kSubRelu, from, a, b, state), state);
    case Op::kMulCast:
      return Convert(from, to, Step(Op::kMul, from, a, b, state), state);
    case Op::kMulAddDst: {
      if (from == to) {
        return Step(Op::kAdd, to, Step(Op::kMul, to, a, b, state), old, state);
      }
      const long double product = Decode(a, from) * Decode(b, from);
      return Encode(product + Decode(old, to), to, abi::Round::kRint, false);
    }
    case Op::kFusedMulAdd:
    case Op::kFusedMulAddRelu: {
      const uint64_t product = Step(Op::kMul, to, a, old, state);
      const uint64_t sum = Step(Op::kAdd, to, product, b, state);
      return i.op == Op::kFusedMulAdd ? sum
                                      : Step(Op::kRelu, to, sum, 0, state);
    }
    default:
      throw std::logic_error("naive model: not a fused instruction");
  }
}

void ExecuteFused(const abi::Instruction& i, VectorState& state) {
  ForLanes(i.dst, Resolve(i, state), [&](uint32_t repeat, uint32_t lane) {
    return FusedLane(i, LoadLane(i.src0, repeat, lane),
                     LoadLane(i.src1, repeat, lane),
                     LoadLane(i.dst, repeat, lane), state);
  });
}

uint64_t Dequantised(int64_t value, uint64_t word) {
  // A float whose lowest 13 bits the unit does not see.
  const long double scale = Decode(word & 0xffffe000u, DType::kFloat);
  int64_t offset = static_cast<int64_t>(word >> 37) & 0x1ff;
  if (offset >= 256) offset -= 512;
  const bool is_signed = (word >> 46 & 1) != 0;
  const long double exact = value * scale + offset;
  if (std::isnan(exact)) return 0;
  const long double bounded = std::clamp(exact, -1000.0L, 1000.0L);
  const long double whole = ToWhole(bounded, abi::Round::kRint);
  return EncodeInteger(static_cast<__int128>(whole),
                       is_signed ? DType::kInt8 : DType::kUint8, true);
}

void ExecuteCastDequant(const abi::Instruction& i, VectorState& state) {
  const Repeats repeats = Resolve(i, state);
  if (i.src0.dtype == DType::kInt32) {
    ForLanes(i.dst, repeats, [&](uint32_t repeat, uint32_t lane) {
      return Convert(DType::kInt32, DType::kHalf,
                     LoadLane(i.src0, repeat, lane), state);
    });
    return;
  }
  for (uint32_t repeat = 0; repeat < repeats.size(); ++repeat) {
    std::map<uint32_t, uint64_t> results;
    for (const uint32_t lane : repeats[repeat]) {
      uint64_t word = state.dequant;
      if ((i.mode & 2) != 0) word = LoadAt(At(word) + lane % 16 * 8, 64);
      const int64_t value =
          DecodeInteger(LoadLane(i.src0, repeat, lane), DType::kInt16);
      results[lane] = Dequantised(value, word);
    }
    for (const auto& [lane, value] : results) {
      const uint64_t block = uint64_t{repeat} * i.dst.repeat_stride +
                             uint64_t{lane / 16} * i.dst.block_stride;
      At(i.dst.address)[block * 32 + (i.mode & 1) * 16 + lane % 16] =
          static_cast<uint8_t>(value);
    }
  }
}

void ExecuteIndex(const abi::Instruction& i, VectorState& state) {
  const DType dtype = i.dst.dtype;
  const uint32_t per_repeat = LanesOfRepeat(i);
  ForLanes(i.dst, Resolve(i, state), [&](uint32_t repeat, uint32_t lane) {
    const uint64_t index = uint64_t{repeat} * per_repeat + lane;
    if (!IsFloat(dtype)) {
      return EncodeInteger(__int128{DecodeInteger(i.scalar, dtype)} + index,
                           dtype, state.saturate);
    }
    return Encode(Decode(i.scalar, dtype) + index, dtype, abi::Round::kRint,
                  state.saturate && dtype == DType::kHalf);
  });
}

void ExecuteCopy(const abi::Instruction& i, VectorState& state) {
  const Repeats repeats = Resolve(i, state);
  if (!state.counter_mode) {
    ForLanes(i.dst, repeats, [&](uint32_t repeat, uint32_t lane) {
      return LoadLane(i.src0, repeat, lane);
    });
    return;
  }
  // The register counts the lanes of every repeat; 256 bytes at a time.
  const uint64_t count = state.mask[0];
  const uint32_t row = LanesOfRepeat(i);
  for (uint32_t repeat = 0; repeat < i.repeat; ++repeat) {
    for (uint32_t first = 0; first < count; first += row) {
      std::vector<uint64_t> values;
      for (uint32_t lane = first; lane < count && lane < first + row; ++lane) {
        values.push_back(LoadLane(i.src0, repeat, lane));
      }
      for (uint32_t k = 0; k < values.size(); ++k) {
        StoreLane(i.dst, repeat, first + k, values[k]);
      }
    }
  }
}

void ExecuteGatherb(const abi::Instruction& i) {
  const uint64_t block_stride =
      i.dst.block_stride == 0 ? 1 : i.dst.block_stride;
  for (uint64_t repeat = 0; repeat < i.repeat; ++repeat) {
    std::vector<uint8_t> bytes;
    for (uint64_t block = 0; block < 8; ++block) {
      const uint64_t offset =
          LoadAt(At(i.src1.address) + (repeat * 8 + block) * 4, 32);
      for (uint64_t byte = 0; byte < 32; ++byte) {
        bytes.push_back(At(i.src0.address)[offset + byte]);
      }
    }
    for (uint64_t byte = 0; byte < bytes.size(); ++byte) {
      const uint64_t block =
          repeat * i.dst.repeat_stride + byte / 32 * block_stride;
      At(i.dst.address)[block * 32 + byte % 32] = bytes[byte];
    }
  }
}

bool IsKept(const abi::Instruction& i, uint64_t repeat, uint64_t element) {
  switch (i.gather_mask.pattern) {
    case 1:
    case 2:
      return element % 2 == i.gather_mask.pattern - 1u;
    case 3:
    case 4:
    case 5:
    case 6:
      return element % 4 == i.gather_mask.pattern - 3u;
    case 7:
      return true;
    default: {
      const uint8_t* bits =
          At(i.src1.address) + repeat * i.gather_mask.src1_repeat_stride * 32;
      return (bits[element / 8] >> element % 8 & 1) != 0;
    }
  }
}

void ExecuteGatherMask(const abi::Instruction& i, VectorState& state) {
  const int bits = BitsOfType(i.src0.dtype);
  const uint64_t elements =
      i.gather_mask.by_mask != 0 ? i.count : LanesOfRepeat(i);
  state.gathered = 0;
  for (uint32_t repeat = 0; repeat < i.repeat; ++repeat) {
    for (uint32_t element = 0; element < elements; ++element) {
      if (!IsKept(i, repeat, element)) continue;
      StoreAt(At(i.dst.address) + state.gathered * bits / 8,
              LoadLane(i.src0, repeat, element), bits);
      ++state.gathered;
    }
  }
  state.counter_mode = false;
}

// True if value b comes before value a that stands before it.
bool Precedes(uint64_t b, uint64_t a, DType dtype) {
  const long double x = Decode(a, dtype);
  const long double y = Decode(b, dtype);
  if (std::isnan(x)) return false;
  return std::isnan(y) || y > x;
}

void ExecuteSort(const abi::Instruction& i) {
  const DType dtype = i.src0.dtype;
  const int bits = BitsOfType(dtype);
  for (uint64_t repeat = 0; repeat < i.repeat; ++repeat) {
    struct Pair {
      uint64_t value;
      uint64_t index;
    };
    std::vector<Pair> sorted;
    for (uint64_t k = 0; k < 32; ++k) {
      const Pair pair{
          LoadAt(At(i.src0.address) + (repeat * 32 + k) * bits / 8, bits),
          LoadAt(At(i.src1.address) + (repeat * 32 + k) * 4, 32)};
      auto place = sorted.begin();
      while (place != sorted.end() &&
             !Precedes(pair.value, place->value, dtype)) {
        ++place;
      }
      sorted.insert(place, pair);
    }
    for (uint64_t k = 0; k < 32; ++k) {
      StoreAt(At(i.dst.address) + repeat * 256 + k * 8,
              sorted[k].index << 32 | sorted[k].value, 64);
    }
  }
}

void ExecuteMerge(const abi::Instruction& i, VectorState& state) {
  const DType dtype = i.dst.dtype;
  const abi::Merge& merge = i.merge;
  bool uniform = merge.valid == 15 && merge.stop_when_exhausted == 0;
  uint64_t total = 0;
  for (int list = 0; list < 4; ++list) {
    if ((merge.valid >> list & 1) != 0) total += merge.count[list];
    uniform = uniform && merge.count[list] == merge.count[0] &&
              merge.list[list] == merge.list[0] + list * 8ull * merge.count[0];
  }
  const uint32_t repeats = uniform ? i.repeat : std::min(i.repeat, 1u);
  uint64_t to = i.dst.address;
  for (uint64_t repeat = 0; repeat < repeats; ++repeat) {
    uint64_t taken[4] = {0, 0, 0, 0};
    while (true) {
      int best = -1;
      uint64_t best_pair = 0;
      bool exhausted = false;
      for (int list = 0; list < 4; ++list) {
        if ((merge.valid >> list & 1) == 0) continue;
        if (taken[list] == merge.count[list]) {
          exhausted = true;
          continue;
        }
        const uint64_t pair = LoadAt(
            At(merge.list[list]) + (repeat * total + taken[list]) * 8, 64);
        const uint64_t field = dtype == DType::kHalf ? 0xffff : 0xffffffff;
        if (best < 0 || Precedes(pair & field, best_pair & field, dtype)) {
          best = list;
          best_pair = pair;
        }
      }
      if (best < 0 || (exhausted && merge.stop_when_exhausted != 0)) break;
      StoreAt(At(to), best_pair, 64);
      to += 8;
      ++taken[best];
    }
    for (int list = 0; list < 4; ++list) {
      state.merged[list] = static_cast<uint16_t>(taken[list]);
    }
  }
}

void ExecuteTranspose(const abi::Instruction& i) {
  if (i.repeat == 0) return;
  uint64_t elements[256];
  for (int k = 0; k < 256; ++k) {
    elements[k] = LoadAt(At(i.src0.address) + k * 2, 16);
  }
  for (int k = 0; k < 256; ++k) {
    StoreAt(At(i.dst.address) + k * 2, elements[k % 16 * 16 + k / 16], 16);
  }
}

void ExecuteTransposeLists(const abi::Instruction& i) {
  const int bits = BitsOfType(i.dst.dtype);
  const uint64_t in_row = bits == 8 ? 16 : 256 / bits;  // elements
  const uint64_t from_half = bits == 8 && i.lists.source_high_half ? 16 : 0;
  const uint64_t to_half = bits == 8 && i.lists.destination_high_half ? 16 : 0;
  const auto* destinations =
      reinterpret_cast<const uint64_t*>(i.lists.destinations);
  const auto* sources = reinterpret_cast<const uint64_t*>(i.lists.sources);
  for (uint64_t repeat = 0; repeat < i.repeat; ++repeat) {
    // A single repeat is moved by one stride.
    const uint64_t step = (i.repeat == 1 ? 1 : repeat) * 32;
    std::vector<uint64_t> elements;
    for (uint64_t column = 0; column < in_row; ++column) {
      for (int row = 0; row < 16; ++row) {
        elements.push_back(LoadAt(At(sources[row]) +
                                      step * i.src0.repeat_stride + from_half +
                                      column * bits / 8,
                                  bits));
      }
    }
    for (uint64_t k = 0; k < elements.size(); ++k) {
      StoreAt(At(destinations[k / in_row]) + step * i.dst.repeat_stride +
                  to_half + k % in_row * bits / 8,
              elements[k], bits);
    }
  }
}

}  // namespace

bool IsMore(Op op) {
  constexpr std::string_view kFamilies[] = {
      "Fused", "Index", "Copy",      "Gatherb",       "GatherMask",
      "Sort",  "Merge", "Transpose", "TransposeLists"};
  return op == Op::kCastDequant ||
         std::find(std::begin(kFamilies), std::end(kFamilies), FamilyOf(op)) !=
             std::end(kFamilies);
}

void ExecuteMore(const abi::Instruction& i, VectorState& state) {
  switch (i.op) {
    case Op::kCastDequant:
      return ExecuteCastDequant(i, state);
    case Op::kCreateVecIndex:
      return ExecuteIndex(i, state);
    case Op::kCopy:
      return ExecuteCopy(i, state);
    case Op::kGatherb:
      return ExecuteGatherb(i);
    case Op::kGatherMask:
      return ExecuteGatherMask(i, state);
    case Op::kSort32:
      return ExecuteSort(i);
    case Op::kMrgSort:
      return ExecuteMerge(i, state);
    case Op::kTranspose:
      return ExecuteTranspose(i);
    case Op::kTransDataTo5HD:
      return ExecuteTransposeLists(i);
    default:
      return ExecuteFused(i, state);
  }
}

}  // namespace belay::npu::naive
