// SPDX-License-Identifier: Apache-2.0
#include "crux/interpret/budget.h"

#include <fmt/format.h>

#include "base/catalogue.h"

namespace belay::crux::interpret {

void Budget::Reserve(uint64_t bytes) {
  if (bytes > limits_.bytes - bytes_) {
    throw Fault(
        code::kX186,
        fmt::format("the program would hold {} bytes of tensors and tiles at "
                    "a time; {} are allowed",
                    bytes_ + bytes, limits_.bytes),
        "use smaller tiles or sizes, or raise the limit");
  }
  bytes_ += bytes;
}

void Budget::RequireTile(uint64_t elements) const {
  if (elements > limits_.tile_elements) {
    throw Fault(code::kX186,
                fmt::format("a tile or tensor of {} elements; {} are "
                            "allowed",
                            elements, limits_.tile_elements),
                "use `tile=` to work on smaller pieces");
  }
}

void Budget::FaultForSteps() const {
  throw Fault(code::kX185,
              fmt::format("the program took more than {} steps (elements of "
                          "operations and statements)",
                          limits_.steps),
              "check the bounds of its loops, or raise the limit");
}

}  // namespace belay::crux::interpret
