// SPDX-License-Identifier: Apache-2.0
// From a call to the variant it runs.

#include <fmt/format.h>

#include "base/catalogue.h"
#include "crux/ir/refusal.h"
#include "crux/print/settle_parameters.h"
#include "crux/run/runner.h"

namespace belay::crux::run {
namespace {

// Answers fits() by a list, true beyond its end.
class CallOracle : public HostOracle {
 public:
  CallOracle(interpret::HostCall& call, const std::vector<bool>& fits)
      : call_(call), fits_(fits) {}

  bool Decide(const typed::Expr& condition) override {
    conditions_.emplace_back(&condition, call_.Integer(condition) != 0);
    return conditions_.back().second;
  }
  bool Fits(const typed::Statement& statement) override {
    answers_.emplace_back(&statement, AnswerOf(fits_, answers_.size()));
    return answers_.back().second;
  }
  // Where it holds, unless the plan does not fit.
  bool Prefer(const typed::Expr* condition) override {
    if (condition != nullptr && !Decide(*condition)) return false;
    answers_.emplace_back(nullptr, AnswerOf(fits_, answers_.size()));
    return answers_.back().second;
  }
  static bool AnswerOf(const std::vector<bool>& fits, size_t number) {
    return number < fits.size() ? fits[number] : true;
  }
  // Hands over what was asked, with the answers.
  void Tell(CompiledVariant& variant) {
    variant.conditions = std::move(conditions_);
    variant.fits = std::move(answers_);
  }

 private:
  interpret::HostCall& call_;
  const std::vector<bool>& fits_;
  std::vector<std::pair<const typed::Expr*, bool>> conditions_;
  std::vector<std::pair<const typed::Statement*, bool>> answers_;
};

CompiledVariant CompileVariant(interpret::HostCall& call,
                               const std::vector<bool>& fits,
                               const PassDump& dump) {
  CallOracle oracle(call, fits);
  CompiledVariant variant =
      CompileFor(call.kernel(), call.Dtypes(), oracle, dump);
  oracle.Tell(variant);
  return variant;
}

// Whether the variant is the one for these answers of the call.
bool IsFor(const CompiledVariant& variant, interpret::HostCall& call,
           const std::vector<bool>& fits) {
  if (variant.dtypes != call.Dtypes()) return false;
  for (size_t i = 0; i < variant.fits.size(); ++i) {
    if (variant.fits[i].second != CallOracle::AnswerOf(fits, i)) return false;
  }
  // In the order they were asked: a later one may need those before it.
  for (const auto& [condition, answer] : variant.conditions) {
    if ((call.Integer(*condition) != 0) != answer) return false;
  }
  return true;
}

[[noreturn]] void RefuseForRoom(const interpret::HostCall& call,
                                const CallPlan& plan,
                                const npu::ChipSpec& chip) {
  ir::Refuse(
      belay::code::kX302, call.kernel().range,
      fmt::format("the smallest pieces of kernel `{}` take {} bytes on "
                  "chip; the {} has {}",
                  call.kernel().name, plan.ub_bytes, chip.title, plan.ub_room),
      "work on smaller pieces: `tiles(…, tile=auto)`, or `if fits():` with "
      "an `else`");
}

// The next set of answers: true before false. False when there is none.
bool Advance(std::vector<bool>& fits, size_t asked) {
  fits.resize(asked, true);
  while (!fits.empty() && !fits.back()) fits.pop_back();
  if (fits.empty()) return false;
  fits.back() = false;
  return true;
}

// `compile` gives the variant for a call and its answers, without a plan.
template <typename F>
Prepared PrepareWith(interpret::HostCall& call, const npu::ChipSpec& chip,
                     F compile) {
  std::vector<bool> fits;
  while (true) {
    // Host lines first: shapes of outputs may need them.
    size_t asked = 0;
    call.Choose([&](const typed::Statement& statement) {
      return !statement.has_otherwise || CallOracle::AnswerOf(fits, asked++);
    });
    call.CheckShapes();
    Prepared prepared = compile(fits);
    prepared.plan = PlanCall(*prepared.variant.code, call, chip);
    if (prepared.plan.fits) return prepared;
    if (!Advance(fits, prepared.variant.fits.size())) {
      RefuseForRoom(call, prepared.plan, chip);
    }
  }
}

// Functions have the parameters that they are printed with.
std::shared_ptr<const Program> LoadAsPrinted(
    const std::shared_ptr<const code::Kernel>& code) {
  return std::make_shared<const Program>(
      Load(*print::SettledKernels({code}).Make(0)));
}

Diagnostic WithFile(Diagnostic diagnostic, const std::string& file) {
  if (diagnostic.location.file.empty()) diagnostic.location.file = file;
  return diagnostic;
}

}  // namespace

Prepared Prepare(interpret::HostCall& call, const npu::ChipSpec& chip,
                 const PassDump& dump) {
  Prepared prepared =
      PrepareWith(call, chip, [&](const std::vector<bool>& fits) {
        Prepared compiled;
        compiled.variant = CompileVariant(call, fits, dump);
        compiled.variant.conditions.clear();
        return compiled;
      });
  prepared.program = LoadAsPrinted(prepared.variant.code);
  return prepared;
}

Prepared VariantCache::Prepare(interpret::HostCall& call,
                               const npu::ChipSpec& chip) {
  return PrepareWith(call, chip, [&](const std::vector<bool>& fits) {
    for (const Prepared& known : variants_) {
      if (IsFor(known.variant, call, fits)) return known;
    }
    Prepared compiled;
    compiled.variant = CompileVariant(call, fits, {});
    compiled.program = LoadAsPrinted(compiled.variant.code);
    return variants_.emplace_back(std::move(compiled));
  });
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
