// SPDX-License-Identifier: Apache-2.0
#include "crux/size.h"

#include <fmt/format.h>

#include <algorithm>

namespace belay::crux {
namespace {

// Beyond these a size is unknown: programs that need more are not written by
// people, and expansion must not explode.
constexpr size_t kMaxTerms = 64;
constexpr size_t kMaxDegree = 24;
constexpr size_t kMaxText = 2000;

bool AtomsBefore(const std::vector<const SizeAtom*>& a,
                 const std::vector<const SizeAtom*>& b) {
  // Higher degrees first, as people write polynomials.
  if (a.size() != b.size()) return a.size() > b.size();
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const SizeAtom* x, const SizeAtom* y) { return x->id < y->id; });
}

bool IsPolynomialEqual(const Size& a, const Size& b) {
  if (!a.known() || !b.known()) return false;
  if (a.terms().size() != b.terms().size()) return false;
  for (size_t i = 0; i < a.terms().size(); ++i) {
    if (a.terms()[i].coefficient != b.terms()[i].coefficient ||
        a.terms()[i].atoms != b.terms()[i].atoms) {
      return false;
    }
  }
  return true;
}

// `term` / `divisor`, if it leaves no rest.
bool DivideTerm(const SizeTerm& term, const SizeTerm& divisor,
                SizeTerm* quotient) {
  if (divisor.coefficient == 0 ||
      (divisor.coefficient == -1 && term.coefficient == INT64_MIN) ||
      term.coefficient % divisor.coefficient != 0) {
    return false;
  }
  quotient->coefficient = term.coefficient / divisor.coefficient;
  quotient->atoms = term.atoms;
  for (const SizeAtom* atom : divisor.atoms) {
    const auto found =
        std::find(quotient->atoms.begin(), quotient->atoms.end(), atom);
    if (found == quotient->atoms.end()) return false;
    quotient->atoms.erase(found);
  }
  return true;
}

Size FromTerm(const SizeTerm& term) {
  Size size(term.coefficient);
  for (const SizeAtom* atom : term.atoms) size = size * Size::Of(atom);
  return size;
}

// a = quotient * b + rest, as far as terms divide.
void Divide(const Size& a, const Size& b, Size* quotient, Size* rest) {
  *quotient = Size(0);
  *rest = a;
  if (IsPolynomialEqual(a, b)) {
    *quotient = Size(1);
    *rest = Size(0);
    return;
  }
  if (b.terms().size() != 1) return;
  *rest = Size(0);
  for (const SizeTerm& term : a.terms()) {
    SizeTerm part;
    if (DivideTerm(term, b.terms()[0], &part)) {
      *quotient = *quotient + FromTerm(part);
    } else {
      *rest = *rest + FromTerm(term);
    }
  }
}

int64_t ConstantPart(const Size& size) {
  for (const SizeTerm& term : size.terms()) {
    if (term.atoms.empty()) return term.coefficient;
  }
  return 0;
}

// Takes atoms out of `a` and `b` that all their terms share: a quotient keeps
// its value.
void Cancel(Size* a, Size* b) {
  if (b->terms().size() != 1 || a->terms().empty()) return;
  for (const SizeAtom* atom : b->terms()[0].atoms) {
    const SizeTerm divisor = {1, {atom}};
    Size shorter;
    bool shared = true;
    for (const SizeTerm& term : a->terms()) {
      SizeTerm part;
      shared = shared && DivideTerm(term, divisor, &part);
      if (shared) shorter = shorter + FromTerm(part);
    }
    SizeTerm rest;
    if (!shared || !DivideTerm(b->terms()[0], divisor, &rest)) continue;
    *a = shorter;
    *b = FromTerm(rest);
    Cancel(a, b);
    return;
  }
}

