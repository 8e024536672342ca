// SPDX-License-Identifier: Apache-2.0
// Streams and events of host code (acl/acl_rt.h). Work is done when it is
// given, so every stream is always up to date.

#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <set>

#include "acl/acl.h"
#include "runtime/acl_error.h"
#include "runtime/stream.h"

namespace belay::runtime {
namespace {

struct Event {
  bool recorded = false;
};

struct Events {
  std::mutex mutex;
  std::set<void*> live;
};
Events& AllEvents() {
  static auto* events = new Events;  // programs end them in exit handlers
  return *events;
}

// Null when the handle is not a live event's.
Event* FindEvent(void* handle) {
  const std::lock_guard lock(AllEvents().mutex);
  return AllEvents().live.count(handle) != 0 ? static_cast<Event*>(handle)
                                             : nullptr;
}

aclError RefuseHandle(const char* call, const char* what, const void* handle) {
  return RefuseAcl(
      ACL_ERROR_RT_PARAM_INVALID,
      fmt::format("[{}] {} is not a live {}", call, fmt::ptr(handle), what));
}

// The error of a stream, remembered as the thread's.
aclError Synchronize(const char* call, void* handle) {
  const Stream* stream = FindStream(handle);
  if (stream == nullptr) return RefuseHandle(call, "stream", handle);
  if (stream->error == 0) return ACL_SUCCESS;
  return RefuseAcl(stream->error,
                   fmt::format("[{}] a kernel on the stream failed: {}", call,
                               stream->message));
}

aclError CreateEvent(const char* call, aclrtEvent* event) {
  if (event == nullptr) return RefuseNull(call, "event");
  auto fresh = std::make_unique<Event>();
  const std::lock_guard lock(AllEvents().mutex);
  AllEvents().live.insert(fresh.get());
  *event = fresh.release();
  return ACL_SUCCESS;
}

aclError SetRecorded(const char* call, aclrtEvent handle, aclrtStream stream,
                     bool recorded) {
  Event* event = FindEvent(handle);
  if (event == nullptr) return RefuseHandle(call, "event", handle);
  if (FindStream(stream) == nullptr) {
    return RefuseHandle(call, "stream", stream);
  }
  event->recorded = recorded;
  return ACL_SUCCESS;
}

}  // namespace
}  // namespace belay::runtime

using belay::runtime::AllEvents;
using belay::runtime::CreateEvent;
using belay::runtime::Event;
using belay::runtime::FindEvent;
using belay::runtime::FindStream;
using belay::runtime::RefuseAcl;
using belay::runtime::RefuseHandle;
using belay::runtime::RefuseNull;
using belay::runtime::SetRecorded;
using belay::runtime::Synchronize;

aclError aclrtSynchronizeDevice() {
  return Synchronize("aclrtSynchronizeDevice", nullptr);
}

// --- streams -----------------------------------------------------------------

aclError aclrtCreateStream(aclrtStream* stream) {
  if (stream == nullptr) return RefuseNull("aclrtCreateStream", "stream");
  *stream = belay::runtime::CreateStream();
  return ACL_SUCCESS;
}

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t, uint32_t) {
  return aclrtCreateStream(stream);
}

aclError aclrtDestroyStream(aclrtStream stream) {
  if (belay::runtime::DestroyStream(stream)) return ACL_SUCCESS;
  return RefuseHandle("aclrtDestroyStream", "stream", stream);
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return aclrtDestroyStream(stream);
}

aclError aclrtSynchronizeStream(aclrtStream stream) {
  return Synchronize("aclrtSynchronizeStream", stream);
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t) {
  return Synchronize("aclrtSynchronizeStreamWithTimeout", stream);
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  if (status == nullptr) return RefuseNull("aclrtStreamQuery", "status");
  if (FindStream(stream) == nullptr) {
    return RefuseHandle("aclrtStreamQuery", "stream", stream);
  }
  *status = ACL_STREAM_STATUS_COMPLETE;
  return ACL_SUCCESS;
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  if (FindStream(stream) == nullptr) {
    return RefuseHandle("aclrtStreamWaitEvent", "stream", stream);
  }
  if (FindEvent(event) == nullptr) {
    return RefuseHandle("aclrtStreamWaitEvent", "event", event);
  }
  return ACL_SUCCESS;
}

// --- events ------------------------------------------------------------------

aclError aclrtCreateEvent(aclrtEvent* event) {
  return CreateEvent("aclrtCreateEvent", event);
}

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t) {
  return CreateEvent("aclrtCreateEventWithFlag", event);
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t) {
  return CreateEvent("aclrtCreateEventExWithFlag", event);
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  const std::lock_guard lock(AllEvents().mutex);
  if (AllEvents().live.erase(event) == 0) {
    return RefuseHandle("aclrtDestroyEvent", "event", event);
  }
  delete static_cast<Event*>(event);
  return ACL_SUCCESS;
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return SetRecorded("aclrtRecordEvent", event, stream, true);
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return SetRecorded("aclrtResetEvent", event, stream, false);
}

aclError aclrtQueryEventStatus(aclrtEvent handle,
                               aclrtEventRecordedStatus* status) {
  const Event* event = FindEvent(handle);
  if (event == nullptr) {
    return RefuseHandle("aclrtQueryEventStatus", "event", handle);
  }
  if (status == nullptr) return RefuseNull("aclrtQueryEventStatus", "status");
  *status = event->recorded ? ACL_EVENT_RECORDED_STATUS_COMPLETE
                            : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  return ACL_SUCCESS;
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  if (FindEvent(event) != nullptr) return ACL_SUCCESS;
  return RefuseHandle("aclrtSynchronizeEvent", "event", event);
}

aclError aclrtEventElapsedTime(float* milliseconds, aclrtEvent, aclrtEvent) {
  if (milliseconds == nullptr) {
    return RefuseNull("aclrtEventElapsedTime", "milliseconds");
  }
  *milliseconds = 0;
  return RefuseAcl(ACL_ERROR_FEATURE_UNSUPPORTED,
                   "[aclrtEventElapsedTime] functional simulation has no "
                   "clock: host time would mean nothing");
}
