// SPDX-License-Identifier: Apache-2.0
// Host code beside kernels: ordinary C++ that nobody watches.

#include <gtest/gtest.h>

#include "guest_program.h"

namespace belay::testing::test_host_code {
namespace {

TEST(HostCode, UsesTheLibraryAndExceptions) {
  GuestProgram program(R"(
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
int main(int argc, char** argv) {
  std::vector<int> values = {3, 4};
  std::map<std::string, int> names = {{argv[0], argc}};
  std::cout << "" << std::flush;
  try {
    values.at(9) = 1;
  } catch (const std::out_of_range&) {
    return values[0] * 10 + names["guest"];
  }
}
)");
  EXPECT_EQ(program.Run(), 31);
  EXPECT_TRUE(TheRecorder().accesses.empty());
  EXPECT_EQ(TheRecorder().ticks, 0);
}

TEST(HostCode, MainWithoutReturnGivesZero) {
  GuestProgram program("int main() {}");
  EXPECT_EQ(program.Run(), 0);
}

TEST(HostCode, StaticObjectsLiveAsLongAsTheModule) {
  GuestProgram program(R"(
extern "C" int belay_printf(const char*, ...);
struct Loud {
  Loud() { belay_printf("made "); }
  ~Loud() { belay_printf("gone "); }
} loud;
int main() { belay_printf("main "); }
)");
  {
    GuestProgram other("int main() {}");
    other.Run();
  }
  EXPECT_EQ(program.Run(), 0);
  EXPECT_EQ(TheRecorder().printed, "made main ");
}

TEST(HostCode, IsDestroyedWhenTheModuleIsUnloaded) {
  TheRecorder() = {};
  {
    GuestProgram program(R"(
extern "C" int belay_printf(const char*, ...);
struct Loud { ~Loud() { belay_printf("gone"); } } loud;
int main() {}
)");
    program.RunAsRecorded();
    EXPECT_EQ(TheRecorder().printed, "");
  }
  EXPECT_EQ(TheRecorder().printed, "gone");
}

// A function both sides use is watched in the kernel and not in host code,
// also when it is called through a pointer or a table of virtual functions.
TEST(HostCode, SharesFunctionsWithKernels) {
  GuestProgram program(R"(
__aicore__ inline int twice(const int* p) { return 2 * *p; }
struct Base { virtual __aicore__ int get(const int* p) const { return *p; } };
struct Derived : Base {
  __aicore__ int get(const int* p) const override { return 3 * *p; }
};
__aicore__ inline int through(const Base& base, const int* p) {
  return base.get(p);
}
__global__ __aicore__ void k(int* p) {
  int (*volatile pointer)(const int*) = twice;
  Derived derived;
  *p = twice(p) + pointer(p) + through(derived, p);
}
int main() {
  int x = 1;
  Derived derived;
  int host = twice(&x) + through(derived, &x);
  k<<<1, 0>>>(&x);
  return host * 10 + x;
}
)");
  EXPECT_EQ(program.Run(), 57);
  EXPECT_EQ(TheRecorder().CountOf('w'), 1);
  EXPECT_GE(TheRecorder().CountOf('r'), 3);
}

}  // namespace
}  // namespace belay::testing::test_host_code
