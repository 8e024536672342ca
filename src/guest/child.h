// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_CHILD_H_
#define BELAY_GUEST_CHILD_H_

// Work done in a child process, so that nothing it does can hurt the parent.

#include <functional>
#include <string>
#include <vector>

namespace belay::guest {

// Sends one line to the parent; the text must hold no newline.
using SendLine = std::function<void(const std::string& line)>;

struct ChildResult {
  std::vector<std::string> lines;  // in the order they were sent
  int exit_code = 0;               // meaningful when signal is 0
  int signal = 0;                  // that ended it
  bool out_of_time = false;        // ended for a limit of ChildRules
  std::string error;               // of the exception that ended its work
};

// Exit codes of a child whose work threw: for want of memory, or anything else.
inline constexpr int kChildBroke = 70;
inline constexpr int kChildOutOfMemory = 71;

// For all children that this process starts.
struct ChildRules {
  double cpu_seconds = 0;   // of processor time, rounded up; 0: any
  double wall_seconds = 0;  // 0: any
  // Called first in each child, and where code of the guest comes next.
  std::function<void()> prepare = {};
  std::function<void()> before_guest = {};
};
void SetChildRules(ChildRules rules);

// In a child: what loads or runs code of a guest calls this before.
void BeforeGuestCode();

// Runs work(send) in a forked child whose exit code is what it returns, and
// waits for its end. The child dies with the parent. Call without threads. A
// child that sends more than 64 MiB is killed.
ChildResult RunInChild(const std::function<int(const SendLine& send)>& work);

// In a child: from here on nothing it prints is seen.
void DiscardOutput();

// "SIGSEGV (segmentation fault)".
std::string DescribeSignal(int signal);

}  // namespace belay::guest

#endif  // BELAY_GUEST_CHILD_H_
