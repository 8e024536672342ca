// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_OPERATORS_RUN_HOST_FUNCTION_H_
#define BELAY_RUNTIME_OPERATORS_RUN_HOST_FUNCTION_H_

// Calling a function of op_host, with all that it may say or throw.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/diagnostic.h"

namespace belay::runtime {

// An error of this code when the function returns anything but GRAPH_SUCCESS
// or throws; an H106 when its tiling data did not fit. What it logged as
// errors are the notes; there is a fix in every case.
std::optional<Diagnostic> RunHostFunction(
    const std::string& type, const std::string& what, const char* code,
    const std::function<uint32_t()>& function);

}  // namespace belay::runtime

#endif  // BELAY_RUNTIME_OPERATORS_RUN_HOST_FUNCTION_H_
