// SPDX-License-Identifier: Apache-2.0
// The acl calls of host code: what each does, and how it fails.

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "acl/acl.h"
#include "belay/guest_abi.h"
#include "runtime/device.h"

namespace belay::runtime {
namespace {

class Acl : public ::testing::Test {
 protected:
  Acl() : device_(DeviceOptions{}) {
    Device::Install(&device_);
    device_.SetFaultSink(
        [this](npu::Fault fault) { faults_.push_back(fault.diagnostic); });
    aclGetRecentErrMsg();
    aclrtGetLastError(ACL_RT_THREAD_LEVEL);
  }
  ~Acl() override { Device::Install(nullptr); }

  // The text of the last error, "" without one.
  static std::string Text() {
    const char* text = aclGetRecentErrMsg();
    return text == nullptr ? "" : text;
  }

  static void Launch(const char* name, void (*entry)(void*)) {
    abi::KernelRecord kernel{};
    kernel.name = name;
    kernel.kind = "vector";
    kernel.entry = entry;
    belay_launch(&kernel, nullptr, 0);
  }

  static void* Allocate(size_t bytes) {
    void* memory = nullptr;
    EXPECT_EQ(aclrtMalloc(&memory, bytes, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    return memory;
  }

  Device device_;
  std::vector<Diagnostic> faults_;
};

void Fail(void*) { belay_trap(); }
void Nothing(void*) {}

TEST_F(Acl, StartsAndSaysWhatItIs) {
  EXPECT_EQ(aclInit(nullptr), ACL_SUCCESS);
  int32_t version[3] = {-1, -1, -1};
  EXPECT_EQ(aclrtGetVersion(&version[0], &version[1], &version[2]), 0);
  EXPECT_GE(version[0], 1);
  EXPECT_NE(aclrtGetVersion(nullptr, &version[1], &version[2]), 0);
  EXPECT_STREQ(aclrtGetSocName(), "Ascend910B1");
  EXPECT_EQ(aclFinalize(), ACL_SUCCESS);
}

TEST_F(Acl, Devices) {
  EXPECT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetDevice(1), ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(Text(), "[aclrtSetDevice] there is no device 1");
  EXPECT_EQ(Text(), "");  // reading it clears it
  uint32_t count = 0;
  EXPECT_EQ(aclrtGetDeviceCount(&count), ACL_SUCCESS);
  EXPECT_EQ(count, 1u);
  EXPECT_NE(aclrtGetDeviceCount(nullptr), ACL_SUCCESS);
  int32_t device = -1;
  EXPECT_EQ(aclrtGetDevice(&device), ACL_SUCCESS);
  EXPECT_EQ(device, 0);
  EXPECT_NE(aclrtGetDevice(nullptr), ACL_SUCCESS);
  int64_t cores = 0;
  EXPECT_EQ(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, &cores), 0);
  EXPECT_EQ(cores, device_.chip().spec().vector_cores);
  EXPECT_NE(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_AICPU_CORE_NUM, &cores), 0);
  EXPECT_NE(aclrtGetDeviceInfo(7, ACL_DEV_ATTR_VECTOR_CORE_NUM, &cores), 0);
  EXPECT_NE(aclrtGetDeviceInfo(0, ACL_DEV_ATTR_VECTOR_CORE_NUM, nullptr), 0);
  aclrtRunMode mode = ACL_DEVICE;
  EXPECT_EQ(aclrtGetRunMode(&mode), ACL_SUCCESS);
  EXPECT_EQ(mode, ACL_HOST);
  EXPECT_NE(aclrtGetRunMode(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeDevice(), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
  EXPECT_NE(aclrtResetDevice(-1), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetDeviceForce(0), ACL_SUCCESS);
  EXPECT_NE(aclrtResetDeviceForce(2), ACL_SUCCESS);
}

TEST_F(Acl, Contexts) {
  aclrtContext context = nullptr;
  EXPECT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  EXPECT_NE(context, nullptr);
  EXPECT_NE(aclrtCreateContext(&context, 3), ACL_SUCCESS);
  EXPECT_NE(aclrtCreateContext(nullptr, 0), ACL_SUCCESS);
  EXPECT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS);
  aclrtContext current = nullptr;
  EXPECT_EQ(aclrtGetCurrentContext(&current), ACL_SUCCESS);
  EXPECT_EQ(current, context);
  EXPECT_NE(aclrtGetCurrentContext(nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
}

TEST_F(Acl, LastErrorIsTakenOnce) {
  aclrtSetDevice(9);
  EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL),
            ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL),
            ACL_ERROR_RT_INVALID_DEVICEID);
  EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), ACL_SUCCESS);
}

