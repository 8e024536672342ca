// SPDX-License-Identifier: Apache-2.0
#include "base/catalogue.h"

namespace belay {
namespace {

constexpr CodeInfo kCodes[] = {
#define BELAY_CODE(name, severity, title) \
  CodeInfo{code::k##name, Severity::k##severity, title},
#include "base/diagnostic_codes.def"
#undef BELAY_CODE
};

}  // namespace

std::span<const CodeInfo> AllCodes() { return kCodes; }

const CodeInfo* FindCode(std::string_view code) {
  for (const CodeInfo& info : kCodes) {
    if (info.code == code) return &info;
  }
  return nullptr;
}

}  // namespace belay
