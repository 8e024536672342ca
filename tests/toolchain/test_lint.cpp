// SPDX-License-Identifier: Apache-2.0
// The rules of the device language that a host compiler does not enforce.

#include <gtest/gtest.h>

#include <set>

#include "guest_program.h"

namespace belay::testing::test_lint {
namespace {

// "line:code" of every finding in a kernel whose body and helpers are given;
// the body's first line is line 1.
std::set<std::string> FindingsIn(const std::string& body,
                                 const std::string& helpers = "") {
  GuestProgram program(
      "#include <algorithm>\n#include <cmath>\n#include <cstdio>\n"
      "#include <cstdlib>\n#include <limits>\n#include <string>\n"
      "#include <vector>\n#line 101\n" +
      helpers +
      "\n#line 1\n"
      "__global__ __aicore__ void kernel(float* p, unsigned n, int s) {" +
      body + "}\nint main() {}\n");
  program.Compile();
  std::set<std::string> found;
  for (const Diagnostic& diagnostic : program.diagnostics()) {
    EXPECT_FALSE(diagnostic.fix.empty()) << diagnostic.message;
    found.insert(std::to_string(diagnostic.location.line) + ":" +
                 diagnostic.code.substr(4));
  }
  return found;
}

using Found = std::set<std::string>;

TEST(Lint, DoublesThatReachTheDevice) {
  EXPECT_EQ(FindingsIn(R"(
p[0] = p[1] * 2.0;
p[0] += 0.5;
if (p[1] > 1e-5) p[2] = 1;
p[3] = (double)p[1];
double local = p[1];
p[4] = global;
p[5] = pair.d;
pair.d = p[1];
p[6] = takes(p[1]) + gives(s);
p[7] = kPi + p[1];
)",
                       "double global; struct { double d; } pair;\n"
                       "constexpr double kPi = 3.14;\n"
                       "__aicore__ float takes(double d) { return d; }\n"
                       "__aicore__ double gives(int s) { return s; }\n"),
            (Found{"2:L101", "3:L101", "4:L101", "5:L101", "6:L101", "7:L101",
                   "8:L101", "9:L101", "11:L101", "103:L101", "104:L101"}));
}

TEST(Lint, ConstantsMayBeDouble) {
  EXPECT_EQ(FindingsIn(R"(
float a = 1.0;
const double half = 0.5;
constexpr float b = kPi * 2.0;
p[0] = half;
p[1] = a + b + (float)kPi + static_cast<float>(2.5 * 2);
p[2] = s > 0 ? 1.0 : 2.0;
p[3] = std::max(p[1], 0.0f) + std::numeric_limits<float>::max();
p[4] = takes(1.0);
printf("%f\n", p[4]);
p[5] = sizeof(double) + sizeof(p[1] * 2.0);
p[6] = sqrt(p[6]);
)",
                       "constexpr double kPi = 3.14;\n"
                       "__aicore__ float takes(float f) { return f; }\n"),
            Found{});
}

TEST(Lint, HostCodeAndUnusedFunctionsAreNotJudged) {
  EXPECT_EQ(FindingsIn("p[0] = 1;", R"(
double host(unsigned n) { return std::sqrt((double)n) + *new int(3); }
inline __aicore__ double unused(double d) { return d * (float)3u; }
template <typename T> __aicore__ T never(T t) { return (float)(unsigned)t; }
)"),
            Found{});
}

TEST(Lint, TemplatesAreJudgedInTheirInstancesOnce) {
  EXPECT_EQ(FindingsIn("p[0] = f<float>(p[1]) + f<int>(s) + f<short>(s);\n"
                       "p[1] = g<float>(p[0]) + h<true>(p[0]);",
                       "template <typename T> __aicore__ T f(T t) {\n"
                       "  return (T)(unsigned)(int)t; }\n"
                       "template <typename T> __aicore__ T g(T t) {\n"
                       "  return (unsigned)t; }\n"
                       "template <bool b> __aicore__ float h(float t) {\n"
                       "  if constexpr (b) { return t; }\n"
                       "  else { return (unsigned)t; } }\n"),
            (Found{"102:L102", "104:L102"}));
}

TEST(Lint, ExplicitCastsBetweenFloatAndUnsigned) {
  EXPECT_EQ(FindingsIn(R"(
p[0] = static_cast<float>(n);
p[0] = float(n);
p[0] = (float)n;
n = (unsigned)p[0];
n = static_cast<unsigned char>(p[0]);
n = uint64_t(p[0]);
p[0] = (_Float16)n;
n = static_cast<unsigned short>((_Float16)p[1]);
)"),
            (Found{"2:L102", "3:L102", "4:L102", "5:L102", "6:L102", "7:L102",
                   "8:L102", "9:L102"}));
}