TEST_F(Acl, StreamsLiveUntilTheyAreDestroyed) {
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
  EXPECT_EQ(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_STREAM_STATUS_COMPLETE);
  EXPECT_NE(aclrtStreamQuery(stream, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(stream, 100), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_NE(Text().find("is not a live stream"), std::string::npos);
  EXPECT_NE(aclrtSynchronizeStream(stream), ACL_SUCCESS);
  EXPECT_NE(aclrtStreamQuery(stream, &status), ACL_SUCCESS);
  EXPECT_NE(aclrtCreateStream(nullptr), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateStreamWithConfig(&stream, 0, ACL_STREAM_FAST_LAUNCH), 0);
  EXPECT_EQ(aclrtDestroyStreamForce(stream), ACL_SUCCESS);
  EXPECT_NE(aclrtDestroyStreamForce(nullptr), ACL_SUCCESS);
}

TEST_F(Acl, AStreamKeepsTheErrorOfItsKernel) {
  aclrtStream failing = nullptr;
  aclrtStream other = nullptr;
  aclrtCreateStream(&failing);
  aclrtCreateStream(&other);
  belay_configure_launch(1, 0, failing);
  Launch("failing", Fail);
  belay_configure_launch(1, 0, other);
  Launch("fine", Nothing);
  EXPECT_EQ(aclrtSynchronizeStream(failing),
            ACL_ERROR_RT_VECTOR_CORE_EXCEPTION);
  const std::string text = Text();
  EXPECT_NE(text.find("a kernel on the stream failed"), std::string::npos);
  EXPECT_NE(text.find("BLY-G107"), std::string::npos) << text;
  EXPECT_EQ(aclrtSynchronizeStream(other), ACL_SUCCESS);
  aclrtDestroyStream(failing);
  aclrtDestroyStream(other);
}

TEST_F(Acl, LaunchOnADeadStreamIsAFault) {
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  aclrtDestroyStream(stream);
  belay_configure_launch(1, 0, stream);
  Launch("late", Nothing);
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].code, "BLY-G109");
  EXPECT_NE(faults_[0].message.find("not a live stream"), std::string::npos);
}

