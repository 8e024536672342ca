// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_SIGNATURE_H_
#define BELAY_RUNTIME_OPERATORS_SIGNATURE_H_

// What an operator takes and gives, as its OpDef says it, without the classes
// of the host headers: the words between the child that loads op_host and the
// parent that prepares the launch.

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "base/dtype.h"

namespace belay::runtime {

// One input or output.
struct Parameter {
  enum class Presence { kRequired, kOptional, kDynamic /* a tensor list */ };
  // kScalar and kScalarList: inputs that CANN fills from host values.
  enum class Kind { kTensor, kScalar, kScalarList };

  std::string name;
  Presence presence = Presence::kRequired;
  Kind kind = Kind::kTensor;
  std::vector<DType> dtypes;         // one per column
  std::vector<std::string> formats;  // "ND", "NZ", …, one per column
  bool value_depend = false;         // tiling reads its values
  // OutputShapeDependOnCompute: the kernel has one more parameter, behind the
  // outputs, where it writes the shape.
  bool shape_from_kernel = false;
};

// A value of an attribute. A monostate: none was given and there is no default.
using AttributeValue =
    std::variant<std::monostate, bool, int64_t, float, std::string,
                 std::vector<bool>, std::vector<int64_t>, std::vector<float>,
                 std::vector<std::vector<int64_t>>>;

struct Attribute {
  enum class Type {
    kBool,
    kInt,
    kFloat,
    kString,
    kListBool,
    kListInt,
    kListFloat,
    kListListInt,
  };
  std::string name;
  bool required = true;
  Type type = Type::kInt;
  AttributeValue default_value;  // of optional ones
};

struct OperatorSignature {
  std::string type;                // "AddCustom"
  std::string kernel;              // "add_custom", the entry's name
  std::vector<Parameter> inputs;   // in the kernel's order
  std::vector<Parameter> outputs;  // of the same name as an input: in place
  std::vector<Attribute> attributes;
  std::vector<std::string> socs;  // of AddConfig
  bool has_tiling = false;
  bool has_infer_shape = false;
  bool has_infer_dtype = false;

  // How many columns of dtypes there are.
  size_t columns() const;
};

void to_json(nlohmann::json& json, const OperatorSignature& signature);
void from_json(const nlohmann::json& json, OperatorSignature& signature);

std::string_view NameOf(Attribute::Type type);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_SIGNATURE_H_
