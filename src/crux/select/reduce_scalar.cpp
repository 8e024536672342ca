// SPDX-License-Identifier: Apache-2.0
#include "crux/select/reduce_scalar.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "crux/ir/limits.h"

namespace belay::crux::select {
namespace {

using ir::Dim;

ScalarPtr NeutralOf(Op op, DType dtype) {
  const double infinity = std::numeric_limits<double>::infinity();
  switch (op) {
    case Op::kProd:
      return IsFloating(dtype) ? Real(dtype, 1) : Whole(dtype, 1);
    case Op::kMax:
    case Op::kAny:
      return IsFloating(dtype) ? Real(dtype, -infinity)
                               : Whole(dtype, ir::LowestOf(dtype));
    case Op::kMin:
    case Op::kAll:
      return IsFloating(dtype) ? Real(dtype, infinity)
                               : Whole(dtype, ir::HighestOf(dtype));
    default:
      return IsFloating(dtype) ? Real(dtype, 0) : Whole(dtype, 0);
  }
}

// Whether `a` comes before `b`: strictly larger (or smaller), or NaN where the
// other is none.
ScalarPtr Beats(DType dtype, bool largest, const ScalarPtr& a,
                const ScalarPtr& b) {
  const ScalarPtr better =
      largest ? Binary(dtype, "<", b, a) : Binary(dtype, "<", a, b);
  if (!IsFloating(dtype)) return better;
  const ScalarPtr is_nan = Binary(dtype, "!=", a, a);
  const ScalarPtr other_is = Binary(dtype, "!=", b, b);
  return Binary(DType::kBool, "||", better,
                Binary(DType::kBool, "&&", is_nan, Unary("!", other_is)));
}

ScalarPtr Combined(Op op, DType dtype, const ScalarPtr& a, const ScalarPtr& b) {
  switch (op) {
    case Op::kSum:
      return Binary(dtype, "+", a, b);
    case Op::kProd:
      return Binary(dtype, "*", a, b);
    case Op::kMax:
    case Op::kAny:
      return Choose(Beats(dtype, true, b, a), b, a);
    case Op::kMin:
    case Op::kAll:
      return Choose(Beats(dtype, false, b, a), b, a);
    default:
      throw InternalError("[crux] no reduction of the scalar unit");
  }
}

// The indices of the result for an element of the operand.
std::vector<Int> Kept(const std::vector<Int>& at, const std::vector<int>& axes,
                      size_t rank) {
  std::vector<Int> result;
  const bool keeps = rank == at.size();
  for (size_t i = 0; i < at.size(); ++i) {
    const bool reduced =
        std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end();
    if (!reduced) {
      result.push_back(at[i]);
    } else if (keeps) {
      result.emplace_back(0);
    }
  }
  return result;
}

void FindPositions(Emitter& emitter, const ir::Stmt& stmt) {
  const int source = std::get<int>(stmt.operands[0]);
  const int result = stmt.results[0];
  const DType dtype = emitter.DtypeOf(source);
  const Layout from = emitter.LayoutOf(source);
  const Layout to = emitter.LayoutOf(result);
  const size_t rank = emitter.TileOf(result).dims.size();
  std::vector<int> axes = stmt.axes;
  const std::vector<Dim>& dims = emitter.TileOf(source).dims;
  const bool flat = axes.empty();
  if (flat) {
    for (size_t i = 0; i < dims.size(); ++i)
      axes.push_back(static_cast<int>(i));
  }
  std::vector<Dim> outer = dims;
  std::vector<Dim> inner(dims.size(), Dim{1, 1});
  for (const int axis : axes) {
    inner[axis] = outer[axis];
    outer[axis] = {1, 1};
  }
  const Local best = emitter.Scratch(dtype, 1, "best");
  ForEachElement(emitter, outer, [&](const std::vector<Int>& at) {
    const Int place = to.Offset(Kept(at, axes, rank));
    emitter.SetValue(emitter.At(result, place), Whole(DType::kInt32, 0));
    emitter.SetValue(best, Element(dtype, emitter.At(source, from.Offset(at))));
    ForEachElement(emitter, inner, [&](const std::vector<Int>& within) {
      std::vector<Int> where = at;
      Int position = 0;
      for (size_t i = 0; i < where.size(); ++i) {
        if (dims[i].is_one() || inner[i].is_one()) continue;
        where[i] = within[i];
        position = position * inner[i].size + within[i];
      }
      const ScalarPtr value = emitter.LetScalar(
          "value", Element(dtype, emitter.At(source, from.Offset(where))));
      const Int wins = emitter.LetInt(
          "wins",
          Beats(dtype, stmt.op == Op::kArgmax, value, Element(dtype, best)));
      emitter.If(wins, [&] {
        emitter.SetValue(best, value);
        emitter.SetValue(emitter.At(result, place),
                         Whole(DType::kInt32, position));
      });
    });
  });
}

}  // namespace

void ReduceByScalars(Emitter& emitter, const ir::Stmt& stmt) {
  if (stmt.op == Op::kArgmax || stmt.op == Op::kArgmin) {
    return FindPositions(emitter, stmt);
  }
  const int source = std::get<int>(stmt.operands[0]);
  const int result = stmt.results[0];
  const DType dtype = emitter.DtypeOf(source);
  const Layout from = emitter.LayoutOf(source);
  const Layout to = emitter.LayoutOf(result);
  const std::vector<Dim>& dims = emitter.TileOf(result).dims;
  ForEachElement(emitter, dims, [&](const std::vector<Int>& at) {
    emitter.SetValue(emitter.At(result, to.Offset(at)),
                     NeutralOf(stmt.op, dtype));
  });
  ForEachElement(
      emitter, emitter.TileOf(source).dims, [&](const std::vector<Int>& at) {
        const Local place =
            emitter.At(result, to.Offset(Kept(at, stmt.axes, dims.size())));
        ScalarPtr so_far = Element(dtype, place);
        ScalarPtr value = Element(dtype, emitter.At(source, from.Offset(at)));
        if (stmt.op != Op::kSum && stmt.op != Op::kProd) {
          // Compared and chosen: read once.
          so_far = emitter.LetScalar("so_far", std::move(so_far));
          value = emitter.LetScalar("value", std::move(value));
        }
        emitter.SetValue(place, Combined(stmt.op, dtype, so_far, value));
      });
}

}  // namespace belay::crux::select
