// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_BUILDER_H_
#define BELAY_CRUX_PASSES_BUILDER_H_

// Writes the statements that take the place of one.

#include <memory>
#include <string_view>
#include <vector>

#include "crux/ir/tile.h"

namespace belay::crux::passes {

class Builder {
 public:
  // `at`: the statement replaced; new ones have its line.
  Builder(ir::Kernel& kernel, const ir::Stmt& at)
      : kernel_(kernel), line_(at.line) {}

  DType DtypeOf(const ir::Operand& operand) const;  // kNone of a number
  // What operands broadcast to.
  std::vector<ir::Dim> DimsOf(const std::vector<ir::Operand>& operands) const;

  // A new tile = op(operands), broadcast; dtype that of the first tile, and
  // bool of comparisons.
  int Make(Op op, std::vector<ir::Operand> operands, std::string_view wish);
  int MakeAs(DType dtype, Op op, std::vector<ir::Operand> operands,
             std::string_view wish);
  // An existing tile = op(operands).
  void Set(int result, Op op, std::vector<ir::Operand> operands);
  // tile.to(dtype), a new tile.
  int Convert(int tile, DType dtype, std::string_view wish);
  void Append(std::shared_ptr<ir::Stmt> stmt);

  const ir::Kernel& kernel() const { return kernel_; }
  ir::Kernel& kernel() { return kernel_; }
  int line() const { return line_; }
  ir::Block Take() { return std::move(made_); }

 private:
  ir::Kernel& kernel_;
  int line_;
  ir::Block made_;
};

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_BUILDER_H_
