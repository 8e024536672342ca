// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_INSTRUCTION_H_
#define BELAY_INSTRUCTION_H_

// An instruction as a value: what the headers a kernel includes hand to the
// simulated chip. Plain data, shared by both sides, no dependencies.

#include <stdint.h>

namespace belay::abi {

enum class DType : uint8_t {
  kNone,
  kBool,
  kInt4,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kHalf,
  kBfloat16,
  kInt32,
  kUint32,
  kFloat,
  kInt64,
  kUint64,
  kDouble,
  kComplex64,
};

enum class Op : uint16_t {
  kInvalid,
#define BELAY_OPERATION(name, family) k##name,
#include "belay/operations.def"
#undef BELAY_OPERATION
  kCount,
};

enum class Pipe : uint8_t { kS, kV, kM, kMte1, kMte2, kMte3, kFix, kAll };

// The physical memories.
enum class Memory : uint8_t { kGm, kUb, kL1, kL0a, kL0b, kL0c, kBt, kFb };

// How the lanes a vector instruction works on are given.
enum class Form : uint8_t {
  kCount,       // the first `count` elements, contiguous
  kContinuous,  // the first `count` lanes of each repeat
  kBitwise,     // the lanes set in `mask` of each repeat
  kRegister,    // as the mask register and mode say
};

// AscendC's RoundMode, by its values.
enum class Round : uint8_t {
  kNone,
  kRint,
  kFloor,
  kCeil,
  kRound,
  kTrunc,
  kOdd,
};

// AscendC's CMPMODE, by its values.
enum class Compare : uint8_t { kLt, kGt, kEq, kLe, kGe, kNe };

// AscendC's SELMODE, by its values.
enum class Select : uint8_t {
  kCmpMaskRegister,  // VSEL_CMPMASK_SPR
  kTensorScalar,     // VSEL_TENSOR_SCALAR_MODE
  kTensorTensor,     // VSEL_TENSOR_TENSOR_MODE
};

// AscendC's ReduceOrder, by its values.
enum class ReduceOrder : uint8_t {
  kValueIndex,
  kIndexValue,
  kOnlyValue,
  kOnlyIndex,
};

// Registers a kernel can read.
enum class Register : uint32_t {
  kControl,       // CTRL
  kReducedSum,    // of the last ReduceSum, bits of the element type
  kReducedValue,  // of the last WholeReduceMax/Min or ReduceMax/Min
  kReducedIndex,
  kGathered,      // elements the last GatherMask kept
  kMerged,        // pairs the last MrgSort took from each list, 16 bits each
  kAtomic,        // Atomic of the last SetAtomic, its DType 8 bits higher
};

enum class Atomic : uint8_t { kNone, kAdd, kMax, kMin };

// One tensor operand. `address` is where its element 0 lies. Strides count
// 32-byte blocks: between the eight blocks of a repeat, and between repeats.
// (ReduceParts: dst.repeat_stride counts results.)
// `buffer` and `buffer_bytes` say what the tensor may touch: the buffer it was
// taken from, or the size it was declared with. 0 bytes: not known.
// `raw`: given by an address instead of a tensor, so that compiler auto-sync
// does not order the call.
// `past_l2`: global memory that is read (bit 0), written (bit 1) without being
// kept in the L2 cache.
struct Operand {
  uint64_t address;
  uint32_t block_stride;
  uint32_t repeat_stride;
  DType dtype;
  Memory memory;
  bool raw = false;
  uint8_t past_l2 = 0;
  uint64_t buffer = 0;
  uint64_t buffer_bytes = 0;
};

// A strided move: `block_count` blocks of `block_bytes`. Gaps count bytes
// between the end of one block and the start of the next. DataCopyPad rounds
// each block up to 32 bytes on the on-chip side, padding (in elements)
// included; the gap there starts behind the rounded block.
struct Transfer {
  uint32_t block_count;
  uint32_t block_bytes;
  int64_t source_gap;
  int64_t destination_gap;
  uint8_t is_pad;  // pad with padding_value
  uint8_t left_padding;
  uint8_t right_padding;
  uint64_t padding_value;  // bits of one element
};

// MrgSort: up to four sorted lists of (value, index) pairs, `count` pairs each,
// those with their bit in `valid` taking part.
struct Merge {
  uint64_t list[4];
  uint32_t count[4];
  uint8_t valid;
  uint8_t stop_when_exhausted;
};

// TransDataTo5HD: two arrays of 16 addresses each, in the guest's memory.
// For 8-bit elements, which half of each 32-byte row is meant.
struct TransposeLists {
  uint64_t destinations;
  uint64_t sources;
  uint8_t destination_high_half;
  uint8_t source_high_half;
};

// GatherMask: a built-in pattern (1 to 7) or, with 0, the bits of src1.
struct GatherMaskParams {
  uint8_t pattern;
  uint8_t by_mask;       // `count` lanes of each repeat count, else all
  uint32_t src1_repeat_stride;
};

// Lines of the data cache: all of it, or the one that holds `address`.
struct Cache {
  uint64_t address;
  uint8_t entire;
};

// A flag from one pipe to another, a barrier, or a meeting of all blocks.
struct Sync {
  Pipe from;
  Pipe to;
  uint32_t id;
  uint32_t block;  // IbSet: the block that sets; IbWait: the one waited for
};

// A queue's buffer changing hands. `queue` is the guest's queue object.
// ResetBuffers: `bytes` from `address` on, 0 for all memories.
struct Queue {
  uint64_t queue;
  uint64_t address;
  uint64_t bytes;
  uint32_t index;
};

// Which fields count, by family:
//   Unary, Cast     dst, src0; CastDequant: mode bit 0 for the second half of
//                   each block of 8-bit results, bit 1 for scales from UB
//   Binary          dst, src0, src1
//   Fused           dst, src0, src1
//   Scalar          dst, src0, scalar (bits in src0.dtype)
//   Compare         dst (bits), src0, src1 or scalar, mode = Compare
//   CmpMask         GetCmpMask: dst; SetCmpMask: src0 (16 bytes each)
//   Select          dst, src0, src1 or scalar, src2 (bits), mode = Select
//   Reduce          dst, src0, src1 (work buffer), mode = 1 to want the index
//   ReduceParts     dst, src0, mode = ReduceOrder
//   Duplicate       dst, scalar
//   Index           dst, scalar (first value, bits in dst.dtype)
//   Copy            dst, src0
//   Gather          dst, src0 (table), src1 (byte offsets), scalar (base)
//   Gatherb         dst, src0 (table), src1 (byte offsets of 32-byte blocks)
//   GatherMask      dst, src0, src1 (bits) or a pattern, count, gather_mask;
//                   scalar afterwards: elements kept
//   Brcb            dst, src0
//   Sort            dst (pairs), src0 (values), src1 (uint32 indices), repeat
//   Merge           dst (pairs), merge, repeat
//   Transpose       dst, src0 (16 × 16)
//   TransposeLists  lists, repeat; dst and src0: dtype and repeat_stride
//   Register        SetVectorMask: mask; SetAtomic: dst.dtype, mode = Atomic;
//                   SetDeqScale: scalar (float bits, or the 64-bit register
//                   value with mode = 1); SetPadValue: scalar (bits);
//                   SetCtrl: scalar (the whole register)
//   Transfer        dst, src0, transfer
//   Cache           cache
//   Sync            sync; between blocks: dst (the workspace in GM); flags and
//                   PipeBarrier: mode = 1 when a queue or the pipe issued it
struct Instruction {
  Op op;
  Form form;
  uint8_t mode;  // Round, Compare, Select, ReduceOrder or Atomic, by op
  uint32_t repeat;
  uint64_t count;
  uint64_t mask[2];
  uint64_t scalar;  // bits, in the low bytes
  Operand dst;
  Operand src0;
  Operand src1;
  Operand src2;
  union {
    Transfer transfer;
    Merge merge;
    TransposeLists lists;
    GatherMaskParams gather_mask;
    Cache cache;
    Sync sync;
    Queue queue;
  };
  uint64_t pc;  // set by the chip: where guest code issued it
};

}  // namespace belay::abi

#endif  // BELAY_INSTRUCTION_H_
