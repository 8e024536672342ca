// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CHECK_SUPPRESSIONS_H_
#define BELAY_CHECK_SUPPRESSIONS_H_

// Findings that a user has looked at and does not want to see again: a file of
// lines "CODE FILE:LINE reason".

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace belay::check {

class Suppressions {
 public:
  Suppressions() = default;

  // Reads the text of the file `name`. Empty lines and lines that start with #
  // do not count. FILE is a path or its end ("op_kernel/add.cpp"), LINE a
  // number or * for any; the reason is obligatory. Throws UserError.
  static Suppressions Parse(std::string_view text, const std::string& name);
  // Throws UserError, also when the file cannot be read.
  static Suppressions Load(const std::string& path);

  // Whether a line is about this diagnostic, which must have its place; the
  // line then counts as used.
  bool Match(const Diagnostic& diagnostic);

  // Takes out what lines are about; how many that were.
  size_t Apply(std::vector<Diagnostic>& diagnostics);

  // A warning BLY-U106 for each line that was never used, at its place.
  std::vector<Diagnostic> Unused() const;

 private:
  struct Line {
    std::string code;
    std::string file;
    int line = 0;  // 0: any
    std::string reason;
    int number = 0;  // in the file of suppressions
    bool is_used = false;
  };
  std::string name_;
  std::vector<Line> lines_;
};

}  // namespace belay::check

#endif  // BELAY_CHECK_SUPPRESSIONS_H_
