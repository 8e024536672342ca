// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/past_l2.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "crux/ir/bounds.h"
#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Index;
using ir::IndexKind;
using ir::Int;
using ir::Loop;
using ir::Stmt;
using ir::StmtKind;

constexpr int64_t kLineBytes = 512;
// No chip has less.
constexpr int64_t kCacheBytes = int64_t{96} << 20;

// A load with the loops around it.
struct Reading {
  const Stmt* load = nullptr;
  std::vector<const Loop*> loops;
  int loads = 0;  // of the tensor, in all
};

class Finder {
 public:
  explicit Finder(const ir::Kernel& kernel) : readings_(kernel.tensors.size()) {
    Visit(kernel.body);
  }

  const Reading& Of(int tensor) const {
    return readings_[static_cast<size_t>(tensor)];
  }

 private:
  void Visit(const ir::Block& block) {
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kLoad) {
        Reading& reading = readings_[static_cast<size_t>(stmt->access.tensor)];
        reading.load = stmt.get();
        reading.loops = loops_;
        ++reading.loads;
      } else if (stmt->kind == StmtKind::kLoop) {
        loops_.push_back(stmt->loop.get());
        Visit(stmt->loop->body);
        loops_.pop_back();
      } else if (stmt->kind == StmtKind::kIf) {
        Visit(stmt->body);
        Visit(stmt->otherwise);
      }
    }
  }

  std::vector<Reading> readings_;
  std::vector<const Loop*> loops_;
};

// Whether the turns of `loop` read other positions each: it moves `index` on by
// as much as the index takes.
bool StepsOver(const Index& index, const Loop& loop) {
  const auto slope = Slope(index.start, loop.name);
  if (!slope || slope->Is(0)) return false;
  if (index.kind == IndexKind::kPoint) return true;
  return index.kind == IndexKind::kRange &&
         ir::Same(*slope * loop.step, index.extent.capacity * index.step);
}

bool ReadsOnce(const Reading& reading) {
  if (reading.loads != 1 || reading.loops.empty()) return false;
  const auto& indices = reading.load->access.indices;
  std::set<const Index*> followed;
  for (const Loop* loop : reading.loops) {
    const Index* follower = nullptr;
    for (const Index& index : indices) {
      if (index.kind == IndexKind::kTile || !index.step.Is(1)) return false;
      if (!Mentions(index.start, loop->name)) continue;
      if (follower != nullptr || !StepsOver(index, *loop)) return false;
      follower = &index;
    }
    // One dimension for each loop: sums of loop variables may meet.
    if (follower == nullptr || !followed.insert(follower).second) return false;
  }
  return true;
}

// Elements that lie together in the tensor and in a row of the tile.
Int RunOf(const ir::Access& access) {
  for (size_t i = access.indices.size(); i-- > 0;) {
    const Index& index = access.indices[i];
    if (index.dim.Is(1)) continue;
    return index.kind == IndexKind::kRange ? index.extent.capacity : Int(1);
  }
  return 1;
}

// What a run is cut from, where the tiling chooses how long it is.
Int WholeOf(const ir::Kernel& kernel, const Int& run) {
  for (const ir::TileParameter& parameter : kernel.parameters) {
    if (ir::Same(run, Int::Name(parameter.name))) return parameter.extent;
  }
  return run;
}

Int BytesOfAll(const ir::Kernel& kernel, const code::Kernel& code) {
  Int bytes = 0;
  for (const code::Global& global : code.globals) {
    const ir::Tensor& tensor = kernel.tensors[global.tensor];
    if (tensor.parameter == nullptr || tensor.list) continue;
    bytes =
        bytes + tensor.elements * static_cast<int64_t>(BytesOf(global.dtype));
  }
  return bytes;
}

}  // namespace

void PassL2By(ir::Kernel& tiles, code::Kernel& code) {
  const Finder finder(tiles);
  const Int is_large = Less(kCacheBytes, BytesOfAll(tiles, code));
  std::map<std::string, std::string> made;  // by the condition's text
  for (code::Global& global : code.globals) {
    const ir::Tensor& tensor = tiles.tensors[global.tensor];
    if (tensor.role != ir::TensorRole::kIn || tensor.list) continue;
    const Reading& reading = finder.Of(global.tensor);
    if (!ReadsOnce(reading)) continue;
    Int condition = is_large;
    const Int run = WholeOf(tiles, RunOf(reading.load->access));
    if (!ir::Same(run, tensor.elements)) {
      const auto bytes = static_cast<int64_t>(BytesOf(global.dtype));
      condition = Int::Of(ir::IntKind::kAnd, condition,
                          Less(kLineBytes - 1, run * bytes));
    }
    if (condition.Is(0) || !IsHost(tiles, condition)) continue;
    const std::string text = ToText(condition);
    auto found = made.find(text);
    if (found == made.end()) {
      ir::HostValue value;
      value.name = tiles.FreshName("past_l2");
      value.source = ir::HostSource::kFormula;
      value.formula = condition;
      tiles.host.push_back(value);
      code.fields.push_back(value.name);
      found = made.emplace(text, value.name).first;
    }
    global.past_l2 = Int::Name(found->second);
  }
}

}  // namespace belay::crux::passes
