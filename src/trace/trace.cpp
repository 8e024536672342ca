// SPDX-License-Identifier: Apache-2.0
#include "trace/trace.h"

#include <fmt/format.h>

#include "base/error.h"
#include "trace/html_writer.h"
#include "trace/perfetto_writer.h"

namespace belay::trace {
namespace {

bool IsPage(std::string_view path) { return path.ends_with(".html"); }

bool IsPerfetto(std::string_view path) {
  return path.ends_with(".pftrace") || path.ends_with(".perfetto-trace");
}

}  // namespace

bool IsTracePath(const std::string& path) {
  return IsPage(path) || IsPerfetto(path);
}

std::unique_ptr<Writer> OpenWriter(const std::string& path,
                                   const RunFacts& facts) {
  if (IsPage(path)) return std::make_unique<HtmlWriter>(path, facts);
  if (IsPerfetto(path)) return std::make_unique<PerfettoWriter>(path, facts);
  throw UserError(
      fmt::format("[trace] a trace file ends in .html (a page), .pftrace or "
                  ".perfetto-trace (for ui.perfetto.dev), but this one is '{}'",
                  path));
}

}  // namespace belay::trace
