// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_DEFINITION_H_
#define BELAY_RUNTIME_OPERATORS_DEFINITION_H_

// An operator's definition for one chip, with everything resolved that OpDef
// leaves open: what the chip's configuration replaces, lists that go with every
// column, parameters that follow others.

#include <string>
#include <vector>

#include "belay/op_host_define.h"
#include "graph/types.h"
#include "runtime/operators/registry.h"
#include "runtime/operators/signature.h"

namespace belay::runtime {

// What a signature does not say of a parameter.
struct ParameterDetails {
  std::vector<ge::Format> formats;  // one per column
  std::string shape_of;             // the input whose shape it has
  std::vector<abi::HostInitialValue> initial_values;  // none, 1 or per column
};

struct Definition {
  OperatorSignature signature;
  std::vector<ParameterDetails> inputs;
  std::vector<ParameterDetails> outputs;
  abi::TilingFunction tiling = nullptr;
  abi::TilingParseFunction tiling_parse = nullptr;
  abi::InferShapeFunction infer_shape = nullptr;
  abi::InferDataTypeFunction infer_dtype = nullptr;
  // What contradicts itself, a sentence each. The signature is then as good as
  // it can be: every parameter has equally many columns, maybe none.
  std::vector<std::string> problems;
};

// `registered` must have a description (OP_ADD).
Definition Define(const RegisteredOperator& registered,
                  const abi::HostPlatform& platform);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_DEFINITION_H_
