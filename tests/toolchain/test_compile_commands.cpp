// SPDX-License-Identifier: Apache-2.0
// What editors are told: a Clang without Belay's attributes must parse our
// headers and examples with it, without errors and without warnings.

#include <gtest/gtest.h>
#include <stdio.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "guest_program.h"
#include "toolchain/compile_commands.h"

namespace belay::testing::test_compile_commands {
namespace {

namespace fs = std::filesystem;

struct Output {
  int status;
  std::string text;  // standard output and standard error
};

Output Execute(const std::string& command) {
  Output output{-1, ""};
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (!pipe) return output;
  char buffer[4096];
  while (const size_t bytes = ::fread(buffer, 1, sizeof(buffer), pipe))
    output.text.append(buffer, bytes);
  output.status = ::pclose(pipe);
  return output;
}

std::string Quoted(const std::vector<std::string>& arguments) {
  std::string text;
  for (const std::string& argument : arguments) text += "'" + argument + "' ";
  return text;
}

std::vector<std::string> FilesUnder(const std::string& folder,
                                    const std::string& inside,
                                    const std::string& ending) {
  std::vector<std::string> files;
  for (const auto& entry :
       fs::recursive_directory_iterator(fs::path(BELAY_SOURCE_DIR) / folder)) {
    if (entry.path().extension() == ending &&
        entry.path().string().find(inside) != std::string::npos)
      files.push_back(entry.path().string());
  }
  return files;
}

toolchain::CompileOptions OptionsFor(const std::vector<std::string>& sources) {
  toolchain::CompileOptions options;
  options.sources = sources;
  options.headers = IncludeDirectory();
  return options;
}

void ExpectParsed(const std::vector<toolchain::CompileCommand>& commands) {
  for (const toolchain::CompileCommand& command : commands) {
    std::vector<std::string> arguments = command.arguments;
    arguments[0] = BELAY_CLANGXX;
    const Output output = Execute(Quoted(arguments));
    EXPECT_EQ(output.status, 0) << command.file;
    EXPECT_EQ(output.text, "") << command.file;
  }
}

TEST(CompileCommands, StockClangParsesPrograms) {
  std::vector<std::string> sources = FilesUnder("examples", "", ".asc");
  for (const std::string& more : FilesUnder("tests/programs", "", ".asc"))
    sources.push_back(more);
  ASSERT_GE(sources.size(), 6u);
  ExpectParsed(toolchain::CompileCommands(OptionsFor(sources),
                                          toolchain::SourceKind::kKernel));
}

TEST(CompileCommands, StockClangParsesHostCodeOfOperators) {
  const auto sources = FilesUnder("examples", "/op_host/", ".cpp");
  ASSERT_FALSE(sources.empty());
  ExpectParsed(toolchain::CompileCommands(OptionsFor(sources),
                                          toolchain::SourceKind::kHost));
}

TEST(CompileCommands, ClangdFindsNoFault) {
  if (std::string(BELAY_CLANGD).empty()) GTEST_SKIP() << "clangd is missing";
  TemporaryDirectory directory;
  const std::string source = directory.Write("program.asc", R"(
#include "acl/acl.h"
#include "kernel_operator.h"
#include "helper.h"
__global__ __vector__ void kernel(GM_ADDR x) {
  AscendC::TPipe pipe;
  AscendC::printf("%d %d\n", Twice(3), AMOUNT);
}
int main() { kernel<<<8, nullptr, nullptr>>>(nullptr); }
)");
  fs::create_directories(directory.Path("include"));
  directory.Write("include/helper.h", "inline int Twice(int x) { return x; }");
  toolchain::CompileOptions options = OptionsFor({source});
  options.include_dirs = {directory.Path("include")};
  options.defines = {"AMOUNT=5"};
  toolchain::WriteCompileCommands(
      toolchain::CompileCommands(options, toolchain::SourceKind::kKernel),
      directory.Path(""));
  const Output output =
      Execute("'" BELAY_CLANGD "' --compile-commands-dir='" +
              directory.Path("") + "' --check='" + source + "'");
  EXPECT_EQ(output.status, 0) << output.text;
  EXPECT_EQ(output.text.find("error:"), std::string::npos) << output.text;
}

TEST(CompileCommands, FileIsADatabaseWithAbsolutePaths) {
  TemporaryDirectory directory;
  toolchain::CompileOptions options = OptionsFor({"a/../k.asc"});
  options.include_dirs = {"inc"};
  const std::string written = toolchain::WriteCompileCommands(
      toolchain::CompileCommands(options, toolchain::SourceKind::kKernel),
      directory.Path("mine.json"));
  EXPECT_EQ(written, directory.Path("mine.json"));
  std::ifstream file(written);
  const auto entries = nlohmann::json::parse(file);
  ASSERT_EQ(entries.size(), 1u);
  const std::string here = fs::current_path().string();
  EXPECT_EQ(entries[0]["directory"], here);
  EXPECT_EQ(entries[0]["file"], here + "/k.asc");
  const auto arguments =
      entries[0]["arguments"].get<std::vector<std::string>>();
  EXPECT_EQ(arguments.back(), here + "/k.asc");
  EXPECT_NE(std::find(arguments.begin(), arguments.end(), "-I" + here + "/inc"),
            arguments.end());
}

TEST(CompileCommands, PlaceThatCannotBeWrittenIsAUserError) {
  EXPECT_THROW(toolchain::WriteCompileCommands({}, "/no/such/folder/x.json"),
               UserError);
}

}  // namespace
}  // namespace belay::testing::test_compile_commands
