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

// AscendC's QuantMode_t on this chip, by our own values. A V in front: one
// parameter for each column, from the fixpipe buffer.
enum class Quant : uint8_t {
  kNone,
  kF322F16,
  kF322BF16,
  kDeqF16,
  kVDeqF16,
  kQF322B8,
  kVQF322B8,
  kReq8,
  kVReq8,
};

// What Mmad adds the product to.
enum class MmadInit : uint8_t { kZero, kAccumulate, kBias };

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

// `repeat` fractals (LoadData2D, LoadDataSparse) or squares of fractals
// (LoadDataTranspose). Start and stride count those in the source; gaps count
// 512 bytes at the destination, from the end of a repeat's first fractal to the
// start of the next repeat's, and between the fractals of a square.
// LoadDataSparse takes start and repeat only, and for each fractal 128 bytes of
// indices from src1.
struct Load2D {
  uint32_t start;
  uint32_t repeat;
  uint32_t source_stride;
  uint32_t destination_gap;
  uint32_t fractal_gap;  // LoadDataTranspose of other than 16-bit elements
  uint8_t transpose;     // LoadData2D: each fractal
  uint8_t descending;    // the source's index goes down
};

// The feature map in L1, NC1HWC0, and its padding in elements.
struct Fmatrix {
  uint16_t height;
  uint16_t width;
  uint8_t pad_left;
  uint8_t pad_right;
  uint8_t pad_top;
  uint8_t pad_bottom;
};

// How often LoadData3D repeats, along m (16 rows a stride) or, with along_k,
// along k (32 bytes a stride).
struct LoadRepeat {
  uint16_t stride;
  uint8_t times;
  uint8_t along_k;
};

// LoadData3D: rows m_start to m_start + m_extension and columns k_start to
// k_start + k_extension, in elements, of the im2col matrix. Filters of 256 and
// more are given as such.
struct Load3D {
  uint16_t channels;
  uint16_t k_extension;
  uint16_t m_extension;
  uint16_t k_start;
  uint16_t m_start;
  uint16_t filter_width;
  uint16_t filter_height;
  uint8_t stride_width;
  uint8_t stride_height;
  uint8_t dilation_width;
  uint8_t dilation_height;
  uint8_t transpose;  // to L0A; to L0B it always transposes
  // Set by the chip from its registers; the padding value in `scalar`.
  Fmatrix fmatrix;
  LoadRepeat repeat;
  uint32_t boundary;  // bytes of L1 after which reads start over; 0: none
};

// `matrices` of `rows` × `columns` elements. Strides of the source and between
// matrices count elements, those inside a destination matrix 32 bytes. int4
// counts as pairs: the dtype is then int8.
struct Nd2Nz {
  uint32_t matrices;
  uint32_t rows;
  uint32_t columns;
  uint32_t source_matrix_stride;
  uint32_t source_row_stride;
  uint32_t column_block_stride;  // between columns of 32 bytes: dstNzC0Stride
  uint32_t row_stride;           // dstNzNStride
  uint32_t destination_matrix_stride;
};

// `blocks` blocks `repeat` times: of 32 bytes in L1, of 512 in L0A and L0B.
struct Fill {
  uint32_t repeat;
  uint32_t blocks;
  uint32_t gap;  // in blocks, from the end of a repeat to the next
};

// In elements. unit_flag: 0, 2 (hold) or 3 (hand over to Fixpipe).
struct Mmad {
  uint16_t m;
  uint16_t n;
  uint16_t k;
  MmadInit init;
  uint8_t unit_flag;
  uint8_t k_align_16;  // float only: A and B lie in steps of 16 along k
};

// `n` columns and `m` rows of L0C. source_stride: between column blocks of
// L0C, in 16 elements. destination_stride: with nz2nd between rows, in
// elements; else between column blocks, in 32 bytes.
struct Fixpipe {
  uint32_t n;
  uint32_t m;
  uint32_t source_stride;
  uint32_t destination_stride;
  Quant quant;
  uint8_t relu;
  uint8_t unit_flag;
  uint8_t channel_split;
  uint8_t nz2nd;
  // Set by the chip from its registers; the parameter of Quant in `scalar`, or
  // for the V modes src1, in the fixpipe buffer.
  uint16_t matrices;
  uint16_t source_matrix_stride;       // in 1024 bytes
  uint32_t destination_matrix_stride;  // in elements
};

// SetFixpipeNz2ndFlag, in the units of Fixpipe.
struct Nz2Nd {
  uint16_t matrices;
  uint16_t source_matrix_stride;
  uint32_t destination_matrix_stride;
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
//   Transfer        dst, src0, transfer. To the bias table (BT) from half to
//                   float: block_bytes counts the source
//   Load2D          dst, src0, load2d; LoadDataSparse: src1 (indices, uint8)
//   Load3D          dst, src0, load3d
//   Nd2Nz           dst, src0, nd2nz
//   Fill            dst, fill, scalar (bits of one element)
//   Mmad            dst, src0 (A), src1 (B), src2 (BT) where init is kBias;
//                   mmad
//   Fixpipe         dst, src0, fixpipe
//   CubeRegister    SetFixpipeConfig: src1 (FB: parameters of the V modes;
//                   dtype kNone to leave them), mode = 1 to clear all unit
//                   flags; SetFixpipeNz2ndFlag: nz2nd; SetFmatrix: fmatrix;
//                   SetFixpipePreQuantFlag, SetLoadDataBoundary,
//                   SetLoadDataPaddingValue: scalar (bits); SetLoadDataRepeat:
//                   load_repeat; SetHF32Mode: mode = 1 for on;
//                   SetHF32TransMode: mode = 1 for ties towards zero, 0 for
//                   ties to even; SetMMLayoutTransform: mode = 1 for along n
//                   first, 0 for along m
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
    Load2D load2d;
    Load3D load3d;
    Nd2Nz nd2nz;
    Fill fill;
    Mmad mmad;
    Fixpipe fixpipe;
    Fmatrix fmatrix;
    LoadRepeat load_repeat;
    Nz2Nd nz2nd;
    Cache cache;
    Sync sync;
    Queue queue;
  };
  uint64_t pc;  // set by the chip: where guest code issued it
};

}  // namespace belay::abi

#endif  // BELAY_INSTRUCTION_H_
