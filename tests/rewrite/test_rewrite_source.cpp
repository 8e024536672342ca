// SPDX-License-Identifier: Apache-2.0
// What is rewritten in a source, and what only looks like it.

#include <gtest/gtest.h>

#include <algorithm>

#include "rewrite/launch_functions.h"
#include "rewrite/rewrite_source.h"

namespace belay::rewrite {
namespace {

constexpr char kCall[] =
    "[=](::belay::host::Caller, auto... belay_arguments) { ";

std::string Rewrite(std::string_view source) {
  return RewriteSource(source).text;
}

// What a launch of `callee` on `blocks, l2, stream` becomes.
std::string Prepared(const std::string& name, const std::string& kind,
                     const std::string& callee, const std::string& rest) {
  return "::belay::host::Prepare(" + name + ", \"" + kind + "\", " + kCall +
         callee + "(belay_arguments...); }, " + rest;
}

TEST(Launches, BecomeCalls) {
  EXPECT_EQ(Rewrite("void f() { k<<<8, nullptr, s>>>(x, y); }"),
            "void f() { " +
                Prepared("\"k\"", "aicore", "k", "8, nullptr, s)(x, y); }"));
}

TEST(Launches, KeepQualifiersAndTemplateArguments) {
  EXPECT_EQ(Rewrite("a::b::k<int, C<D<3>>><<<n, 0, s>>>(x);"),
            Prepared("\"a::b::k\"", "aicore", "a::b::k<int,C<D<3>>>",
                     "n, 0, s)(x);"));
  EXPECT_EQ(Rewrite("return ::k<<<1, 0>>>();"),
            "return " + Prepared("\"::k\"", "aicore", "::k", "1, 0)();"));
}

TEST(Launches, MayHoldTemplatesInTheirConfiguration) {
  EXPECT_EQ(Rewrite("k<<<static_cast<A<B<int>>>(n) >> 1, nullptr, s>>>(x);"),
            Prepared("\"k\"", "aicore", "k",
                     "static_cast<A<B<int>>>(n) >> 1, nullptr, s)(x);"));
}

TEST(Launches, KeepTheirLines) {
  const std::string source =
      "f();\nk<float>  // the kernel\n  <<<8,  // >>>(\n  nullptr, s\n>>>\n"
      "(x,\n y);\ng();\n";
  const std::string text = Rewrite(source);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
            std::count(source.begin(), source.end(), '\n'));
  EXPECT_EQ(text.substr(text.rfind("g();")), "g();\n");
  EXPECT_NE(text.find("k<float>(belay_arguments...)"), std::string::npos);
}

TEST(Launches, RunOnTheCoresTheKernelIsMarkedFor) {
  const auto kind = [](const std::string& kernel) {
    const std::string text = Rewrite(kernel + "\nvoid f() { k<<<1>>>(); }");
    const size_t at = text.find("Prepare(\"k\", \"") + 14;
    return text.substr(at, text.find('"', at) - at);
  };
  EXPECT_EQ(kind("__global__ __vector__ void k();"), "vector");
  EXPECT_EQ(kind("__global__ __cube__ void k();"), "cube");
  EXPECT_EQ(kind("__global__ __mix__(1, 2) void k();"), "mix:1:2");
  EXPECT_EQ(kind("__global__ __aicore__ void k();"), "aicore");
  EXPECT_EQ(kind("__global__ __aicore__ void k() {"
                 " KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIC_ONLY); }"),
            "cube");
  EXPECT_EQ(kind("__schedmode__(1) __global__ __mix__(1, 1) void k();"),
            "mix:1:1");
  const std::string matmul =
      "__global__ __aicore__ void k() { REGIST_MATMUL_OBJ(&pipe, 0, mm); }";
  EXPECT_EQ(kind(matmul), "mix:1:2");
  EXPECT_EQ(kind("#define ASCENDC_CUBE_ONLY\n" + matmul), "cube");
}

TEST(Launches, InMacrosAreRewrittenThere) {
  const std::string text = Rewrite(
      "#define RUN(k, n, ...) \\\n  do { k<<<n, nullptr, \\\n  s>>>(__VA_ARGS__"
      "); } while (0)\nint after;\n");
  EXPECT_EQ(text,
            "#define RUN(k, n, ...) \\\n  do { " +
                Prepared("#k", "aicore", "k",
                         "n, nullptr, \\\n  s)(__VA_ARGS__); } while (0)\nint "
                         "after;\n"));
  EXPECT_NE(Rewrite("#define RUN(k) k##_entry<<<1>>>()\n")
                .find("k##_entry(belay_arguments...)"),
            std::string::npos);
}

TEST(Launches, AreNotSeenWhereThereAreNone) {
  for (const char* source : {
           "// k<<<1, 2, 3>>>(x)\n",
           "/* k<<<1, 2, 3>>>(x) */",
           "auto s = \"k<<<1, 2, 3>>>(x)\";",
           "auto s = R\"ab(k<<<1, 2, \"3\">>>(x))ab\";",
           "#include <a.h>\nint x = 1 << 2 >> 3;",
           "std::cout << a < b;",
           "auto x = operator<<<int>(a, b);",
           "A<B<C<int>>> x; int y = a < b;",
           "int n = 1'000'000; char c = '<';",
           "#if 0\nit's k<<<\n#endif\n",
       }) {
    const Rewritten result = RewriteSource(source);
    EXPECT_EQ(result.text, source);
    EXPECT_FALSE(result.changed) << source;
  }
}

TEST(RawAttributes, BecomeBlanks) {
  EXPECT_EQ(Rewrite("__forceinline__ [aicore] void f();"),
            "__forceinline__          void f();");
  EXPECT_EQ(Rewrite("inline [host, aicore] int f();"),
            "inline                int f();");
  EXPECT_EQ(Rewrite("#define CODE __forceinline__ [aicore]\nint x;"),
            "#define CODE __forceinline__         \nint x;");
  for (const char* source :
       {"x = table[aicore];", "auto f = [aicore] { };", "f([aicore](int) {});",
        "[[maybe_unused]] int x;"}) {
    EXPECT_EQ(Rewrite(source), source);
  }
}

TEST(NamesOfTheCLibrary, LoseCLinkage) {
  EXPECT_EQ(Rewrite("extern \"C\" __global__ __aicore__ void sqrt(GM_ADDR x);"),
            "           __global__ __aicore__ void sqrt(GM_ADDR x);");
  EXPECT_EQ(
      Rewrite("extern \"C\" {\n__global__ void expf(GM_ADDR x);\n}"),
      "extern \"C\" {\nextern \"C++\" __global__ void expf(GM_ADDR x);\n}");
  const char* kept = "extern \"C\" __global__ __aicore__ void less(GM_ADDR x);";
  EXPECT_EQ(Rewrite(kept), kept);
}

TEST(Kernels, AreFoundWithTheirParameters) {
  const Rewritten result = RewriteSource(
      "extern \"C\" __global__ __aicore__ void k(GM_ADDR x, const T<int, 2> t,"
      " __gm__ float* y, uint32_t) { }\n"
      "namespace a { __global__ void inner() {} }\n"
      "template <typename T> __global__ void generic(T t) {}\n"
      "__global__ void declared(void);\n");
  ASSERT_EQ(result.kernels.size(), 4u);
  const Kernel& kernel = result.kernels[0];
  EXPECT_EQ(kernel.name, "k");
  ASSERT_EQ(kernel.parameters.size(), 4u);
  EXPECT_EQ(kernel.parameters[0].type, "GM_ADDR");
  EXPECT_EQ(kernel.parameters[1].type, "const T < int , 2 >");
  EXPECT_EQ(kernel.parameters[1].name, "t");
  EXPECT_EQ(kernel.parameters[3].type, "uint32_t");
  EXPECT_TRUE(HasLaunchFunction(kernel));
  EXPECT_FALSE(HasLaunchFunction(result.kernels[1]));
  EXPECT_FALSE(HasLaunchFunction(result.kernels[2]));
  EXPECT_FALSE(HasLaunchFunction(result.kernels[3]));
  EXPECT_TRUE(result.kernels[3].parameters.empty());
  EXPECT_EQ(LaunchHeaderName(kernel), "aclrtlaunch_k.h");
  EXPECT_NE(LaunchHeader(kernel).find(
                "uint32_t aclrtlaunch_k(uint32_t numBlocks, void* stream, "
                "void* a0, const T < int , 2 > a1, void* a2, uint32_t a3);"),
            std::string::npos);
}

}  // namespace
}  // namespace belay::rewrite
