// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_CRUX_CALL_H_
#define BELAY_JUDGE_CRUX_CALL_H_

// One call of a task's operator as a Crux kernel is to serve it, and how it
// travels to the process that does.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/case.h"
#include "bench/inputs.h"

namespace belay::judge {

struct CruxCall {
  struct Attribute {
    std::string name;
    bench::AttributeType type = bench::AttributeType::kInt;
    bench::Value value;
    DType scalar = DType::kNone;  // of a host scalar
  };
  struct Output {
    std::string name;
    std::string in_place;  // the input it overwrites, or empty
    bool list = false;
    bool present = true;
    DType dtype = DType::kNone;
  };

  bench::Arguments inputs;  // in the order of the signature
  std::vector<std::string> host_read;
  std::vector<Attribute> attributes;
  std::vector<Output> outputs;
};

CruxCall MakeCruxCall(const bench::Task& task, const bench::Case& one_case,
                      bench::Arguments inputs);

// The inputs of a case without elements.
bench::Arguments ShapesOf(const bench::Task& task, const bench::Case& one_case);

// Elements of inputs are appended to `bytes`.
nlohmann::json PackCall(const CruxCall& call, std::vector<std::byte>& bytes);
// Throws MessageError.
CruxCall UnpackCall(const nlohmann::json& json,
                    const std::vector<std::byte>& bytes);

}  // namespace belay::judge

#endif  // BELAY_JUDGE_CRUX_CALL_H_
