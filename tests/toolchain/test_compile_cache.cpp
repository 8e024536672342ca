// SPDX-License-Identifier: Apache-2.0
// The cache of compiled programs: when it answers, and when it must not.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "guest_program.h"
#include "toolchain/compile_cache.h"

namespace belay::testing::test_compile_cache {
namespace {

namespace fs = std::filesystem;

constexpr char kSource[] = R"(
#include "value.h"
#ifndef EXTRA
#define EXTRA 0
#endif
#if __has_include("optional.h")
#include "optional.h"
#endif
inline int unused_variable() { int warned; return Value() + EXTRA; }
extern "C" int answer() { return unused_variable(); }
#warning "kept with the result"
int main() {}
)";

class CompileCacheTest : public ::testing::Test {
 protected:
  CompileCacheTest() {
    fs::create_directories(directory_.Path("first"));
    fs::create_directories(directory_.Path("second"));
    options_.sources = {directory_.Write("program.cpp", kSource)};
    options_.include_dirs = {directory_.Path("first"),
                             directory_.Path("second")};
    options_.headers = IncludeDirectory();
    options_.output = directory_.Path("program.so");
    WriteValue("second", 1);
    cache_.directory = directory_.Path("cache");
  }

  void WriteValue(const std::string& folder, int value) {
    directory_.Write(folder + "/value.h", "inline int Value() { return " +
                                              std::to_string(value) + "; }\n");
  }

  // Whether the cache answered; `program.so` must be there either way, with
  // the warning.
  bool IsHit() {
    fs::remove(options_.output);
    const toolchain::CompileResult result =
        toolchain::CompileCached(options_, cache_);
    EXPECT_TRUE(result.ok);
    EXPECT_EQ(result.diagnostics.size(), 1u);
    if (!result.diagnostics.empty()) {
      EXPECT_EQ(result.diagnostics[0].code, "BLY-C105");
      EXPECT_EQ(result.diagnostics[0].location.line, 11);
    }
    EXPECT_TRUE(fs::exists(options_.output));
    return result.from_cache;
  }

  std::vector<fs::path> FilesEndingWith(const std::string& ending) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(cache_.directory))
      if (entry.path().extension() == ending) files.push_back(entry.path());
    return files;
  }

  std::string Object() {
    std::ifstream file(options_.output, std::ios::binary);
    return {std::istreambuf_iterator<char>(file),
            std::istreambuf_iterator<char>()};
  }

  TemporaryDirectory directory_;
  toolchain::CompileOptions options_;
  toolchain::CompileCache cache_;
};

TEST_F(CompileCacheTest, TheSameProgramIsFound) {
  EXPECT_FALSE(IsHit());
  const std::string compiled = Object();
  EXPECT_TRUE(IsHit());
  EXPECT_EQ(Object(), compiled);
  options_.output = directory_.Path("elsewhere.so");
  EXPECT_TRUE(IsHit());
  EXPECT_EQ(Object(), compiled);
}

TEST_F(CompileCacheTest, ChangedTextIsCompiled) {
  EXPECT_FALSE(IsHit());
  directory_.Write("program.cpp", std::string(kSource) + "int more;\n");
  EXPECT_FALSE(IsHit());
  directory_.Write("program.cpp", kSource);
  EXPECT_TRUE(IsHit());
}

TEST_F(CompileCacheTest, ChangedHeaderIsCompiledAndBothStatesAreKept) {
  EXPECT_FALSE(IsHit());
  WriteValue("second", 2);
  EXPECT_FALSE(IsHit());
  EXPECT_TRUE(IsHit());
  WriteValue("second", 1);
  EXPECT_TRUE(IsHit());
}

TEST_F(CompileCacheTest, EveryOptionMatters) {
  EXPECT_FALSE(IsHit());
  options_.defines = {"EXTRA=5"};
  EXPECT_FALSE(IsHit());
  EXPECT_TRUE(IsHit());
  options_.core = toolchain::CoreType::kCube;
  EXPECT_FALSE(IsHit());
  options_.optimization = 0;
  EXPECT_FALSE(IsHit());
  options_.include_dirs = {directory_.Path("second")};
  EXPECT_FALSE(IsHit());
  EXPECT_TRUE(IsHit());
}

TEST_F(CompileCacheTest, HeaderThatComesFirstIsNoticed) {
  EXPECT_FALSE(IsHit());
  EXPECT_TRUE(IsHit());
  WriteValue("first", 9);
  EXPECT_FALSE(IsHit());
  fs::remove(directory_.Path("first/value.h"));
  EXPECT_TRUE(IsHit());
}

TEST_F(CompileCacheTest, HeaderThatWasLookedForInVainIsNoticed) {
  EXPECT_FALSE(IsHit());
  directory_.Write("optional.h", "#define NOW_THERE\n");
  EXPECT_FALSE(IsHit());
  EXPECT_TRUE(IsHit());
}

