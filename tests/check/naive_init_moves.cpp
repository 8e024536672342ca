// SPDX-License-Identifier: Apache-2.0
// The naive model: instructions that move or sort elements, and transfers.

#include <algorithm>
#include <map>

#include "naive_init.h"
#include "naive_places.h"

namespace belay::check {

using abi::DType;
using abi::Op;
using npu::InstructionEvent;

namespace {

// A number that rises with the value; all NaNs alike and above all others.
double KeyOf(uint64_t address, DType dtype) {
  double value;
  if (dtype == DType::kFloat) {
    value = Load<float>(address);
  } else {
    const auto bits = Load<uint16_t>(address);
    const int exponent = bits >> 10 & 31;
    const double fraction = (bits & 1023) / 1024.0;
    const double magnitude =
        exponent == 31
            ? (fraction != 0 ? __builtin_nan("") : __builtin_inf())
            : __builtin_ldexp(exponent == 0 ? fraction : 1 + fraction,
                              exponent == 0 ? -14 : exponent - 15);
    value = bits >> 15 != 0 ? -magnitude : magnitude;
  }
  return value;
}

bool Before(double a, double b) {  // a sorts strictly before b
  if (a != a) return b == b;
  if (b != b) return false;
  return a > b;
}

}  // namespace

void NaiveInit::Copy(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  // A row of 256 bytes is read before it is written.
  const uint32_t row = 256 * 8 / BitsOf(i.dst.dtype);
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    for (uint32_t first = 0; first < lanes.per_repeat; first += row) {
      std::map<uint32_t, std::vector<uint8_t>> results;
      for (uint32_t lane = first;
           lane < std::min(first + row, lanes.per_repeat); ++lane) {
        if (!lanes.Active(repeat, lane)) continue;
        results[lane] = Element(plane, i.src0, repeat, lane);
      }
      for (const auto& [lane, result] : results) {
        CopyElement(plane, i.dst, repeat, lane, result);
      }
    }
  }
}

void NaiveInit::Gather(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  const auto bytes = static_cast<uint32_t>(BytesOf(i.dst.dtype));
  std::vector<std::pair<uint32_t, uint32_t>> unknown;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    std::map<uint32_t, std::vector<uint8_t>> results;
    for (uint32_t lane = 0; lane < lanes.per_repeat; ++lane) {
      if (!lanes.Active(repeat, lane)) continue;
      const auto offset =
          Load<uint32_t>(i.src1.address + BitOffset(i.src1, repeat, lane) / 8);
      abi::Operand element = i.src0;
      element.dtype = i.dst.dtype;
      element.address += i.scalar + offset;
      results[lane] = Element(plane, element, 0, 0);
      if (!IsElementSet(plane, i.src1, repeat, lane)) continue;
      Found(plane, "BLY-I103", i.pc);
      results[lane] =
          std::vector<uint8_t>(size_t{bytes} * 8, plane.judges ? 0 : 1);
    }
    for (const auto& [lane, result] : results) {
      CopyElement(plane, i.dst, repeat, lane, result);
    }
  }
}

void NaiveInit::Gatherb(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  for (uint32_t block = 0; block < event.lanes->repeats * 8; ++block) {
    const uint64_t offset_at = i.src1.address + block * 4;
    const auto offset = Load<uint32_t>(offset_at);
    const bool unknown = IsSet(plane, offset_at, 4);
    if (unknown) Found(plane, "BLY-I103", i.pc);
    const uint64_t to =
        i.dst.address +
        (uint64_t{block / 8} * i.dst.repeat_stride +
         block % 8 * std::max<uint64_t>(i.dst.block_stride, 1)) *
            kBlock;
    for (uint32_t at = 0; at < kBlock; ++at) {
      At(plane, to + at) = At(plane, i.src0.address + offset + at);
      if (unknown) At(plane, to + at) = plane.judges ? 0 : 0xff;
    }
  }
}

