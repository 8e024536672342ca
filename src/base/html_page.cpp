// SPDX-License-Identifier: Apache-2.0
#include "base/html_page.h"

#include <fmt/format.h>

#include "base/error.h"

namespace belay {
namespace {

std::string EscapeHtml(std::string_view text) {
  std::string result;
  for (const char c : text) {
    switch (c) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      default:
        result += c;
    }
  }
  return result;
}

// JSON inside a script element: a '<' there could end it.
std::string EscapeScript(std::string_view json) {
  std::string result;
  result.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string FillPage(const PageParts& parts, std::string_view title,
                     std::string_view data) {
  std::string page;
  std::string_view rest = parts.html;
  while (true) {
    const size_t open = rest.find("{{");
    page += rest.substr(0, open);
    if (open == std::string_view::npos) return page;
    const size_t close = rest.find("}}", open);
    const std::string_view name = rest.substr(open + 2, close - open - 2);
    if (name == "title") {
      page += EscapeHtml(title);
    } else if (name == "style") {
      page += parts.style;
    } else if (name == "script") {
      page += parts.script;
    } else if (name == "data") {
      page += EscapeScript(data);
    } else {
      throw InternalError(
          fmt::format("[page] the page has a gap named '{}'", name));
    }
    rest = rest.substr(close + 2);
  }
}

}  // namespace belay
