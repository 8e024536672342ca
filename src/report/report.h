// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_REPORT_REPORT_H_
#define BELAY_REPORT_REPORT_H_

// A run as one web page that opens from disk: summary, curves, tables, every
// kernel with its source, findings and timeline, and the difference to another
// run.

#include <nlohmann/json.hpp>
#include <string>

#include "runs/run_folder.h"

namespace belay::report {

// A run and what to call it.
struct NamedRun {
  std::string name;
  const runs::LoadedRun* run = nullptr;
};

// What the page shows, as src/report/page/data.js reads it. `other.run` may be
// null.
nlohmann::json ReportData(const NamedRun& run, const NamedRun& other);

// The whole page.
std::string MakeReport(const NamedRun& run, const NamedRun& other);

}  // namespace belay::report

#endif  // BELAY_REPORT_REPORT_H_
