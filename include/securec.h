// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_SECUREC_H_
#define BELAY_SECUREC_H_

// The bounded memory functions that host code of operators uses. They return
// 0, or an error number with nothing copied.

#include <errno.h>
#include <stddef.h>
#include <string.h>

#if !defined(EOK)
#define EOK 0
#endif
typedef int errno_t;

inline errno_t memcpy_s(void* target, size_t capacity, const void* source,
                        size_t count) {
  if (target == nullptr || source == nullptr) return EINVAL;
  if (count > capacity) return ERANGE;
  memcpy(target, source, count);
  return EOK;
}

inline errno_t memset_s(void* target, size_t capacity, int value,
                        size_t count) {
  if (target == nullptr) return EINVAL;
  if (count > capacity) return ERANGE;
  memset(target, value, count);
  return EOK;
}

#endif  // BELAY_SECUREC_H_
