// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_ABI_H_
#define BELAY_GUEST_ABI_H_

// The functions guest code calls: from the headers a kernel includes, or
// inserted by the compiler pass. All of them take the guest's source line
// from their return address, so callers must be inlined into user code.

#include "belay/instruction.h"
#include "belay/queue.h"

namespace belay::abi {

// The part of a workspace that the system keeps for itself, at its front.
inline constexpr uint64_t kSystemWorkspaceBytes = 16 << 20;

}  // namespace belay::abi

extern "C" {

// --- called by the headers ---------------------------------------------------

// Executes one instruction on the current core.
void belay_issue(belay::abi::Instruction* instruction);

// Scalar reads of a tensor element: like belay_read, but ordered with the
// other pipes by compiler auto-sync, as GetValue is. `buffer` and
// `buffer_bytes` say what the tensor may touch; 0 bytes: not known.
const void* belay_get_value(const void* address, uint64_t bytes,
                            uint64_t buffer, uint64_t buffer_bytes);
void* belay_set_value(void* address, uint64_t bytes, uint64_t buffer,
                      uint64_t buffer_bytes);

// A plain store through a tensor is about to leave what it may touch.
void belay_outside_buffer(uint64_t address, uint64_t bytes, uint64_t buffer,
                          uint64_t buffer_bytes);

// Pipe and queue objects. They live in the guest's TPipe, TQue, TBuf objects,
// are zero-initialised there, and belong to the library: see belay/queue.h.
void belay_pipe_init(belay::abi::PipeState* pipe);
void belay_pipe_destroy(belay::abi::PipeState* pipe);
void belay_pipe_reset(belay::abi::PipeState* pipe);
belay::abi::PipeState* belay_current_pipe(void);
void belay_init_buffer(belay::abi::PipeState* pipe,
                       belay::abi::QueueState* queue, uint32_t buffers,
                       uint32_t bytes);
// Gives a pool `bytes` of the pipe's (or, nested, of another pool's) memory;
// `shared` takes them without using them up.
void belay_pool_init(belay::abi::PipeState* pipe, belay::abi::PoolState* parent,
                     belay::abi::PoolState* pool, belay::abi::Position position,
                     uint32_t bytes, belay::abi::PoolState* shared);
void belay_pool_reset(belay::abi::PoolState* pool);
void belay_pool_init_buffer(belay::abi::PoolState* pool,
                            belay::abi::QueueState* queue, uint32_t buffers,
                            uint32_t bytes);
uint64_t belay_queue_alloc(belay::abi::QueueState* queue);
uint32_t belay_queue_enque(belay::abi::QueueState* queue, uint64_t address);
uint64_t belay_queue_deque(belay::abi::QueueState* queue);
void belay_queue_free(belay::abi::QueueState* queue, uint64_t address);
void belay_queue_free_all_events(belay::abi::QueueState* queue);

// Event ids of a pipe pair: Alloc reserves, Fetch only looks.
int32_t belay_event_alloc(uint32_t from_pipe, uint32_t to_pipe);
int32_t belay_event_fetch(uint32_t from_pipe, uint32_t to_pipe);
void belay_event_release(uint32_t from_pipe, uint32_t to_pipe, int32_t id);

// A register of the current core.
uint64_t belay_get_register(belay::abi::Register which);

// Scalar accesses to global memory past the data cache.
const void* belay_read_direct(const void* address, uint64_t bytes);
void* belay_write_direct(void* address, uint64_t bytes);

// Prints `count` elements as DumpTensor does; `label` is the caller's number.
void belay_dump_tensor(uint64_t address, belay::abi::DType dtype,
                       belay::abi::Position position, uint32_t label,
                       uint32_t count);

// Ends the block: `name` is not on this chip.
[[noreturn]] void belay_not_on_chip(const char* name);

// Ends the block: the library function `name` needs a temporary buffer of at
// least `needed` bytes and was given `given`; or an argument breaks `rule`.
[[noreturn]] void belay_temporary_too_small(const char* name, uint64_t needed,
                                            uint64_t given);
[[noreturn]] void belay_library_argument(const char* name, const char* rule,
                                         int64_t value);

// Where a memory of the current core starts, and its size in bytes.
uint64_t belay_memory_base(belay::abi::Memory memory);
uint64_t belay_memory_bytes(belay::abi::Memory memory);

// What a kernel asks about itself and the machine.
int64_t belay_block_index(void);
int64_t belay_block_count(void);
int64_t belay_subblock_index(void);
int64_t belay_subblock_count(void);
int64_t belay_task_ratio(void);
int64_t belay_system_cycle(void);
uint32_t belay_core_is_cube(void);
uint64_t belay_workspace(void);
void belay_set_workspace(uint64_t address);

// The tiling key of the launch. Asking whether it is `key` makes that key one
// of the kernel's branches: a launch that asks and finds none is a fault.
uint64_t belay_tiling_key(void);
uint32_t belay_tiling_key_is(uint64_t key);
// From host code: the key of all launches to come.
void belay_set_tiling_key(uint64_t key);
// Ends the block when fewer than `bytes` of tiling data lie at `tiling`.
void belay_require_tiling(const void* tiling, uint64_t bytes);

// --- inserted by the compiler pass into kernel code --------------------------

// A scalar access of `bytes` at `address`. The access must then be made at
// the returned place. Ends the block with a diagnostic when the address is
// not the kernel's to touch.
const void* belay_read(const void* address, uint64_t bytes);
void* belay_write(void* address, uint64_t bytes);

void belay_memcpy(void* to, const void* from, uint64_t bytes);
void belay_memmove(void* to, const void* from, uint64_t bytes);
void belay_memset(void* to, int value, uint64_t bytes);

// Scalar work left before the block must hand over to the scheduler. Kernel
// code takes each basic block's cost off it and calls belay_tick() at function
// entries and loop headers once it is negative.
extern int64_t belay_budget;
void belay_tick(void);

// What of that work is not simple, by class, for whoever times it: counters
// that never go back, three to a word, so that the difference of two readings
// holds what was done between them (see belay/scalar_work.h).
extern uint64_t belay_scalar_work[2];

// An integer division by zero, or a remainder by zero: warned of once a place.
// The compiled code goes on with the result that stands for it (see
// toolchain/define_scalar_semantics.h). `dividend` as its 64 bits.
void belay_divide_by_zero(int64_t dividend, uint32_t is_remainder);
[[noreturn]] void belay_unreachable(void);

// printf, assert and abort of kernel code.
int belay_printf(const char* format, ...);
[[noreturn]] void belay_assert_fail(const char* expression, const char* file,
                                    unsigned line, const char* function);
[[noreturn]] void belay_trap(void);

// KERNEL_TASK_TYPE_DEFAULT and KERNEL_TASK_TYPE: read and removed by the
// compiler, never called.
void belay_task_type(uint32_t type) noexcept;
void belay_task_type_of_key(uint64_t key, uint32_t type) noexcept;
// The same from any function a kernel reaches: counts when nothing else says
// which cores the kernel runs on.
void belay_suggest_task_type(uint32_t type) noexcept;
}

