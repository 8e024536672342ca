// SPDX-License-Identifier: Apache-2.0
#include "naive_model.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "naive_lanes.h"
#include "naive_model_more.h"
#include "naive_numbers.h"

namespace belay::npu::naive {
namespace {

using abi::DType;
using abi::Form;
using abi::Op;

void ExecuteElementwise(const abi::Instruction& i, const Repeats& repeats,
                        const VectorState& state) {
  const std::string_view family = FamilyOf(i.op);
  ForLanes(i.dst, repeats, [&](uint32_t repeat, uint32_t lane) {
    const uint64_t a = LoadLane(i.src0, repeat, lane);
    if (family == "Cast") return CastLane(i, a, state);
    uint64_t b = i.scalar;
    if (family == "Binary") b = LoadLane(i.src1, repeat, lane);
    if (i.op == Op::kAxpy) b = LoadLane(i.dst, repeat, lane);
    return ComputeLane(i, a, b, state);
  });
}

void ExecuteCompare(const abi::Instruction& i, const Repeats& repeats,
                    VectorState& state) {
  const uint32_t per_repeat = LanesOfRepeat(i);
  for (uint32_t repeat = 0; repeat < repeats.size(); ++repeat) {
    std::vector<bool> bits(128, false);
    for (const uint32_t lane : repeats[repeat]) {
      const uint64_t a = LoadLane(i.src0, repeat, lane);
      const uint64_t b = i.op == Op::kCompareScalar
                             ? i.scalar
                             : LoadLane(i.src1, repeat, lane);
      bits[lane] = CompareLane(i, a, b);
    }
    uint8_t packed[16] = {};
    for (uint32_t lane = 0; lane < 128; ++lane) {
      if (bits[lane]) packed[lane / 8] |= 1 << lane % 8;
    }
    if (i.op == Op::kCompareToMask) {
      std::memcpy(state.compare_mask, packed, 16);
    } else {
      std::memcpy(reinterpret_cast<uint8_t*>(i.dst.address) +
                      uint64_t{repeat} * per_repeat / 8,
                  packed, per_repeat / 8);
    }
  }
}

void ExecuteSelect(const abi::Instruction& i, const Repeats& repeats,
                   VectorState& state) {
  const uint32_t per_repeat = LanesOfRepeat(i);
  const auto mode = static_cast<abi::Select>(i.mode);
  const auto* bits = reinterpret_cast<const uint8_t*>(i.src2.address);
  if (mode == abi::Select::kCmpMaskRegister && bits != nullptr) {
    state.compare_mask[0] = state.compare_mask[1] = 0;
    std::memcpy(state.compare_mask, bits, per_repeat / 8);
  }
  ForLanes(i.dst, repeats, [&](uint32_t repeat, uint32_t lane) {
    bool first;
    if (mode == abi::Select::kCmpMaskRegister) {
      first = (state.compare_mask[lane / 64] >> lane % 64 & 1) != 0;
    } else {
      const uint64_t bit = uint64_t{repeat} * per_repeat + lane;
      first = (bits[bit / 8] >> bit % 8 & 1) != 0;
    }
    if (first) return LoadLane(i.src0, repeat, lane);
    if (mode == abi::Select::kTensorScalar) return i.scalar;
    return LoadLane(i.src1, repeat, lane);
  });
}

// A lane that may be absent.
using Summand = std::optional<uint64_t>;

uint64_t AddBits(uint64_t a, uint64_t b, DType dtype, bool saturate) {
  return Encode(Decode(a, dtype) + Decode(b, dtype), dtype, abi::Round::kRint,
                saturate && dtype == DType::kHalf);
}

// A value that was chosen or summed, as an instruction writes it.
uint64_t Settled(uint64_t bits, DType dtype, bool saturate) {
  return Encode(Decode(bits, dtype), dtype, abi::Round::kRint,
                saturate && dtype == DType::kHalf);
}

// Neighbours first. A side without active lanes adds nothing, but what leaves
// an adder is settled all the same.
Summand SumTree(const std::vector<Summand>& lanes, size_t begin, size_t end,
                DType dtype, bool saturate) {
  if (end - begin == 1) return lanes[begin];
  const size_t middle = begin + (end - begin) / 2;
  const Summand left = SumTree(lanes, begin, middle, dtype, saturate);
  const Summand right = SumTree(lanes, middle, end, dtype, saturate);
  if (!left && !right) return {};
  if (!left) return Settled(*right, dtype, saturate);
  if (!right) return Settled(*left, dtype, saturate);
  return AddBits(*left, *right, dtype, saturate);
}

std::vector<Summand> SummandsOf(const abi::Operand& source, uint32_t repeat,
                                const std::vector<uint32_t>& active,
                                uint32_t per_repeat) {
  std::vector<Summand> lanes(per_repeat);
  for (const uint32_t lane : active) {
    lanes[lane] = LoadLane(source, repeat, lane);
  }
  return lanes;
}

// True if b must replace a, found earlier.
bool IsBetter(uint64_t b, uint64_t a, DType dtype, bool greatest) {
  const long double x = Decode(a, dtype);
  const long double y = Decode(b, dtype);
  if (x != x) return false;
  if (y != y) return true;
  if (x == 0 && y == 0) {
    const bool x_minus = a >> (BitsOfType(dtype) - 1) & 1;
    const bool y_minus = b >> (BitsOfType(dtype) - 1) & 1;
    return greatest ? x_minus && !y_minus : !x_minus && y_minus;
  }
  return greatest ? y > x : y < x;
}

struct Best {
  uint64_t value;
  uint32_t lane;
};

std::optional<Best> BestOf(const abi::Operand& source, uint32_t repeat,
                           const std::vector<uint32_t>& active, bool greatest,
                           uint32_t first, uint32_t count) {
  std::optional<Best> best;
  for (const uint32_t lane : active) {
    if (lane < first || lane >= first + count) continue;
    const uint64_t value = LoadLane(source, repeat, lane);
    if (!best || IsBetter(value, best->value, source.dtype, greatest)) {
      best = Best{value, lane};
    }
  }
  return best;
}

void ExecuteReduceSum(const abi::Instruction& i, const Repeats& repeats,
                      bool in_order, VectorState& state) {
  const DType dtype = i.src0.dtype;
  const uint32_t per_repeat = LanesOfRepeat(i);
  std::vector<Summand> sums;
  for (uint32_t repeat = 0; repeat < repeats.size(); ++repeat) {
    const auto lanes = SummandsOf(i.src0, repeat, repeats[repeat], per_repeat);
    sums.push_back(SumTree(lanes, 0, per_repeat, dtype, state.saturate));
  }
  Summand total;
  if (in_order) {
    for (const Summand& sum : sums) {
      total = total ? AddBits(*total, *sum, dtype, state.saturate) : *sum;
    }
  } else {
    size_t width = 1;
    while (width < sums.size()) width *= 2;
    sums.resize(width);
    total = SumTree(sums, 0, width, dtype, state.saturate);
  }
  if (!total) return;
  const uint64_t result = Settled(*total, dtype, state.saturate);
  StoreAt(reinterpret_cast<uint8_t*>(i.dst.address), result, BitsOfType(dtype));
  state.reduced_sum = static_cast<uint32_t>(result);
}

void ExecuteReduceBest(const abi::Instruction& i, const Repeats& repeats,
                       VectorState& state) {
  const DType dtype = i.src0.dtype;
  const int bits = BitsOfType(dtype);
  const uint32_t per_repeat = LanesOfRepeat(i);
  const bool greatest = i.op == Op::kReduceMax;
  std::optional<Best> total;
  for (uint32_t repeat = 0; repeat < repeats.size(); ++repeat) {
    auto best =
        BestOf(i.src0, repeat, repeats[repeat], greatest, 0, per_repeat);
    if (!best) continue;
    best->value = Settled(best->value, dtype, state.saturate);
    best->lane += repeat * per_repeat;
    if (!total || IsBetter(best->value, total->value, dtype, greatest)) {
      total = best;
    }
  }
  if (!total) return;
  auto* to = reinterpret_cast<uint8_t*>(i.dst.address);
  StoreAt(to, total->value, bits);
  if (i.mode != 0) StoreAt(to + bits / 8, total->lane, bits);
  state.reduced_value = static_cast<uint32_t>(total->value);
  state.reduced_index = total->lane;
}

void ExecuteWholeBest(const abi::Instruction& i, const Repeats& repeats,
                      VectorState& state) {
  const DType dtype = i.src0.dtype;
  const int bits = BitsOfType(dtype);
  const int bytes = bits / 8;
  const uint32_t per_repeat = LanesOfRepeat(i);
  const bool greatest = i.op == Op::kWholeReduceMax;
  const auto order = static_cast<abi::ReduceOrder>(i.mode);
  auto* base = reinterpret_cast<uint8_t*>(i.dst.address);
  std::optional<Best> total;
  for (uint32_t repeat = 0; repeat < repeats.size(); ++repeat) {
    const auto best =
        BestOf(i.src0, repeat, repeats[repeat], greatest, 0, per_repeat);
    if (!best) continue;
    const uint64_t value = Settled(best->value, dtype, state.saturate);
    const uint64_t step = uint64_t{repeat} * i.dst.repeat_stride;
    switch (order) {
      case abi::ReduceOrder::kValueIndex:
        StoreAt(base + step * 2 * bytes, value, bits);
        StoreAt(base + step * 2 * bytes + bytes, best->lane, bits);
        break;
      case abi::ReduceOrder::kIndexValue:
        StoreAt(base + step * 2 * bytes, best->lane, bits);
        StoreAt(base + step * 2 * bytes + bytes, value, bits);
        break;
      case abi::ReduceOrder::kOnlyValue:
        StoreAt(base + step * bytes, value, bits);
        break;
      case abi::ReduceOrder::kOnlyIndex:
        StoreAt(base + step * 4, best->lane, 32);
        break;
    }
    if (!total || IsBetter(value, total->value, dtype, greatest)) {
      total = Best{value, best->lane + repeat * per_repeat};
    }
  }
  if (!total) return;
  state.reduced_value = static_cast<uint32_t>(total->value);
  state.reduced_index = total->lane;
}

// Parts of `part` lanes to one value each.
void ExecuteParts(const abi::Instruction& i, const Repeats& repeats,
                  uint32_t part, const VectorState& state) {
  const DType dtype = i.src0.dtype;
  const int bits = BitsOfType(dtype);
  const uint32_t per_repeat = LanesOfRepeat(i);
  const uint32_t results = per_repeat / part;
  const bool greatest = i.op == Op::kBlockReduceMax;
  const bool sums = !greatest && i.op != Op::kBlockReduceMin;
  auto* base = reinterpret_cast<uint8_t*>(i.dst.address);
  for (uint32_t repeat = 0; repeat < repeats.size(); ++repeat) {
    const auto lanes = SummandsOf(i.src0, repeat, repeats[repeat], per_repeat);
    std::vector<Summand> values(results);
    for (uint32_t p = 0; p < results; ++p) {
      if (sums) {
        values[p] =
            SumTree(lanes, p * part, (p + 1) * part, dtype, state.saturate);
      } else if (const auto best = BestOf(i.src0, repeat, repeats[repeat],
                                          greatest, p * part, part)) {
        values[p] = best->value;
      }
    }
    const uint64_t step = uint64_t{repeat} * i.dst.repeat_stride * results;
    for (uint32_t p = 0; p < results; ++p) {
      if (!values[p]) continue;
      StoreAt(base + (step + p) * bits / 8,
              Settled(*values[p], dtype, state.saturate), bits);
    }
  }
}

void ExecuteReduceParts(const abi::Instruction& i, const Repeats& repeats,
                        VectorState& state) {
  switch (i.op) {
    case Op::kWholeReduceMax:
    case Op::kWholeReduceMin:
      return ExecuteWholeBest(i, repeats, state);
    case Op::kWholeReduceSum:
      return ExecuteParts(i, repeats, LanesOfRepeat(i), state);
    case Op::kPairReduceSum:
      return ExecuteParts(i, repeats, 2, state);
    default:
      return ExecuteParts(i, repeats, 256 / BitsOfType(i.src0.dtype), state);
  }
}

void ExecuteGather(const abi::Instruction& i, const Repeats& repeats) {
  const auto* table =
      reinterpret_cast<const uint8_t*>(i.src0.address) + i.scalar;
  ForLanes(i.dst, repeats, [&](uint32_t repeat, uint32_t lane) {
    return LoadAt(table + LoadLane(i.src1, repeat, lane),
                  BitsOfType(i.dst.dtype));
  });
}

void ExecuteBrcb(const abi::Instruction& i, uint32_t repeats) {
  const int bits = BitsOfType(i.dst.dtype);
  for (uint32_t repeat = 0; repeat < repeats; ++repeat) {
    uint64_t elements[8];
    for (uint32_t e = 0; e < 8; ++e) {
      elements[e] = LoadAt(reinterpret_cast<const uint8_t*>(i.src0.address) +
                               (repeat * 8 + e) * bits / 8,
                           bits);
    }
    for (uint32_t e = 0; e < 8; ++e) {
      const uint64_t block =
          uint64_t{repeat} * i.dst.repeat_stride +
          e * (i.dst.block_stride == 0 ? 1 : i.dst.block_stride);
      for (int copy = 0; copy < 256 / bits; ++copy) {
        StoreAt(reinterpret_cast<uint8_t*>(i.dst.address) + block * 32 +
                    copy * bits / 8,
                elements[e], bits);
      }
    }
  }
}

}  // namespace

uint32_t LanesOfRepeat(const abi::Instruction& i) {
  const std::string_view family = FamilyOf(i.op);
  if (family == "Brcb") return 8;
  int widest = BitsOfType(i.dst.dtype);
  if (family == "Compare") widest = BitsOfType(i.src0.dtype);
  if (family == "Unary" || family == "Binary" || family == "Scalar" ||
      family == "Cast" || family == "Fused") {
    widest = std::max(widest, BitsOfType(i.src0.dtype));
  }
  return 2048 / widest;
}

void Execute(const abi::Instruction& i, VectorState& state) {
  const std::string_view family = FamilyOf(i.op);
  if (family == "CmpMask") {
    auto* dst = reinterpret_cast<void*>(i.dst.address);
    auto* src = reinterpret_cast<void*>(i.src0.address);
    if (i.op == Op::kGetCmpMask) {
      std::memcpy(dst, state.compare_mask, 16);
    } else {
      std::memcpy(state.compare_mask, src, 16);
    }
    return;
  }
  if (IsMore(i.op)) return ExecuteMore(i, state);
  const Repeats repeats = Resolve(i, state);
  const bool by_count = i.form == Form::kCount || state.counter_mode;
  if (family == "Unary" || family == "Binary" || family == "Scalar" ||
      family == "Cast") {
    ExecuteElementwise(i, repeats, state);
  } else if (family == "Compare") {
    ExecuteCompare(i, repeats, state);
  } else if (family == "Select") {
    ExecuteSelect(i, repeats, state);
  } else if (i.op == Op::kReduceSum) {
    ExecuteReduceSum(i, repeats, by_count, state);
  } else if (family == "Reduce") {
    ExecuteReduceBest(i, repeats, state);
  } else if (family == "ReduceParts") {
    ExecuteReduceParts(i, repeats, state);
  } else if (family == "Duplicate") {
    ForLanes(i.dst, repeats, [&](uint32_t, uint32_t) { return i.scalar; });
  } else if (family == "Gather") {
    ExecuteGather(i, repeats);
  } else if (family == "Brcb") {
    ExecuteBrcb(i, static_cast<uint32_t>(repeats.size()));
  } else {
    throw std::logic_error("naive model: not a vector instruction");
  }
}

}  // namespace belay::npu::naive
