// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_CLIENT_H_
#define BELAY_RUNTIME_MATMUL_CLIENT_H_

// A Matmul object on a vector core: asks the cube core of its block, and moves
// what lies in or goes to the Unified Buffer through global memory.

#include "runtime/matmul/channel.h"

namespace belay::runtime::matmul {

class Client {
 public:
  Client(Instructions& instructions, abi::MatmulState& state);

  uint64_t Do(const abi::MatmulRequest& request);
  // The tiling has changed.
  void Init();
  void Quit();
  // Lets the cube core do a move to its L1.
  void Forward(const abi::Instruction& move);

 private:
  // A copy of the job in which nothing lies in the Unified Buffer. Copies what
  // does, where `copies` says so.
  abi::MatmulJob Staged(bool copies);
  void Stage(abi::Operand& tensor, uint64_t bytes, bool copies);
  void Send(const abi::MatmulRequest& request, bool copies);
  bool Iterate(const abi::MatmulRequest& request);
  uint64_t Get(const abi::MatmulRequest& request);
  uint64_t GetBatch(const abi::MatmulRequest& request);
  void Whole(const abi::MatmulRequest& request);
  void CopyIn(const abi::Operand& local, const abi::Operand& from,
              int64_t elements, bool sync);
  int32_t Results();

  Instructions& instructions_;
  abi::MatmulState& state_;
  Channel channel_;
};

// A move to L1 that a vector core asks for goes to the cube core that serves
// its Matmul objects.
inline bool IsForCubeCore(Device& device, const abi::Instruction& move) {
  const Block& block = *device.current();
  return move.dst.memory == abi::Memory::kL1 &&
         block.core->type == npu::CoreType::kVector && block.pipe != nullptr &&
         static_cast<const abi::PipeState*>(block.pipe)->matmul_owner != 0;
}
void ForwardToCube(Device& device, const abi::Instruction& move);

}  // namespace belay::runtime::matmul

#endif  // BELAY_RUNTIME_MATMUL_CLIENT_H_
