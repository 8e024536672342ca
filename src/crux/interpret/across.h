// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_ACROSS_H_
#define BELAY_CRUX_INTERPRET_ACROSS_H_

// across_cores: one value combined over the iterations of `cores` loops, in the
// order of the iterations. The bound of a sum holds for every order.

#include <map>
#include <vector>

#include "crux/interpret/any_order.h"
#include "crux/interpret/tensor.h"
#include "crux/interpret/value.h"
#include "crux/operations.h"

namespace belay::crux::interpret {

class Across {
 public:
  // `combine`: sum, max, min, any, all, cumsum.
  Across(const Context& context, Op combine, DType dtype, const Shape& shape);

  const Shape& shape() const { return total_->shape; }

  // Combines the part that `selections` choose, one for each dimension (none:
  // all of it), with `value`, broadcast. `positions` is where the `cores`
  // loops around stand.
  void Update(const Context& context, const std::vector<Selection>& selections,
              const Tile& value, const std::vector<int64_t>& positions);

  TilePtr total() const { return total_; }

  // cumsum: what iterations at positions before these added.
  TilePtr Prefix(const Context& context, const std::vector<int64_t>& positions);

 private:
  TilePtr Combined(const Context& context, const TilePtr& before,
                   const std::vector<Selection>& selections,
                   const Tile& value) const;
  // Gives what of the total `selections` choose, and `value` was added to, the
  // bound of a sum in any order.
  void BoundAnyOrder(const Context& context,
                     const std::vector<Selection>& selections,
                     const Tile& value);

  Op step_;
  bool prefixes_;
  TilePtr neutral_;
  TilePtr total_;
  std::vector<AnyOrderSum> terms_;  // of each element; none: not wanted
  std::map<std::vector<int64_t>, TilePtr> added_;
  // Exclusive prefixes of added_, made when first asked for.
  std::map<std::vector<int64_t>, TilePtr> prefix_;
};

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_ACROSS_H_
