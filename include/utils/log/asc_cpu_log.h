// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_UTILS_LOG_ASC_CPU_LOG_H_
#define BELAY_UTILS_LOG_ASC_CPU_LOG_H_

// ASC_CPU_LOG_*: the log of tiling functions.

#include "log/log.h"

#define ASC_CPU_LOG_ERROR(...) BELAY_HOST_LOG(kError, "", __VA_ARGS__)
#define ASC_CPU_LOG_WARNING(...) BELAY_HOST_LOG(kWarning, "", __VA_ARGS__)
#define ASC_CPU_LOG_INFO(...) BELAY_HOST_LOG(kInfo, "", __VA_ARGS__)
#define ASC_CPU_LOG_DEBUG(...) BELAY_HOST_LOG(kDebug, "", __VA_ARGS__)

#endif  // BELAY_UTILS_LOG_ASC_CPU_LOG_H_
