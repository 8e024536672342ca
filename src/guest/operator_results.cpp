// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/catalogue.h"
#include "guest/operator_binding.h"

namespace belay::guest {
namespace {

constexpr size_t kAlignment = 64;

size_t SizeOf(const KernelTensor& tensor) {
  return BytesOf(tensor.dtype, static_cast<size_t>(ElementCount(tensor.shape)));
}

const OutputRequest* FindRequest(const OperatorOptions& options,
                                 const std::string& name) {
  const auto found =
      std::find_if(options.outputs.begin(), options.outputs.end(),
                   [&](const OutputRequest& o) { return o.name == name; });
  return found == options.outputs.end() ? nullptr : &*found;
}

Diagnostic Difference(const OutputReport& report) {
  Diagnostic diagnostic;
  diagnostic.code = code::kH114;
  diagnostic.message =
      fmt::format("output '{}' is not as expected ({}): {}", report.name,
                  report.expected, ToText(report.comparison, report.tolerance));
  return diagnostic;
}

}  // namespace

void RequireFiles(const OutputRequest& request, size_t tensors) {
  const auto require = [&](const char* option, size_t files) {
    if (files == 0 || files == tensors) return;
    RefuseCall(fmt::format("{} names {} files for '{}', which has {} tensors",
                           option, files, request.name, tensors));
  };
  require("--out", request.files.size());
  require("--expect", request.expected.size());
}

OperatorResults::OperatorResults(const std::vector<ResultRequest>& requests,
                                 std::vector<KernelArgument>& arguments) {
  for (const ResultRequest& request : requests) {
    const KernelArgument& argument = arguments[request.argument];
    Entry entry{request.name, argument.is_list, {}, {}};
    for (const KernelTensor& tensor : argument.tensors) {
      entry.tensors.push_back({tensor.dtype, tensor.shape, bytes_});
      bytes_ += (SizeOf(tensor) + kAlignment - 1) / kAlignment * kAlignment;
    }
    entries_.push_back(std::move(entry));
  }
  const size_t shapes = bytes_;
  for (size_t i = 0; i < requests.size(); ++i) {
    if (!requests[i].shape_from) continue;
    const size_t words = requests[i].shape_from->index * kShapeWords;
    entries_[i].shape_offset = shapes + words * sizeof(uint64_t);
    bytes_ =
        shapes +
        SizeOf(arguments[requests[i].shape_from->argument].tensors.front());
  }
  for (size_t i = 0; i < requests.size(); ++i) {
    auto& tensors = arguments[requests[i].argument].tensors;
    for (size_t t = 0; t < tensors.size(); ++t) {
      tensors[t].result = entries_[i].tensors[t].offset;
    }
    if (requests[i].shape_from) {
      arguments[requests[i].shape_from->argument].tensors.front().result =
          shapes;
    }
  }
}

Array OperatorResults::Read(const std::byte* memory, const Entry& entry,
                            size_t index) {
  const Tensor& tensor = entry.tensors[index];
  Array array;
  array.dtype = tensor.dtype;
  array.shape = tensor.shape;
  if (entry.shape_offset) {
    uint64_t words[kShapeWords];
    std::memcpy(words, memory + *entry.shape_offset, sizeof words);
    // The upper bits of the rank say how wide the sizes are.
    const uint64_t rank = words[0] & 0xFF;
    if (rank > 0 && rank < kShapeWords) {
      const Shape written(words + 1, words + 1 + rank);
      const bool fits = std::all_of(written.begin(), written.end(),
                                    [](int64_t size) { return size >= 0; }) &&
                        ElementCount(written) <= ElementCount(tensor.shape);
      if (fits) array.shape = written;
    }
  }
  array.data.resize(
      BytesOf(array.dtype, static_cast<size_t>(ElementCount(array.shape))));
  std::copy_n(memory + tensor.offset, array.data.size(), array.data.begin());
  return array;
}

std::vector<Array> OperatorResults::Take(const std::byte* memory,
                                         const std::string& name) const {
  std::vector<Array> tensors;
  for (const Entry& entry : entries_) {
    if (entry.name != name) continue;
    for (size_t i = 0; i < entry.tensors.size(); ++i) {
      tensors.push_back(Read(memory, entry, i));
    }
  }
  return tensors;
}

void OperatorResults::Deliver(const std::byte* memory,
                              const OperatorOptions& options,
                              OperatorResult& result) const {
  for (const Entry& entry : entries_) {
    const OutputRequest* request = FindRequest(options, entry.name);
    for (size_t i = 0; i < entry.tensors.size(); ++i) {
      const Array array = Read(memory, entry, i);
      OutputReport report;
      report.name =
          entry.is_list ? fmt::format("{}[{}]", entry.name, i) : entry.name;
      report.dtype = array.dtype;
      report.shape = array.shape;
      if (request != nullptr && !request->files.empty()) {
        report.file = request->files[i];
        WriteNpy(report.file, array);
      }
      if (request != nullptr && !request->expected.empty()) {
        const TensorFile& expected = request->expected[i];
        report.expected = expected.path;
        report.tolerance = DefaultTolerance(array.dtype);
        if (options.rtol) report.tolerance.rtol = *options.rtol;
        if (options.atol) report.tolerance.atol = *options.atol;
        report.comparison =
            Compare(array, ReadTensor(expected), report.tolerance);
        if (!report.comparison.equal()) {
          result.diagnostics.push_back(Difference(report));
        }
      }
      result.outputs.push_back(std::move(report));
    }
  }
}

}  // namespace belay::guest
