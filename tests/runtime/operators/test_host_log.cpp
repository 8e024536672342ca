// SPDX-License-Identifier: Apache-2.0
// Lines of host code's log: outside of a plan they go to standard error, and
// with BELAY_LOG all of them do.

#include <gtest/gtest.h>

#include <cstdlib>

#include "log/log.h"
#include "runtime/operators/host_messages.h"

namespace belay::runtime {
namespace {

// Read once in a process, before the first line.
const int kVerbose = setenv("BELAY_LOG", "1", 1);

TEST(HostLog, EveryLevelAndSubject) {
  ASSERT_EQ(kVerbose, 0);
  testing::internal::CaptureStderr();
  OP_LOGD("text", "one %d", 1);
  OP_LOGI(std::string("string"), "two");
  OP_LOGW(ge::AscendString("ascend"), "three\n");
  OP_LOGE(static_cast<const char*>(nullptr), "four");
  const std::string text = testing::internal::GetCapturedStderr();
  for (const char* line :
       {"debug: [text] one 1\n", "info: [string] two\n",
        "warning: [ascend] three\n", "error: four\n", "test_host_log.cpp:"}) {
    EXPECT_NE(text.find(line), std::string::npos) << line << " in " << text;
  }
}

TEST(HostLog, ErrorsAreCollected) {
  HostMessages messages;
  testing::internal::CaptureStderr();
  OP_LOGI("x", "not an error");
  OP_LOGE("x", "%s", "an error");
  testing::internal::GetCapturedStderr();
  ASSERT_EQ(messages.errors.size(), 1u);
  EXPECT_EQ(messages.errors[0].message, "[x] an error");
  EXPECT_TRUE(messages.errors[0].location.known());
}

TEST(HostLog, TheLastQuestionIsAWholeText) {
  EXPECT_STREQ(LastHostQuestion(), "");
  EXPECT_STREQ(LastNullAnswer(), "");
  belay_host_asked("GetDynamicInputShape", 2, 17, nullptr);
  EXPECT_STREQ(LastHostQuestion(),
               "GetDynamicInputShape(2, 17), which returned nullptr");
  EXPECT_STREQ(LastNullAnswer(), "GetDynamicInputShape(2, 17)");
  belay_host_asked("GetInstance", -1, -1, "x");
  EXPECT_STREQ(LastHostQuestion(), "GetInstance(), which returned a value");
  EXPECT_STREQ(LastNullAnswer(), "GetDynamicInputShape(2, 17)");
  belay_host_asked(std::string(300, 'q').c_str(), 0, -1, nullptr);
  EXPECT_EQ(std::string(LastHostQuestion()).size(), 159u);
  EXPECT_EQ(std::string(LastNullAnswer()).size(), 159u);
  const HostMessages fresh;
  EXPECT_STREQ(LastHostQuestion(), "");
  EXPECT_STREQ(LastNullAnswer(), "");
}

}  // namespace
}  // namespace belay::runtime
