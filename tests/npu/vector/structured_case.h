// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_NPU_VECTOR_STRUCTURED_CASE_H_
#define BELAY_TESTS_NPU_VECTOR_STRUCTURED_CASE_H_

// Random instructions whose operands are not plain strided tensors: lists,
// tables, bits, pairs.

#include <array>

#include "random_case.h"

namespace belay::npu {

struct StructuredCase {
  abi::Instruction instruction{};  // addresses are offsets into the buffer
  VectorState state;
  // Rows of TransDataTo5HD, as offsets.
  std::array<uint64_t, 16> destinations{};
  std::array<uint64_t, 16> sources{};
};

// The same instruction with addresses in `ub`. It may point into the object,
// which must stay where it is.
class BoundCase {
 public:
  BoundCase(const StructuredCase& test, const UbBuffer& ub);
  BoundCase(const BoundCase&) = delete;
  BoundCase& operator=(const BoundCase&) = delete;
  const abi::Instruction& instruction() const { return instruction_; }

 private:
  abi::Instruction instruction_;
  std::array<uint64_t, 16> destinations_;
  std::array<uint64_t, 16> sources_;
};

class StructuredCaseMaker {
 public:
  explicit StructuredCaseMaker(uint64_t seed)
      : random_(seed), elements_(seed + 1) {}

  // Fills `ub` as well. The operation is one of Copy (in counter mode),
  // Gatherb, GatherMask, Sort32, MrgSort, Transpose, TransDataTo5HD.
  StructuredCase Make(abi::Op op, UbBuffer& ub);

 private:
  uint64_t Below(uint64_t limit) {
    return std::uniform_int_distribution<uint64_t>(0, limit - 1)(random_);
  }
  bool Chance(int percent) {
    return Below(100) < static_cast<uint64_t>(percent);
  }
  // A multiple of 32 such that `bytes` fit between it and `end`.
  uint64_t PlaceIn(uint64_t begin, uint64_t end, uint64_t bytes) {
    return begin + Below((end - begin - bytes) / 32 + 1) * 32;
  }
  abi::DType TypeFor(abi::Op op);
  void FillMemory(abi::DType dtype, UbBuffer& ub);
  void MakeCopy(StructuredCase& test);
  void MakeGatherb(StructuredCase& test, UbBuffer& ub);
  void MakeGatherMask(StructuredCase& test);
  void MakeSort(StructuredCase& test);
  void MakeMerge(StructuredCase& test, UbBuffer& ub);
  void MakeTranspose(StructuredCase& test);
  void MakeTransposeLists(StructuredCase& test);

  std::mt19937_64 random_;
  CaseMaker elements_;
};

}  // namespace belay::npu

#endif  // BELAY_TESTS_NPU_VECTOR_STRUCTURED_CASE_H_
