// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_TYPE_H_
#define BELAY_CRUX_TYPE_H_

// What an expression of Crux is: its kind, dtype and symbolic shape.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "crux/operations.h"
#include "crux/size.h"

namespace belay::crux {

// The dtypes of Crux, in the order messages list them.
std::span<const DType> AllDtypes();

// `T = dtype(f16, f32)`. Variables of one `dtypes` line share a group; the
// i-th entries of `allowed` of a group belong together.
struct DtypeVariable {
  std::string name;
  int group = 0;
  std::vector<DType> allowed;  // may repeat in a group
};

// A dtype, or a variable that stands for one of several.
struct Element {
  DType dtype = DType::kNone;               // if variable is null
  const DtypeVariable* variable = nullptr;  // owned by the typed::Program

  bool known() const { return variable || dtype != DType::kNone; }
};

// Of positions within tiles.
inline constexpr Element kIndexElement = {DType::kInt32, nullptr};

// Same for every instance. A variable that allows one dtype only is that.
bool Equal(const Element& a, const Element& b);

// The dtypes it may stand for.
std::vector<DType> InstancesOf(const Element& element);

// "f32", "T".
std::string ToText(const Element& element);

// The first dtype of `element` that `allowed` does not hold, if there is one.
std::optional<DType> FirstRefused(const Element& element, OpDtypes allowed);
bool Allows(OpDtypes allowed, DType dtype);

enum class TypeKind : uint8_t {
  kError,      // a message has been given; followers keep silent
  kNothing,    // store, atomic_add
  kHostInt,    // sizes, int attributes, integer literals
  kHostFloat,  // float attributes, literals, inf, nan
  kHostBool,   // conditions that select variants
  kHostString,
  kHostList,    // list(int) attributes and value(…): element of the list is int
  kIndex,       // an integer on the device without a dtype: loop indices and
                // arithmetic on them; takes the dtype of a tile it meets
  kRange,       // dims[0] = its extent
  kTile,        // element, dims; no dims: a scalar on the device
  kTensor,      // element, dims; in GM, to be indexed. A dim may be a pack
  kTensorList,  // element, dims of its elements
  kView,        // element, dims of what a load gives
  kAcross,      // element, dims; combine
  kTuple,       // members
  kType,        // element, dims: f32[i, j] or a dtype as an argument
  kFunction,    // the name of a reduction as an argument: combine
  kAuto,        // tile=auto
};

struct Type {
  TypeKind kind = TypeKind::kError;
  Element element;
  std::vector<Size> dims;
  Op combine = Op::kSum;      // kAcross, kFunction
  std::vector<Type> members;  // kTuple

  int rank() const { return static_cast<int>(dims.size()); }
  bool is_error() const { return kind == TypeKind::kError; }
  bool is_tile() const { return kind == TypeKind::kTile; }
  bool is_scalar_tile() const { return is_tile() && dims.empty(); }
  // A number of the host: takes the dtype of a tile it meets.
  bool is_host_number() const {
    return kind == TypeKind::kHostInt || kind == TypeKind::kHostFloat;
  }
  bool is_host() const {
    return is_host_number() || kind == TypeKind::kHostBool ||
           kind == TypeKind::kHostString || kind == TypeKind::kHostList;
  }
};

bool Equal(const Type& a, const Type& b);

// "f32[r, N]", "host int", "range[c]", "index".
std::string ToText(const Type& type);

}  // namespace belay::crux

#endif  // BELAY_CRUX_TYPE_H_
