// SPDX-License-Identifier: Apache-2.0
#include "printed_batch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <set>
#include <sstream>

#include "call.h"
#include "clock/replay.h"
#include "compiled_case.h"
#include "crux/ir/refusal.h"
#include "crux/print/compiled.h"
#include "guest/program.h"

namespace belay::testing {
namespace {

using crux::interpret::HostCall;
using crux::interpret::OutputTensor;
using crux::run::RunResult;
using crux::typed::Parameter;

constexpr std::string_view kNextCall = "--";

runtime::DeviceOptions RecordingDevice() {
  runtime::DeviceOptions options = CheckedDevice();
  options.record = true;
  return options;
}

std::string TextOf(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += ToText(diagnostic);
  return text;
}

double MicrosecondsOf(const clock::LaunchLog& log,
                      const clock::ClockSpec& spec) {
  return clock::ToMicroseconds(clock::Replay(log, spec).total,
                               spec.clock_mhz());
}

// Times on chips that hardly differ.
struct Sample {
  double sum = 0;
  double squares = 0;
  int count = 0;

  void Add(double time) {
    sum += time;
    squares += time * time;
    ++count;
  }
  double mean() const { return sum / count; }
  // Of the mean.
  double error() const {
    const double spread = squares / count - mean() * mean();
    return std::sqrt(std::max(0.0, spread) / (count - 1));
  }
};

// A chip whose cores start half to one and a half times as far apart, and wait
// a tenth less to a tenth more where they meet at a line: another one for each
// number.
clock::ClockSpec OtherChip(clock::ClockSpec spec, int number) {
  const auto part = [&](double step) {
    return 2 * std::fmod((number + 0.5) * step, 1) - 1;  // spread evenly
  };
  const auto scale = [&](std::string_view key, double by) {
    spec.Set(key, spec.Value(key) * (1 + by));
  };
  scale("launch.core_start_us", 0.5 * part(0.6180339887498949));
  scale("memory.same_line", 0.1 * part(0.7548776662466927));
  return spec;
}

// Means over so many chips that it is known, but for one time in twenty,
// whether they are as near as they are to be; over kMostChips if it stays
// unknown.
void CompareMeans(const clock::LaunchLog& direct,
                  const clock::LaunchLog& printed, const clock::ClockSpec& spec,
                  RoadResult& result) {
  constexpr int kFewChips = 20;
  constexpr int kMostChips = 60;
  Sample here;
  Sample there;
  result.is_mean = true;
  for (int i = 0; i < kMostChips; ++i) {
    const clock::ClockSpec chip = OtherChip(spec, i);
    here.Add(MicrosecondsOf(direct, chip));
    there.Add(MicrosecondsOf(printed, chip));
    if ((i + 1) % kFewChips != 0) continue;
    result.direct_us = here.mean();
    result.printed_us = there.mean();
    result.unsure = 2 * std::hypot(here.error(), there.error()) / there.mean();
    const double allowed = AllowedTimeError(result);
    if (std::abs(std::abs(result.TimeError()) - allowed) > result.unsure) {
      return;
    }
  }
}

std::string TextOf(const crux::interpret::AttributeValue& value) {
  return std::visit(
      [](const auto& given) -> std::string {
        using T = std::decay_t<decltype(given)>;
        if constexpr (std::is_same_v<T, bool>) {
          return given ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::vector<int64_t>>) {
          return fmt::format("{}", fmt::join(given, ","));
        } else if constexpr (std::is_same_v<T, double>) {
          return fmt::format("{:.17g}", given);
        } else {
          return fmt::format("{}", given);
        }
      },
      value);
}

void WriteBytes(const std::filesystem::path& path,
                const std::vector<std::byte>& data) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(data.data()),
             static_cast<std::streamsize>(data.size()));
}

// One call on its way down both roads.
class Traveller {
 public:
  Traveller(const RoadCall& call, size_t number,
            const std::filesystem::path& folder)
      : call_(call),
        stem_((folder / fmt::format("call{}_", number)).string()),
        space_(fmt::format("call_{}", number)) {}

  const std::string& space() const { return space_; }
  RoadResult& result() { return result_; }
  bool Printed() const { return !printed_.empty(); }
  const std::string& printed() const { return printed_; }
  const std::vector<std::string>& words() const { return words_; }

