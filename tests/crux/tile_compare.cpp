// SPDX-License-Identifier: Apache-2.0
#include "tile_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "call.h"

namespace belay::testing {

std::string Compared(const crux::interpret::OutputTensor& real,
                     const crux::interpret::OutputTensor& exact,
                     const crux::interpret::Tile& tile, const Shape& whole) {
  const std::vector<double> wanted = NumbersOf(real.array);
  const std::vector<double> bounds = NumbersOf(exact.bounds);
  std::string text;
  for (size_t e = 0; e < wanted.size(); ++e) {
    if (!bounds.empty() && !std::isfinite(bounds[e])) continue;
    const double got = tile.NumberAt(PlaceIn(whole, real.array.shape, e));
    const double allowed = 1e-6 * std::max(1.0, std::fabs(wanted[e])) +
                           (bounds.empty() ? 0 : bounds[e]);
    if (got == wanted[e] || (std::isnan(got) && std::isnan(wanted[e])) ||
        std::fabs(got - wanted[e]) <= allowed) {
      continue;
    }
    text += fmt::format("{}[{}]: tiles {:.17g}, interpreted {:.17g}\n",
                        real.name, e, got, wanted[e]);
    if (text.size() > 400) break;
  }
  return text;
}

}  // namespace belay::testing
