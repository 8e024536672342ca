// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_JUDGE_JUDGING_H_
#define BELAY_TESTS_JUDGE_JUDGING_H_

// One judge for all tests of a process, and the tasks Belay ships.

#include <string>

#include "bench/suite.h"
#include "guest/broker.h"
#include "judge/judge.h"

namespace belay::testing {

// Started at the first call, before anything else of the process needs threads.
guest::Broker& TheBroker();
judge::Judge& TheJudge();

const bench::Suite& ShippedTasks();
const bench::Task& TaskOf(const std::string& name);

// Up to the values, on cases of up to 2^16 elements, with fixed seeds.
judge::JudgeOptions QuickOptions();

// The text of a task's answer. Throws UserError where it has none.
std::string AnswerOf(const bench::Task& task);

judge::Candidate CruxCandidate(std::string text, std::string kernel = {});
judge::Candidate KernelCandidate(std::string text);

// What a failing test says about a verdict.
std::string Describe(const judge::Verdict& verdict);

}  // namespace belay::testing

#endif  // BELAY_TESTS_JUDGE_JUDGING_H_