TEST_F(CompileCacheTest, FolderThatAppearsIsNoticed) {
  options_.include_dirs.insert(options_.include_dirs.begin(),
                               directory_.Path("later"));
  EXPECT_FALSE(IsHit());
  EXPECT_TRUE(IsHit());
  fs::create_directories(directory_.Path("later"));
  WriteValue("later", 4);
  EXPECT_FALSE(IsHit());
}

TEST_F(CompileCacheTest, ChangedHeadersOfBelayAreNoticed) {
  const fs::path headers = directory_.Path("headers");
  fs::create_directories(headers);
  fs::copy(fs::path(IncludeDirectory()) / "belay", headers / "belay");
  options_.headers = headers;
  EXPECT_FALSE(IsHit());
  EXPECT_TRUE(IsHit());
  std::ofstream(headers / "belay" / "launch.h", std::ios::app) << "\n";
  EXPECT_FALSE(IsHit());
}

TEST_F(CompileCacheTest, DamagedFilesAreAsIfTheyWereMissing) {
  EXPECT_FALSE(IsHit());
  const std::string compiled = Object();
  ASSERT_EQ(FilesEndingWith(".so").size(), 1u);
  std::ofstream(FilesEndingWith(".so")[0], std::ios::app) << "damage";
  EXPECT_FALSE(IsHit());
  EXPECT_EQ(Object(), compiled);
  EXPECT_TRUE(IsHit());
  for (const char* text : {"", "{", "[]", "[1, {\"inputs\": 3}]"}) {
    std::ofstream(FilesEndingWith(".json")[0]) << text;
    EXPECT_FALSE(IsHit()) << text;
    EXPECT_TRUE(IsHit()) << text;
  }
}

TEST_F(CompileCacheTest, ErrorsAndTimesAreNotKept) {
  options_.sources = {directory_.Write("wrong.cpp", "int x = wrong;\n")};
  EXPECT_FALSE(toolchain::CompileCached(options_, cache_).ok);
  EXPECT_FALSE(fs::exists(cache_.directory));
  options_.sources = {
      directory_.Write("time.cpp", "const char* t = __TIME__;\n")};
  EXPECT_TRUE(toolchain::CompileCached(options_, cache_).ok);
  EXPECT_FALSE(toolchain::CompileCached(options_, cache_).from_cache);
}

TEST_F(CompileCacheTest, AFolderThatCannotBeWrittenDoesNotMatter) {
  cache_.directory = "/proc/belay";
  EXPECT_FALSE(IsHit());
  EXPECT_FALSE(IsHit());
}

TEST_F(CompileCacheTest, ManyProcessesAtOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      bool ok = true;
      options_.output = directory_.Path("child" + std::to_string(i) + ".so");
      for (int turn = 0; turn < 5; ++turn) {
        options_.defines = {"EXTRA=" + std::to_string(turn)};
        ok &= toolchain::CompileCached(options_, cache_).ok;
        ok &= fs::exists(options_.output);
      }
      _exit(ok ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  options_.defines = {"EXTRA=3"};
  EXPECT_TRUE(IsHit());
  EXPECT_TRUE(FilesEndingWith(".tmp").empty());
}

TEST_F(CompileCacheTest, TheOldestGoWhenItIsFull) {
  for (int i = 0; i < 4; ++i) {
    options_.defines = {"EXTRA=" + std::to_string(i)};
    EXPECT_FALSE(IsHit());
    for (const auto& entry :
         fs::recursive_directory_iterator(cache_.directory)) {
      if (entry.is_regular_file())
        fs::last_write_time(entry.path(),
                            entry.last_write_time() - std::chrono::hours(1));
    }
  }
  uint64_t total = 0;
  for (const auto& entry : fs::recursive_directory_iterator(cache_.directory))
    if (entry.is_regular_file()) total += entry.file_size();
  cache_.limit_bytes = total;
  toolchain::EvictOldest(cache_);
  options_.defines = {"EXTRA=0"};
  EXPECT_TRUE(IsHit()) << "within the limit nothing goes";
  cache_.limit_bytes = total - 1;
  toolchain::EvictOldest(cache_);
  EXPECT_TRUE(IsHit()) << "it was used last";
  options_.defines = {"EXTRA=1"};
  EXPECT_FALSE(IsHit()) << "it is the oldest";
}

TEST(DefaultCompileCache, FollowsTheEnvironment) {
  ::unsetenv("BELAY_CACHE");
  ::setenv("HOME", "/home/somebody", 1);
  ::unsetenv("XDG_CACHE_HOME");
  ::unsetenv("BELAY_CACHE_DIR");
  EXPECT_EQ(toolchain::DefaultCompileCache()->directory,
            "/home/somebody/.cache/belay");
  ::setenv("XDG_CACHE_HOME", "/caches", 1);
  EXPECT_EQ(toolchain::DefaultCompileCache()->directory, "/caches/belay");
  ::setenv("BELAY_CACHE_DIR", "/mine", 1);
  EXPECT_EQ(toolchain::DefaultCompileCache()->directory, "/mine");
  ::setenv("BELAY_CACHE", "off", 1);
  EXPECT_FALSE(toolchain::DefaultCompileCache().has_value());
}

}  // namespace
}  // namespace belay::testing::test_compile_cache
