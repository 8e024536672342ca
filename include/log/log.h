// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LOG_LOG_H_
#define BELAY_LOG_LOG_H_

// OP_LOGD, OP_LOGI, OP_LOGW, OP_LOGE and the checks built on them. An error's
// text becomes a note of Belay's diagnostic when the host function then fails;
// the rest shows when the environment has BELAY_LOG. A file that defines a
// macro of its own before this header keeps it.

#include <stdint.h>

#include <string>

#include "belay/op_host.h"
#include "graph/ascend_string.h"
#include "graph/ge_error_codes.h"

namespace belay::host {

// The name in front of a line, from whatever callers pass for it.
inline const char* SubjectOf(const char* name) {
  return name == nullptr ? "" : name;
}
inline const char* SubjectOf(const std::string& name) { return name.c_str(); }
inline const char* SubjectOf(const ge::AscendString& name) {
  return name.GetString();
}
template <typename Context>
auto SubjectOf(Context* context) -> decltype(context->GetNodeName()) {
  return context == nullptr ? "" : context->GetNodeName();
}

}  // namespace belay::host

#define BELAY_HOST_LOG(level, subject, ...)                           \
  belay_host_log(belay::abi::HostLogLevel::level, __FILE__, __LINE__, \
                 ::belay::host::SubjectOf(subject), __VA_ARGS__)

#ifndef OP_LOGD
#define OP_LOGD(subject, ...) BELAY_HOST_LOG(kDebug, subject, __VA_ARGS__)
#endif
#ifndef OP_LOGI
#define OP_LOGI(subject, ...) BELAY_HOST_LOG(kInfo, subject, __VA_ARGS__)
#endif
#ifndef OP_LOGW
#define OP_LOGW(subject, ...) BELAY_HOST_LOG(kWarning, subject, __VA_ARGS__)
#endif
#ifndef OP_LOGE
#define OP_LOGE(subject, ...) BELAY_HOST_LOG(kError, subject, __VA_ARGS__)
#endif
#ifndef OP_LOGE_WITHOUT_REPORT
#define OP_LOGE_WITHOUT_REPORT(subject, ...) OP_LOGE(subject, __VA_ARGS__)
#endif
#ifndef OP_EVENT
#define OP_EVENT(subject, ...) BELAY_HOST_LOG(kInfo, subject, __VA_ARGS__)
#endif

#ifndef OP_LOGE_IF
#define OP_LOGE_IF(condition, result, subject, ...) \
  do {                                              \
    if (condition) {                                \
      OP_LOGE(subject, __VA_ARGS__);                \
      return result;                                \
    }                                               \
  } while (0)
#endif

// `condition` true is the failure: log, then leave by the last argument.
#ifndef OP_TILING_CHECK
#define OP_TILING_CHECK(condition, log, leave) \
  do {                                         \
    if (condition) {                           \
      log;                                     \
      leave;                                   \
    }                                          \
  } while (0)
#endif
#ifndef OP_CHECK
#define OP_CHECK(condition, log, leave) OP_TILING_CHECK(condition, log, leave)
#endif
#ifndef OP_CHECK_IF
#define OP_CHECK_IF(condition, log, leave) \
  OP_TILING_CHECK(condition, log, leave)
#endif
#ifndef OPS_CHECK
#define OPS_CHECK(condition, log, leave) OP_TILING_CHECK(condition, log, leave)
#endif

#ifndef OPS_CHECK_NULL_WITH_CONTEXT_RET
#define OPS_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, result) \
  do {                                                            \
    if ((pointer) == nullptr) {                                   \
      OP_LOGE(context, "%s is nullptr", #pointer);                \
      return result;                                              \
    }                                                             \
  } while (0)
#endif
#ifndef OPS_CHECK_NULL_WITH_CONTEXT
#define OPS_CHECK_NULL_WITH_CONTEXT(context, pointer) \
  OPS_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, ge::GRAPH_FAILED)
#endif
#ifndef OP_CHECK_NULL_WITH_CONTEXT_RET
#define OP_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, result) \
  OPS_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, result)
#endif
#ifndef OP_CHECK_NULL_WITH_CONTEXT
#define OP_CHECK_NULL_WITH_CONTEXT(context, pointer) \
  OPS_CHECK_NULL_WITH_CONTEXT_RET(context, pointer, ge::GRAPH_FAILED)
#endif

#endif  // BELAY_LOG_LOG_H_
