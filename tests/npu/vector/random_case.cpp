// SPDX-License-Identifier: Apache-2.0
#include "random_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>

#include "base/dtype.h"
#include "naive_model.h"
#include "naive_numbers.h"
#include "npu/execute.h"

namespace belay::npu {
namespace {

using abi::DType;
using abi::Form;
using abi::Op;

constexpr uint64_t kDefaultSeed = 910;
// What one operand may cover, so that four fit beside each other.
constexpr uint64_t kMaxExtent = 44 * 1024;

constexpr uint16_t kHalfSpecials[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x83ff, 0x0400, 0x8400, 0x3c00,
    0xbc00, 0x3c01, 0x3bff, 0x3800, 0x3e00, 0x4000, 0x4900, 0x5bff, 0x77ff,
    0x7800, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x7c01, 0xffff};
constexpr uint16_t kBfloatSpecials[] = {
    0x0000, 0x8000, 0x0001, 0x8001, 0x007f, 0x0080, 0x3f80, 0xbf80, 0x3f00,
    0x3fc0, 0x4f00, 0xcf00, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x7f81};
constexpr uint32_t kFloatSpecials[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
    0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x3f800001, 0x3f7fffff,
    0x3f000000, 0x3fc00000, 0x40200000, 0x42b17218, 0x42b17219, 0xc2cff1b5,
    0x33000000, 0x33800000, 0x387fffff, 0x477fe000, 0x477ff000, 0x477fefff,
    0x4affffff, 0x4b000001, 0x4f000000, 0xcf000000, 0x4effffff, 0x5f000000,
    0xdf000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000,
    0xffc00000, 0x7f800001};

uint64_t BitsOfWhole(double value, DType dtype) {
  if (naive::IsFloat(dtype)) {
    return naive::Encode(value, dtype, abi::Round::kRint, false);
  }
  return naive::EncodeInteger(static_cast<__int128>(value), dtype, false);
}

bool UsesSrc1(const abi::Instruction& i) {
  switch (i.op) {
    case Op::kAdd:
    case Op::kAddRelu:
    case Op::kAnd:
    case Op::kDiv:
    case Op::kMax:
    case Op::kMin:
    case Op::kMul:
    case Op::kOr:
    case Op::kSub:
    case Op::kSubRelu:
    case Op::kCompare:
    case Op::kCompareToMask:
    case Op::kGather:
    case Op::kAddDeqRelu:
    case Op::kAddReluCast:
    case Op::kFusedMulAdd:
    case Op::kFusedMulAddRelu:
    case Op::kMulAddDst:
    case Op::kMulCast:
    case Op::kSubReluCast:
      return true;
    case Op::kSelect:
      return i.mode != static_cast<uint8_t>(abi::Select::kTensorScalar);
    default:
      return false;
  }
}

bool HasNoSource(Op op) {
  return op == Op::kDuplicate || op == Op::kCreateVecIndex;
}

// Whether results of 16 bits' room each, half of it used, are written.
bool WritesHalfBlocks(const abi::Instruction& i) {
  return i.op == Op::kCastDequant && i.src0.dtype == DType::kInt16;
}

bool IsReduction(Op op) {
  return op >= Op::kReduceMax && op <= Op::kWholeReduceSum;
}

uint32_t BlocksOfRow(const abi::Operand& operand, uint32_t per_repeat) {
  const uint32_t bits = naive::BitsOfType(operand.dtype);
  return (per_repeat * bits + 255) / 256;
}

uint64_t ExtentOf(const abi::Operand& operand, uint32_t per_repeat,
                  uint64_t repeats) {
  if (repeats == 0) return 32;
  return ((repeats - 1) * operand.repeat_stride +
          uint64_t{BlocksOfRow(operand, per_repeat) - 1} *
              operand.block_stride +
          1) *
         32;
}

}  // namespace

uint64_t TestSeed() {
  static const uint64_t seed = [] {
    const char* given = std::getenv("BELAY_SEED");
    const uint64_t value =
        given != nullptr ? std::strtoull(given, nullptr, 0) : kDefaultSeed;
    std::printf("BELAY_SEED=%llu\n", static_cast<unsigned long long>(value));
    return value;
  }();
  return seed;
}

UbBuffer::UbBuffer() : storage_(kUbBytes + 64) {
  const auto address = reinterpret_cast<uintptr_t>(storage_.data());
  data_ = storage_.data() + (64 - address % 64) % 64;
}

void UbBuffer::CopyFrom(const UbBuffer& other) {
  std::memcpy(data_, other.data_, kUbBytes);
}

uint64_t CaseMaker::Element(DType dtype) {
  const int bits = naive::BitsOfType(dtype);
  switch (Below(8)) {
    case 0:
    case 1:
      switch (dtype) {
        case DType::kHalf:
          return kHalfSpecials[Below(std::size(kHalfSpecials))];
        case DType::kBfloat16:
          return kBfloatSpecials[Below(std::size(kBfloatSpecials))];
        case DType::kFloat:
          return kFloatSpecials[Below(std::size(kFloatSpecials))];
        default: {
          const uint64_t top = uint64_t{1} << (bits - 1);
          return OneOf<uint64_t>({0, 1, 2, top, top - 1, top + 1, ~uint64_t{0},
                                  top / 2, 0x7fff, 0x8000, 0xffff8000});
        }
      }
    case 2:
      return random_();
    case 3:
      return BitsOfWhole(static_cast<double>(Below(2001)) - 1000, dtype);
    case 4:
      return BitsOfWhole((static_cast<double>(Below(401)) - 200) / 4, dtype);
    default: {
      const double sign = Chance(50) ? 1 : -1;
      return BitsOfWhole(
          sign * std::uniform_real_distribution<double>(0, 100)(random_),
          dtype);
    }
  }
}

void CaseMaker::ChooseTypes(abi::Instruction& i) {
  constexpr DType kTypes[] = {DType::kInt4,     DType::kInt8,   DType::kUint8,
                              DType::kInt16,    DType::kUint16, DType::kHalf,
                              DType::kBfloat16, DType::kInt32,  DType::kUint32,
                              DType::kFloat,    DType::kInt64};
  if (i.op == Op::kGetCmpMask || i.op == Op::kSetCmpMask) {
    i.src0.dtype = i.dst.dtype = DType::kUint8;
    return;
  }
  do {
    i.src0.dtype = kTypes[Below(std::size(kTypes))];
    i.dst.dtype = kTypes[Below(std::size(kTypes))];
  } while (!SupportsDTypes(i));
  i.src1.dtype = i.op == Op::kGather ? DType::kUint32 : i.src0.dtype;
  i.src2.dtype = DType::kUint8;
  if (HasNoSource(i.op)) i.src0.dtype = i.dst.dtype;
}

void CaseMaker::ChooseMode(abi::Instruction& i) {
  i.mode = static_cast<uint8_t>(Below(8));
  if (i.op == Op::kSelect) i.mode %= 3;
  if (IsReduction(i.op)) i.mode %= 4;
  if (i.op == Op::kReduceMax || i.op == Op::kReduceMin) i.mode %= 2;
  if (i.op == Op::kCast || i.op == Op::kCompare || i.op == Op::kCompareScalar ||
      i.op == Op::kCompareToMask) {
    while (!SupportsMode(i) || (i.op == Op::kCast && i.mode > 6)) {
      i.mode = static_cast<uint8_t>(Below(7));
    }
  }
}

void CaseMaker::ChooseLanes(abi::Instruction& i, VectorState& state,
                            uint32_t per_repeat) {
  const auto count = [&]() -> uint64_t {
    switch (Below(6)) {
      case 0:
        return Below(12);
      case 1:
        return per_repeat * Below(5) + OneOf<uint64_t>({0, 1, per_repeat - 1});
      case 2:
        return per_repeat * (1 + Below(20));
      case 3:
        return Below(30 * per_repeat);
      default:
        return Below(4 * per_repeat);
    }
  };
  const auto even = [&](uint64_t value) {
    const bool packed =
        i.src0.dtype == DType::kInt4 || i.dst.dtype == DType::kInt4;
    return packed ? value & ~uint64_t{1} : value;
  };
  const auto mask_word = [&]() -> uint64_t {
    switch (Below(5)) {
      case 0:
        return ~uint64_t{0};
      case 1:
        return 0;
      case 2:
        return uint64_t{1} << Below(64);
      default:
        return random_();
    }
  };
  i.form = static_cast<Form>(Below(4));
  if (i.op == Op::kCompareToMask && i.form == Form::kCount) {
    i.form = Form::kContinuous;
  }
  state.mask[0] = mask_word();
  state.mask[1] = mask_word();
  state.counter_mode = Chance(25) && i.op != Op::kCompareToMask;
  if (i.op == Op::kCopy) {
    if (i.form == Form::kCount) i.form = Form::kRegister;
    state.counter_mode = false;
  }
  if (state.counter_mode) state.mask[0] = even(count());
  i.count = even(count());
  if (i.form == Form::kContinuous && !state.counter_mode) {
    i.count = even(Below(per_repeat + 10));
  }
  i.mask[0] = state.counter_mode ? even(count()) : mask_word();
  i.mask[1] = mask_word();
  i.repeat = static_cast<uint32_t>(Chance(3)    ? Below(256)
                                   : Chance(30) ? 1
                                                : Below(8));
  if (i.op == Op::kCompareToMask) i.repeat = 1;
  if (i.op == Op::kGather) i.repeat %= 40;  // so that all fits side by side
}

void CaseMaker::ChooseStrides(abi::Operand& operand, uint32_t blocks,
                              bool is_dst) {
  operand.block_stride =
      static_cast<uint32_t>(Chance(50) ? 1 : Below(5) + (is_dst ? 1 : 0));
  operand.repeat_stride = static_cast<uint32_t>(Chance(50)   ? blocks
                                                : Chance(50) ? Below(12)
                                                             : Below(40));
}

void CaseMaker::Place(abi::Instruction& i, uint32_t repeats) {
  const uint32_t per_repeat = naive::LanesOfRepeat(i);
  struct Item {
    abi::Operand* operand;
    uint64_t extent;
    bool strided;
  };
  std::vector<Item> items;
  const auto by_lane = [&](abi::Operand& operand, bool is_dst) {
    const uint32_t blocks = BlocksOfRow(operand, per_repeat);
    operand.block_stride = 1;
    operand.repeat_stride = blocks;
    if (i.form != Form::kCount) {
      do {
        ChooseStrides(operand, blocks, is_dst);
      } while (ExtentOf(operand, per_repeat, repeats) > kMaxExtent &&
               repeats < 60);
      if (repeats >= 60) operand.block_stride = 1;
      if (repeats >= 60) operand.repeat_stride = Chance(50) ? blocks : 2;
    }
    items.push_back({&operand, ExtentOf(operand, per_repeat, repeats), true});
  };
  const auto contiguous = [&](abi::Operand& operand, uint64_t bytes) {
    items.push_back({&operand, (bytes + 63) / 32 * 32, false});
  };
  const uint64_t element = naive::BitsOfType(i.dst.dtype) / 8;
  if (i.op == Op::kCompare || i.op == Op::kCompareScalar) {
    contiguous(i.dst, uint64_t{repeats} * per_repeat / 8);
  } else if (i.op == Op::kGetCmpMask || i.op == Op::kSetCmpMask ||
             i.op == Op::kReduceMax || i.op == Op::kReduceMin ||
             i.op == Op::kReduceSum) {
    contiguous(i.dst, 16);
  } else if (IsReduction(i.op)) {
    i.dst.repeat_stride = static_cast<uint32_t>(Below(5));
    const uint64_t unit = i.op == Op::kPairReduceSum    ? 128
                          : i.op <= Op::kBlockReduceSum ? 8 * element
                                                        : 2 * element;
    contiguous(i.dst, (repeats * i.dst.repeat_stride + 1) * (unit + 4));
  } else if (i.op == Op::kBrcb) {
    i.dst.block_stride = static_cast<uint32_t>(1 + Below(3));
    i.dst.repeat_stride = static_cast<uint32_t>(Below(10));
    contiguous(i.dst,
               (repeats * i.dst.repeat_stride + 8 * i.dst.block_stride) * 32);
  } else if (i.op != Op::kCompareToMask) {
    by_lane(i.dst, true);
  }
  if (i.op == Op::kBrcb || i.op == Op::kGather || i.op == Op::kSetCmpMask) {
    contiguous(i.src0, 4096 + uint64_t{repeats} * 64);
  } else if (!HasNoSource(i.op) && i.op != Op::kGetCmpMask) {
    by_lane(i.src0, false);
  }
  if (UsesSrc1(i)) by_lane(i.src1, false);
  if (i.op == Op::kSelect) {
    contiguous(i.src2, uint64_t{repeats} * per_repeat / 8 + 16);
  }

  uint64_t total = 0;
  for (const Item& item : items) total += item.extent;
  // Gather's offsets must stay as they are. Where Exp and Ln read their own
  // results their small errors would add up.
  const bool apart =
      i.op == Op::kGather || i.op == Op::kExp || i.op == Op::kLn || Chance(50);
  uint64_t at = 0;
  for (const Item& item : items) {
    if (apart && total <= kUbBytes) {
      item.operand->address = at;
      at += item.extent;
      const uint64_t spare = kUbBytes - total;
      at += Below(spare / 32 / items.size() + 1) * 32;
    } else {
      item.operand->address = Below((kUbBytes - item.extent) / 32 + 1) * 32;
    }
  }
  if (!apart && Chance(60) && items.size() > 1) {
    // In place: the destination where a source is, and mostly as it is.
    const Item& source = items[1 + Below(items.size() - 1)];
    Item& dst = items[0];
    if (dst.strided && source.strided && Chance(70)) {
      abi::Operand alike = *dst.operand;
      alike.block_stride = std::max<uint32_t>(source.operand->block_stride, 1);
      alike.repeat_stride = source.operand->repeat_stride;
      const uint64_t extent = ExtentOf(alike, per_repeat, repeats);
      if (extent <= kMaxExtent) {
        *dst.operand = alike;
        dst.extent = extent;
        dst.operand->address = Below((kUbBytes - extent) / 32 + 1) * 32;
      }
    }
    if (source.operand->address + dst.extent <= kUbBytes) {
      dst.operand->address = source.operand->address;
    }
  }
  if (i.op == Op::kSelect && i.mode == 0 && Chance(30)) i.src2.address = ~0ull;
}

void CaseMaker::FillMemory(const abi::Instruction& i, UbBuffer& ub,
                           uint32_t repeats) {
  const DType dtype = i.src0.dtype;
  const int bits = std::max(8, naive::BitsOfType(dtype));
  // A pool of elements, repeated from a random place on.
  std::vector<uint8_t> pool(8192);
  for (size_t at = 0; at < pool.size(); at += bits / 8) {
    const uint64_t element = Element(dtype);
    std::memcpy(pool.data() + at, &element, bits / 8);
  }
  uint64_t at = 0;
  while (at < kUbBytes) {
    const uint64_t from = Below(pool.size() / 64) * 64;
    const uint64_t bytes =
        std::min<uint64_t>(pool.size() - from, kUbBytes - at);
    std::memcpy(ub.data() + at, pool.data() + from, bytes);
    at += bytes;
  }
  if (i.op != Op::kGather) return;
  const uint64_t element = naive::BitsOfType(i.dst.dtype) / 8;
  const uint32_t per_repeat = naive::LanesOfRepeat(i);
  for (uint32_t repeat = 0; repeat < repeats; ++repeat) {
    for (uint32_t lane = 0; lane < per_repeat; ++lane) {
      const auto offset = static_cast<uint32_t>(Below(4000 / 4) * element);
      std::memcpy(ub.data() + i.src1.address +
                      LaneOffset(i.src1, sizeof offset, repeat, lane),
                  &offset, sizeof offset);
    }
  }
}

void CaseMaker::ChooseDequantisation(const abi::Instruction& i,
                                     VectorState& state) {
  const auto word = [&]() -> uint64_t {
    const uint64_t scale =
        Chance(30) ? Element(DType::kFloat)
                   : BitsOfWhole(static_cast<double>(Below(4000)) / 1024,
                                 DType::kFloat);
    return (scale & 0xffffffff) | Below(512) << 37 | Below(2) << 46;
  };
  state.dequant = word();
  if (i.op == Op::kCastDequant && (i.mode & 2) != 0) {
    for (uint64_t& each : dequant_words_) each = word();
    state.dequant = reinterpret_cast<uint64_t>(dequant_words_.data());
  }
}

RandomCase CaseMaker::Make(Op op, UbBuffer& ub) {
  RandomCase test{};
  abi::Instruction& i = test.instruction;
  i.op = op;
  ChooseTypes(i);
  ChooseMode(i);
  const bool has_lanes = op != Op::kGetCmpMask && op != Op::kSetCmpMask;
  const uint32_t per_repeat = has_lanes ? naive::LanesOfRepeat(i) : 128;
  VectorState& state = test.state;
  state.saturate = Chance(40);
  state.exact_reciprocal = Chance(40);
  state.deq_scale = OneOf({1.0f, 0.5f, 0.0999755859375f, -3.0f, 2048.0f});
  state.compare_mask[0] = random_();
  state.compare_mask[1] = random_();
  ChooseDequantisation(i, state);
  state.reduced_sum = 1;
  state.reduced_value = 2;
  state.reduced_index = 3;
  ChooseLanes(i, state, per_repeat);
  i.scalar = Element(i.src0.dtype);
  if (op == Op::kShiftLeft || op == Op::kShiftRight) {
    i.scalar = Below(naive::BitsOfType(i.src0.dtype) + 1);
  }
  if (op == Op::kGather) {
    i.scalar = Below(16) * naive::BitsOfType(i.dst.dtype) / 8;
  }
  // The most repeats any form can lead to.
  uint64_t repeats = i.repeat;
  if (i.form == Form::kCount || state.counter_mode) {
    const uint64_t count =
        std::max({i.form == Form::kCount ? i.count : uint64_t{0},
                  state.counter_mode ? state.mask[0] : uint64_t{0},
                  state.counter_mode && i.form == Form::kBitwise ? i.mask[0]
                                                                 : uint64_t{0},
                  state.counter_mode ? i.count : uint64_t{0}});
    repeats = std::max(repeats, (count + per_repeat - 1) / per_repeat);
  }
  const DType dst_dtype = i.dst.dtype;
  if (WritesHalfBlocks(i)) i.dst.dtype = DType::kInt16;
  Place(i, static_cast<uint32_t>(repeats));
  i.dst.dtype = dst_dtype;
  FillMemory(i, ub, static_cast<uint32_t>(repeats));
  return test;
}

std::string Describe(const RandomCase& test) {
  const abi::Instruction& i = test.instruction;
  const auto operand = [](const abi::Operand& o) {
    return fmt::format("{} at {} strides {}/{}", NameOf(o.dtype),
                       static_cast<int64_t>(o.address), o.block_stride,
                       o.repeat_stride);
  };
  return fmt::format(
      "op {} form {} mode {} repeat {} count {} mask {:#x} {:#x} scalar {:#x}\n"
      "dst {}\nsrc0 {}\nsrc1 {}\nsrc2 {}\nregister {:#x} {:#x} counter {} "
      "saturate {} exact {}",
      static_cast<int>(i.op), static_cast<int>(i.form), i.mode, i.repeat,
      i.count, i.mask[0], i.mask[1], i.scalar, operand(i.dst), operand(i.src0),
      operand(i.src1), operand(i.src2), test.state.mask[0], test.state.mask[1],
      test.state.counter_mode, test.state.saturate,
      test.state.exact_reciprocal);
}

}  // namespace belay::npu
