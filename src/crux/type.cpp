// SPDX-License-Identifier: Apache-2.0
#include "crux/type.h"

#include <fmt/format.h>

#include <algorithm>

namespace belay::crux {
namespace {

constexpr DType kDtypes[] = {
    DType::kHalf,   DType::kBfloat16, DType::kFloat,  DType::kInt8,
    DType::kUint8,  DType::kInt16,    DType::kUint16, DType::kInt32,
    DType::kUint32, DType::kInt64,    DType::kUint64, DType::kBool,
};

bool IsInteger(DType dtype) {
  return dtype != DType::kBool && !IsFloating(dtype);
}

std::string DimsText(const std::vector<Size>& dims) {
  std::string text;
  for (const Size& dim : dims) {
    if (!text.empty()) text += ", ";
    const SizeAtom* atom = dim.atom();
    if (atom && atom->kind == SizeAtomKind::kPack) text += '*';
    text += ToText(dim);
  }
  return text;
}

}  // namespace

std::span<const DType> AllDtypes() { return kDtypes; }

std::vector<DType> InstancesOf(const Element& element) {
  if (!element.variable) return {element.dtype};
  return element.variable->allowed;
}

bool Equal(const Element& a, const Element& b) {
  if (a.variable && a.variable == b.variable) return true;
  const std::vector<DType> x = InstancesOf(a);
  const std::vector<DType> y = InstancesOf(b);
  if (a.variable && b.variable && a.variable->group == b.variable->group) {
    return x == y;
  }
  const auto all_first = [&](const std::vector<DType>& instances) {
    return std::all_of(instances.begin(), instances.end(),
                       [&](DType dtype) { return dtype == x[0]; });
  };
  return all_first(x) && all_first(y);
}

std::string ToText(const Element& element) {
  if (element.variable) return element.variable->name;
  return std::string(belay::NameOf(element.dtype));
}

bool Allows(OpDtypes allowed, DType dtype) {
  switch (allowed) {
    case OpDtypes::kAny:
      return true;
    case OpDtypes::kNumeric:
      return dtype != DType::kBool;
    case OpDtypes::kFloat:
      return IsFloating(dtype);
    case OpDtypes::kInteger:
      return IsInteger(dtype);
    case OpDtypes::kBits:
      return !IsFloating(dtype);
    case OpDtypes::kBool:
      return dtype == DType::kBool;
    case OpDtypes::kAtomic:
      return IsFloating(dtype) || dtype == DType::kInt8 ||
             dtype == DType::kInt16 || dtype == DType::kInt32;
    case OpDtypes::kMatmul:
      return IsFloating(dtype) || dtype == DType::kInt8;
    case OpDtypes::kRandom:
      break;
  }
  return dtype == DType::kUint32 || dtype == DType::kFloat;
}

std::optional<DType> FirstRefused(const Element& element, OpDtypes allowed) {
  for (const DType dtype : InstancesOf(element)) {
    if (!Allows(allowed, dtype)) return dtype;
  }
  return std::nullopt;
}

bool Equal(const Type& a, const Type& b) {
  if (a.kind != b.kind || a.dims.size() != b.dims.size() ||
      a.members.size() != b.members.size()) {
    return false;
  }
  if (a.element.known() != b.element.known()) return false;
  if (a.element.known() && !Equal(a.element, b.element)) return false;
  if (a.kind == TypeKind::kAcross && a.combine != b.combine) return false;
  for (size_t i = 0; i < a.dims.size(); ++i) {
    if (!Equal(a.dims[i], b.dims[i])) return false;
  }
  for (size_t i = 0; i < a.members.size(); ++i) {
    if (!Equal(a.members[i], b.members[i])) return false;
  }
  return true;
}

std::string ToText(const Type& type) {
  const auto shaped = [&] {
    const std::string element = ToText(type.element);
    return type.dims.empty()
               ? element
               : fmt::format("{}[{}]", element, DimsText(type.dims));
  };
  switch (type.kind) {
    case TypeKind::kError:
      return "error";
    case TypeKind::kNothing:
      return "nothing";
    case TypeKind::kHostInt:
      return "host int";
    case TypeKind::kHostFloat:
      return "host float";
    case TypeKind::kHostBool:
      return "host bool";
    case TypeKind::kHostString:
      return "host str";
    case TypeKind::kHostList:
      return type.dims.empty()
                 ? "host list(int)"
                 : fmt::format("host list(int)[{}]", DimsText(type.dims));
    case TypeKind::kIndex:
      return "index";
    case TypeKind::kRange:
      return fmt::format("range[{}]", DimsText(type.dims));
    case TypeKind::kTile:
      return shaped();
    case TypeKind::kTensor:
      return fmt::format("tensor {}", shaped());
    case TypeKind::kTensorList:
      return fmt::format("list({})", shaped());
    case TypeKind::kView:
      return fmt::format("view {}", shaped());
    case TypeKind::kAcross:
      return fmt::format("across_cores({}, {})", InfoOf(type.combine).spelling,
                         shaped());
    case TypeKind::kTuple: {
      std::string text;
      for (const Type& member : type.members) {
        text += (text.empty() ? "" : ", ") + ToText(member);
      }
      return fmt::format("({})", text);
    }
    case TypeKind::kType:
      return fmt::format("type {}", shaped());
    case TypeKind::kFunction:
      return fmt::format("function {}", InfoOf(type.combine).spelling);
    case TypeKind::kAuto:
      break;
  }
  return "auto";
}

}  // namespace belay::crux