TEST(Lint, SignedImplicitAndConstantConversionsAreFine) {
  EXPECT_EQ(FindingsIn(R"(
p[0] = static_cast<float>(s) + (float)7u + (float)sizeof(int);
p[1] = n;
n = p[1];
n = (unsigned)(int)p[1];
s = static_cast<int>(p[1]);
p[2] = (float)(int)n;
bool b = (bool)p[3];
p[3] = (float)b;
)"),
            Found{});
}

TEST(Lint, MathematicsOfTheStandardLibrary) {
  EXPECT_EQ(FindingsIn(R"(
p[0] = std::sqrt(p[0]);
p[1] = std::fabs(p[0]);
p[2] = std::abs(p[0]);
p[3] = std::exp(p[0]);
s = std::abs(s) + std::min(s, 3);
)"),
            (Found{"2:C102", "3:C102", "4:C102", "5:C102"}));
}

// The heap is refused for certain where a call remains; the message says what
// the source says.
TEST(Lint, HeapAndContainersAreRefusedInTheUsersWords) {
  GuestProgram program(
      "#include <vector>\n"
      "__global__ __aicore__ void k(int* p, int n) {\n"
      "  std::vector<int> list(n);\n"
      "  p[0] = list[0] + *new int(n);\n"
      "}\n");
  EXPECT_FALSE(program.Compile());
  std::set<std::string> messages;
  for (const Diagnostic& diagnostic : program.diagnostics()) {
    EXPECT_EQ(diagnostic.code, "BLY-C102");
    messages.insert(std::to_string(diagnostic.location.line) + " " +
                    diagnostic.message);
  }
  EXPECT_TRUE(
      messages.count("3 kernel code uses std::vector, which takes "
                     "memory from a heap the NPU's cores do not have"))
      << program.Messages();
  EXPECT_TRUE(
      messages.count("4 kernel code uses 'new', but the NPU's cores "
                     "have no heap"))
      << program.Messages();
}

// Where nothing of it remains, the doubt is a warning.
TEST(Lint, HeapAndContainersThatAreLeftOutAreWarnings) {
  GuestProgram program(
      "#include <vector>\n#include <cstdlib>\n\n"
      "inline __aicore__ void Unreached(int n) {\n"
      "  return;\n"
      "  free(malloc(n));\n"
      "  delete new int;\n"
      "  std::vector<int> list(n);\n"
      "}\n"
      "__global__ __aicore__ void k(int n) { Unreached(n); }\n"
      "int main() {}\n");
  EXPECT_TRUE(program.Compile()) << program.Messages();
  std::set<std::string> found;
  for (const Diagnostic& diagnostic : program.diagnostics()) {
    EXPECT_EQ(diagnostic.severity, Severity::kWarning);
    found.insert(std::to_string(diagnostic.location.line) + ":" +
                 diagnostic.code.substr(4));
  }
  EXPECT_EQ(found, (Found{"6:L103", "7:L103", "8:L104"}));
}

TEST(Lint, Recursion) {
  EXPECT_EQ(FindingsIn("s = itself(s) + even(s) + depth<3>(s);", R"(
__aicore__ int itself(int n) {
  return n > 0 ? itself(n - 1) : 0;
}
__aicore__ int odd(int n);
__aicore__ int even(int n) { return n == 0 ? 1 : odd(n - 1); }
__aicore__ int odd(int n) {
  return n == 0 ? 0 : even(n - 1);
}
template <int n> __aicore__ int depth(int s) {
  if constexpr (n == 0) { return s; } else { return depth<n - 1>(s + 1); }
}
constexpr int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }
inline __aicore__ int constant() { return factorial(5); }
)"),
            (Found{"103:L105", "108:L105"}));
}

TEST(Lint, VirtualCalls) {
  EXPECT_EQ(FindingsIn(R"(
Derived derived;
Base& base = derived;
s = base.f();
s = derived.f() + base.Base::f();
Last last;
Last* pointer = &last;
s = pointer->f();
)",
                       R"(
struct Base { virtual __aicore__ int f() { return 1; } };
struct Derived : Base { __aicore__ int f() override { return 2; } };
struct Last final : Base { __aicore__ int f() override { return 3; } };
)"),
            (Found{"4:L106"}));
}

TEST(Lint, SyntaxCheckJudgesToo) {
  GuestProgram program(
      "__global__ __aicore__ void k(float* p) { p[0] = p[1] * 2.0; }\n");
  const toolchain::CompileResult result =
      toolchain::CheckSyntax(program.options());
  EXPECT_FALSE(result.ok);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "BLY-L101");
  EXPECT_EQ(result.diagnostics[0].location.column, 56);
  EXPECT_EQ(result.diagnostics[0].location.function, "k");
}

}  // namespace
}  // namespace belay::testing::test_lint
