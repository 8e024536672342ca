// SPDX-License-Identifier: Apache-2.0
// The shipped examples against their own goldens, on few and on many blocks,
// in every order of blocks.

#include <gtest/gtest.h>

#include "run_belay.h"

namespace belay::testing {
namespace {

class Example : public ::testing::TestWithParam<std::string> {};

TEST_P(Example, AgreesWithItsGolden) {
  const Outcome outcome = RunBelay("run " + GetParam());
  EXPECT_EQ(outcome.exit_code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.err,
            GetParam().find("--no-check") != std::string::npos
                ? ""
                : "checked with memcheck, initcheck, racecheck, synccheck: "
                  "nothing found\n");
}

// Blocks, then sizes with and without tails.
INSTANTIATE_TEST_SUITE_P(
    Add, Example,
    ::testing::Values("examples/add/add.asc 1", "examples/add/add.asc 2",
                      "examples/add/add.asc 47", "examples/add/add.asc 48",
                      "examples/add/add.asc 49",
                      "examples/add/add.asc 1000 100000",
                      "examples/add/add.asc 8 1", "examples/add/add.asc 8 33",
                      "--schedule reverse examples/add/add.asc 49",
                      "--schedule 7 examples/add/add.asc 49"));

INSTANTIATE_TEST_SUITE_P(
    Softmax, Example,
    ::testing::Values("examples/softmax/softmax.asc 1",
                      "examples/softmax/softmax.asc 2",
                      "examples/softmax/softmax.asc 47",
                      "examples/softmax/softmax.asc 48",
                      "examples/softmax/softmax.asc 49",
                      "examples/softmax/softmax.asc 1000 1200 64",
                      "examples/softmax/softmax.asc 8 9 1",
                      "--schedule reverse examples/softmax/softmax.asc 49",
                      "--chip ascend910b4 examples/softmax/softmax.asc 48"));

// SyncAll needs every block to have a core.
INSTANTIATE_TEST_SUITE_P(
    Sum, Example,
    ::testing::Values("examples/sum/sum.asc 1", "examples/sum/sum.asc 2",
                      "examples/sum/sum.asc 47", "examples/sum/sum.asc 48",
                      "--schedule reverse examples/sum/sum.asc 48",
                      "--schedule 3 examples/sum/sum.asc 48"));

// Blocks, then sizes: one element, one row, tails of fractals and of tiles,
// more cores than tiles, more tiles than cores.
INSTANTIATE_TEST_SUITE_P(
    MatmulBasic, Example,
    ::testing::Values(
        "examples/cube/matmul_basic/matmul_basic.asc",
        "examples/cube/matmul_basic/matmul_basic.asc 1 1 1 1",
        "examples/cube/matmul_basic/matmul_basic.asc 1 129 17 65",
        "examples/cube/matmul_basic/matmul_basic.asc 24 1 500 300",
        "examples/cube/matmul_basic/matmul_basic.asc 30 257 385 130",
        "--schedule reverse examples/cube/matmul_basic/matmul_basic.asc 3"));

INSTANTIATE_TEST_SUITE_P(
    TemplateMatmul, Example,
    ::testing::Values(
        "examples/cube/template_matmul/template_matmul.asc",
        "examples/cube/template_matmul/template_matmul.asc 1 1 1 1 rr",
        "examples/cube/template_matmul/template_matmul.asc 2 65 129 257 cr",
        "examples/cube/template_matmul/template_matmul.asc 3 700 140 70 cc",
        "examples/cube/template_matmul/template_matmul.asc 24 130 500 600 rr",
        "--schedule reverse "
        "examples/cube/template_matmul/template_matmul.asc 2"));

// Programs that check themselves.
INSTANTIATE_TEST_SUITE_P(
    Programs, Example,
    ::testing::Values("tests/programs/ub_variables.asc",
                      "--no-check tests/programs/data_cache.asc",
                      "tests/programs/device_printf.asc",
                      "tests/programs/library_math.asc",
                      "--auto-sync off tests/programs/library_math.asc",
                      "tests/programs/library_rows.asc",
                      "--auto-sync off tests/programs/library_rows.asc"));

TEST(Example, DevicePrintfPrintsEveryBlock) {
  const Outcome outcome = RunBelay("run tests/programs/device_printf.asc");
  EXPECT_EQ(outcome.out,
            "block 0 of 2: half 0.5 float 1.25 text ok\n"
            "block 1 of 2: half 1.5 float 2.25 text ok\n");
}

TEST(Example, SumOnMoreBlocksThanCoresIsADeadlock) {
  const Outcome outcome = RunBelay("run examples/sum/sum.asc 49");
  EXPECT_EQ(outcome.exit_code, 1);
  EXPECT_NE(outcome.err.find("BLY-S103"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("sum.asc:"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace belay::testing
