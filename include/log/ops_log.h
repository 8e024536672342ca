// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_LOG_OPS_LOG_H_
#define BELAY_LOG_OPS_LOG_H_

// OPS_LOG_*: other names for the macros of log/log.h.

#include "log/log.h"

#ifndef OPS_LOG_D
#define OPS_LOG_D(subject, ...) BELAY_HOST_LOG(kDebug, subject, __VA_ARGS__)
#endif
#ifndef OPS_LOG_I
#define OPS_LOG_I(subject, ...) BELAY_HOST_LOG(kInfo, subject, __VA_ARGS__)
#endif
#ifndef OPS_LOG_W
#define OPS_LOG_W(subject, ...) BELAY_HOST_LOG(kWarning, subject, __VA_ARGS__)
#endif
#ifndef OPS_LOG_E
#define OPS_LOG_E(subject, ...) BELAY_HOST_LOG(kError, subject, __VA_ARGS__)
#endif
#ifndef OPS_LOG_E_WITHOUT_REPORT
#define OPS_LOG_E_WITHOUT_REPORT(subject, ...) OPS_LOG_E(subject, __VA_ARGS__)
#endif

#ifndef OPS_LOG_E_IF
#define OPS_LOG_E_IF(condition, subject, leave, ...) \
  do {                                               \
    if (condition) {                                 \
      OPS_LOG_E(subject, __VA_ARGS__);               \
      leave;                                         \
    }                                                \
  } while (0)
#endif
#ifndef OPS_LOG_E_IF_NULL
#define OPS_LOG_E_IF_NULL(subject, pointer, leave)   \
  do {                                               \
    if ((pointer) == nullptr) {                      \
      OPS_LOG_E(subject, "%s is nullptr", #pointer); \
      leave;                                         \
    }                                                \
  } while (0)
#endif

#endif  // BELAY_LOG_OPS_LOG_H_
