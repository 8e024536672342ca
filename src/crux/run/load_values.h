// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_LOAD_VALUES_H_
#define BELAY_CRUX_RUN_LOAD_VALUES_H_

// Integers, numbers and tensors of a kernel's code to nodes and slots.

#include <map>
#include <string>

#include "crux/run/compiled_work.h"
#include "crux/run/program.h"

namespace belay::crux::run {

class ValueLoader {
 public:
  // All must outlive it. Host values and the kernel's members are known from
  // the start.
  ValueLoader(const code::Kernel& kernel, const CompiledWork& work,
              Program& program);

  // Names declared from here on belong to the next function.
  void EnterFunction();
  // A name declared again keeps its slot.
  int32_t DeclareValue(const std::string& name);
  int32_t DeclareLocal(const std::string& name, DType dtype);

  // Throw InternalError for a name that is not there.
  int32_t SlotOf(const std::string& name) const;
  int32_t LocalOf(const std::string& name) const;

  IntRef Load(const ir::Int& value);
  IntRef LoadCondition(const code::Stmt& branch);
  ScalarRef Load(const code::Scalar& scalar);
  TensorRef Load(const code::Local& local);
  TensorRef Load(const code::GlobalPart& global);

 private:
  struct LocalSlot {
    int32_t slot = 0;
    DType dtype = DType::kNone;
  };

  const code::Kernel& kernel_;
  const CompiledWork& work_;
  const code::Stmt* branch_ = nullptr;  // whose condition is loaded
  Program& program_;
  std::map<std::string, int32_t, std::less<>> members_;  // host values
  std::map<std::string, int32_t, std::less<>> arrays_;
  std::map<std::string, int32_t, std::less<>> values_;  // of the function
  std::map<std::string, LocalSlot, std::less<>> locals_;
  std::map<int64_t, IntRef> constants_;
};

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_LOAD_VALUES_H_
