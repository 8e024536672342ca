// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GRAPH_GE_ERROR_CODES_H_
#define BELAY_GRAPH_GE_ERROR_CODES_H_

// What host functions return.

#include <stdint.h>

namespace ge {

using graphStatus = uint32_t;

constexpr graphStatus GRAPH_SUCCESS = 0;
constexpr graphStatus GRAPH_FAILED = 0xFFFFFFFF;
constexpr graphStatus GRAPH_NOT_CHANGED = 1343242304;
constexpr graphStatus GRAPH_PARAM_INVALID = 50331649;
constexpr graphStatus GRAPH_NODE_WITHOUT_CONST_INPUT = 50331648;
constexpr graphStatus GRAPH_NODE_NEED_REPASS = 50331647;

}  // namespace ge

#endif  // BELAY_GRAPH_GE_ERROR_CODES_H_
