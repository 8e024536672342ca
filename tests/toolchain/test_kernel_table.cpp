// SPDX-License-Identifier: Apache-2.0
// The table of kernels every compiled module exports.

#include <gtest/gtest.h>

#include <map>

#include "belay/guest_abi.h"
#include "guest_program.h"

namespace belay::testing::test_kernel_table {
namespace {

std::map<std::string, abi::KernelRecord> TableOf(const GuestProgram& program) {
  std::map<std::string, abi::KernelRecord> table;
  const auto* record = static_cast<const abi::KernelRecord*>(
      program.Symbol(abi::kKernelTableSymbol));
  EXPECT_NE(record, nullptr);
  for (; record && record->name; ++record) table[record->name] = *record;
  return table;
}

TEST(KernelTable, NamesKindsAndParameters) {
  GuestProgram program(R"(
struct Two { double a, b; };
extern "C" __global__ __aicore__ void plain(uint8_t* x, uint8_t* y) {}
__global__ __cube__ void cube(int8_t small, int64_t large) {}
namespace inner { __global__ __mix__(1, 2) void mix(Two two, int n) {} }
template <typename T> __global__ __vector__ void typed(T* x) {}
template __global__ void typed<int>(int*);
__global__ __aicore__ void declared_only(int* p);
int main() {}
)");
  EXPECT_EQ(program.Run(), 0);
  const auto table = TableOf(program);
  ASSERT_EQ(table.size(), 4u);
  EXPECT_STREQ(table.at("plain").kind, "aicore");
  EXPECT_EQ(table.at("plain").parameters, 2u);
  EXPECT_EQ(table.at("plain").bytes, 16u);
  EXPECT_STREQ(table.at("cube").kind, "cube");
  EXPECT_EQ(table.at("cube").bytes, 16u);
  EXPECT_STREQ(table.at("inner::mix").kind, "mix:1:2");
  EXPECT_EQ(table.at("inner::mix").parameters, 2u);
  EXPECT_EQ(table.at("inner::mix").bytes, 20u);
  EXPECT_STREQ(table.at("typed<int>").kind, "vector");
}

TEST(KernelTable, IsOneForAllSources) {
  GuestProgram program("int main() {}\n");
  program.options().sources.insert(program.options().sources.begin(),
                                   program.AddFile("first.cpp", R"(
static __global__ void one(int* p) { *p = 1; }
__global__ void two(int* p) { *p = 2; }
void UseOne(int* p) { one<<<1, 0>>>(p); }
)"));
  program.options().sources.push_back(program.AddFile("last.cpp", R"(
static __global__ void three(int* p) { *p = 3; }
void UseThree(int* p) { three<<<1, 0>>>(p); }
)"));
  EXPECT_EQ(program.Run(), 0);
  const auto table = TableOf(program);
  ASSERT_EQ(table.size(), 3u);
  for (const auto& [name, value] :
       std::map<std::string, int>{{"one", 1}, {"two", 2}, {"three", 3}}) {
    int result = 0;
    int* pointer = &result;
    table.at(name).entry(&pointer);
    EXPECT_EQ(result, value) << name;
  }
}

TEST(KernelTable, IsEmptyWithoutKernels) {
  GuestProgram program("int main() {}\n");
  EXPECT_EQ(program.Run(), 0);
  EXPECT_TRUE(TableOf(program).empty());
}

TEST(KernelTable, TaskTypeTellsTheKindUnlessTheKernelIsMarked) {
  GuestProgram program(R"(
#include "kernel_operator.h"
__aicore__ inline void Helper() {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY);
}
__global__ __aicore__ void a() {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  Helper();
}
__global__ __aicore__ void b() {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
}
__global__ __vector__ void c() {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
}
__global__ __aicore__ void d() {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_VECTOR_CORE);
}
int main() {}
)");
  program.options().is_provided = [](const std::string&) { return true; };
  EXPECT_EQ(program.Run(), 0);
  std::string kinds;
  for (const auto& [name, record] : TableOf(program))
    kinds += name + "=" + record.kind + " ";
  EXPECT_EQ(kinds, "a=vector b=mix:1:2 c=vector d=aicore ");
}

}  // namespace
}  // namespace belay::testing::test_kernel_table
