// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CLI_EXPECTATION_H_
#define BELAY_TESTS_CLI_EXPECTATION_H_

// What a program under test says in comments that Belay must tell of it:
//   // expect: CODE REGEX     a finding's code and (part of) its message
//   // also: CODE reason      what follows from the fault and is told as well
//   // flags: …               further flags for the command
//   // covers: WORD…          what of the device the program is about
//   … // <-- here             the line the finding must name
//   … // <-- other            the line of the other access
//   … // <-- both             either of the two, as blocks run in any order;
//                             on one line only: both accesses are made there

#include <set>
#include <string>
#include <vector>

namespace belay::testing {

struct Expectation {
  std::string code;     // empty: the program expects nothing
  std::string message;  // regular expression
  std::string flags;
  std::vector<std::string> also;  // codes
  std::vector<std::string> covers;
  // Lines, empty where they are not to be checked. Those marked `both` are in
  // all three.
  std::set<int> here;
  std::set<int> other;
  std::set<int> both;
};

Expectation ReadExpectation(const std::string& path);

// The .asc files of a folder of the source tree, relative to its root, sorted.
std::vector<std::string> ProgramsIn(const std::string& folder);

}  // namespace belay::testing

#endif  // BELAY_TESTS_CLI_EXPECTATION_H_
