// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TRACE_PAGE_H_
#define BELAY_TRACE_PAGE_H_

// The timeline page without data; its parts lie in src/trace/timeline and are
// put into the program when it is built.

#include <string>
#include <string_view>

namespace belay::trace {

// The page with `title` and `data` in place. `data` is JSON text.
std::string MakePage(std::string_view title, std::string_view data);

}  // namespace belay::trace

#endif  // BELAY_TRACE_PAGE_H_
