// SPDX-License-Identifier: Apache-2.0
#include "crux/select/emitter.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "base/error.h"
#include "crux/ir/bounds.h"
#include "crux/ir/code_names.h"
#include "crux/ir/code_rewrite.h"
#include "crux/passes/walk.h"

namespace belay::crux::select {

using code::ScalarKind;
using code::Stmt;
using code::StmtKind;

namespace {

constexpr int64_t kRepeatBytes = 256;
constexpr size_t kMostConstants = 8;

bool IsKnownToHost(const ir::Kernel& kernel, const code::Scalar& value) {
  return value.kind == ScalarKind::kReal || value.kind == ScalarKind::kHost ||
         (value.kind == ScalarKind::kInt &&
          passes::IsHost(kernel, value.integer));
}

// Of numbers that the host knows.
bool AreSame(const code::Scalar& a, const code::Scalar& b) {
  return a.kind == b.kind && a.dtype == b.dtype &&
         std::bit_cast<uint64_t>(a.real) == std::bit_cast<uint64_t>(b.real) &&
         a.name == b.name && Same(a.integer, b.integer) &&
         (a.kind == ScalarKind::kReal || a.kind == ScalarKind::kHost ||
          a.kind == ScalarKind::kInt);
}

}  // namespace

Emitter::Emitter(const ir::Kernel& tiles, code::Kernel& out)
    : tiles_(tiles), out_(out), layouts_(tiles) {
  names_[std::string(kScratchBuffer)] = 1;
  names_[std::string(kConstantsBuffer)] = 1;
}

const Layout& Emitter::LayoutOf(int id) const { return layouts_[id]; }

Local Emitter::At(int tile, Int offset) const {
  const auto found = places_.find(tile);
  if (found == places_.end()) {
    throw InternalError("[crux] tile '" + TileOf(tile).name +
                        "' has no place here");
  }
  return {found->second, std::move(offset)};
}

Local Emitter::Scratch(DType dtype, const Int& elements,
                       std::string_view wish) {
  const Int bytes =
      AlignUp(elements * static_cast<int64_t>(BytesOf(dtype)), 512);
  const std::string name = FreshName(wish);
  Stmt get;
  get.kind = StmtKind::kGet;
  get.name = name;
  get.from = std::string(kScratchBuffer);
  get.dtype = dtype;
  get.value = FloorDiv(scratch_used_, static_cast<int64_t>(BytesOf(dtype)));
  Append(std::move(get));
  Declare(name, dtype);
  scratch_used_ = scratch_used_ + bytes;
  return {name, 0};
}

Local Emitter::Filled(DType dtype, const ScalarPtr& value) {
  const Int lanes = kRepeatBytes / static_cast<int64_t>(BytesOf(dtype));
  const auto known = std::find_if(
      constants_.begin(), constants_.end(), [&](const Constant& one) {
        return one.dtype == dtype && AreSame(*one.value, *value);
      });
  if (known != constants_.end()) return known->place;
  if (IsKnownToHost(tiles_, *value) && constants_.size() < kMostConstants) {
    const Local place{FreshName("constant"), 0};
    Declare(place.name, dtype);
    constants_.push_back({dtype, value, place});
    return place;
  }
  const Local place = Scratch(dtype, lanes, "constant");
  Call("Duplicate", {place, value, lanes});
  return place;
}

std::string Emitter::Kept(DType dtype, const Int& elements,
                          std::string_view wish) {
  out_.buffers.push_back(
      {FreshName(std::string(wish) + "_buffer"),
       AlignUp(elements * static_cast<int64_t>(BytesOf(dtype)), 512)});
  return out_.buffers.back().name;
}

Local Emitter::AllOf(const std::string& buffer, DType dtype,
                     std::string_view wish, const Int& from) {
  Stmt get;
  get.kind = StmtKind::kGet;
  get.name = FreshName(wish);
  get.from = buffer;
  get.dtype = dtype;
  get.value = from;
  const Local all{get.name, 0};
  Declare(all.name, dtype);
  Append(std::move(get));
  return all;
}

Int Emitter::Counter(std::string_view wish) {
  counters_.push_back(FreshName(wish));
  return Int::Name(counters_.back());
}

int64_t Emitter::constant_bytes() const {
  return kRepeatBytes * static_cast<int64_t>(constants_.size());
}

code::Block Emitter::WriteConstants() {
  code::Block block;
  stage_ = code::Stage::kNone;
  Into(block, [&] {
    for (const std::string& name : counters_) {
      Stmt variable;
      variable.kind = StmtKind::kVariable;
      variable.name = name;
      variable.value = 0;
      Append(std::move(variable));
    }
    int64_t offset = 0;
    for (const Constant& constant : constants_) {
      const auto size = static_cast<int64_t>(BytesOf(constant.dtype));
      Stmt get;
      get.kind = StmtKind::kGet;
      get.name = constant.place.name;
      get.from = std::string(kConstantsBuffer);
      get.dtype = constant.dtype;
      get.value = offset / size;
      Append(std::move(get));
      Call("Duplicate", {constant.place, constant.value, kRepeatBytes / size});
      offset += kRepeatBytes;
    }
  });
  return block;
}

Local Emitter::Cast(const Local& tensor, DType dtype, std::string_view wish) {
  if (!tensor.offset.Is(0)) {
    throw InternalError("[crux] a part of a tensor cannot change its dtype");
  }
  const std::string name = FreshName(wish);
  Stmt cast;
  cast.kind = StmtKind::kCast;
  cast.name = name;
  cast.from = tensor.name;
  cast.dtype = dtype;
  Append(std::move(cast));
  Declare(name, dtype);
  return {name, 0};
}

Local Emitter::Part(const Local& tensor, std::string_view wish) {
  Stmt part;
  part.kind = StmtKind::kCast;
  part.name = FreshName(wish);
  part.from = tensor.name;
  part.dtype = DtypeOf(tensor);
  part.value = tensor.offset;
  Local result{part.name, 0};
  Declare(part.name, part.dtype);
  Append(std::move(part));
  return result;
}

DType Emitter::DtypeOf(const Local& tensor) const {
  const auto found = local_dtypes_.find(tensor.name);
  if (found == local_dtypes_.end()) {
    throw InternalError("[crux] no tensor '" + tensor.name + "'");
  }
  return found->second;
}

void Emitter::Call(std::string function, std::vector<Arg> args,
                   TemplateArguments types) {
  Stmt call;
  call.kind = StmtKind::kCall;
  call.function = std::move(function);
  call.args = std::move(args);
  call.types = std::move(types);
  Append(std::move(call));
}

void Emitter::Counting(DType dtype, const Int& count,
                       const std::function<void()>& body) {
  Call("SetMaskCount", {});
  Call("SetVectorMask", {Int(0), count},
       {dtype, std::string("MaskMode::COUNTER")});
  body();
  Call("SetMaskNorm", {});
  Call("ResetMask", {});
}

Int Emitter::Let(std::string_view wish, const Int& value) {
  if (value.is_constant() || value.kind() == ir::IntKind::kName) return value;
  Stmt let;
  let.kind = StmtKind::kLet;
  let.name = FreshName(wish);
  let.value = value;
  const Int name = Int::Name(let.name);
  Append(std::move(let));
  return name;
}

void Emitter::For(std::string_view wish, const Int& low, const Int& high,
                  const Int& step,
                  const std::function<void(const Int&)>& body) {
  // A single turn needs no loop.
  if (low.is_constant() && high.is_constant() && step.is_constant()) {
    if (high.value() <= low.value()) return;
    if (high.value() - low.value() <= step.value()) return body(low);
  }
  Stmt loop;
  loop.kind = StmtKind::kFor;
  loop.name = FreshName(wish);
  loop.value = low;
  loop.high = high;
  loop.step = step;
  Into(loop.body, [&] { body(Int::Name(loop.name)); });
  if (!loop.body.empty()) Append(std::move(loop));
}

void Emitter::If(const Int& condition, const std::function<void()>& body,
                 const std::function<void()>& otherwise) {
  if (condition.is_constant()) {
    if (condition.value() != 0) {
      body();
    } else if (otherwise) {
      otherwise();
    }
    return;
  }
  Stmt branch;
  branch.kind = StmtKind::kIf;
  branch.value = condition;
  // One of the two needs scratch, not both.
  const Int before = scratch_used_;
  Into(branch.body, body);
  const Int used = std::exchange(scratch_used_, before);
  if (otherwise) Into(branch.otherwise, otherwise);
  if (!Same(used, scratch_used_)) {
    scratch_used_ = passes::IsHost(tiles_, condition)
                        ? Int::Select(condition, used, scratch_used_)
                        : Max(used, scratch_used_);
  }
  if (branch.body.empty() && branch.otherwise.empty()) return;
  Append(std::move(branch));
}

void Emitter::SetValue(const Local& target, ScalarPtr value) {
  Stmt set;
  set.kind = StmtKind::kSetValue;
  set.target = target;
  set.scalar = std::move(value);
  Append(std::move(set));
}

ScalarPtr Emitter::LetScalar(std::string_view wish, ScalarPtr value) {
  Stmt let;
  let.kind = StmtKind::kScalarLet;
  let.name = FreshName(wish);
  let.dtype = value->dtype;
  let.scalar = value;
  auto read = std::make_shared<code::Scalar>();
  read->kind = code::ScalarKind::kVariable;
  read->dtype = value->dtype;
  read->name = let.name;
  Append(std::move(let));
  return read;
}

Int Emitter::LetInt(std::string_view wish, ScalarPtr value) {
  Stmt let;
  let.kind = StmtKind::kScalarLet;
  let.name = FreshName(wish);
  let.dtype = DType::kInt64;
  let.scalar = Converted(DType::kInt64, std::move(value));
  const Int name = Int::Name(let.name);
  Append(std::move(let));
  return name;
}

Int Emitter::Variable(std::string_view wish, const Int& value) {
  Stmt variable;
  variable.kind = StmtKind::kVariable;
  variable.name = FreshName(wish);
  variable.value = value;
  const Int name = Int::Name(variable.name);
  Append(std::move(variable));
  return name;
}

void Emitter::Set(const Int& variable, const Int& value) {
  Stmt set;
  set.kind = StmtKind::kSet;
  set.name = variable.name();
  set.value = value;
  Append(std::move(set));
}

void Emitter::Invoke(const std::string& function,
                     const std::vector<Handed>& tensors,
                     const std::vector<HandedInt>& integers,
                     const std::function<void(const std::vector<Local>&,
                                              const std::vector<Int>&)>& body) {
  const bool known =
      std::any_of(out_.functions.begin(), out_.functions.end(),
                  [&](const auto& one) { return one.name == function; });
  if (!known) {
    code::Function made;
    made.name = function;
    std::vector<Local> own_tensors;
    std::vector<Int> own_integers;
    for (const Handed& one : tensors) {
      // Names of parameters are free in every function.
      const std::string name = FreshName(one.name);
      made.tensors.push_back({name, DtypeOf(one.tensor)});
      Declare(name, DtypeOf(one.tensor));
      own_tensors.push_back({name, 0});
    }
    for (const HandedInt& one : integers) {
      const std::string name = FreshName(one.name);
      made.parameters.push_back(name);
      own_integers.push_back(Int::Name(name));
    }
    const code::Stage stage = std::exchange(stage_, code::Stage::kNone);
    Into(made.body, [&] { body(own_tensors, own_integers); });
    stage_ = stage;
    out_.functions.push_back(std::move(made));
  }
  Stmt call;
  call.kind = StmtKind::kInvoke;
  call.function = function;
  for (const Handed& one : tensors) {
    if (one.tensor.offset.Is(0)) {
      call.tensors.push_back(one.tensor.name);
      continue;
    }
    call.tensors.push_back(Part(one.tensor, one.tensor.name + "_part").name);
  }
  for (const HandedInt& one : integers) call.arguments.push_back(one.value);
  Append(std::move(call));
}

void Emitter::Sync(std::string_view event) {
  Stmt sync;
  sync.kind = StmtKind::kSync;
  sync.text = event;
  Append(std::move(sync));
}

void Emitter::Barrier(std::string_view pipe) {
  Stmt barrier;
  barrier.kind = StmtKind::kBarrier;
  barrier.text = pipe;
  Append(std::move(barrier));
}

void Emitter::Comment(std::string text) {
  Stmt comment;
  comment.kind = StmtKind::kComment;
  comment.text = std::move(text);
  Append(std::move(comment));
}

void Emitter::Queue(code::StmtKind kind, const std::string& queue, DType dtype,
                    const std::string& local) {
  Stmt stmt;
  stmt.kind = kind;
  stmt.name = local;
  stmt.from = queue;
  stmt.dtype = dtype;
  Append(std::move(stmt));
}

void Emitter::Append(Stmt&& stmt) {
  if (block_ == nullptr) throw InternalError("[crux] code outside a block");
  stmt.line = line_;
  stmt.stage = stage_;
  block_->push_back(std::make_shared<Stmt>(std::move(stmt)));
}

std::string Emitter::FreshName(std::string_view wish) {
  std::string base(wish);
  for (;;) {
    const int before = tiles_.used_names.contains(base) ? 1 : 0;
    const int seen = names_.try_emplace(base, before).first->second++;
    std::string name = seen == 0 ? base : base + std::to_string(seen);
    if (seen == 0 ||
        (!tiles_.used_names.contains(name) && names_.emplace(name, 1).second)) {
      return name;
    }
  }
}

void Emitter::Open(int tile, const std::string& local,
                   const std::string& memory) {
  places_[tile] = local;
  memories_[tile] = memory;
  Declare(local, DtypeOf(tile));
}

void Emitter::KeepBlocks(int tile, Blocks blocks) {
  blocks_[NamedBy(tile)] = std::move(blocks);
}

void Emitter::DropBlocks(int holder) {
  std::erase_if(blocks_,
                [&](const auto& one) { return one.second.holder == holder; });
}

bool Emitter::HoldsBlocks(int holder) const {
  return std::any_of(blocks_.begin(), blocks_.end(), [&](const auto& one) {
    return one.second.holder == holder;
  });
}

const Emitter::Blocks* Emitter::BlocksOf(int tile) const {
  const auto found = blocks_.find(NamedBy(tile));
  return found == blocks_.end() ? nullptr : &found->second;
}

void Emitter::Declare(const std::string& local, DType dtype) {
  local_dtypes_[local] = dtype;
}

void Emitter::Into(code::Block& block, const std::function<void()>& body) {
  if (outermost_ == nullptr) outermost_ = &block;
  code::Block* const outer = std::exchange(block_, &block);
  body();
  block_ = outer;
}

void Emitter::BehindLast(const std::string& local,
                         const std::function<void()>& body) {
  code::Block made;
  Into(made, body);
  code::Block& all = *outermost_;
  std::set<std::string> views = {local};  // it, and what is made of it
  auto behind = all.begin();
  for (auto at = all.begin(); at != all.end(); ++at) {
    code::NamesIn names;
    code::AddNames(**at, names);
    const auto has = [&](const auto& some) {
      return std::ranges::any_of(
          some, [&](const std::string& name) { return views.contains(name); });
    };
    const bool uses = has(names.tensors);
    if (uses) {
      views.insert(names.defined_tensors.begin(), names.defined_tensors.end());
    }
    if (uses || has(names.defined_tensors) ||
        (*at)->kind == StmtKind::kSync) {
      behind = std::next(at);
    }
  }
  all.insert(behind, made.begin(), made.end());
}

void Emitter::Renaming(const std::vector<std::string>& names,
                       const std::function<void()>& body) {
  code::Block made;
  Into(made, body);
  std::map<std::string, std::string> renamed;
  for (const std::string& name : names) {
    renamed[name] = FreshName("next_" + name);
  }
  for (const auto& stmt : made) {
    const auto found = renamed.find(stmt->name);
    if (stmt->kind == StmtKind::kLet && found != renamed.end()) {
      stmt->name = found->second;
    }
  }
  code::RewriteInts(made, [&](Int& expr) {
    expr = Substitute(expr, [&](const std::string& name) {
      const auto found = renamed.find(name);
      return found == renamed.end() ? std::nullopt
                                    : std::optional(Int::Name(found->second));
    });
  });
  std::move(made.begin(), made.end(), std::back_inserter(*block_));
}

Int Emitter::scratch_bytes() const {
  Int most = scratch_totals_.empty() ? Int(0) : scratch_totals_[0];
  for (const Int& one : scratch_totals_) most = Max(most, one);
  return most;
}

void Emitter::EndStatement() {
  const Int used = std::exchange(scratch_used_, Int(0));
  const bool covered =
      std::any_of(scratch_totals_.begin(), scratch_totals_.end(),
                  [&](const Int& one) { return ir::IsAtLeast(one, used); });
  if (covered) return;
  std::erase_if(scratch_totals_,
                [&](const Int& one) { return ir::IsAtLeast(used, one); });
  scratch_totals_.push_back(used);
}

}  // namespace belay::crux::select
