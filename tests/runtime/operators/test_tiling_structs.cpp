// SPDX-License-Identifier: Apache-2.0
// What is wrong with registered tiling classes.

#include <gtest/gtest.h>

#include "runtime/operators/tiling_structs.h"

namespace belay::runtime {
namespace {

const abi::HostTilingField kOne[] = {{"a", "uint32_t", 0, 4, 0}};
const abi::HostTilingField kOther[] = {{"a", "float", 0, 4, 0}};
const abi::HostTilingField kHolder[] = {{"in", "Missing", 0, 8, 0}};
const abi::HostTilingField kCubeHolder[] = {
    {"cube", "AscendC::tiling::TCubeTiling", 0, 200, 0}};
const abi::HostTilingClass kFirst = {"Same", 8, {kOne, 1}};
const abi::HostTilingClass kSecond = {"Same", 8, {kOther, 1}};
const abi::HostTilingClass kOfCube = {"OfCube", 200, {kCubeHolder, 1}};
const abi::HostTilingClass kThird = {"Holder", 8, {kHolder, 1}};

TEST(TilingStructs, NothingIsRegistered) {
  std::vector<std::string> problems;
  EXPECT_EQ(TilingStructsText({}, "Op", 0, problems), "");
  EXPECT_TRUE(problems.empty());
}

TEST(TilingStructs, OneNameTwoLayouts) {
  std::vector<std::string> problems;
  TilingStructsText(
      {{"A", [] { return &kFirst; }}, {"B", [] { return &kSecond; }}}, "A", 0,
      problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("named Same"), std::string::npos);
  problems.clear();
  TilingStructsText(
      {{"A", [] { return &kFirst; }}, {"B", [] { return &kFirst; }}}, "A", 0,
      problems);
  EXPECT_TRUE(problems.empty());
}

TEST(TilingStructs, AHeldClassMustBeRegistered) {
  std::vector<std::string> problems;
  TilingStructsText({{"A", [] { return &kThird; }}}, "A", 0, problems);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_NE(problems[0].find("REGISTER_TILING_DATA_CLASS(MissingOp, Missing)"),
            std::string::npos);
}

TEST(TilingStructs, TextOfAStruct) {
  std::vector<std::string> problems;
  EXPECT_EQ(
      TilingStructsText({{"A", [] { return &kFirst; }}}, "A", 3, problems),
      "#include <stdint.h>\n#pragma pack(push, 1)\n"
      "struct Same {\n  uint32_t a = {};\n"
      "  uint8_t belay_padding_0[4] = {};\n};\n"
      "static_assert(sizeof(Same) == 8, \"\");\n"
      "#pragma pack(pop)\nusing BelayTilingData = Same;\n");
}

TEST(TilingStructs, ClassesOfTheLibraryAreIncluded) {
  std::vector<std::string> problems;
  EXPECT_EQ(
      TilingStructsText({{"A", [] { return &kOfCube; }}}, "A", 3, problems),
      "#include <stdint.h>\n#include \"kernel_tiling/kernel_tiling.h\"\n"
      "#pragma pack(push, 1)\n"
      "struct OfCube {\n  AscendC::tiling::TCubeTiling cube = {};\n};\n"
      "static_assert(sizeof(OfCube) == 200, \"\");\n"
      "#pragma pack(pop)\nusing BelayTilingData = OfCube;\n");
  EXPECT_TRUE(problems.empty());
}

}  // namespace
}  // namespace belay::runtime
