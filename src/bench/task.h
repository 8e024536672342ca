// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_TASK_H_
#define BELAY_BENCH_TASK_H_

// A task of the benchmark as its files declare it: signature, specification,
// groups of cases and the text of its reference. docs/tasks.md explains the
// format.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "bench/expression.h"

namespace belay::bench {

// What the elements of an input may be. Kinds that "follow the regime" take
// its magnitudes, special values and ties; the others ignore it.
enum class ValueKind {
  kReal,         // anything; follows the regime (the default)
  kPositive,     // > 0; follows the regime
  kNonNegative,  // >= 0; follows the regime
  kNonZero,      // any sign, never 0; follows the regime
  kUnit,         // in [-1, 1]; follows the regime
  kFraction,     // in [0, 1); follows the regime
  kProbability,  // rows of the last axis are positive and sum to 1
  kUniform,      // in [low, high), integers for integer dtypes
  kIndex,        // integers in [low, high), low is 0 unless given
  kPermutation,  // of 0 … n-1 along the last axis
  kSorted,       // in [low, high], not falling along the last axis
  kPartition,    // integers >= 0 of the last axis that sum to `total`
  kMask,         // 1 with `probability`, else 0
  kGiven,        // the numbers of the expression `of`
  kCopy,         // equal to input `of` with `probability`, else as kReal
};

struct Values {
  ValueKind kind = ValueKind::kReal;
  Expression low;
  Expression high;
  Expression total;
  Expression of;
  std::string copy_of;
  double probability = 0.5;
  bool cumulative = false;  // partition: running sums instead of parts
  bool special = true;      // regime "special" puts NaN, Inf, … here
  double wide = 0;          // regime "wide": exponents in ±wide; 0: by dtype
  double magnitude = 1;     // every drawn real is multiplied by this
};

struct InputSpec {
  std::string name;
  std::string description;
  std::string dtype;  // a dtype, or a name of Task::types
  bool list = false;
  bool optional = false;
  bool host_read = false;  // host tiling may read the values
  Expression shape;        // a list of sizes, or of such lists if `list`
  Values values;
  int line = 0;
};

enum class Precision {
  kUlp,        // the rule of docs/tasks.md, by ulp and mean and largest error
  kExact,      // equal bits but for the kind of NaN
  kQuantised,  // integers, at most one step off
  kChecked,    // judged by check() of the reference alone
};

struct OutputSpec {
  std::string name;
  std::string description;
  std::string dtype;
  bool list = false;
  Expression shape;      // empty: known from the data only
  std::string in_place;  // the input whose memory it overwrites, or empty
  Expression when;       // empty: always there
  Precision precision = Precision::kUlp;
  bool scale = false;  // errors are measured against the scale S
  int line = 0;
};

enum class AttributeType { kInt, kFloat, kBool, kString, kIntList, kFloatList };

struct AttributeSpec {
  std::string name;
  std::string description;
  AttributeType type = AttributeType::kFloat;
  Value fallback;      // null: every case must give it
  Expression value;    // not empty: computed, never given by a case
  std::string scalar;  // dtype or type name of a host scalar input; reals are
                       // rounded to it before the reference sees them
  int line = 0;
};

// Edge cases probe the corners and are small; real ones are shapes in use.
enum class CaseKind { kEdge, kReal };

enum class Regime { kNormal, kWide, kSmall, kCancellation, kSpecial, kTies };

// Cases written together: one list per axis, combined by `product`.
struct CaseGroup {
  CaseKind kind = CaseKind::kEdge;
  std::string note;
  std::vector<Value> sizes;                         // objects: name -> size(s)
  std::vector<Value> attributes;                    // objects: name -> value
  std::vector<std::map<std::string, DType>> types;  // type name -> dtype
  std::vector<Regime> regimes;
  std::vector<std::vector<std::string>> absent;  // optional inputs left out
  std::map<std::string, Values> values;          // by input, instead of its own
  bool product = false;  // every combination, not one pass over each list
  bool lint = true;
  uint64_t seed = 1;
  int line = 0;
};

// A shortcut that is right for this task, with the reason.
struct Waiver {
  std::string shortcut;
  std::string reason;
  int line = 0;
};

struct Task {
  std::string id;    // "level1/Math/AbsMath": its place below tasks/
  std::string name;  // "AbsMath"
  int level = 0;
  std::string category;  // "Math", or "" below a suite without categories
  std::string source;    // whose operator this is: "NPUKernelBench", …
  std::string summary;   // one sentence
  std::string formula;   // one line for tables
  std::string specification;
  std::vector<std::string> tags;

  // Columns of dtypes: each gives every type name its dtype.
  std::vector<std::map<std::string, DType>> types;
  std::vector<InputSpec> inputs;
  std::vector<OutputSpec> outputs;
  std::vector<AttributeSpec> attributes;
  std::vector<CaseGroup> groups;
  std::vector<Waiver> waivers;

  std::filesystem::path file;            // task.toml, or the family's
  std::filesystem::path reference_file;  // reference.py, or the family's
  std::filesystem::path answer_file;     // a Crux program that solves it, or ""
  std::string answer_kernel;             // of that file; "": its only one
  std::string text;       // of task.toml after expansion, without
                          // its answer
  std::string reference;  // text after expansion
  std::string hash;       // 32 hex digits over both texts
};

// Null if there is none.
const InputSpec* FindInput(const Task& task, std::string_view name);
const OutputSpec* FindOutput(const Task& task, std::string_view name);
const AttributeSpec* FindAttribute(const Task& task, std::string_view name);

using belay::NameOf;
std::string_view NameOf(CaseKind kind);
std::string_view NameOf(Regime regime);
std::string_view NameOf(Precision precision);
std::string_view NameOf(AttributeType type);
std::string_view NameOf(ValueKind kind);

}  // namespace belay::bench

#endif  // BELAY_BENCH_TASK_H_