// Undefined offsets and addresses are told although the chip stops at them.
void NaiveInit::OnRefusedByData(const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  bool unknown = false;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    for (uint32_t lane = 0; lane < lanes.per_repeat; ++lane) {
      unknown |= i.op == Op::kGather && lanes.Active(repeat, lane) &&
                 IsElementSet(undefined_, i.src1, repeat, lane);
    }
    for (uint32_t block = repeat * 8; block < repeat * 8 + 8; ++block) {
      unknown |= i.op == Op::kGatherb &&
                 IsSet(undefined_, i.src1.address + block * 4, 4);
    }
  }
  if (unknown) Found(undefined_, "BLY-I103", i.pc);
}

void NaiveInit::GatherMask(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const npu::Lanes& lanes = *event.lanes;
  constexpr uint32_t kPatterns[] = {0,      0x5555, 0xaaaa, 0x1111,
                                    0x2222, 0x4444, 0x8888, 0xffff};
  std::vector<std::vector<uint8_t>> kept;
  bool unknown = false;
  for (uint32_t repeat = 0; repeat < lanes.repeats; ++repeat) {
    for (uint32_t lane = 0; lane < lanes.per_repeat; ++lane) {
      bool keep = kPatterns[i.gather_mask.pattern] >> lane % 16 & 1;
      if (i.gather_mask.pattern == 0) {
        const uint64_t row =
            i.src1.address +
            uint64_t{repeat} * i.gather_mask.src1_repeat_stride * kBlock;
        keep = RealBit(row, lane);
        unknown |= (At(plane, row + lane / 8) >> lane % 8 & 1) != 0;
      }
      if (keep) kept.push_back(Element(plane, i.src0, repeat, lane));
    }
  }
  if (unknown) Found(plane, "BLY-I104", i.pc);
  abi::Operand dst = i.dst;
  const auto bytes = static_cast<uint32_t>(BytesOf(dst.dtype));
  for (const std::vector<uint8_t>& element : kept) {
    CopyElement(plane, dst, 0, 0, element);
    if (unknown && !plane.judges) Put(plane, dst.address, bytes, true);
    dst.address += bytes;
  }
}

void NaiveInit::Brcb(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const auto bytes = static_cast<uint32_t>(BytesOf(i.dst.dtype));
  for (uint32_t n = 0; n < event.lanes->repeats * 8; ++n) {
    const uint64_t to =
        i.dst.address + (uint64_t{n / 8} * i.dst.repeat_stride +
                         n % 8 * std::max<uint64_t>(i.dst.block_stride, 1)) *
                            kBlock;
    for (uint32_t at = 0; at < kBlock; ++at) {
      At(plane, to + at) = At(plane, i.src0.address + n * bytes + at % bytes);
    }
  }
}

void NaiveInit::Sort(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const auto bytes = static_cast<uint32_t>(BytesOf(i.src0.dtype));
  for (uint32_t repeat = 0; repeat < event.lanes->repeats; ++repeat) {
    const uint64_t values =
        i.src0.address + uint64_t{repeat} * i.src0.repeat_stride * kBlock;
    const uint64_t indices =
        i.src1.address + uint64_t{repeat} * i.src1.repeat_stride * kBlock;
    const uint64_t to =
        i.dst.address + uint64_t{repeat} * i.dst.repeat_stride * kBlock;
    std::vector<uint32_t> order;
    uint32_t set = 0;
    for (uint32_t n = 0; n < 32; ++n) {
      order.push_back(n);
      if (IsSet(plane, values + n * bytes, bytes)) ++set;
    }
    if (set != 0 && set != 32) Found(plane, "BLY-I106", i.pc);
    const bool unknown = set == 32 || (set != 0 && !plane.judges);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
      return Before(KeyOf(values + a * bytes, i.src0.dtype),
                    KeyOf(values + b * bytes, i.src0.dtype));
    });
    std::vector<uint8_t> pairs;
    for (const uint32_t n : order) {
      for (uint32_t at = 0; at < 8; ++at) {
        const uint8_t index = at < 4 ? 0 : At(plane, indices + n * 4 + at - 4);
        pairs.push_back(unknown ? 0xff : index);
      }
    }
    for (size_t at = 0; at < pairs.size(); ++at) At(plane, to + at) = pairs[at];
  }
}

