// SPDX-License-Identifier: Apache-2.0
// Tests which temporary folders are removed: one's own and those of the dead.

#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <vector>

#include "guest/work_folder.h"

namespace belay::guest::test_work_folder {
namespace {

namespace fs = std::filesystem;

// A folder for temporary files of this test alone.
class WorkFolders : public testing::Test {
 protected:
  WorkFolders() {
    std::string pattern =
        (fs::temp_directory_path() / "belay-folders-XXXXXX").string();
    parent_ = mkdtemp(pattern.data());
    setenv("TMPDIR", parent_.c_str(), 1);
  }
  ~WorkFolders() override {
    unsetenv("TMPDIR");
    fs::remove_all(parent_);
  }

  // A process that has a folder until it is killed.
  pid_t StartHolder() {
    int ready[2];
    EXPECT_EQ(pipe(ready), 0);
    const pid_t child = fork();
    if (child == 0) {
      const WorkFolder folder("");
      folder.Write("text", "text");
      (void)!write(ready[1], "x", 1);
      for (;;) pause();
    }
    close(ready[1]);
    char byte = 0;
    EXPECT_EQ(read(ready[0], &byte, 1), 1);
    close(ready[0]);
    return child;
  }

  static void Kill(pid_t child) {
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }

  std::vector<fs::path> Folders() const {
    return {fs::directory_iterator(parent_), fs::directory_iterator()};
  }

  // As if its process had begun that long ago.
  static void MakeOlder(const fs::path& folder, std::chrono::seconds by) {
    for (const auto& file : fs::directory_iterator(folder)) {
      fs::last_write_time(file, fs::last_write_time(file) - by);
    }
  }

  // Each process looks for the folders of the dead once. Returns how many there
  // are while the new one has its own.
  int CountBesideNew() const {
    const pid_t child = fork();
    if (child == 0) {
      size_t count = 0;
      {
        const WorkFolder folder("");
        folder.Write("text", "text");
        count = Folders().size();
      }
      _exit(static_cast<int>(count) - 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
  }

  fs::path parent_;
};

TEST_F(WorkFolders, GoWithTheirScope) {
  EXPECT_EQ(CountBesideNew(), 0);
  EXPECT_TRUE(Folders().empty());
}

TEST_F(WorkFolders, OfTheDeadGoWithTheNext) {
  Kill(StartHolder());
  ASSERT_EQ(Folders().size(), 1u);
  MakeOlder(Folders()[0], std::chrono::hours(1));
  EXPECT_EQ(CountBesideNew(), 0);
  EXPECT_TRUE(Folders().empty());
}

TEST_F(WorkFolders, OfTheLivingAndTheYoungStay) {
  const pid_t living = StartHolder();
  MakeOlder(Folders()[0], std::chrono::hours(1));
  Kill(StartHolder());
  EXPECT_EQ(CountBesideNew(), 2);
  EXPECT_EQ(Folders().size(), 2u);
  Kill(living);
}

TEST_F(WorkFolders, WhatOthersNamedLikeOursStays) {
  fs::create_directories(parent_ / "belay-work-mine00");
  EXPECT_EQ(CountBesideNew(), 1);
  EXPECT_EQ(Folders().size(), 1u);
}

}  // namespace
}  // namespace belay::guest::test_work_folder
