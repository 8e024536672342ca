// SPDX-License-Identifier: Apache-2.0
// Instructions on lists, tables, bits and pairs against the naive model: all
// bytes of UB and all registers compared.

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "naive_model.h"
#include "npu/execute.h"
#include "structured_case.h"

namespace belay::npu::test_structured_properties {
namespace {

using abi::Op;

std::string NameOfOperation(Op op) {
  switch (op) {
#define BELAY_OPERATION(name, family) \
  case Op::k##name:                   \
    return #name;
#include "belay/operations.def"
#undef BELAY_OPERATION
    default:
      return "?";
  }
}

class StructuredProperties : public ::testing::TestWithParam<Op> {};

TEST_P(StructuredProperties, AgreeWithTheNaiveModel) {
  const Op op = GetParam();
  UbBuffer initial;
  UbBuffer expected;
  UbBuffer actual;
  StructuredCaseMaker maker(TestSeed() * 1000 + static_cast<uint64_t>(op));
  int changed = 0;
  for (int number = 0; number < 500; ++number) {
    const StructuredCase test = maker.Make(op, initial);
    expected.CopyFrom(initial);
    actual.CopyFrom(initial);

    VectorState expected_state = test.state;
    const BoundCase wanted(test, expected);
    naive::Execute(wanted.instruction(), expected_state);

    VectorState state = test.state;
    const BoundCase bound(test, actual);
    ASSERT_TRUE(SupportsDTypes(bound.instruction()));
    const Lanes lanes = ResolveLanes(
        bound.instruction(), LanesPerRepeat(bound.instruction()), state);
    ExecuteVector(bound.instruction(), lanes, state);

    const abi::Instruction& i = test.instruction;
    const std::string where = "case " + std::to_string(number) + ", seed " +
                              std::to_string(TestSeed()) + ", repeat " +
                              std::to_string(i.repeat) + ", dtype " +
                              std::to_string(static_cast<int>(i.dst.dtype));
    const int differs = std::memcmp(expected.data(), actual.data(), kUbBytes);
    if (differs != 0) {
      uint64_t at = 0;
      while (expected.data()[at] == actual.data()[at]) ++at;
      FAIL() << where << ": byte " << at << " should be "
             << int{expected.data()[at]} << ", is " << int{actual.data()[at]}
             << "; dst starts at " << i.dst.address;
    }
    if (std::memcmp(initial.data(), actual.data(), kUbBytes) != 0) ++changed;
    ASSERT_EQ(expected_state.gathered, state.gathered) << where;
    ASSERT_EQ(expected_state.counter_mode, state.counter_mode) << where;
    ASSERT_EQ(0, std::memcmp(expected_state.mask, state.mask, 16)) << where;
    ASSERT_EQ(0, std::memcmp(expected_state.merged, state.merged, 8)) << where;
  }
  EXPECT_GT(changed, 250);
}

INSTANTIATE_TEST_SUITE_P(
    Vector, StructuredProperties,
    ::testing::Values(Op::kCopy, Op::kGatherb, Op::kGatherMask, Op::kSort32,
                      Op::kMrgSort, Op::kTranspose, Op::kTransDataTo5HD),
    [](const auto& info) { return NameOfOperation(info.param); });

}  // namespace
}  // namespace belay::npu::test_structured_properties
