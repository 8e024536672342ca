// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_MESSAGES_H_
#define BELAY_CRUX_MESSAGES_H_

// Collects what the front end has to say about one file.

#include <string>
#include <vector>

#include "base/catalogue.h"
#include "base/diagnostic.h"
#include "crux/source.h"

namespace belay::crux {

class Messages {
 public:
  explicit Messages(const Source& source) : source_(source) {}

  // The severity is that of the code. A second message of one code at one place
  // is dropped: helpers are checked once for each call. The diagnostic returned
  // lives until the next report.
  Diagnostic& Report(const char* code, const SourceRange& range,
                     std::string message, std::string fix = "");

  SourceLocation LocationOf(const SourceRange& range) const;

  int errors() const { return errors_; }

  std::vector<int> ErrorLines() const;

  // Takes over what another collected about the same source.
  void Adopt(Messages&& other);

  // Lines are both included.
  bool HasErrorBetween(int first_line, int last_line) const;

  // Sorted by place. Beyond kLimit errors the rest is one note.
  std::vector<Diagnostic> Take();

  static constexpr int kLimit = 50;

 private:
  const Source& source_;
  std::vector<Diagnostic> diagnostics_;
  Diagnostic dropped_;
  int errors_ = 0;
  SourceLocation first_left_out_;
};

// The candidate nearest to `name` by edit distance, if it is near enough to be
// meant (a third of the letters, at least one); else empty.
std::string Nearest(std::string_view name,
                    const std::vector<std::string>& candidates);

// "a", "a and b", "a, b and c".
std::string Listed(const std::vector<std::string>& items);

}  // namespace belay::crux

#endif  // BELAY_CRUX_MESSAGES_H_
