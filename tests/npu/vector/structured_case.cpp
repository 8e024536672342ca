// SPDX-License-Identifier: Apache-2.0
#include "structured_case.h"

#include <algorithm>
#include <cstring>

#include "base/dtype.h"
#include "naive_numbers.h"
#include "npu/execute.h"

namespace belay::npu {

using abi::DType;
using abi::Op;

// Where destinations, first sources and second sources are placed.
constexpr uint64_t kDstEnd = 64 * 1024;
constexpr uint64_t kSrcEnd = 128 * 1024;

BoundCase::BoundCase(const StructuredCase& test, const UbBuffer& ub)
    : instruction_(test.instruction),
      destinations_(test.destinations),
      sources_(test.sources) {
  for (abi::Operand* operand :
       {&instruction_.dst, &instruction_.src0, &instruction_.src1}) {
    operand->address = ub.address(operand->address);
  }
  if (instruction_.op == Op::kMrgSort) {
    for (uint64_t& list : instruction_.merge.list) list = ub.address(list);
  }
  if (instruction_.op == Op::kTransDataTo5HD) {
    for (uint64_t& row : destinations_) row = ub.address(row);
    for (uint64_t& row : sources_) row = ub.address(row);
    instruction_.lists.destinations =
        reinterpret_cast<uint64_t>(destinations_.data());
    instruction_.lists.sources = reinterpret_cast<uint64_t>(sources_.data());
  }
}

DType StructuredCaseMaker::TypeFor(Op op) {
  abi::Instruction probe{};
  probe.op = op;
  do {
    probe.dst.dtype = probe.src0.dtype = static_cast<DType>(Below(16));
  } while (!SupportsDTypes(probe));
  return probe.dst.dtype;
}

void StructuredCaseMaker::FillMemory(DType dtype, UbBuffer& ub) {
  const uint64_t bytes = naive::BitsOfType(dtype) / 8;
  // Few different values, so that there are ties.
  std::vector<uint64_t> pool(64);
  for (uint64_t& element : pool) element = elements_.Element(dtype);
  for (uint64_t at = 0; at < kUbBytes; at += bytes) {
    uint64_t element = pool[Below(pool.size())];
    if (Chance(20)) element = random_();
    std::memcpy(ub.data() + at, &element, bytes);
  }
}

void StructuredCaseMaker::MakeCopy(StructuredCase& test) {
  abi::Instruction& i = test.instruction;
  i.form = static_cast<abi::Form>(1 + Below(3));
  test.state.counter_mode = true;
  for (uint64_t* count : {&test.state.mask[0], &i.count, &i.mask[0]}) {
    *count = Chance(30) ? Below(20) : Below(600);
  }
  i.repeat = static_cast<uint32_t>(Below(5));
  const auto strides = [&](abi::Operand& operand, uint32_t least) {
    operand.block_stride = static_cast<uint32_t>(least + Below(4));
    operand.repeat_stride =
        static_cast<uint32_t>(Chance(50) ? Below(100) : Below(400));
  };
  strides(i.dst, 1);
  strides(i.src0, 0);
  constexpr uint64_t kMost = (4 * 400 + 75 * 4) * 32;
  i.dst.address = PlaceIn(0, kDstEnd, kMost);
  i.src0.address = PlaceIn(kDstEnd, kSrcEnd, kMost);
  if (Chance(20)) i.dst = i.src0;
}

void StructuredCaseMaker::MakeGatherb(StructuredCase& test, UbBuffer& ub) {
  abi::Instruction& i = test.instruction;
  i.repeat = static_cast<uint32_t>(Below(20));
  i.dst.block_stride = static_cast<uint32_t>(Below(4));
  i.dst.repeat_stride = static_cast<uint32_t>(Below(40));
  i.dst.address = PlaceIn(0, kDstEnd, (19 * 39 + 7 * 3 + 1) * 32);
  i.src0.address = PlaceIn(kDstEnd, kSrcEnd, 8192);
  i.src1 = {PlaceIn(kSrcEnd, kUbBytes, 20 * 32), 1, 1, DType::kUint32,
            abi::Memory::kUb};
  for (uint64_t block = 0; block < 20 * 8; ++block) {
    const auto offset = static_cast<uint32_t>(Below(8192 / 32) * 32);
    std::memcpy(ub.data() + i.src1.address + block * 4, &offset, 4);
  }
}

void StructuredCaseMaker::MakeGatherMask(StructuredCase& test) {
  abi::Instruction& i = test.instruction;
  const uint64_t bytes = BytesOf(i.dst.dtype);
  test.state.counter_mode = Chance(50);
  i.repeat = static_cast<uint32_t>(Below(12));
  i.count = Below(600);
  i.gather_mask.by_mask = Chance(50) ? 1 : 0;
  i.gather_mask.pattern = static_cast<uint8_t>(Chance(50) ? 0 : Below(8));
  i.gather_mask.src1_repeat_stride = static_cast<uint32_t>(Below(4));
  i.src0.block_stride = static_cast<uint32_t>(Below(4));
  i.src0.repeat_stride = static_cast<uint32_t>(Below(100));
  i.src1 = {PlaceIn(kSrcEnd, kUbBytes, 12 * 4 * 32 + 128), 1, 1,
            bytes == 2 ? DType::kUint16 : DType::kUint32, abi::Memory::kUb};
  i.dst.address = PlaceIn(0, kDstEnd, 12 * 600 * bytes);
  i.src0.address = PlaceIn(kDstEnd, kSrcEnd, (12 * 100 + 75 * 4) * 32);
  if (Chance(20)) {
    // In place, as the page shows it.
    i.gather_mask.by_mask = 0;
    i.src0.block_stride = 1;
    i.src0.repeat_stride = 8;
    i.dst.address = i.src0.address;
  }
}

void StructuredCaseMaker::MakeSort(StructuredCase& test) {
  abi::Instruction& i = test.instruction;
  i.repeat = static_cast<uint32_t>(Below(20));
  i.dst.repeat_stride = 8;
  i.src0.repeat_stride = static_cast<uint32_t>(BytesOf(i.src0.dtype));
  i.dst.address = PlaceIn(0, kDstEnd, 20 * 256);
  i.src0.address = PlaceIn(kDstEnd, kSrcEnd, 20 * 128);
  i.src1 = {PlaceIn(kSrcEnd, kUbBytes, 20 * 128), 1, 4, DType::kUint32,
            abi::Memory::kUb};
}

void StructuredCaseMaker::MakeMerge(StructuredCase& test, UbBuffer& ub) {
  abi::Instruction& i = test.instruction;
  constexpr uint32_t kMost = 300;
  i.repeat = static_cast<uint32_t>(Chance(60) ? 1 : Below(4));
  i.merge.valid = Chance(30) ? 3 : Chance(30) ? 7 : 15;
  i.merge.stop_when_exhausted = Chance(40) ? 1 : 0;
  for (int list = 0; list < 4; ++list) {
    i.merge.count[list] =
        static_cast<uint32_t>(Chance(5)    ? 0
                              : Chance(50) ? 1 + Below(10)
                                           : 1 + Below(kMost));
    i.merge.list[list] = PlaceIn(kDstEnd, kUbBytes, 3 * 4 * kMost * 8);
  }
  if (Chance(40)) {
    i.merge.valid = 15;
    for (int list = 1; list < 4; ++list) {
      i.merge.count[list] = i.merge.count[0];
      i.merge.list[list] =
          i.merge.list[0] + uint64_t{list * 8u} * i.merge.count[0];
    }
  }
  i.dst.address = PlaceIn(0, kDstEnd, 3 * 4 * kMost * 8);
  // Lists by falling value, mostly: what merges unsorted ones is defined too.
  if (Chance(20)) return;
  for (int list = 0; list < 4; ++list) {
    const uint32_t count = i.merge.count[list];
    if (count == 0) continue;
    std::vector<uint64_t> pairs(count);
    uint8_t* at = ub.data() + i.merge.list[list];
    std::memcpy(pairs.data(), at, count * 8);
    const uint64_t field = i.dst.dtype == DType::kHalf ? 0xffff : 0xffffffff;
    std::stable_sort(pairs.begin(), pairs.end(), [&](uint64_t a, uint64_t b) {
      const long double x = naive::Decode(a & field, i.dst.dtype);
      const long double y = naive::Decode(b & field, i.dst.dtype);
      if (x != x) return y == y;
      return x > y;
    });
    std::memcpy(at, pairs.data(), count * 8);
  }
}

void StructuredCaseMaker::MakeTranspose(StructuredCase& test) {
  abi::Instruction& i = test.instruction;
  i.repeat = 1;
  i.dst.address = PlaceIn(0, kUbBytes, 512);
  i.src0.address = Chance(30) ? i.dst.address : PlaceIn(0, kUbBytes, 512);
}

void StructuredCaseMaker::MakeTransposeLists(StructuredCase& test) {
  abi::Instruction& i = test.instruction;
  i.repeat = static_cast<uint32_t>(Chance(40) ? 1 : Below(8));
  i.lists.destination_high_half = Chance(50) ? 1 : 0;
  i.lists.source_high_half = Chance(50) ? 1 : 0;
  i.dst.repeat_stride = static_cast<uint32_t>(Below(40));
  i.src0.repeat_stride = static_cast<uint32_t>(Below(40));
  constexpr uint64_t kMost = 8 * 40 * 32;
  const bool apart = Chance(60);
  for (int row = 0; row < 16; ++row) {
    test.destinations[row] = PlaceIn(0, apart ? kDstEnd : kUbBytes, kMost);
    test.sources[row] = PlaceIn(apart ? kDstEnd : 0, kUbBytes, kMost);
  }
}

StructuredCase StructuredCaseMaker::Make(Op op, UbBuffer& ub) {
  StructuredCase test;
  abi::Instruction& i = test.instruction;
  i.op = op;
  i.form = abi::Form::kRegister;
  const DType dtype = TypeFor(op);
  i.dst = i.src0 = {0, 1, 8, dtype, abi::Memory::kUb};
  test.state.mask[0] = random_();
  test.state.mask[1] = random_();
  test.state.gathered = 77;
  FillMemory(dtype, ub);
  switch (op) {
    case Op::kCopy:
      MakeCopy(test);
      break;
    case Op::kGatherb:
      MakeGatherb(test, ub);
      break;
    case Op::kGatherMask:
      MakeGatherMask(test);
      break;
    case Op::kSort32:
      MakeSort(test);
      break;
    case Op::kMrgSort:
      MakeMerge(test, ub);
      break;
    case Op::kTranspose:
      MakeTranspose(test);
      break;
    default:
      MakeTransposeLists(test);
      break;
  }
  return test;
}

}  // namespace belay::npu
