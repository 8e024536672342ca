// SPDX-License-Identifier: Apache-2.0
#include "crux/run/open_outputs.h"

#include <algorithm>
#include <cstring>

#include "crux/run/flat_int.h"

namespace belay::crux::run {
namespace {

// The leading part of an array.
Array Leading(const Array& array, const Shape& shape) {
  Array part;
  part.dtype = array.dtype;
  part.shape = shape;
  const size_t element = BytesOf(array.dtype);
  const auto count = static_cast<size_t>(ElementCount(shape));
  part.data.resize(count * element);
  for (size_t i = 0; i < count; ++i) {
    size_t rest = i;
    size_t stride = 1;
    size_t from = 0;
    for (size_t d = shape.size(); d-- > 0;) {
      const auto size = static_cast<size_t>(shape[d]);
      from += rest % size * stride;
      rest /= size;
      stride *= static_cast<size_t>(array.shape[d]);
    }
    std::memcpy(part.data.data() + i * element,
                array.data.data() + from * element, element);
  }
  return part;
}

// For each dimension of the tensor: which of the parameter's it is, if that is
// open; else -1.
std::vector<int> OpenDimensions(const typed::Parameter& parameter,
                                size_t rank) {
  std::vector<int> open;
  const size_t packed = rank + 1 - parameter.dims.size();
  for (size_t i = 0; i < parameter.dims.size(); ++i) {
    const typed::ParameterDim& dim = parameter.dims[i];
    open.resize(open.size() + (dim.pack.empty() ? 1 : packed),
                dim.upto ? static_cast<int>(i) : -1);
  }
  return open;
}

}  // namespace

void CutOpenOutputs(const code::Kernel& kernel, const HostTable& host,
                    uint64_t workspace,
                    std::vector<interpret::OutputTensor>& outputs) {
  const auto lookup = [&](const std::string& name, int64_t) {
    return host.integers.at(name);
  };
  for (interpret::OutputTensor& output : outputs) {
    const auto extent = std::find_if(
        kernel.globals.begin(), kernel.globals.end(),
        [&](const code::Global& global) {
          const std::vector<ir::Tensor>& tensors = kernel.tiles->tensors;
          const int of = tensors[static_cast<size_t>(global.tensor)].extent_of;
          return of >= 0 && tensors[static_cast<size_t>(of)].parameter->name ==
                                output.parameter;
        });
    if (extent == kernel.globals.end()) continue;
    const typed::Parameter& parameter =
        *kernel.tiles->source->FindParameter(output.parameter);
    const size_t rank = output.array.shape.size();
    const auto* words = reinterpret_cast<const int64_t*>(
        workspace +
        static_cast<uint64_t>(FlatInt(extent->workspace).Evaluate(lookup)));
    const std::vector<int> open = OpenDimensions(parameter, rank);
    Shape shape = output.array.shape;
    for (size_t d = 0; d < rank; ++d) {
      if (open[d] < 0) continue;
      shape[d] = std::clamp<int64_t>(words[open[d]], 0, shape[d]);
    }
    output.array = Leading(output.array, shape);
  }
}

}  // namespace belay::crux::run
