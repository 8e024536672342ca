// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REGISTER_OP_DEF_REGISTRY_H_
#define BELAY_REGISTER_OP_DEF_REGISTRY_H_

// OP_ADD: registering an operator's definition.

#include "belay/op_host.h"
#include "graph/operator.h"
#include "graph/types.h"
#include "register/op_def.h"
#include "register/op_impl_registry.h"

namespace ops {

template <typename Definition>
const char*& RegisteredName() {
  static const char* name = nullptr;
  return name;
}

// The definition is constructed when it is asked for, not at static
// initialisation, when what its constructor uses may not be there yet.
template <typename Definition>
const belay::abi::HostOperator* DescribeOperator() {
  static Definition definition(RegisteredName<Definition>());
  return definition.Describe();
}

template <typename Definition>
bool AddOperator(const char* type) {
  RegisteredName<Definition>() = type;
  belay_register_operator(type, &DescribeOperator<Definition>);
  return true;
}

}  // namespace ops

#define OP_ADD(type, ...)                                    \
  [[maybe_unused]] static const bool belay_operator_##type = \
      ops::AddOperator<type>(#type)

#endif  // BELAY_REGISTER_OP_DEF_REGISTRY_H_
