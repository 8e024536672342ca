// SPDX-License-Identifier: Apache-2.0
#include "call.h"

#include <algorithm>

#include "naive_numbers.h"

namespace belay::sweep {
namespace {

uint32_t RowBlocks(uint32_t bits, uint32_t lanes) {
  return (bits * lanes + 255) / 256;
}

// Random bits for the lanes of a repeat: all, one, or any.
void DrawBits(Draw& draw, uint32_t lanes, uint64_t bits[2]) {
  bits[0] = draw.Word();
  bits[1] = draw.Word();
  if (draw.Chance(20)) bits[0] = bits[1] = ~uint64_t{0};
  if (draw.Chance(10)) bits[0] = uint64_t{1} << draw.Below(64);
  if (lanes <= 64) bits[1] = 0;
  if (lanes < 64) bits[0] &= (uint64_t{1} << lanes) - 1;
}

}  // namespace

const char* NameOf(Form form) {
  switch (form) {
    case Form::kCount:
      return "count";
    case Form::kMask:
      return "mask";
    case Form::kBits:
      return "bits";
    case Form::kRegister:
      return "register";
    case Form::kOperator:
      return "operator";
  }
  return "";
}

uint32_t Widths::Widest() const { return std::max({dst, src0, src1}); }

void Draw::Strides(Place& place, uint32_t row_blocks, uint32_t repeats,
                   bool is_dst) {
  if (is_dst) {
    if (Chance(10) && repeats > 1) {
      place.block = repeats;  // repeats interleave, block by block
      place.repeat = 1;
      return;
    }
    place.block = OneOf<uint32_t>({1, 1, 1, 2, 3});
    place.repeat = row_blocks * place.block + OneOf<uint32_t>({0, 0, 1, 5});
  } else {
    place.block = OneOf<uint32_t>({0, 1, 1, 1, 1, 2, 5});
    place.repeat =
        OneOf<uint32_t>({0, 1, row_blocks, row_blocks, row_blocks + 3});
  }
}

Call Draw::Lanes(Form form, const Widths& widths, bool may_alias) {
  Call call;
  call.form = form;
  const uint32_t lanes = widths.LanesPerRepeat();
  const bool by_count = form == Form::kCount || form == Form::kOperator;
  call.repeat = by_count ? 1 : OneOf<uint32_t>({0, 1, 1, 2, 3, 5, 12});
  call.count = static_cast<int64_t>(
      OneOf<uint64_t>({Below(lanes + 1), Below(8 * lanes), lanes, 5 * lanes}));
  if (std::min({widths.dst, widths.src0}) == 4) call.count &= ~int64_t{1};
  call.mask = Chance(20) ? lanes : Below(lanes + 1);
  if (std::min({widths.dst, widths.src0}) == 4) call.mask &= ~uint64_t{1};
  DrawBits(*this, lanes, call.bits);
  call.listed = Chance(50);
  call.saturate = Chance(25);
  if (form == Form::kRegister || form == Form::kMask) call.counter = Chance(30);
  if (call.counter) {
    call.count = std::min<int64_t>(call.count, 12 * lanes);
    if (form == Form::kMask) call.mask = static_cast<uint64_t>(call.count);
  }
  const uint32_t repeats =
      call.counter ? static_cast<uint32_t>((call.count + lanes - 1) / lanes)
                   : call.repeat;
  const auto place = [&](uint32_t at, uint32_t bits, bool is_dst) {
    Place result;
    result.at = at + static_cast<uint32_t>(Below(32)) * 32;
    if (bits != 0 && !by_count) {
      Strides(result, RowBlocks(bits, lanes), repeats, is_dst);
    }
    return result;
  };
  call.dst = place(kDstAt, widths.dst, true);
  call.src0 = place(kSrc0At, widths.src0, false);
  call.src1 = place(kSrc1At, widths.src1, false);
  call.src2 = place(kSrc2At, 0, false);
  if (may_alias && widths.dst == widths.src0 && Chance(16)) {
    call.src0 = call.dst;
  }
  return call;
}

abi::Operand OperandAt(const Place& place, abi::DType dtype) {
  return {place.at, place.block, place.repeat, dtype, abi::Memory::kUb};
}

abi::Operand Dense(uint32_t at, abi::DType dtype, uint32_t widest) {
  return {at, 1,
          static_cast<uint32_t>(8 * npu::naive::BitsOfType(dtype)) / widest,
          dtype, abi::Memory::kUb};
}

abi::Instruction RecordOf(abi::Op op, const Call& call, abi::DType dst,
                          abi::DType src0, abi::DType src1) {
  abi::Instruction record{};
  record.op = op;
  record.mode = call.mode;
  record.scalar = call.scalar;
  record.repeat = call.repeat;
  const auto bits = [](abi::DType dtype) {
    return dtype == abi::DType::kNone
               ? 0u
               : static_cast<uint32_t>(npu::naive::BitsOfType(dtype));
  };
  const Widths widths{bits(dst), bits(src0), bits(src1)};
  const auto operand = [&](const Place& place, abi::DType dtype) {
    if (dtype == abi::DType::kNone) return abi::Operand{};
    if (call.form == Form::kCount || call.form == Form::kOperator) {
      return Dense(place.at, dtype, widths.Widest());
    }
    return OperandAt(place, dtype);
  };
  record.dst = operand(call.dst, dst);
  record.src0 = operand(call.src0, src0);
  record.src1 = operand(call.src1, src1);
  switch (call.form) {
    case Form::kCount:
    case Form::kOperator:
      record.form = abi::Form::kCount;
      record.count = static_cast<uint64_t>(call.count);
      break;
    case Form::kMask:
      record.form = abi::Form::kContinuous;
      record.count = call.mask;
      break;
    case Form::kBits:
      record.form = abi::Form::kBitwise;
      record.mask[0] = call.bits[0];
      record.mask[1] = call.bits[1];
      break;
    case Form::kRegister:
      record.form = abi::Form::kRegister;
      break;
  }
  return record;
}

npu::VectorState StateBefore(const Call& call) {
  npu::VectorState state;
  state.counter_mode = call.counter;
  state.saturate = call.saturate;
  if (call.form == Form::kRegister) {
    state.mask[0] =
        call.counter ? static_cast<uint64_t>(call.count) : call.bits[0];
    state.mask[1] = call.counter ? 0 : call.bits[1];
  }
  return state;
}

}  // namespace belay::sweep
