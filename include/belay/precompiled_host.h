// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_PRECOMPILED_HOST_H_
#define BELAY_PRECOMPILED_HOST_H_

// What is compiled ahead of time for every op_host file. Headers that only
// define macros a file may define itself (log/…, error/…) are left out.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/utils/type_utils.h"
#include "platform/platform_info.h"
#include "register/op_def_registry.h"
#include "register/tilingdata_base.h"
#include "tiling/tiling_api.h"

namespace belay::host {

// Never called: the vectors that definitions use are instantiated here once
// rather than in every file, which takes 20 ms there.
inline void InstantiateVectors() {
  using Types = std::vector<ge::DataType>;
  using Formats = std::vector<ge::Format>;
  const Types types = {ge::DT_FLOAT};
  const Formats formats = {ge::FORMAT_ND};
  Types(types.size(), types[0]).push_back(Types(types).back());
  Formats(formats.size(), formats[0]).push_back(Formats(formats).back());
}

}  // namespace belay::host

#endif  // BELAY_PRECOMPILED_HOST_H_
