// SPDX-License-Identifier: Apache-2.0
// From L0C to global memory: conversion, format and atomics.

#include <fmt/format.h>

#include "runtime/matmul/product.h"

namespace belay::runtime::matmul {

using abi::DType;
using abi::MatmulFormat;
using abi::MatmulQuant;
using abi::Memory;
using abi::Op;
using abi::Pipe;
using abi::Quant;

Quant Product::QuantOf() const {
  const bool integers =
      left_.dtype() == DType::kInt8 || left_.dtype() == DType::kInt4;
  const bool by_column = state_.job.quant_kind == MatmulQuant::kVector;
  switch (state_.spec->c.dtype) {
    case DType::kHalf:
      if (!integers) return Quant::kF322F16;
      return by_column ? Quant::kVDeqF16 : Quant::kDeqF16;
    case DType::kBfloat16:
      return Quant::kF322BF16;
    case DType::kInt8:
    case DType::kUint8:
      if (integers) return by_column ? Quant::kVReq8 : Quant::kReq8;
      return by_column ? Quant::kVQF322B8 : Quant::kQF322B8;
    default:
      return Quant::kNone;
  }
}

// Parameters of the block's columns to the fixpipe buffer.
void Product::LoadQuant(const ResultBlock& block) {
  abi::Operand from = state_.job.quant;
  from.address += static_cast<uint64_t>(block.n0) * 8;
  const auto bytes = static_cast<uint64_t>(AlignUp(block.n * 8, 128));
  abi::Operand in_l1 = from;
  if (from.memory != Memory::kL1) {
    in_l1 = instructions_.Place(Memory::kL1, state_.l1_quant, bytes,
                                DType::kUint64);
    instructions_.Order(Pipe::kFix, Pipe::kMte2);
    LoadElements(instructions_, in_l1, from, block.n);
    instructions_.Order(Pipe::kMte2, Pipe::kFix);
  }
  const abi::Operand in_buffer =
      instructions_.Place(Memory::kFb, instructions_.MemoryBase(Memory::kFb),
                          bytes, DType::kUint64);
  instructions_.Copy(in_buffer, in_l1, bytes);
  abi::Instruction config{};
  config.op = Op::kSetFixpipeConfig;
  config.src1 = in_buffer;
  instructions_.Issue(config);
  instructions_.Barrier(Pipe::kFix);
}

void Product::Store(const ResultBlock& block, uint8_t buffer,
                    const Target& target, bool sequential) {
  const abi::MatmulMatrix& type = state_.spec->c;
  const DType dtype = type.dtype;
  abi::Operand place = target.place;
  place.dtype = dtype;
  const bool is_nz = type.format == MatmulFormat::kNz;
  const int32_t column = state_.spec->channel_split != 0 ? 8
                         : BitsOf(dtype) == 8            ? 32
                                                         : 16;
  const auto move = [&](int64_t elements) {
    place.address += static_cast<uint64_t>(elements * BitsOf(dtype) / 8);
  };
  if (!sequential) {
    move(is_nz ? block.n0 / column * target.row_length * column +
                     int64_t{block.m0} * column
               : block.m0 * target.row_length + block.n0);
  }
  const Quant quant = QuantOf();
  const bool by_column = quant == Quant::kVDeqF16 || quant == Quant::kVReq8 ||
                         quant == Quant::kVQF322B8;
  instructions_.Order(Pipe::kM, Pipe::kFix);
  if (by_column) {
    LoadQuant(block);
  } else if (state_.job.quant_kind == MatmulQuant::kScalar) {
    instructions_.SetRegister(Op::kSetFixpipePreQuantFlag,
                              state_.job.quant_scalar);
  }
  if (target.atomic != abi::Atomic::kNone) {
    instructions_.SetAtomic(target.atomic, dtype);
  }
  const abi::Operand l0c = L0c(buffer);
  if (state_.callbacks.copy_out != nullptr) {
    abi::MatmulCopyOut params{};
    params.column_blocks = static_cast<uint16_t>(CeilDivide(block.n, 16));
    params.block_length = static_cast<uint16_t>(block.m * 2);
    params.source_stride =
        static_cast<uint16_t>((AlignUp(block.m, 16) - block.m) * 2);
    params.destination_stride = static_cast<uint32_t>(target.row_length);
    params.columns = static_cast<uint16_t>(block.n);
    params.quant_scalar = state_.job.quant_scalar;
    params.quant_vector = state_.l1_quant;
    state_.callbacks.copy_out(place.address, &l0c, &params,
                              state_.job.user_info, state_.job.self_data);
  } else {
    abi::Instruction fixpipe{};
    if (!is_nz) {
      fixpipe.op = Op::kSetFixpipeNz2ndFlag;
      fixpipe.nz2nd.matrices = 1;
      instructions_.Issue(fixpipe);
      fixpipe = {};
    }
    fixpipe.op = Op::kFixpipe;
    fixpipe.dst = place;
    fixpipe.src0 = l0c;
    fixpipe.fixpipe.m = static_cast<uint32_t>(block.m);
    fixpipe.fixpipe.n = static_cast<uint32_t>(block.n);
    fixpipe.fixpipe.source_stride = static_cast<uint32_t>(AlignUp(block.m, 16));
    fixpipe.fixpipe.destination_stride = static_cast<uint32_t>(
        is_nz ? target.row_length * column * BitsOf(dtype) / 256
              : target.row_length);
    fixpipe.fixpipe.quant = quant;
    fixpipe.fixpipe.channel_split = state_.spec->channel_split;
    fixpipe.fixpipe.nz2nd = is_nz ? 0 : 1;
    instructions_.Issue(fixpipe);
  }
  if (target.atomic != abi::Atomic::kNone) {
    instructions_.SetAtomic(abi::Atomic::kNone, dtype);
  }
  abi::MatmulFlag& free = state_.l0c_free[buffer];
  instructions_.Await(free, Pipe::kFix, Pipe::kM);
  instructions_.Raise(free, Pipe::kFix, Pipe::kM);
}

}  // namespace belay::runtime::matmul
