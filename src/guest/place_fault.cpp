// SPDX-License-Identifier: Apache-2.0
#include "guest/place_fault.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "check/report.h"

namespace belay::guest {
namespace {

constexpr size_t kMaxCallNotes = 8;

std::string ReadLine(const std::string& file, int number) {
  std::ifstream in(file);
  std::string line;
  for (int i = 0; i < number; ++i) {
    if (!std::getline(in, line)) return {};
  }
  return line;
}

void ReplaceName(Diagnostic& diagnostic, uint64_t pc,
                 const FramesAt& frames_at) {
  static constexpr std::string_view kMark = "{name}";
  const size_t at = diagnostic.message.find(kMark);
  if (at == std::string::npos) return;
  std::string name = "?";
  const auto frames = frames_at(pc);
  if (!frames.empty() && frames.front().known()) {
    const SourceLocation& place = frames.front();
    name = FirstArgument(ReadLine(place.file, place.line), place.column);
  }
  diagnostic.message.replace(at, kMark.size(), name);
}

bool IsSamePlace(const SourceLocation& a, const SourceLocation& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

}  // namespace

std::string FirstArgument(const std::string& line, int column) {
  const size_t from = column > 0 ? static_cast<size_t>(column - 1) : 0;
  const size_t open = line.find('(', std::min(from, line.size()));
  if (open == std::string::npos) return "?";
  int depth = 0;
  size_t end = open + 1;
  for (; end < line.size(); ++end) {
    const char c = line[end];
    if (c == '(' || c == '[' || c == '{') ++depth;
    if (depth == 0 && (c == ',' || c == ')')) break;
    if (c == ')' || c == ']' || c == '}') --depth;
  }
  std::string argument = line.substr(open + 1, end - open - 1);
  const size_t first = argument.find_first_not_of(" \t&");
  if (first == std::string::npos) return "?";
  const size_t last = argument.find_last_not_of(" \t");
  return argument.substr(first, last - first + 1);
}

Diagnostic PlaceFault(const npu::Fault& fault,
                      toolchain::Symbolizer& symbolizer) {
  return PlaceFault(fault, [&](uint64_t pc) { return symbolizer.Frames(pc); });
}

Diagnostic PlaceFault(const npu::Fault& fault, const FramesAt& frames_at) {
  Diagnostic diagnostic = fault.diagnostic;
  std::vector<SourceLocation> chain = frames_at(fault.pc);
  for (const uint64_t caller : fault.callers) {
    const auto frames = frames_at(caller);
    // The innermost caller is the faulting call itself.
    if (caller == fault.pc) continue;
    chain.insert(chain.end(), frames.begin(), frames.end());
  }
  std::erase_if(chain,
                [](const SourceLocation& place) { return !place.known(); });
  if (!chain.empty()) diagnostic.location = chain.front();

  ReplaceName(diagnostic, fault.name_pc, frames_at);
  for (const auto& note : fault.notes) {
    const auto frames = frames_at(note.pc);
    diagnostic.notes.push_back(
        {note.message, frames.empty() ? SourceLocation{} : frames.front()});
  }
  for (size_t i = 1; i < chain.size() && i <= kMaxCallNotes; ++i) {
    diagnostic.notes.push_back(
        {fmt::format("called from {}", chain[i].function), chain[i]});
  }
  return diagnostic;
}

void AddPlaced(const npu::Fault& fault, const FramesAt& frames_at,
               std::vector<Diagnostic>& all) {
  Diagnostic placed = PlaceFault(fault, frames_at);
  const bool may_repeat = placed.severity != Severity::kError &&
                          fault.notes.empty() && placed.location.known();
  const auto before = std::ranges::find_if(all, [&](const Diagnostic& other) {
    return may_repeat && other.code == placed.code &&
           other.message == placed.message &&
           IsSamePlace(other.location, placed.location);
  });
  if (before == all.end()) {
    all.push_back(std::move(placed));
  } else {
    check::AddCount(placed, *before);
  }
}

void AddPlaced(const npu::Fault& fault, toolchain::Symbolizer& symbolizer,
               std::vector<Diagnostic>& all) {
  AddPlaced(fault, [&](uint64_t pc) { return symbolizer.Frames(pc); }, all);
}

}  // namespace belay::guest