void NaiveInit::Merge(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const auto bytes = static_cast<uint32_t>(BytesOf(i.dst.dtype));
  uint64_t total = 0;
  for (int list = 0; list < 4; ++list) {
    if (i.merge.valid >> list & 1) total += i.merge.count[list];
  }
  uint64_t to = i.dst.address;
  for (uint32_t repeat = 0; repeat < event.lanes->repeats; ++repeat) {
    std::vector<std::vector<uint64_t>> lists;
    uint64_t set = 0;
    bool exhausted = false;
    for (int list = 0; list < 4; ++list) {
      if (!(i.merge.valid >> list & 1)) continue;
      lists.emplace_back();
      for (uint32_t n = 0; n < i.merge.count[list]; ++n) {
        lists.back().push_back(i.merge.list[list] + repeat * total * 8 + n * 8);
        if (IsSet(plane, lists.back().back(), bytes)) ++set;
      }
      std::reverse(lists.back().begin(), lists.back().end());
      exhausted |= lists.back().empty();
    }
    if (set != 0 && set != total) Found(plane, "BLY-I106", i.pc);
    const bool unknown = total != 0 && (set == total || (set && !plane.judges));
    std::vector<uint8_t> pairs;
    while (!(exhausted && i.merge.stop_when_exhausted)) {
      std::vector<uint64_t>* best = nullptr;
      for (std::vector<uint64_t>& list : lists) {
        if (list.empty()) continue;
        if (best == nullptr || Before(KeyOf(list.back(), i.dst.dtype),
                                      KeyOf(best->back(), i.dst.dtype))) {
          best = &list;
        }
      }
      if (best == nullptr) break;
      for (uint32_t at = 0; at < 8; ++at) {
        const uint8_t bits = at < bytes ? 0 : At(plane, best->back() + at);
        pairs.push_back(unknown ? 0xff : bits);
      }
      best->pop_back();
      exhausted |= best->empty();
    }
    for (const uint8_t bits : pairs) At(plane, to++) = bits;
  }
}

void NaiveInit::Transpose(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  if (event.lanes->repeats == 0) return;
  std::vector<uint8_t> old(512);
  for (uint32_t at = 0; at < 512; ++at) {
    old[at] = At(plane, i.src0.address + at);
  }
  for (uint32_t row = 0; row < 16; ++row) {
    for (uint32_t column = 0; column < 16; ++column) {
      for (uint32_t byte = 0; byte < 2; ++byte) {
        At(plane, i.dst.address + (column * 16 + row) * 2 + byte) =
            old[(row * 16 + column) * 2 + byte];
      }
    }
  }
}

void NaiveInit::TransposeLists(Plane& plane, const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const auto bytes = static_cast<uint32_t>(BytesOf(i.dst.dtype));
  const uint32_t row_bytes = bytes == 1 ? 16 : 32;
  const uint32_t columns = row_bytes / bytes;
  const uint64_t skip_to = i.repeat == 1 ? i.dst.repeat_stride * kBlock : 0;
  const uint64_t skip_from = i.repeat == 1 ? i.src0.repeat_stride * kBlock : 0;
  for (uint32_t repeat = 0; repeat < event.lanes->repeats; ++repeat) {
    std::vector<uint8_t> moved;
    for (uint32_t column = 0; column < columns; ++column) {
      for (uint32_t row = 0; row < 16; ++row) {
        const uint64_t from = Load<uint64_t>(i.lists.sources + row * 8) +
                              skip_from +
                              uint64_t{repeat} * i.src0.repeat_stride * kBlock +
                              (bytes == 1 && i.lists.source_high_half ? 16 : 0);
        for (uint32_t at = 0; at < bytes; ++at) {
          moved.push_back(At(plane, from + column * bytes + at));
        }
      }
    }
    for (uint32_t row = 0; row < 16; ++row) {
      const uint64_t to =
          Load<uint64_t>(i.lists.destinations + row * 8) + skip_to +
          uint64_t{repeat} * i.dst.repeat_stride * kBlock +
          (bytes == 1 && i.lists.destination_high_half ? 16 : 0);
      for (uint32_t at = 0; at < row_bytes; ++at) {
        At(plane, to + at) = moved[row * row_bytes + at];
      }
    }
  }
}

