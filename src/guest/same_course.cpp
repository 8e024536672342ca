// SPDX-License-Identifier: Apache-2.0
#include "guest/same_course.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"
#include "clock/compare_logs.h"

namespace belay::guest {
namespace {

SourceLocation PlaceIn(const clock::LaunchLog& log, uint64_t place) {
  const auto found = log.places.find(place);
  return found == log.places.end() ? SourceLocation{} : found->second;
}

Diagnostic Dependence(const clock::LaunchLog& log, uint64_t differs) {
  Diagnostic diagnostic;
  diagnostic.code = code::kT101;
  diagnostic.message = fmt::format(
      "[timing only] what kernel '{}' does depends on values of tensors, which "
      "this run does not compute: it read {} of them, the first here",
      log.kernel, log.pretended_reads);
  diagnostic.location = PlaceIn(log, log.first_pretended_place);
  diagnostic.notes.push_back(
      {"with other values it goes on differently from here",
       PlaceIn(log, differs)});
  diagnostic.fix =
      "profile it without --timing-only on a shape that fits, or give the "
      "contents of the input it reads";
  return diagnostic;
}

// A launch of the first run whose kernel read values.
const clock::LaunchLog* FindReader(const RecordedLaunches& recorded) {
  const auto found =
      std::find_if(recorded.launches.begin(), recorded.launches.end(),
                   [](const auto& log) { return log.pretended_reads > 0; });
  return found == recorded.launches.end() ? nullptr : &*found;
}

}  // namespace

std::optional<Diagnostic> FindDependence(const RecordedLaunches& first,
                                         const Rerun& rerun) {
  const clock::LaunchLog* reader = FindReader(first);
  if (reader == nullptr) return std::nullopt;
  for (const npu::Pretence pretence : npu::kPretences) {
    if (pretence == npu::kPretences[0]) continue;
    const RecordedLaunches other = rerun(pretence);
    const size_t both = std::min(first.launches.size(), other.launches.size());
    for (size_t i = 0; i < both; ++i) {
      const clock::LaunchLog& log = first.launches[i];
      const auto differs = clock::FirstDifference(log, other.launches[i]);
      if (differs) {
        return Dependence(log.pretended_reads > 0 ? log : *reader, *differs);
      }
    }
    if (first.launches.size() != other.launches.size()) {
      return Dependence(*reader, reader->first_pretended_place);
    }
  }
  return std::nullopt;
}

}  // namespace belay::guest
