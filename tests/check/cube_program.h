// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CHECK_CUBE_PROGRAM_H_
#define BELAY_TESTS_CHECK_CUBE_PROGRAM_H_

// A product of two matrices of halves by one cube core, as a kernel issues it,
// from which tests leave out or change single steps.

#include "support.h"

namespace belay::check {

class CubeProgram : public CheckTest {
 protected:
  // A launch of one block on cube core 0.
  void LaunchCube();
  void EndCube();

  npu::Core& Cube() { return chip_.CubeCore(0); }
  uint64_t Base(abi::Memory memory) {
    return chip_.on_chip().Base(Cube().slot, memory);
  }
  abi::Operand In(abi::Memory memory, abi::DType dtype, uint64_t offset = 0) {
    return {Base(memory) + offset, 0, 0, dtype, memory};
  }
  template <typename T>
  T* At(abi::Memory memory) {
    return reinterpret_cast<T*>(Base(memory));
  }
  // Expects no trap.
  void Do(abi::Instruction instruction, uint64_t pc);
  void Order(abi::Pipe from, abi::Pipe to);

  // The steps, at places 1 to 7. A is m × k, B is n × k, both in halves.
  void CopyLeft();
  void CopyRight();
  void LoadLeft();
  void LoadRight();
  void Multiply(bool accumulate = false, uint8_t unit_flag = 0,
                uint64_t pc = 5);
  void Store(uint8_t unit_flag = 0, uint64_t pc = 6);
  void Barrier(abi::Pipe pipe);

  uint32_t m_ = 32;
  uint32_t n_ = 32;
  uint32_t k_ = 32;
  uint64_t a_ = 0;
  uint64_t b_ = 0;
  uint64_t c_ = 0;
};

}  // namespace belay::check

#endif  // BELAY_TESTS_CHECK_CUBE_PROGRAM_H_
