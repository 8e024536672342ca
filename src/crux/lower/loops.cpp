// SPDX-License-Identifier: Apache-2.0
// Loops, the sizes of their pieces, and the variables they carry.

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "crux/lower/lowering.h"

namespace belay::crux::lower {
namespace {

using ir::TileParameter;
using typed::ExprKind;
using typed::LoopKind;

// The bound of a piece whose extent only the device knows.
constexpr int64_t kLongestPiece = 65536;

using LoopNest = std::vector<const typed::Loop*>;

struct PrefixUses {
  std::map<const typed::Variable*, LoopNest> updates;
  std::vector<const typed::Expr*> reads;
};

void CollectPrefixes(const typed::Expr& expr, PrefixUses& uses) {
  if (expr.kind == ExprKind::kAcrossPrefix) uses.reads.push_back(&expr);
  for (const typed::Expr* arg : expr.args) {
    if (arg != nullptr) CollectPrefixes(*arg, uses);
  }
  for (const typed::Subscript& subscript : expr.subscripts) {
    for (const typed::Expr* part :
         {subscript.value, subscript.low, subscript.high, subscript.step}) {
      if (part != nullptr) CollectPrefixes(*part, uses);
    }
  }
}

void CollectPrefixes(const typed::Block& block, LoopNest& nest,
                     PrefixUses& uses) {
  for (const typed::Statement* statement : block) {
    if (statement->kind == typed::StatementKind::kAcrossUpdate &&
        statement->target->kind == ExprKind::kVariable) {
      uses.updates.emplace(statement->target->variable, nest);
    }
    for (const typed::Expr* expr : statement->values) {
      CollectPrefixes(*expr, uses);
    }
    for (const typed::Expr* expr :
         {statement->condition, statement->target, statement->value}) {
      if (expr != nullptr) CollectPrefixes(*expr, uses);
    }
    if (statement->loop != nullptr) {
      const typed::Loop& loop = *statement->loop;
      for (const typed::Expr* expr : {loop.low, loop.high}) {
        if (expr != nullptr) CollectPrefixes(*expr, uses);
      }
      if (loop.kind == LoopKind::kCores) nest.push_back(&loop);
      CollectPrefixes(loop.body, nest, uses);
      if (loop.kind == LoopKind::kCores) nest.pop_back();
    }
    CollectPrefixes(statement->body, nest, uses);
    CollectPrefixes(statement->otherwise, nest, uses);
  }
}

}  // namespace

void Lowering::LinkPrefixLoops() {
  PrefixUses uses;
  LoopNest nest;
  CollectPrefixes(source_.body, nest, uses);
  for (const typed::Expr* read : uses.reads) {
    const auto found = uses.updates.find(read->args[0]->variable);
    if (found == uses.updates.end()) continue;
    for (size_t i = 1; i < read->args.size(); ++i) {
      linked_[read->args[i]->loop] = found->second.at(i - 1);
    }
  }
}

std::vector<ir::Index> Lowering::IterationsOf(
    const std::vector<const typed::Loop*>& loops) const {
  std::vector<ir::Index> iterations;
  for (const typed::Loop* loop : loops) {
    const ir::Loop& lowered = *lowered_.at(loop);
    ir::Index& index = iterations.emplace_back();
    index.start = Int::Name(lowered.name);
    index.dim = lowered.high - lowered.low;
  }
  return iterations;
}

Int Lowering::OuterIterations() {
  Int outer = 1;
  for (const typed::Loop* loop : running_) {
    if (loop->kind != LoopKind::kCores) continue;
    const ir::Loop& lowered = *lowered_.at(loop);
    const Int count = CeilDiv(lowered.high - lowered.low, lowered.step);
    outer = outer * Upper(count).value_or(Int(1));
  }
  return outer;
}

Int Lowering::PieceOf(const typed::Loop& loop, const Int& low,
                      const Int& high) {
  if (loop.tile->type.kind != TypeKind::kAuto) {
    const Int piece = HostInt(*loop.tile);
    Require(Less(0, piece), loop.tile->range,
            "the tile of a loop must be positive");
    return piece;
  }
  const auto link = linked_.find(&loop);
  const typed::Loop* key = link != linked_.end() ? link->second : &loop;
  const auto linked = pieces_.find(key);
  if (linked != pieces_.end()) {
    return Int::Name(pieces_[&loop] = linked->second);
  }

  TileParameter parameter;
  parameter.role = loop.kind == LoopKind::kCores ? TileParameter::Role::kCores
                                                 : TileParameter::Role::kPiece;
  parameter.extent = Upper(high - low).value_or(Int(kLongestPiece));
  if (loop.kind == LoopKind::kCores) parameter.outer = OuterIterations();
  const auto cuts_outer = [&](const TileParameter& other) {
    return std::any_of(
        running_.begin(), running_.end(), [&](const typed::Loop* outer) {
          const auto used = pieces_.find(outer);
          return used != pieces_.end() && used->second == other.name;
        });
  };
  // Loops one after the other cut alike into equal pieces.
  for (const TileParameter& other : kernel_.parameters) {
    if (!cuts_outer(other) && other.role == parameter.role &&
        Same(other.extent, parameter.extent) &&
        Same(other.outer, parameter.outer)) {
      pieces_[key] = other.name;
      pieces_[&loop] = other.name;
      return Int::Name(other.name);
    }
  }
  parameter.name = AddHost(loop.name + "_tile", ir::HostSource::kChosen).name;
  not_negative_.insert(parameter.name);
  pieces_[key] = parameter.name;
  pieces_[&loop] = parameter.name;
  // Of loops in order that follow each other the last is cut first: it stores
  // what the others were for, and they share its memory.
  auto at = kernel_.parameters.end();
  while (parameter.role == TileParameter::Role::kPiece &&
         at != kernel_.parameters.begin() &&
         std::prev(at)->role == TileParameter::Role::kPiece &&
         !cuts_outer(*std::prev(at))) {
    --at;
  }
  kernel_.parameters.insert(at, parameter);
  return Int::Name(parameter.name);
}

std::vector<int> Lowering::EnterHomes(
    const std::vector<const typed::Variable*>& names) {
  std::vector<int> entered;
  const auto cell = [&](const typed::Variable& name, const Int& integer) {
    return Compute(Op::kFull, {IntegerNumber(integer)}, DType::kInt64, {},
                   nullptr, name.range.line);
  };
  for (const typed::Variable* name : names) {
    Value& value = variables_[static_cast<size_t>(name->id)];
    int home = -1;
    if (const int* tile = std::get_if<int>(&value)) {
      home = *tile;
    } else if (const Int* integer = std::get_if<Int>(&value)) {
      home = cell(*name, *integer);
      value = IntegerCell{home};
    } else if (const Range* range = std::get_if<Range>(&value)) {
      const Range copy = *range;
      const int start = cell(*name, copy.start);
      home = cell(*name, copy.step);
      Forget(start);
      value = RangeCell{start, home, copy.extent};
    } else if (const auto* kept = std::get_if<IntegerCell>(&value)) {
      home = kept->tile;
    } else if (const auto* pair = std::get_if<RangeCell>(&value)) {
      home = pair->step;
      Forget(pair->start);
    } else {
      continue;
    }
    Forget(home);
    if (homes_.emplace(name->id, home).second) entered.push_back(name->id);
  }
  return entered;
}

void Lowering::LeaveHomes(const std::vector<int>& ids) {
  for (const int id : ids) homes_.erase(id);
}

void Lowering::LowerLoop(const typed::Loop& loop, int line) {
  if (const auto turns = TurnsToWriteOut(loop)) return WriteOut(loop, *turns);
  const auto id = static_cast<size_t>(loop.id);
  auto lowered = std::make_shared<ir::Loop>();
  lowered->cores = loop.kind == LoopKind::kCores;
  lowered->low = loop.low != nullptr ? IntOf(*loop.low) : Int(0);
  if (loop.kind == LoopKind::kEach) {
    Expr* count = NewExpr(ExprKind::kListCount, TypeKind::kHostInt);
    count->args = {loop.list};
    lowered->high = OpaqueInt(*count, "");
  } else {
    lowered->high = IntOf(*loop.high);
  }
  lowered->reverse = Flag(loop.reverse, false);
  Int step = 1;
  if (loop.step != nullptr) {
    step = IntOf(*loop.step);
    Require(Int::Of(ir::IntKind::kNotEqual, step, 0), loop.step->range,
            "the step of a loop must not be 0");
  }
  const std::vector<int> homes = EnterHomes(loop.carried);

  lowered->name = kernel_.FreshName(loop.name);
  const Int counter = Int::Name(lowered->name);
  loop_names_[id] = counter;
  Bound& bound = bounds_[lowered->name];
  if (loop.tile != nullptr) {
    const Int piece = PieceOf(loop, lowered->low, lowered->high);
    lowered->step = piece;
    lowered->extent = kernel_.FreshName(lowered->name + "_size");
    const Int extent = piece.Is(1) ? Int(1) : Int::Name(lowered->extent);
    bounds_[lowered->extent] = {Int(1), piece};
    loop_extents_[id] = {piece, extent};
    Learn(loop.type.dims[0], extent);
  } else if (step.is_constant() && step.value() > 0) {
    lowered->step = step;
  } else {
    // Counted: the sign of the step may be known only when it runs.
    const Int low = lowered->low;
    lowered->high = Max(0, CeilDiv(lowered->high - low, step));
    lowered->low = 0;
    loop_names_[id] = low + counter * step;
  }
  bound.low = Lower(lowered->low);
  if (const auto high = Upper(lowered->high)) bound.high = *high - Int(1);

  lowered_[&loop] = lowered.get();
  running_.push_back(&loop);
  lowered->body = LowerInside(loop.body);
  running_.pop_back();
  LeaveHomes(homes);
  ir::Stmt& stmt = Emit(ir::StmtKind::kLoop, line);
  stmt.loop = std::move(lowered);
}

}  // namespace belay::crux::lower