namespace belay::abi {

// Which cores a kernel runs on under one tiling key.
struct KeyKind {
  uint64_t key;
  const char* kind;  // null ends a list
};

// One kernel a compiled module defines. Its kind is "aicore" or "vector" (one
// vector core a block), "cube" (one cube core a block), or "mix:C:V": C cube
// and V vector cores a block, which may synchronise with each other.
struct KernelRecord {
  const char* name;  // as written, without parameters: "inner::fill<int>"
  const char* kind;  // under tiling keys that `key_kinds` does not list
  void (*entry)(void* arguments);       // on vector cores
  void (*cube_entry)(void* arguments);  // on cube cores; null: `entry` is
  const KeyKind* key_kinds;             // null: none
  uint32_t parameters;                  // as the source counts them
  uint32_t bytes;                       // of the packed arguments
};

// The symbol of a module's kernels: an array of KernelRecord, ended by one
// whose name is null. A kernel that several sources define inline may stand
// there more than once.
inline constexpr char kKernelTableSymbol[] = "belay_kernel_table";

}  // namespace belay::abi

extern "C" {

// --- launching ---------------------------------------------------------------

// k<<<blocks, l2, stream>>>(…) is a call of cudaConfigureCall(blocks, l2,
// stream), declared in belay/launch.h, then of belay_launch with the packed
// arguments.
void belay_configure_launch(uint64_t blocks, uint64_t dynamic_bytes,
                            void* stream);
void belay_launch(const belay::abi::KernelRecord* kernel, const void* arguments,
                  uint64_t bytes);
}

#endif  // BELAY_GUEST_ABI_H_
