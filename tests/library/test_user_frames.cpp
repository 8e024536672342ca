// SPDX-License-Identifier: Apache-2.0
// Which frames of a call chain are shown.

#include <gtest/gtest.h>

#include "library/user_frames.h"

namespace belay::library {
namespace {

TEST(UserFrames, LeavesOutOurHeadersAndTheWayIntoTheKernel) {
  UserFrames frames("/prefix/share/belay/include");
  const auto kept = frames.Keep({
      {"/prefix/lib/../share/belay/include/ascendc/issue.h", 3, 1, "Issue"},
      {"/home/user/kernel.cpp", 10, 2, "Compute"},
      {"/home/user/include/ascendc/own.h", 5, 2, "Own"},
      {"/home/user/test.cpp", 30, 2,
       "Test::'lambda'(belay::host::Caller, auto...)::operator()"},
      {"/home/user/test.cpp", 30, 2, "_ZZ1fENK3$_0clEN5belay4host6CallerE"},
  });
  ASSERT_EQ(kept.size(), 2u);
  EXPECT_EQ(kept[0].function, "Compute");
  EXPECT_EQ(kept[1].function, "Own");
}

}  // namespace
}  // namespace belay::library
