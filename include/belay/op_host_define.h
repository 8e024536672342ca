// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_OP_HOST_DEFINE_H_
#define BELAY_OP_HOST_DEFINE_H_

// What the classes of an operator's definition (OpDef, OpParamDef …) call: the
// definition is kept by the library, so that a file that writes one compiles
// no containers. All data are copied.

#include "belay/op_host.h"

namespace belay::abi {

enum class HostSide : int32_t { kInput, kOutput };
enum class HostPresence : int32_t { kRequired, kOptional, kDynamic };
enum class HostKind : int32_t { kTensor, kScalar, kScalarList };
enum class HostFollow : int32_t { kAll, kDtype, kFormat, kShape };

// Whether entries stand side by side with those of other parameters, or each
// goes with every column.
enum class HostListKind : int32_t { kColumns, kEveryColumn };

// What an output is filled with before the kernel starts.
struct HostInitialValue {
  int32_t type = -1;  // ops::ScalarType; -1: all bytes are 0
  uint64_t bits = 0;  // an integer's, or a float's in the low half
};

enum class HostAttributeType : int32_t {
  kBool,
  kInt,
  kFloat,
  kString,
  kListBool,
  kListInt,
  kListFloat,
  kListListInt,
};

}  // namespace belay::abi

extern "C" {

belay::abi::HostOperator* belay_operator_create(void);
void belay_operator_destroy(belay::abi::HostOperator* definition);
void belay_operator_set_tiling(belay::abi::HostOperator* definition,
                               belay::abi::TilingFunction function);
void belay_operator_set_tiling_parse(belay::abi::HostOperator* definition,
                                     belay::abi::TilingParseFunction function);
void belay_operator_set_infer_shape(belay::abi::HostOperator* definition,
                                    belay::abi::InferShapeFunction function);
void belay_operator_set_infer_dtype(belay::abi::HostOperator* definition,
                                    belay::abi::InferDataTypeFunction function);
// The last one for a chip counts. Null: nothing differs on this chip.
void belay_operator_add_config(belay::abi::HostOperator* definition,
                               const char* soc,
                               const belay::abi::HostConfig* config);

// A copy of `other`; empty for nullptr.
belay::abi::HostConfig* belay_config_create(
    const belay::abi::HostConfig* other);
void belay_config_destroy(belay::abi::HostConfig* config);
void belay_config_assign(belay::abi::HostConfig* config,
                         const belay::abi::HostConfig* other);
void belay_config_set_soc(belay::abi::HostConfig* config, const char* soc);

// The one of this name; a new one behind the others if there is none. Valid as
// long as what it belongs to.
belay::abi::HostParameter* belay_operator_parameter(
    belay::abi::HostOperator* definition, belay::abi::HostSide side,
    const char* name);
belay::abi::HostAttribute* belay_operator_attribute(
    belay::abi::HostOperator* definition, const char* name);
belay::abi::HostParameter* belay_config_parameter(
    belay::abi::HostConfig* config, belay::abi::HostSide side,
    const char* name);
belay::abi::HostAttribute* belay_config_attribute(
    belay::abi::HostConfig* config, const char* name);

void belay_parameter_set_presence(belay::abi::HostParameter* parameter,
                                  belay::abi::HostPresence presence);
void belay_parameter_set_kind(belay::abi::HostParameter* parameter,
                              belay::abi::HostKind kind);
void belay_parameter_set_dtypes(belay::abi::HostParameter* parameter,
                                belay::abi::HostListKind kind,
                                const ge::DataType* types, uint64_t count);
void belay_parameter_set_formats(belay::abi::HostParameter* parameter,
                                 belay::abi::HostListKind kind,
                                 const ge::Format* formats, uint64_t count);
void belay_parameter_follow(belay::abi::HostParameter* parameter,
                            const char* name, belay::abi::HostFollow what);
void belay_parameter_depend_on_value(belay::abi::HostParameter* parameter);
void belay_parameter_take_shape_from_kernel(
    belay::abi::HostParameter* parameter);
void belay_parameter_clear_initial_values(belay::abi::HostParameter* parameter);
void belay_parameter_add_initial_value(belay::abi::HostParameter* parameter,
                                       belay::abi::HostInitialValue value);

const char* belay_attribute_name(const belay::abi::HostAttribute* attribute);
bool belay_attribute_is_required(const belay::abi::HostAttribute* attribute);
void belay_attribute_set_required(belay::abi::HostAttribute* attribute,
                                  bool required);
void belay_attribute_set_type(belay::abi::HostAttribute* attribute,
                              belay::abi::HostAttributeType type);
// Sets the type and a default: `count` values of bool, int64_t or float, or
// the letters of a string. A list of lists begins empty.
void belay_attribute_set_default(belay::abi::HostAttribute* attribute,
                                 belay::abi::HostAttributeType type,
                                 const void* values, uint64_t count);
void belay_attribute_add_list(belay::abi::HostAttribute* attribute,
                              const int64_t* values, uint64_t count);
}

#endif  // BELAY_OP_HOST_DEFINE_H_
