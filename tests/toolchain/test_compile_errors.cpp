// SPDX-License-Identifier: Apache-2.0
// What a user is told when a program does not compile or link.

#include <gtest/gtest.h>

#include <filesystem>

#include "base/error.h"
#include "guest_program.h"

namespace belay::testing::test_compile_errors {
namespace {

TEST(CompileErrors, CarryFileLineAndColumn) {
  GuestProgram program(R"(
int main() {
  return undeclared_name;
}
)");
  EXPECT_FALSE(program.Compile());
  ASSERT_EQ(program.diagnostics().size(), 1u);
  const Diagnostic& error = program.diagnostics()[0];
  EXPECT_EQ(error.code, "BLY-C101");
  EXPECT_EQ(error.severity, Severity::kError);
  EXPECT_EQ(error.message, "use of undeclared identifier 'undeclared_name'");
  EXPECT_EQ(error.location.file, program.options().sources[0]);
  EXPECT_EQ(error.location.line, 3);
  EXPECT_EQ(error.location.column, 10);
}

TEST(CompileErrors, NotesTellInstantiationsAndMacros) {
  GuestProgram program(R"(
#define CALL(x) x.missing()
template <typename T> void use(T x) {
  CALL(x);
}
int main() {
  use(3);
}
)");
  EXPECT_FALSE(program.Compile());
  ASSERT_EQ(program.diagnostics().size(), 1u);
  const Diagnostic& error = program.diagnostics()[0];
  EXPECT_EQ(error.location.line, 4);
  std::vector<int> lines;
  for (const DiagnosticNote& note : error.notes)
    lines.push_back(note.location.line);
  EXPECT_EQ(lines, (std::vector<int>{2, 7})) << program.Messages();
}

TEST(CompileErrors, FileKeepsTheNameTheUserGave) {
  GuestProgram program("int main() { return undeclared_name; }");
  const std::filesystem::path before = std::filesystem::current_path();
  const std::filesystem::path source = program.options().sources[0];
  std::filesystem::current_path(source.parent_path());
  program.options().sources = {"./guest.asc"};
  program.Compile();
  std::filesystem::current_path(before);
  ASSERT_EQ(program.diagnostics().size(), 1u);
  EXPECT_EQ(program.diagnostics()[0].location.file, "./guest.asc");
}

TEST(CompileErrors, AreGivenForEverySource) {
  GuestProgram program("int main() { return first; }");
  program.options().sources.push_back(
      program.AddFile("second.cpp", "int f() { return second; }"));
  EXPECT_FALSE(program.Compile());
  EXPECT_EQ(program.diagnostics().size(), 2u) << program.Messages();
}

TEST(CompileErrors, WarningsDoNotStopTheProgram) {
  GuestProgram program("int f() {}\nint main() { return 4; }");
  EXPECT_EQ(program.Run(), 4);
  ASSERT_EQ(program.diagnostics().size(), 1u) << program.Messages();
  EXPECT_EQ(program.diagnostics()[0].code, "BLY-C105");
  EXPECT_EQ(program.diagnostics()[0].severity, Severity::kWarning);
  EXPECT_EQ(program.diagnostics()[0].location.line, 1);
}

TEST(CompileErrors, UndefinedSymbolsAreNamedWithTheirFirstUse) {
  GuestProgram program(R"(
namespace lib { int answer(int x); }
extern int variable;
__aicore__ int device_only(int x);
__global__ __aicore__ void k(int* p) {
  *p = device_only(1);
}
int main() {
  k<<<1, 0>>>(nullptr);
  return lib::answer(2) + variable;
}
)");
  EXPECT_FALSE(program.Compile());
  std::vector<std::string> found;
  for (const Diagnostic& diagnostic : program.diagnostics()) {
    EXPECT_EQ(diagnostic.code, "BLY-C103");
    found.push_back(
        std::to_string(diagnostic.location.line) + " " +
        diagnostic.message.substr(0, diagnostic.message.find('\'', 1) + 1));
  }
  std::sort(found.begin(), found.end());
  EXPECT_EQ(found,
            (std::vector<std::string>{"10 'lib::answer(int)'", "10 'variable'",
                                      "6 'device_only(int)'"}))
      << program.Messages();
}

TEST(CompileErrors, CallerSaysWhichSymbolsWillBeThere) {
  GuestProgram program("int promised();\nint main() { return promised(); }");
  EXPECT_FALSE(program.Compile());
  program.options().is_provided = [](const std::string& symbol) {
    return symbol == "_Z8promisedv";
  };
  EXPECT_TRUE(program.Compile()) << program.Messages();
}

TEST(CompileErrors, DuplicateDefinitionsAreReported) {
  GuestProgram program("int f() { return 1; }\nint main() {}");
  program.options().sources.push_back(
      program.AddFile("second.cpp", "int f() { return 2; }"));
  EXPECT_FALSE(program.Compile());
  EXPECT_NE(program.Messages().find("duplicate symbol"), std::string::npos);
}

TEST(CompileErrors, BackEndFailureKeepsWarningsGivenBefore) {
  GuestProgram program(R"(
int f() {}
int main() {
  asm volatile("this is no instruction");
  return f();
}
)");
  EXPECT_FALSE(program.Compile());
  ASSERT_GE(program.diagnostics().size(), 2u) << program.Messages();
  EXPECT_EQ(program.diagnostics()[0].code, "BLY-C105");
  EXPECT_EQ(program.diagnostics().back().code, "BLY-C101");
  EXPECT_EQ(program.diagnostics().back().location.line, 4);
}

TEST(CompileErrors, NamesOfTheRuntimeAreReserved) {
  GuestProgram program(R"(
extern "C" void* belay_write(void* p, uint64_t) {
  return p;
}
int main() {}
)");
  EXPECT_FALSE(program.Compile());
  ASSERT_EQ(program.diagnostics().size(), 1u) << program.Messages();
  EXPECT_EQ(program.diagnostics()[0].code, "BLY-C101");
  EXPECT_EQ(program.diagnostics()[0].location.line, 2);
}

TEST(CompileErrors, MissingSourceIsTheCallersFault) {
  GuestProgram program("");
  program.options().sources = {"no such file.asc"};
  EXPECT_THROW(program.Compile(), UserError);
}

TEST(CompileErrors, LeaveNoFilesBehind) {
  GuestProgram program("int main() { return undeclared_name; }");
  program.Compile();
  const std::filesystem::path directory =
      std::filesystem::path(program.options().output).parent_path();
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    EXPECT_EQ(entry.path().filename(), "guest.asc");
    ++files;
  }
  EXPECT_EQ(files, 1);
}

TEST(CheckSyntax, FindsErrorsAndWritesNothing) {
  GuestProgram good("__global__ void k() {}\nint main() { k<<<1, 0>>>(); }");
  EXPECT_TRUE(toolchain::CheckSyntax(good.options()).ok);
  EXPECT_FALSE(std::filesystem::exists(good.options().output));
  GuestProgram bad("int main() { return undeclared_name; }");
  const toolchain::CompileResult result = toolchain::CheckSyntax(bad.options());
  EXPECT_FALSE(result.ok);
  EXPECT_EQ(result.diagnostics.size(), 1u);
}

TEST(CompileOptions, DefinesIncludesAndCoreReachTheSource) {
  GuestProgram program(R"(
#include <inner.h>
#if defined(__DAV_C220_CUBE__) && !defined(__DAV_C220_VEC__)
constexpr int kCore = 1;
#else
constexpr int kCore = 2;
#endif
static_assert(__NPU_ARCH__ == 2201 && __CCE_AICORE__ == 220 && __BELAY__);
int main() { return VALUE + FLAG + kInner + kCore * 1000; }
)");
  program.AddFile("inner.h", "constexpr int kInner = 300;");
  program.options().defines = {"VALUE=40", "FLAG"};
  program.options().include_dirs = {
      std::filesystem::path(program.options().output).parent_path()};
  program.options().core = toolchain::CoreType::kCube;
  EXPECT_EQ(program.Run(), 1341);
}

TEST(CompileOptions, UnoptimisedCodeRunsToo) {
  GuestProgram program(R"(
__global__ __aicore__ void k(int* p, int n) {
  for (int i = 0; i < n; ++i) *p += i;
}
int main() { int x = 0; k<<<1, 0>>>(&x, 5); return x; }
)");
  program.options().optimization = 0;
  EXPECT_EQ(program.Run(), 10);
  EXPECT_EQ(TheRecorder().CountOf('w'), 5);
}

}  // namespace
}  // namespace belay::testing::test_compile_errors
