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
};

// Runs work(send) in a forked child whose exit code is what it returns, and
// waits for its end. The child dies with the parent. Call without threads.
ChildResult RunInChild(const std::function<int(const SendLine& send)>& work);

// In a child: from here on nothing it prints is seen.
void DiscardOutput();

// "SIGSEGV (segmentation fault)".
std::string DescribeSignal(int signal);

}  // namespace belay::guest

#endif  // BELAY_GUEST_CHILD_H_
