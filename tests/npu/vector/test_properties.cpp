// SPDX-License-Identifier: Apache-2.0
// Every vector instruction against the naive model: random types, forms,
// masks, repeats, strides, tails, overlaps and special values, all bytes of UB
// and all registers compared, for every host variant.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <ostream>
#include <string_view>

#include "naive_model.h"
#include "npu/execute.h"
#include "npu/vector/variants.h"
#include "random_case.h"

namespace belay::npu::test_properties {
namespace {

using abi::DType;
using abi::Op;

struct Named {
  const char* name;
  std::string_view family;
  Op op;
};

constexpr Named kOperations[] = {
#define BELAY_OPERATION(name, family) {#name, #family, Op::k##name},
#include "belay/operations.def"
#undef BELAY_OPERATION
};

// Names the instances.
void PrintTo(const Named& named, std::ostream* stream) {
  *stream << named.name;
}

std::vector<Named> OperationsUnderTest() {
  constexpr std::string_view kFamilies[] = {
      "Unary",     "Binary",  "Fused",  "Scalar", "Cast",
      "Compare",   "CmpMask", "Select", "Reduce", "ReduceParts",
      "Duplicate", "Index",   "Copy",   "Gather", "Brcb"};
  std::vector<Named> operations;
  for (const Named& named : kOperations) {
    if (std::find(std::begin(kFamilies), std::end(kFamilies), named.family) !=
        std::end(kFamilies)) {
      operations.push_back(named);
    }
  }
  return operations;
}

abi::Instruction Bound(const abi::Instruction& instruction,
                       const UbBuffer& ub) {
  abi::Instruction bound = instruction;
  for (abi::Operand* operand :
       {&bound.dst, &bound.src0, &bound.src1, &bound.src2}) {
    operand->address =
        operand->address == ~uint64_t{0} ? 0 : ub.address(operand->address);
  }
  return bound;
}

// Float bits as a number line without gaps.
int64_t Ordinal(uint32_t bits) {
  const auto magnitude = static_cast<int64_t>(bits & 0x7fffffffu);
  return (bits >> 31) != 0 ? -magnitude : magnitude;
}

// Offset of the first byte that differs beyond what the operation may, or -1.
int64_t FirstDifference(const abi::Instruction& instruction,
                        const UbBuffer& expected, const UbBuffer& actual) {
  if (std::memcmp(expected.data(), actual.data(), kUbBytes) == 0) return -1;
  const bool approximate =
      (instruction.op == Op::kExp || instruction.op == Op::kLn) &&
      instruction.dst.dtype == DType::kFloat;
  for (uint64_t at = 0; at < kUbBytes; at += 4) {
    uint32_t a;
    uint32_t b;
    std::memcpy(&a, expected.data() + at, 4);
    std::memcpy(&b, actual.data() + at, 4);
    if (a == b) continue;
    if (approximate && std::abs(Ordinal(a) - Ordinal(b)) <= 1) continue;
    return static_cast<int64_t>(at);
  }
  return -1;
}

class Properties : public ::testing::TestWithParam<Named> {};

TEST_P(Properties, AgreesWithTheNaiveModel) {
  const Op op = GetParam().op;
  UbBuffer initial;
  UbBuffer expected;
  UbBuffer actual;
  for (const Variant variant : AvailableVariants()) {
    UseVariant(variant);
    CaseMaker maker(TestSeed() * 1000 + static_cast<uint64_t>(op));
    for (int number = 0; number < 400; ++number) {
      const RandomCase test = maker.Make(op, initial);
      expected.CopyFrom(initial);
      actual.CopyFrom(initial);

      VectorState expected_state = test.state;
      naive::Execute(Bound(test.instruction, expected), expected_state);

      VectorState state = test.state;
      const abi::Instruction bound = Bound(test.instruction, actual);
      ASSERT_TRUE(SupportsDTypes(bound));
      const Lanes lanes = ResolveLanes(bound, LanesPerRepeat(bound), state);
      ExecuteVector(bound, lanes, state);

      const int64_t at = FirstDifference(test.instruction, expected, actual);
      uint32_t wanted = 0;
      uint32_t got = 0;
      if (at >= 0) {
        std::memcpy(&wanted, expected.data() + at, 4);
        std::memcpy(&got, actual.data() + at, 4);
      }
      ASSERT_EQ(at, -1) << "case " << number << ", variant " << NameOf(variant)
                        << ", seed " << TestSeed() << ": word " << at
                        << std::hex << " should be 0x" << wanted << ", is 0x"
                        << got << std::dec << "\n"
                        << Describe(test);
      ASSERT_EQ(0, std::memcmp(expected_state.mask, state.mask, 16))
          << Describe(test);
      ASSERT_EQ(expected_state.counter_mode, state.counter_mode);
      ASSERT_EQ(
          0, std::memcmp(expected_state.compare_mask, state.compare_mask, 16))
          << Describe(test);
      ASSERT_EQ(expected_state.reduced_sum, state.reduced_sum)
          << Describe(test);
      ASSERT_EQ(expected_state.reduced_value, state.reduced_value)
          << Describe(test);
      ASSERT_EQ(expected_state.reduced_index, state.reduced_index)
          << Describe(test);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Vector, Properties,
                         ::testing::ValuesIn(OperationsUnderTest()),
                         [](const auto& info) {
                           return std::string(info.param.name);
                         });

}  // namespace
}  // namespace belay::npu::test_properties
