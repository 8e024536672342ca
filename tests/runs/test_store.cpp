// SPDX-License-Identifier: Apache-2.0
// The store: what was put is there, and what is no store is refused.

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>

#include "base/error.h"
#include "bench/random.h"
#include "fake_judge.h"
#include "runs/store.h"

namespace belay::runs::test_store {
namespace {

namespace fs = std::filesystem;
using testing::TemporaryFolder;

std::string MessageOf(const std::function<void()>& call) {
  try {
    call();
  } catch (const UserError& error) {
    return error.what();
  }
  return "";
}

TEST(Store, KeepsTheFirstValueOfEveryKey) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "store.sqlite";
  bench::Random random(testing::SeedOfTest(5));
  std::map<std::string, StoredVerdict> model;
  for (int opening = 0; opening < 5; ++opening) {
    Store store(file);
    for (int i = 0; i < 40; ++i) {
      const std::string key = std::to_string(random.Integer(0, 60));
      const StoredVerdict value{std::to_string(random.Next()),
                                std::string(1, '\0') + "bytes",
                                static_cast<int>(random.Integer(1, 3))};
      store.Put(key, value);
      model.emplace(key, value);
      const std::string other = std::to_string(random.Integer(0, 60));
      const auto found = store.Find(other);
      const auto expected = model.find(other);
      ASSERT_EQ(found.has_value(), expected != model.end());
      if (found) {
        EXPECT_EQ(*found, expected->second);
      }
    }
    EXPECT_EQ(store.Count(), static_cast<int64_t>(model.size()));
    store.Check();
  }
}

TEST(Store, TwoProcessesWriteToOneFile) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "store.sqlite";
  std::vector<pid_t> children;
  for (int child = 0; child < 3; ++child) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    int code = 0;
    try {
      Store store(file);
      for (int i = 0; i < 30; ++i) {
        store.Put(std::to_string(child * 15 + i), {"v", "e", 1});
      }
    } catch (const std::exception& error) {
      std::fprintf(stderr, "%s\n", error.what());
      code = 1;
    }
    _exit(code);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  Store store(file);
  EXPECT_EQ(store.Count(), 60);
  store.Check();
}

// SQLite does not wait where two processes give a new file its log.
TEST(Store, ManyProcessesMakeOneFile) {
  for (int round = 0; round < 30; ++round) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "store.sqlite";
    std::vector<pid_t> children;
    for (int child = 0; child < 8; ++child) {
      children.push_back(fork());
      if (children.back() != 0) continue;
      int code = 0;
      try {
        Store store(file);
      } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        code = 1;
      }
      _exit(code);
    }
    for (const pid_t child : children) {
      int status = -1;
      waitpid(child, &status, 0);
      EXPECT_EQ(status, 0) << "round " << round;
    }
  }
}

TEST(Store, RefusesWhatIsNoStore) {
  const TemporaryFolder folder;
  const fs::path text = folder.path() / "text";
  std::ofstream(text) << std::string(5000, 'x');
  EXPECT_NE(MessageOf([&] { Store store(text); }).find("not a store of Belay"),
            std::string::npos);

  const fs::path foreign = folder.path() / "foreign.sqlite";
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(foreign.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "CREATE TABLE people (name TEXT)", nullptr,
                         nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  std::ifstream before_in(foreign, std::ios::binary);
  const std::string before(std::istreambuf_iterator<char>(before_in), {});
  EXPECT_NE(MessageOf([&] { Store store(foreign); }).find("of another program"),
            std::string::npos);
  std::ifstream after_in(foreign, std::ios::binary);
  const std::string after(std::istreambuf_iterator<char>(after_in), {});
  EXPECT_EQ(before, after);  // left as it was

  EXPECT_NE(MessageOf([&] {
              Store store(folder.path() / "missing" / "store.sqlite");
            }).find("cannot be opened"),
            std::string::npos);
}

TEST(Store, RefusesAnotherVersion) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "store.sqlite";
  {
    Store store(file);
  }
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  sqlite3_exec(database, "PRAGMA user_version = 99", nullptr, nullptr, nullptr);
  sqlite3_close(database);
  EXPECT_NE(MessageOf([&] { Store store(file); }).find("version 99"),
            std::string::npos);
}

TEST(Store, TellsAChangedVerdict) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "store.sqlite";
  {
    Store store(file);
    store.Put("key", {"{\"outcome\":\"wrong\"}", "{}", 1});
  }
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  sqlite3_exec(database,
               "UPDATE verdicts SET verdict = '{\"outcome\":\"passed\"}'",
               nullptr, nullptr, nullptr);
  sqlite3_close(database);
  Store store(file);
  EXPECT_NE(MessageOf([&] { store.Find("key"); }).find("damaged"),
            std::string::npos);
  EXPECT_NE(MessageOf([&] { store.Check(); }).find("damaged"),
            std::string::npos);
}

// Bytes overwritten anywhere in the file: found, or without effect.
TEST(Store, NeverHandsOutDamagedVerdicts) {
  bench::Random random(testing::SeedOfTest(17));
  for (int trial = 0; trial < 30; ++trial) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "store.sqlite";
    const std::string verdict(300, 'v');
    {
      Store store(file);
      for (int i = 0; i < 40; ++i) {
        store.Put("key" + std::to_string(i), {verdict, "{}", 1});
      }
    }
    {
      std::fstream damage(file,
                          std::ios::binary | std::ios::in | std::ios::out);
      damage.seekp(
          random.Integer(0, static_cast<int64_t>(fs::file_size(file)) - 64));
      for (int i = 0; i < 64; ++i) {
        damage.put(static_cast<char>(random.Next()));
      }
    }
    const std::string said = MessageOf([&] {
      Store store(file);
      for (int i = 0; i < 40; ++i) {
        const auto found = store.Find("key" + std::to_string(i));
        if (found) {
          EXPECT_EQ(found->verdict, verdict);
        }
      }
    });
    if (!said.empty()) {
      EXPECT_NE(said.find("[store]"), std::string::npos) << said;
    }
  }
}

}  // namespace
}  // namespace belay::runs::test_store
