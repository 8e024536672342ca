// SPDX-License-Identifier: Apache-2.0
// From a call to the variant it runs.

#include <fmt/format.h>

#include "base/catalogue.h"
#include "crux/ir/refusal.h"
#include "crux/run/runner.h"

namespace belay::crux::run {
namespace {

// Answers fits() by a list, true beyond its end.
class CallOracle : public HostOracle {
 public:
  CallOracle(interpret::HostCall& call, const std::vector<bool>& fits)
      : call_(call), fits_(fits) {}

  bool Decide(const typed::Expr& condition) override {
    return call_.Integer(condition) != 0;
  }
  bool Fits(const typed::Statement& statement) override {
    const size_t number = answers_.size();
    const bool answer = number < fits_.size() ? fits_[number] : true;
    answers_.emplace_back(&statement, answer);
    return answer;
  }
  const std::vector<std::pair<const typed::Statement*, bool>>& answers() const {
    return answers_;
  }

 private:
  interpret::HostCall& call_;
  const std::vector<bool>& fits_;
  std::vector<std::pair<const typed::Statement*, bool>> answers_;
};

Diagnostic WithFile(Diagnostic diagnostic, const std::string& file) {
  if (diagnostic.location.file.empty()) diagnostic.location.file = file;
  return diagnostic;
}

}  // namespace

Prepared Prepare(interpret::HostCall& call, const npu::ChipSpec& chip,
                 const PassDump& dump) {
  std::vector<bool> fits;
  while (true) {
    CallOracle oracle(call, fits);
    // Host lines first: shapes of outputs may need them.
    size_t asked = 0;
    call.Choose([&](const typed::Statement& statement) {
      if (!statement.has_otherwise) return true;
      const size_t number = asked++;
      return number < fits.size() ? fits[number] : true;
    });
    call.CheckShapes();
    Prepared prepared;
    prepared.variant = CompileFor(call.kernel(), call.Dtypes(), oracle, dump);
    prepared.variant.fits = oracle.answers();
    prepared.plan = PlanCall(*prepared.variant.code, call, chip);
    if (prepared.plan.fits) {
      prepared.program = Load(*prepared.variant.code);
      return prepared;
    }
    // The next set of answers: true before false.
    fits.resize(oracle.answers().size(), true);
    while (!fits.empty() && !fits.back()) fits.pop_back();
    if (fits.empty()) {
      ir::Refuse(
          belay::code::kX302, call.kernel().range,
          fmt::format("the smallest pieces of kernel `{}` take {} bytes on "
                      "chip; the {} has {}",
                      call.kernel().name, prepared.plan.ub_bytes, chip.title,
                      prepared.plan.ub_room),
          "work on smaller pieces: `tiles(…, tile=auto)`, or `if fits():` with "
          "an `else`");
    }
    fits.back() = false;
  }
}

RunResult Runner::Run(const typed::Kernel& kernel,
                      const interpret::Arguments& arguments,
                      const std::string& file) {
  RunResult result;
  try {
    interpret::HostCall call(kernel, arguments, file);
    const Prepared prepared = Prepare(call, chip());
    return Launch(prepared, call, arguments, file);
  } catch (const interpret::CallRefused& refused) {
    result.diagnostics = {refused.diagnostic()};
  } catch (const ir::Refusal& refusal) {
    result.diagnostics = {WithFile(refusal.diagnostic(), file)};
  }
  return result;
}

}  // namespace belay::crux::run
