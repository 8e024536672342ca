// SPDX-License-Identifier: Apache-2.0
// Devices, streams and events of host code (acl/acl_rt.h). Work is done when
// it is given, so every stream is always up to date.

#include "acl/acl.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/float16.h"
#include "runtime/acl_error.h"
#include "runtime/stream.h"

namespace belay::runtime {
namespace {

constexpr int32_t kDevices = 1;

thread_local aclError last_error = ACL_SUCCESS;
thread_local std::string last_message;

struct Event {
  bool recorded = false;
};

// The error of a stream, remembered as the thread's.
aclError Synchronize(void* stream) {
  const aclError error = StreamOf(stream).error;
  if (error != ACL_SUCCESS) {
    RefuseAcl(error, "[aclrtSynchronizeStream] a kernel on the stream failed");
  }
  return error;
}

}  // namespace

aclError RefuseAcl(aclError code, std::string message) {
  last_error = code;
  last_message = std::move(message);
  return code;
}

}  // namespace belay::runtime

using belay::runtime::Device;
using belay::runtime::Event;
using belay::runtime::RefuseAcl;
using belay::runtime::Stream;
using belay::runtime::StreamOf;

// --- start and end -----------------------------------------------------------

aclError aclInit(const char*) { return ACL_SUCCESS; }
aclError aclFinalize() { return ACL_SUCCESS; }

aclError aclrtGetVersion(int32_t* major, int32_t* minor, int32_t* patch) {
  *major = 1;
  *minor = 0;
  *patch = 0;
  return ACL_SUCCESS;
}

const char* aclGetRecentErrMsg() {
  const std::string& message = belay::runtime::last_message;
  return message.empty() ? nullptr : message.c_str();
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

aclError aclrtGetDevice(int32_t* device) {
  *device = 0;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceCount(uint32_t* count) {
  *count = belay::runtime::kDevices;
  return ACL_SUCCESS;
}

aclError aclrtGetDeviceInfo(uint32_t device, aclrtDevAttr attribute,
                            int64_t* value) {
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
  *mode = ACL_HOST;
  return ACL_SUCCESS;
}

aclError aclrtCreateContext(aclrtContext* context, int32_t device) {
  *context = Device::Get();
  return aclrtSetDevice(device);
}

aclError aclrtDestroyContext(aclrtContext) { return ACL_SUCCESS; }
aclError aclrtSetCurrentContext(aclrtContext) { return ACL_SUCCESS; }

aclError aclrtGetCurrentContext(aclrtContext* context) {
  *context = Device::Get();
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeDevice() {
  return belay::runtime::Synchronize(nullptr);
}

// --- streams -----------------------------------------------------------------

aclError aclrtCreateStream(aclrtStream* stream) {
  *stream = new Stream;
  return ACL_SUCCESS;
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t, uint32_t) {
  return aclrtCreateStream(stream);
}

aclError aclrtDestroyStream(aclrtStream stream) {
  delete static_cast<Stream*>(stream);
  return ACL_SUCCESS;
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return aclrtDestroyStream(stream);
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return belay::runtime::Synchronize(stream);
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t) {
  return belay::runtime::Synchronize(stream);
}

// --- events ------------------------------------------------------------------

aclError aclrtCreateEvent(aclrtEvent* event) {
  *event = new Event;
  return ACL_SUCCESS;
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t) {
  return aclrtCreateEvent(event);
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t) {
  return aclrtCreateEvent(event);
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  delete static_cast<Event*>(event);
  return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream) {
  static_cast<Event*>(event)->recorded = true;
  return ACL_SUCCESS;
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream) {
  static_cast<Event*>(event)->recorded = false;
  return ACL_SUCCESS;
}

aclError aclrtQueryEventStatus(aclrtEvent event,
                               aclrtEventRecordedStatus* status) {
  *status = static_cast<Event*>(event)->recorded
                ? ACL_EVENT_RECORDED_STATUS_COMPLETE
                : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent) { return ACL_SUCCESS; }
aclError aclrtStreamWaitEvent(aclrtStream, aclrtEvent) { return ACL_SUCCESS; }

aclError aclrtEventElapsedTime(float* milliseconds, aclrtEvent, aclrtEvent) {
  *milliseconds = 0;
  return RefuseAcl(ACL_ERROR_FEATURE_UNSUPPORTED,
                   "[aclrtEventElapsedTime] functional simulation has no "
                   "clock: host time would mean nothing");
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
