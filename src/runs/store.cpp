// SPDX-License-Identifier: Apache-2.0
#include "runs/store.h"

#include <fmt/format.h>

#include "base/error.h"
#include "bench/hash.h"
#include "runs/database.h"

namespace belay::runs {
namespace {

// "BLYr" in the header of the file, by which other SQLite files are told apart.
constexpr int64_t kStoreId = 0x424c5972;
constexpr int64_t kStoreVersion = 1;

std::string ChecksumOf(std::string_view key, std::string_view verdict,
                       std::string_view extras, int64_t attempts) {
  return bench::HashOf({key, verdict, extras, std::to_string(attempts)});
}

bool IsNew(Database& database, const std::filesystem::path& file) {
  const int64_t id = database.NumberOf("PRAGMA application_id");
  const int64_t version = database.NumberOf("PRAGMA user_version");
  if (id == 0 && version == 0 &&
      database.NumberOf("SELECT count(*) FROM sqlite_master") == 0) {
    return true;
  }
  if (id != kStoreId) {
    throw UserError(
        fmt::format("[store] '{}' is an SQLite file of another program: give "
                    "another --store",
                    file.string()));
  }
  if (version != kStoreVersion) {
    throw UserError(fmt::format(
        "[store] '{}' is a store of version {}, this program has version {}: "
        "give another --store",
        file.string(), version, kStoreVersion));
  }
  return false;
}

void Prepare(Database& database, const std::filesystem::path& file) {
  // A foreign file is left as it is. One transaction: another process may be
  // making the store.
  database.Execute("BEGIN");
  IsNew(database, file);
  database.Execute("COMMIT");
  database.KeepLog();
  database.Execute("PRAGMA synchronous = FULL");
  // One writer at a time: two processes may both find the file empty.
  database.Execute("BEGIN IMMEDIATE");
  if (IsNew(database, file)) {
    database.Execute(fmt::format("PRAGMA application_id = {}", kStoreId));
    database.Execute(fmt::format("PRAGMA user_version = {}", kStoreVersion));
    database.Execute(
        "CREATE TABLE verdicts (key TEXT PRIMARY KEY, verdict TEXT NOT NULL, "
        "extras TEXT NOT NULL, attempts INTEGER NOT NULL, "
        "checksum TEXT NOT NULL) WITHOUT ROWID");
  }
  database.Execute("COMMIT");
}

}  // namespace

struct Store::State {
  explicit State(const std::filesystem::path& path)
      : file(path), database(path) {}

  StoredVerdict Read(const std::string& key, const Statement& row,
                     int first_column) const {
    StoredVerdict value{row.Text(first_column), row.Text(first_column + 1),
                        static_cast<int>(row.Number(first_column + 2))};
    if (ChecksumOf(key, value.verdict, value.extras, value.attempts) !=
        row.Text(first_column + 3)) {
      throw UserError(fmt::format(
          "[store] '{}' is damaged: the verdict of key {} is not the one that "
          "was stored; delete the file and judge again",
          file.string(), key));
    }
    return value;
  }

  std::filesystem::path file;
  Database database;
};

Store::Store(const std::filesystem::path& file)
    : state_(std::make_unique<State>(file)) {
  Prepare(state_->database, file);
}

Store::~Store() = default;

std::optional<StoredVerdict> Store::Find(const std::string& key) {
  Statement find(state_->database,
                 "SELECT verdict, extras, attempts, checksum FROM verdicts "
                 "WHERE key = ?");
  find.Bind(0, key);
  if (!find.Step()) return std::nullopt;
  return state_->Read(key, find, 0);
}

void Store::Put(const std::string& key, const StoredVerdict& value) {
  const std::string checksum =
      ChecksumOf(key, value.verdict, value.extras, value.attempts);
  Statement put(state_->database,
                "INSERT OR IGNORE INTO verdicts VALUES (?, ?, ?, ?, ?)");
  put.Bind(0, key);
  put.Bind(1, value.verdict);
  put.Bind(2, value.extras);
  put.Bind(3, int64_t{value.attempts});
  put.Bind(4, checksum);
  put.Step();
}

int64_t Store::Count() {
  return state_->database.NumberOf("SELECT count(*) FROM verdicts");
}

void Store::Check() {
  const std::string said = state_->database.TextOf("PRAGMA integrity_check");
  if (said != "ok") {
    throw UserError(fmt::format("[store] '{}' is damaged: {}",
                                state_->file.string(), said));
  }
  Statement all(state_->database,
                "SELECT key, verdict, extras, attempts, checksum FROM verdicts "
                "ORDER BY key");
  while (all.Step()) state_->Read(all.Text(0), all, 1);
}

}  // namespace belay::runs
