// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/across.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "crux/interpret/broadcast.h"
#include "crux/interpret/elementwise.h"
#include "crux/interpret/reduce.h"
#include "crux/interpret/reshape.h"

namespace belay::crux::interpret {

Across::Across(const Context& context, Op combine, DType dtype,
               const Shape& shape)
    : step_(combine == Op::kCumsum ? Op::kAdd : ReductionStep(combine)),
      prefixes_(combine == Op::kCumsum) {
  auto neutral = NewTile(context, dtype, shape);
  SetNeutral(combine, *neutral);
  neutral_ = neutral;
  total_ = neutral;
  if (combine == Op::kSum && neutral->floating() && context.carries_bounds()) {
    terms_.resize(neutral->size());
  }
}

TilePtr Across::Combined(const Context& context, const TilePtr& before,
                         const std::vector<Selection>& selections,
                         const Tile& value) const {
  const TilePtr part =
      selections.empty() ? before : Select(context, *before, selections);
  if (BroadcastShape(part->shape, value.shape) != part->shape) {
    throw Fault(
        code::kX187,
        fmt::format("a tile of shape ({}) does not broadcast to the "
                    "across_cores value of shape ({})",
                    belay::ToText(value.shape), belay::ToText(part->shape)),
        "add a tile of the value's shape");
  }
  const TilePtr updated = Binary(context, step_, *part, value);
  if (selections.empty()) return updated;
  auto whole = Reshape(context, *before, before->shape);
  auto changed = std::const_pointer_cast<Tile>(whole);
  const std::vector<size_t> elements =
      SelectedElements(context, before->shape, selections);
  for (size_t i = 0; i < elements.size(); ++i) {
    CopyElement(*updated, i, *changed, elements[i]);
  }
  return changed;
}

void Across::BoundAnyOrder(const Context& context,
                           const std::vector<Selection>& selections,
                           const Tile& value) {
  const auto total = std::const_pointer_cast<Tile>(total_);
  if (total->error.empty()) CarryErrors(*total);
  const auto take = [&](size_t element, size_t term) {
    AnyOrderSum& sum = terms_[element];
    sum.Take(value.real[term], value.ErrorAt(term));
    total->error[element] = std::max(
        total->error[element], sum.Bound(total->dtype, total->real[element]));
  };
  if (selections.empty()) {
    ForEachBroadcast<1>(total->shape, {&value.shape},
                        [&](size_t i, const auto& at) { take(i, at[0]); });
    return;
  }
  const Shape part = Select(context, *total_, selections)->shape;
  const std::vector<size_t> elements =
      SelectedElements(context, total->shape, selections);
  ForEachBroadcast<1>(part, {&value.shape}, [&](size_t i, const auto& at) {
    take(elements[i], at[0]);
  });
}

void Across::Update(const Context& context,
                    const std::vector<Selection>& selections, const Tile& value,
                    const std::vector<int64_t>& positions) {
  if (!prefixes_) {
    total_ = Combined(context, total_, selections, value);
    if (!terms_.empty()) BoundAnyOrder(context, selections, value);
    return;
  }
  prefix_.clear();
  TilePtr& added = added_[positions];
  added =
      Combined(context, added == nullptr ? neutral_ : added, selections, value);
}

TilePtr Across::Prefix(const Context& context,
                       const std::vector<int64_t>& positions) {
  if (prefix_.empty()) {
    TilePtr sum = neutral_;
    for (const auto& [at, added] : added_) {
      prefix_[at] = sum;
      sum = Binary(context, step_, *sum, *added);
    }
    total_ = sum;
  }
  const auto next = prefix_.lower_bound(positions);
  return next == prefix_.end() ? total_ : next->second;
}

}  // namespace belay::crux::interpret
