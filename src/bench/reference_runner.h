// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_REFERENCE_RUNNER_H_
#define BELAY_BENCH_REFERENCE_RUNNER_H_

// Runs the functions of a task's reference.py, TorchScript, through libtorch.
//
// libtorch is loaded on the first use, which takes about a second; programs
// that never come here do not pay for it. One thread per process computes, so
// that two runs give the same bits.

#include <memory>
#include <string>
#include <vector>

#include "bench/eager_operator.h"
#include "bench/inputs.h"

namespace belay::bench {

class ReferenceRunner {
 public:
  virtual ~ReferenceRunner() = default;

  // prepare(), scale() and check() are optional.
  virtual bool Has(const std::string& function) const = 0;

  // The inputs a kernel gets: DrawInputs, then prepare() where the reference
  // has it, rounded to the declared dtypes.
  virtual Arguments Inputs(const Case& one_case) = 0;

  // What reference() says for these inputs: f64 for real outputs, f64 with a
  // last axis of 2 for complex ones, i64 for integers (as the function left
  // them, not yet wrapped to the declared dtype), bool. Absent outputs are not
  // present. Shapes and count are checked against the signature (BLY-K115).
  virtual Arguments Reference(const Case& one_case,
                              const Arguments& inputs) = 0;

  // The same through eager(), in f32 where reference() has f64; the outputs
  // are rounded to their declared dtypes.
  virtual Arguments Eager(const Case& one_case, const Arguments& inputs) = 0;

  // The operators eager() is made of, in the order they ran, without views and
  // allocations. Operators that ATen builds from others count as those.
  virtual std::vector<EagerOperator> EagerOperators(
      const Case& one_case, const Arguments& inputs) = 0;

  // The scale S of each output with `scale = true`, f64, in its shape: scale()
  // if the reference has it, otherwise reference() on absolute inputs. Other
  // outputs are not present.
  virtual Arguments Scale(const Case& one_case, const Arguments& inputs) = 0;

  // What check() says about a candidate's outputs: "" if they are right.
  // Throws TaskError if the reference has no check().
  virtual std::string Check(const Case& one_case, const Arguments& inputs,
                            const Arguments& outputs) = 0;

  // reference() as a kernel computes it that keeps every intermediate value
  // and every accumulator in `type` (f16, bf16 or f32) and sums one term after
  // the other; outputs in their declared dtypes.
  // *terms becomes the largest number of terms one accumulator took.
  virtual Arguments Narrow(const Case& one_case, const Arguments& inputs,
                           DType type, int64_t* terms) = 0;
};

// Compiles the reference of a task. The task must outlive the runner. Throws
// TaskError with the line in reference.py where it does not compile, or where
// a function does not fit the signature.
std::unique_ptr<ReferenceRunner> MakeReferenceRunner(const Task& task);

// Rounds golden values to the declared dtypes: to nearest even for reals,
// overflow to infinity, integers wrapped. What a perfect kernel would write.
Arguments RoundToDeclared(const Task& task, const Case& one_case,
                          const Arguments& golden);

}  // namespace belay::bench

#endif  // BELAY_BENCH_REFERENCE_RUNNER_H_
