// SPDX-License-Identifier: Apache-2.0
// From the arguments of a call to the values of parameters.

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "base/error.h"
#include "crux/interpret/arrays.h"
#include "crux/interpret/machine.h"

namespace belay::crux::interpret {
namespace {

using typed::Parameter;
using typed::ParameterDim;
using typed::ParameterRole;

[[noreturn]] void RefuseCall(std::string message, std::string fix = "") {
  throw Fault(code::kX180, std::move(message), std::move(fix));
}

bool IsTensor(const Parameter& parameter) {
  return parameter.role != ParameterRole::kAttribute;
}

bool IsGiven(const Parameter& parameter) {
  return IsTensor(parameter) && parameter.role != ParameterRole::kOut;
}

// The name a dimension binds: of a size or a pack; empty if it is computed.
std::string_view BoundName(const ParameterDim& dim) {
  if (!dim.pack.empty()) return dim.pack;
  return dim.binds && dim.expr->kind == typed::ExprKind::kSize
             ? std::string_view(dim.expr->text)
             : std::string_view();
}

// Whether the name occurs in lists only: each element has its own.
bool IsOfElements(const typed::Kernel& kernel, std::string_view name) {
  for (const Parameter* parameter : kernel.parameters) {
    if (parameter->list) continue;
    for (const ParameterDim& dim : parameter->dims) {
      if (BoundName(dim) == name) return false;
    }
  }
  return true;
}

std::string ElementName(const Parameter& parameter, size_t index) {
  return parameter.list ? fmt::format("{}[{}]", parameter.name, index)
                        : parameter.name;
}

template <typename Map, typename T>
void BindName(Map& names, std::string_view name, const T& value,
              const std::string& where, std::string (*text)(const T&)) {
  const auto [found, added] = names.emplace(std::string(name), value);
  if (added || found->second == value) return;
  RefuseCall(fmt::format("`{}` has {} = {}, but an earlier argument made it {}",
                         where, name, text(value), text(found->second)),
             "arguments that share a size must have it equal");
}

}  // namespace

const TensorArgument* Machine::FindArgument(const Parameter& parameter) const {
  const auto found = arguments_.tensors.find(parameter.name);
  return found == arguments_.tensors.end() ? nullptr : &found->second;
}

void Machine::RequireKnownArguments() const {
  const auto require = [&](const std::string& name, bool tensor) {
    const Parameter* parameter = kernel_.FindParameter(name);
    if (parameter != nullptr &&
        (tensor ? IsGiven(*parameter) : !IsTensor(*parameter))) {
      return;
    }
    std::string known;
    for (const Parameter* other : kernel_.parameters) {
      if (tensor ? !IsGiven(*other) : IsTensor(*other)) continue;
      known += (known.empty() ? "" : ", ") + other->name;
    }
    RefuseCall(fmt::format("kernel `{}` has no {} `{}`", kernel_.name,
                           tensor ? "input" : "attribute", name),
               known.empty() ? "it has none" : "it has: " + known);
  };
  for (const auto& [name, argument] : arguments_.tensors) require(name, true);
  for (const auto& [name, value] : arguments_.attributes) require(name, false);
  for (const std::string& name : arguments_.wanted) {
    const Parameter* parameter = kernel_.FindParameter(name);
    if (parameter == nullptr || parameter->role != ParameterRole::kOut) {
      RefuseCall(
          fmt::format("kernel `{}` has no output `{}`", kernel_.name, name));
    }
  }
}

DType Machine::ReadAs(const Parameter& parameter, const Array& array) const {
  const std::vector<DType> allowed = InstancesOf(parameter.type.element);
  const auto allows = [&](DType dtype) {
    return std::find(allowed.begin(), allowed.end(), dtype) != allowed.end();
  };
  const DType dtype = array.dtype == DType::kUint16 &&
                              !allows(DType::kUint16) &&
                              allows(DType::kBfloat16)
                          ? DType::kBfloat16
                          : array.dtype;
  if (!allows(dtype)) {
    std::string names;
    for (const DType dtype : allowed) {
      names += (names.empty() ? "" : ", ") + std::string(belay::NameOf(dtype));
    }
    RefuseCall(fmt::format("`{}` is {}; the kernel takes {}", parameter.name,
                           belay::NameOf(array.dtype), names));
  }
  return dtype;
}

TensorPtr Machine::HoldArgument(const Parameter& parameter,
                                const std::string& name, const Array& array) {
  const DType dtype = ReadAs(parameter, array);
  if (shapes_only_) return std::make_shared<Tensor>(name, dtype, array.shape);
  if (dtype == array.dtype) {
    return std::make_shared<Tensor>(context_, name, array);
  }
  return std::make_shared<Tensor>(context_, name,
                                  Array{dtype, array.shape, array.data});
}

TensorPtr Machine::NewTensor(const std::string& name, DType dtype,
                             Shape shape) {
  if (shapes_only_) {
    return std::make_shared<Tensor>(name, dtype, std::move(shape));
  }
  return std::make_shared<Tensor>(context_, name, dtype, std::move(shape));
}

void Machine::BindDtypes() {
  std::map<const DtypeVariable*, DType> bound;
  for (const Parameter* parameter : kernel_.parameters) {
    const TensorArgument* argument =
        IsGiven(*parameter) && parameter->role != ParameterRole::kValue
            ? FindArgument(*parameter)
            : nullptr;
    const DtypeVariable* variable = parameter->type.element.variable;
    if (argument == nullptr || variable == nullptr) continue;
    for (const Array& array : argument->arrays) {
      const DType dtype = ReadAs(*parameter, array);
      const auto [found, added] = bound.emplace(variable, dtype);
      if (!added && found->second != dtype) {
        RefuseCall(fmt::format("`{}` is {}, but {} is already {}",
                               parameter->name, belay::NameOf(dtype),
                               variable->name, belay::NameOf(found->second)),
                   "tensors that share a dtype variable have one dtype");
      }
    }
  }
  for (const DtypeVariable* variable : kernel_.dtypes) {
    const auto chosen = arguments_.dtypes.find(variable->name);
    if (chosen == arguments_.dtypes.end()) continue;
    const auto [found, added] = bound.emplace(variable, chosen->second);
    if (!added && found->second != chosen->second) {
      RefuseCall(fmt::format("{} is chosen as {}, but a tensor makes it {}",
                             variable->name, belay::NameOf(chosen->second),
                             belay::NameOf(found->second)),
                 "choose dtypes of variables that no tensor has");
    }
  }
  for (const std::vector<DType>& instance : typed::InstancesOf(kernel_)) {
    bool fits = true;
    for (size_t i = 0; i < kernel_.dtypes.size(); ++i) {
      const auto found = bound.find(kernel_.dtypes[i]);
      fits &= found == bound.end() || found->second == instance[i];
    }
    if (!fits) continue;
    for (size_t i = 0; i < kernel_.dtypes.size(); ++i) {
      dtypes_[kernel_.dtypes[i]] = instance[i];
    }
    return;
  }
  std::string given;
  for (const auto& [variable, dtype] : bound) {
    given += fmt::format("{}{} = {}", given.empty() ? "" : ", ", variable->name,
                         belay::NameOf(dtype));
  }
  RefuseCall(
      fmt::format("kernel `{}` has no instance for {}", kernel_.name, given),
      "see its `dtype` and `dtypes` lines for what goes together");
}

void Machine::BindShape(const Parameter& parameter, const Shape& shape,
                        const std::string& name, ShapeNames& common,
                        ShapeNames* own) {
  const auto pack =
      std::find_if(parameter.dims.begin(), parameter.dims.end(),
                   [](const ParameterDim& dim) { return !dim.pack.empty(); });
  const bool has_pack = pack != parameter.dims.end();
  const size_t single = parameter.dims.size() - (has_pack ? 1 : 0);
  if (has_pack ? shape.size() < single : shape.size() != single) {
    RefuseCall(
        fmt::format("`{}` has {} dimensions (shape ({})); the kernel "
                    "takes {}{}",
                    name, shape.size(), belay::ToText(shape),
                    has_pack ? "at least " : "", single));
  }
  size_t at = 0;
  for (const ParameterDim& dim : parameter.dims) {
    const std::string_view bound = BoundName(dim);
    ShapeNames& names =
        own != nullptr && IsOfElements(kernel_, bound) ? *own : common;
    if (!dim.pack.empty()) {
      const size_t count = shape.size() - single;
      const Shape part(shape.begin() + static_cast<ptrdiff_t>(at),
                       shape.begin() + static_cast<ptrdiff_t>(at + count));
      at += count;
      BindName<decltype(names.packs), Shape>(
          names.packs, bound, part, name,
          [](const Shape& s) { return "(" + belay::ToText(s) + ")"; });
      continue;
    }
    const int64_t size = shape[at++];
    if (bound.empty()) continue;
    BindName<decltype(names.sizes), int64_t>(
        names.sizes, bound, size, name,
        [](const int64_t& s) { return std::to_string(s); });
  }
}

void Machine::BindTensors() {
  for (const Parameter* parameter : kernel_.parameters) {
    if (!IsGiven(*parameter)) continue;
    Value& value = parameters_[static_cast<size_t>(parameter->id)];
    const TensorArgument* argument = FindArgument(*parameter);
    if (argument == nullptr) {
      if (parameter->optional) continue;
      RefuseCall(fmt::format("kernel `{}` needs an argument for `{}`",
                             kernel_.name, parameter->name));
    }
    if (argument->list != parameter->list ||
        (!argument->list && argument->arrays.size() != 1)) {
      RefuseCall(fmt::format("`{}` is {} of the kernel, but {} was given",
                             parameter->name,
                             parameter->list ? "a list" : "one tensor",
                             argument->list ? "a list" : "one tensor"));
    }
    auto list = std::make_shared<TensorList>();
    for (size_t i = 0; i < argument->arrays.size(); ++i) {
      const std::string name = ElementName(*parameter, i);
      if (parameter->list && element_names_.size() <= i) {
        element_names_.resize(i + 1);
      }
      const Array& array = argument->arrays[i];
      BindShape(*parameter, array.shape, name, names_,
                parameter->list ? &element_names_[i] : nullptr);
      if (parameter->role == ParameterRole::kValue) {
        const DType dtype = DtypeOf(parameter->type.element);
        const bool whole =
            array.dtype == DType::kInt32 || array.dtype == DType::kInt64;
        if (dtype == DType::kNone ? !whole : array.dtype != dtype) {
          RefuseCall(fmt::format(
              "`{}` is {}; the kernel takes {}", name,
              belay::NameOf(array.dtype),
              dtype == DType::kNone ? "i32 or i64" : belay::NameOf(dtype)));
        }
        value.data = std::make_shared<const std::vector<int64_t>>(
            TileOfArray(context_, array)->whole);
        continue;
      }
      const TensorPtr tensor = HoldArgument(*parameter, name, array);
      if (!shapes_only_ && parameter->role == ParameterRole::kInOut) {
        tensor->WatchReads(context_);
      }
      list->push_back(tensor);
      if (!parameter->list) value.data = TensorRef{tensor, tensor->shape()};
    }
    if (parameter->list) value.data = list;
  }
}

void Machine::BindAttributes() {
  for (const Parameter* parameter : kernel_.parameters) {
    if (IsTensor(*parameter)) continue;
    const size_t id = static_cast<size_t>(parameter->id);
    ready_[id] = true;
    Value& value = parameters_[id];
    const auto found = arguments_.attributes.find(parameter->name);
    if (found == arguments_.attributes.end()) {
      if (parameter->fallback == nullptr) {
        RefuseCall(fmt::format("kernel `{}` needs attribute `{}`", kernel_.name,
                               parameter->name));
      }
      value = Evaluate(*parameter->fallback);
      if (const auto* tuple =
              std::get_if<std::shared_ptr<Tuple>>(&value.data)) {
        std::vector<int64_t> list;
        for (const Value& member : **tuple) list.push_back(ToInteger(member));
        value.data =
            std::make_shared<const std::vector<int64_t>>(std::move(list));
      }
    } else {
      std::visit(
          [&](const auto& given) {
            using T = std::decay_t<decltype(given)>;
            if constexpr (std::is_same_v<T, bool>) {
              value.data = static_cast<int64_t>(given);
            } else if constexpr (std::is_same_v<T, std::vector<int64_t>>) {
              value.data = std::make_shared<const std::vector<int64_t>>(given);
            } else {
              value.data = given;
            }
          },
          found->second);
    }
    const bool whole = std::holds_alternative<int64_t>(value.data);
    bool fits = false;
    switch (parameter->type.kind) {
      case TypeKind::kHostFloat:
        if (whole) {
          value.data = static_cast<double>(std::get<int64_t>(value.data));
        }
        fits = std::holds_alternative<double>(value.data);
        break;
      case TypeKind::kHostString:
        fits = std::holds_alternative<std::string>(value.data);
        break;
      case TypeKind::kHostList:
        fits = std::holds_alternative<WholeList>(value.data);
        break;
      case TypeKind::kHostBool:
        fits = whole && (std::get<int64_t>(value.data) | 1) == 1;
        break;
      default:
        fits = whole;
    }
    if (!fits) {
      RefuseCall(fmt::format("attribute `{}` is of type {}", parameter->name,
                             ToText(parameter->type)),
                 "give a value of that type");
    }
  }
}

size_t Machine::ListLength(const Parameter& parameter) const {
  for (const Parameter* other : kernel_.parameters) {
    if (!other->list || other->role == ParameterRole::kOut) continue;
    if (const TensorArgument* argument = FindArgument(*other)) {
      return argument->arrays.size();
    }
  }
  RefuseCall(fmt::format("nothing says how many tensors list `{}` has",
                         parameter.name),
             "give the kernel an input list");
}

Shape Machine::ShapeOf(const Parameter& parameter, size_t element) {
  const ShapeNames* before = element_;
  if (parameter.list && element < element_names_.size()) {
    element_ = &element_names_[element];
  }
  Shape shape;
  for (const ParameterDim& dim : parameter.dims) {
    if (dim.pack.empty()) {
      shape.push_back(SizeOf(*dim.expr));
      continue;
    }
    const auto find = [&](const ShapeNames& names) -> const Shape* {
      const auto found = names.packs.find(dim.pack);
      return found == names.packs.end() ? nullptr : &found->second;
    };
    const Shape* pack = element_ != nullptr ? find(*element_) : nullptr;
    if (pack == nullptr) pack = find(names_);
    if (pack == nullptr) {
      RefuseCall(fmt::format("no argument binds *{} of `{}`", dim.pack,
                             parameter.name));
    }
    shape.insert(shape.end(), pack->begin(), pack->end());
  }
  element_ = before;
  return shape;
}

void Machine::CheckShape(const Parameter& parameter, const Shape& shape,
                         const std::string& name, size_t element) {
  const Shape expected = ShapeOf(parameter, element);
  if (expected == shape) return;
  RefuseCall(
      fmt::format("`{}` has shape ({}); by the kernel's sizes it must "
                  "be ({})",
                  name, belay::ToText(shape), belay::ToText(expected)));
}

void Machine::MakeOutput(const Parameter& parameter) {
  Value& value = parameters_[static_cast<size_t>(parameter.id)];
  if (parameter.optional && !arguments_.wanted.contains(parameter.name)) {
    return;
  }
  const size_t count = parameter.list ? ListLength(parameter) : 1;
  auto list = std::make_shared<TensorList>();
  for (size_t i = 0; i < count; ++i) {
    list->push_back(NewTensor(ElementName(parameter, i),
                              DtypeOf(parameter.type.element),
                              ShapeOf(parameter, i)));
  }
  if (parameter.list) {
    value.data = list;
  } else {
    value.data = TensorRef{list->front(), list->front()->shape()};
  }
}

const Value& Machine::ParameterValue(const Parameter& parameter) {
  const auto id = static_cast<size_t>(parameter.id);
  Value& value = parameters_[id];
  if (ready_[id]) return value;
  if (parameter.role == ParameterRole::kOut) {
    MakeOutput(parameter);
  } else if (parameter.role != ParameterRole::kValue && !value.absent()) {
    if (const auto* ref = std::get_if<TensorRef>(&value.data)) {
      CheckShape(parameter, ref->shape, parameter.name, 0);
    } else {
      const auto& list = *std::get<std::shared_ptr<TensorList>>(value.data);
      for (size_t i = 0; i < list.size(); ++i) {
        CheckShape(parameter, list[i]->shape(), ElementName(parameter, i), i);
      }
    }
  }
  ready_[id] = true;
  return value;
}

}  // namespace belay::crux::interpret
