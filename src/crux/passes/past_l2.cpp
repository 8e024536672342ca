// SPDX-License-Identifier: Apache-2.0
#include "crux/passes/past_l2.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "crux/passes/accesses.h"
#include "crux/passes/walk.h"

namespace belay::crux::passes {
namespace {

using ir::Index;
using ir::IndexKind;
using ir::Int;

constexpr int64_t kLineBytes = 512;
constexpr int64_t kSectorBytes = 128;  // memory gives so many at a time
// No chip has less.
constexpr int64_t kCacheBytes = int64_t{96} << 20;
// Nor more.
constexpr int64_t kLargeCacheBytes = int64_t{192} << 20;
// Tensors that partly pass by are cut into pieces of so many elements, and of
// so many pieces the first ones do.
constexpr int64_t kPiece = 8192;
constexpr int64_t kPieces = 16;

// Not 0 where a tensor is read once, but for few elements. Loads that stand
// together are of different parts, or one would do.
Int ReadsOnce(const std::vector<AccessAt>& accesses) {
  if (accesses.empty()) return 0;
  Int once = 1;
  for (const AccessAt& one : accesses) {
    if (!one.loads() || one.block != accesses[0].block) return 0;
    once = Int::Of(ir::IntKind::kAnd, once, TouchesFewTwice(one));
  }
  return once;
}

// Whether a tensor is read in several sweeps, once in each, with all cores
// meeting between them.
bool ReadsInSweeps(const std::vector<AccessAt>& accesses) {
  std::set<size_t> sweeps;
  return accesses.size() > 1 &&
         std::all_of(accesses.begin(), accesses.end(),
                     [&](const AccessAt& one) {
                       return one.loads() && TouchesOnce(one) &&
                              sweeps.insert(one.part).second;
                     });
}

// Whether a tensor that is read in sweeps would push out others that are read
// in the same ones and written in the end: their lines are needed anyway.
bool CrowdsOut(const ir::Kernel& kernel,
               const std::vector<std::vector<AccessAt>>& accesses,
               const std::vector<AccessAt>& of) {
  if (!ReadsInSweeps(of)) return false;
  for (const ir::Tensor& other : kernel.tensors) {
    if (other.role != ir::TensorRole::kInOut || other.list) continue;
    const auto& seen = accesses[static_cast<size_t>(other.id)];
    const auto loads =
        std::count_if(seen.begin(), seen.end(),
                      [](const AccessAt& one) { return one.loads(); });
    if (static_cast<size_t>(loads) == of.size()) return true;
  }
  return false;
}

// How many of kPieces do not fit beside all other tensors.
Int PiecesTooMany(const Int& bytes, const Int& all_bytes) {
  const Int room = Max(0, kLargeCacheBytes - (all_bytes - bytes));
  return kPieces - Min(kPieces, FloorDiv(room * kPieces, Max(1, bytes)));
}

// Calls that load from `global` load from `past` where it is one of the first
// `pieces` pieces of kPieces.
void LoadPiecesFrom(code::Block& block, const std::string& global,
                    const std::string& past, const Int& pieces) {
  for (auto& stmt : block) {
    LoadPiecesFrom(stmt->body, global, past, pieces);
    LoadPiecesFrom(stmt->otherwise, global, past, pieces);
    for (size_t i = 0; i < stmt->args.size(); ++i) {
      const auto* part = std::get_if<code::GlobalPart>(&stmt->args[i]);
      if (part == nullptr || part->name != global) continue;
      auto other = std::make_shared<code::Stmt>(*stmt);
      std::get<code::GlobalPart>(other->args[i]).name = past;
      auto choice = std::make_shared<code::Stmt>();
      choice->kind = code::StmtKind::kIf;
      choice->line = stmt->line;
      choice->stage = stmt->stage;
      choice->value =
          Less(Mod(FloorDiv(part->offset, kPiece), kPieces), pieces);
      choice->body = {other};
      choice->otherwise = {stmt};
      stmt = choice;
      break;
    }
  }
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

// What a run is cut from, where the tiling chooses how long it is. One element
// of each row that runs at a time is a short run: rows may be few.
Int WholeOf(const ir::Kernel& kernel, const Int& run) {
  for (const ir::TileParameter& parameter : kernel.parameters) {
    if (parameter.role != ir::TileParameter::Role::kRows &&
        ir::Same(run, Int::Name(parameter.name))) {
      return parameter.extent;
    }
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
  const auto accesses = AccessesOf(tiles);
  const Int all_bytes = BytesOfAll(tiles, code);
  const Int is_large = Less(kCacheBytes, all_bytes);
  std::map<std::string, std::string> made;  // by the formula's text
  std::vector<code::Global> added;
  for (code::Global& global : code.globals) {
    const ir::Tensor& tensor = tiles.tensors[global.tensor];
    if (tensor.role != ir::TensorRole::kIn || tensor.list) continue;
    const auto size = static_cast<int64_t>(BytesOf(global.dtype));
    const std::vector<AccessAt>& of = accesses[global.tensor];
    Int past = Int::Of(ir::IntKind::kAnd, is_large, ReadsOnce(of));
    const bool pieces = past.Is(0) && CrowdsOut(tiles, accesses, of);
    if (pieces) past = PiecesTooMany(tensor.elements * size, all_bytes);
    if (past.Is(0)) continue;
    const Int run = WholeOf(tiles, RunOf(of[0].stmt->access));
    if (!ir::Same(run, tensor.elements)) {
      const Int bytes = run * size;
      Int suits = Less(kLineBytes - 1, bytes);
      // Shorter ones where they are whole sectors: else ends are read again.
      // Many short rows on lanes are one run.
      if (!tiles.rows_on_lanes) {
        suits =
            Int::Of(ir::IntKind::kOr, suits,
                    Int::Of(ir::IntKind::kEqual, Mod(bytes, kSectorBytes), 0));
      }
      past = pieces ? Int::Select(suits, past, 0)
                    : Int::Of(ir::IntKind::kAnd, past, suits);
    }
    if (past.Is(0) || !IsHost(tiles, past)) continue;
    const std::string text = ToText(past);
    auto found = made.find(text);
    if (found == made.end()) {
      ir::HostValue value;
      value.name = tiles.FreshName("past_l2");
      value.source = ir::HostSource::kFormula;
      value.formula = past;
      tiles.host.push_back(value);
      code.fields.push_back(value.name);
      found = made.emplace(text, value.name).first;
    }
    if (!pieces) {
      global.past_l2 = Int::Name(found->second);
      continue;
    }
    added.push_back(global);
    added.back().name = tiles.FreshName(global.name + "_past");
    added.back().past_l2 = 1;
    for (code::Function& function : code.functions) {
      LoadPiecesFrom(function.body, global.name, added.back().name,
                     Int::Name(found->second));
    }
  }
  code.globals.insert(code.globals.end(), added.begin(), added.end());
}

}  // namespace belay::crux::passes
