// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_FUZZ_SCOPE_H_
#define BELAY_CRUX_FUZZ_SCOPE_H_

// What the generator knows of the program it is writing: its parameters, the
// loops around the place it writes at, and the variables alive there.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/dtype.h"
#include "crux/fuzz/generate.h"
#include "crux/fuzz/random.h"
#include "crux/operations.h"

namespace belay::crux::fuzz {

// A dtype as it is written ("f32", "T"), and all it may stand for.
struct Dtype {
  std::string text;
  std::vector<DType> instances;

  friend bool operator==(const Dtype& a, const Dtype& b) {
    return a.text == b.text;
  }
};

inline const Dtype kF32{"f32", {DType::kFloat}};
inline const Dtype kI32{"i32", {DType::kInt32}};
inline const Dtype kBool{"bool", {DType::kBool}};

bool AllowedBy(OpDtypes rule, const Dtype& dtype);

// One dimension of a tile. Two are equal if and only if their texts are.
struct Dim {
  std::string text;   // in a type: "N", "c3", "4"
  std::string size;   // of a tensor it runs over: "N", "4", "*S"
  std::string index;  // in a view: ":", "c3"

  bool is_one() const { return text == "1"; }
  bool is_range() const { return index != ":"; }

  friend bool operator==(const Dim& a, const Dim& b) {
    return a.text == b.text;
  }
};

// A number, not a name.
inline bool IsLiteral(const Dim& dim) {
  return dim.text.find_first_not_of("0123456789") == std::string::npos;
}

using Dims = std::vector<Dim>;

struct TileType {
  Dtype dtype;
  Dims dims;

  friend bool operator==(const TileType&, const TileType&) = default;
};

// "f32[c3, N]", "f32".
std::string ToText(const TileType& type);

struct Local {
  std::string name;
  TileType type;
  bool assignable = true;  // may be assigned again here
};

enum class LoopSort : uint8_t { kCores, kTiles, kRange };

struct LoopAround {
  LoopSort sort;
  Dim dim;     // index is the variable's name
  bool range;  // the variable is a range
};

// How tensors of the kernel are shaped.
enum class Shaping : uint8_t {
  kNamed,  // T[M, N]
  kPack,   // T[*S], seen through .flat
  kList,   // list(T[*S])
};

class Scope {
 public:
  explicit Scope(uint64_t seed);

  Random random;
  Shaping shaping = Shaping::kNamed;
  std::vector<Dtype> dtypes;  // those the program may use
  std::vector<LoopAround> loops;
  std::vector<Local> locals;
  std::vector<std::string> flags;  // host bools
  std::string helper;              // an @inline helper (t, a), or empty
  std::string constant;            // a host number of the file, or empty
  bool fast = false;               // @kernel(fast=True)
  bool clamps = false;             // positions are clamped, not remainders
  int nodes_left = 60;             // expressions that may still be written

  // A named size; may be one that is there already.
  Dim NamedSize();
  static Dim Literal(int size);
  // Of a size that is named or a literal.
  int ValueOf(const std::string& size) const;

  std::string NewName(std::string_view stem);

  // Writes a line of the kernel's body at the indentation of this place.
  void Line(const std::string& text);
  void Indent() { ++indent_; }
  void Dedent() { --indent_; }
  // Lines above the kernel: dtype variables and @inline helpers.
  void HeadLine(const std::string& text) { head_ += text + "\n"; }

  // Each declares a parameter and gives its name.
  std::string NewInput(const Dtype& dtype,
                       const std::vector<std::string>& sizes);
  std::string NewInOut(const Dtype& dtype,
                       const std::vector<std::string>& sizes);
  std::string NewOutput(const Dtype& dtype,
                        const std::vector<std::string>& sizes);
  std::string NewOutput(const Dtype& dtype, const std::string& shape);
  // An optional input; `given` says whether the call has it.
  std::string NewOptional(const Dtype& dtype,
                          const std::vector<std::string>& sizes, bool given);
  // An optional output; `wanted` says whether the call asks for it.
  std::string NewOptionalOutput(const Dtype& dtype,
                                const std::vector<std::string>& sizes,
                                bool wanted);
  // Integers from 0 to `below` - 1.
  std::string NewIndices(const std::string& size, int below);
  // A list of integers that the host reads.
  std::string NewHostList(int count);
  // `type` as it is written, with a default or without.
  std::string NewAttribute(const std::string& type,
                           interpret::AttributeValue value,
                           const std::string& fallback);

  // Whether a tensor can be shaped so that a load gives these dimensions.
  bool Loadable(const Dims& dims) const;
  // A view of a tensor with elements of exactly this type, which is Loadable;
  // declares an input where there is none, and now and then another.
  std::string ViewOf(const TileType& type);
  // A view of an output where no two iterations of the cores loops around
  // meet, and to which this type broadcasts. Declares the output.
  std::string PlaceFor(const TileType& type);
  // The same of a parameter that is there: `sizes` as PlaceFor's.
  std::vector<Dim> PlaceDims(const TileType& type) const;
  std::string Subscript(const std::string& tensor, const Dims& dims) const;

  // The dtype a call binds it to.
  DType InstanceOf(const Dtype& dtype) const;

  // The program as text, with the call that fits it.
  GeneratedProgram Finish();

 private:
  struct Tensor {
    std::string name;
    Dtype dtype;
    std::vector<std::string> sizes;
  };

  std::string Declare(std::string_view stem, std::string_view wrap,
                      const Dtype& dtype,
                      const std::vector<std::string>& sizes);
  void Fill(const std::string& name, const Dtype& dtype,
            const std::vector<std::string>& sizes);
  // Sizes that no input names get one that does.
  void BindSizes();
  Shape ShapeOf(const std::vector<std::string>& sizes, const Shape& pack) const;
  // Subscripts that read the tensor as dims[from…], or nothing.
  bool Match(const Tensor& tensor, size_t dimension, const Dims& dims,
             size_t from, std::vector<std::string>& indices);
  std::string Indexed(const std::string& tensor, bool packed,
                      const std::vector<std::string>& indices) const;

  std::string head_;
  std::string body_;
  int indent_ = 1;
  int names_ = 0;
  size_t instance_ = 0;
  std::map<std::string, int> sizes_;
  std::vector<Shape> packs_;  // what *S stands for, by list element
  std::vector<std::string> parameters_;
  std::vector<std::string> attributes_;
  std::vector<Tensor> inputs_;
  GeneratedProgram program_;
};

}  // namespace belay::crux::fuzz

#endif  // BELAY_CRUX_FUZZ_SCOPE_H_
