// SPDX-License-Identifier: Apache-2.0
#include "roads.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

#include "clock/replay.h"
#include "crux/ir/refusal.h"
#include "crux/print/compiled.h"
#include "crux/run/runner.h"
#include "guest/operator_run.h"

namespace belay::testing {
namespace {

using crux::interpret::Arguments;
using crux::interpret::OutputTensor;
using crux::run::RunResult;
using crux::typed::Kernel;
using crux::typed::Parameter;
using crux::typed::ParameterRole;

runtime::DeviceOptions RecordingDevice() {
  runtime::DeviceOptions options;
  options.check = check::CheckOptions();
  options.record = true;
  return options;
}

std::string TextOf(const crux::interpret::AttributeValue& value) {
  return std::visit(
      [](const auto& given) -> std::string {
        using T = std::decay_t<decltype(given)>;
        if constexpr (std::is_same_v<T, bool>) {
          return given ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::vector<int64_t>>) {
          return fmt::format("[{}]", fmt::join(given, ","));
        } else if constexpr (std::is_same_v<T, double>) {
          return fmt::format("{:.17g}", given);
        } else {
          return fmt::format("{}", given);
        }
      },
      value);
}

std::string TextOf(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& diagnostic : diagnostics) text += ToText(diagnostic);
  return text;
}

double MicrosecondsOf(const clock::LaunchLog& log) {
  const clock::ClockSpec spec = clock::LoadClockSpec(log.chip);
  return clock::ToMicroseconds(clock::Replay(log, spec).total,
                               spec.clock_mhz());
}

// The dtype the kernel takes the array as.
DType ReadAs(const Parameter& parameter, const Array& array) {
  for (const DType dtype : InstancesOf(parameter.type.element)) {
    if (dtype == array.dtype) return DType::kNone;
  }
  return array.dtype == DType::kUint16 ? DType::kBfloat16 : DType::kNone;
}

guest::OperatorOptions Call(const Kernel& kernel, const Arguments& arguments,
                            const RunResult& direct,
                            const std::filesystem::path& folder) {
  guest::OperatorOptions options;
  options.folder = (folder / "project").string();
  for (const Parameter* parameter : kernel.parameters) {
    const auto given = arguments.tensors.find(parameter->name);
    if (given == arguments.tensors.end()) continue;
    guest::InputRequest input;
    input.name = parameter->name;
    input.form = given->second.list ? guest::InputRequest::Form::kList
                                    : guest::InputRequest::Form::kTensor;
    for (size_t i = 0; i < given->second.arrays.size(); ++i) {
      const Array& array = given->second.arrays[i];
      const auto file = folder / fmt::format("{}_{}.npy", parameter->name, i);
      WriteNpy(file, array);
      DType read_as = ReadAs(*parameter, array);
      if (array.dtype == DType::kBfloat16) read_as = DType::kBfloat16;
      input.files.push_back({file.string(), read_as});
    }
    options.inputs.push_back(std::move(input));
  }
  for (const auto& [name, value] : arguments.attributes) {
    options.attributes.push_back({name, TextOf(value)});
  }
  for (const OutputTensor& output : direct.outputs) {
    if (output.index == 0) {
      options.outputs.emplace_back().name = output.parameter;
    }
    options.outputs.back().files.push_back(
        (folder / fmt::format("out_{}_{}.npy", output.parameter, output.index))
            .string());
  }
  options.device = RecordingDevice();
  options.record = guest::RecordOptions{};
  return options;
}

std::string CompareOutputs(const RunResult& direct,
                           const std::filesystem::path& folder) {
  for (const OutputTensor& output : direct.outputs) {
    const Array printed = ReadNpy(
        folder / fmt::format("out_{}_{}.npy", output.parameter, output.index));
    const size_t bytes =
        std::min(printed.data.size(), output.array.data.size());
    const auto differs =
        std::mismatch(output.array.data.begin(),
                      output.array.data.begin() + static_cast<ptrdiff_t>(bytes),
                      printed.data.begin());
    if (differs.second !=
        printed.data.begin() + static_cast<ptrdiff_t>(bytes)) {
      return fmt::format("{}: byte {} of {} differs\n", output.name,
                         differs.first - output.array.data.begin(), bytes);
    }
  }
  return "";
}

// Prints the project into `folder`.
void PrintInto(const Kernel& kernel, const crux::Source* source,
               const std::filesystem::path& folder) {
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "project");
  crux::print::Compiled compiled;
  compiled.kernel = &kernel;
  compiled.source = source;
  compiled.variants =
      crux::CompileForPrint(kernel, crux::typed::InstancesOf(kernel));
  for (const crux::print::File& file :
       crux::print::PrintProject(std::move(compiled))) {
    const auto path = folder / "project" / file.path;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << file.text;
  }
}

Roads CompareCall(const Kernel& kernel, const Arguments& arguments,
                  const std::filesystem::path& folder) {
  Roads roads;
  RunResult direct;
  {
    crux::run::Runner runner(RecordingDevice());
    direct = runner.Run(kernel, arguments, "kernel.crux");
  }
  if (!direct.ok() || !direct.launch) {
    roads.difference = "direct: " + TextOf(direct.diagnostics);
    return roads;
  }
  roads.direct_us = MicrosecondsOf(*direct.launch);
  const guest::OperatorResult printed =
      guest::RunOperator(Call(kernel, arguments, direct, folder));
  roads.difference = TextOf(printed.diagnostics);
  if (!printed.launched || printed.recorded.launches.empty()) {
    roads.difference = "printed: " + roads.difference;
    return roads;
  }
  roads.printed_us = MicrosecondsOf(printed.recorded.launches.front());
  roads.difference += CompareOutputs(direct, folder);
  return roads;
}

}  // namespace

Roads CompareRoads(const Kernel& kernel, const crux::Source* source,
                   const Arguments& arguments,
                   const std::filesystem::path& folder) {
  return CompareRoads(kernel, source, std::deque{arguments}, folder)[0];
}

std::vector<Roads> CompareRoads(const Kernel& kernel,
                                const crux::Source* source,
                                const std::deque<Arguments>& calls,
                                const std::filesystem::path& folder) {
  PrintInto(kernel, source, folder);
  std::vector<Roads> all;
  for (const Arguments& arguments : calls) {
    all.push_back(CompareCall(kernel, arguments, folder));
  }
  return all;
}

}  // namespace belay::testing
