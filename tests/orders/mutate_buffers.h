// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_TESTS_ORDERS_MUTATE_BUFFERS_H_
#define BELAY_TESTS_ORDERS_MUTATE_BUFFERS_H_

// Queues with one buffer less than they were given.

#include <vector>

#include "mutants.h"

namespace belay::orders {

// For each queue with several buffers, all that used its last one uses its
// first: what a kernel does that goes on as if there were more.
std::vector<Mutant> MakeBufferCountMutants(const Recording& recording);

}  // namespace belay::orders

#endif  // BELAY_TESTS_ORDERS_MUTATE_BUFFERS_H_
