// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_DATABASE_H_
#define BELAY_RUNS_DATABASE_H_

// SQLite, as little of it as the store needs. Errors of the file or the disk
// are UserErrors that name the file.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

struct sqlite3;
struct sqlite3_stmt;

namespace belay::runs {

class Statement;

// One connection. It must not be used in a process forked after it was opened.
class Database {
 public:
  // Opens the file, or makes it.
  explicit Database(const std::filesystem::path& file);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Changes are appended to a log beside the file. Waits for other processes
  // that do the same with a new file.
  void KeepLog();

  // Statements without results.
  void Execute(const std::string& sql);
  // The first column of the first row, "" when there is none.
  std::string TextOf(const std::string& sql);
  int64_t NumberOf(const std::string& sql);

  [[noreturn]] void Fail(const std::string& what) const;

 private:
  friend class Statement;
  std::filesystem::path file_;
  sqlite3* connection_ = nullptr;
};

// A prepared statement; parameters and columns count from 0.
class Statement {
 public:
  Statement(Database& database, const std::string& sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  // The text must live until the next Reset.
  void Bind(int parameter, std::string_view text);
  void Bind(int parameter, int64_t number);
  // True while there is a row.
  bool Step();
  void Reset();

  std::string Text(int column) const;
  int64_t Number(int column) const;

 private:
  Database& database_;
  sqlite3_stmt* statement_ = nullptr;
};

}  // namespace belay::runs

#endif  // BELAY_RUNS_DATABASE_H_
