// SPDX-License-Identifier: Apache-2.0
#include "cli/crux_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/catalogue.h"
#include "base/error.h"

namespace belay::cli {
namespace {

using crux::interpret::OutputTensor;

double LargestBound(const OutputTensor& output) {
  double largest = 0;
  for (size_t at = 0; at < output.bounds.data.size(); at += sizeof(double)) {
    double bound = 0;
    std::memcpy(&bound, output.bounds.data.data() + at, sizeof bound);
    largest = std::max(largest, bound);
  }
  return largest;
}

// The file for one tensor of an output; empty when none is named.
std::string FileFor(const std::vector<std::string>& files,
                    const OutputTensor& output, const char* option) {
  if (files.empty()) return "";
  if (output.index >= files.size()) {
    throw UserError(fmt::format(
        "[crux run] {} {}=…: {} files for a list that has more tensors", option,
        output.parameter, files.size()));
  }
  return files[output.index];
}

nlohmann::json NumberOf(double value) {
  if (std::isfinite(value)) return value;
  return fmt::format("{}", value);
}

}  // namespace

CruxReport DeliverOutput(const OutputTensor& output,
                         const std::vector<guest::OutputRequest>& requests,
                         const std::vector<guest::OutputRequest>& bounds,
                         const CruxTolerance& tolerance) {
  CruxReport report;
  report.output = &output;
  report.largest_bound = LargestBound(output);
  const auto find = [&](const std::vector<guest::OutputRequest>& all) {
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const guest::OutputRequest& request) {
                                      return request.name == output.parameter;
                                    });
    return found == all.end() ? guest::OutputRequest{} : *found;
  };
  const guest::OutputRequest request = find(requests);
  report.file = FileFor(request.files, output, "--out");
  if (!report.file.empty()) WriteNpy(report.file, output.array);
  report.bounds_file = FileFor(find(bounds).files, output, "--bounds");
  if (!report.bounds_file.empty()) {
    WriteNpy(report.bounds_file, output.bounds);
  }
  if (request.expected.empty()) return report;
  if (output.index >= request.expected.size()) {
    throw UserError(fmt::format(
        "[crux run] --expect {}=…: {} files for a list that has more tensors",
        output.parameter, request.expected.size()));
  }
  const guest::TensorFile& expected = request.expected[output.index];
  report.expected = expected.path;
  report.tolerance = guest::DefaultTolerance(output.array.dtype);
  if (tolerance.rtol) report.tolerance.rtol = *tolerance.rtol;
  if (tolerance.atol) report.tolerance.atol = *tolerance.atol;
  report.comparison =
      Compare(output.array, guest::ReadTensor(expected), report.tolerance);
  return report;
}

Diagnostic DifferenceOf(const CruxReport& report) {
  Diagnostic diagnostic;
  diagnostic.code = code::kH114;
  diagnostic.message = fmt::format("output '{}' is not as expected ({}): {}",
                                   report.output->name, report.expected,
                                   ToText(report.comparison, report.tolerance));
  return diagnostic;
}

std::string ToText(const CruxReport& report, bool bounds) {
  std::string text = fmt::format("{}: {} ({})", report.output->name,
                                 NameOf(report.output->array.dtype),
                                 belay::ToText(report.output->array.shape));
  if (bounds)
    text += fmt::format(", error at most {:.3g}", report.largest_bound);
  if (!report.file.empty()) text += ", written to " + report.file;
  if (!report.expected.empty()) {
    text += ", " + ToText(report.comparison, report.tolerance);
  }
  return text;
}

nlohmann::json ToJson(const CruxReport& report, bool bounds) {
  nlohmann::json json = {{"name", report.output->name},
                         {"dtype", NameOf(report.output->array.dtype)},
                         {"shape", report.output->array.shape}};
  if (bounds) json["largest_bound"] = NumberOf(report.largest_bound);
  if (!report.file.empty()) json["file"] = report.file;
  if (!report.bounds_file.empty()) json["bounds_file"] = report.bounds_file;
  if (report.expected.empty()) return json;
  const guest::Comparison& comparison = report.comparison;
  json["comparison"] = {{"expected_file", report.expected},
                        {"equal", comparison.equal()},
                        {"rtol", report.tolerance.rtol},
                        {"atol", report.tolerance.atol},
                        {"elements", comparison.elements},
                        {"differing", comparison.differing},
                        {"largest_absolute", comparison.largest_absolute},
                        {"largest_relative", comparison.largest_relative},
                        {"text", ToText(comparison, report.tolerance)}};
  return json;
}

}  // namespace belay::cli
