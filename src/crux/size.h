// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SIZE_H_
#define BELAY_CRUX_SIZE_H_

// Sizes that are known by name only: polynomials over atoms, kept in one form,
// so that equal means equal for all values of the names.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace belay::crux {

struct SizeAtom;

// coefficient * atom * atom * …, atoms sorted.
struct SizeTerm {
  int64_t coefficient = 0;
  std::vector<const SizeAtom*> atoms;
};

// A sum of terms with different atoms, sorted, without zero coefficients.
// Overflowing arithmetic gives an unknown size, equal to none, itself included.
class Size {
 public:
  Size() = default;        // 0
  Size(int64_t constant);  // NOLINT: a number is a size
  static Size Of(const SizeAtom* atom);

  static Size Unknown();

  bool known() const { return known_; }
  std::optional<int64_t> constant() const;
  const std::vector<SizeTerm>& terms() const { return terms_; }

  // The atom, if the size is that atom and nothing else; else null.
  const SizeAtom* atom() const;

  friend Size operator+(const Size& a, const Size& b);
  friend Size operator-(const Size& a, const Size& b);
  friend Size operator*(const Size& a, const Size& b);

 private:
  friend Size Expanded(const Size& size);
  void Add(int64_t coefficient, const std::vector<const SizeAtom*>& atoms);

  bool known_ = true;
  std::vector<SizeTerm> terms_;
};

// In names that no host line defines.
Size Expanded(const Size& size);

// Names defined by a host line count as what they stand for.
bool Equal(const Size& a, const Size& b);

// Each atom replaced by what `replace` gives for it, or left if that is
// nothing.
Size Substituted(
    const Size& size,
    const std::function<std::optional<Size>(const SizeAtom&)>& replace);

// "2 * H * W + 1". In `N - c`, c is the extent of the range c.
std::string ToText(const Size& size);

enum class SizeAtomKind : uint8_t {
  kName,      // bound by a shape, an attribute, or defined by a host line
  kPack,      // `*S` in the shape of a tensor; its product is a kName
  kExtent,    // how many elements the range of a loop has in this iteration
  kDevice,    // a device integer, one assignment of one variable
  kFloorDiv,  // a // b
  kCeilDiv,   // ceil_div(a, b)
  kMod,       // a % b
  kMaximum,
  kMinimum,
  kBefore,     // product of the sizes before dimension b of a shape
  kDimension,  // the size of dimension b of a shape
  kAfter,      // product of the sizes after dimension b of a shape
  kOpaque,     // a host integer of another form, known by its text
};

// Owned by a SizeTable: two atoms are equal if they are the same object.
struct SizeAtom {
  SizeAtomKind kind;
  int id = 0;        // creation order, the order of printing
  std::string text;  // how it prints
  Size a;
  Size b;
  // Without names that host lines define; nothing if there are none in it.
  std::optional<Size> expanded;
  bool defined = false;
};

class SizeTable {
 public:
  SizeTable() = default;
  SizeTable(const SizeTable&) = delete;
  SizeTable& operator=(const SizeTable&) = delete;

  // The atom of that kind and key; made with `text` the first time. Atoms with
  // one text and different keys are different: loops that share a name.
  Size Atom(SizeAtomKind kind, std::string_view key, std::string_view text);

  // A new atom, equal to no other.
  Size Fresh(SizeAtomKind kind, std::string_view text);

  // A new name that stands for `definition`.
  Size Defined(std::string_view text, const Size& definition);

  // The name, an atom of kind kName, stands for `definition`. A second
  // definition that differs leaves it undefined.
  void Define(const Size& name, const Size& definition);

  // Simplified where that holds for all values: constants, exact division. A
  // division by the constant 0 is an unknown size.
  Size FloorDiv(const Size& a, const Size& b);
  Size CeilDiv(const Size& a, const Size& b);
  Size Mod(const Size& a, const Size& b);
  Size Maximum(const Size& a, const Size& b);
  Size Minimum(const Size& a, const Size& b);

  // How many elements a dimension of a shape stands for: the product of a
  // pack, else the size itself.
  Size Count(const Size& dim);

  // A part of a shape whose rank need not be known: kBefore, kDimension or
  // kAfter of `dim`. `shape` is the text of the shape.
  Size Part(SizeAtomKind kind, std::string_view shape, const Size& dim);

 private:
  Size Combine(SizeAtomKind kind, const Size& a, const Size& b);

  std::deque<SizeAtom> atoms_;
  std::map<std::string, SizeAtom*, std::less<>> by_key_;
};

}  // namespace belay::crux

#endif  // BELAY_CRUX_SIZE_H_
