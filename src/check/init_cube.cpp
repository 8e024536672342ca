// SPDX-License-Identifier: Apache-2.0
#include "check/init_cube.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "base/dtype.h"
#include "check/init_lanes.h"
#include "npu/cube/cube.h"
#include "npu/cube/fixpipe.h"
#include "npu/cube/footprint.h"
#include "npu/cube/mmad.h"
#include "npu/cube/quantise.h"
#include "npu/names.h"
#include "npu/transfer.h"

namespace belay::check {
namespace {

using npu::Family;

ShadowMap& MapOf(const CubeShadow& shadow, abi::Memory memory) {
  return memory == abi::Memory::kGm ? shadow.global : shadow.on_chip;
}

uint64_t EndOf(const npu::FootprintUse& use) {
  uint64_t end = use.address;
  npu::ForEachRange(use,
                    [&](uint64_t, uint64_t to) { end = std::max(end, to); });
  return end;
}

bool IsClear(const CubeShadow& shadow, const npu::FootprintUse& use) {
  bool clear = true;
  const ShadowMap& map = MapOf(shadow, use.memory);
  npu::ForEachRange(use, [&](uint64_t begin, uint64_t end) {
    clear = clear && map.IsClear(begin, end - begin);
  });
  return clear;
}

void Clear(const CubeShadow& shadow, const npu::FootprintUse& use) {
  ShadowMap& map = MapOf(shadow, use.memory);
  npu::ForEachRange(use, [&](uint64_t begin, uint64_t end) {
    map.Clear(begin, end - begin);
  });
}

// The chip's own code moves the shadow as it moves the data.
void MoveShadow(const npu::Footprint& footprint, abi::Instruction moved,
                const CubeShadow& shadow) {
  for (const npu::FootprintUse& use : footprint) {
    MapOf(shadow, use.memory).Read(use.address, EndOf(use) - use.address);
  }
  const auto place = [&](abi::Operand& operand) {
    operand.address = reinterpret_cast<uint64_t>(
        MapOf(shadow, operand.memory).ShadowOf(operand.address));
  };
  place(moved.dst);
  moved.scalar = 0;
  switch (npu::FamilyOf(moved.op)) {
    case Family::kLoad2D:
      place(moved.src0);
      npu::ExecuteLoad2D(moved);
      break;
    case Family::kLoad3D:
      place(moved.src0);
      npu::ExecuteLoad3D(moved, reinterpret_cast<uint64_t>(
                                    shadow.on_chip.ShadowOf(shadow.l1)));
      break;
    case Family::kNd2Nz:
      place(moved.src0);
      npu::ExecuteNd2Nz(moved);
      break;
    default:
      npu::ExecuteFill(moved);
      break;
  }
  for (const npu::FootprintUse& use : footprint) {
    MapOf(shadow, use.memory).Settle(use.address, EndOf(use) - use.address);
  }
}

// Whether any of `k` elements is undefined that lie in fractals' rows `step`
// bytes apart.
bool AnyInRow(const uint8_t* row, uint64_t step, uint64_t bytes) {
  for (; bytes > 0; row += step) {
    const auto part =
        static_cast<uint32_t>(std::min<uint64_t>(bytes, npu::kFractalRowBytes));
    if (AnySet(row, part)) return true;
    bytes -= part;
  }
  return false;
}

struct MmadLines {
  std::vector<bool> rows;     // of A
  std::vector<bool> columns;  // of B, and of the bias
};

MmadLines UndefinedLines(const abi::Instruction& mmad,
                         const CubeShadow& shadow) {
  const npu::MmadShape shape = npu::MmadShapeOf(mmad);
  const auto bytes_of = [&](uint64_t elements) {
    return (elements * BitsOf(mmad.src0.dtype) + 7) / 8;
  };
  const uint8_t* left =
      shadow.on_chip.Read(mmad.src0.address, bytes_of(shape.left_elements));
  const uint8_t* right =
      shadow.on_chip.Read(mmad.src1.address, bytes_of(shape.right_elements));
  MmadLines lines{std::vector<bool>(shape.m), std::vector<bool>(shape.n)};
  for (uint64_t row = 0; row < shape.m; ++row) {
    if (shape.gemv) {
      lines.rows[row] = AnySet(left, static_cast<uint32_t>(bytes_of(shape.k)));
      continue;
    }
    const uint64_t at =
        row / npu::kFractalRows * shape.left_fractals * npu::kFractalBytes +
        row % npu::kFractalRows * npu::kFractalRowBytes;
    lines.rows[row] =
        AnyInRow(left + at, npu::kFractalBytes, bytes_of(shape.k));
  }
  const bool sparse = mmad.op == abi::Op::kMmadSparse;
  const uint64_t depth = sparse ? (shape.k + 1) / 2 : shape.k;
  const uint8_t* bias =
      mmad.mmad.init == abi::MmadInit::kBias
          ? shadow.on_chip.Read(mmad.src2.address, shape.n * sizeof(float))
          : nullptr;
  for (uint64_t n = 0; n < shape.n; ++n) {
    const uint64_t at = n / npu::kFractalRows * npu::kFractalBytes +
                        n % npu::kFractalRows * npu::kFractalRowBytes;
    lines.columns[n] =
        AnyInRow(right + at, shape.n_blocks * npu::kFractalBytes,
                 bytes_of(depth)) ||
        (bias != nullptr && AnySet(bias + n * sizeof(float), sizeof(float)));
  }
  return lines;
}

void PropagateMmad(const abi::Instruction& mmad, const CubeShadow& shadow) {
  const npu::MmadShape shape = npu::MmadShapeOf(mmad);
  const bool accumulates = mmad.mmad.init == abi::MmadInit::kAccumulate;
  const MmadLines lines = UndefinedLines(mmad, shadow);
  uint64_t at = mmad.dst.address;
  const uint64_t bytes = shape.m * npu::kResultRowBytes;
  for (uint64_t block = 0; block < shape.n_blocks; ++block) {
    uint8_t* bits = shadow.on_chip.Write(at, bytes);
    for (uint64_t m = 0; m < shape.m; ++m) {
      for (uint64_t i = 0; i < npu::kResultSide; ++i) {
        const uint64_t n = block * npu::kResultSide + i;
        uint8_t* element = bits + m * npu::kResultRowBytes + i * sizeof(float);
        const bool old = accumulates && AnySet(element, sizeof(float));
        const bool made = n < shape.n && (lines.rows[m] || lines.columns[n]);
        std::memset(element, old || made ? 0xff : 0, sizeof(float));
      }
    }
    shadow.on_chip.Settle(at, bytes);
    at += shape.m_blocks * npu::kResultBytes;
  }
}

StoreFaults PropagateFixpipe(const npu::InstructionEvent& event,
                             const CubeShadow& shadow) {
  const abi::Instruction& fixpipe = event.instruction;
  const bool to_global = fixpipe.dst.memory == abi::Memory::kGm;
  const bool atomic =
      to_global && event.core.vector.atomic != abi::Atomic::kNone;
  const bool vector = npu::TakesVector(fixpipe.fixpipe.quant);
  const uint64_t bytes = BytesOf(fixpipe.dst.dtype);
  ShadowMap& destination = MapOf(shadow, fixpipe.dst.memory);
  StoreFaults faults;
  npu::ForEachPiece(fixpipe, [&](const npu::FixpipePiece& piece) {
    const uint64_t from = fixpipe.src0.address + piece.source;
    const uint64_t to = fixpipe.dst.address + piece.destination;
    const uint64_t parameters =
        fixpipe.src1.address + piece.column * sizeof(uint64_t);
    const uint64_t length = piece.elements * bytes;
    if (atomic && !destination.IsClear(to, length)) {
      faults.accumulated.Note(destination.FirstSet(to, length));
    }
    const bool parameters_clear =
        !vector ||
        shadow.on_chip.IsClear(parameters, piece.elements * sizeof(uint64_t));
    if (parameters_clear &&
        shadow.on_chip.IsClear(from, piece.elements * sizeof(float))) {
      destination.Clear(to, length);
      return;
    }
    const uint8_t* bits =
        shadow.on_chip.Read(from, piece.elements * sizeof(float));
    uint8_t* written = destination.Write(to, length);
    for (uint32_t i = 0; i < piece.elements; ++i) {
      const bool undefined =
          AnySet(bits + i * sizeof(float), sizeof(float)) ||
          !(parameters_clear ||
            shadow.on_chip.IsClear(parameters + i * sizeof(uint64_t),
                                   sizeof(uint64_t)));
      if (undefined && to_global) {
        faults.stored.Note(from + i * sizeof(float), bytes);
      }
      std::memset(written + i * bytes, undefined && !to_global ? 0xff : 0,
                  bytes);
    }
    destination.Settle(to, length);
  });
  return faults;
}

void PropagateWidening(const abi::Instruction& move, const CubeShadow& shadow) {
  const npu::TransferSide reads = npu::SourceOf(move);
  const npu::TransferSide writes = npu::DestinationOf(move);
  for (uint64_t block = 0; block < reads.blocks; ++block) {
    const uint64_t from = move.src0.address + block * reads.step;
    const uint64_t to = move.dst.address + block * writes.step;
    const uint8_t* bits = shadow.on_chip.Read(from, reads.block);
    uint8_t* written = shadow.on_chip.Write(to, writes.block);
    for (uint64_t i = 0; i < reads.block; i += 2) {
      std::memset(written + i * 2, AnySet(bits + i, 2) ? 0xff : 0, 4);
    }
    shadow.on_chip.Settle(to, writes.block);
  }
}

}  // namespace

uint64_t FindUndefinedSource(const npu::InstructionEvent& event,
                             const CubeShadow& shadow) {
  for (const npu::FootprintUse& use : npu::FootprintOf(event)) {
    if (!use.reads()) continue;
    const ShadowMap& map = MapOf(shadow, use.memory);
    uint64_t found = 0;
    npu::ForEachRange(use, [&](uint64_t begin, uint64_t end) {
      if (found != 0) return;
      const uint64_t first = map.FirstSet(begin, end - begin);
      if (first != end) found = first;
    });
    if (found != 0) return found;
  }
  return 0;
}

StoreFaults PropagateCube(const npu::InstructionEvent& event,
                          const CubeShadow& shadow) {
  const abi::Instruction& instruction = event.instruction;
  const Family family = npu::FamilyOf(instruction.op);
  if (family == Family::kTransfer) {
    PropagateWidening(instruction, shadow);
    return {};
  }
  const npu::Footprint footprint = npu::FootprintOf(event);
  bool clear = true;
  for (const npu::FootprintUse& use : footprint) {
    if (use.reads()) clear = clear && IsClear(shadow, use);
  }
  if (clear) {
    for (const npu::FootprintUse& use : footprint) {
      if (use.writes()) Clear(shadow, use);
    }
    return {};
  }
  if (family == Family::kFixpipe) return PropagateFixpipe(event, shadow);
  if (family == Family::kMmad) {
    PropagateMmad(instruction, shadow);
  } else {
    MoveShadow(footprint, instruction, shadow);
  }
  return {};
}

}  // namespace belay::check
