// SPDX-License-Identifier: Apache-2.0
#include "naive_init.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "base/dtype.h"
#include "naive_places.h"
#include "npu/names.h"

namespace belay::check {

using abi::DType;
using abi::Op;
using npu::Family;
using npu::InstructionEvent;

NaiveInit::NaiveInit(npu::Chip& chip, const npu::Core& core,
                     uint64_t global_base, uint64_t global_bytes)
    : chip_(chip),
      slot_(core.slot),
      ub_base_(chip.on_chip().Base(core.slot, abi::Memory::kUb)),
      gm_base_(global_base) {
  const uint64_t bytes = chip.spec().BytesOf(abi::Memory::kUb);
  undefined_.ub.resize(bytes);
  undefined_.gm.resize(global_bytes);
  undefined_.judges = true;
  stale_.ub.resize(bytes);
  stale_.gm.resize(global_bytes);
  OnBlockBegin(core);
}

void NaiveInit::OnBlockBegin(const npu::Core& core) {
  if (core.slot != slot_) return;
  std::fill(undefined_.ub.begin(), undefined_.ub.end(), 0xff);
  std::fill(stale_.ub.begin(), stale_.ub.end(), 0);
  undefined_.register_bits.fill(true);
  stale_.register_bits.fill(false);
}

uint8_t& NaiveInit::At(Plane& plane, uint64_t address) {
  if (address - ub_base_ < plane.ub.size()) return plane.ub[address - ub_base_];
  return plane.gm.at(address - gm_base_);
}

bool NaiveInit::IsSet(Plane& plane, uint64_t address, uint32_t bytes) {
  for (uint32_t i = 0; i < bytes; ++i) {
    if (At(plane, address + i) != 0) return true;
  }
  return false;
}

void NaiveInit::Put(Plane& plane, uint64_t address, uint32_t bytes, bool set) {
  for (uint32_t i = 0; i < bytes; ++i) At(plane, address + i) = set ? 0xff : 0;
}

std::vector<uint8_t> NaiveInit::Element(Plane& plane,
                                        const abi::Operand& operand,
                                        uint32_t repeat, uint32_t lane) {
  const uint64_t bits = BitsOf(operand.dtype);
  const uint64_t from = BitOffset(operand, repeat, lane);
  std::vector<uint8_t> result(bits);
  for (uint64_t i = 0; i < bits; ++i) {
    result[i] =
        At(plane, operand.address + (from + i) / 8) >> (from + i) % 8 & 1;
  }
  return result;
}

void NaiveInit::CopyElement(Plane& plane, const abi::Operand& operand,
                            uint32_t repeat, uint32_t lane,
                            const std::vector<uint8_t>& bits) {
  const uint64_t to = BitOffset(operand, repeat, lane);
  for (uint64_t i = 0; i < bits.size(); ++i) {
    uint8_t& byte = At(plane, operand.address + (to + i) / 8);
    const uint8_t bit = static_cast<uint8_t>(1u << (to + i) % 8);
    byte = static_cast<uint8_t>(bits[i] ? byte | bit : byte & ~bit);
  }
}

bool NaiveInit::IsElementSet(Plane& plane, const abi::Operand& operand,
                             uint32_t repeat, uint32_t lane) {
  const std::vector<uint8_t> bits = Element(plane, operand, repeat, lane);
  return std::count(bits.begin(), bits.end(), 1) != 0;
}

void NaiveInit::PutElement(Plane& plane, const abi::Operand& operand,
                           uint32_t repeat, uint32_t lane, bool set) {
  CopyElement(plane, operand, repeat, lane,
              std::vector<uint8_t>(BitsOf(operand.dtype), set));
}

void NaiveInit::Found(const Plane& plane, const char* code, uint64_t pc) {
  if (!plane.judges) return;
  const std::pair<std::string, uint64_t> entry{code, pc};
  if (std::find(found_.begin(), found_.end(), entry) == found_.end()) {
    found_.push_back(entry);
  }
}

void NaiveInit::OnInstruction(const InstructionEvent& event) {
  const Family family = npu::FamilyOf(event.instruction.op);
  if (npu::IsVector(family)) {
    Vector(undefined_, event);
    Vector(stale_, event);
  } else if (family == Family::kTransfer) {
    Transfer(event);
  } else if (event.instruction.op == Op::kAllocTensor) {
    const abi::Queue& queue = event.instruction.queue;
    Put(stale_, queue.address, static_cast<uint32_t>(queue.bytes), true);
  }
}

void NaiveInit::OnScalar(const npu::ScalarEvent& event) {
  if (event.write) {
    Put(undefined_, event.address, static_cast<uint32_t>(event.bytes), false);
    Put(stale_, event.address, static_cast<uint32_t>(event.bytes), false);
    return;
  }
  uint64_t whole = 0;
  for (uint64_t i = 0; i < event.bytes; ++i) {
    if (At(undefined_, event.address + i) == 0xff) ++whole;
  }
  const bool harm =
      event.bytes > 8 ? whole == event.bytes && whole > 0 : whole > 0;
  if (harm) Found(undefined_, "BLY-I102", event.pc);
}

void NaiveInit::OnAllocate(uint64_t address, uint64_t bytes) {
  Put(undefined_, address, static_cast<uint32_t>((bytes + 511) / 512 * 512),
      true);
}

void NaiveInit::OnHostWrite(const npu::HostWriteEvent& event) {
  std::vector<uint8_t> bits(event.bytes, 0);
  for (uint64_t i = 0; event.source != 0 && i < event.bytes; ++i) {
    bits[i] = At(undefined_, event.source + i);
  }
  for (uint64_t i = 0; i < event.bytes; ++i) {
    At(undefined_, event.address + i) = bits[i];
  }
}

void NaiveInit::Vector(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  switch (npu::FamilyOf(i.op)) {
    case Family::kCast:
      if (i.op == Op::kCastDequant && i.src0.dtype == DType::kInt16) {
        return CastDequant(plane, event);
      }
      [[fallthrough]];
    case Family::kUnary:
    case Family::kBinary:
    case Family::kScalar:
    case Family::kFused:
    case Family::kDuplicate:
    case Family::kIndex:
      return Elementwise(plane, event);
    case Family::kCompare:
      return Compare(plane, event);
    case Family::kCmpMask:
      for (uint32_t bit = 0; bit < 128; ++bit) {
        const bool get = i.op == Op::kGetCmpMask;
        uint8_t& byte =
            At(plane, (get ? i.dst.address : i.src0.address) + bit / 8);
        if (!get) {
          plane.register_bits[bit] = byte >> bit % 8 & 1;
        } else {
          const int cleared = byte & ~(1 << bit % 8);
          byte = static_cast<uint8_t>(
              cleared | (plane.register_bits[bit] ? 1 << bit % 8 : 0));
        }
      }
      return;
    case Family::kSelect:
      return Select(plane, event);
    case Family::kReduce:
      return Reduce(plane, event);
    case Family::kReduceParts:
      return ReduceParts(plane, event);
    case Family::kCopy:
      return Copy(plane, event);
    case Family::kGather:
      return Gather(plane, event);
    case Family::kGatherb:
      return Gatherb(plane, event);
    case Family::kGatherMask:
      return GatherMask(plane, event);
    case Family::kBrcb:
      return Brcb(plane, event);
    case Family::kSort:
      return Sort(plane, event);
    case Family::kMerge:
      return Merge(plane, event);
    case Family::kTranspose:
      return Transpose(plane, event);
    case Family::kTransposeLists:
      return TransposeLists(plane, event);
    default:
      return;
  }
}

void NaiveInit::Elementwise(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  const Family family = npu::FamilyOf(i.op);
  const bool fills = family == Family::kDuplicate || family == Family::kIndex;
  const bool two = family == Family::kBinary || family == Family::kFused;
  const bool onto = i.op == Op::kAxpy || i.op == Op::kMulAddDst ||
                    i.op == Op::kFusedMulAdd || i.op == Op::kFusedMulAddRelu;
  const bool bitwise = i.op == Op::kAnd || i.op == Op::kOr || i.op == Op::kNot;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    std::map<uint32_t, std::vector<uint8_t>> results;
    for (uint32_t lane = 0; lane < lanes.per_repeat; ++lane) {
      if (!lanes.Active(repeat, lane)) continue;
      std::vector<uint8_t> result(BitsOf(i.dst.dtype), 0);
      if (bitwise) {
        result = Element(plane, i.src0, repeat, lane);
        for (size_t bit = 0; two && bit < result.size(); ++bit) {
          result[bit] |= Element(plane, i.src1, repeat, lane)[bit];
        }
      } else if (!fills) {
        bool set = IsElementSet(plane, i.src0, repeat, lane);
        if (two) set |= IsElementSet(plane, i.src1, repeat, lane);
        if (onto) set |= IsElementSet(plane, i.dst, repeat, lane);
        std::fill(result.begin(), result.end(), set);
      }
      results[lane] = result;
    }
    for (const auto& [lane, result] : results) {
      CopyElement(plane, i.dst, repeat, lane, result);
    }
  }
}

