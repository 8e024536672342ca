// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_INSTRUCTIONS_H_
#define BELAY_RUNTIME_MATMUL_INSTRUCTIONS_H_

// The instructions a matrix product is made of, issued for the running core as
// if the kernel had written them in the line that asked for the product.

#include <cstdint>
#include <string>

#include "base/dtype.h"
#include "belay/matmul.h"
#include "runtime/device.h"

namespace belay::runtime::matmul {

constexpr int32_t AlignUp(int32_t value, int32_t to) {
  return (value + to - 1) / to * to;
}
constexpr int32_t CeilDivide(int32_t value, int32_t by) {
  return (value + by - 1) / by;
}
// Elements in 32 bytes.
inline int32_t BlockElements(abi::DType dtype) { return 256 / BitsOf(dtype); }

class Instructions {
 public:
  Instructions(Device& device, abi::PipeState& pipe, uint64_t pc)
      : device_(device), pipe_(pipe), pc_(pc) {}

  Device& device() { return device_; }
  abi::PipeState& pipe() { return pipe_; }
  uint64_t pc() const { return pc_; }
  // From now on instructions belong to another line.
  void SetPc(uint64_t pc) { pc_ = pc; }
  uint64_t MemoryBase(abi::Memory memory) const;
  uint64_t MemoryBytes(abi::Memory memory) const;

  // A place of `bytes` in a memory of this core.
  abi::Operand Place(abi::Memory memory, uint64_t address, uint64_t bytes,
                     abi::DType dtype) const;

  void Issue(abi::Instruction& instruction);

  // Raises the flag; nothing may have raised it before without a wait.
  void Raise(abi::MatmulFlag& flag, abi::Pipe from, abi::Pipe to);
  // Waits for it if it is raised.
  void Await(abi::MatmulFlag& flag, abi::Pipe from, abi::Pipe to);
  // `to` goes on when `from` has done all it was given so far.
  void Order(abi::Pipe from, abi::Pipe to);
  void Barrier(abi::Pipe pipe);

  // A register that takes a number.
  void SetRegister(abi::Op op, uint64_t scalar, uint8_t mode = 0);
  void SetAtomic(abi::Atomic atomic, abi::DType dtype);

  // `bytes` in one piece.
  void Copy(const abi::Operand& dst, const abi::Operand& src, uint64_t bytes);

 private:
  Device& device_;
  abi::PipeState& pipe_;
  uint64_t pc_;
};

// Ends the block with a diagnostic of the Matmul object's.
[[noreturn]] void Refuse(const char* code, std::string message,
                         std::string fix);

}  // namespace belay::runtime::matmul

#endif  // BELAY_RUNTIME_MATMUL_INSTRUCTIONS_H_
