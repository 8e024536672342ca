// SPDX-License-Identifier: Apache-2.0
#include "crux/print/twin_text.h"

#include <string>
#include <string_view>

#include "crux/print/names.h"
#include "crux/print/scalar_text.h"

namespace belay::crux::print {
namespace {

// False: it has no such word.
bool Rename(std::string& text, std::string_view from, std::string_view to) {
  bool renamed = false;
  for (size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at)) {
    const size_t end = at + from.size();
    const bool whole = (at == 0 || !IsWordPart(text[at - 1])) &&
                       (end == text.size() || !IsWordPart(text[end]));
    if (whole) text.replace(at, from.size(), to);
    renamed = renamed || whole;
    at += whole ? to.size() : from.size();
  }
  return renamed;
}

bool Rename(Text& text) {
  static const std::string kFrom = TypeName(DType::kHalf);
  static const std::string kTo = TypeName(DType::kBfloat16);
  bool renamed = false;
  for (Line& line : text.mutable_lines()) {
    if (line.kind == LineKind::kComment) continue;
    renamed |= Rename(line.text, kFrom, kTo);
  }
  return renamed;
}

}  // namespace

PrintedClass TwinPrinter::Print(const PrintedClass& halves) {
  PrintedClass own = halves;
  Rename(own.members);
  for (std::shared_ptr<const Text>& function : own.functions) {
    std::shared_ptr<const Text>& known = known_[function];
    if (known == nullptr) {
      auto copy = std::make_shared<Text>(*function);
      known = Rename(*copy) ? std::move(copy) : function;
    }
    function = known;
  }
  return own;
}

}  // namespace belay::crux::print
