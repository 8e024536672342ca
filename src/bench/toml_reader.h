// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_TOML_READER_H_
#define BELAY_BENCH_TOML_READER_H_

// Typed access to a table of a TOML file, with messages that name the file,
// the line, the key and what was expected there.

#include <toml++/toml.h>

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/expression.h"
#include "bench/task_error.h"

namespace belay::bench {

// Parses; throws TaskError BLY-K102 with the line.
toml::table ParseToml(const std::string& text,
                      const std::filesystem::path& file);

// Reads a whole file; throws TaskError BLY-K101.
std::string ReadText(const std::filesystem::path& file);

// The same value as JSON. Dates are refused.
Value ToValue(const toml::node& node, const std::filesystem::path& file);

// A view of one table; the table must outlive it.
class TomlReader {
 public:
  // `where` names the table in messages: "[[input]] x".
  TomlReader(const toml::table& table, const std::filesystem::path& file,
             std::string where)
      : table_(table), file_(file), where_(std::move(where)) {}

  const std::filesystem::path& file() const { return file_; }
  const std::string& where() const { return where_; }
  void set_where(std::string where) { where_ = std::move(where); }
  const toml::table& table() const { return table_; }
  int line() const { return Line(table_); }
  static int Line(const toml::node& node) {
    return static_cast<int>(node.source().begin.line);
  }

  // Throws BLY-K103 for a key that is none of these.
  void RequireKeys(std::initializer_list<std::string_view> known) const;

  const toml::node* Find(std::string_view key) const { return table_.get(key); }

  // With a default these are optional, without one required (BLY-K104). A
  // value of another type is BLY-K105.
  std::string String(std::string_view key) const;
  std::string String(std::string_view key, std::string fallback) const;
  int64_t Int(std::string_view key) const;
  int64_t Int(std::string_view key, int64_t fallback) const;
  double Real(std::string_view key, double fallback) const;
  bool Bool(std::string_view key, bool fallback) const;
  // Empty where the key is absent. BLY-K106 if it cannot be read.
  Expression ReadExpression(std::string_view key) const;
  std::vector<std::string> Strings(std::string_view key) const;
  // The tables of [[key]], none if absent.
  std::vector<TomlReader> Tables(std::string_view key) const;

  [[noreturn]] void Fail(std::string code, std::string message,
                         std::string fix = "") const;
  [[noreturn]] void FailAt(const toml::node& node, std::string code,
                           std::string message, std::string fix = "") const;

 private:
  const toml::node& Require(std::string_view key) const;
  [[noreturn]] void WrongType(std::string_view key, const toml::node& node,
                              std::string_view expected) const;

  const toml::table& table_;
  const std::filesystem::path& file_;
  std::string where_;
};

}  // namespace belay::bench

#endif  // BELAY_BENCH_TOML_READER_H_