void NaiveInit::Transfer(const InstructionEvent& event) {
  const abi::Instruction& i = event.instruction;
  const abi::Transfer& t = i.transfer;
  const npu::VectorState& state = event.core.vector;
  const bool pad = i.op == Op::kDataCopyPad;
  const bool to_global = i.dst.memory == abi::Memory::kGm;
  const bool from_global = i.src0.memory == abi::Memory::kGm;
  const uint64_t element = std::max<uint64_t>(BytesOf(i.dst.dtype, 2) / 2, 1);
  const auto up = [](uint64_t bytes) { return (bytes + 31) / 32 * 32; };
  uint64_t from = i.src0.address;
  uint64_t to = i.dst.address;
  const npu::GlobalMemory::Allocation* allocation =
      to_global ? chip_.global().Find(to) : nullptr;
  bool stores_undefined = false;
  bool stores_stale = false;
  for (uint32_t block = 0; block < t.block_count; ++block) {
    if (to_global && state.atomic != abi::Atomic::kNone) {
      const uint64_t size = BytesOf(state.atomic_dtype);
      for (uint64_t at = 0; at + size <= t.block_bytes; at += size) {
        for (uint64_t b = at; b < at + size; ++b) {
          if (to + b >= allocation->base + allocation->bytes) continue;
          if (At(undefined_, from + b)) stores_undefined = true;
          if (At(undefined_, to + b)) Found(undefined_, "BLY-I107", i.pc);
          if (At(stale_, from + b) == 0xff && !At(undefined_, from + b)) {
            stores_stale = true;
          }
        }
        Put(undefined_, to + at, static_cast<uint32_t>(size), false);
      }
    } else if (to_global) {
      for (uint64_t b = 0; b < t.block_bytes; ++b) {
        const uint8_t bits = At(undefined_, from + b);
        const bool own = to + b < allocation->base + allocation->bytes;
        if (own && bits == 0xff) stores_undefined = true;
        if (own && bits == 0 && At(stale_, from + b) == 0xff) {
          stores_stale = true;
        }
        At(undefined_, to + b) = own && bits == 0xff ? 0 : bits;
      }
    } else {
      const bool asked = t.left_padding != 0 || t.right_padding != 0;
      const uint64_t left = pad ? t.left_padding * element : 0;
      const uint64_t right = pad ? t.right_padding * element : 0;
      const uint64_t whole = up(left + t.block_bytes + right);
      const uint64_t end = pad ? whole : t.block_bytes;
      for (Plane* plane : {&undefined_, &stale_}) {
        std::vector<uint8_t> data;
        for (uint64_t b = 0; b < t.block_bytes; ++b) {
          data.push_back(At(*plane, from + b));
        }
        for (uint64_t b = 0; b < t.block_bytes; ++b) {
          At(*plane, to + left + b) = data[b];
        }
        // What the padding is made of.
        std::vector<uint8_t> first;
        for (uint64_t b = 0; b < element; ++b) {
          first.push_back(At(*plane, to + b));
        }
        for (uint64_t b = 0; b < end; ++b) {
          if (b >= left && b < left + t.block_bytes) continue;
          uint8_t bits = 0;
          if (!state.pad_value_set && !asked) {
            bits = plane == &stale_
                       ? 0xff
                       : first[(b - left - t.block_bytes) % element];
          } else if (!state.pad_value_set && !t.is_pad) {
            bits = plane == &undefined_ ? 0xff : 0;
          }
          At(*plane, to + b) = bits;
        }
      }
    }
    from += (pad && !from_global ? up(t.block_bytes) : t.block_bytes) +
            t.source_gap;
    to +=
        (pad && !to_global
             ? up(t.block_bytes + (t.left_padding + t.right_padding) * element)
             : t.block_bytes) +
        t.destination_gap;
  }
  if (stores_undefined) {
    Found(undefined_, "BLY-I101", i.pc);
  } else if (stores_stale) {
    Found(undefined_, "BLY-I108", i.pc);
  }
}

}  // namespace belay::check