void NaiveInit::CastDequant(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  // The parameters are read before anything is written.
  std::array<bool, 16> scale{};
  for (uint32_t word = 0; (i.mode & 2) != 0 && word < 16; ++word) {
    scale[word] = IsSet(plane, event.core.vector.dequant + word * 8, 8);
  }
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    std::map<uint64_t, bool> results;
    for (uint32_t lane = 0; lane < lanes.per_repeat; ++lane) {
      if (!lanes.Active(repeat, lane)) continue;
      const bool set =
          IsElementSet(plane, i.src0, repeat, lane) || scale[lane % 16];
      const uint64_t block = uint64_t{repeat} * i.dst.repeat_stride +
                             lane / 16 * i.dst.block_stride;
      results[i.dst.address + block * kBlock + (i.mode & 1) * 16 + lane % 16] =
          set;
    }
    for (const auto& [address, set] : results) Put(plane, address, 1, set);
  }
}

void NaiveInit::Compare(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    std::array<bool, 128> bits{};
    for (uint32_t lane = 0; lane < lanes.per_repeat; ++lane) {
      if (!lanes.Active(repeat, lane)) continue;
      bits[lane] = IsElementSet(plane, i.src0, repeat, lane);
      if (i.op != Op::kCompareScalar) {
        bits[lane] |= IsElementSet(plane, i.src1, repeat, lane);
      }
    }
    if (i.op == Op::kCompareToMask) {
      plane.register_bits = bits;
      continue;
    }
    for (uint32_t lane = 0; lane < lanes.per_repeat; ++lane) {
      const uint64_t bit = uint64_t{repeat} * lanes.per_repeat + lane;
      uint8_t& byte = At(plane, i.dst.address + bit / 8);
      byte = static_cast<uint8_t>((byte & ~(1 << bit % 8)) |
                                  (bits[lane] ? 1 << bit % 8 : 0));
    }
  }
}

