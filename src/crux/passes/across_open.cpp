// SPDX-License-Identifier: Apache-2.0
// How much of outputs with open sizes was stored.

#include <algorithm>
#include <optional>

#include "crux/ir/refusal.h"
#include "crux/passes/across_builder.h"

namespace belay::crux::passes {
namespace {

using ir::IntKind;

// The largest position that an index which is no tile reaches, if any.
ir::Int LastOf(const ir::Index& index) {
  if (index.kind == ir::IndexKind::kPoint) return index.start;
  const ir::Int way = (index.extent.size - 1) * index.step;
  const bool forward = index.step.is_constant() && index.step.value() > 0;
  return index.start + (forward ? way : Max(0, way));
}

class OpenOutputs : AcrossBuilder {
 public:
  explicit OpenOutputs(Kernel& kernel) : AcrossBuilder(kernel) {}

  void Run() {
    const size_t tensors = kernel_.tensors.size();
    for (size_t id = 0; id < tensors; ++id) {
      if (kernel_.tensors[id].dims.empty()) continue;
      const std::vector<typed::ParameterDim>& dims =
          kernel_.tensors[id].parameter->dims;
      const int extent =
          NewWorkspace(kernel_.tensors[id].name + "_extent", DType::kInt64,
                       static_cast<int64_t>(dims.size()));
      kernel_.tensors[extent].extent_of = static_cast<int>(id);
      for (size_t axis = 0; axis < dims.size(); ++axis) {
        if (dims[axis].upto) Measure(static_cast<int>(id), axis, extent);
      }
      kernel_.tensors[id].dims.clear();
    }
  }

 private:
  void Measure(int tensor, size_t axis, int extent) {
    ir::Across across;
    across.id = static_cast<int>(kernel_.across.size());
    across.name = kernel_.FreshName(kernel_.tensors[tensor].name + "_end");
    across.combine = Op::kMax;
    across.dtype = DType::kInt64;
    RewriteBlock(kernel_.body, [&](const StmtPtr& stmt) -> Replacement {
      const bool stores =
          stmt->kind == StmtKind::kStore && stmt->access.tensor == tensor;
      if (!stores) return std::nullopt;
      line_ = stmt->line;
      auto update = std::make_shared<Stmt>();
      update->kind = StmtKind::kAcrossUpdate;
      update->line = stmt->line;
      update->across = across.id;
      Block made = {stmt};
      update->operands = {EndOf(*stmt, axis, across.name + "_here", made)};
      made.push_back(update);
      return made;
    });
    kernel_.across.push_back(across);
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
    StmtPtr store = Move(
        StmtKind::kStore, extent,
        {PointAt(kernel_.tensors[extent].elements, static_cast<int64_t>(axis))},
        stored);
    store->every_core = false;
    kernel_.body.push_back(store);
  }

  // One more than the largest position along `axis` of the output that the
  // store reaches, 0 if it stores nothing: a tile called `name`.
  int EndOf(const Stmt& store, size_t axis, const std::string& name,
            Block& out) {
    const std::vector<Index>& indices = store.access.indices;
    const std::vector<Int>& dims = kernel_.tensors[store.access.tensor].dims;
    // Dimensions of the view as far as this one are the output's.
    bool own = indices.size() > axis;
    for (size_t i = 0; own && i <= axis; ++i) {
      own = Same(indices[i].dim, dims[i]);
    }
    if (own) return EndOf(indices, axis, axis, 1, name, out);
    if (axis > 0) {
      ir::Refuse(belay::code::kX301, store.line,
                 "`" + kernel_.tensors[store.access.tensor].name +
                     "` has an open size behind another, and is stored to "
                     "under another shape",
                 "store to the output itself, or to a view that has its "
                 "first dimensions");
    }
    Int inside = 1;
    for (size_t i = 1; i < dims.size(); ++i) inside = inside * dims[i];
    return EndOf(indices, 0, indices.size() - 1, Max(1, inside), name, out);
  }

  // The same of the dimensions from `first` to `last`, seen as one, `inside`
  // elements of which are one of the output's.
  int EndOf(const std::vector<Index>& indices, size_t first, size_t last,
            const Int& inside, const std::string& name, Block& out) {
    Int stores = 1;  // whether there is anything
    for (const Index& index : indices) {
      if (index.kind == IndexKind::kRange) {
        stores = Both(stores, Less(0, index.extent.size));
      }
      if (index.kind != IndexKind::kTile) continue;
      for (const Dim& dim : kernel_.tiles[index.tile].dims) {
        stores = Both(stores, Less(0, dim.size));
      }
    }
    Int at = 0;
    Int stride = 1;
    std::optional<int> gathered;  // what a tile of positions adds
    for (size_t i = last + 1; i-- > first;) {
      const Index& index = indices[i];
      if (index.kind == IndexKind::kTile) {
        gathered = Scalar(Op::kMul, LargestOf(index.tile, out), stride, out);
      } else {
        at = at + LastOf(index) * stride;
      }
      stride = stride * index.dim;
    }
    const int end = NewTile(name, DType::kInt64, {});
    if (!gathered) {
      out.push_back(Full(
          end, IntNumber(Int::Select(stores, FloorDiv(at, inside) + 1, 0))));
      return end;
    }
    int position = Scalar(Op::kAdd, *gathered, at, out);
    if (!inside.Is(1)) {
      position = Scalar(Op::kFloorDiv, position, inside, out);
    }
    position = Scalar(Op::kAdd, position, 1, out);
    out.push_back(Compute(Op::kMul, end, {position, IntNumber(stores)}, line_));
    return end;
  }

  static Int Both(const Int& a, const Int& b) {
    if (a.is_constant()) return a.value() != 0 ? b : a;
    if (b.is_constant()) return b.value() != 0 ? a : b;
    return Int::Of(IntKind::kAnd, a, b);
  }

  int Scalar(Op op, int tile, const Int& number, Block& out) {
    if (op == Op::kMul && number.Is(1)) return tile;
    if (op == Op::kAdd && number.Is(0)) return tile;
    const int result = NewTile("position", DType::kInt64, {});
    out.push_back(Compute(op, result, {tile, IntNumber(number)}, line_));
    return result;
  }

  // The largest element of a tile of positions.
  int LargestOf(int tile, Block& out) {
    const std::vector<Dim> dims = kernel_.tiles[tile].dims;
    const int wide = NewTile("positions", DType::kInt64, dims);
    const int largest = NewTile("largest", DType::kInt64, {});
    out.push_back(Compute(Op::kTo, wide, {tile}, line_));
    auto reduce = Compute(Op::kMax, largest, {wide}, line_);
    for (size_t i = 0; i < dims.size(); ++i) {
      reduce->axes.push_back(static_cast<int>(i));
    }
    out.push_back(reduce);
    return largest;
  }
};

}  // namespace

void MeasureOpenOutputs(ir::Kernel& kernel) { OpenOutputs(kernel).Run(); }

}  // namespace belay::crux::passes
