// SPDX-License-Identifier: Apache-2.0
#include "crux/fuzz/scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.h"
#include "crux/fuzz/random_array.h"
#include "crux/type.h"

namespace belay::crux::fuzz {
namespace {

constexpr std::string_view kPack = "*S";
constexpr std::array kSizeNames = {"M", "N", "K", "P", "Q"};
constexpr std::array kOddSizes = {1, 2, 3, 4, 5, 7, 8, 9, 13, 16, 17};

bool HasPack(const std::vector<std::string>& sizes) {
  return std::ranges::find(sizes, kPack) != sizes.end();
}

}  // namespace

bool AllowedBy(OpDtypes rule, const Dtype& dtype) {
  return std::ranges::all_of(dtype.instances,
                             [&](DType one) { return Allows(rule, one); });
}

std::string ToText(const TileType& type) {
  if (type.dims.empty()) return type.dtype.text;
  std::vector<std::string> texts;
  for (const Dim& dim : type.dims) texts.push_back(dim.text);
  return fmt::format("{}[{}]", type.dtype.text, fmt::join(texts, ", "));
}

Scope::Scope(uint64_t seed) : random(seed) {
  instance_ = static_cast<size_t>(random.Below(1000));
  for (int i = random.Between(1, 3); i > 0; --i) {
    Shape pack;
    for (int rank = random.Between(1, 3); rank > 0; --rank) {
      pack.push_back(random.Between(1, 7));
    }
    packs_.push_back(std::move(pack));
  }
}

Dim Scope::NamedSize() {
  const std::string name = random.Pick(kSizeNames);
  if (!sizes_.contains(name)) {
    sizes_[name] = random.Chance(4) ? 33 : random.Pick(kOddSizes);
  }
  return {name, name, ":"};
}

Dim Scope::Literal(int size) {
  return {std::to_string(size), std::to_string(size), ":"};
}

int Scope::ValueOf(const std::string& size) const {
  if (const auto found = sizes_.find(size); found != sizes_.end()) {
    return found->second;
  }
  int value = 0;
  const auto end = size.data() + size.size();
  if (std::from_chars(size.data(), end, value).ptr != end) {
    throw InternalError("[crux fuzz] no size is called " + size);
  }
  return value;
}

std::string Scope::NewName(std::string_view stem) {
  return fmt::format("{}{}", stem, names_++);
}

void Scope::Line(const std::string& text) {
  body_.append(static_cast<size_t>(indent_) * 4, ' ');
  body_ += text;
  body_ += random.Chance(3) ? "  # a note\n" : "\n";
}

std::string Scope::Declare(std::string_view stem, std::string_view wrap,
                           const Dtype& dtype,
                           const std::vector<std::string>& sizes) {
  const std::string name = NewName(stem);
  std::string type = dtype.text;
  if (!sizes.empty()) type += fmt::format("[{}]", fmt::join(sizes, ", "));
  if (shaping == Shaping::kList && HasPack(sizes)) {
    type = fmt::format("list({})", type);
  }
  if (!wrap.empty()) type = fmt::format("{}({})", wrap, type);
  parameters_.push_back(fmt::format("{}: {}", name, type));
  return name;
}

Shape Scope::ShapeOf(const std::vector<std::string>& sizes,
                     const Shape& pack) const {
  Shape shape;
  for (const std::string& size : sizes) {
    if (size == kPack) {
      shape.insert(shape.end(), pack.begin(), pack.end());
    } else {
      shape.push_back(ValueOf(size));
    }
  }
  return shape;
}

void Scope::Fill(const std::string& name, const Dtype& dtype,
                 const std::vector<std::string>& sizes) {
  interpret::TensorArgument& input = program_.arguments.tensors[name];
  input.list = shaping == Shaping::kList && HasPack(sizes);
  const size_t count = input.list ? packs_.size() : 1;
  for (size_t i = 0; i < count; ++i) {
    input.arrays.push_back(
        RandomArray(random, InstanceOf(dtype), ShapeOf(sizes, packs_[i])));
  }
}

std::string Scope::NewInput(const Dtype& dtype,
                            const std::vector<std::string>& sizes) {
  const std::string name = Declare("x", "", dtype, sizes);
  Fill(name, dtype, sizes);
  inputs_.push_back({name, dtype, sizes});
  return name;
}

std::string Scope::NewInOut(const Dtype& dtype,
                            const std::vector<std::string>& sizes) {
  const std::string name = Declare("z", "inout", dtype, sizes);
  Fill(name, dtype, sizes);
  return name;
}

std::string Scope::NewOutput(const Dtype& dtype,
                             const std::vector<std::string>& sizes) {
  return Declare("y", "out", dtype, sizes);
}

std::string Scope::NewOutput(const Dtype& dtype, const std::string& shape) {
  return Declare("y", "out", dtype, {shape});
}

std::string Scope::NewOptionalOutput(const Dtype& dtype,
                                     const std::vector<std::string>& sizes,
                                     bool wanted) {
  const std::string name = NewName("w");
  parameters_.push_back(fmt::format("{}: optional(out({}[{}]))", name,
                                    dtype.text, fmt::join(sizes, ", ")));
  if (wanted) program_.arguments.wanted.insert(name);
  return name;
}

std::string Scope::NewOptional(const Dtype& dtype,
                               const std::vector<std::string>& sizes,
                               bool given) {
  const std::string name = Declare("o", "optional", dtype, sizes);
  if (given) Fill(name, dtype, sizes);
  return name;
}

std::string Scope::NewIndices(const std::string& size, int below) {
  const bool wide = random.Chance(50);
  const std::string name = NewName("at");
  parameters_.push_back(
      fmt::format("{}: {}[{}]", name, wide ? "i64" : "i32", size));
  program_.arguments.tensors[name].arrays = {RandomIndices(
      random, wide ? DType::kInt64 : DType::kInt32, {ValueOf(size)}, below)};
  return name;
}

std::string Scope::NewHostList(int count) {
  const std::string name = NewName("v");
  const std::string size = std::to_string(count);
  parameters_.push_back(fmt::format("{}: value(i64[{}])", name, size));
  program_.arguments.tensors[name].arrays = {
      RandomIndices(random, DType::kInt64, {count}, /*below=*/4)};
  return name;
}

std::string Scope::NewAttribute(const std::string& type,
                                interpret::AttributeValue value,
                                const std::string& fallback) {
  const std::string name = NewName("a");
  std::string text = fmt::format("{}: {}", name, type);
  if (!fallback.empty()) text += " = " + fallback;
  // Parameters with defaults come last.
  if (fallback.empty()) {
    attributes_.insert(attributes_.begin(), text);
  } else {
    attributes_.push_back(text);
  }
  if (fallback.empty() || random.Chance(60)) {
    program_.arguments.attributes[name] = std::move(value);
  }
  return name;
}

bool Scope::Loadable(const Dims& dims) const {
  return dims.size() <= 1 || std::ranges::none_of(dims, [](const Dim& dim) {
           return dim.size == kPack;
         });
}

std::string Scope::Indexed(const std::string& tensor, bool packed,
                           const std::vector<std::string>& indices) const {
  std::string text = tensor;
  if (packed) {
    if (shaping == Shaping::kList) text += "[i]";
    text += ".flat";
  }
  return fmt::format("{}[{}]", text, fmt::join(indices, ", "));
}

bool Scope::Match(const Tensor& tensor, size_t dimension, const Dims& dims,
                  size_t from, std::vector<std::string>& indices) {
  if (dimension == tensor.sizes.size()) return from == dims.size();
  const std::string& size = tensor.sizes[dimension];
  if (from < dims.size() && dims[from].size == size) {
    indices.push_back(dims[from].index);
    if (Match(tensor, dimension + 1, dims, from + 1, indices)) return true;
    indices.pop_back();
  }
  if (size == kPack) return false;
  std::string point = "0";
  for (const LoopAround& loop : loops) {
    if (!loop.range && loop.dim.size == size) point = loop.dim.index;
  }
  indices.push_back(point);
  if (Match(tensor, dimension + 1, dims, from, indices)) return true;
  indices.pop_back();
  return false;
}

std::string Scope::ViewOf(const TileType& type) {
  std::vector<std::string> views;
  for (const Tensor& tensor : inputs_) {
    std::vector<std::string> indices;
    if (tensor.dtype == type.dtype && Match(tensor, 0, type.dims, 0, indices)) {
      views.push_back(Indexed(tensor.name, HasPack(tensor.sizes), indices));
    }
  }
  if (!views.empty() && (inputs_.size() > 5 || random.Chance(80))) {
    return random.Pick(views);
  }
  // A new input, indexed by some of the index loops around as well.
  Dims dims;
  const bool packed = !type.dims.empty() && type.dims[0].size == kPack;
  for (const LoopAround& loop : loops) {
    if (!loop.range && loop.dim.size != kPack && !packed && random.Chance(60)) {
      dims.push_back(loop.dim);
    }
  }
  dims.insert(dims.end(), type.dims.begin(), type.dims.end());
  if (dims.empty()) dims.push_back({"", "1", "0"});
  std::vector<std::string> sizes;
  for (const Dim& dim : dims) sizes.push_back(dim.size);
  return Subscript(NewInput(type.dtype, sizes), dims);
}

std::string Scope::Subscript(const std::string& tensor,
                             const Dims& dims) const {
  std::vector<std::string> indices;
  bool packed = false;
  for (const Dim& dim : dims) {
    indices.push_back(dim.index);
    packed |= dim.size == kPack;
  }
  return Indexed(tensor, packed, indices);
}

std::vector<Dim> Scope::PlaceDims(const TileType& type) const {
  Dims dims;
  for (const LoopAround& loop : loops) {
    const bool held = std::ranges::find(type.dims, loop.dim) != type.dims.end();
    if (loop.sort == LoopSort::kCores && !held) dims.push_back(loop.dim);
  }
  dims.insert(dims.end(), type.dims.begin(), type.dims.end());
  if (dims.empty()) dims.push_back({"", "1", "0"});
  return dims;
}

std::string Scope::PlaceFor(const TileType& type) {
  const Dims dims = PlaceDims(type);
  std::vector<std::string> sizes;
  for (const Dim& dim : dims) sizes.push_back(dim.size);
  return Subscript(NewOutput(type.dtype, sizes), dims);
}

DType Scope::InstanceOf(const Dtype& dtype) const {
  return dtype.instances[instance_ % dtype.instances.size()];
}

void Scope::BindSizes() {
  std::vector<std::string> unbound;
  for (const auto& [name, value] : sizes_) {
    const bool bound = std::ranges::any_of(inputs_, [&](const Tensor& tensor) {
      return std::ranges::find(tensor.sizes, name) != tensor.sizes.end();
    });
    if (!bound) unbound.push_back(name);
  }
  if (!unbound.empty()) NewInput({"f32", {DType::kFloat}}, unbound);
}

GeneratedProgram Scope::Finish() {
  BindSizes();
  std::vector<std::string> all = parameters_;
  all.insert(all.end(), attributes_.begin(), attributes_.end());
  program_.kernel = "generated";
  program_.text = head_;
  if (!head_.empty()) program_.text += "\n\n";
  program_.text +=
      fmt::format("@kernel{}\ndef generated({}):\n{}",
                  fast ? "(fast=True)" : "", fmt::join(all, ", "), body_);
  return std::move(program_);
}

}  // namespace belay::crux::fuzz
