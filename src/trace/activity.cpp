// SPDX-License-Identifier: Apache-2.0
#include "trace/activity.h"

#include <algorithm>

namespace belay::trace {

void Activity::Widen() {
  width_ *= 2;
  for (size_t i = 0; 2 * i < bins_.size(); ++i) {
    const size_t second = 2 * i + 1;
    bins_[i] = bins_[2 * i] + (second < bins_.size() ? bins_[second] : 0);
  }
  bins_.resize((bins_.size() + 1) / 2);
}

void Activity::Add(clock::Ticks start, clock::Ticks end) {
  if (end <= start) return;
  const auto limit = static_cast<clock::Ticks>(kBins);
  while ((end - 1) / width_ >= limit) Widen();
  const auto last = static_cast<size_t>((end - 1) / width_);
  if (bins_.size() <= last) bins_.resize(last + 1);
  for (auto bin = static_cast<size_t>(start / width_); bin <= last; ++bin) {
    const clock::Ticks begin = static_cast<clock::Ticks>(bin) * width_;
    bins_[bin] += std::min(end, begin + width_) - std::max(start, begin);
  }
}

}  // namespace belay::trace
