// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/registry.h"

namespace belay::runtime {
namespace {

RegisteredOperator& Entry(const char* type) {
  Registry& registry = GetRegistry();
  for (RegisteredOperator& known : registry.operators) {
    if (known.type == type) return known;
  }
  registry.operators.emplace_back().type = type;
  return registry.operators.back();
}

}  // namespace

const RegisteredOperator* Registry::Find(const std::string& type) const {
  for (const RegisteredOperator& known : operators) {
    if (known.type == type) return &known;
  }
  return nullptr;
}

Registry& GetRegistry() {
  static Registry registry;
  return registry;
}

}  // namespace belay::runtime

extern "C" {

using belay::runtime::Entry;

void belay_register_operator(const char* type,
                             const belay::abi::HostOperator* (*describe)()) {
  Entry(type).describe = describe;
}

void belay_register_config(const char* type,
                           const belay::abi::HostConfig* (*describe)()) {
  Entry(type).configs.push_back(describe);
}

void belay_register_tiling(const char* type,
                           belay::abi::TilingFunction function) {
  Entry(type).tiling = function;
}

void belay_register_tiling_parse(const char* type,
                                 belay::abi::TilingParseFunction function,
                                 void* (*create)(), void (*destroy)(void*)) {
  belay::runtime::RegisteredOperator& entry = Entry(type);
  entry.tiling_parse = function;
  entry.create_compile_info = create;
  entry.destroy_compile_info = destroy;
}

void belay_register_infer_shape(const char* type,
                                belay::abi::InferShapeFunction function) {
  Entry(type).infer_shape = function;
}

void belay_register_infer_dtype(const char* type,
                                belay::abi::InferDataTypeFunction function) {
  Entry(type).infer_dtype = function;
}

void belay_register_value_depend(const char* type, const uint64_t* inputs,
                                 uint64_t count) {
  std::vector<uint64_t>& known = Entry(type).value_depend;
  known.insert(known.end(), inputs, inputs + count);
}

void belay_register_tiling_class(
    const char* type, const belay::abi::HostTilingClass* (*describe)()) {
  auto& classes = belay::runtime::GetRegistry().tiling_classes;
  // A header included in several files registers once in each.
  for (const auto& known : classes) {
    if (known.name == type && known.describe == describe) return;
  }
  classes.push_back({type, describe});
}
}
