// SPDX-License-Identifier: Apache-2.0
// Spellings of real operator projects that an ordinary C++ compiler or a
// simple runner trips over, one project each in tests/operators/traps.

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "operator_call.h"

namespace belay::testing::test_traps {
namespace {

constexpr int64_t kCount = 1003;

Array Numbers(double first, double step) {
  std::vector<double> values(kCount);
  for (int64_t i = 0; i < kCount; ++i) values[i] = first + i * step;
  return MakeArray(DType::kFloat, {kCount}, values);
}

Array Mapped(const Array& x, const std::function<double(double)>& function) {
  std::vector<double> values = ValuesOf(x);
  for (double& value : values) value = function(value);
  return MakeArray(x.dtype, x.shape, values);
}

std::string Project(const std::string& name) {
  return "tests/operators/traps/" + name;
}

void ExpectMapped(const std::string& name,
                  const std::function<double(double)>& function) {
  const Array x = Numbers(0.25, 0.125);
  OperatorCall(Project(name))
      .Input("x", x)
      .Golden("y", Mapped(x, function), 2)
      .RunAndCompare();
}

TEST(Traps, AttributesInBracketsAreAttributesAndIndicesStayIndices) {
  ExpectMapped("raw_attributes", [](double x) { return 2 * x + 1; });
}

TEST(Traps, AnEntryMayBeCalledSqrt) {
  ExpectMapped("sqrt", [](double x) { return std::sqrt(x); });
}

TEST(Traps, AnEntryMayBeCalledLess) {
  const Array x = Numbers(0, 1);
  const Array other = Numbers(1002, -1);
  std::vector<double> golden(kCount);
  for (int64_t i = 0; i < kCount; ++i) golden[i] = i < 1002 - i ? 1 : 0;
  OperatorCall(Project("less"))
      .Input("x", x)
      .Input("other", other)
      .Golden("y", MakeArray(DType::kFloat, {kCount}, golden))
      .RunAndCompare();
}

TEST(Traps, HostSourcesMayEndInCc) {
  ExpectMapped("other_suffix", [](double x) { return -x; });
}

TEST(Traps, AKernelMayParseTheTilingBytesItself) {
  ExpectMapped("own_parser", [](double x) { return x + 3; });
}

TEST(Traps, HelpersMayTakeAndReturnAddresses) {
  ExpectMapped("address_helpers", [](double x) { return x * x; });
}

TEST(Traps, LaunchesForTheCardMayStandInTheKernelSource) {
  ExpectMapped("launch_stub", [](double x) { return x / 2; });
}

}  // namespace
}  // namespace belay::testing::test_traps
