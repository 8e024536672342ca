// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BASE_HTML_PAGE_H_
#define BELAY_BASE_HTML_PAGE_H_

// Self-contained web pages: parts that were put into the program when it was
// built, and data.

#include <string>
#include <string_view>

namespace belay {

// What cmake/EmbedPage.cmake makes of a page's folder.
struct PageParts {
  std::string_view
      html;  // with the gaps {{title}} {{style}} {{script}} {{data}}
  std::string_view style;
  std::string_view script;
};

// The page with everything in place. `data` is JSON text; no value in it can
// end the element it stands in.
std::string FillPage(const PageParts& parts, std::string_view title,
                     std::string_view data);

}  // namespace belay

#endif  // BELAY_BASE_HTML_PAGE_H_
