// SPDX-License-Identifier: Apache-2.0
#include "report/report.h"

#include "base/html_page.h"
#include "report/page_parts.h"

namespace belay::report {

std::string MakeReport(const NamedRun& run, const NamedRun& other) {
  const nlohmann::json data = ReportData(run, other);
  return FillPage(
      {kPageHtml, kPageStyle, kPageScript}, "Belay: " + run.name,
      data.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace belay::report
