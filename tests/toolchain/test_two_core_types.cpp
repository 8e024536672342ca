// SPDX-License-Identifier: Apache-2.0
// Kernels that run on cube cores are compiled a second time, for these.

#include <gtest/gtest.h>

#include <map>

#include "belay/guest_abi.h"
#include "guest_program.h"

// Kernels of these tests that call it are not run.
extern "C" void belay_issue(belay::abi::Instruction*) {}

namespace belay::testing::test_two_core_types {
namespace {

std::map<std::string, abi::KernelRecord> TableOf(const GuestProgram& program) {
  std::map<std::string, abi::KernelRecord> table;
  const auto* record = static_cast<const abi::KernelRecord*>(
      program.Symbol(abi::kKernelTableSymbol));
  EXPECT_NE(record, nullptr);
  for (; record && record->name; ++record) table[record->name] = *record;
  return table;
}

// What a kernel with one int* parameter leaves there.
int Call(void (*entry)(void*)) {
  int result = 0;
  int* pointer = &result;
  entry(&pointer);
  return result;
}

TEST(TwoCoreTypes, EachEntrySeesItsOwnMacros) {
  GuestProgram program(R"(
#ifdef __DAV_C220_CUBE__
constexpr int kMine = 100;
#else
constexpr int kMine = 200;
#endif
static int counter = 5;
inline __aicore__ int Helper(int x) { return x + kMine; }
template <typename T> __global__ __mix__(1, 2) void typed(T* p) {
  if constexpr (kMine == 100) *p = 1; else *p = 2;
}
__global__ __mix__(1, 1) void mixed(int* p) { *p = Helper(1); }
static __global__ __cube__ void cube(int* p) { *p = Helper(2); }
__global__ __vector__ void vector(int* p) { *p = Helper(3); }
struct Start { Start() { ++counter; } } start;
int main() {
  int x = 0;
  typed<int><<<1, 0>>>(&x);
  cube<<<1, 0>>>(&x);
  return counter * 1000 + Helper(4);
}
)");
  // Host code is there once, as it is for vector cores.
  EXPECT_EQ(program.Run(), 6204);
  const auto table = TableOf(program);
  ASSERT_EQ(table.size(), 4u);
  EXPECT_EQ(Call(table.at("mixed").entry), 201);
  EXPECT_EQ(Call(table.at("mixed").cube_entry), 101);
  EXPECT_EQ(Call(table.at("cube").cube_entry), 102);
  EXPECT_EQ(Call(table.at("typed<int>").entry), 2);
  EXPECT_EQ(Call(table.at("typed<int>").cube_entry), 1);
  EXPECT_EQ(Call(table.at("vector").entry), 203);
  EXPECT_EQ(table.at("vector").cube_entry, nullptr);
}

TEST(TwoCoreTypes, DeviceFunctionsOfOtherSourcesAreThereForBoth) {
  GuestProgram program(R"(
__aicore__ int Elsewhere(int x);
__global__ __mix__(1, 2) void near(int* p) { *p = Elsewhere(1); }
__global__ __mix__(1, 2) void far(int* p);
int main() {
  int x = 0;
  near<<<1, 0>>>(&x);
  far<<<1, 0>>>(&x);
  return 0;
}
)");
  program.options().sources.push_back(program.AddFile("other.cpp", R"(
int shared = 7;
const int table[2] = {10, 20};
__aicore__ int Elsewhere(int x) {
#ifdef __DAV_C220_CUBE__
  return x + table[0];
#else
  return x + table[1];
#endif
}
static __global__ __cube__ void same(int* p) { *p = 1; }
__global__ __mix__(1, 2) void far(int* p) { *p = Elsewhere(2); }
void UseSame(int* p) { same<<<1, 0>>>(p); }
)"));
  program.options().sources.push_back(program.AddFile("third.cpp", R"(
static __global__ __cube__ void same(int* p) { *p = 2; }
void UseOther(int* p) { same<<<1, 0>>>(p); }
)"));
  EXPECT_EQ(program.Run(), 0);
  const auto table = TableOf(program);
  EXPECT_EQ(Call(table.at("near").entry), 21);
  EXPECT_EQ(Call(table.at("near").cube_entry), 11);
  EXPECT_EQ(Call(table.at("far").cube_entry), 12);
}

TEST(TwoCoreTypes, VectorProgramsAreCompiledOnce) {
  GuestProgram program(R"(
#ifdef __DAV_C220_CUBE__
#error "compiled for cube cores"
#endif
__global__ __vector__ void a(int* p) { *p = 1; }
__global__ __mix__(0, 1) void b(int* p) { *p = 2; }
__global__ __aicore__ void c(int* p) { *p = 3; }
int main() {}
)");
  EXPECT_EQ(program.Run(), 0);
}

TEST(TwoCoreTypes, ErrorsAreSaidOnce) {
  GuestProgram program(R"(
__global__ __mix__(1, 2) void k(int* p) {
#ifdef __DAV_C220_CUBE__
  *p = missing;
#endif
  int unused_on_both[2];
  *p = unused_on_both[5];
}
int main() {}
)");
  EXPECT_FALSE(program.Compile());
  int missing = 0;
  int bounds = 0;
  for (const Diagnostic& diagnostic : program.diagnostics()) {
    missing += diagnostic.message.find("missing") != std::string::npos;
    bounds += diagnostic.message.find("past the end") != std::string::npos;
  }
  EXPECT_EQ(missing, 1);
  EXPECT_EQ(bounds, 1);
}

TEST(TwoCoreTypes, KindsOfTilingKeys) {
  GuestProgram program(R"(
#include "kernel_operator.h"
__global__ __aicore__ void keyed(int* p) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  KERNEL_TASK_TYPE(3, KERNEL_TYPE_MIX_AIC_1_1);
  KERNEL_TASK_TYPE(4, KERNEL_TYPE_AIC_ONLY);
  *p = g_coreType == AscendC::AIC ? 1 : 2;
}
int main() {}
)");
  program.options().is_provided = [](const std::string&) { return true; };
  EXPECT_EQ(program.Run(), 0);
  const abi::KernelRecord record = TableOf(program).at("keyed");
  EXPECT_STREQ(record.kind, "vector");
  ASSERT_NE(record.key_kinds, nullptr);
  std::map<uint64_t, std::string> kinds;
  for (const abi::KeyKind* keyed = record.key_kinds; keyed->kind; ++keyed) {
    kinds[keyed->key] = keyed->kind;
  }
  EXPECT_EQ(kinds,
            (std::map<uint64_t, std::string>{{3, "mix:1:1"}, {4, "cube"}}));
  EXPECT_EQ(Call(record.entry), 2);
  EXPECT_EQ(Call(record.cube_entry), 1);
}

TEST(TwoCoreTypes, CallsForTheCubeTellTheKindOfPlainKernels) {
  GuestProgram program(R"(
#include "kernel_operator.h"
using namespace AscendC;
__aicore__ inline void Multiply(LocalTensor<float>& c, LocalTensor<half>& a) {
  if ASCEND_IS_AIC {
    MmadParams params;
    Mmad(c, a, a, params);
  }
}
__global__ __aicore__ void only_cube(int* p) {
  LocalTensor<float> c;
  LocalTensor<half> a;
  Multiply(c, a);
}
__global__ __aicore__ void both(int* p) {
  LocalTensor<float> c;
  LocalTensor<half> a;
  Multiply(c, a);
  if ASCEND_IS_AIV Add(c, c, c, 8);
}
__global__ __aicore__ void only_vector(int* p) {
  LocalTensor<float> c;
  Add(c, c, c, 8);
}
__global__ __vector__ void marked(int* p) {
  LocalTensor<float> c;
  LocalTensor<half> a;
  Multiply(c, a);
}
__global__ __aicore__ void typed(int* p) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_1);
  LocalTensor<float> c;
  LocalTensor<half> a;
  Multiply(c, a);
}
__aicore__ inline void Library() {
  belay_suggest_task_type(KERNEL_TYPE_MIX_AIC_1_2);
}
__global__ __aicore__ void suggested(int* p) { Library(); }
__global__ __cube__ void stronger(int* p) { Library(); }
int main() {}
)");
  program.options().is_provided = [](const std::string&) { return true; };
  EXPECT_EQ(program.Run(), 0);
  std::map<std::string, std::string> kinds;
  for (const auto& [name, record] : TableOf(program)) {
    kinds[name] = record.kind;
  }
  const std::map<std::string, std::string> expected = {
      {"only_cube", "cube"}, {"both", "mix:1:2"},  {"only_vector", "aicore"},
      {"marked", "vector"},  {"typed", "mix:1:1"}, {"suggested", "mix:1:2"},
      {"stronger", "cube"}};
  EXPECT_EQ(kinds, expected);
}

// Calls for the cube that only the compilation for cube cores sees.
TEST(TwoCoreTypes, HiddenCallsForTheCubeTellTheKindToo) {
  GuestProgram program(R"(
#include "kernel_operator.h"
using namespace AscendC;
struct Product {
  template <int32_t core = g_coreType> __aicore__ void Run(int* p);
};
template <> __aicore__ inline void Product::Run<AIC>(int* p) {
  LocalTensor<float> c;
  LocalTensor<half> a;
  MmadParams params;
  Mmad(c, a, a, params);
  *p = 1;
}
template <> __aicore__ inline void Product::Run<AIV>(int* p) { *p = 2; }
__global__ __aicore__ void by_template(int* p) { Product().Run(p); }
__global__ __aicore__ void with_flag(int* p) {
  Product().Run(p);
  if constexpr (g_coreType == AIV) CrossCoreWaitFlag(1);
}
__global__ __aicore__ void by_macro(int* p) {
#ifdef __DAV_C220_CUBE__
  Product().Run<AIC>(p);
#endif
}
__global__ __aicore__ void guarded(int* p) {
  if ASCEND_IS_AIC return;
  *p = 3;
}
int main() {}
)");
  program.options().is_provided = [](const std::string&) { return true; };
  EXPECT_EQ(program.Run(), 0);
  const auto table = TableOf(program);
  std::map<std::string, std::string> kinds;
  for (const auto& [name, record] : table) kinds[name] = record.kind;
  EXPECT_EQ(kinds, (std::map<std::string, std::string>{{"by_template", "cube"},
                                                       {"with_flag", "mix:1:2"},
                                                       {"by_macro", "cube"},
                                                       {"guarded", "aicore"}}));
  EXPECT_EQ(Call(table.at("by_template").entry), 2);
  EXPECT_EQ(Call(table.at("by_template").cube_entry), 1);
}

}  // namespace
}  // namespace belay::testing::test_two_core_types
