// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_EXPORT_SIGNATURE_H_
#define BELAY_BENCH_EXPORT_SIGNATURE_H_

// A task's signature as an operator project declares it: parameters with
// columns of dtypes, attributes, and how large the tiling data must be.

#include <optional>
#include <string>
#include <vector>

#include "bench/case.h"

namespace belay::bench {

struct ExportParameter {
  enum class Kind { kRequired, kOptional, kList, kScalar, kScalarList };
  std::string name;         // in the operator's definition
  std::string kernel_name;  // of the kernel's parameter, and of its fields
  Kind kind = Kind::kRequired;
  std::vector<DType> dtypes;  // one per column
  bool host_read = false;
  bool in_place = false;  // an output with the memory of the input `name`
  size_t most_tensors = 1;
  size_t most_rank = 1;  // at least 1
};

struct ExportAttribute {
  std::string name;
  AttributeType type = AttributeType::kInt;
  Value fallback;                    // null: required
  size_t most_elements = 1;          // of a list
  std::vector<std::string> strings;  // the values of a string, by number
};

struct ExportSignature {
  std::string type;    // "LayerNormV4"
  std::string kernel;  // "layer_norm_v4", also the name of the files
  std::vector<ExportParameter> inputs;  // tensors, then host scalars
  std::vector<ExportParameter> outputs;
  std::vector<ExportAttribute> attributes;  // without host scalars
};

// For all cases of the task, or for one of them: then there is one column of
// dtypes, and inputs and outputs absent from the case stay declared.
ExportSignature SignatureOf(const Task& task, const Case* only);

// The name of ge's and AscendC's enumerator: "DT_FLOAT16".
std::string HostNameOf(DType dtype);

// "mse_loss" -> "MseLoss"; a name with capitals stays as it is.
std::string TypeName(std::string_view name);

}  // namespace belay::bench

#endif  // BELAY_BENCH_EXPORT_SIGNATURE_H_
