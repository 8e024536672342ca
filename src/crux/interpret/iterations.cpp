// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/iterations.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/catalogue.h"

namespace belay::crux::interpret {

void Iterations::EnterLoop(const std::string& name, bool by_range) {
  if (loops_.empty()) {
    iterations_.clear();
    base_ = next_;
  }
  loops_.push_back({&name, by_range, ++runs_, current_});
}

void Iterations::LeaveLoop() {
  current_ = loops_.back().outside;
  loops_.pop_back();
}

void Iterations::Enter(Range position) {
  if (next_ > kLastIteration) {
    throw Fault(
        code::kX185,
        fmt::format("more than {} iterations of `cores` loops", kLastIteration),
        "give the loops a `tile=`");
  }
  if (iterations_.size() == reserved_) {
    reserved_ = std::max<size_t>(1024, 2 * reserved_);
    memory_ = Reservation();
    memory_ = Reservation(*budget_, reserved_ * sizeof(Iteration));
    iterations_.reserve(reserved_);
  }
  const LoopRun& loop = loops_.back();
  iterations_.push_back({loop.outside, loop.run,
                         static_cast<uint32_t>(loops_.size() - 1),
                         loop.by_range, loop.name, position});
  current_ = next_++;
}

void Iterations::Leave() { current_ = loops_.back().outside; }

std::vector<int64_t> Iterations::Positions() const {
  std::vector<int64_t> positions;
  for (IterationId id = current_; id != 0; id = At(id).parent) {
    positions.push_back(At(id).position.start);
  }
  std::reverse(positions.begin(), positions.end());
  return positions;
}

bool Iterations::Independent(IterationId a, IterationId b) const {
  if (a == b || a < base_ || b < base_) return false;
  while (At(a).depth > At(b).depth) a = At(a).parent;
  while (At(b).depth > At(a).depth) b = At(b).parent;
  while (a != b && At(a).parent != At(b).parent) {
    a = At(a).parent;
    b = At(b).parent;
  }
  return a != b && At(a).run == At(b).run;
}

std::string Iterations::ToText(IterationId id) const {
  std::string text;
  for (; id != 0 && id >= base_; id = At(id).parent) {
    const Iteration& at = At(id);
    std::string one =
        at.by_range ? fmt::format("{} = {}:{}", *at.name, at.position.start,
                                  at.position.start + at.position.count)
                    : fmt::format("{} = {}", *at.name, at.position.start);
    text = text.empty() ? one : one + ", " + text;
  }
  return text;
}

}  // namespace belay::crux::interpret
