// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_INTERPRET_HOST_CALL_H_
#define BELAY_CRUX_INTERPRET_HOST_CALL_H_

// The host's side of a call: arguments bound to parameters by the rules of the
// interpreter, and host expressions worked out, without looking at elements of
// tensors. Arrays may come without data, save those of value parameters.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "crux/interpret/interpret.h"
#include "crux/typed.h"

namespace belay::crux::interpret {

class Fault;
class Machine;

// The call is refused, or a host line cannot be worked out.
class CallRefused : public std::exception {
 public:
  explicit CallRefused(Diagnostic diagnostic)
      : diagnostic_(std::move(diagnostic)) {}
  const Diagnostic& diagnostic() const { return diagnostic_; }
  const char* what() const noexcept override {
    return diagnostic_.message.c_str();
  }

 private:
  Diagnostic diagnostic_;
};

// All of its functions throw CallRefused.
class HostCall {
 public:
  // Kernel and arguments must outlive it. `file` is what diagnostics call the
  // program's file.
  HostCall(const typed::Kernel& kernel, const Arguments& arguments,
           std::string file);
  ~HostCall();
  HostCall(const HostCall&) = delete;
  HostCall& operator=(const HostCall&) = delete;

  const typed::Kernel& kernel() const { return kernel_; }

  // In the order of typed::Kernel::dtypes.
  std::vector<DType> Dtypes() const;

  // A host `if` that was met, and whether its body is run.
  struct Choice {
    const typed::Statement* statement = nullptr;
    bool taken = false;
  };
  // Runs the host lines from top to bottom, loops over lists for each of their
  // tensors and others once: assignments of host values and tensor names,
  // assertions, conditions. `fits` answers fits(), each once.
  std::vector<Choice> Choose(
      const std::function<bool(const typed::Statement&)>& fits);

  // Host expressions, with the values variables have by now. A bool is 0 or 1.
  int64_t Integer(const typed::Expr& expr);
  double Real(const typed::Expr& expr);
  // For each element of the list an `each` loop runs over.
  std::vector<int64_t> PerItem(const typed::Loop& loop,
                               const typed::Expr& expr);
  // The elements of a list(int) attribute or of a value parameter.
  std::vector<int64_t> List(const typed::Expr& expr);
  // From here on the variable has this value.
  void Assign(const typed::Variable& variable, const typed::Expr& expr);
  // Refuses the call (BLY-X192) unless the condition holds.
  void Require(const typed::Expr& condition, const std::string& message);
  // Likewise, with this code, where what stands at the condition's place has no
  // meaning else.
  void RequireMeaning(const typed::Expr& condition, const char* code,
                      const std::string& message);
  // Of a size that a shape binds.
  int64_t Size(const std::string& name);

  bool IsGiven(const typed::Parameter& parameter);
  // Of a tensor parameter that is given: 1, or the length of its list.
  size_t Count(const typed::Parameter& parameter);
  Shape ShapeOf(const typed::Parameter& parameter, size_t element);
  DType DtypeOf(const typed::Parameter& parameter);
  // Checks the shapes of all inputs, also of those no host line asks for.
  void CheckShapes();

 private:
  template <typename F>
  auto Guarded(F action);
  void Walk(const typed::Block& block,
            const std::function<bool(const typed::Statement&)>& fits,
            std::vector<Choice>& choices);
  void WalkLoop(const typed::Loop& loop,
                const std::function<bool(const typed::Statement&)>& fits,
                std::vector<Choice>& choices);

  const typed::Kernel& kernel_;
  Options options_;
  std::unique_ptr<Machine> machine_;
};

}  // namespace belay::crux::interpret

#endif  // BELAY_CRUX_INTERPRET_HOST_CALL_H_
