// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_CHANNEL_H_
#define BELAY_RUNTIME_MATMUL_CHANNEL_H_

// How a vector core asks its cube core: a request in global memory, in the
// system's part of the workspace, and flags between the two cores. Scalar
// units read and write it past their data caches.

#include "npu/cross_core_flags.h"
#include "runtime/matmul/instructions.h"

namespace belay::runtime::matmul {

struct Message {
  abi::MatmulRequest request;
  abi::MatmulJob job;
  uint32_t number = 0;                  // of the object
  uint64_t pc = 0;                      // where the kernel asked for it
  AscendC::tiling::TCubeTiling tiling;  // of kInit
  abi::Instruction instruction;         // of kCopyToL1
};

// What each vector core has of the workspace: its message, then a copy of its
// Unified Buffer, in which tensors lie at their own offsets.
inline constexpr uint64_t kVectorCoreBytes = 256 << 10;
inline constexpr uint64_t kMessageBytes = 4096;

// A flag between cores, from the running one: its pipe `from` has done all it
// was given so far. Modes as CrossCoreSetFlag has them, and the library's own.
void SetCoreFlag(Instructions& instructions, uint32_t mode, uint32_t id,
                 abi::Pipe from);
void WaitCoreFlag(Instructions& instructions, uint32_t id);

// The end of a channel on the running core. On cube cores `sub_block` says
// which vector core of the block the other end is.
class Channel {
 public:
  Channel(Instructions& instructions, uint64_t workspace, int sub_block);

  // On a vector core. Post waits until the request before has been read.
  void Post(abi::MatmulState& state, const Message& message);
  void AwaitResult(const abi::MatmulState& state);

  // On the cube core. HasMessage may be asked by anybody.
  bool HasMessage() const;
  Message Take();
  // Tells the vector core of a result that the pipe `after` stores.
  void TellResult(uint32_t number, abi::Pipe after);

  // Where a tensor of the vector core's Unified Buffer has its copy.
  abi::Operand CopyOf(const abi::Operand& in_ub) const;
  // The flag of the cube core that this vector core's messages raise.
  uint32_t posted() const { return static_cast<uint32_t>(sub_block_); }

 private:
  void SetFlag(uint32_t id, abi::Pipe from);
  void WaitFlag(uint32_t id);

  Instructions& instructions_;
  npu::Participant core_;  // the running one
  uint64_t base_;
  int sub_block_;
};

}  // namespace belay::runtime::matmul

#endif  // BELAY_RUNTIME_MATMUL_CHANNEL_H_
