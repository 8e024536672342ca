// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNS_STORE_H_
#define BELAY_RUNS_STORE_H_

// Verdicts by what they depend on. A file that survives being killed at any
// moment, and the power going: SQLite with a write-ahead log, synchronised at
// every commit (a few milliseconds, where a verdict takes tens).

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace belay::runs {

struct StoredVerdict {
  std::string verdict;  // JSON
  std::string extras;   // JSON
  int attempts = 1;     // how often the sample was begun until this came

  bool operator==(const StoredVerdict&) const = default;
};

// For one process; several may use the same file.
class Store {
 public:
  // Opens a store or makes one. Throws UserError for a file that is not a store
  // of this version, is damaged, or cannot be written.
  explicit Store(const std::filesystem::path& file);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // Throws UserError where the stored bytes are not the ones that were put.
  std::optional<StoredVerdict> Find(const std::string& key);

  // On the disk when this returns. A key keeps its first value: verdicts are
  // functions of their keys.
  void Put(const std::string& key, const StoredVerdict& value);

  int64_t Count();

  // Reads everything. Throws UserError at the first fault.
  void Check();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace belay::runs

#endif  // BELAY_RUNS_STORE_H_
