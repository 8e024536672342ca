// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_TENSOR_H_
#define BELAY_CRUX_INTERPRET_TENSOR_H_

// Tensors in global memory: every load and store of a program passes here,
// where it is checked.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/npy.h"
#include "crux/interpret/iterations.h"
#include "crux/interpret/value.h"

namespace belay::crux::interpret {

// What one subscript takes of a dimension.
struct Selection {
  Shape shape;                 // what it adds to the shape of the view
  std::vector<int64_t> where;  // positions, in C order of `shape`
  // Whether rounding may have changed an index: for each position, or empty.
  std::vector<bool> doubtful;
};

// A view: a tensor seen under a shape of as many elements, and one selection
// for each of its dimensions.
struct Window {
  Shape shape;
  std::vector<Selection> selections;

  Shape ResultShape() const;
};

class Tensor {
 public:
  // All elements undefined.
  Tensor(const Context& context, std::string name, DType dtype, Shape shape);
  // Holds an array.
  Tensor(const Context& context, std::string name, const Array& array);
  // Has a shape alone: must not be loaded from or stored to.
  Tensor(std::string name, DType dtype, Shape shape);

  const std::string& name() const { return name_; }
  DType dtype() const { return data_->dtype; }
  const Shape& shape() const { return data_->shape; }
  TilePtr data() const { return data_; }

  // Elements outside become `fill`; without one (null) they are a Fault
  // (BLY-X181). So is reading what was never stored (BLY-X190) or what another
  // iteration of a running `cores` loop stored (BLY-X184).
  TilePtr Load(const Context& context, const Iterations& iterations,
               const Window& window, const Tile* fill);

  // The value is broadcast to the window. Faults: outside (BLY-X182), an
  // element that another iteration stored (BLY-X183) or read (BLY-X184).
  void Store(const Context& context, const Iterations& iterations,
             const Window& window, const Tile& value);

  // The same, adding: iterations that add may meet. An element never stored is
  // a Fault (BLY-X190).
  void AtomicAdd(const Context& context, const Iterations& iterations,
                 const Window& window, const Tile& value);

  // Remembers who read what, for tensors that are both read and written.
  void WatchReads(const Context& context);

  bool defined(size_t element) const {
    return defined_.empty() || defined_[element];
  }
  // Whether bounds mean nothing: a store went to a doubtful place.
  bool unbounded() const { return unbounded_; }

 private:
  enum class How { kLoad, kStore, kAdd };

  // For each element of the window its place, -1 outside, and whether that is
  // in doubt (empty: nowhere).
  struct Places {
    std::vector<int64_t> elements;
    std::vector<bool> doubtful;
  };
  Places PlacesOf(const Context& context, const Window& window, How how,
                  bool filled) const;
  void Write(const Context& context, const Iterations& iterations,
             const Window& window, const Tile& value, How how);
  void NoteRead(const Iterations& iterations, const Window& window,
                size_t element);
  void NoteWrite(const Context& context, const Iterations& iterations,
                 const Window& window, size_t element, How how);
  std::string ElementText(const Window& window, size_t element) const;

  std::string name_;
  std::shared_ptr<Tile> data_;
  std::vector<bool> defined_;  // empty: all are
  // The last iteration that wrote an element, kAdded set when it added; the
  // first and the last other one that read it. Empty: none did.
  std::vector<uint32_t> writers_;
  std::vector<uint32_t> first_readers_;
  std::vector<uint32_t> other_readers_;
  std::vector<Reservation> memory_;
  bool unbounded_ = false;
};

// Of an element under a shape.
Shape IndexOf(size_t element, const Shape& shape);

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_TENSOR_H_
