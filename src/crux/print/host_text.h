// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_PRINT_HOST_TEXT_H_
#define BELAY_CRUX_PRINT_HOST_TEXT_H_

// Host expressions of a Crux program in C++: integers are int64_t, floats
// double, shapes `Dims` (std::vector<int64_t>). What an expression mentions is
// noted, so that the function around it declares that and no more.
//
// Names: a size and an attribute keep theirs; the shape of x is x_dims (of a
// list a vector of shapes), whether it is there has_x.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "crux/print/integer_text.h"
#include "crux/print/named_lines.h"
#include "crux/typed.h"

namespace belay::crux::print {

// Functions on the host that printed files define because they use them.
enum class HostHelper : uint8_t {
  kSizeAt,    // a size by its position; -1 if there is none
  kDim,       // a size by its position; from the end if negative; else -1
  kProduct,   // of the sizes
  kPart,      // a shape without the first and last few sizes
  kJoined,    // shapes one after the other
  kAround,    // [before, dim, after]
  kReshaped,  // a shape with one -1 worked out
  kPower,     // of integers
};

struct HostNeeds {
  std::set<std::string> sizes;
  std::set<std::string> packs;
  std::set<const typed::Parameter*> shapes;
  std::set<const typed::Parameter*> presences;
  std::set<const typed::Parameter*> values;  // attributes and value(…)
  std::set<const typed::Variable*> variables;
  std::set<HostHelper> helpers;
  std::set<Helper> integer_helpers;

  void Add(const HostNeeds& other);
};

class HostText {
 public:
  // Lines that `lines` names are not written out; null: all are.
  HostText(const typed::Kernel& kernel, std::vector<DType> dtypes,
           const NamedLines* lines = nullptr)
      : kernel_(kernel), dtypes_(std::move(dtypes)), lines_(lines) {}

  // In an expression of an element of a list: how its number is spelt, and the
  // list. Sizes that are each element's own are read from its shape.
  void EnterElement(std::string index) { element_ = std::move(index); }
  void LeaveElement() { element_.clear(); }

  std::string Of(const typed::Expr& expr, int least = 0);
  NamedLines::Spelling SpellingOf(const typed::Expr& expr);
  // A line that `lines` names.
  std::string NameOf(const typed::Variable& line);
  // A tensor's shape.
  std::string DimsOf(const typed::Expr& tensor);
  // By the kernel's signature: "Dims{M, N}".
  std::string DeclaredDims(const typed::Parameter& parameter);

  // What a line is the value of; of two values nothing is known.
  void Learn(const typed::Variable& line, const typed::Expr& value) {
    const auto [known, is_new] = values_.try_emplace(&line, &value);
    if (!is_new) known->second = nullptr;
  }

  // Whether an integer may be below zero.
  bool MayBeNegative(const typed::Expr& expr) const;

  HostNeeds& needs() { return needs_; }

 private:
  using Piece = NamedLines::Spelling;

  Piece Write(const typed::Expr& expr);
  Piece WriteOut(const typed::Expr& expr);
  Piece Literal(const typed::Expr& expr);
  Piece Operation(const typed::Expr& expr);
  Piece Binary(const typed::Expr& expr, std::string_view sign, int binds);
  Piece Call(std::string_view function, const typed::Expr& expr);
  Piece Size(const std::string& name);
  DType DtypeOf(const Element& element) const;

  const typed::Kernel& kernel_;
  std::vector<DType> dtypes_;
  const NamedLines* lines_;
  std::map<const typed::Variable*, const typed::Expr*> values_;
  std::string element_;  // empty: not in an element
  HostNeeds needs_;
};

// Whether the name of a size or pack occurs in lists only: each element of a
// list has its own.
bool IsOfElements(const typed::Kernel& kernel, std::string_view name);

// Where a size or pack is bound: a parameter and the position of the dimension.
struct Binding {
  const typed::Parameter* parameter = nullptr;
  size_t dim = 0;
};
// Of inputs, required ones first. No parameter: nobody binds it.
Binding BindingOf(const typed::Kernel& kernel, std::string_view name);

// Whether its shape has as many sizes as it says and is always there.
bool IsOfKnownRank(const typed::Parameter& parameter);
// Whether it is always there and sizes and packs are bound by all its
// dimensions, each by its own: any shape of its rank will do.
bool BindsAllDims(const typed::Kernel& kernel,
                  const typed::Parameter& parameter);
// Another one that does and whose shape is declared alike; null: none.
const typed::Parameter* OneOfTheShape(const typed::Kernel& kernel,
                                      const typed::Parameter& parameter);

// The size at `binding` of a shape that is spelt `dims`.
std::string BoundSize(const Binding& binding, const std::string& dims);

std::string DimsName(const typed::Parameter& parameter);
std::string PresenceName(const typed::Parameter& parameter);

std::string QuotedText(std::string_view text);

// Lines of a definition, one after the other.
std::vector<std::string> DefinitionOf(HostHelper helper);

}  // namespace belay::crux::print

#endif  // BELAY_CRUX_PRINT_HOST_TEXT_H_
