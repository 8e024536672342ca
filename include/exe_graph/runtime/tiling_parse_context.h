// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_
#define BELAY_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_

// gert::TilingParseContext: what a parse function fills in once, for tiling to
// read.

#include "exe_graph/runtime/extended_kernel_context.h"
#include "platform/platform_info.h"

namespace gert {

class TilingParseContext : public ExtendedKernelContext {
 public:
  using ExtendedKernelContext::ExtendedKernelContext;

  // What the kernel's compilation said: nothing here.
  const char* GetCompiledJson() const { return "{}"; }

  // The object to fill; T is the type TilingParse<T> was registered with.
  template <typename T>
  T* GetCompiledInfo() {
    return Answer("GetCompiledInfo", 0, -1,
                  static_cast<T*>(call_->compile_info));
  }
  template <typename T>
  const T* GetCompiledInfo() const {
    return Answer("GetCompiledInfo", 0, -1,
                  static_cast<const T*>(call_->compile_info));
  }

  fe::PlatFormInfos* GetPlatformInfo() const { return call_->platform; }
};

}  // namespace gert

#endif  // BELAY_EXE_GRAPH_RUNTIME_TILING_PARSE_CONTEXT_H_
