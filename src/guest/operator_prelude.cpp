// SPDX-License-Identifier: Apache-2.0
#include "guest/operator_prelude.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/error.h"

namespace belay::guest {
namespace {

using runtime::OperatorSignature;
using runtime::Parameter;

struct GraphName {
  const char* name;
  int number;
};

// Numbers of CANN's DataType.
GraphName GraphNameOf(DType dtype) {
  switch (dtype) {
    case DType::kFloat:
      return {"DT_FLOAT", 0};
    case DType::kHalf:
      return {"DT_FLOAT16", 1};
    case DType::kInt8:
      return {"DT_INT8", 2};
    case DType::kInt32:
      return {"DT_INT32", 3};
    case DType::kUint8:
      return {"DT_UINT8", 4};
    case DType::kInt16:
      return {"DT_INT16", 6};
    case DType::kUint16:
      return {"DT_UINT16", 7};
    case DType::kUint32:
      return {"DT_UINT32", 8};
    case DType::kInt64:
      return {"DT_INT64", 9};
    case DType::kUint64:
      return {"DT_UINT64", 10};
    case DType::kDouble:
      return {"DT_DOUBLE", 11};
    case DType::kBool:
      return {"DT_BOOL", 12};
    case DType::kComplex64:
      return {"DT_COMPLEX64", 16};
    case DType::kBfloat16:
      return {"DT_BF16", 27};
    case DType::kInt4:
      return {"DT_INT4", 29};
    case DType::kNone:
      break;
  }
  throw InternalError("[operator] a parameter without a type");
}

constexpr DType kAllTypes[] = {
    DType::kFloat,    DType::kHalf,   DType::kInt8,      DType::kInt32,
    DType::kUint8,    DType::kInt16,  DType::kUint16,    DType::kUint32,
    DType::kInt64,    DType::kUint64, DType::kDouble,    DType::kBool,
    DType::kBfloat16, DType::kInt4,   DType::kComplex64,
};

// Numbers of CANN's Format.
constexpr GraphName kFormats[] = {
    {"NCHW", 0},      {"NHWC", 1},  {"ND", 2},     {"NC1HWC0", 3},
    {"FRACTAL_Z", 4}, {"HWCN", 16}, {"NDHWC", 27}, {"FRACTAL_NZ", 29},
    {"NCDHW", 30},    {"NCL", 47},
};

std::string Upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  return text;
}

std::string KernelTypeOf(DType dtype) {
  if (dtype == DType::kInt4) return "AscendC::int4b_t";
  return std::string(AscendNameOf(dtype));
}

}  // namespace

std::string OperatorPrelude(const OperatorSignature& signature, size_t column,
                            const runtime::LaunchPlan& plan, bool orig_types) {
  std::string text = fmt::format(
      "// What Belay puts in front of the kernel of {}: column {}, tiling key "
      "{}.\n#include \"kernel_operator.h\"\n",
      signature.type, column, plan.tiling_key);
  if (orig_types) {
    text += "#include \"graph/types.h\"\n";
    for (const DType dtype : kAllTypes) {
      const GraphName graph = GraphNameOf(dtype);
      text += fmt::format("#define {} {}\n", graph.name, graph.number);
    }
    for (const GraphName& format : kFormats) {
      text += fmt::format("#define FORMAT_{} {}\n", format.name, format.number);
    }
  }
  bool complex = false;
  std::string defined;  // parameters worked on in place are listed twice
  for (const auto* parameters : {&signature.inputs, &signature.outputs}) {
    for (const Parameter& parameter : *parameters) {
      const std::string name = Upper(parameter.name);
      const DType dtype = parameter.dtypes.at(column);
      complex |= dtype == DType::kComplex64;
      const std::string line =
          fmt::format("#define DTYPE_{} {}\n", name, KernelTypeOf(dtype));
      if (defined.find(line) != std::string::npos) continue;
      defined += line;
      defined += fmt::format("#define ORIG_DTYPE_{} {}\n", name,
                             GraphNameOf(dtype).name);
      if (column < parameter.formats.size() && orig_types) {
        defined += fmt::format("#define FORMAT_{} FORMAT_{}\n", name,
                               parameter.formats[column]);
      }
    }
  }
  if (complex) text += "struct complex64 {\n  float real;\n  float imag;\n};\n";
  text += defined;
  text += fmt::format("#undef TILING_KEY_VAR\n#define TILING_KEY_VAR {}ULL\n",
                      plan.tiling_key);
  return text + plan.tiling_structs;
}

}  // namespace belay::guest
