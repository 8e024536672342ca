// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_HEADERS_RECORDER_H_
#define BELAY_TESTS_HEADERS_RECORDER_H_

// Stands in for the library: keeps every record and call the headers make.

#include <cstdint>
#include <string>
#include <vector>

#include "belay/guest_abi.h"

namespace belay::header_test {

struct Recorder {
  std::vector<abi::Instruction> issued;
  std::vector<std::string> calls;  // other calls, with their arguments
  std::string printed;             // format strings given to belay_printf
  uint64_t workspace = 0;
  uint64_t registers[8] = {};  // by abi::Register
  abi::PipeState* pipe = nullptr;
};

Recorder& Recorded();

// Forgets everything recorded so far.
void Forget();

// The only record since Forget(); fails the test when there is not one.
const abi::Instruction& OnlyRecord();

// Calls since Forget(), joined by "; ".
std::string Calls();

}  // namespace belay::header_test

#endif  // BELAY_TESTS_HEADERS_RECORDER_H_
