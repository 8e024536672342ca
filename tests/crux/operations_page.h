// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_CRUX_OPERATIONS_PAGE_H_
#define BELAY_TESTS_CRUX_OPERATIONS_PAGE_H_

// docs/crux_operations.md, made from the registry of operations.

#include <string>

namespace belay::testing {

std::string RenderOperationsPage();

}  // namespace belay::testing

#endif  // BELAY_TESTS_CRUX_OPERATIONS_PAGE_H_
