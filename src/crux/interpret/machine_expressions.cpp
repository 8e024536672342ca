// SPDX-License-Identifier: Apache-2.0
// Values of expressions of the typed tree.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/catalogue.h"
#include "base/error.h"
#include "crux/interpret/elementwise.h"
#include "crux/interpret/machine.h"
#include "crux/interpret/reshape.h"

namespace belay::crux::interpret {
namespace {

using typed::Expr;
using typed::ExprKind;
using typed::Subscript;
using typed::SubscriptKind;

// Far beyond what anybody writes, and small for the stack.
constexpr int kDeepest = 2000;

Selection SelectRange(const Context& context, const Range& range) {
  context.budget->RequireTile(static_cast<uint64_t>(range.count));
  context.budget->Spend(static_cast<uint64_t>(range.count));
  Selection selection;
  selection.shape = {range.count};
  selection.where.reserve(static_cast<size_t>(range.count));
  for (int64_t i = 0; i < range.count; ++i) {
    selection.where.push_back(range.at(i));
  }
  return selection;
}

int64_t ProductOf(std::span<const int64_t> sizes) {
  int64_t product = 1;
  bool overflow = false;
  for (const int64_t size : sizes) {
    if (size == 0) return 0;
    overflow |= __builtin_mul_overflow(product, size, &product);
  }
  if (overflow) {
    throw Fault(code::kX193, "sizes whose product does not fit in 64 bits",
                "use smaller tensors");
  }
  return product;
}

// Where a dimension counted from the end lies.
size_t DimensionOf(int64_t dim, size_t rank) {
  const auto count = static_cast<int64_t>(rank);
  if (dim < -count || dim >= count) {
    throw Fault(
        code::kX193,
        fmt::format("dimension {} of a tensor of {} dimensions", dim, rank),
        "dimensions count from 0, or from -1 backwards");
  }
  return static_cast<size_t>(dim < 0 ? dim + count : dim);
}

Shape Around(const Shape& shape, int64_t dim) {
  const size_t at = DimensionOf(dim, shape.size());
  const std::span<const int64_t> sizes(shape);
  return {ProductOf(sizes.first(at)), shape[at],
          ProductOf(sizes.subspan(at + 1))};
}

}  // namespace

DType Machine::DtypeOf(const Element& element) const {
  if (element.variable == nullptr) return element.dtype;
  const auto found = dtypes_.find(element.variable);
  if (found != dtypes_.end()) return found->second;
  // No parameter uses it: one of its line that one does decides, else the
  // first it allows.
  for (const auto& [variable, dtype] : dtypes_) {
    if (variable->group != element.variable->group) continue;
    for (size_t i = 0; i < variable->allowed.size(); ++i) {
      if (variable->allowed[i] == dtype) return element.variable->allowed[i];
    }
  }
  return element.variable->allowed.front();
}

int64_t Machine::ToInteger(const Value& value) {
  if (const auto* whole = std::get_if<int64_t>(&value.data)) return *whole;
  if (const auto* tile = std::get_if<TilePtr>(&value.data)) {
    if ((*tile)->ErrorAt(0) != 0) doubtful_ = true;
    return (*tile)->whole.at(0);
  }
  if (const auto* range = std::get_if<Range>(&value.data)) return range->count;
  throw InternalError("[interpret] a value that is no integer");
}

int64_t Machine::IntegerOf(const Expr& expr) {
  return ToInteger(Evaluate(expr));
}

int64_t Machine::SizeOf(const Expr& expr) {
  const int64_t size = IntegerOf(expr);
  if (size < 0) {
    place_ = &expr.range;
    throw Fault(code::kX193, fmt::format("a size of {}", size),
                "sizes cannot be negative: check the host lines");
  }
  return size;
}

Shape Machine::SizesOf(const Expr& expr) {
  Shape shape;
  if (expr.kind != ExprKind::kTuple) return {IntegerOf(expr)};
  for (const Expr* size : expr.args) shape.push_back(IntegerOf(*size));
  return shape;
}

bool Machine::HostBoolOf(const Expr& expr) {
  return std::get<int64_t>(Evaluate(expr).data) != 0;
}

bool Machine::FlagOf(const Expr* expr, bool fallback) {
  return expr == nullptr ? fallback : HostBoolOf(*expr);
}

TilePtr Machine::TileOf(const Expr& expr) {
  const Value value = Evaluate(expr);
  if (const auto* tile = std::get_if<TilePtr>(&value.data)) return *tile;
  if (const auto* whole = std::get_if<int64_t>(&value.data)) {
    return WholeScalar(context_, DType::kInt64, *whole);
  }
  throw InternalError("[interpret] a value that is no tile");
}

TilePtr Machine::ToScalar(const Value& value, DType dtype) {
  if (const auto* tile = std::get_if<TilePtr>(&value.data)) {
    if ((*tile)->dtype == dtype) return *tile;
    return Convert(context_, **tile, dtype, Round::kRint);
  }
  if (const auto* real = std::get_if<double>(&value.data)) {
    return ScalarOf(context_, dtype, *real);
  }
  const auto whole = std::get<int64_t>(value.data);
  if (IsFloating(dtype)) {
    return ScalarOf(context_, dtype, static_cast<double>(whole));
  }
  const int64_t wrapped = WrapTo(dtype, static_cast<uint64_t>(whole));
  if (wrapped != whole || (dtype == DType::kUint64 && whole < 0)) {
    throw Fault(
        code::kX188,
        fmt::format("{} does not fit in {}", whole, belay::NameOf(dtype)),
        "use a wider dtype");
  }
  return WholeScalar(context_, dtype, whole);
}

Value Machine::FromHost(const Expr& expr) {
  return {ToScalar(Evaluate(*expr.args[0]), DtypeOf(expr.type.element))};
}

TensorRef Machine::EvaluateTensor(const Expr& expr) {
  Value value = Evaluate(expr);
  if (auto* ref = std::get_if<TensorRef>(&value.data)) return std::move(*ref);
  throw InternalError("[interpret] a value that is no tensor");
}

Selection Machine::SelectionOf(const Subscript& subscript, int64_t size) {
  Selection selection;
  switch (subscript.kind) {
    case SubscriptKind::kPoint: {
      const Value value = Evaluate(*subscript.value);
      if (const auto* tile = std::get_if<TilePtr>(&value.data)) {
        selection.where = {(*tile)->whole.at(0)};
        if ((*tile)->ErrorAt(0) != 0) selection.doubtful = {true};
      } else {
        selection.where = {ToInteger(value)};
      }
      return selection;
    }
    case SubscriptKind::kRange: {
      const Range range = std::get<Range>(Evaluate(*subscript.value).data);
      return SelectRange(context_, range);
    }
    case SubscriptKind::kSlice: {
      const int64_t low =
          subscript.low == nullptr ? 0 : IntegerOf(*subscript.low);
      const int64_t high =
          subscript.high == nullptr ? size : IntegerOf(*subscript.high);
      const int64_t step =
          subscript.step == nullptr ? 1 : IntegerOf(*subscript.step);
      if (step <= 0) {
        throw Fault(code::kX193, fmt::format("a slice of step {}", step),
                    "steps are positive");
      }
      if (high < low) {
        throw Fault(code::kX193,
                    fmt::format("a slice from {} to {}", low, high),
                    "a slice must not end before it begins");
      }
      const int64_t count = (high - low) / step + ((high - low) % step != 0);
      return SelectRange(context_, {low, count, step});
    }
    case SubscriptKind::kGather: {
      const TilePtr tile = TileOf(*subscript.value);
      selection.shape = tile->shape;
      selection.where = tile->whole;
      if (tile->dtype == DType::kUint64) {
        // Beyond every tensor, and not before its start.
        for (int64_t& at : selection.where) {
          if (at < 0) at = std::numeric_limits<int64_t>::max();
        }
      }
      if (HasErrors(*tile)) {
        for (const double error : tile->error) {
          selection.doubtful.push_back(error != 0);
        }
      }
      return selection;
    }
    case SubscriptKind::kNewAxis:
      break;
  }
  throw InternalError("[interpret] None selects no dimension");
}

std::vector<Selection> Machine::SelectionsOf(
    const std::vector<Subscript>& subscripts, const Shape& shape) {
  std::vector<Selection> selections;
  for (const Subscript& subscript : subscripts) {
    if (subscript.kind == SubscriptKind::kNewAxis) continue;
    selections.push_back(SelectionOf(subscript, shape.at(selections.size())));
  }
  while (selections.size() < shape.size()) {
    selections.push_back(
        SelectRange(context_, {0, shape[selections.size()], 1}));
  }
  return selections;
}

std::pair<TensorPtr, Window> Machine::WindowOf(const Expr& view) {
  TensorRef ref = EvaluateTensor(*view.args[0]);
  Window window;
  window.shape = ref.shape;
  window.selections = SelectionsOf(view.subscripts, window.shape);
  return {ref.tensor, std::move(window)};
}

TilePtr Machine::Subscripted(const Expr& expr) {
  const TilePtr tile = TileOf(*expr.args[0]);
  place_ = &expr.range;
  const std::vector<Selection> selections =
      SelectionsOf(expr.subscripts, tile->shape);
  const TilePtr selected = Select(context_, *tile, selections);
  Shape shape;
  size_t next = 0;
  const auto take = [&] {
    const Shape& part = selections[next++].shape;
    shape.insert(shape.end(), part.begin(), part.end());
  };
  for (const Subscript& subscript : expr.subscripts) {
    if (subscript.kind == SubscriptKind::kNewAxis) {
      shape.push_back(1);
    } else {
      take();
    }
  }
  while (next < selections.size()) take();
  return shape == selected->shape ? selected
                                  : Reshape(context_, *selected, shape);
}

TilePtr Machine::PrefixOf(const Expr& expr) {
  const auto across =
      std::get<std::shared_ptr<Across>>(Evaluate(*expr.args[0]).data);
  std::vector<int64_t> positions;
  for (size_t i = 1; i < expr.args.size(); ++i) {
    const Value value = Evaluate(*expr.args[i]);
    const auto* range = std::get_if<Range>(&value.data);
    positions.push_back(range != nullptr ? range->start : ToInteger(value));
  }
  return across->Prefix(context_, positions);
}

Value Machine::EvaluateProperty(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kTensorSize:
      return {ProductOf(EvaluateTensor(*expr.args[0]).shape)};
    case ExprKind::kTensorRank:
      return {static_cast<int64_t>(EvaluateTensor(*expr.args[0]).shape.size())};
    case ExprKind::kDimension: {
      const Shape shape = EvaluateTensor(*expr.args[0]).shape;
      return {shape[DimensionOf(IntegerOf(*expr.args[1]), shape.size())]};
    }
    case ExprKind::kListCount: {
      const Value list = Evaluate(*expr.args[0]);
      if (const auto* whole = std::get_if<WholeList>(&list.data)) {
        return {static_cast<int64_t>((*whole)->size())};
      }
      const auto& tensors = *std::get<std::shared_ptr<TensorList>>(list.data);
      return {static_cast<int64_t>(tensors.size())};
    }
    default:
      break;
  }
  const Range range = std::get<Range>(Evaluate(*expr.args[0]).data);
  switch (expr.kind) {
    case ExprKind::kRangeStart:
      return {range.start};
    case ExprKind::kRangeStop:
      // One past the last position; of an empty range its start.
      return range.count == 0
                 ? Value{range.start}
                 : HostOperation(Op::kAdd,
                                 {{range.at(range.count - 1)}, {int64_t{1}}});
    default:
      return {range.count};
  }
}

