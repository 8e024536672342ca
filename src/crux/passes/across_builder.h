// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PASSES_ACROSS_BUILDER_H_
#define BELAY_CRUX_PASSES_ACROSS_BUILDER_H_

// What the parts of LowerAcross build with.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "crux/ir/tile.h"
#include "crux/passes/walk.h"

namespace belay::crux::passes {

class AcrossBuilder {
 protected:
  using Block = ir::Block;
  using Dim = ir::Dim;
  using Index = ir::Index;
  using IndexKind = ir::IndexKind;
  using Int = ir::Int;
  using Kernel = ir::Kernel;
  using Stmt = ir::Stmt;
  using StmtKind = ir::StmtKind;
  using StmtPtr = std::shared_ptr<ir::Stmt>;

  explicit AcrossBuilder(Kernel& kernel) : kernel_(kernel) {}

  int NewTile(const std::string& wish, DType dtype,
              const std::vector<Dim>& dims) {
    return kernel_.NewTile(wish, dtype, dims, line_).id;
  }

  int NewWorkspace(const std::string& wish, DType dtype, const Int& elements) {
    ir::Tensor tensor;
    tensor.id = static_cast<int>(kernel_.tensors.size());
    tensor.name = kernel_.FreshName(wish);
    tensor.dtype = dtype;
    tensor.role = ir::TensorRole::kScratch;
    tensor.elements = elements;
    kernel_.tensors.push_back(tensor);
    return tensor.id;
  }

  static Int ElementsOf(const std::vector<Dim>& dims) {
    Int elements = 1;
    for (const Dim& dim : dims) elements = elements * dim.capacity;
    return elements;
  }

  static Index PointAt(const Int& dim, const Int& at) {
    Index index;
    index.kind = IndexKind::kPoint;
    index.dim = dim;
    index.start = at;
    return index;
  }

  static void AddWhole(const std::vector<Dim>& dims,
                       std::vector<Index>& indices) {
    for (size_t i = 0; i < dims.size(); ++i) {
      Index index;
      index.kind = IndexKind::kRange;
      index.dim = dims[i].capacity;
      index.extent = dims[i];
      index.axis = static_cast<int>(i);
      indices.push_back(index);
    }
  }

  StmtPtr Full(int tile, const ir::Number& value) const {
    return Compute(Op::kFull, tile, {value}, line_);
  }

  StmtPtr Move(StmtKind kind, int tensor, std::vector<Index> indices,
               int tile) const {
    auto stmt = std::make_shared<Stmt>();
    stmt->kind = kind;
    stmt->line = line_;
    stmt->access.tensor = tensor;
    stmt->access.indices = std::move(indices);
    if (kind == StmtKind::kLoad) {
      stmt->results = {tile};
    } else {
      stmt->operands = {tile};
      stmt->every_core = true;
    }
    return stmt;
  }

  StmtPtr Meet() const {
    auto stmt = std::make_shared<Stmt>();
    stmt->kind = StmtKind::kSyncAll;
    stmt->line = line_;
    return stmt;
  }

  StmtPtr Turns(const std::string& name, const Int& high, Block body) const {
    auto stmt = std::make_shared<Stmt>();
    stmt->kind = StmtKind::kLoop;
    stmt->line = line_;
    stmt->loop = std::make_shared<ir::Loop>();
    stmt->loop->name = name;
    stmt->loop->high = high;
    stmt->loop->body = std::move(body);
    return stmt;
  }

  // How many cores there are, as a field of the tiling data.
  Int Cores() {
    for (const ir::HostValue& value : kernel_.host) {
      if (value.source == ir::HostSource::kFormula &&
          Same(value.formula, Int::Name("core_count"))) {
        return Int::Name(value.name);
      }
    }
    ir::HostValue value;
    value.name = kernel_.FreshName("core_total");
    value.source = ir::HostSource::kFormula;
    value.formula = Int::Name("core_count");
    kernel_.host.push_back(value);
    return Int::Name(value.name);
  }

  // Into the kernel's own statements.
  void Insert(size_t at, Block block) {
    kernel_.body.insert(kernel_.body.begin() + static_cast<std::ptrdiff_t>(at),
                        block.begin(), block.end());
  }

  Kernel& kernel_;
  int line_ = 0;  // of what is built
};

// What combines with any value to that value: sum, max, min, any, all.
ir::Number NeutralOf(Op combine, DType dtype);

// The three parts.
void LowerTotal(ir::Kernel& kernel, const ir::Across& across);
void LowerPrefix(ir::Kernel& kernel, const ir::Across& across);
// One across value for each output with an open size: one more than the largest
// position stored.
void MeasureOpenOutputs(ir::Kernel& kernel);

}  // namespace belay::crux::passes

#endif  // BELAY_CRUX_PASSES_ACROSS_BUILDER_H_
