// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_CALLS_H_
#define BELAY_RUNTIME_MATMUL_CALLS_H_

// What the calls of a Matmul object do on the cube core that computes.

#include <functional>

#include "runtime/matmul/product.h"

namespace belay::runtime::matmul {

// The state's job for one of the callers: the vector cores of a block, or the
// core itself, which is caller 0.
class Calls {
 public:
  Calls(Instructions& instructions, abi::MatmulState& state, uint8_t caller);

  // One request. `told` is called behind every result that goes to the
  // workspace without sync.
  uint64_t Do(const abi::MatmulRequest& request,
              const std::function<void()>& told);
  // All flags down, nothing pending.
  void End();

 private:
  bool Iterate(const abi::MatmulRequest& request,
               const std::function<void()>& told);
  void Get(const abi::MatmulRequest& request);
  void IterateAll(const abi::MatmulRequest& request);
  void IterateBatch(const abi::MatmulRequest& request, int32_t loop,
                    const abi::Operand& place);
  void All(Product& product, const Target& target, bool sequential,
           const std::function<void()>& told);
  Target TargetOf(const abi::Operand& place, bool sequential,
                  uint8_t atomic) const;
  void SetHf32(bool on);

  Instructions& instructions_;
  abi::MatmulState& state_;
  uint8_t caller_;
};

// How many results a call without sync tells of at a time: a core can be told
// 15 times before it listens.
int32_t ResultsTold(int32_t results);

// Where result `index` of a call without sync lies in the workspace.
uint64_t PlaceInWorkspace(const abi::MatmulState& state, int32_t index);

// Elements a batch of C takes in the workspace.
int64_t BatchElements(const abi::MatmulState& state, int32_t batches);

}  // namespace belay::runtime::matmul

#endif  // BELAY_RUNTIME_MATMUL_CALLS_H_
