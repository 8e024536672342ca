// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_PROTOCOL_H_
#define BELAY_JUDGE_PROTOCOL_H_

// How a benchmark judges: ours, or as others do it, so that their published
// figures can be set beside ours. docs/rules.md has the table.

#include <string>
#include <string_view>
#include <vector>

namespace belay::judge {

struct JudgeProtocol {
  std::string name;
  bool edge_cases = true;      // else real ones alone
  bool secret_seed = true;     // every case a second time
  bool checkers_count = true;  // an error of a checker is a failure
  bool kernel_only = false;    // op_host is the task's own
  bool static_shapes = false;  // a problem is one case
  int samples = 1;             // that its figures are about
  std::string precision;       // a name of bench::ChooseProtocol
};

// "belay", "npukernelbench", "multikernelbench". Throws UserError for others.
const JudgeProtocol& FindProtocol(std::string_view name);
const std::vector<JudgeProtocol>& AllProtocols();

}  // namespace belay::judge

#endif  // BELAY_JUDGE_PROTOCOL_H_
