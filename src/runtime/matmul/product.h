// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_PRODUCT_H_
#define BELAY_RUNTIME_MATMUL_PRODUCT_H_

// One C = A × B + Bias on this cube core, base block by base block: L1 to L0,
// Mmad along k into L0C, Fixpipe to global memory.

#include "runtime/matmul/load_l0.h"

namespace belay::runtime::matmul {

// Where blocks of C go in global memory.
struct Target {
  abi::Operand place;      // of the first element of C
  int64_t row_length = 0;  // elements; of NZ the rows of a column
  abi::Atomic atomic = abi::Atomic::kNone;
};

// A block of C, in elements.
struct ResultBlock {
  int32_t m0 = 0;
  int32_t n0 = 0;
  int32_t m = 0;
  int32_t n = 0;
};

class Product {
 public:
  // Of what the state's job says. Both must outlive the product.
  Product(Instructions& instructions, abi::MatmulState& state);

  // Instead of the job's own matrices.
  void Replace(const Input& left, const Input& right, const abi::Operand& bias);
  const Input& left() const { return left_; }
  const Input& right() const { return right_; }

  // How many results there are, and which block each is. Blocks that are left
  // out are not counted.
  int32_t Results() const;
  ResultBlock BlockOf(int32_t result) const;

  // Computes a result into L0C: one of the core's own buffers, or `own`.
  void Compute(int32_t result, bool accumulate, uint8_t buffer,
               const abi::Operand* own);
  // Stores what Compute left in `buffer`.
  void Store(const ResultBlock& block, uint8_t buffer, const Target& target,
             bool sequential);
  // The buffer for the next result.
  uint8_t NextBuffer();

  // Forgets what L1 holds, except what two vector cores share: `client` says
  // which of them asks.
  void Begin(uint8_t client);
  // Whether L1 still holds this object's slabs: objects take turns.
  bool HasL1() const;
  // Waits for all flags that are raised.
  void Drain();

 private:
  struct Step {
    int32_t m_block;
    int32_t n_block;
    int32_t first_k;
    int32_t k_blocks;
  };
  Step StepOf(int32_t result) const;
  bool IsLeftOut(int32_t m_block, int32_t n_block) const;
  int32_t KOf(int32_t index) const;
  bool IsDoubleL0() const;
  int32_t MmadColumns(int32_t n) const;
  uint64_t L0cBytes() const;
  abi::Operand L0c(uint8_t buffer) const;
  void LoadBias(const ResultBlock& block);
  // Indices of a block of B to L1.
  abi::Operand LoadIndex(const ResultBlock& block, int32_t k_block, int32_t k);
  void LoadQuant(const ResultBlock& block);
  abi::Quant QuantOf() const;

  Instructions& instructions_;
  abi::MatmulState& state_;
  Input left_;
  Input right_;
  abi::Operand bias_;
  Slabs left_slabs_;
  Slabs right_slabs_;
  int32_t m_blocks_;
  int32_t n_blocks_;
  int32_t k_blocks_;
};

// Bytes of L1 that the state's tiling takes, and where its parts lie behind
// `base`.
uint64_t LayOutL1(abi::MatmulState& state, uint64_t base);
// Gives the object its place in L1 of this core, for the tiling it has. Objects
// of one pipe take turns in one piece, which grows as long as nothing was
// allocated behind it.
void ReserveL1(Instructions& instructions, abi::MatmulState& state);

}  // namespace belay::runtime::matmul

#endif  // BELAY_RUNTIME_MATMUL_PRODUCT_H_
