// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_MATMUL_H_
#define BELAY_MATMUL_H_

// What a kernel's Matmul objects and the library share: how the product is
// declared, what it is asked to compute, and the state the library keeps
// inside the kernel's object.

#include "ascendc/matmul/cube_tiling.h"
#include "belay/instruction.h"
#include "belay/queue.h"

namespace belay::abi {

// AscendC's CubeFormat, by its values.
enum class MatmulFormat : uint8_t {
  kNd,
  kNz,
  kZn,
  kZz,
  kNn,
  kNdAlign,
  kScalar,
  kVector,
  kRowMajor,
  kColumnMajor,
};

// AscendC's LayoutMode, by its values.
enum class MatmulBatchLayout : uint8_t {
  kNone,
  kBsngd,
  kSbngd,
  kBngs1s2,
  kNormal,
};

// Which blocks of C are computed.
enum class MatmulPart : uint8_t { kAll, kUpper, kLower };

// One matrix, as its MatmulType declares it.
struct MatmulMatrix {
  Position position;
  MatmulFormat format;
  MatmulBatchLayout layout;
  DType dtype;
  uint8_t ib_share;
};

// What a Matmul object's template arguments say.
struct MatmulSpec {
  MatmulMatrix a;
  MatmulMatrix b;
  MatmulMatrix c;
  MatmulMatrix bias;
  MatmulPart part;
  uint8_t sparse_b;         // B is dense halves of groups of four, with indices
  uint8_t whole_slabs;      // L1 is filled by slabs (MDL), else by base blocks
  uint8_t unit_flag;        // Mmad hands over to Fixpipe by unit flags
  uint8_t channel_split;    // NZ output in columns of 8 floats
  uint8_t partial_output;   // each step along k is a result of its own
  uint8_t reorder_k;        // cores start at different places along k
  uint8_t long_rows;        // rows above 65535 elements are moved one by one
  uint8_t bias_per_batch;   // Bias has a batch axis
  uint8_t dual_master;      // cube and vector cores both run the kernel's code
  uint8_t cube_only;        // compiled with ASCENDC_CUBE_ONLY
  uint8_t constant_tiling;  // the tiling is part of the type
};

// The kernel's own moves. Each is null, or a function of the kernel's module.
// Rows and columns count moved blocks, uses elements.
struct MatmulCallbacks {
  void (*copy_out)(uint64_t gm, const Operand* co1, const void* params,
                   uint64_t user_info, uint64_t self_data);
  void (*copy_a)(const Operand* l1, uint64_t gm, int32_t row, int32_t column,
                 int32_t use_rows, int32_t use_columns, uint64_t user_info,
                 uint64_t self_data);
  void (*copy_b)(const Operand* l1, uint64_t gm, int32_t row, int32_t column,
                 int32_t use_rows, int32_t use_columns, uint64_t user_info,
                 uint64_t self_data);
};

// What copy_out finds behind `params`: AscendC's DataCopyOutParams.
struct MatmulCopyOut {
  uint16_t column_blocks;       // of 16 elements
  uint16_t block_length;        // of one column block in L0C, in 32 bytes
  uint16_t source_stride;       // between them, in 32 bytes
  uint32_t destination_stride;  // between rows, in elements
  uint16_t columns;
  bool unit_flag;
  uint64_t quant_scalar;
  uint64_t quant_vector;  // in L1
};

enum class MatmulQuant : uint8_t { kNone, kScalar, kVector };

// What to multiply. Shapes in elements.
struct MatmulJob {
  Operand a;
  Operand b;
  Operand bias;
  Operand quant;
  Operand index;      // of a sparse B
  Operand workspace;  // for results nobody has fetched yet
  uint64_t a_scalar;  // bits of one element
  uint64_t b_scalar;
  uint64_t quant_scalar;
  uint64_t user_info;
  uint64_t self_data;
  int32_t org_m;
  int32_t org_n;
  int32_t org_ka;
  int32_t org_kb;
  int32_t org_kc;  // row length of C where it is not that of B; 0: it is
  int32_t c_rows;  // rows of an NZ C where they are not A's; 0: they are
  int32_t single_m;
  int32_t single_n;
  int32_t single_k;
  uint8_t transpose_a;
  uint8_t transpose_b;
  uint8_t has_bias;
  MatmulQuant quant_kind;
  uint8_t hf32;       // 0 off, 1 on
  uint8_t hf32_away;  // ties away from even
};

enum class MatmulCall : uint8_t {
  kIterate,        // one base block into L0C; without sync all of them, into
                   // the workspace
  kGet,            // the block computed last; without sync the next one
  kIterateAll,     // all blocks, each stored
  kIterateBatch,   // the same for a number of products
  kIterateNBatch,  // that a number of times, into the workspace
  kGetBatch,       // the next one's place in the workspace
  kWaitAll,        // for what was asked for without sync
  kWaitGet,        // for the copy that Get began
  kEnd,
  // Between cores only.
  kInit,      // another tiling
  kCopyToL1,  // DataCopy to L1 from a vector core
  kQuit,      // this vector core asks no more
};

struct MatmulRequest {
  MatmulCall call;
  uint8_t atomic;      // Atomic
  uint8_t sequential;  // base blocks one after the other
  uint8_t sync;        // the caller waits for the result
  uint8_t partial_sum;
  uint8_t wait;   // without sync: kWaitAll will follow
  uint8_t fake;   // only keeps the calls of two vector cores in pairs
  uint8_t keeps;  // kGet: the result will be fetched once more
  uint8_t has_local;
  uint8_t has_global;
  Operand global;  // where C goes in global memory,
  Operand local;   // and in UB or L0C
  int32_t batch_a;
  int32_t batch_b;
  int32_t batch_loop;
  uint32_t stride_a;  // between the matrices of a batch, in elements; 0: none
  uint32_t stride_b;
  int32_t result;  // filled by the library: which one
};

// A flag the library raised and has not waited for yet: its event id plus 1.
struct MatmulFlag {
  uint8_t raised;
};

// A piece of A or B in L1: base blocks from (outer, k) on.
struct MatmulSlab {
  uint8_t valid;
  MatmulFlag released;  // its readers are done
  int32_t outer;
  int32_t k;
  uint64_t loaded;  // a bit for each base block
};

struct MatmulSide {
  MatmulSlab slab[2];
  uint8_t current;
  uint64_t base;    // in L1
  uint64_t source;  // address whose data the slabs hold
  uint8_t owner;    // the client they were loaded for
  uint8_t uses;     // jobs that used them
};

// Where one client's Iterate has come to.
struct MatmulProgress {
  uint8_t running;
  uint8_t pending;  // a result lies in L0C
  uint8_t buffer;   // of L0C it lies in
  int32_t next;     // step to be done next
  int32_t fetched;  // results fetched
  int32_t m0;       // of the pending result, in elements
  int32_t n0;
  int32_t m;
  int32_t n;
};

enum class MatmulRole : uint8_t {
  kNone,     // not registered yet
  kIdle,     // a core that does nothing for it
  kInPlace,  // this core computes
  kClient,   // this vector core asks its cube core
  kPartner,  // this vector core waits for what its cube core computes
};

struct MatmulState {
  const MatmulSpec* spec;
  MatmulCallbacks callbacks;
  AscendC::tiling::TCubeTiling tiling;
  MatmulJob job;
  MatmulRole role;
  uint8_t number;  // of this object in the kernel
  uint8_t sub_block;
  uint8_t has_tiling;
  uint8_t pings;  // L0A/L0B buffers used so far, for the next one's parity
  uint64_t workspace;
  PipeState* pipe;
  uint64_t l1_bias;
  uint64_t l1_quant;
  uint64_t l1_index;
  int32_t bias_n;  // column of the bias in BT, -1: none
  MatmulSide left;
  MatmulSide right;
  MatmulFlag l0_free[2];
  MatmulFlag l0c_free[2];
  uint8_t l0c_next;
  MatmulProgress progress[2];  // by client
  // Of a client.
  uint8_t is_served;   // the cube core has begun to serve
  uint8_t untaken;     // 1 + the object whose request may not be read yet
  uint8_t waits_all;   // a request without sync is to be waited for
  uint8_t is_copying;  // a copy to UB was begun
  int32_t told;        // results it was told of
  int32_t asked;       // results it asked for without sync
};

}  // namespace belay::abi

extern "C" {

// Makes `count` objects known to this core: it decides what each does here.
void belay_matmul_register(belay::abi::MatmulState* const* states,
                           uint32_t count, belay::abi::PipeState* pipe,
                           uint64_t workspace);
// On a cube core whose vector cores ask it, does what they ask until the last
// one has left, and is true: the kernel's code ends there. Else false at once.
uint32_t belay_matmul_serve(belay::abi::MatmulState* const* states,
                            uint32_t count);
// Takes the object's tiling into use; null where it is constant.
void belay_matmul_init(belay::abi::MatmulState* state,
                       const AscendC::tiling::TCubeTiling* tiling);
// For kIterate: whether there is another block. For kGet and kGetBatch: where
// the result lies in the workspace.
uint64_t belay_matmul_call(belay::abi::MatmulState* state,
                           const belay::abi::MatmulRequest* request);
// The object is destroyed.
void belay_matmul_leave(belay::abi::MatmulState* state);
}

#endif  // BELAY_MATMUL_H_
