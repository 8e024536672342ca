// SPDX-License-Identifier: Apache-2.0
#include "base/diagnostic.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <optional>

namespace belay {
namespace {

// ANSI sequences, or nothing.
struct Paint {
  bool color;

  std::string_view Bold() const { return color ? "\033[1m" : ""; }
  std::string_view Caret() const { return color ? "\033[1;32m" : ""; }
  std::string_view Off() const { return color ? "\033[0m" : ""; }
  std::string_view Of(Severity severity) const {
    if (!color) return "";
    switch (severity) {
      case Severity::kError:
        return "\033[1;31m";
      case Severity::kWarning:
        return "\033[1;35m";
      case Severity::kNote:
        break;
    }
    return "\033[1;36m";
  }
};

// "file:line:col: ", leaving out what is not known.
std::string PlaceOf(const SourceLocation& location) {
  if (location.file.empty()) return "";
  if (location.line <= 0) return location.file + ": ";
  if (location.column <= 0) {
    return fmt::format("{}:{}: ", location.file, location.line);
  }
  return fmt::format("{}:{}:{}: ", location.file, location.line,
                     location.column);
}

std::string Headline(const SourceLocation& location, Severity severity,
                     std::string_view message, const Paint& paint) {
  return fmt::format("{}{}{}{}{}: {}{}{}{}", paint.Bold(), PlaceOf(location),
                     paint.Off(), paint.Of(severity), NameOf(severity),
                     paint.Off(), paint.Bold(), message, paint.Off());
}

// The text of a line without its end; control characters, which could drive
// the terminal, become '?'. Nothing if the file has no such line.
std::optional<std::string> SourceLine(const SourceLocation& location) {
  if (!location.known()) return std::nullopt;
  std::ifstream file(location.file);
  std::string text;
  for (int i = 0; i < location.line; ++i) {
    if (!std::getline(file, text)) return std::nullopt;
  }
  if (text.ends_with('\r')) text.pop_back();
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t') || byte == 0x7f) c = '?';
  }
  return text;
}

// Blanks as wide as the first `bytes` bytes of UTF-8 text: tabs stay, letters
// of East Asian scripts and symbols outside the basic plane take two columns.
std::string BlanksFor(std::string_view text, size_t bytes) {
  std::string blanks;
  for (const char c : text.substr(0, bytes)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '\t') {
      blanks += '\t';
    } else if (byte >= 0xe3) {
      blanks += "  ";
    } else if ((byte & 0xc0) != 0x80) {
      blanks += ' ';
    }
  }
  return blanks;
}

std::string Snippet(const SourceLocation& location, const Paint& paint) {
  const std::optional<std::string> line = SourceLine(location);
  if (!line) return "";
  std::string text = fmt::format("{:>5} | {}\n", location.line, *line);
  if (location.column > 0) {
    const size_t before =
        std::min(line->size(), static_cast<size_t>(location.column) - 1);
    const size_t end = std::clamp<size_t>(std::max(0, location.end_column - 1),
                                          before, line->size());
    const size_t width =
        BlanksFor(std::string_view(*line).substr(before), end - before).size();
    text += fmt::format(
        "{:>5} | {}{}^{}{}\n", "", BlanksFor(*line, before), paint.Caret(),
        std::string(width > 1 ? width - 1 : 0, '~'), paint.Off());
  }
  return text;
}

}  // namespace

std::string_view NameOf(Severity severity) {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      break;
  }
  return "note";
}

std::string ToText(const Diagnostic& diagnostic, bool color) {
  const Paint paint{color};
  std::string text = Headline(diagnostic.location, diagnostic.severity,
                              diagnostic.message, paint);
  if (!diagnostic.code.empty()) text += fmt::format(" [{}]", diagnostic.code);
  text += '\n';
  text += Snippet(diagnostic.location, paint);
  if (!diagnostic.core.empty() && !diagnostic.pipe.empty()) {
    text +=
        fmt::format("  core {}, pipe {}\n", diagnostic.core, diagnostic.pipe);
  } else if (!diagnostic.core.empty()) {
    text += fmt::format("  core {}\n", diagnostic.core);
  } else if (!diagnostic.pipe.empty()) {
    text += fmt::format("  pipe {}\n", diagnostic.pipe);
  }
  for (const DiagnosticNote& note : diagnostic.notes) {
    text += Headline(note.location, Severity::kNote, note.message, paint);
    text += '\n';
    text += Snippet(note.location, paint);
  }
  if (!diagnostic.fix.empty()) {
    text += fmt::format("  {}fix:{} {}\n", paint.Bold(), paint.Off(),
                        diagnostic.fix);
  }
  return text;
}

}  // namespace belay