  void RunDirectly(crux::run::Runner& runner) {
    try {
      HostCall host(*call_.kernel, *call_.arguments, call_.name);
      crux::run::Prepared prepared = crux::run::Prepare(host, runner.chip());
      // Kernels of an .asc have the tiling data among their arguments.
      prepared.plan.tiling_bytes = 0;
      direct_ = runner.Launch(prepared, host, *call_.arguments, call_.name);
      if (!direct_.ok() || !direct_.launch) {
        result_.difference = "direct: " + TextOf(direct_.diagnostics);
        return;
      }
      for (const OutputTensor& output : direct_.outputs) {
        const auto* parameter = call_.kernel->FindParameter(output.parameter);
        room_.push_back(host.ShapeOf(*parameter, output.index));
      }
      crux::print::Compiled compiled;
      compiled.kernel = call_.kernel;
      compiled.variants = VariantsFor(prepared.variant, host);
      PutDown(host);
      printed_ = crux::print::PrintSource(compiled);
    } catch (const crux::ir::Refusal& refusal) {
      result_.refusal =
          refusal.diagnostic().code + ": " + refusal.diagnostic().message;
    } catch (const std::exception& bug) {
      result_.difference = fmt::format("internal: {}\n", bug.what());
    }
  }

  // Where cores in step meet at the same lines of memory, a few cycles decide
  // how they go on: times that lie too far apart are means over many chips.
  void CompareTimes(const clock::LaunchLog& printed) {
    const clock::LaunchLog& direct = *direct_.launch;
    const clock::ClockSpec spec = clock::LoadClockSpec(direct.chip);
    result_.direct_us = MicrosecondsOf(direct, spec);
    result_.printed_us = MicrosecondsOf(printed, spec);
    if (std::abs(result_.TimeError()) <= AllowedTimeError(result_)) return;
    CompareMeans(direct, printed, spec, result_);
  }

  void CompareOutputs() {
    for (size_t o = 0; o < direct_.outputs.size(); ++o) {
      const OutputTensor& output = direct_.outputs[o];
      std::ifstream file(OutputFile(output), std::ios::binary);
      const std::vector<char> printed(std::istreambuf_iterator<char>(file), {});
      const std::vector<std::byte>& own = output.array.data;
      const size_t element = BytesOf(output.array.dtype);
      // What an upto() output does not hold is not compared.
      for (size_t i = 0; i < own.size(); ++i) {
        const size_t at =
            PlaceIn(room_[o], output.array.shape, i / element) * element +
            i % element;
        if (at < printed.size() && own[i] == std::byte(printed[at])) continue;
        result_.difference += fmt::format("{}: byte {} of {} differs\n",
                                          output.name, i, own.size());
        break;
      }
    }
  }

 private:
  std::vector<crux::CompiledVariant> VariantsFor(
      const crux::CompiledVariant& taken, HostCall& host) const {
    std::vector<crux::CompiledVariant> variants;
    for (crux::Variant& one :
         crux::EnumerateVariants(*call_.kernel, taken.dtypes)) {
      // A later condition may make sense only where those before it hold.
      const bool holds =
          std::ranges::all_of(one.conditions, [&](const auto& condition) {
            return (host.Integer(*condition.first) != 0) == condition.second;
          });
      // A fit of no statement says whether what was preferred did.
      auto fits = taken.fits;
      std::erase_if(fits, [](const auto& fit) { return fit.first == nullptr; });
      const bool is_taken =
          holds && one.fits == fits &&
          one.kernel.rows_on_lanes == taken.tiles->rows_on_lanes &&
          one.kernel.columns_on_lanes == taken.tiles->columns_on_lanes;
      if (!call_.all_variants && !is_taken) continue;
      crux::CompiledVariant compiled =
          crux::CompileLowered(std::move(one.kernel));
      // One alone is the kernel: nothing is asked.
      if (call_.all_variants) {
        compiled.conditions = std::move(one.conditions);
        compiled.fits = std::move(one.fits);
      }
      variants.push_back(std::move(compiled));
    }
    return variants;
  }

  std::string OutputFile(const OutputTensor& output) const {
    return fmt::format("{}out_{}_{}.bin", stem_, output.parameter,
                       output.index);
  }

  // Writes the inputs and the words that a printed program is called with.
  void PutDown(HostCall& host) {
    for (const Parameter* parameter : call_.kernel->parameters) {
      const auto given = call_.arguments->tensors.find(parameter->name);
      if (given == call_.arguments->tensors.end()) continue;
      const DType dtype = host.DtypeOf(*parameter);
      for (size_t i = 0; i < given->second.arrays.size(); ++i) {
        const Array& array = given->second.arrays[i];
        const std::string file =
            fmt::format("{}{}_{}.bin", stem_, parameter->name, i);
        WriteBytes(file, array.data);
        words_.push_back(fmt::format("{}={}:{}:{}", parameter->name, file,
                                     NameOf(dtype),
                                     fmt::join(array.shape, ",")));
      }
    }
    for (const auto& [name, value] : call_.arguments->attributes) {
      words_.push_back(fmt::format("{}={}", name, TextOf(value)));
    }
    for (const OutputTensor& output : direct_.outputs) {
      words_.push_back(
          fmt::format("{}={}", output.parameter, OutputFile(output)));
    }
  }

