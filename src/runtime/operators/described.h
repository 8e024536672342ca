// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_DESCRIBED_H_
#define BELAY_RUNTIME_OPERATORS_DESCRIBED_H_

// An operator's definition as its OpDef wrote it, nothing resolved. Guest code
// holds pointers to these and calls belay/op_host_define.h on them.

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "belay/op_host_define.h"
#include "graph/types.h"

namespace belay::abi {

struct HostParameter {
  std::string name;
  HostPresence presence = HostPresence::kRequired;
  HostKind kind = HostKind::kTensor;
  std::vector<ge::DataType> dtypes;      // DataType: one per column
  std::vector<ge::DataType> dtype_list;  // DataTypeList: with every column
  std::vector<ge::Format> formats;
  std::vector<ge::Format> format_list;
  std::string follow;  // the parameter it follows; "" if none
  HostFollow follow_what = HostFollow::kAll;
  bool value_depend = false;
  bool shape_from_kernel = false;                // OutputShapeDependOnCompute
  std::vector<HostInitialValue> initial_values;  // none, one, or one per column
};

struct HostAttribute {
  std::string name;
  bool required = true;
  bool typed = false;  // Bool(), Int() … was called
  HostAttributeType type = HostAttributeType::kInt;
  bool has_default = false;
  // The default: one value, or a list's.
  std::vector<bool> bools;
  std::vector<int64_t> ints;
  std::vector<float> floats;
  std::string text;
  std::vector<std::vector<int64_t>> int_lists;
};

// In deques, because guest code keeps references to the entries.
struct HostParts {
  std::deque<HostParameter> inputs;
  std::deque<HostParameter> outputs;
  std::deque<HostAttribute> attributes;
};

// AddConfig: parameters named here replace the operator's own.
struct HostConfig : HostParts {
  std::string soc;
};

struct HostOperator : HostParts {
  std::vector<HostConfig> configs;
  TilingFunction tiling = nullptr;
  TilingParseFunction tiling_parse = nullptr;
  InferShapeFunction infer_shape = nullptr;
  InferDataTypeFunction infer_dtype = nullptr;
};

}  // namespace belay::abi

#endif  // BELAY_RUNTIME_OPERATORS_DESCRIBED_H_
