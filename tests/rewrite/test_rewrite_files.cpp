// SPDX-License-Identifier: Apache-2.0
// Sources on disk: lines, headers that need a copy, dependencies.

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/error.h"
#include "rewrite/rewrite_files.h"

namespace belay::rewrite {
namespace {

namespace fs = std::filesystem;

class RewriteFiles : public ::testing::Test {
 protected:
  RewriteFiles() {
    std::string pattern = (fs::temp_directory_path() / "belay-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~RewriteFiles() override { fs::remove_all(folder_); }

  fs::path Write(const char* name, const char* text) {
    fs::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  std::string Read(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }

  fs::path folder_;
};

TEST_F(RewriteFiles, NameTheirSource) {
  FileOptions options;
  options.source = Write("k.asc", "int x;\nvoid f() { k<<<1>>>(); }\n");
  options.output = folder_ / "out/k.cpp";
  RewriteFile(options);
  const std::string text = Read(options.output);
  EXPECT_TRUE(text.starts_with("#include \"belay/host_launch.h\"\n#line 1 \"" +
                               options.source.string() + "\"\nint x;\n"))
      << text;
}

TEST_F(RewriteFiles, HeadersThatNeedItAreCopied) {
  Write("plain.h", "int plain;\n");
  const fs::path raw = Write("sub/raw.h", "inline [aicore] int raw();\n");
  Write("through.h", "#include \"sub/raw.h\"\n");
  FileOptions options;
  options.source =
      Write("k.cpp", "#include \"plain.h\"\n#include \"through.h\"\n");
  options.output = folder_ / "out/k.cpp";
  options.dependencies = folder_ / "out/k.d";
  RewriteFile(options);
  const std::string text = Read(options.output);
  EXPECT_NE(text.find("\"" + (folder_ / "plain.h").string() + "\""),
            std::string::npos);
  EXPECT_EQ(text.find((folder_ / "through.h").string()), std::string::npos);
  const std::string rule = Read(options.dependencies);
  EXPECT_NE(rule.find(raw.string()), std::string::npos) << rule;
  bool found = false;
  for (const auto& entry : fs::directory_iterator(folder_ / "out")) {
    found |= Read(entry.path()).find("int raw();") != std::string::npos &&
             Read(entry.path()).find("[aicore]") == std::string::npos;
  }
  EXPECT_TRUE(found);
}

TEST_F(RewriteFiles, LaunchHeadersAreWritten) {
  FileOptions options;
  options.source = Write(
      "k.cpp", "extern \"C\" __global__ __vector__ void k(GM_ADDR x) {}\n");
  options.output = folder_ / "k.out.cpp";
  options.launch_headers = folder_ / "headers";
  RewriteFile(options);
  EXPECT_NE(Read(folder_ / "headers/aclrtlaunch_k.h")
                .find("#define ACLRT_LAUNCH_KERNEL(kernel)"),
            std::string::npos);
  EXPECT_NE(Read(options.output).find("uint32_t aclrtlaunch_k("),
            std::string::npos);
}

TEST_F(RewriteFiles, MissingSourceIsTheUsersError) {
  FileOptions options;
  options.source = folder_ / "none.cpp";
  options.output = folder_ / "out.cpp";
  EXPECT_THROW(RewriteFile(options), UserError);
}

}  // namespace
}  // namespace belay::rewrite
