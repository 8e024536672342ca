// SPDX-License-Identifier: Apache-2.0
#include "init_programs.h"

#include <fmt/format.h>

#include <cstring>

#include "npu/names.h"

namespace belay::check {

using abi::DType;
using abi::Op;

namespace {

// Regions of UB: data anybody may read and write, results of instructions that
// must not overwrite what steers them, offsets, and bits.
constexpr uint64_t kDataBytes = 12 << 10;
constexpr uint64_t kApart = 12 << 10;
constexpr uint64_t kApartBytes = 8 << 10;
constexpr uint64_t kOffsets = 20 << 10;
constexpr uint64_t kBits = 22 << 10;
constexpr uint64_t kRegionBytes = 2 << 10;

// Regions of global memory: values, offsets, bits; then the end of the
// allocation.
constexpr uint64_t kGlobalValues = 6 << 10;
constexpr uint64_t kGlobalOffsets = kGlobalValues;
constexpr uint64_t kGlobalBits = kGlobalOffsets + kRegionBytes;

}  // namespace

InitProgram::InitProgram(npu::Chip& chip, npu::Core& core, uint64_t global,
                         uint64_t seed)
    : chip_(chip),
      core_(core),
      ub_(chip.on_chip().Base(core.slot, abi::Memory::kUb)),
      global_(global),
      random_(seed) {
  FillGlobal();
  // Every other program starts with its data defined.
  if (Chance(50)) return;
  abi::Instruction fill{};
  fill.op = Op::kDuplicate;
  fill.dst = Local(0, 32, DType::kFloat);
  fill.count = kDataBytes / 4;
  Issue(fill);
}

void InitProgram::FillGlobal() {
  chip_.NotifyAllocate(global_, kGlobalBytes);
  auto* bytes = reinterpret_cast<uint8_t*>(global_);
  for (uint64_t at = 0; at < kGlobalBytes; ++at) {
    bytes[at] = static_cast<uint8_t>(random_());
  }
  for (uint64_t at = 0; at < kRegionBytes; at += 4) {
    const auto offset = static_cast<uint32_t>(Below(64) * 32);
    std::memcpy(bytes + kGlobalOffsets + at, &offset, sizeof offset);
  }
  // The host wrote most of it.
  for (int i = 0; i < 12; ++i) {
    const uint64_t from = Below(kGlobalBytes);
    chip_.NotifyHostWrite({global_ + from, Below(kGlobalBytes - from) / 2, 0});
  }
}

bool InitProgram::Issue(abi::Instruction instruction) {
  instruction.pc = pc_;
  const auto operand = [&](const abi::Operand& o) {
    return fmt::format(
        "{}+{} {}/{}", o.address - ub_ < (1 << 20) ? "ub" : "gm",
        o.address - ub_ < (1 << 20) ? o.address - ub_ : o.address - global_,
        o.block_stride, o.repeat_stride);
  };
  last_ = fmt::format(
      "{} form {} mode {} count {} repeat {} mask {:#x} {:#x} dst {} ({}) src0 "
      "{} ({}) src1 {} src2 {}",
      npu::NameOf(instruction.op), static_cast<int>(instruction.form),
      instruction.mode, instruction.count, instruction.repeat,
      instruction.mask[0], instruction.mask[1], operand(instruction.dst),
      static_cast<int>(instruction.dst.dtype), operand(instruction.src0),
      static_cast<int>(instruction.src0.dtype), operand(instruction.src1),
      operand(instruction.src2));
  try {
    chip_.Issue(core_, instruction);
  } catch (npu::Trap& trap) {
    last_ += ": " + trap.fault().diagnostic.message;
    return false;
  }
  return true;
}

abi::Operand InitProgram::Local(uint64_t low, uint64_t bytes, DType dtype) {
  return {ub_ + low + Below(bytes / 32) * 32, 1, 8, dtype, abi::Memory::kUb};
}

abi::Operand InitProgram::Data(DType dtype) {
  return Local(0, kDataBytes, dtype);
}

abi::Operand InitProgram::Apart(DType dtype) {
  return Local(kApart, kApartBytes / 2, dtype);
}

abi::Operand InitProgram::Strided(abi::Operand operand) {
  if (Chance(50)) return operand;
  operand.block_stride = static_cast<uint32_t>(1 + Below(3));
  operand.repeat_stride = static_cast<uint32_t>(Below(12));
  return operand;
}

void InitProgram::ChooseLanes(abi::Instruction& i) {
  i.form = OneOf({abi::Form::kCount, abi::Form::kCount, abi::Form::kContinuous,
                  abi::Form::kBitwise, abi::Form::kRegister});
  i.count = i.form == abi::Form::kCount ? Below(700) : Below(129);
  i.mask[0] = Chance(20) ? ~uint64_t{0} : random_();
  i.mask[1] = Chance(20) ? 0 : random_();
  // In counter mode it is the number of lanes.
  if (core_.vector.counter_mode) i.mask[0] = Below(700);
  i.repeat = static_cast<uint32_t>(Below(5));
  if (i.form == abi::Form::kCount) return;
  i.dst = Strided(i.dst);
  i.src0 = Strided(i.src0);
  i.src1 = Strided(i.src1);
}

bool InitProgram::Load() {
  abi::Instruction i{};
  const bool pad = Chance(60);
  i.op = pad ? Op::kDataCopyPad : Op::kDataCopy;
  i.dst = Data(OneOf({DType::kHalf, DType::kFloat, DType::kInt8}));
  uint64_t low = 0;
  uint64_t room = kGlobalValues;
  const uint64_t where = Below(10);
  if (where <= 1) {
    i.dst = Local(kOffsets, kRegionBytes / 2, DType::kUint32);
    low = kGlobalOffsets;
    room = kRegionBytes;
  } else if (where == 2) {
    i.dst = Local(kBits, kRegionBytes / 2, DType::kUint8);
    low = kGlobalBits;
    room = kRegionBytes;
  }
  i.transfer.block_count = static_cast<uint32_t>(1 + Below(4));
  i.transfer.block_bytes =
      static_cast<uint32_t>(pad ? 1 + Below(300) : (1 + Below(20)) * 32);
  if (low == kGlobalOffsets) i.transfer.block_bytes &= ~3u;
  i.transfer.source_gap = static_cast<int64_t>(Below(3)) * 32;
  i.transfer.destination_gap = static_cast<int64_t>(Below(3)) * 32;
  i.src0 = {global_ + low + Below(room / 8) * 4, 0, 0, i.dst.dtype,
            abi::Memory::kGm};
  if (pad && low == 0 && Chance(60)) {
    i.transfer.is_pad = Chance(60);
    i.transfer.left_padding = static_cast<uint8_t>(Below(4));
    i.transfer.right_padding = static_cast<uint8_t>(Below(5));
    i.transfer.padding_value = 0x3c00;
  }
  if (Chance(12)) {
    i.src0 = Data(i.dst.dtype);
    if (!pad) i.dst = Apart(i.dst.dtype);
  }
  return Issue(i);
}

bool InitProgram::Store() {
  if (Chance(15)) {
    abi::Instruction atomic{};
    atomic.op = Op::kSetAtomic;
    atomic.mode = static_cast<uint8_t>(Chance(60) ? abi::Atomic::kNone
                                                  : abi::Atomic::kAdd);
    atomic.dst.dtype = OneOf({DType::kHalf, DType::kFloat, DType::kInt8});
    return Issue(atomic);
  }
  abi::Instruction i{};
  const bool pad = Chance(60);
  i.op = pad ? Op::kDataCopyPad : Op::kDataCopy;
  i.src0 = Chance(80) ? Data(DType::kFloat) : Apart(DType::kFloat);
  i.transfer.block_count = static_cast<uint32_t>(1 + Below(3));
  i.transfer.block_bytes =
      static_cast<uint32_t>(pad ? 1 + Below(300) : (1 + Below(10)) * 32);
  i.transfer.source_gap = static_cast<int64_t>(Below(3)) * 32;
  i.transfer.destination_gap = static_cast<int64_t>(Below(3)) * 32;
  // Mostly among the values, sometimes across the allocation's end.
  const uint64_t at = Chance(85) ? Below(kGlobalValues / 8) * 4
                                 : kGlobalBytes - 320 + Below(320);
  i.dst = {global_ + at, 0, 0, DType::kFloat, abi::Memory::kGm};
  return Issue(i);
}

bool InitProgram::Elementwise() {
  abi::Instruction i{};
  const DType dtype = OneOf({DType::kHalf, DType::kFloat});
  i.dst = Data(dtype);
  i.src0 = Data(dtype);
  i.src1 = Data(dtype);
  i.scalar = 1;
  switch (Below(7)) {
    case 0:
      i.op = OneOf({Op::kAbs, Op::kExp, Op::kRelu, Op::kAdds, Op::kMuls});
      break;
    case 1:
      i.op = OneOf({Op::kAdd, Op::kMul, Op::kMax, Op::kSubRelu});
      break;
    case 2:
      i.op = OneOf({Op::kAxpy, Op::kMulAddDst, Op::kFusedMulAdd});
      break;
    case 3:
      i.op = OneOf({Op::kAnd, Op::kOr, Op::kNot});
      i.dst.dtype = i.src0.dtype = i.src1.dtype = DType::kUint16;
      break;
    case 4: {
      i.op = Op::kCast;
      const auto [from, to] =
          OneOf<std::pair<DType, DType>>({{DType::kInt4, DType::kHalf},
                                          {DType::kHalf, DType::kInt4},
                                          {DType::kHalf, DType::kInt8},
                                          {DType::kUint8, DType::kHalf},
                                          {DType::kHalf, DType::kFloat},
                                          {DType::kFloat, DType::kHalf},
                                          {DType::kInt32, DType::kInt64},
                                          {DType::kInt64, DType::kInt32}});
      i.src0.dtype = from;
      i.dst.dtype = to;
      break;
    }
    case 5: {
      i.op = Op::kCastDequant;
      i.src0.dtype = DType::kInt16;
      i.dst.dtype = DType::kInt8;
      i.mode = static_cast<uint8_t>(Below(4));
      abi::Instruction scale{};
      scale.op = Op::kSetDeqScale;
      scale.mode = 1;
      scale.scalar = (i.mode & 2) ? ub_ + Below(64) * 32 : 0x3f800000;
      Issue(scale);
      break;
    }
    default:
      i.op = OneOf({Op::kDuplicate, Op::kCreateVecIndex});
      break;
  }
  if (Chance(40)) i.dst.address = i.src0.address;
  ChooseLanes(i);
  if (i.src0.dtype == DType::kInt4 || i.dst.dtype == DType::kInt4) {
    i.count &= ~uint64_t{1};
  }
  return Issue(i);
}

bool InitProgram::Bits() {
  abi::Instruction i{};
  const DType dtype = OneOf({DType::kHalf, DType::kFloat});
  const abi::Operand bits = Local(kBits, kRegionBytes / 2, DType::kUint8);
  i.src0 = Data(dtype);
  i.src1 = Data(dtype);
  switch (Below(6)) {
    case 0:
      i.op = OneOf({Op::kCompare, Op::kCompareScalar});
      i.dst = Chance(70) ? bits : Data(DType::kUint8);
      ChooseLanes(i);
      i.dst.dtype = DType::kUint8;
      break;
    case 1:
      i.op = Op::kCompareToMask;
      ChooseLanes(i);
      i.repeat = 1;
      if (i.form == abi::Form::kCount) i.form = abi::Form::kContinuous;
      break;
    case 2:
      i.op = OneOf({Op::kGetCmpMask, Op::kSetCmpMask});
      i.dst = i.src0 = Chance(50) ? bits : Data(DType::kUint8);
      i.dst.dtype = i.src0.dtype = DType::kUint8;
      i.repeat = 1;
      break;
    default:
      i.op = Op::kSelect;
      i.dst = Data(dtype);
      i.mode = static_cast<uint8_t>(Below(3));
      ChooseLanes(i);
      i.src2 = bits;
      if (i.mode == 0 && Chance(50)) i.src2.address = 0;
      if (i.mode == 1) i.src1 = {};
      if (i.mode == 1 && Chance(30)) i.src1.dtype = dtype;
      break;
  }
  return Issue(i);
}

bool InitProgram::Reduce() {
  abi::Instruction i{};
  const DType dtype = OneOf({DType::kHalf, DType::kFloat});
  i.src0 = Data(dtype);
  i.dst = Data(dtype);
  if (Chance(40)) {
    i.op = OneOf({Op::kReduceSum, Op::kReduceMax, Op::kReduceMin});
    i.mode = static_cast<uint8_t>(i.op == Op::kReduceSum ? 0 : Below(2));
    i.src1 = Data(dtype);
    ChooseLanes(i);
    i.src1 = Chance(70) ? Data(dtype) : abi::Operand{};
    i.src1.memory = abi::Memory::kUb;
  } else {
    i.op =
        OneOf({Op::kBlockReduceMax, Op::kBlockReduceSum, Op::kPairReduceSum,
               Op::kWholeReduceMax, Op::kWholeReduceMin, Op::kWholeReduceSum});
    i.mode = static_cast<uint8_t>(Below(4));
    ChooseLanes(i);
    i.dst = Chance(50) ? Data(dtype) : Apart(dtype);
    i.dst.repeat_stride = static_cast<uint32_t>(Below(4));
  }
  return Issue(i);
}

bool InitProgram::Move() {
  abi::Instruction i{};
  const DType dtype =
      OneOf({DType::kHalf, DType::kUint16, DType::kFloat, DType::kUint32});
  i.src0 = Data(dtype);
  if (Chance(50)) {
    i.op = Op::kCopy;
    i.dst = Data(dtype);
    ChooseLanes(i);
    if (i.form == abi::Form::kCount) i.form = abi::Form::kContinuous;
  } else {
    i.op = Op::kBrcb;
    i.dst = Apart(dtype);
    i.dst.block_stride = static_cast<uint32_t>(Below(3));
    i.dst.repeat_stride = static_cast<uint32_t>(8 + Below(3));
    i.repeat = static_cast<uint32_t>(Below(4));
  }
  return Issue(i);
}

bool InitProgram::GatherSomething() {
  abi::Instruction i{};
  const DType dtype = OneOf({DType::kUint16, DType::kUint32});
  i.src0 = Local(0, kDataBytes / 2, dtype);
  switch (Below(3)) {
    case 0:
      i.op = Op::kGather;
      i.dst = Chance(50) ? Data(dtype) : Apart(dtype);
      i.scalar = Below(16) * 4;
      ChooseLanes(i);
      i.count %= 200;
      i.repeat %= 3;
      i.src1 = Strided(Local(kOffsets, 512, DType::kUint32));
      break;
    case 1:
      i.op = Op::kGatherb;
      i.dst = Apart(dtype);
      i.dst.block_stride = static_cast<uint32_t>(Below(3));
      i.src1 = Local(kOffsets, kRegionBytes / 2, DType::kUint32);
      i.repeat = static_cast<uint32_t>(Below(4));
      break;
    default:
      i.op = Op::kGatherMask;
      i.dst = Apart(dtype);
      i.repeat = static_cast<uint32_t>(Below(4));
      i.count = Below(200);
      i.gather_mask.by_mask = Chance(50);
      if (Chance(30)) {
        i.gather_mask.pattern = static_cast<uint8_t>(1 + Below(7));
      } else {
        i.src1 = Local(kBits, kRegionBytes / 2, dtype);
        i.gather_mask.src1_repeat_stride = static_cast<uint32_t>(Below(3));
      }
      break;
  }
  return Issue(i);
}

bool InitProgram::SortSomething() {
  abi::Instruction i{};
  const DType dtype = OneOf({DType::kHalf, DType::kFloat});
  i.dst = Apart(dtype);
  if (Chance(50)) {
    i.op = Op::kSort32;
    i.src0 = Data(dtype);
    i.src0.repeat_stride = static_cast<uint32_t>(Below(6));
    i.src1 = Data(DType::kUint32);
    i.src1.repeat_stride = 4;
    i.repeat = static_cast<uint32_t>(Below(4));
    return Issue(i);
  }
  i.op = Op::kMrgSort;
  i.src0 = Data(dtype);
  i.repeat = static_cast<uint32_t>(Below(3));
  i.merge.valid = OneOf<uint8_t>({3, 7, 15, 15});
  i.merge.stop_when_exhausted = Chance(30);
  const bool alike = Chance(50);
  uint64_t at = ub_ + Below(kDataBytes / 64) * 32;
  const auto length = static_cast<uint32_t>(1 + Below(12));
  for (int list = 0; list < 4; ++list) {
    i.merge.count[list] = alike ? length : static_cast<uint32_t>(Below(10));
    i.merge.list[list] = at;
    at += alike ? length * 8 : 128 + Below(3) * 32;
  }
  return Issue(i);
}

bool InitProgram::TransposeSomething() {
  abi::Instruction i{};
  if (Chance(40)) {
    i.op = Op::kTranspose;
    i.src0 = Data(DType::kHalf);
    i.dst = Data(DType::kHalf);
    i.repeat = 1;
    return Issue(i);
  }
  i.op = Op::kTransDataTo5HD;
  i.dst.dtype = i.src0.dtype =
      OneOf({DType::kInt8, DType::kHalf, DType::kFloat});
  i.repeat = static_cast<uint32_t>(Below(4));
  i.dst.repeat_stride = static_cast<uint32_t>(Below(20));
  i.src0.repeat_stride = static_cast<uint32_t>(Below(20));
  i.lists.destination_high_half = Chance(50);
  i.lists.source_high_half = Chance(50);
  for (int row = 0; row < 16; ++row) {
    row_lists_[0][row] = ub_ + kApart + Below(kApartBytes / 64) * 32;
    row_lists_[1][row] = ub_ + Below(kDataBytes / 64) * 32;
  }
  i.lists.destinations = reinterpret_cast<uint64_t>(row_lists_[0]);
  i.lists.sources = reinterpret_cast<uint64_t>(row_lists_[1]);
  return Issue(i);
}

bool InitProgram::Scalar() {
  const bool global = Chance(30);
  const uint64_t bytes = OneOf<uint64_t>({1, 2, 4, 8, 8, 24, 200});
  const uint64_t at =
      global ? global_ + Below(kGlobalValues / 8) * 8 : ub_ + Below(kDataBytes);
  const bool write = Chance(40);
  last_ = fmt::format("scalar {} of {} bytes at {}", write ? "store" : "load",
                      bytes, global ? at - global_ : at - ub_);
  void* place = chip_.AccessScalar(core_, at, bytes, write, Chance(50), pc_);
  if (write) std::memset(place, static_cast<int>(Below(256)), bytes);
  return true;
}

bool InitProgram::Surroundings() {
  switch (Below(8)) {
    case 6:
    case 7:
    case 0: {
      abi::Instruction i{};
      i.op = Op::kAllocTensor;
      i.queue.address = ub_ + Below(kDataBytes / 32) * 32;
      i.queue.bytes = (1 + Below(60)) * 32;
      return Issue(i);
    }
    case 1: {
      last_ = "host write";
      const uint64_t from = Below(kGlobalBytes);
      chip_.NotifyHostWrite(
          {global_ + from, Below(kGlobalBytes - from) / 4, 0});
      return true;
    }
    case 2: {
      last_ = "host copy inside global memory";
      chip_.NotifyHostWrite({global_ + Below(3000), Below(2000),
                             global_ + Below(kGlobalBytes - 2000)});
      return true;
    }
    case 3: {
      abi::Instruction i{};
      i.op = OneOf({Op::kSetMaskNorm, Op::kSetMaskCount, Op::kResetMask,
                    Op::kSetMaskNorm});
      Issue(i);
      abi::Instruction mask{};
      mask.op = Op::kSetVectorMask;
      mask.mask[0] = core_.vector.counter_mode ? Below(300) : random_();
      mask.mask[1] = random_();
      return Issue(mask);
    }
    case 4: {
      abi::Instruction i{};
      i.op = Op::kSetPadValue;
      if (Chance(10)) return Issue(i);
      core_.vector.pad_value_set = false;
      last_ = "pad value forgotten";
      return true;
    }
    default:
      last_ = "global memory allocated anew";
      if (Chance(15)) FillGlobal();
      return true;
  }
}

bool InitProgram::Step() {
  ++pc_;
  switch (Below(20)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return Load();
    case 4:
    case 5:
      return Store();
    case 6:
    case 7:
    case 8:
    case 9:
      return Elementwise();
    case 10:
    case 11:
      return Bits();
    case 12:
    case 13:
      return Reduce();
    case 14:
      return Move();
    case 15:
      return GatherSomething();
    case 16:
      return SortSomething();
    case 17:
      return TransposeSomething();
    case 18:
      return Scalar();
    default:
      return Surroundings();
  }
}

}  // namespace belay::check