void NaiveInit::Select(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  const auto mode = static_cast<abi::Select>(i.mode);
  const bool by_register = mode == abi::Select::kCmpMaskRegister;
  std::array<bool, 128> real{};
  for (uint32_t bit = 0; bit < 128; ++bit) {
    real[bit] = event.core.vector.compare_mask[bit / 64] >> bit % 64 & 1;
  }
  const bool scalar_set =
      i.src1.address == 0 && i.src1.dtype != DType::kNone &&
      std::count(plane.register_bits.begin(), plane.register_bits.begin() + 32,
                 true) != 0;
  if (by_register && i.src2.address != 0) {
    real.fill(false);
    plane.register_bits.fill(false);
    for (uint32_t bit = 0; bit < lanes.per_repeat; ++bit) {
      real[bit] = RealBit(i.src2.address, bit);
      plane.register_bits[bit] =
          At(plane, i.src2.address + bit / 8) >> bit % 8 & 1;
    }
  }
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    std::map<uint32_t, std::vector<uint8_t>> results;
    for (uint32_t lane = 0; lane < lanes.per_repeat; ++lane) {
      if (!lanes.Active(repeat, lane)) continue;
      bool taken = real[lane];
      bool unknown = plane.register_bits[lane];
      if (!by_register) {
        const uint64_t bit = uint64_t{repeat} * lanes.per_repeat + lane;
        taken = RealBit(i.src2.address, bit);
        unknown = At(plane, i.src2.address + bit / 8) >> bit % 8 & 1;
      }
      const size_t bits = BitsOf(i.dst.dtype);
      if (unknown) {
        results[lane] = std::vector<uint8_t>(bits, 1);
      } else if (taken) {
        results[lane] = Element(plane, i.src0, repeat, lane);
      } else if (mode == abi::Select::kTensorScalar) {
        results[lane] = std::vector<uint8_t>(bits, scalar_set);
      } else {
        results[lane] = Element(plane, i.src1, repeat, lane);
      }
    }
    for (const auto& [lane, result] : results) {
      CopyElement(plane, i.dst, repeat, lane, result);
    }
  }
}

