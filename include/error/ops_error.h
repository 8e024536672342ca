// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ERROR_OPS_ERROR_H_
#define BELAY_ERROR_OPS_ERROR_H_

// Reports of errors in host functions: lines of the log, at the level of
// errors.

#include "log/ops_log.h"

#ifndef VECTOR_INNER_ERR_REPORT_TILIING
#define VECTOR_INNER_ERR_REPORT_TILIING(subject, ...) \
  BELAY_HOST_LOG(kError, subject, __VA_ARGS__)
#endif
#ifndef VECTOR_INNER_ERR_REPORT
#define VECTOR_INNER_ERR_REPORT(subject, ...) \
  BELAY_HOST_LOG(kError, subject, __VA_ARGS__)
#endif
#ifndef CUBE_INNER_ERR_REPORT
#define CUBE_INNER_ERR_REPORT(subject, ...) \
  BELAY_HOST_LOG(kError, subject, __VA_ARGS__)
#endif
#ifndef OPS_REPORT_VECTOR_INNER_ERR
#define OPS_REPORT_VECTOR_INNER_ERR(subject, ...) \
  BELAY_HOST_LOG(kError, subject, __VA_ARGS__)
#endif
#ifndef OPS_REPORT_CUBE_INNER_ERR
#define OPS_REPORT_CUBE_INNER_ERR(subject, ...) \
  BELAY_HOST_LOG(kError, subject, __VA_ARGS__)
#endif

#ifndef OPS_ERR_IF
#define OPS_ERR_IF(condition, log, leave) OP_TILING_CHECK(condition, log, leave)
#endif

#endif  // BELAY_ERROR_OPS_ERROR_H_
