// SPDX-License-Identifier: Apache-2.0
#include "trace/page.h"

#include "base/html_page.h"
#include "trace/page_parts.h"

namespace belay::trace {

std::string MakePage(std::string_view title, std::string_view data) {
  return FillPage({kPageHtml, kPageStyle, kPageScript}, title, data);
}

}  // namespace belay::trace
