// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CHECK_NAIVE_INIT_H_
#define BELAY_TESTS_CHECK_NAIVE_INIT_H_

// What initcheck must find, said as plainly as possible: one byte of eight bits
// for each byte of memory, and loops over lanes. For one vector core and one
// range of global memory.

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "npu/chip.h"

namespace belay::check {

class NaiveInit : public npu::Observer {
 public:
  NaiveInit(npu::Chip& chip, const npu::Core& core, uint64_t global_base,
            uint64_t global_bytes);

  void OnBlockBegin(const npu::Core& core) override;
  void OnInstruction(const npu::InstructionEvent& event) override;
  void OnRefusedByData(const npu::InstructionEvent& event) override;
  void OnScalar(const npu::ScalarEvent& event) override;
  void OnAllocate(uint64_t address, uint64_t bytes) override;
  void OnHostWrite(const npu::HostWriteEvent& event) override;

  // Undefined bits, and bits from before AllocTensor.
  struct Plane {
    std::vector<uint8_t> ub;
    std::vector<uint8_t> gm;
    std::array<bool, 128> register_bits{};
    bool judges = false;  // harm is noted, and ends there
  };
  const Plane& undefined() const { return undefined_; }
  const Plane& stale() const { return stale_; }

  // Code and place of each use that does harm, each once.
  const std::vector<std::pair<std::string, uint64_t>>& found() const {
    return found_;
  }

 private:
  uint8_t& At(Plane& plane, uint64_t address);
  bool IsSet(Plane& plane, uint64_t address, uint32_t bytes);
  void Put(Plane& plane, uint64_t address, uint32_t bytes, bool set);
  // An element whose bits start `bit` bits behind `address`.
  bool IsElementSet(Plane& plane, const abi::Operand& operand, uint32_t repeat,
                    uint32_t lane);
  void PutElement(Plane& plane, const abi::Operand& operand, uint32_t repeat,
                  uint32_t lane, bool set);
  std::vector<uint8_t> Element(Plane& plane, const abi::Operand& operand,
                               uint32_t repeat, uint32_t lane);
  void CopyElement(Plane& plane, const abi::Operand& operand, uint32_t repeat,
                   uint32_t lane, const std::vector<uint8_t>& bits);
  void Found(const Plane& plane, const char* code, uint64_t pc);

  void Vector(Plane& plane, const npu::InstructionEvent& event);
  void Elementwise(Plane& plane, const npu::InstructionEvent& event);
  void CastDequant(Plane& plane, const npu::InstructionEvent& event);
  void Compare(Plane& plane, const npu::InstructionEvent& event);
  void Select(Plane& plane, const npu::InstructionEvent& event);
  void Reduce(Plane& plane, const npu::InstructionEvent& event);
  void ReduceParts(Plane& plane, const npu::InstructionEvent& event);
  void Copy(Plane& plane, const npu::InstructionEvent& event);
  void Gather(Plane& plane, const npu::InstructionEvent& event);
  void Gatherb(Plane& plane, const npu::InstructionEvent& event);
  void GatherMask(Plane& plane, const npu::InstructionEvent& event);
  void Brcb(Plane& plane, const npu::InstructionEvent& event);
  void Sort(Plane& plane, const npu::InstructionEvent& event);
  void Merge(Plane& plane, const npu::InstructionEvent& event);
  void Transpose(Plane& plane, const npu::InstructionEvent& event);
  void TransposeLists(Plane& plane, const npu::InstructionEvent& event);
  void Transfer(const npu::InstructionEvent& event);

  npu::Chip& chip_;
  int slot_;
  uint64_t ub_base_;
  uint64_t gm_base_;
  Plane undefined_;
  Plane stale_;
  std::vector<std::pair<std::string, uint64_t>> found_;
};

}  // namespace belay::check

#endif  // BELAY_TESTS_CHECK_NAIVE_INIT_H_
