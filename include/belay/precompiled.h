// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_PRECOMPILED_H_
#define BELAY_PRECOMPILED_H_

// What is compiled ahead of time for every guest program: AscendC, and the
// parts of the standard library that the host code of programs includes most.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "kernel_operator.h"

#endif  // BELAY_PRECOMPILED_H_
