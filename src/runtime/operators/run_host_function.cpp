// SPDX-License-Identifier: Apache-2.0
#include "runtime/operators/run_host_function.h"

#include <fmt/format.h>

#include "base/catalogue.h"
#include "graph/ge_error_codes.h"
#include "runtime/operators/host_messages.h"

namespace belay::runtime {
namespace {

std::string StatusText(uint32_t status) {
  switch (status) {
    case ge::GRAPH_FAILED:
      return "ge::GRAPH_FAILED";
    case ge::GRAPH_PARAM_INVALID:
      return "ge::GRAPH_PARAM_INVALID";
    default:
      return fmt::format("{}", status);
  }
}

}  // namespace

std::optional<Diagnostic> RunHostFunction(
    const std::string& type, const std::string& what, const char* code,
    const std::function<uint32_t()>& function) {
  HostMessages messages;
  std::string failure;
  bool threw = false;
  try {
    const uint32_t status = function();
    if (status != ge::GRAPH_SUCCESS) {
      failure = "returned " + StatusText(status);
    }
  } catch (const std::exception& error) {
    failure = fmt::format("threw an exception: {}", error.what());
    threw = true;
  } catch (...) {
    threw = true;
    failure = "threw an exception that is not a std::exception";
  }
  if (failure.empty() && !messages.overflow) return std::nullopt;

  Diagnostic diagnostic;
  if (messages.overflow) {
    const HostMessages::Overflow& overflow = *messages.overflow;
    diagnostic.code = code::kH106;
    diagnostic.message = fmt::format(
        "[{}] {} wrote {} bytes of tiling data, but there is room for {}", type,
        overflow.writer, overflow.bytes, overflow.capacity);
    diagnostic.fix =
        "shrink the tiling data, and pass SaveToBuffer what "
        "GetRawTilingData()->GetCapacity() says";
  } else {
    diagnostic.code = code;
    diagnostic.message = fmt::format("[{}] {} {}", type, what, failure);
    const std::string asked = LastHostQuestion();
    if (messages.errors.empty() && !asked.empty()) {
      diagnostic.notes.push_back({"the last question was " + asked, {}});
    }
    diagnostic.fix =
        threw ? "host code must not throw: catch it, log the reason with "
                "OP_LOGE and return ge::GRAPH_FAILED"
        : messages.errors.empty()
            ? "log the reason with OP_LOGE: it is shown here"
            : fmt::format("call the operator as the notes say, or mend {}",
                          what);
  }
  diagnostic.notes.insert(diagnostic.notes.end(), messages.errors.begin(),
                          messages.errors.end());
  return diagnostic;
}

}  // namespace belay::runtime
