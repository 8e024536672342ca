// SPDX-License-Identifier: Apache-2.0
#include "cli/judge_flags.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/error.h"
#include "cli/number_checks.h"
#include "judge/protocol.h"
#include "npu/chip_spec.h"

namespace belay::cli {
namespace {

constexpr size_t kLeastSecretBytes = 16;

// Stages follow each other: naming one includes those before it.
judge::Stage LastOf(const std::vector<std::string>& names) {
  judge::Stage last = judge::Stage::kCompile;
  for (const std::string& name : names) {
    const auto stage = judge::ParseStage(name);
    if (!stage) {
      throw UserError(fmt::format(
          "[judge] there is no stage '{}': compile, precision, performance",
          name));
    }
    last = std::max(last, *stage);
  }
  return names.empty() ? judge::Stage::kPerformance : last;
}

std::string ReadSecret(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) {
    throw UserError(fmt::format("[judge] no secret file '{}'", file));
  }
  std::string secret(std::istreambuf_iterator<char>(in), {});
  if (secret.size() < kLeastSecretBytes) {
    throw UserError(fmt::format(
        "[judge] the secret in '{}' has {} bytes; it needs at least {}", file,
        secret.size(), kLeastSecretBytes));
  }
  return secret;
}

}  // namespace

void AddJudgeFlags(CLI::App& command, JudgeFlags& flags) {
  judge::JudgeOptions& options = flags.options;
  command
      .add_option("--protocol", options.protocol,
                  "Whose rules: belay, npukernelbench, multikernelbench")
      ->capture_default_str();
  command.add_option("--chip", options.chip, "The simulated chip")
      ->capture_default_str();
  command
      .add_option("--stages", flags.stages,
                  "compile,precision,performance: up to the last one named")
      ->delimiter(',');
  command.add_option("--only-case", options.only_case,
                     "A static problem: judge this case alone, under every "
                     "regime and seed");
  command.add_flag("--fail-fast", options.fail_fast,
                   "The first call that fails ends a candidate");
  command
      .add_option("--seed", options.seeds.public_seed,
                  "The public seed; 0 for the cases' own")
      ->capture_default_str();
  command.add_option("--secret-file", flags.secret_file,
                     "The secret that seeds the second run of every case; a "
                     "random one without it");
  command
      .add_option("--most-elements", options.most_elements,
                  "Cases with more elements are timed, not run with values")
      ->capture_default_str()
      ->check(Positive());
  command
      .add_option("--compile-seconds", options.limits.compile_seconds,
                  "Processor time for compiling a module")
      ->capture_default_str()
      ->check(Positive());
  command
      .add_option("--run-seconds", options.limits.run_seconds,
                  "Processor time for one launch")
      ->capture_default_str()
      ->check(Positive());
  command
      .add_option("--memory", options.limits.memory_bytes,
                  "Bytes a candidate's process may use")
      ->capture_default_str()
      ->transform(CLI::AsSizeValue(false));
}

judge::JudgeOptions ReadJudgeFlags(const JudgeFlags& flags) {
  judge::JudgeOptions options = flags.options;
  judge::FindProtocol(options.protocol);
  npu::LoadChip(options.chip);
  options.last = LastOf(flags.stages);
  if (!flags.secret_file.empty()) {
    options.seeds.secret = ReadSecret(flags.secret_file);
  }
  return options;
}

void RegisterJudgeServices() {
  judge::RegisterOperatorServices();
  judge::RegisterCruxServices();
}

}  // namespace belay::cli
