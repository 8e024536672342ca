// SPDX-License-Identifier: Apache-2.0
#include "cli/number_checks.h"

#include <fmt/format.h>

#include <string>

namespace belay::cli {
namespace {

CLI::Validator NumberCheck(bool zero, const char* shown) {
  return CLI::Validator(
      [zero](std::string& text) -> std::string {
        double number = 0;
        if (!CLI::detail::lexical_cast(text, number)) {
          return fmt::format("'{}' is not a number", text);
        }
        if (number > 0 || (zero && number == 0)) return "";
        return fmt::format("{} is not allowed: use {}", text,
                           zero ? "0 or more" : "more than 0");
      },
      shown);
}

}  // namespace

CLI::Validator NotNegative() { return NumberCheck(true, "NONNEGATIVE"); }

CLI::Validator Positive() { return NumberCheck(false, "POSITIVE"); }

}  // namespace belay::cli