int64_t FloorOf(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

int64_t CeilOf(int64_t a, int64_t b) {
  return FloorOf(a, b) + (a % b != 0 ? 1 : 0);
}

bool Divisible(const std::optional<int64_t>& a,
               const std::optional<int64_t>& b) {
  return a && b && *b != 0 && !(*a == INT64_MIN && *b == -1);
}

// In brackets unless it is one atom or number.
std::string Operand(const Size& size) {
  const std::string text = ToText(size);
  const bool simple = size.constant()
                          ? !text.starts_with('-')
                          : size.atom() &&
                                size.atom()->kind != SizeAtomKind::kFloorDiv &&
                                size.atom()->kind != SizeAtomKind::kMod;
  return simple ? text : "(" + text + ")";
}

std::string TextOf(SizeAtomKind kind, const Size& a, const Size& b) {
  switch (kind) {
    case SizeAtomKind::kFloorDiv:
      return fmt::format("{} // {}", Operand(a), Operand(b));
    case SizeAtomKind::kMod:
      return fmt::format("{} % {}", Operand(a), Operand(b));
    case SizeAtomKind::kCeilDiv:
      return fmt::format("ceil_div({}, {})", ToText(a), ToText(b));
    case SizeAtomKind::kMaximum:
      return fmt::format("maximum({}, {})", ToText(a), ToText(b));
    default:
      return fmt::format("minimum({}, {})", ToText(a), ToText(b));
  }
}

std::string KeyOf(const Size& size) {
  std::string key;
  for (const SizeTerm& term : size.terms()) {
    key += fmt::format("{:+}", term.coefficient);
    for (const SizeAtom* atom : term.atoms) key += fmt::format("*{}", atom->id);
  }
  return key;
}

}  // namespace

Size::Size(int64_t constant) {
  if (constant != 0) terms_.push_back({constant, {}});
}

Size Size::Of(const SizeAtom* atom) {
  Size size;
  size.terms_.push_back({1, {atom}});
  return size;
}

Size Size::Unknown() {
  Size size;
  size.known_ = false;
  return size;
}

std::optional<int64_t> Size::constant() const {
  if (!known_) return std::nullopt;
  if (terms_.empty()) return 0;
  if (terms_.size() == 1 && terms_[0].atoms.empty()) {
    return terms_[0].coefficient;
  }
  return std::nullopt;
}

const SizeAtom* Size::atom() const {
  if (terms_.size() != 1 || terms_[0].coefficient != 1 ||
      terms_[0].atoms.size() != 1) {
    return nullptr;
  }
  return terms_[0].atoms[0];
}

void Size::Add(int64_t coefficient, const std::vector<const SizeAtom*>& atoms) {
  if (!known_ || coefficient == 0) return;
  const auto place = std::lower_bound(
      terms_.begin(), terms_.end(), atoms,
      [](const SizeTerm& term, const std::vector<const SizeAtom*>& value) {
        return AtomsBefore(term.atoms, value);
      });
  if (place == terms_.end() || place->atoms != atoms) {
    terms_.insert(place, {coefficient, atoms});
    if (terms_.size() > kMaxTerms || atoms.size() > kMaxDegree) {
      *this = Unknown();
    }
    return;
  }
  if (__builtin_add_overflow(place->coefficient, coefficient,
                             &place->coefficient)) {
    *this = Unknown();
  } else if (place->coefficient == 0) {
    terms_.erase(place);
  }
}

Size operator+(const Size& a, const Size& b) {
  if (!a.known_ || !b.known_) return Size::Unknown();
  Size sum = a;
  for (const SizeTerm& term : b.terms_) sum.Add(term.coefficient, term.atoms);
  return sum;
}

Size operator-(const Size& a, const Size& b) { return a + Size(-1) * b; }

Size operator*(const Size& a, const Size& b) {
  if (!a.known_ || !b.known_) return Size::Unknown();
  Size product;
  for (const SizeTerm& x : a.terms_) {
    for (const SizeTerm& y : b.terms_) {
      int64_t coefficient = 0;
      if (__builtin_mul_overflow(x.coefficient, y.coefficient, &coefficient)) {
        return Size::Unknown();
      }
      std::vector<const SizeAtom*> atoms = x.atoms;
      atoms.insert(atoms.end(), y.atoms.begin(), y.atoms.end());
      std::sort(
          atoms.begin(), atoms.end(),
          [](const SizeAtom* p, const SizeAtom* q) { return p->id < q->id; });
      product.Add(coefficient, atoms);
      if (!product.known_) return product;
    }
  }
  return product;
}

