// SPDX-License-Identifier: Apache-2.0
#include "bench/choose_protocol.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/resources.h"
#include "bench/toml_reader.h"

namespace belay::bench {
namespace {

constexpr std::string_view kNpuKernelBench = "npukernelbench";

// The settings of one [[rule]] for a case.
ChosenProtocol ReadRule(const TomlReader& rule, const Case& one_case) {
  rule.RequireKeys({"protocol", "tasks", "threshold", "f16", "bf16", "f32",
                    "finite", "depth", "integer_tolerance"});
  ChosenProtocol chosen;
  chosen.name = fmt::format("{}:{}", kNpuKernelBench, rule.String("protocol"));
  chosen.protocol = ParseProtocol(chosen.name);
  if (!chosen.protocol) {
    rule.Fail(code::kK105,
              fmt::format("there is no protocol '{}'", chosen.name));
  }
  ProtocolSettings& settings = chosen.settings;
  settings.threshold = rule.Real("threshold", settings.threshold);
  for (const DType dtype : {DType::kHalf, DType::kBfloat16, DType::kFloat}) {
    const std::string key(NameOf(dtype));
    if (rule.Find(key) != nullptr) {
      settings.by_dtype[dtype] = rule.Real(key, 0);
    }
  }
  settings.finite = rule.Bool("finite", settings.finite);
  settings.integer_tolerance =
      rule.Real("integer_tolerance", settings.integer_tolerance);
  if (const Expression depth = rule.ReadExpression("depth"); !depth.empty()) {
    settings.depth = depth.Evaluate(EnvironmentOf(one_case)).get<int64_t>();
  }
  return chosen;
}

// The rule NPUKernelBench has for the operator; its usual one where the table
// names none.
ChosenProtocol NpuKernelBenchRule(const Task& task, const Case& one_case) {
  const std::filesystem::path file =
      Resource("data/protocols") / "npukernelbench.toml";
  const toml::table table = ParseToml(ReadText(file), file);
  const TomlReader reader(table, file, "the table of rules");
  reader.RequireKeys({"rule"});
  for (const TomlReader& rule : reader.Tables("rule")) {
    const std::vector<std::string> tasks = rule.Strings("tasks");
    if (std::find(tasks.begin(), tasks.end(), task.name) != tasks.end()) {
      return ReadRule(rule, one_case);
    }
  }
  return {
      std::string(NameOf(Protocol::kNpuTwofold)), Protocol::kNpuTwofold, {}};
}

}  // namespace

ChosenProtocol ChooseProtocol(const std::string& name, const Task& task,
                              const Case& one_case) {
  if (name == "belay") return {name, std::nullopt, {}};
  const std::optional<Protocol> protocol = ParseProtocol(name);
  if (!protocol && name != kNpuKernelBench) {
    throw UserError(fmt::format(
        "[compare] there is no protocol '{}': known are belay, npukernelbench "
        "(the rule it has for the operator), npukernelbench:twofold, "
        "npukernelbench:relative, npukernelbench:matmul, "
        "npukernelbench:quantised, multikernelbench",
        name));
  }
  if (name.starts_with(kNpuKernelBench)) {
    ChosenProtocol own = NpuKernelBenchRule(task, one_case);
    if (!protocol || own.protocol == protocol) return own;
  }
  return {name, protocol, {}};
}

Verdict JudgeBy(const ChosenProtocol& protocol, const Truth& truth,
                const Arguments& candidate, ReferenceRunner& runner) {
  return protocol.protocol
             ? JudgeBy(*protocol.protocol, protocol.settings, truth, candidate)
             : Judge(truth, candidate, runner);
}

}  // namespace belay::bench
