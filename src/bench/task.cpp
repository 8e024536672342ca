// SPDX-License-Identifier: Apache-2.0
#include "bench/task.h"

#include <algorithm>

namespace belay::bench {
namespace {

template <typename Spec>
const Spec* FindNamed(const std::vector<Spec>& specs, std::string_view name) {
  const auto found =
      std::find_if(specs.begin(), specs.end(),
                   [name](const Spec& spec) { return spec.name == name; });
  return found == specs.end() ? nullptr : &*found;
}

}  // namespace

const InputSpec* FindInput(const Task& task, std::string_view name) {
  return FindNamed(task.inputs, name);
}

const OutputSpec* FindOutput(const Task& task, std::string_view name) {
  return FindNamed(task.outputs, name);
}

const AttributeSpec* FindAttribute(const Task& task, std::string_view name) {
  return FindNamed(task.attributes, name);
}

std::string_view NameOf(CaseKind kind) {
  return kind == CaseKind::kEdge ? "edge" : "real";
}

std::string_view NameOf(Regime regime) {
  static constexpr std::string_view kNames[] = {
      "normal", "wide", "small", "cancellation", "special", "ties"};
  return kNames[static_cast<size_t>(regime)];
}

std::string_view NameOf(Precision precision) {
  static constexpr std::string_view kNames[] = {"ulp", "exact", "quantised",
                                                "checked"};
  return kNames[static_cast<size_t>(precision)];
}

std::string_view NameOf(AttributeType type) {
  static constexpr std::string_view kNames[] = {
      "int", "float", "bool", "string", "int_list", "float_list"};
  return kNames[static_cast<size_t>(type)];
}

std::string_view NameOf(ValueKind kind) {
  static constexpr std::string_view kNames[] = {
      "real",     "positive",    "nonnegative", "nonzero", "unit",
      "fraction", "probability", "uniform",     "index",   "permutation",
      "sorted",   "partition",   "mask",        "given",   "copy"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace belay::bench
