// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_TRACE_BROWSER_H_
#define BELAY_TESTS_TRACE_BROWSER_H_

// Pages used in a headless browser by a script that stands behind their own and
// leaves what it saw as JSON in an element with the id test-result.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "temporary_file.h"

namespace belay::trace {

struct BrowserResult {
  nlohmann::json seen;  // null when there is none: see `console`
  std::string console;
};

inline std::string UnescapeHtml(std::string text) {
  for (const auto& [name, sign] :
       {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"},
        std::pair{"&amp;", "&"}}) {
    for (size_t at = 0; (at = text.find(name, at)) != std::string::npos; ++at) {
      text.replace(at, std::string_view(name).size(), sign);
    }
  }
  return text;
}

// Runs the page with the script in it. Chromium must be installed
// (scripts/prepare installs it).
inline BrowserResult RunInBrowser(std::string page, const std::string& script) {
  const size_t end = page.rfind("</body>");
  if (end == std::string::npos) return {nullptr, "the page has no body"};
  page.insert(end, "<script>" + ReadFile(script) + "</script>");
  const TemporaryFolder folder;
  WriteFile(folder.File("tested.html"), page);
  const std::string command = fmt::format(
      "timeout 100 chromium --headless --no-sandbox --disable-gpu "
      "--disable-dev-shm-usage --no-first-run "
      "--disable-background-networking --window-size=1400,900 "
      "--user-data-dir='{0}' --enable-logging=stderr "
      "--virtual-time-budget=2000 --dump-dom 'file://{1}' "
      ">'{2}' 2>'{3}'",
      folder.File("profile"), folder.File("tested.html"),
      folder.File("dom.html"), folder.File("log.txt"));
  const int status = std::system(command.c_str());
  BrowserResult result{nullptr, ReadFile(folder.File("log.txt"))};
  if (status != 0) return result;
  const std::string dom = ReadFile(folder.File("dom.html"));
  const std::string open = "<pre id=\"test-result\">";
  const size_t begin = dom.find(open);
  if (begin == std::string::npos) return result;
  const size_t stop = dom.find("</pre>", begin);
  result.seen = nlohmann::json::parse(UnescapeHtml(
      dom.substr(begin + open.size(), stop - begin - open.size())));
  return result;
}

}  // namespace belay::trace

#endif  // BELAY_TESTS_TRACE_BROWSER_H_
