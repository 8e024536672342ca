// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_OP_HOST_DESCRIBE_H_
#define BELAY_OP_HOST_DESCRIBE_H_

// Turning lists of definition objects into the plain data the library reads.

#include <deque>
#include <vector>

#include "belay/op_host.h"

namespace belay::host {

template <typename T>
abi::HostSpan<T> SpanOf(const std::vector<T>& values) {
  return {values.data(), values.size()};
}

// `span` then shows one description for each entry, kept in `storage`.
template <typename Entry, typename Data>
void DescribeAll(std::deque<Entry>& entries, std::vector<Data>& storage,
                 abi::HostSpan<Data>& span) {
  storage.clear();
  for (Entry& entry : entries) storage.push_back(entry.Describe());
  span = SpanOf(storage);
}

}  // namespace belay::host

#endif  // BELAY_OP_HOST_DESCRIBE_H_