  RoadCall call_;
  std::string stem_;
  std::string space_;
  RunResult direct_;
  std::vector<Shape> room_;  // of its outputs: what they hold at most
  std::string printed_;
  std::vector<std::string> words_;
  RoadResult result_;
};

// All of them in one program, each in a namespace of its own; main calls them
// one after the other with their parts of its arguments.
std::string OneSource(const std::vector<Traveller*>& batch) {
  std::set<std::string> includes;
  std::string body;
  std::string calls;
  size_t number = 0;
  for (const Traveller* one : batch) {
    // Helpers with AscendC's names would hide those in a namespace.
    body += fmt::format(
        "namespace {} {{\nusing AscendC::Max;\nusing AscendC::Min;\n",
        one->space());
    std::istringstream lines(one->printed());
    for (std::string line; std::getline(lines, line);) {
      if (line.rfind("#include", 0) == 0) {
        includes.insert(line);
      } else if (line.rfind("int main(", 0) != 0) {
        body += line + "\n";
      }
    }
    body += "}\n";
    calls += fmt::format(
        "  failed |= {0}::host::Run({0}::host::Read(words[{1}].size(), "
        "words[{1}].data()));\n",
        one->space(), number++);
  }
  std::string text;
  for (const std::string& include : includes) text += include + "\n";
  text += "#include <cstring>\n" + body;
  text += fmt::format(
      "int main(int argc, char** argv) {{\n"
      "  std::vector<std::vector<char*>> words(1, {{argv[0]}});\n"
      "  for (int i = 1; i < argc; ++i) {{\n"
      "    if (std::strcmp(argv[i], \"{}\") == 0) {{\n"
      "      words.push_back({{argv[0]}});\n"
      "    }} else {{\n"
      "      words.back().push_back(argv[i]);\n"
      "    }}\n"
      "  }}\n"
      "  int failed = 0;\n"
      "{}"
      "  return failed;\n"
      "}}\n",
      kNextCall, calls);
  return text;
}

// Whether every call of the batch went through.
bool RunPrinted(const std::vector<Traveller*>& batch,
                const std::filesystem::path& folder, std::string& problem) {
  const std::string source = (folder / "batch.asc").string();
  std::ofstream(source) << OneSource(batch);
  guest::ProgramOptions options;
  options.sources = {source};
  options.device = RecordingDevice();
  options.record = guest::RecordOptions{};
  for (const Traveller* one : batch) {
    if (one != batch.front()) options.arguments.emplace_back(kNextCall);
    options.arguments.insert(options.arguments.end(), one->words().begin(),
                             one->words().end());
  }
  const guest::ProgramResult result = guest::RunProgram(options);
  problem = TextOf(result.diagnostics);
  if (result.exit_code != 0) {
    problem += fmt::format("exit code {}\n", result.exit_code);
  }
  const std::vector<clock::LaunchLog>& launches = result.recorded.launches;
  if (problem.empty() && launches.size() != batch.size()) {
    problem = fmt::format("{} launches\n", launches.size());
  }
  if (!problem.empty()) return false;
  for (size_t i = 0; i < batch.size(); ++i) {
    batch[i]->CompareTimes(launches[i]);
    batch[i]->CompareOutputs();
  }
  return true;
}

// Halves of a batch that failed run again, until it is known which call fails.
void RunPrintedOrParts(const std::vector<Traveller*>& batch,
                       const std::filesystem::path& folder) {
  std::string problem;
  if (batch.empty() || RunPrinted(batch, folder, problem)) return;
  if (batch.size() == 1) {
    batch.front()->result().difference = "printed: " + problem;
    return;
  }
  const auto middle =
      batch.begin() + static_cast<std::ptrdiff_t>(batch.size() / 2);
  RunPrintedOrParts({batch.begin(), middle}, folder);
  RunPrintedOrParts({middle, batch.end()}, folder);
}

}  // namespace

std::vector<RoadResult> CompareRoads(std::span<const RoadCall> calls,
                                     const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  std::vector<Traveller> all;
  for (const RoadCall& call : calls) all.emplace_back(call, all.size(), folder);
  {
    crux::run::Runner runner(RecordingDevice());
    for (Traveller& one : all) one.RunDirectly(runner);
  }
  std::vector<Traveller*> batch;
  for (Traveller& one : all) {
    if (one.Printed()) batch.push_back(&one);
  }
  RunPrintedOrParts(batch, folder);
  std::vector<RoadResult> results;
  for (Traveller& one : all) results.push_back(std::move(one.result()));
  std::filesystem::remove_all(folder);
  return results;
}

double AllowedTimeError(const RoadResult& result) {
  constexpr double kLongTask = 50;  // microseconds
  return result.printed_us > kLongTask ? 0.02 : 0.10;
}

}  // namespace belay::testing