TEST_F(Acl, Events) {
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  aclrtEvent event = nullptr;
  ASSERT_EQ(aclrtCreateEvent(&event), ACL_SUCCESS);
  aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_COMPLETE;
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_EQ(aclrtRecordEvent(event, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_COMPLETE);
  EXPECT_EQ(aclrtStreamWaitEvent(stream, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeEvent(event), ACL_SUCCESS);
  float milliseconds = -1;
  EXPECT_EQ(aclrtEventElapsedTime(&milliseconds, event, event),
            ACL_ERROR_FEATURE_UNSUPPORTED);
  EXPECT_NE(aclrtEventElapsedTime(nullptr, event, event), ACL_SUCCESS);
  EXPECT_EQ(aclrtResetEvent(event, stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtQueryEventStatus(event, &status), ACL_SUCCESS);
  EXPECT_EQ(status, ACL_EVENT_RECORDED_STATUS_NOT_READY);
  EXPECT_NE(aclrtQueryEventStatus(event, nullptr), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  for (const aclError error :
       {aclrtDestroyEvent(event), aclrtRecordEvent(event, stream),
        aclrtResetEvent(event, stream), aclrtSynchronizeEvent(event),
        aclrtStreamWaitEvent(stream, event), aclrtCreateEvent(nullptr),
        aclrtQueryEventStatus(event, &status)}) {
    EXPECT_EQ(error, ACL_ERROR_RT_PARAM_INVALID);
  }
  ASSERT_EQ(aclrtCreateEventWithFlag(&event, ACL_EVENT_SYNC), ACL_SUCCESS);
  EXPECT_NE(aclrtRecordEvent(event, &status), ACL_SUCCESS);  // no stream
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_TIME_LINE), 0);
  EXPECT_EQ(aclrtDestroyEvent(event), ACL_SUCCESS);
  aclrtDestroyStream(stream);
}

TEST_F(Acl, MemoryIsTakenAndGivenBack) {
  size_t free_before = 0;
  size_t total = 0;
  ASSERT_EQ(aclrtGetMemInfo(ACL_HBM_MEM, &free_before, &total), ACL_SUCCESS);
  EXPECT_EQ(free_before, total);
  EXPECT_NE(aclrtGetMemInfo(ACL_HBM_MEM, nullptr, &total), ACL_SUCCESS);
  void* memory = Allocate(1000);
  EXPECT_EQ(reinterpret_cast<uint64_t>(memory) % 512, 0u);
  size_t free_after = 0;
  aclrtGetMemInfo(ACL_HBM_MEM, &free_after, &total);
  EXPECT_EQ(free_before - free_after, 1000u);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_TRUE(faults_.empty());
  EXPECT_NE(aclrtFree(memory), ACL_SUCCESS);
  ASSERT_EQ(faults_.size(), 1u);
  EXPECT_EQ(faults_[0].code, "BLY-G110");
  EXPECT_NE(aclrtMalloc(&memory, 0, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_NE(aclrtMalloc(nullptr, 8, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtMalloc(&memory, total + 1, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_ERROR_RT_MEMORY_ALLOCATION);
  EXPECT_NE(Text().find("bytes asked for"), std::string::npos);
  EXPECT_EQ(aclrtMallocAlign32(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
  EXPECT_EQ(aclrtMallocCached(&memory, 64, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT_EQ(aclrtFree(memory), ACL_SUCCESS);
}

TEST_F(Acl, HostMemory) {
  void* memory = nullptr;
  ASSERT_EQ(aclrtMallocHost(&memory, 100), ACL_SUCCESS);
  std::memset(memory, 1, 100);
  EXPECT_EQ(aclrtFreeHost(memory), ACL_SUCCESS);
  EXPECT_NE(aclrtMallocHost(&memory, 0), ACL_SUCCESS);
  EXPECT_NE(aclrtMallocHost(nullptr, 8), ACL_SUCCESS);
}

TEST_F(Acl, CopiesBothWays) {
  std::vector<int32_t> out(64);
  std::iota(out.begin(), out.end(), 5);
  void* first = Allocate(256);
  void* second = Allocate(256);
  EXPECT_EQ(aclrtMemcpy(first, 256, out.data(), 256, ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_SUCCESS);
  EXPECT_EQ(aclrtMemcpyAsync(second, 256, first, 256,
                             ACL_MEMCPY_DEVICE_TO_DEVICE, nullptr),
            ACL_SUCCESS);
  std::vector<int32_t> in(64);
  EXPECT_EQ(aclrtMemcpy(in.data(), 256, second, 256, ACL_MEMCPY_DEVICE_TO_HOST),
            ACL_SUCCESS);
  EXPECT_EQ(in, out);
  std::vector<int32_t> again(64);
  EXPECT_EQ(
      aclrtMemcpy(again.data(), 256, in.data(), 256, ACL_MEMCPY_HOST_TO_HOST),
      ACL_SUCCESS);
  EXPECT_EQ(again, out);
  EXPECT_TRUE(faults_.empty());
}

TEST_F(Acl, WrongCopiesAreFaults) {
  std::vector<std::byte> host(2048);
  void* memory = Allocate(256);
  const struct {
    const char* what;
    aclError error;
  } cases[] = {
      {"do not fit",
       aclrtMemcpy(memory, 128, host.data(), 256, ACL_MEMCPY_HOST_TO_DEVICE)},
      {"kind of copy",
       aclrtMemcpy(memory, 256, host.data(), 256, ACL_MEMCPY_DEVICE_TO_HOST)},
      {"leave the destination",
       aclrtMemcpy(memory, 2048, host.data(), 2048, ACL_MEMCPY_HOST_TO_DEVICE)},
      {"do not fit",
       aclrtMemcpy(nullptr, 8, host.data(), 8, ACL_MEMCPY_HOST_TO_DEVICE)},
  };
  ASSERT_EQ(faults_.size(), std::size(cases));
  for (size_t i = 0; i < faults_.size(); ++i) {
    EXPECT_EQ(cases[i].error, ACL_ERROR_INVALID_PARAM);
    EXPECT_EQ(faults_[i].code, "BLY-G110");
    EXPECT_NE(faults_[i].message.find(cases[i].what), std::string::npos)
        << faults_[i].message;
  }
}

TEST_F(Acl, CopiesOfRows) {
  constexpr size_t kRows = 3;
  std::vector<std::byte> host(kRows * 16);
  for (size_t i = 0; i < host.size(); ++i) host[i] = static_cast<std::byte>(i);
  void* memory = Allocate(kRows * 32);
  aclrtMemset(memory, kRows * 32, 0, kRows * 32);
  ASSERT_EQ(aclrtMemcpy2d(memory, 32, host.data(), 16, 8, kRows,
                          ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_SUCCESS);
  std::vector<std::byte> back(kRows * 8);
  ASSERT_EQ(aclrtMemcpy2dAsync(back.data(), 8, memory, 32, 8, kRows,
                               ACL_MEMCPY_DEVICE_TO_HOST, nullptr),
            ACL_SUCCESS);
  for (size_t row = 0; row < kRows; ++row) {
    EXPECT_EQ(std::memcmp(&back[row * 8], &host[row * 16], 8), 0) << row;
    EXPECT_EQ(static_cast<std::byte*>(memory)[row * 32 + 8], std::byte{0});
  }
  EXPECT_NE(aclrtMemcpy2d(memory, 4, host.data(), 16, 8, kRows,
                          ACL_MEMCPY_HOST_TO_DEVICE),
            ACL_SUCCESS);
  EXPECT_NE(aclrtMemcpy2dAsync(memory, 512, host.data(), 16, 8, kRows,
                               ACL_MEMCPY_HOST_TO_DEVICE, nullptr),
            ACL_SUCCESS);
  EXPECT_EQ(faults_.size(), 2u);
}

TEST_F(Acl, Memset) {
  void* memory = Allocate(64);
  EXPECT_EQ(aclrtMemset(memory, 64, 7, 64), ACL_SUCCESS);
  EXPECT_EQ(static_cast<uint8_t*>(memory)[63], 7);
  EXPECT_EQ(aclrtMemsetAsync(memory, 64, 9, 32, nullptr), ACL_SUCCESS);
  EXPECT_EQ(static_cast<uint8_t*>(memory)[31], 9);
  EXPECT_EQ(static_cast<uint8_t*>(memory)[32], 7);
  EXPECT_NE(aclrtMemset(memory, 64, 0, 65), ACL_SUCCESS);
  EXPECT_NE(aclrtMemsetAsync(memory, 4096, 0, 4096, nullptr), ACL_SUCCESS);
  EXPECT_EQ(faults_.size(), 2u);
}

TEST_F(Acl, Values) {
  EXPECT_EQ(aclDataTypeSize(ACL_FLOAT16), 2u);
  EXPECT_EQ(aclDataTypeSize(ACL_COMPLEX128), 16u);
  EXPECT_EQ(aclDataTypeSize(ACL_DT_UNDEFINED), 0u);
  EXPECT_EQ(aclFloat16ToFloat(aclFloatToFloat16(1.5f)), 1.5f);
}

}  // namespace
}  // namespace belay::runtime