Size Expanded(const Size& size) {
  bool plain = true;
  for (const SizeTerm& term : size.terms_) {
    for (const SizeAtom* atom : term.atoms) plain &= !atom->expanded;
  }
  if (plain) return size;
  Size sum;
  for (const SizeTerm& term : size.terms_) {
    Size product(term.coefficient);
    for (const SizeAtom* atom : term.atoms) {
      product = product * (atom->expanded ? *atom->expanded : Size::Of(atom));
    }
    sum = sum + product;
  }
  return sum;
}

Size Substituted(
    const Size& size,
    const std::function<std::optional<Size>(const SizeAtom&)>& replace) {
  if (!size.known()) return size;
  Size sum;
  for (const SizeTerm& term : size.terms()) {
    Size product(term.coefficient);
    for (const SizeAtom* atom : term.atoms) {
      product = product * replace(*atom).value_or(Size::Of(atom));
    }
    sum = sum + product;
  }
  return sum;
}

bool Equal(const Size& a, const Size& b) {
  return IsPolynomialEqual(a, b) || IsPolynomialEqual(Expanded(a), Expanded(b));
}

std::string ToText(const Size& size) {
  if (!size.known()) return "?";
  if (size.terms().empty()) return "0";
  std::string text;
  for (const SizeTerm& term : size.terms()) {
    const bool negative = term.coefficient < 0;
    if (text.empty()) {
      if (negative) text += '-';
    } else {
      text += negative ? " - " : " + ";
    }
    const uint64_t magnitude = negative
                                   ? 0 - static_cast<uint64_t>(term.coefficient)
                                   : static_cast<uint64_t>(term.coefficient);
    bool first = true;
    if (magnitude != 1 || term.atoms.empty()) {
      text += std::to_string(magnitude);
      first = false;
    }
    for (const SizeAtom* atom : term.atoms) {
      if (!first) text += " * ";
      const bool bare = term.atoms.size() == 1 && magnitude == 1;
      text += bare ? atom->text : Operand(Size::Of(atom));
      first = false;
    }
  }
  return text;
}

Size SizeTable::Atom(SizeAtomKind kind, std::string_view key,
                     std::string_view text) {
  const std::string full = fmt::format("{}:{}", static_cast<int>(kind), key);
  SizeAtom*& atom = by_key_[full];
  if (!atom) {
    atom = &atoms_.emplace_back();
    atom->kind = kind;
    atom->id = static_cast<int>(atoms_.size());
    atom->text = text;
  }
  return Size::Of(atom);
}

Size SizeTable::Fresh(SizeAtomKind kind, std::string_view text) {
  return Atom(kind, fmt::format("#{}", atoms_.size()), text);
}

Size SizeTable::Defined(std::string_view text, const Size& definition) {
  const Size name = Fresh(SizeAtomKind::kName, text);
  Define(name, definition);
  return name;
}

void SizeTable::Define(const Size& name, const Size& definition) {
  SizeAtom& atom = atoms_[name.atom()->id - 1];
  const Size expanded = Expanded(definition);
  const bool usable = expanded.known() && ToText(expanded).size() <= kMaxText;
  if (!atom.defined && usable) {
    atom.expanded = expanded;
  } else if (!usable || !atom.expanded ||
             !IsPolynomialEqual(*atom.expanded, expanded)) {
    atom.expanded.reset();
  }
  atom.defined = true;
}

Size SizeTable::Combine(SizeAtomKind kind, const Size& a, const Size& b) {
  if (!a.known() || !b.known()) return Size::Unknown();
  const std::string text = TextOf(kind, a, b);
  if (text.size() > kMaxText) return Size::Unknown();
  const size_t before = atoms_.size();
  const Size size = Atom(kind, KeyOf(a) + "|" + KeyOf(b), text);
  if (atoms_.size() == before) return size;
  SizeAtom& atom = atoms_.back();
  atom.a = a;
  atom.b = b;
  const Size x = Expanded(a);
  const Size y = Expanded(b);
  if (IsPolynomialEqual(a, x) && IsPolynomialEqual(b, y)) return size;
  Size expanded;
  switch (kind) {
    case SizeAtomKind::kFloorDiv:
      expanded = FloorDiv(x, y);
      break;
    case SizeAtomKind::kCeilDiv:
      expanded = CeilDiv(x, y);
      break;
    case SizeAtomKind::kMod:
      expanded = Mod(x, y);
      break;
    case SizeAtomKind::kMaximum:
      expanded = Maximum(x, y);
      break;
    default:
      expanded = Minimum(x, y);
      break;
  }
  if (expanded.known()) atom.expanded = expanded;
  return size;
}

