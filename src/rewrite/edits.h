// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REWRITE_EDITS_H_
#define BELAY_REWRITE_EDITS_H_

// Replacements in a text that leave its lines where they are.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace belay::rewrite {

class Edits {
 public:
  // Puts `text`, which must hold no line break, in the place of [begin, end).
  // Line breaks of what is replaced are kept, after the text; they are
  // continued with a backslash when `in_directive`.
  void Replace(size_t begin, size_t end, std::string text,
               bool in_directive = false);

  // Puts blanks in the place of [begin, end), line breaks excepted.
  void Blank(size_t begin, size_t end);

  bool empty() const { return edits_.empty(); }

  // The text with all replacements made; they must not overlap.
  std::string Apply(std::string_view source) const;

 private:
  enum class Kind { kText, kDirectiveText, kBlank };
  struct Edit {
    size_t begin;
    size_t end;
    Kind kind;
    std::string text;
  };
  std::vector<Edit> edits_;
};

}  // namespace belay::rewrite

#endif  // BELAY_REWRITE_EDITS_H_
