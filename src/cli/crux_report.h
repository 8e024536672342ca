// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLI_CRUX_REPORT_H_
#define BELAY_CLI_CRUX_REPORT_H_

// What `belay crux run` makes of the tensors a kernel computed: files,
// comparisons, and lines or JSON that say so.

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "crux/interpret/interpret.h"
#include "guest/operator_compare.h"
#include "guest/operator_request.h"

namespace belay::cli {

// One tensor that was computed, and what became of it.
struct CruxReport {
  const crux::interpret::OutputTensor* output = nullptr;
  std::string file;
  std::string bounds_file;
  std::string expected;
  guest::Tolerance tolerance;
  guest::Comparison comparison;
  double largest_bound = 0;

  bool as_expected() const { return expected.empty() || comparison.equal(); }
};

struct CruxTolerance {
  std::optional<double> rtol;
  std::optional<double> atol;
};

// Writes and compares the tensor as the requests say. Throws UserError.
CruxReport DeliverOutput(const crux::interpret::OutputTensor& output,
                         const std::vector<guest::OutputRequest>& requests,
                         const std::vector<guest::OutputRequest>& bounds,
                         const CruxTolerance& tolerance);

// The finding (BLY-H114) of a tensor that is not as expected.
Diagnostic DifferenceOf(const CruxReport& report);

// `bounds`: whether error bounds were carried.
std::string ToText(const CruxReport& report, bool bounds);
nlohmann::json ToJson(const CruxReport& report, bool bounds);

}  // namespace belay::cli

#endif  // BELAY_CLI_CRUX_REPORT_H_
