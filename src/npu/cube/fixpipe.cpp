// SPDX-License-Identifier: Apache-2.0
#include "npu/cube/fixpipe.h"

#include <cstring>

#include "npu/cube/cube.h"
#include "npu/cube/quantise.h"
#include "npu/transfer.h"

namespace belay::npu {
namespace {

// One piece, converted.
void Convert(const abi::Instruction& instruction, bool saturate,
             const FixpipePiece& piece, const std::byte* from, std::byte* to) {
  const abi::Fixpipe& fixpipe = instruction.fixpipe;
  const uint64_t bytes = BytesOf(instruction.dst.dtype);
  const bool vector = TakesVector(fixpipe.quant);
  const auto* parameters =
      reinterpret_cast<const std::byte*>(instruction.src1.address);
  for (uint32_t i = 0; i < piece.elements; ++i) {
    uint64_t parameter = instruction.scalar;
    if (vector) {
      std::memcpy(&parameter,
                  parameters + (piece.column + i) * sizeof(uint64_t),
                  sizeof parameter);
    }
    uint32_t bits;
    std::memcpy(&bits, from + i * sizeof bits, sizeof bits);
    const uint32_t result =
        Quantise(fixpipe.quant, instruction.src0.dtype, fixpipe.relu != 0,
                 saturate, parameter, bits);
    std::memcpy(to + i * bytes, &result, bytes);
  }
}

}  // namespace

void ExecuteFixpipe(const abi::Instruction& instruction,
                    const VectorState& state) {
  const abi::Fixpipe& fixpipe = instruction.fixpipe;
  const auto* from =
      reinterpret_cast<const std::byte*>(instruction.src0.address);
  auto* to = reinterpret_cast<std::byte*>(instruction.dst.address);
  const uint64_t bytes = BytesOf(instruction.dst.dtype);
  const bool atomic = state.atomic != abi::Atomic::kNone &&
                      instruction.dst.memory == abi::Memory::kGm;
  const bool plain =
      fixpipe.quant == abi::Quant::kNone && fixpipe.relu == 0 && !atomic;
  ForEachPiece(instruction, [&](const FixpipePiece& piece) {
    std::byte* target = to + piece.destination;
    const std::byte* source = from + piece.source;
    if (plain) {
      std::memcpy(target, source, piece.elements * bytes);
      return;
    }
    std::byte converted[kResultRowBytes];
    Convert(instruction, state.saturate, piece, source,
            atomic ? converted : target);
    if (atomic) {
      AccumulateInto(state.atomic, state.atomic_dtype, target, converted,
                     piece.elements * bytes);
    }
  });
}

}  // namespace belay::npu
