// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_OP_CONFIG_REGISTRY_H_
#define BELAY_REGISTER_OP_CONFIG_REGISTRY_H_

// REGISTER_OP_AICORE_CONFIG: a chip's OpAICoreConfig in a file of its own. An
// AddConfig of the definition for the same chip comes first.

#include "register/op_def_registry.h"

namespace ops {

template <typename Tag>
OpAICoreConfig (*&ConfigMaker())() {
  static OpAICoreConfig (*make)() = nullptr;
  return make;
}

template <typename Tag>
const belay::abi::HostConfig* DescribeConfig() {
  static OpAICoreConfig config = ConfigMaker<Tag>()();
  config.SetSoc(Tag::kSoc);
  return config.Describe();
}

template <typename Tag>
bool RegisterConfig(const char* type, OpAICoreConfig (*make)()) {
  ConfigMaker<Tag>() = make;
  belay_register_config(type, &DescribeConfig<Tag>);
  return true;
}

}  // namespace ops

// The last argument, a function or lambda, may hold commas.
#define REGISTER_OP_AICORE_CONFIG(type, soc, ...)                            \
  namespace {                                                                \
  struct belay_config_tag_##type##soc {                                      \
    static constexpr const char* kSoc = #soc;                                \
  };                                                                         \
  [[maybe_unused]] const bool belay_config_##type##soc =                     \
      ops::RegisterConfig<belay_config_tag_##type##soc>(#type, __VA_ARGS__); \
  }

#endif  // BELAY_REGISTER_OP_CONFIG_REGISTRY_H_
