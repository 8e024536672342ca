// SPDX-License-Identifier: Apache-2.0
// Programs in, typed trees out: tests/crux/typed/NAME.crux and NAME.txt. With
// BELAY_REGENERATE=1 in the environment the .txt files are written anew.

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "crux/check.h"
#include "crux/print_typed.h"
#include "files.h"

namespace belay::crux::test_typed {
namespace {

class Typed : public ::testing::TestWithParam<std::string> {};

TEST_P(Typed, TreeIsAsWritten) {
  const std::string base = "tests/crux/typed/" + GetParam();
  const std::string program =
      belay::testing::ReadAll(belay::testing::InSourceTree(base + ".crux"));
  const Checked checked = Check(GetParam() + ".crux", program);
  std::string messages;
  for (const Diagnostic& diagnostic : checked.diagnostics) {
    messages += ToText(diagnostic);
  }
  ASSERT_TRUE(checked.ok()) << messages;
  const std::string tree = ToText(*checked.program);
  const auto path = belay::testing::InSourceTree(base + ".txt");
  if (std::getenv("BELAY_REGENERATE")) std::ofstream(path) << tree;
  EXPECT_EQ(tree, belay::testing::ReadAll(path));
}

INSTANTIATE_TEST_SUITE_P(All, Typed,
                         ::testing::Values("carried", "shapes", "variants"));

TEST(Instances, CombinationsChooseTogether) {
  const Checked checked =
      Check("combine.crux",
            "T, G = dtypes((f16, f16), (f16, f32))\nI = dtype(i32, i64)\n\n\n"
            "@kernel\ndef k(x: T[N], i: I[N], y: out(G[N])):\n"
            "    store(y[:], load(x[:]).to(G))\n");
  ASSERT_TRUE(checked.ok());
  const auto instances = typed::InstancesOf(*checked.program->kernels[0]);
  ASSERT_EQ(instances.size(), 4u);
  // In the order of the parameters: T, I, G.
  EXPECT_EQ(instances[0],
            (std::vector<DType>{DType::kHalf, DType::kInt32, DType::kHalf}));
  EXPECT_EQ(instances[3],
            (std::vector<DType>{DType::kHalf, DType::kInt64, DType::kFloat}));
}

}  // namespace
}  // namespace belay::crux::test_typed
