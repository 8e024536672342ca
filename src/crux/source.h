// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SOURCE_H_
#define BELAY_CRUX_SOURCE_H_

// The text of a Crux file and places in it.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace belay::crux {

// From the first character up to, and not including, the end. Lines and
// columns count from 1, columns in bytes; line 0 means no place.
struct SourceRange {
  int line = 0;
  int column = 0;
  int end_line = 0;
  int end_column = 0;

  bool known() const { return line > 0; }
};

// The smallest range that holds both. One that has no place does not count.
SourceRange Join(const SourceRange& a, const SourceRange& b);

class Source {
 public:
  Source(std::string name, std::string text);

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }

  // Without its line end. Empty beyond the last line.
  std::string_view Line(int line) const;

  // What a range of one line covers; the first line of a longer range.
  std::string_view Text(const SourceRange& range) const;

 private:
  std::string name_;
  std::string text_;
  std::vector<size_t> starts_;
};

}  // namespace belay::crux

#endif  // BELAY_CRUX_SOURCE_H_
