// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/tensor.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "crux/interpret/arrays.h"
#include "crux/interpret/broadcast.h"
#include "crux/interpret/elementwise.h"

namespace belay::crux::interpret {
namespace {

// Set in a writer that added atomically.
constexpr uint32_t kAdded = uint32_t{1} << 31;

}  // namespace

Shape IndexOf(size_t element, const Shape& shape) {
  Shape index(shape.size());
  for (size_t d = shape.size(); d-- > 0;) {
    const auto size = static_cast<size_t>(shape[d]);
    index[d] = static_cast<int64_t>(element % size);
    element /= size;
  }
  return index;
}

Shape Window::ResultShape() const {
  Shape result;
  for (const Selection& selection : selections) {
    result.insert(result.end(), selection.shape.begin(), selection.shape.end());
  }
  return result;
}

Tensor::Tensor(const Context& context, std::string name, DType dtype,
               Shape shape)
    : name_(std::move(name)),
      data_(NewTile(context, dtype, std::move(shape))),
      defined_(data_->size(), false) {}

Tensor::Tensor(const Context& context, std::string name, const Array& array)
    : name_(std::move(name)), data_(TileOfArray(context, array)) {}

Tensor::Tensor(std::string name, DType dtype, Shape shape)
    : name_(std::move(name)), data_(std::make_shared<Tile>()) {
  data_->dtype = dtype;
  data_->shape = std::move(shape);
}

std::string Tensor::ElementText(const Window& window, size_t element) const {
  return fmt::format("{}[{}]", name_,
                     belay::ToText(IndexOf(element, window.shape)));
}

Tensor::Places Tensor::PlacesOf(const Context& context, const Window& window,
                                How how, bool filled) const {
  const std::vector<size_t> strides = StridesOf(window.shape);
  Places places;
  places.elements = {0};
  bool in_doubt = false;
  bool empty = false;
  for (const Selection& selection : window.selections) {
    in_doubt |= !selection.doubtful.empty();
    empty |= selection.where.empty();
  }
  if (empty) return Places{};
  const Reservation memory(
      *context.budget,
      2 * sizeof(int64_t) * RequireElements(context, window.ResultShape()));
  if (in_doubt) places.doubtful = {false};
  for (size_t d = 0; d < window.selections.size(); ++d) {
    const Selection& selection = window.selections[d];
    Places next;
    next.elements.reserve(places.elements.size() * selection.where.size());
    for (size_t i = 0; i < places.elements.size(); ++i) {
      for (size_t j = 0; j < selection.where.size(); ++j) {
        const int64_t position = selection.where[j];
        const bool inside = position >= 0 && position < window.shape[d];
        if (!inside && !filled) {
          throw Fault(
              how == How::kLoad ? code::kX181 : code::kX182,
              fmt::format("{} {} of `{}` at {} along dimension {}, which has "
                          "{} elements (shape ({}))",
                          how == How::kLoad ? "read" : "store",
                          position < 0 ? "before the start" : "beyond the end",
                          name_, position, d, window.shape[d],
                          belay::ToText(window.shape)),
              how == How::kLoad
                  ? "indices never wrap: give load(…, fill=…) a value for what "
                    "lies outside, or correct the index"
                  : "indices never wrap: correct the index or the loop's "
                    "bounds");
        }
        const bool outside = !inside || places.elements[i] < 0;
        next.elements.push_back(
            outside ? -1
                    : places.elements[i] +
                          position * static_cast<int64_t>(strides[d]));
        if (in_doubt) {
          next.doubtful.push_back(
              places.doubtful[i] ||
              (!selection.doubtful.empty() && selection.doubtful[j]));
        }
      }
    }
    places = std::move(next);
  }
  return places;
}

TilePtr Tensor::Load(const Context& context, const Iterations& iterations,
                     const Window& window, const Tile* fill) {
  const Places places = PlacesOf(context, window, How::kLoad, fill != nullptr);
  auto tile = NewTile(context, dtype(), window.ResultShape());
  for (size_t i = 0; i < places.elements.size(); ++i) {
    if (places.elements[i] < 0) {
      CopyElement(*fill, 0, *tile, i);
    } else {
      const auto element = static_cast<size_t>(places.elements[i]);
      if (!defined(element)) {
        throw Fault(code::kX190,
                    fmt::format("read of {}, which was never stored",
                                ElementText(window, element)),
                    "store every element before it is loaded");
      }
      NoteRead(iterations, window, element);
      CopyElement(*data_, element, *tile, i);
    }
    if (!context.carries_bounds()) continue;
    if (unbounded_ || (!places.doubtful.empty() && places.doubtful[i])) {
      CarryErrors(*tile);
      tile->error[i] = kUnbounded;
    }
  }
  return tile;
}

void Tensor::Store(const Context& context, const Iterations& iterations,
                   const Window& window, const Tile& value) {
  Write(context, iterations, window, value, How::kStore);
}

void Tensor::AtomicAdd(const Context& context, const Iterations& iterations,
                       const Window& window, const Tile& value) {
  Write(context, iterations, window, value, How::kAdd);
}

void Tensor::Write(const Context& context, const Iterations& iterations,
                   const Window& window, const Tile& value, How how) {
  const Places places = PlacesOf(context, window, how, false);
  const Shape result = window.ResultShape();
  if (BroadcastShape(value.shape, result) != result) {
    throw Fault(
        code::kX187,
        fmt::format("a tile of shape ({}) does not broadcast to the "
                    "view of `{}`, whose shape is ({})",
                    belay::ToText(value.shape), name_, belay::ToText(result)),
        "store a tile of the view's shape");
  }
  context.budget->Spend(places.elements.size());
  const auto put = [&](size_t i, const std::array<size_t, 1>& at) {
    const auto element = static_cast<size_t>(places.elements[i]);
    NoteWrite(context, iterations, window, element, how);
    if (how == How::kStore) {
      if (!defined_.empty()) defined_[element] = true;
      if (!data_->error.empty()) data_->error[element] = 0;
      CopyElement(value, at[0], *data_, element);
    } else {
      auto here = NewTile(context, dtype(), {});
      auto more = NewTile(context, dtype(), {});
      CopyElement(*data_, element, *here, 0);
      CopyElement(value, at[0], *more, 0);
      CopyElement(*Binary(context, Op::kAdd, *here, *more), 0, *data_, element);
    }
    if (!context.carries_bounds()) return;
    if (!places.doubtful.empty() && places.doubtful[i]) unbounded_ = true;
  };
  ForEachBroadcast<1>(result, {&value.shape}, put);
}

void Tensor::NoteRead(const Iterations& iterations, const Window& window,
                      size_t element) {
  const IterationId current = iterations.current();
  if (current == 0) return;
  if (!writers_.empty()) {
    const IterationId writer = writers_[element] & ~kAdded;
    if (iterations.Independent(writer, current)) {
      throw Fault(
          code::kX184,
          fmt::format("{} is read by iteration {} and was stored by iteration "
                      "{} of the same `cores` loop",
                      ElementText(window, element), iterations.ToText(current),
                      iterations.ToText(writer)),
          "iterations of `cores` are independent: read it in a later loop");
    }
  }
  // Only what may be written by this program is worth remembering.
  if (first_readers_.empty()) return;
  uint32_t& first = first_readers_[element];
  uint32_t& other = other_readers_[element];
  if (!iterations.InRunningLoop(first)) {
    first = other = current;
  } else if (first != current) {
    other = current;
  }
}

void Tensor::NoteWrite(const Context& context, const Iterations& iterations,
                       const Window& window, size_t element, How how) {
  const IterationId current = iterations.current();
  if (how == How::kAdd && !defined(element)) {
    throw Fault(code::kX190,
                fmt::format("atomic_add to {}, which was never stored",
                            ElementText(window, element)),
                "store zeros there in an earlier `cores` loop");
  }
  if (current == 0) return;
  if (writers_.empty()) {
    memory_.emplace_back(*context.budget, data_->size() * sizeof(uint32_t));
    writers_.resize(data_->size());
  }
  const bool added = (writers_[element] & kAdded) != 0;
  const IterationId writer = writers_[element] & ~kAdded;
  const bool both_add = added && how == How::kAdd;
  if (!both_add && iterations.Independent(writer, current)) {
    throw Fault(
        code::kX183,
        fmt::format("{} is stored by two iterations of one `cores` loop: {} "
                    "and {}",
                    ElementText(window, element), iterations.ToText(writer),
                    iterations.ToText(current)),
        "iterations of `cores` are independent: let each store its own "
        "elements, or combine with across_cores or atomic_add");
  }
  if (!first_readers_.empty()) {
    for (const IterationId reader :
         {first_readers_[element], other_readers_[element]}) {
      if (!iterations.Independent(reader, current)) continue;
      throw Fault(
          code::kX184,
          fmt::format("{} is stored by iteration {} and was read by iteration "
                      "{} of the same `cores` loop",
                      ElementText(window, element), iterations.ToText(current),
                      iterations.ToText(reader)),
          "iterations of `cores` are independent: store it in a later loop");
    }
  }
  writers_[element] = current | (how == How::kAdd ? kAdded : 0);
}

void Tensor::WatchReads(const Context& context) {
  if (!first_readers_.empty()) return;
  memory_.emplace_back(*context.budget, data_->size() * 2 * sizeof(uint32_t));
  first_readers_.resize(data_->size());
  other_readers_.resize(data_->size());
}

}  // namespace belay::crux::interpret