void NaiveInit::Reduce(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  bool any_active = false;
  bool set = false;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    for (uint32_t lane = 0; lane < lanes.per_repeat; ++lane) {
      if (!lanes.Active(repeat, lane)) continue;
      any_active = true;
      set |= IsElementSet(plane, i.src0, repeat, lane);
    }
  }
  if (!any_active) return;
  if (set) Found(plane, "BLY-I105", i.pc);
  const uint64_t bytes = BytesOf(i.dst.dtype);
  const auto rounded = [&](uint64_t elements) {
    return (elements * bytes + 31) / 32 * 32;
  };
  // The pages: a sum by count needs no room; by mask one element a repeat;
  // the others two, and with an index each further round beside it.
  const bool sum = i.op == Op::kReduceSum;
  uint64_t work = 0;
  if (i.src1.address != 0 && lanes.repeats > 1 && !(sum && lanes.counter)) {
    uint64_t results = sum ? lanes.repeats : 2 * lanes.repeats;
    work = rounded(results);
    while (i.mode != 0 && results > 2) {
      results = (results + lanes.per_repeat - 1) / lanes.per_repeat * 2;
      work += rounded(results);
    }
  }
  Put(plane, i.src1.address, static_cast<uint32_t>(work), plane.judges);
  Put(plane, i.dst.address, static_cast<uint32_t>(bytes * (i.mode ? 2 : 1)),
      set && !plane.judges);
}

void NaiveInit::ReduceParts(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  const auto element = static_cast<uint32_t>(BytesOf(i.dst.dtype));
  uint32_t part = lanes.per_repeat;
  uint32_t result_bytes = element;
  const bool whole_best =
      i.op == Op::kWholeReduceMax || i.op == Op::kWholeReduceMin;
  const bool blocks = i.op == Op::kBlockReduceMax ||
                      i.op == Op::kBlockReduceMin ||
                      i.op == Op::kBlockReduceSum;
  if (blocks) part = 32 / element;
  if (i.op == Op::kPairReduceSum) part = 2;
  if (whole_best) {
    const auto order = static_cast<abi::ReduceOrder>(i.mode);
    if (order == abi::ReduceOrder::kOnlyIndex) result_bytes = 4;
    if (order == abi::ReduceOrder::kValueIndex ||
        order == abi::ReduceOrder::kIndexValue) {
      result_bytes = 2 * element;
    }
  }
  const uint32_t parts = lanes.per_repeat / part;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    std::map<uint32_t, bool> results;
    for (uint32_t p = 0; p < parts; ++p) {
      uint32_t active = 0;
      uint32_t set = 0;
      for (uint32_t lane = p * part; lane < (p + 1) * part; ++lane) {
        if (!lanes.Active(repeat, lane)) continue;
        ++active;
        if (IsElementSet(plane, i.src0, repeat, lane)) ++set;
      }
      if (active == 0) continue;
      const bool mixed = set != 0 && set != active;
      if (mixed) Found(plane, "BLY-I105", i.pc);
      results[p] = set == active || (mixed && !plane.judges);
    }
    for (const auto& [p, undefined] : results) {
      Put(plane,
          i.dst.address + (uint64_t{repeat} * i.dst.repeat_stride * parts + p) *
                              result_bytes,
          result_bytes, undefined);
    }
  }
}

}  // namespace belay::check
