// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_CASE_H_
#define BELAY_BENCH_CASE_H_

// One case of a task: what is fixed before any number is drawn.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/shape.h"
#include "bench/task.h"

namespace belay::bench {

struct Case {
  std::string name;  // "edge-3": its kind and its place among them
  CaseKind kind = CaseKind::kEdge;
  std::string note;
  std::map<std::string, DType> types;
  Value sizes = Value::object();
  Value attributes = Value::object();  // every attribute, defaults filled in
  Regime regime = Regime::kNormal;
  std::vector<std::string> absent;
  std::map<std::string, Values> values;  // by input, instead of its own
  bool lint = true;
  uint64_t seed = 0;  // by task, place and the group's seed
  int line = 0;
};

// All cases of a task in the order of its file, edge and real numbered apart.
// Throws TaskError for a size or attribute that is missing or unknown, and for
// shapes that cannot be.
std::vector<Case> ExpandCases(const Task& task);

// Sizes, attributes and type names (as strings) under their names.
Environment EnvironmentOf(const Case& one_case);

// The dtype a signature's word means in this case.
DType DTypeOf(const std::string& word, const Case& one_case);

// Shapes of a tensor: one, or any number for a list; none if it is absent.
std::vector<Shape> InputShapes(const InputSpec& input, const Case& one_case);
// Empty optional: known only from the data.
std::optional<std::vector<Shape>> OutputShapes(const OutputSpec& output,
                                               const Case& one_case);
bool IsPresent(const InputSpec& input, const Case& one_case);
bool IsPresent(const OutputSpec& output, const Case& one_case);

// What the input holds in this case.
const Values& ValuesOf(const InputSpec& input, const Case& one_case);

// Elements of all inputs together and of the outputs whose shapes are known.
int64_t ElementsOf(const Task& task, const Case& one_case);

// "f16 S=[48,128] alpha=1.2 wide, without bias": what makes the case.
std::string Describe(const Task& task, const Case& one_case);

}  // namespace belay::bench

#endif  // BELAY_BENCH_CASE_H_
