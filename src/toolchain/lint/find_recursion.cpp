// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/catalogue.h"
#include "toolchain/lint/rules.h"

namespace belay::toolchain {
namespace {

enum class State { kNew, kOpen, kDone };

// A frame of the depth-first search: which of its calls comes next.
struct Frame {
  size_t function;
  size_t next_call = 0;
};

void Report(const std::vector<KernelFunction>& functions, size_t caller,
            const KernelFunction::Call& call, Findings& findings) {
  const std::string name =
      functions[call.callee].declaration->getNameAsString();
  findings.Add(
      code::kL105, call.place, functions[caller].declaration,
      fmt::format("'{}' calls itself{}, but a core's stack is small "
                  "and of fixed size",
                  name, caller == call.callee ? "" : " by way of others"),
      "write a loop, or a template whose depth the compiler knows");
}

}  // namespace

void FindRecursion(const std::vector<KernelFunction>& functions,
                   Findings& findings) {
  std::vector<State> states(functions.size(), State::kNew);
  for (size_t start = 0; start < functions.size(); ++start) {
    if (states[start] != State::kNew) continue;
    std::vector<Frame> open = {{start}};
    states[start] = State::kOpen;
    while (!open.empty()) {
      Frame& frame = open.back();
      const KernelFunction& function = functions[frame.function];
      if (frame.next_call == function.calls.size()) {
        states[frame.function] = State::kDone;
        open.pop_back();
        continue;
      }
      const KernelFunction::Call& call = function.calls[frame.next_call++];
      if (states[call.callee] == State::kOpen) {
        Report(functions, frame.function, call, findings);
      } else if (states[call.callee] == State::kNew) {
        states[call.callee] = State::kOpen;
        open.push_back({call.callee});
      }
    }
  }
}

}  // namespace belay::toolchain
