// SPDX-License-Identifier: Apache-2.0
#include "cli/run_program.h"

#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

namespace belay::cli {

nlohmann::json ToJson(const guest::ProgramResult& result,
                      const CheckFlags& check, const Verdict& verdict) {
  const toolchain::PhaseTimes& times = result.compile_milliseconds;
  return {
      {"exit_code", verdict.exit_code},
      {"compiled", result.compiled},
      {"diagnostics", result.diagnostics},
      {"check", ToJson(check, verdict)},
      {"launch_milliseconds", result.launch_milliseconds},
      {"compile_milliseconds",
       {{"front_end", times.front_end},
        {"passes", times.passes},
        {"code_generation", times.code_generation},
        {"link", times.link}}},
  };
}

void PrintText(const guest::ProgramResult& result, const CheckFlags& check,
               const Verdict& verdict) {
  const bool color = isatty(STDERR_FILENO) != 0;
  for (const Diagnostic& diagnostic : result.diagnostics) {
    std::fputs(belay::ToText(diagnostic, color).c_str(), stderr);
  }
  if (result.compiled) std::fputs(VerdictText(check, verdict).c_str(), stderr);
}

void PrintJson(const nlohmann::json& json) {
  std::puts(json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
                .c_str());
}

}  // namespace belay::cli
