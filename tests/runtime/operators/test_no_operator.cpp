// SPDX-License-Identifier: Apache-2.0
// A program in which nothing is registered.

#include <gtest/gtest.h>

#include "base/catalogue.h"
#include "calls.h"

namespace belay::runtime {
namespace {

TEST(NoOperator, IsAnError) {
  EXPECT_TRUE(RegisteredOperators().empty());
  for (const char* type : {"", "AddCustom"}) {
    const PlanResult result = PlanLaunch(PlainCall(type));
    ASSERT_EQ(result.diagnostics.size(), 1u);
    EXPECT_EQ(result.diagnostics[0].code, code::kH109);
    EXPECT_NE(result.diagnostics[0].fix.find("OP_ADD"), std::string::npos);
  }
}

}  // namespace
}  // namespace belay::runtime
