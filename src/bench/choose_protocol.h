// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_CHOOSE_PROTOCOL_H_
#define BELAY_BENCH_CHOOSE_PROTOCOL_H_

// Which rule judges a case, by the name a user gives: Belay's own, or that of
// another benchmark with the thresholds it has for the operator.

#include <optional>
#include <string>

#include "bench/protocols.h"

namespace belay::bench {

struct ChosenProtocol {
  std::string name;                  // "belay", "npukernelbench:twofold", …
  std::optional<Protocol> protocol;  // none: Belay's own rule
  ProtocolSettings settings;
};

// `name` is "belay", a name of ParseProtocol, or "npukernelbench" for the rule
// of data/protocols/npukernelbench.toml. A rule named in full takes thresholds
// from there if it is the operator's own, else the usual ones. Throws UserError
// for other names.
ChosenProtocol ChooseProtocol(const std::string& name, const Task& task,
                              const Case& one_case);

Verdict JudgeBy(const ChosenProtocol& protocol, const Truth& truth,
                const Arguments& candidate, ReferenceRunner& runner);

}  // namespace belay::bench

#endif  // BELAY_BENCH_CHOOSE_PROTOCOL_H_
