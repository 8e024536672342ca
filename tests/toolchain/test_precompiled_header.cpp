// SPDX-License-Identifier: Apache-2.0
// Precompiled headers: used when they fit, never trusted when they do not.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "guest_program.h"

namespace belay::testing::test_precompiled_header {
namespace {

constexpr char kHeader[] = R"(
#ifndef TESTED_H_
#define TESTED_H_
#include <cstdint>
inline int number() { return 5; }
template <typename T> __aicore__ inline void store(T* p, T v) { *p = v; }
#endif
)";

constexpr char kSource[] = R"(
#include "tested.h"
#ifdef EXTRA
constexpr int kExtra = EXTRA;
#else
constexpr int kExtra = 0;
#endif
__global__ __aicore__ void k(int* p) { store(p, number() + kExtra); }
int main() { int x = 0; k<<<1, 0>>>(&x); return x; }
)";

class PrecompiledHeader : public ::testing::Test {
 protected:
  PrecompiledHeader() : program_(kSource) {
    header_ = program_.AddFile("tested.h", kHeader);
    precompiled_ = header_ + ".pch";
    const toolchain::CompileResult result = toolchain::BuildPrecompiledHeader(
        program_.options(), header_, precompiled_);
    EXPECT_TRUE(result.ok);
    program_.options().precompiled_header = precompiled_;
  }

  bool IsUsed() {
    const toolchain::CompileResult result =
        toolchain::Compile(program_.options());
    EXPECT_TRUE(result.ok);
    EXPECT_TRUE(result.diagnostics.empty());
    return result.used_precompiled_header;
  }

  GuestProgram program_;
  std::string header_;
  std::string precompiled_;
};

TEST_F(PrecompiledHeader, GivesTheSameProgram) {
  EXPECT_TRUE(IsUsed());
  EXPECT_EQ(program_.Run(), 5);
  EXPECT_EQ(program_.LinesOf(TheRecorder().accesses.at(0).caller),
            (std::vector<int>{6, 8}));
}

TEST_F(PrecompiledHeader, AcceptsFurtherDefinitions) {
  program_.options().defines = {"EXTRA=70"};
  EXPECT_TRUE(IsUsed());
  EXPECT_EQ(program_.Run(), 75);
}

TEST(PrecompiledHostHeader, ServesHostCodeAlone) {
  GuestProgram program(R"(
#include "host.h"
int main() { return Number(); }
)");
  const std::string header = program.AddFile("host.h", R"(
#pragma once
inline int Number() { return 5; }
)");
  toolchain::CompileOptions& options = program.options();
  options.host_only = true;
  ASSERT_TRUE(
      toolchain::BuildPrecompiledHeader(options, header, header + ".pch").ok);
  options.precompiled_header = header + ".pch";
  toolchain::CompileResult result = toolchain::Compile(options);
  EXPECT_TRUE(result.ok);
  EXPECT_TRUE(result.used_precompiled_header);
  EXPECT_EQ(program.Run(), 5);

  options.host_only = false;
  result = toolchain::Compile(options);
  EXPECT_TRUE(result.ok);
  EXPECT_FALSE(result.used_precompiled_header);
}

// Code generation reads the bodies of these functions one after another, long
// after the source was parsed.
TEST(PrecompiledTemplates, AreReadWhileCodeIsGenerated) {
  GuestProgram program(R"(
#include "chain.h"
__global__ __aicore__ void k(int* p) { *p = Chain<300>(*p); }
int main() { int x = 1; k<<<1, 0>>>(&x); return x + Host(); }
)");
  const std::string header = program.AddFile("chain.h", R"(
#pragma once
template <int n> __attribute__((noinline)) __aicore__ int Chain(int x) {
  if constexpr (n == 0) return x;
  else return Chain<n - 1>(x + 1);
}
inline int Host() { return Chain<300>(10000); }
)");
  program.options().precompiled_header = header + ".pch";
  ASSERT_TRUE(
      toolchain::BuildPrecompiledHeader(program.options(), header,
                                        program.options().precompiled_header)
          .ok);
  EXPECT_EQ(program.Run(), 301 + 10300);
}

TEST_F(PrecompiledHeader, OfTheOtherCoreIsNotUsed) {
  program_.options().core = toolchain::CoreType::kCube;
  EXPECT_FALSE(IsUsed());
  EXPECT_EQ(program_.Run(), 5);
}

TEST_F(PrecompiledHeader, IsNotUsedOnceItsHeaderChanged) {
  std::string changed = kHeader;
  changed.replace(changed.find("return 5"), 8, "return 66");
  program_.AddFile("tested.h", changed);
  EXPECT_FALSE(IsUsed());
  EXPECT_EQ(program_.Run(), 66);
}

TEST_F(PrecompiledHeader, ChangeInASystemDirectoryIsNoticed) {
  const std::filesystem::path directory =
      std::filesystem::path(header_).parent_path() / "system" / "belay";
  std::filesystem::create_directories(directory);
  std::filesystem::copy(std::filesystem::path(IncludeDirectory()) / "belay",
                        directory);
  program_.options().headers = directory.parent_path();
  EXPECT_TRUE(toolchain::BuildPrecompiledHeader(program_.options(), header_,
                                                precompiled_)
                  .ok);
  EXPECT_TRUE(IsUsed());
  std::filesystem::last_write_time(
      directory / "launch.h",
      std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
  EXPECT_FALSE(IsUsed());
}

TEST_F(PrecompiledHeader, MissingOrMalformedIsNotUsed) {
  program_.AddFile("tested.h.pch", "not a precompiled header");
  EXPECT_FALSE(IsUsed());
  std::filesystem::remove(precompiled_);
  EXPECT_FALSE(IsUsed());
  EXPECT_EQ(program_.Run(), 5);
}

TEST_F(PrecompiledHeader, ErrorsInTheHeaderAreReported) {
  program_.options().precompiled_header.clear();
  const std::string broken =
      program_.AddFile("broken.h", "int f() { return undeclared_name; }");
  const toolchain::CompileResult result = toolchain::BuildPrecompiledHeader(
      program_.options(), broken, broken + ".pch");
  EXPECT_FALSE(result.ok);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].location.line, 1);
  EXPECT_FALSE(std::filesystem::exists(broken + ".pch"));
}

}  // namespace
}  // namespace belay::testing::test_precompiled_header
