// SPDX-License-Identifier: Apache-2.0
// From the tensors a run left behind to its results.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/catalogue.h"
#include "crux/interpret/arrays.h"
#include "crux/interpret/machine.h"
#include "crux/interpret/reshape.h"

namespace belay::crux::interpret {
namespace {

using typed::Parameter;
using typed::ParameterDim;
using typed::ParameterRole;

// Which dimensions of the tensor are upto(…).
std::vector<bool> OpenDimensions(const Parameter& parameter, size_t rank) {
  std::vector<bool> open;
  const size_t packed = rank + 1 - parameter.dims.size();
  for (const ParameterDim& dim : parameter.dims) {
    open.resize(open.size() + (dim.pack.empty() ? 1 : packed), dim.upto);
  }
  return open;
}

// The tensor's shape, an upto dimension cut behind the last element stored.
Shape StoredExtent(const Tensor& tensor, const std::vector<bool>& open) {
  Shape extent = tensor.shape();
  for (size_t d = 0; d < extent.size(); ++d) {
    if (open[d]) extent[d] = 0;
  }
  for (size_t i = 0; i < tensor.data()->size(); ++i) {
    if (!tensor.defined(i)) continue;
    const Shape at = IndexOf(i, tensor.shape());
    for (size_t d = 0; d < extent.size(); ++d) {
      extent[d] = std::max(extent[d], at[d] + 1);
    }
  }
  return extent;
}

std::vector<Selection> SelectAll(const Shape& extent) {
  std::vector<Selection> selections;
  for (const int64_t size : extent) {
    Selection selection;
    selection.shape = {size};
    for (int64_t i = 0; i < size; ++i) selection.where.push_back(i);
    selections.push_back(std::move(selection));
  }
  return selections;
}

}  // namespace

void Machine::Deliver(Results& results) {
  for (const Parameter* parameter : kernel_.parameters) {
    if (parameter->role == ParameterRole::kAttribute) continue;
    place_ = &parameter->range;
    const Value& value = ParameterValue(*parameter);
    if (parameter->role != ParameterRole::kOut &&
        parameter->role != ParameterRole::kInOut) {
      continue;
    }
    if (const auto* ref = std::get_if<TensorRef>(&value.data)) {
      Deliver(*parameter, *ref->tensor, 0, results);
    } else if (const auto* list =
                   std::get_if<std::shared_ptr<TensorList>>(&value.data)) {
      for (size_t i = 0; i < (*list)->size(); ++i) {
        Deliver(*parameter, *(**list)[i], i, results);
      }
    }
  }
}

void Machine::WarnOfHole(const Parameter& parameter, const Tensor& tensor,
                         size_t element, Results& results) {
  Diagnostic diagnostic;
  diagnostic.code = code::kX189;
  diagnostic.severity = Severity::kWarning;
  diagnostic.message =
      fmt::format("the kernel never stores {}[{}]", tensor.name(),
                  belay::ToText(IndexOf(element, tensor.shape())));
  diagnostic.fix = "store every element of every output";
  diagnostic.location = LocationOf(parameter.range);
  results.diagnostics.push_back(std::move(diagnostic));
}

void Machine::Deliver(const Parameter& parameter, const Tensor& tensor,
                      size_t index, Results& results) {
  TilePtr tile = tensor.data();
  OutputTensor output;
  const std::vector<bool> open =
      OpenDimensions(parameter, tensor.shape().size());
  std::optional<size_t> hole;
  const auto see = [&](size_t element) {
    output.stored.push_back(tensor.defined(element));
    if (!output.stored.back() && !hole) hole = element;
  };
  if (std::find(open.begin(), open.end(), true) == open.end()) {
    for (size_t i = 0; i < tile->size(); ++i) see(i);
  } else {
    const Shape extent = StoredExtent(tensor, open);
    for (const int64_t size : extent) {
      budget_.RequireTile(static_cast<uint64_t>(size));
    }
    const std::vector<Selection> selections = SelectAll(extent);
    for (const size_t i :
         SelectedElements(context_, tensor.shape(), selections)) {
      see(i);
    }
    tile = Select(context_, *tile, selections);
  }
  if (hole) {
    WarnOfHole(parameter, tensor, *hole, results);
  } else {
    output.stored.clear();
  }
  output.name = tensor.name();
  output.parameter = parameter.name;
  output.index = index;
  output.array = ArrayOf(context_, *tile);
  if (context_.carries_bounds()) {
    if (doubtful_ || tensor.unbounded()) {
      auto unbounded = NewTile(context_, tile->dtype, tile->shape);
      unbounded->error.assign(tile->size(), kUnbounded);
      tile = unbounded;
    }
    output.bounds = BoundsOf(*tile);
  }
  results.outputs.push_back(std::move(output));
}

}  // namespace belay::crux::interpret
