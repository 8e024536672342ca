// SPDX-License-Identifier: Apache-2.0
// Start, devices, contexts, errors and values of host code (acl/acl.h).

#include "acl/acl.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/float16.h"
#include "runtime/acl_error.h"
#include "runtime/device.h"

namespace belay::runtime {
namespace {

constexpr int32_t kDevices = 1;

thread_local aclError last_error = ACL_SUCCESS;
thread_local std::string last_message;

}  // namespace

aclError RefuseNull(const char* call, const char* what) {
  return RefuseAcl(ACL_ERROR_RT_PARAM_INVALID,
                   fmt::format("[{}] {} is a null pointer", call, what));
}

aclError RefuseAcl(aclError code, std::string message) {
  last_error = code;
  last_message = std::move(message);
  return code;
}

}  // namespace belay::runtime

using belay::runtime::Device;
using belay::runtime::RefuseAcl;
using belay::runtime::RefuseNull;

// --- start and end -----------------------------------------------------------

aclError aclInit(const char*) { return ACL_SUCCESS; }
aclError aclFinalize() { return ACL_SUCCESS; }

aclError aclrtGetVersion(int32_t* major, int32_t* minor, int32_t* patch) {
  if (major == nullptr || minor == nullptr || patch == nullptr) {
    return RefuseNull("aclrtGetVersion", "a place for the version");
  }
  *major = 1;
  *minor = 0;
  *patch = 0;
  return ACL_SUCCESS;
}

const char* aclGetRecentErrMsg() {
  static thread_local std::string taken;
  taken = std::exchange(belay::runtime::last_message, {});
  return taken.empty() ? nullptr : taken.c_str();
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel) {
  return belay::runtime::last_error;
}

aclError aclrtGetLastError(aclrtLastErrLevel) {
  return std::exchange(belay::runtime::last_error, ACL_SUCCESS);
}

const char* aclrtGetSocName() {
  return Device::Get()->chip().spec().soc_name.c_str();
}

// --- devices and contexts ----------------------------------------------------

aclError aclrtSetDevice(int32_t device) {
  if (device >= 0 && device < belay::runtime::kDevices) return ACL_SUCCESS;
  return RefuseAcl(
      ACL_ERROR_RT_INVALID_DEVICEID,
      fmt::format("[aclrtSetDevice] there is no device {}", device));
}

aclError aclrtResetDevice(int32_t device) { return aclrtSetDevice(device); }

aclError aclrtResetDeviceForce(int32_t device) {
  return aclrtSetDevice(device);
}

aclError aclrtGetDevice(int32_t* device) {
  if (device == nullptr) return RefuseNull("aclrtGetDevice", "deviceId");
  *device = 0;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  if (count == nullptr) return RefuseNull("aclrtGetDeviceCount", "count");
  *count = belay::runtime::kDevices;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceInfo(uint32_t device, aclrtDevAttr attribute,
                            int64_t* value) {
  if (value == nullptr) return RefuseNull("aclrtGetDeviceInfo", "value");
  const belay::npu::ChipSpec& spec = Device::Get()->chip().spec();
  switch (attribute) {
    case ACL_DEV_ATTR_AICORE_CORE_NUM:
    case ACL_DEV_ATTR_CUBE_CORE_NUM:
      *value = spec.cube_cores;
      break;
    case ACL_DEV_ATTR_VECTOR_CORE_NUM:
      *value = spec.vector_cores;
      break;
    default:
      return RefuseAcl(ACL_ERROR_INVALID_PARAM,
                       fmt::format("[aclrtGetDeviceInfo] attribute {} is not "
                                   "simulated",
                                   static_cast<int>(attribute)));
  }
  return aclrtSetDevice(static_cast<int32_t>(device));
}

aclError aclrtGetRunMode(aclrtRunMode* mode) {
  if (mode == nullptr) return RefuseNull("aclrtGetRunMode", "runMode");
  *mode = ACL_HOST;
  return ACL_SUCCESS;
}

aclError aclrtCreateContext(aclrtContext* context, int32_t device) {
  if (context == nullptr) return RefuseNull("aclrtCreateContext", "context");
  *context = Device::Get();
  return aclrtSetDevice(device);
}

aclError aclrtDestroyContext(aclrtContext) { return ACL_SUCCESS; }
aclError aclrtSetCurrentContext(aclrtContext) { return ACL_SUCCESS; }

aclError aclrtGetCurrentContext(aclrtContext* context) {
  if (context == nullptr) {
    return RefuseNull("aclrtGetCurrentContext", "context");
  }
  *context = Device::Get();
  return ACL_SUCCESS;
}

// --- values ------------------------------------------------------------------

size_t aclDataTypeSize(aclDataType type) {
  switch (type) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
      return 4;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64:
      return 8;
    case ACL_COMPLEX128:
      return 16;
    default:
      return 0;
  }
}

aclFloat16 aclFloatToFloat16(float value) {
  return belay::HalfFromFloat(value).bits;
}

float aclFloat16ToFloat(aclFloat16 value) {
  return belay::ToFloat(belay::Half{value});
}
