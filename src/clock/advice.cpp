// SPDX-License-Identifier: Apache-2.0
#include "clock/advice.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "clock/advice_rules.h"
#include "clock/what_if.h"

namespace belay::clock {
namespace {

constexpr double kLeastShare = 0.02;  // of the time, that a gain must be

// Requests that a replay for advice may have: about 1 GB, several times what
// the L2 cache holds.
constexpr uint64_t kMostRequests = 2'000'000;

}  // namespace

Advisor::Advisor(const Profiled& profiled)
    : profiled_(profiled), sites_(profiled.statistics.Sites()) {
  const uint64_t requests = profiled.time.memory.requests;
  if (requests > 2 * kMostRequests) {
    part_ = Shortened(profiled.log, requests / kMostRequests);
    base_ = Price(*part_);
  } else {
    base_ = profiled.time;
  }
}

double Advisor::CoreMicroseconds() const {
  return Microseconds(profiled_.time.cores) *
         static_cast<double>(profiled_.time.core_times.size());
}

LaunchTime Advisor::Price(const LaunchLog& log) const {
  ReplayOptions options;
  options.l2 = profiled_.l2;
  return Replay(log, profiled_.spec, options);
}

double Advisor::Saved(const LaunchLog& changed) const {
  const double scale = static_cast<double>(profiled_.time.total) /
                       static_cast<double>(base_.total);
  return SavedOf(base_, changed) * scale;
}

double Advisor::SavedOnAll(const LaunchLog& changed) const {
  return SavedOf(profiled_.time, changed);
}

double Advisor::SavedOf(const LaunchTime& base,
                        const LaunchLog& changed) const {
  try {
    return Microseconds(base.total - Price(changed).total);
  } catch (const InternalError&) {
    return 0;
  }
}

void Advisor::Add(const char* code, uint64_t place, double saved,
                  std::string message, std::string fix) {
  if (saved < kLeastShare * Microseconds(profiled_.time.total)) return;
  Advice advice;
  advice.saved = saved;
  advice.diagnostic.code = code;
  advice.diagnostic.severity = Severity::kNote;
  advice.diagnostic.message = std::move(message);
  advice.diagnostic.fix = std::move(fix);
  const auto location = profiled_.log.places.find(place);
  if (location != profiled_.log.places.end()) {
    advice.diagnostic.location = location->second;
  }
  advice_.push_back(std::move(advice));
}

uint64_t Advisor::MainMove() const {
  const SiteFigures* best = nullptr;
  for (const SiteFigures& site : sites_) {
    if (site.kind != Kind::kMove || site.pipe == abi::Pipe::kS) continue;
    const bool load = site.pipe == abi::Pipe::kMte2;
    const bool best_is_load = best != nullptr && best->pipe == abi::Pipe::kMte2;
    if (best == nullptr || (load && !best_is_load) ||
        (load == best_is_load &&
         (site.bytes > best->bytes ||
          (site.bytes == best->bytes && site.place < best->place)))) {
      best = &site;
    }
  }
  return best == nullptr ? 0 : best->place;
}

std::vector<Advice> Advisor::Take() {
  std::ranges::stable_sort(advice_, [](const Advice& a, const Advice& b) {
    return a.saved > b.saved;
  });
  return std::move(advice_);
}

std::string SizeText(double bytes) {
  if (bytes < 1024) return fmt::format("{:.0f} bytes", bytes);
  if (bytes < 10 * 1024) return fmt::format("{:.3g} KB", bytes / 1024);
  if (bytes < 1024 * 1024) return fmt::format("{:.0f} KB", bytes / 1024);
  if (bytes < 1024.0 * 1024 * 1024) {
    return fmt::format("{:.3g} MB", bytes / 1024 / 1024);
  }
  return fmt::format("{:.3g} GB", bytes / 1024 / 1024 / 1024);
}

std::vector<Advice> Advise(const Profiled& profiled) {
  const double total =
      ToMicroseconds(profiled.time.total, profiled.spec.clock_mhz());
  if (total <= kAtBound * profiled.bound.total) return {};
  Advisor advisor(profiled);
  AdviseLargerMoves(advisor);
  AdviseAlignment(advisor);
  AdviseBanks(advisor);
  AdviseSecondBuffers(advisor);
  AdviseScalarLoops(advisor);
  AdviseBlocks(advisor);
  AdviseBypass(advisor);
  AdviseStaggering(advisor);
  AdviseLongerVectors(advisor);
  AdviseFullBarriers(advisor);
  AdviseReductions(advisor);
  AdviseEarlierLoads(advisor);
  return advisor.Take();
}

}  // namespace belay::clock
