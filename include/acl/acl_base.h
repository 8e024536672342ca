// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_ACL_ACL_BASE_H_
#define BELAY_ACL_ACL_BASE_H_

// Types, error codes and small helpers of the acl host interface.

#include <stddef.h>
#include <stdint.h>

typedef int aclError;
typedef uint16_t aclFloat16;
typedef void* aclrtStream;
typedef void* aclrtEvent;
typedef void* aclrtContext;

static const aclError ACL_SUCCESS = 0;
static const aclError ACL_ERROR_NONE = 0;

// The caller's mistakes.
static const aclError ACL_ERROR_INVALID_PARAM = 100000;
static const aclError ACL_ERROR_UNINITIALIZE = 100001;
static const aclError ACL_ERROR_REPEAT_INITIALIZE = 100002;
static const aclError ACL_ERROR_INVALID_FILE = 100003;
static const aclError ACL_ERROR_RT_PARAM_INVALID = 107000;
static const aclError ACL_ERROR_RT_INVALID_DEVICEID = 107001;
static const aclError ACL_ERROR_RT_CONTEXT_NULL = 107002;
static const aclError ACL_ERROR_RT_STREAM_CONTEXT = 107003;

// Something ran out or is not there.
static const aclError ACL_ERROR_BAD_ALLOC = 200000;
static const aclError ACL_ERROR_API_NOT_SUPPORT = 200001;
static const aclError ACL_ERROR_INVALID_DEVICE = 200002;
static const aclError ACL_ERROR_MEMORY_ADDRESS_UNALIGNED = 200003;
static const aclError ACL_ERROR_RESOURCE_NOT_MATCH = 200004;
static const aclError ACL_ERROR_INVALID_RESOURCE_HANDLE = 200005;
static const aclError ACL_ERROR_FEATURE_UNSUPPORTED = 200006;
static const aclError ACL_ERROR_RT_FEATURE_NOT_SUPPORT = 207000;
static const aclError ACL_ERROR_RT_MEMORY_ALLOCATION = 207001;
static const aclError ACL_ERROR_STORAGE_OVER_LIMIT = 300000;

static const aclError ACL_ERROR_INTERNAL_ERROR = 500000;
static const aclError ACL_ERROR_FAILURE = 500001;
static const aclError ACL_ERROR_RT_FAILURE = 500003;

// A kernel's faults, met when its stream is synchronised.
static const aclError ACL_ERROR_RT_AICORE_TIMEOUT = 507014;
static const aclError ACL_ERROR_RT_AICORE_EXCEPTION = 507015;
static const aclError ACL_ERROR_RT_AICORE_TRAP_EXCEPTION = 507016;
static const aclError ACL_ERROR_RT_VECTOR_CORE_TIMEOUT = 507034;
static const aclError ACL_ERROR_RT_VECTOR_CORE_EXCEPTION = 507035;
static const aclError ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION = 507036;

typedef enum {
  ACL_DT_UNDEFINED = -1,
  ACL_FLOAT = 0,
  ACL_FLOAT16 = 1,
  ACL_INT8 = 2,
  ACL_INT32 = 3,
  ACL_UINT8 = 4,
  ACL_INT16 = 6,
  ACL_UINT16 = 7,
  ACL_UINT32 = 8,
  ACL_INT64 = 9,
  ACL_UINT64 = 10,
  ACL_DOUBLE = 11,
  ACL_BOOL = 12,
  ACL_STRING = 13,
  ACL_COMPLEX64 = 16,
  ACL_COMPLEX128 = 17,
  ACL_BF16 = 27,
  ACL_INT4 = 29,
  ACL_UINT1 = 30,
  ACL_COMPLEX32 = 33,
} aclDataType;

typedef enum {
  ACL_FORMAT_UNDEFINED = -1,
  ACL_FORMAT_NCHW = 0,
  ACL_FORMAT_NHWC = 1,
  ACL_FORMAT_ND = 2,
  ACL_FORMAT_NC1HWC0 = 3,
  ACL_FORMAT_FRACTAL_Z = 4,
  ACL_FORMAT_NC1HWC0_C04 = 12,
  ACL_FORMAT_HWCN = 16,
  ACL_FORMAT_NDHWC = 27,
  ACL_FORMAT_FRACTAL_NZ = 29,
  ACL_FORMAT_NCDHW = 30,
  ACL_FORMAT_NDC1HWC0 = 32,
  ACL_FRACTAL_Z_3D = 33,
  ACL_FORMAT_NC = 35,
  ACL_FORMAT_NCL = 47,
} aclFormat;

#ifdef __cplusplus
extern "C" {
#endif

float aclFloat16ToFloat(aclFloat16 value);
aclFloat16 aclFloatToFloat16(float value);

// Bytes of one element; 0 for a type without a size.
size_t aclDataTypeSize(aclDataType dataType);

// What went wrong last on this thread, or nullptr. Reading it clears it; the
// text lives until the next acl call of the thread.
const char* aclGetRecentErrMsg();

#ifdef __cplusplus
}
#endif

#endif  // BELAY_ACL_ACL_BASE_H_
