// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_BENCH_CASE_READER_H_
#define BELAY_BENCH_CASE_READER_H_

// Reads the [[cases]] tables of a task.

#include "bench/task.h"
#include "bench/toml_reader.h"

namespace belay::bench {

// Whether a value may stand for an attribute of this type; an integer may for
// a float.
bool FitsType(const Value& value, AttributeType type);

// Fills task.groups; signature and types are read already. Throws TaskError.
void ReadCases(const TomlReader& root, Task& task);

}  // namespace belay::bench

#endif  // BELAY_BENCH_CASE_READER_H_
