// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_UNORDERED_H_
#define BELAY_TESTS_ORDERS_UNORDERED_H_

// Races by definition, straight from the graph of legal orders: pairs of events
// that touch the same bytes, one of them writing, that no path connects.

#include <optional>
#include <utility>
#include <vector>

#include "order_graph.h"

namespace belay::orders {

// The first such pair, as indices of events. Additions and the like that
// several moves make atomically, all in the same way, do not conflict, nor do
// accesses of scalar units past their caches, by which cores signal. Quadratic
// in the number of events.
std::optional<std::pair<int, int>> FindUnordered(
    const Recording& recording, const std::vector<OrderNode>& nodes);

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_UNORDERED_H_