Size SizeTable::FloorDiv(const Size& a, const Size& b) {
  if (Divisible(a.constant(), b.constant())) {
    return Size(FloorOf(*a.constant(), *b.constant()));
  }
  if (!a.known() || !b.known() || b.constant() == 0) return Size::Unknown();
  Size quotient;
  Size rest;
  Divide(a, b, &quotient, &rest);
  if (rest.constant() == 0) return quotient;
  if (Divisible(rest.constant(), b.constant())) {
    return quotient + Size(FloorOf(*rest.constant(), *b.constant()));
  }
  // (n + 11) // 8 is ceil_div(n, 8), or 1 + (n + 3) // 8.
  if (const auto by = b.constant(); by && *by > 1) {
    const int64_t turns = FloorOf(ConstantPart(rest), *by);
    quotient = quotient + Size(turns);
    rest = rest - Size(turns) * b;
    if (ConstantPart(rest) == *by - 1) {
      return quotient + CeilDiv(rest - Size(*by - 1), b);
    }
  }
  Size divisor = b;
  Cancel(&rest, &divisor);
  return quotient + Combine(SizeAtomKind::kFloorDiv, rest, divisor);
}

Size SizeTable::CeilDiv(const Size& a, const Size& b) {
  if (Divisible(a.constant(), b.constant())) {
    return Size(CeilOf(*a.constant(), *b.constant()));
  }
  if (!a.known() || !b.known() || b.constant() == 0) return Size::Unknown();
  Size quotient;
  Size rest;
  Divide(a, b, &quotient, &rest);
  if (rest.constant() == 0) return quotient;
  if (Divisible(rest.constant(), b.constant())) {
    return quotient + Size(CeilOf(*rest.constant(), *b.constant()));
  }
  const auto by = b.constant();
  if (by && *by > 1 && ConstantPart(rest) != 0) {
    return quotient + FloorDiv(rest + Size(*by - 1), b);
  }
  Size divisor = b;
  Cancel(&rest, &divisor);
  return quotient + Combine(SizeAtomKind::kCeilDiv, rest, divisor);
}

Size SizeTable::Mod(const Size& a, const Size& b) {
  if (Divisible(a.constant(), b.constant())) {
    const int64_t floor = FloorOf(*a.constant(), *b.constant());
    return a - Size(floor) * b;
  }
  if (!a.known() || !b.known() || b.constant() == 0) return Size::Unknown();
  Size quotient;
  Size rest;
  Divide(a, b, &quotient, &rest);
  if (rest.constant() == 0) return Size(0);
  if (Divisible(rest.constant(), b.constant())) return Mod(rest, b);
  return Combine(SizeAtomKind::kMod, rest, b);
}

Size SizeTable::Maximum(const Size& a, const Size& b) {
  if (Equal(a, b)) return a;
  if (a.constant() && b.constant()) {
    return Size(std::max(*a.constant(), *b.constant()));
  }
  return Combine(SizeAtomKind::kMaximum, a, b);
}

Size SizeTable::Minimum(const Size& a, const Size& b) {
  if (Equal(a, b)) return a;
  if (a.constant() && b.constant()) {
    return Size(std::min(*a.constant(), *b.constant()));
  }
  return Combine(SizeAtomKind::kMinimum, a, b);
}

Size SizeTable::Count(const Size& dim) {
  const SizeAtom* atom = dim.atom();
  if (!atom || atom->kind != SizeAtomKind::kPack) return dim;
  return Atom(SizeAtomKind::kName, fmt::format("count {}", atom->id),
              atom->text + ".size");
}

Size SizeTable::Part(SizeAtomKind kind, std::string_view shape,
                     const Size& dim) {
  const Size plain = Expanded(dim);
  const std::string_view name = kind == SizeAtomKind::kBefore      ? "before"
                                : kind == SizeAtomKind::kDimension ? "dimension"
                                                                   : "after";
  return Atom(kind, fmt::format("{}|{}", shape, KeyOf(plain)),
              fmt::format("{}({}, {})", name, shape, ToText(dim)));
}

}  // namespace belay::crux
