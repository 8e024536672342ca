// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_OP_HOST_H_
#define BELAY_OP_HOST_H_

// What the host headers of an operator project and the library say to each
// other: plain data, so that it does not matter which standard library, or
// which ABI of it, op_host was compiled with.

#include <stddef.h>
#include <stdint.h>

namespace ge {
enum DataType : int;
enum Format : int;
}  // namespace ge

namespace gert {
class CompileTimeTensorDesc;
class InferDataTypeContext;
class InferShapeContext;
class RuntimeAttrs;
class Tensor;
class TilingContext;
class TilingData;
class TilingParseContext;
}  // namespace gert

namespace fe {
class PlatFormInfos;
}

namespace belay::abi {

template <typename T>
struct HostSpan {
  const T* data = nullptr;
  uint64_t size = 0;

  const T* begin() const { return data; }
  const T* end() const { return data + size; }
};

// --- what OP_ADD describes: see belay/op_host_define.h -----------------------

struct HostAttribute;
struct HostConfig;
struct HostOperator;
struct HostParameter;

using TilingFunction = uint32_t (*)(gert::TilingContext*);
using TilingParseFunction = uint32_t (*)(gert::TilingParseContext*);
using InferShapeFunction = uint32_t (*)(gert::InferShapeContext*);
using InferDataTypeFunction = uint32_t (*)(gert::InferDataTypeContext*);

// --- tiling classes ----------------------------------------------------------

struct HostTilingField {
  const char* name;
  const char* type;  // C++ name of the element
  uint64_t offset;   // bytes from the start of the class
  uint64_t bytes;    // of one element
  uint64_t count;    // 0: not an array
};

struct HostTilingClass {
  const char* name;
  uint64_t bytes;
  HostSpan<HostTilingField> fields;
};

// --- the machine -------------------------------------------------------------

struct HostPlatform {
  char soc_name[32];    // "Ascend910B1"
  char short_name[32];  // "Ascend910B"; AddConfig has it in small letters
  int32_t architecture;
  int32_t cube_cores;
  int32_t vector_cores;
  int32_t clock_mhz;
  uint64_t ub_bytes, l1_bytes, l0a_bytes, l0b_bytes, l0c_bytes;
  uint64_t bt_bytes, fb_bytes, l2_bytes, gm_bytes;
  uint64_t l2_rate, gm_rate;  // bytes per cycle and core
  uint64_t system_workspace_bytes;
};

// --- one call ----------------------------------------------------------------

// Instances [start, start + count) belong to one parameter.
struct HostInstances {
  uint32_t start;
  uint32_t count;
};

// Everything a context answers from and writes to. Absent optional tensors
// have no instance.
struct HostCall {
  const char* type;
  const char* name;
  gert::Tensor* inputs;
  gert::Tensor* outputs;
  gert::CompileTimeTensorDesc* input_descs;
  gert::CompileTimeTensorDesc* output_descs;
  uint64_t input_count;
  uint64_t output_count;
  HostSpan<HostInstances> input_parameters;
  HostSpan<HostInstances> output_parameters;
  const gert::RuntimeAttrs* attributes;
  fe::PlatFormInfos* platform;
  void* compile_info;
  int32_t deterministic;

  static constexpr uint64_t kMaxWorkspaces = 16;

  // What tiling decides.
  gert::TilingData* tiling_data;
  uint64_t tiling_key;
  uint32_t blocks;
  uint32_t aicpu_blocks;
  int32_t tiling_condition;
  uint32_t schedule_mode;
  uint32_t local_memory_bytes;
  bool needs_atomic;
  uint64_t workspaces[kMaxWorkspaces];
  uint64_t workspace_count;
};

enum class HostLogLevel : int32_t { kDebug, kInfo, kWarning, kError };

}  // namespace belay::abi

extern "C" {

// Registration, at static initialisation of op_host. What belongs to one type
// may come in any order and from any number of files. Texts are copied;
// functions must stay. `describe` is called when somebody asks.
void belay_register_operator(const char* type,
                             const belay::abi::HostOperator* (*describe)(void));
void belay_register_config(const char* type,
                           const belay::abi::HostConfig* (*describe)(void));
void belay_register_tiling(const char* type,
                           belay::abi::TilingFunction function);
void belay_register_tiling_parse(const char* type,
                                 belay::abi::TilingParseFunction function,
                                 void* (*create)(void), void (*destroy)(void*));
void belay_register_infer_shape(const char* type,
                                belay::abi::InferShapeFunction function);
void belay_register_infer_dtype(const char* type,
                                belay::abi::InferDataTypeFunction function);
void belay_register_value_depend(const char* type, const uint64_t* inputs,
                                 uint64_t count);
void belay_register_tiling_class(
    const char* type, const belay::abi::HostTilingClass* (*describe)(void));

// The chip whose name or SoC name this is; the one in use for nullptr. Null
// when there is none of the name. Lives as long as the process.
const belay::abi::HostPlatform* belay_host_platform(const char* soc);

// Remembers what host code asked last, and what it got: a crash report says
// it. Indices below 0 are left out.
void belay_host_asked(const char* function, int64_t index, int64_t second,
                      const void* answer);

// A line of host code's log, formatted as printf does. Errors become notes of
// the diagnostic; the rest shows only when BELAY_LOG is set.
void belay_host_log(belay::abi::HostLogLevel level, const char* file, int line,
                    const char* subject, const char* format, ...);

// Tiling data of `bytes` did not fit: `what` names who wrote them.
void belay_host_tiling_overflow(const char* what, uint64_t bytes,
                                uint64_t capacity);
}

#endif  // BELAY_OP_HOST_H_
