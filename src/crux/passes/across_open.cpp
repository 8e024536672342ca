// SPDX-License-Identifier: Apache-2.0
// How much of outputs with open sizes was stored.

#include "crux/passes/across_builder.h"

namespace belay::crux::passes {
namespace {

class OpenOutputs : AcrossBuilder {
 public:
  explicit OpenOutputs(Kernel& kernel) : AcrossBuilder(kernel) {}

  void Run() {
    const size_t tensors = kernel_.tensors.size();
    for (size_t id = 0; id < tensors; ++id) {
      const typed::Parameter* parameter = kernel_.tensors[id].parameter;
      if (parameter == nullptr || kernel_.tensors[id].list) continue;
      if (parameter->role != typed::ParameterRole::kOut) continue;
      for (size_t axis = 0; axis < parameter->dims.size(); ++axis) {
        if (parameter->dims[axis].upto) Measure(static_cast<int>(id), axis);
      }
    }
  }

 private:
  void Measure(int tensor, size_t axis) {
    ir::Across across;
    across.id = static_cast<int>(kernel_.across.size());
    across.name = kernel_.FreshName(kernel_.tensors[tensor].name + "_end");
    across.combine = Op::kMax;
    across.dtype = DType::kInt64;
    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Replacement {
      const bool stores =
          stmt->kind == StmtKind::kStore && stmt->access.tensor == tensor;
      if (!stores) return std::nullopt;
      if (axis >= stmt->access.indices.size()) return std::nullopt;
      line_ = stmt->line;
      const Index& index = stmt->access.indices[axis];
      auto update = std::make_shared<Stmt>();
      update->kind = StmtKind::kAcrossUpdate;
      update->line = stmt->line;
      update->across = across.id;
      Block made = {stmt};
      if (index.kind == IndexKind::kTile) {
        update->operands = {EndOf(index.tile, made)};
      } else {
        const int end = NewTile(across.name + "_here", DType::kInt64, {});
        const Int last =
            index.kind == IndexKind::kPoint
                ? index.start + 1
                : Int::Select(
                      Less(0, index.extent.size),
                      index.start + (index.extent.size - 1) * index.step + 1,
                      0);
        made.push_back(Full(end, IntNumber(last)));
        update->operands = {end};
      }
      made.push_back(update);
      return made;
    });
    kernel_.across.push_back(across);
    const int extent = NewWorkspace(
        kernel_.tensors[tensor].name + "_extent", DType::kInt64,
        static_cast<int64_t>(kernel_.tensors[tensor].parameter->dims.size()));
    const int value = NewTile(across.name + "_all", DType::kInt64, {});
    auto read = std::make_shared<Stmt>();
    read->kind = StmtKind::kAcrossValue;
    read->line = line_;
    read->across = across.id;
    read->results = {value};
    const int stored = NewTile(across.name + "_stored", DType::kInt64, {});
    kernel_.body.push_back(read);
    kernel_.body.push_back(
        Compute(Op::kMaximum, stored, {value, IntNumber(0)}, line_));
    StmtPtr store =
        Move(StmtKind::kStore, extent,
             {PointAt(static_cast<int64_t>(
                          kernel_.tensors[tensor].parameter->dims.size()),
                      static_cast<int64_t>(axis))},
             stored);
    store->every_core = false;
    kernel_.body.push_back(store);
  }

  // One more than the largest element of a tile of positions.
  int EndOf(int tile, Block& out) {
    const std::vector<Dim>& dims = kernel_.tiles[tile].dims;
    const int wide = NewTile("positions", DType::kInt64, dims);
    const int largest = NewTile("largest", DType::kInt64, {});
    const int end = NewTile("end", DType::kInt64, {});
    out.push_back(Compute(Op::kTo, wide, {tile}, line_));
    auto reduce = Compute(Op::kMax, largest, {wide}, line_);
    for (size_t i = 0; i < dims.size(); ++i) {
      reduce->axes.push_back(static_cast<int>(i));
    }
    out.push_back(reduce);
    out.push_back(Compute(Op::kAdd, end, {largest, IntNumber(1)}, line_));
    return end;
  }
};

}  // namespace

void MeasureOpenOutputs(ir::Kernel& kernel) { OpenOutputs(kernel).Run(); }

}  // namespace belay::crux::passes
