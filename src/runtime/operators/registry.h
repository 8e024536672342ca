// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_REGISTRY_H_
#define BELAY_RUNTIME_OPERATORS_REGISTRY_H_

// What op_host code registered in this process, by operator type.

#include <cstdint>
#include <string>
#include <vector>

#include "belay/op_host.h"

namespace belay::runtime {

struct RegisteredOperator {
  std::string type;
  const abi::HostOperator* (*describe)() = nullptr;  // null without OP_ADD
  std::vector<const abi::HostConfig* (*)()> configs;

  // From IMPL_OP…; they come before those of the definition.
  abi::TilingFunction tiling = nullptr;
  abi::TilingParseFunction tiling_parse = nullptr;
  void* (*create_compile_info)() = nullptr;
  void (*destroy_compile_info)(void*) = nullptr;
  abi::InferShapeFunction infer_shape = nullptr;
  abi::InferDataTypeFunction infer_dtype = nullptr;
  std::vector<uint64_t> value_depend;  // indices of inputs
};

// A tiling class and what it was registered for: an operator's type, type and
// key ("Add_1"), or a made-up name where it is only a part of others.
struct RegisteredTilingClass {
  std::string name;
  const abi::HostTilingClass* (*describe)();
};

struct Registry {
  std::vector<RegisteredOperator> operators;  // by first registration
  std::vector<RegisteredTilingClass> tiling_classes;

  // Null if there is none.
  const RegisteredOperator* Find(const std::string& type) const;
};

Registry& GetRegistry();

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_REGISTRY_H_
