// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_INPUT_H_
#define BELAY_RUNTIME_MATMUL_INPUT_H_

// A or B of one product: where it lies, how it is cut, and how a piece of it
// gets from global memory to L1. The axis it does not share with the other is
// called outer: m of A, n of B.

#include <cstdint>

#include "belay/matmul.h"
#include "runtime/matmul/instructions.h"

namespace belay::runtime::matmul {

// A piece of a matrix, in elements.
struct Piece {
  int32_t outer;
  int32_t k;
  int32_t outer_size;
  int32_t k_size;
};

// A matrix in L1, in NZ: columns of 32 bytes, `rows` of them in each.
struct L1Matrix {
  abi::Operand place;
  int32_t rows = 0;
};

class Input {
 public:
  static Input Left(const abi::MatmulState& state);
  static Input Right(const abi::MatmulState& state);

  abi::DType dtype() const { return type_.dtype; }
  abi::MatmulFormat format() const { return type_.format; }
  int32_t block_columns() const { return BlockElements(type_.dtype); }
  // Whether rows, as they lie in memory, run along k.
  bool k_rows() const { return k_rows_; }
  // A single row, as it lies in memory: A of a product with a vector.
  bool is_vector() const;
  // Whether it lies in L1 already, as a whole.
  bool is_in_l1() const { return type_.position == abi::Position::kTscm; }
  bool is_sparse() const { return sparse_; }
  bool by_slabs() const { return by_slabs_; }
  uint64_t address() const { return tensor_.address; }

  int32_t outer() const { return outer_; }
  int32_t k() const { return k_; }
  int32_t base_outer() const { return base_outer_; }
  int32_t base_k() const { return base_k_; }
  int32_t step_outer() const { return step_outer_; }
  int32_t step_k() const { return step_k_; }
  int32_t slabs() const { return slabs_; }

  // Bytes of L1 that a base block and a slab take at most.
  uint64_t BlockBytes() const;
  uint64_t SlabBytes() const;

  // The same matrix, `elements` further on and with rows `row_length` apart
  // (0: as before), as one of a batch.
  Input Moved(int64_t elements, int64_t row_length) const;

  // Rows of L1 a piece with that size takes.
  int32_t RowsOf(const Piece& piece) const;
  int32_t ColumnsOf(const Piece& piece) const;
  // The whole of a matrix that lies in L1.
  L1Matrix WholeInL1() const;
  // Moves a piece to L1, or fills it with the scalar.
  void Load(Instructions& instructions, const Piece& piece,
            const L1Matrix& to) const;

 private:
  int32_t FirstRow(const Piece& piece) const {
    return k_rows_ ? piece.k : piece.outer;
  }
  int32_t FirstColumn(const Piece& piece) const {
    return k_rows_ ? piece.outer : piece.k;
  }
  int32_t Rows(const Piece& piece) const {
    return k_rows_ ? piece.k_size : piece.outer_size;
  }
  int32_t Columns(const Piece& piece) const {
    return k_rows_ ? piece.outer_size : piece.k_size;
  }
  abi::Operand At(int64_t elements) const;
  void LoadRows(Instructions& instructions, const Piece& piece,
                const L1Matrix& to) const;
  void LoadBlocks(Instructions& instructions, const Piece& piece,
                  const L1Matrix& to) const;
  void LoadVector(Instructions& instructions, const Piece& piece,
                  const L1Matrix& to) const;
  void FillScalar(Instructions& instructions, const Piece& piece,
                  const L1Matrix& to) const;

  abi::MatmulMatrix type_{};
  abi::Operand tensor_{};
  uint64_t scalar_ = 0;
  bool left_ = false;
  bool k_rows_ = false;
  bool sparse_ = false;
  bool by_slabs_ = false;
  bool long_rows_ = false;
  int64_t row_length_ = 0;  // elements; of NZ the rows of a column
  int32_t outer_ = 0;
  int32_t k_ = 0;
  int32_t base_outer_ = 0;
  int32_t base_k_ = 0;
  int32_t step_outer_ = 1;
  int32_t step_k_ = 1;
  int32_t slabs_ = 1;
};

// Copies `elements` of a vector to L1 without reading past its end.
void LoadElements(Instructions& instructions, const abi::Operand& to,
                  const abi::Operand& from, int32_t elements);

}  // namespace belay::runtime::matmul

#endif  // BELAY_RUNTIME_MATMUL_INPUT_H_