Value Machine::Evaluate(const Expr& expr) {
  // Names of views stand for what they were made of, so that a few lines can
  // make an expression deep, or one that is evaluated very often.
  budget_.Spend(1);
  if (depth_ == kDeepest) {
    throw Fault(code::kX186,
                fmt::format("an expression of more than {} parts inside each "
                            "other",
                            kDeepest),
                "make views of tensors from the tensor itself");
  }
  const SourceRange* outside = place_;
  place_ = &expr.range;
  ++depth_;
  Value value = EvaluateHere(expr);
  --depth_;
  place_ = outside;
  return value;
}

Value Machine::EvaluateHere(const Expr& expr) {
  switch (expr.kind) {
    case ExprKind::kLiteral:
      switch (expr.type.kind) {
        case TypeKind::kHostFloat:
          return {expr.real};
        case TypeKind::kHostString:
          return {expr.text};
        default:
          return {expr.integer};
      }
    case ExprKind::kSize: {
      if (element_ != nullptr) {
        const auto own = element_->sizes.find(expr.text);
        if (own != element_->sizes.end()) return {own->second};
      }
      const auto found = names_.sizes.find(expr.text);
      if (found != names_.sizes.end()) return {found->second};
      throw Fault(
          code::kX180,
          fmt::format("no argument of this call binds size {}", expr.text),
          "give the optional tensor whose shape binds it");
    }
    case ExprKind::kPackSize: {
      const auto found = names_.packs.find(expr.text);
      if (found != names_.packs.end()) return {ProductOf(found->second)};
      throw Fault(code::kX180,
                  fmt::format("no argument of this call binds *{}", expr.text),
                  "give the optional tensor whose shape binds it");
    }
    case ExprKind::kParameter: {
      const Value& value = ParameterValue(*expr.parameter);
      if (!value.absent()) return value;
      throw Fault(code::kX194,
                  fmt::format("`{}` was not given", expr.parameter->name),
                  "use it under `if present(…):` only");
    }
    case ExprKind::kVariable: {
      const Value& value = variables_[static_cast<size_t>(expr.variable->id)];
      if (!value.absent()) return value;
      throw Fault(code::kX193,
                  fmt::format("`{}` has no value in this variant of the kernel",
                              expr.variable->name),
                  "assign it before it is used, on every path");
    }
    case ExprKind::kLoopIndex:
      return loop_values_[static_cast<size_t>(expr.loop->id)];
    case ExprKind::kAuto:
      return {options_.auto_tile};
    case ExprKind::kTuple: {
      auto tuple = std::make_shared<Tuple>();
      for (const Expr* member : expr.args) tuple->push_back(Evaluate(*member));
      return {std::move(tuple)};
    }
    case ExprKind::kOperation:
      return EvaluateOperation(expr);
    case ExprKind::kFromHost:
      return FromHost(expr);
    case ExprKind::kSelect:
      return Evaluate(HostBoolOf(*expr.args[1]) ? *expr.args[0]
                                                : *expr.args[2]);
    case ExprKind::kHostElement: {
      const Value list = Evaluate(*expr.args[0]);
      const auto& values = *std::get<WholeList>(list.data);
      const int64_t at = IntegerOf(*expr.args[1]);
      if (at < 0 || at >= static_cast<int64_t>(values.size())) {
        throw Fault(code::kX181,
                    fmt::format("element {} of a list of {} integers", at,
                                values.size()),
                    "indices never wrap: stay below the length of the list");
      }
      return {values[static_cast<size_t>(at)]};
    }
    case ExprKind::kHostLogic: {
      if (expr.text == "not") {
        return {static_cast<int64_t>(!HostBoolOf(*expr.args[0]))};
      }
      const bool settles = expr.text == "or";
      for (const Expr* arg : expr.args) {
        if (HostBoolOf(*arg) == settles) return {static_cast<int64_t>(settles)};
      }
      return {static_cast<int64_t>(!settles)};
    }
    case ExprKind::kDtypeIs:
      return {static_cast<int64_t>(DtypeOf(expr.args[0]->type.element) ==
                                   DtypeOf(expr.args[1]->type.element))};
    case ExprKind::kListElement: {
      const auto list =
          std::get<std::shared_ptr<TensorList>>(Evaluate(*expr.args[0]).data);
      const int64_t at = IntegerOf(*expr.args[1]);
      if (at < 0 || at >= static_cast<int64_t>(list->size())) {
        throw Fault(code::kX181,
                    fmt::format("tensor {} of a list of {}", at, list->size()),
                    "indices never wrap: stay below the length of the list");
      }
      const TensorPtr& tensor = (*list)[static_cast<size_t>(at)];
      return {TensorRef{tensor, tensor->shape()}};
    }
    case ExprKind::kFlat: {
      TensorRef ref = EvaluateTensor(*expr.args[0]);
      ref.shape = {ProductOf(ref.shape)};
      return {std::move(ref)};
    }
    case ExprKind::kReshaped: {
      TensorRef ref = EvaluateTensor(*expr.args[0]);
      Shape asked;
      for (size_t i = 1; i < expr.args.size(); ++i) {
        asked.push_back(IntegerOf(*expr.args[i]));
      }
      ref.shape = CompletedShape(asked, ProductOf(ref.shape));
      return {std::move(ref)};
    }
    case ExprKind::kAround: {
      TensorRef ref = EvaluateTensor(*expr.args[0]);
      ref.shape = Around(ref.shape, IntegerOf(*expr.args[1]));
      return {std::move(ref)};
    }
    case ExprKind::kSubscript:
      return {Subscripted(expr)};
    case ExprKind::kAcrossValue:
      return {std::get<std::shared_ptr<Across>>(Evaluate(*expr.args[0]).data)
                  ->total()};
    case ExprKind::kAcrossPrefix:
      return {PrefixOf(expr)};
    case ExprKind::kItem: {
      const auto tuple =
          std::get<std::shared_ptr<Tuple>>(Evaluate(*expr.args[0]).data);
      return tuple->at(static_cast<size_t>(expr.item));
    }
    case ExprKind::kTensorSize:
    case ExprKind::kTensorRank:
    case ExprKind::kDimension:
    case ExprKind::kListCount:
    case ExprKind::kRangeStart:
    case ExprKind::kRangeStop:
    case ExprKind::kRangeSize:
      return EvaluateProperty(expr);
    case ExprKind::kFunction:
    case ExprKind::kType:
    case ExprKind::kView:
      break;
  }
  throw InternalError("[interpret] an expression without a value");
}

}  // namespace belay::crux::interpret
