// SPDX-License-Identifier: Apache-2.0
#include "runs/sample_key.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace belay::runs {
namespace {

constexpr std::string_view kKeyPurpose = "belay store 1";

std::string HexOf(std::string_view bytes) {
  std::string hex;
  for (const char byte : bytes) {
    hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  }
  return hex;
}

}  // namespace

std::string KeyOf(const Sample& sample, const std::string& task_hash,
                  const RunConditions& conditions) {
  const judge::JudgeOptions& judge = conditions.judge;
  std::vector<std::string> parts = {
      std::string(NameOf(sample.candidate.kind)),
      sample.candidate.kernel,
      sample.task,
      task_hash,
      sample.problem(),
      judge.chip,
      judge.protocol,
      std::string(NameOf(judge.last)),
      judge.fail_fast ? "fail-fast" : "",
      fmt::format("{}", judge.most_elements),
      fmt::format("{} {} {} {}", judge.limits.compile_seconds,
                  judge.limits.tiling_seconds, judge.limits.run_seconds,
                  judge.limits.memory_bytes),
      fmt::format("{}", judge.seeds.public_seed),
      HexOf(judge::Hmac(judge.seeds.secret, kKeyPurpose)),
      conditions.belay,
      conditions.cage,
  };
  for (const judge::CandidateFile& file : sample.candidate.files) {
    parts.push_back(file.path);
    parts.push_back(file.text);
  }
  // With lengths, so that no text can pass for the end of another.
  std::string text;
  for (const std::string& part : parts) {
    text += fmt::format("{}:", part.size());
    text += part;
  }
  return HexOf(judge::Hmac(kKeyPurpose, text));
}

}  // namespace belay::runs
