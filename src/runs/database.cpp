// SPDX-License-Identifier: Apache-2.0
#include "runs/database.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include "base/error.h"

namespace belay::runs {
namespace {

// How long one process waits for another that writes to the same file.
constexpr int kBusyMilliseconds = 60'000;

std::string HelpFor(int code) {
  switch (code & 0xff) {
    case SQLITE_NOTADB:
      return "; it is not a store of Belay: give another --store";
    case SQLITE_CORRUPT:
      return "; the file is damaged: delete it and judge again, or bring back "
             "a copy";
    case SQLITE_FULL:
      return "; make room and call again with --resume";
    case SQLITE_BUSY:
      return "; another program holds the file";
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
      return "; check that file and folder exist and may be written";
    default:
      return "";
  }
}

}  // namespace

Database::Database(const std::filesystem::path& file) : file_(file) {
  const int flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  const int code = sqlite3_open_v2(file.c_str(), &connection_, flags, nullptr);
  if (connection_ == nullptr) throw std::bad_alloc();
  try {
    if (code != SQLITE_OK) Fail("cannot be opened");
    sqlite3_extended_result_codes(connection_, 1);
    sqlite3_busy_timeout(connection_, kBusyMilliseconds);
  } catch (...) {
    sqlite3_close(connection_);
    throw;
  }
}

Database::~Database() { sqlite3_close(connection_); }

void Database::Fail(const std::string& what) const {
  const int code = sqlite3_errcode(connection_);
  throw UserError(fmt::format("[store] '{}' {}: {}{}", file_.string(), what,
                              sqlite3_errmsg(connection_), HelpFor(code)));
}

// SQLite waits for no lock that it needs while it holds another one, as here: of
// two processes one fails at once and has to try again.
void Database::KeepLog() {
  constexpr int kPause = 5;
  for (int waited = 0;; waited += kPause) {
    const int code = sqlite3_exec(connection_, "PRAGMA journal_mode = WAL",
                                  nullptr, nullptr, nullptr);
    if (code == SQLITE_OK) return;
    if ((code & 0xff) != SQLITE_BUSY || waited >= kBusyMilliseconds) {
      Fail("cannot be read or written");
    }
    sqlite3_sleep(kPause);
  }
}

void Database::Execute(const std::string& sql) {
  Statement statement(*this, sql);
  while (statement.Step()) {
  }
}

std::string Database::TextOf(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.Step() ? statement.Text(0) : "";
}

int64_t Database::NumberOf(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.Step() ? statement.Number(0) : 0;
}

Statement::Statement(Database& database, const std::string& sql)
    : database_(database) {
  if (sqlite3_prepare_v2(database.connection_, sql.data(),
                         static_cast<int>(sql.size()), &statement_,
                         nullptr) != SQLITE_OK) {
    database.Fail("cannot be used");
  }
}

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::Bind(int parameter, std::string_view text) {
  if (sqlite3_bind_text64(statement_, parameter + 1, text.data(), text.size(),
                          SQLITE_STATIC, SQLITE_UTF8) != SQLITE_OK) {
    database_.Fail("does not take a text");
  }
}

void Statement::Bind(int parameter, int64_t number) {
  if (sqlite3_bind_int64(statement_, parameter + 1, number) != SQLITE_OK) {
    database_.Fail("does not take a number");
  }
}

bool Statement::Step() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  database_.Fail("cannot be read or written");
}

void Statement::Reset() {
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

std::string Statement::Text(int column) const {
  const auto* text =
      reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  const int bytes = sqlite3_column_bytes(statement_, column);
  return text == nullptr ? std::string()
                         : std::string(text, static_cast<size_t>(bytes));
}

int64_t Statement::Number(int column) const {
  return sqlite3_column_int64(statement_, column);
}

}  // namespace belay::runs
