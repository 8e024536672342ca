// SPDX-License-Identifier: Apache-2.0
// The command lines belay-c++ makes.

#include <gtest/gtest.h>

#include <algorithm>

#include "base/error.h"
#include "rewrite/driver.h"

namespace belay::rewrite {
namespace {

using Words = std::vector<std::string>;

DriverPlan Plan(const Words& arguments) {
  return PlanCommand(arguments, {"/share/include", "/lib", "c++"}, "/scratch");
}

bool Has(const Words& command, const std::string& word) {
  return std::find(command.begin(), command.end(), word) != command.end();
}

TEST(Driver, CompilesARewrittenSourceBesideItsObject) {
  const DriverPlan plan =
      Plan({"-O2", "-Isub", "-I", "other", "--npu-arch=dav-2201", "-x", "asc",
            "-c", "k.asc", "-o", "k.o"});
  ASSERT_EQ(plan.sources.size(), 1u);
  EXPECT_EQ(plan.sources[0].source, "k.asc");
  EXPECT_EQ(plan.sources[0].output, "k.o.belay.cpp");
  EXPECT_EQ(plan.include_dirs, (Words{"sub", "other"}));
  ASSERT_EQ(plan.commands.size(), 1u);
  const Words& command = plan.commands[0];
  EXPECT_EQ(command.front(), "c++");
  for (const char* word : {"-fsanitize=thread", "-O2", "-c", "k.o",
                           "k.o.belay.cpp", "-std=c++17"}) {
    EXPECT_TRUE(Has(command, word)) << word;
  }
  for (const char* word : {"-x", "asc", "--npu-arch=dav-2201", "-lbelay"}) {
    EXPECT_FALSE(Has(command, word)) << word;
  }
}

TEST(Driver, LinksWithoutTheSanitizer) {
  const DriverPlan plan =
      Plan({"-std=c++20", "k.asc", "more.o", "-o", "prog", "-lm"});
  ASSERT_EQ(plan.commands.size(), 2u);
  EXPECT_TRUE(Has(plan.commands[0], "-fsanitize=thread"));
  EXPECT_TRUE(Has(plan.commands[0], "-std=c++20"));
  EXPECT_FALSE(Has(plan.commands[0], "more.o"));
  const Words& link = plan.commands[1];
  EXPECT_FALSE(Has(link, "-fsanitize=thread"));
  for (const char* word :
       {"more.o", "-lm", "prog", "-lbelay", "-Wl,-rpath,/lib"}) {
    EXPECT_TRUE(Has(link, word)) << word;
  }
}

TEST(Driver, TakesTheCompilerItIsTold) {
  const DriverPlan plan = Plan({"--belay-compiler=clang++", "a.o", "-o", "p"});
  ASSERT_EQ(plan.commands.size(), 1u);
  EXPECT_EQ(plan.commands[0].front(), "clang++");
  EXPECT_FALSE(Has(plan.commands[0], "--belay-compiler=clang++"));
}

TEST(Driver, RefusesOtherChips) {
  EXPECT_THROW(Plan({"--npu-arch=dav-3510", "-c", "k.asc"}), UserError);
}

}  // namespace
}  // namespace belay::rewrite
