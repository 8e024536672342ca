// SPDX-License-Identifier: Apache-2.0
#include "crux/fuzz/statements.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace belay::crux::fuzz {
namespace {

constexpr int kDepth = 3;  // of expressions

// Restores what a block changes: locals die with it.
class Block {
 public:
  explicit Block(Scope& scope) : scope_(scope), locals_(scope.locals) {
    scope_.Indent();
  }
  ~Block() {
    scope_.Dedent();
    scope_.locals = std::move(locals_);
  }
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

 private:
  Scope& scope_;
  std::vector<Local> locals_;
};

}  // namespace

const Local* Statements::Assignable() {
  std::vector<const Local*> found;
  for (const Local& local : scope_.locals) {
    if (local.assignable) found.push_back(&local);
  }
  return found.empty() ? nullptr : scope_.random.Pick(found);
}

TileType Statements::StorableType() {
  TileType type = expressions_.AnyType();
  if (scope_.shaping == Shaping::kNamed) return type;
  // The only tensors are flat ones: the range itself, or one number for all.
  type.dims.clear();
  for (const LoopAround& loop : scope_.loops) {
    if (loop.range && scope_.random.Chance(80)) type.dims = {loop.dim};
  }
  return type;
}

void Statements::OpenLoop(LoopSort sort, const Dim& size,
                          const std::string& low_high) {
  Random& random = scope_.random;
  static constexpr std::array kWords = {"cores", "tiles", "range"};
  const bool flat = scope_.shaping != Shaping::kNamed && size.size == "*S";
  const bool range = sort != LoopSort::kRange && (flat || random.Chance(60));
  const std::string name = scope_.NewName(range ? "c" : "r");
  std::string tile;
  if (range) {
    tile = random.Chance(60) ? ", tile=auto"
                             : fmt::format(", tile={}", random.Between(1, 12));
  }
  if (sort == LoopSort::kTiles && random.Chance(25)) {
    tile += ", reverse=";
    tile += scope_.flags.empty() || random.Chance(50)
                ? "True"
                : random.Pick(scope_.flags);
  }
  scope_.Line(fmt::format("for {} in {}({}{}):", name,
                          kWords[static_cast<size_t>(sort)], low_high, tile));
  scope_.Indent();
  scope_.loops.push_back({sort, {name, size.size, name}, range});
}

void Statements::Close() {
  scope_.loops.pop_back();
  scope_.Dedent();
}

void Statements::OpenCores() {
  if (scope_.shaping == Shaping::kNamed) {
    const Dim size = scope_.NamedSize();
    OpenLoop(LoopSort::kCores, size, size.text);
    return;
  }
  const bool list = scope_.shaping == Shaping::kList;
  const std::string first =
      scope_.NewInput(expressions_.DtypeFor(OpDtypes::kNumeric), {"*S"});
  if (list) {
    scope_.Line(fmt::format("for i in each({}):", first));
    scope_.Indent();
  }
  OpenLoop(LoopSort::kCores, {"", "*S", ""},
           first + (list ? "[i].size" : ".size"));
}

void Statements::CoresNest() {
  Random& random = scope_.random;
  const bool across = random.Chance(35) && scope_.shaping != Shaping::kList;
  const std::vector<Local> locals = scope_.locals;
  for (Local& local : scope_.locals) local.assignable = false;
  Across value;
  if (across) value = DeclareAcross();
  OpenCores();
  const bool second = scope_.shaping == Shaping::kNamed && random.Chance(50);
  if (second) OpenCores();
  Some(random.Between(1, 4));
  if (across) UpdateAcross(value);
  if (!across || random.Chance(60)) Store();
  if (second) Close();
  Close();
  if (scope_.shaping == Shaping::kList) scope_.Dedent();
  scope_.locals = locals;
  if (across) {
    scope_.Line(
        fmt::format("store({}, {})", scope_.PlaceFor(value.type), value.name));
  }
}

Statements::Across Statements::DeclareAcross() {
  Random& random = scope_.random;
  static constexpr std::array kCombine = {Op::kSum, Op::kMax, Op::kMin,
                                          Op::kAny, Op::kAll};
  Across across;
  across.combine = random.Pick(kCombine);
  const bool logical = across.combine == Op::kAny || across.combine == Op::kAll;
  across.type.dtype =
      expressions_.DtypeFor(logical ? OpDtypes::kBool : OpDtypes::kNumeric);
  if (random.Chance(60)) {
    across.type.dims = {scope_.shaping == Shaping::kNamed
                            ? scope_.NamedSize()
                            : Scope::Literal(random.Between(1, 4))};
  }
  across.name = scope_.NewName("acc");
  scope_.Line(fmt::format("{} = across_cores({}, {})", across.name,
                          InfoOf(across.combine).spelling,
                          ToText(across.type)));
  return across;
}

void Statements::UpdateAcross(const Across& across) {
  const std::string value = expressions_.Tile(across.type, kDepth);
  const std::string& name = across.name;
  switch (across.combine) {
    case Op::kMax:
      scope_.Line(fmt::format("{} = maximum({}, {})", name, name, value));
      break;
    case Op::kMin:
      scope_.Line(fmt::format("{} = minimum({}, {})", name, name, value));
      break;
    case Op::kAny:
      scope_.Line(fmt::format("{} |= {}", name, value));
      break;
    case Op::kAll:
      scope_.Line(fmt::format("{} &= {}", name, value));
      break;
    default:
      scope_.Line(fmt::format("{} += {}", name, value));
  }
}

void Statements::Some(int count) {
  Random& random = scope_.random;
  ++depth_;
  for (int i = 0; i < count; ++i) {
    const int choice = random.Below(depth_ > 2 ? 60 : 100);
    if (choice < 30) {
      Assign();
    } else if (choice < 45) {
      Reassign();
    } else if (choice < 60) {
      Store();
    } else if (choice < 78) {
      Tiles();
    } else if (choice < 86) {
      HostIf();
    } else if (choice < 93) {
      DeviceIf();
    } else {
      Optional();
    }
  }
  --depth_;
}

void Statements::Assign() {
  const TileType type = expressions_.AnyType();
  const std::string value = expressions_.Tile(type, kDepth);
  if (scope_.random.Chance(20)) {
    const TileType other = expressions_.AnyType();
    const std::string second = expressions_.Tile(other, kDepth - 1);
    const std::string a = scope_.NewName("t");
    const std::string b = scope_.NewName("t");
    scope_.Line(fmt::format("{}, {} = {}, {}", a, b, value, second));
    scope_.locals.push_back({a, type});
    scope_.locals.push_back({b, other});
    return;
  }
  const std::string name = scope_.NewName("t");
  scope_.Line(fmt::format("{} = {}", name, value));
  scope_.locals.push_back({name, type});
}

void Statements::Reassign() {
  const Local* found = Assignable();
  if (!found) return Assign();
  const Local local = *found;
  const std::string value = expressions_.Tile(local.type, kDepth);
  if (AllowedBy(OpDtypes::kNumeric, local.type.dtype) &&
      scope_.random.Chance(50)) {
    static constexpr std::array kOperators = {"+=", "-=", "*="};
    scope_.Line(fmt::format("{} {} {}", local.name,
                            scope_.random.Pick(kOperators), value));
  } else {
    scope_.Line(fmt::format("{} = {}", local.name, value));
  }
}

void Statements::Store() {
  const TileType type = StorableType();
  const std::string value = expressions_.Tile(type, kDepth);
  scope_.Line(fmt::format("store({}, {})", scope_.PlaceFor(type), value));
}

void Statements::Tiles() {
  Random& random = scope_.random;
  // A value to carry, made before.
  const TileType type = expressions_.AnyType();
  const std::string first = expressions_.Tile(type, kDepth - 1);
  const std::string name = scope_.NewName("s");
  scope_.Line(fmt::format("{} = {}", name, first));
  scope_.locals.push_back({name, type});
  if (scope_.shaping != Shaping::kNamed || random.Chance(20)) {
    const Dim count = Scope::Literal(random.Between(1, 4));
    OpenLoop(LoopSort::kRange, count, count.text);
  } else {
    const Dim size = scope_.NamedSize();
    const bool part = scope_.ValueOf(size.size) > 1 && random.Chance(20);
    OpenLoop(LoopSort::kTiles, size, part ? "1, " + size.text : size.text);
  }
  const std::vector<Local> locals = scope_.locals;
  Some(random.Between(0, 2));
  const std::string value = expressions_.Tile(type, kDepth);
  scope_.Line(fmt::format("{} = {}", name, value));
  scope_.locals = locals;
  Close();
}

void Statements::HostIf() {
  Random& random = scope_.random;
  const Local* found = Assignable();
  if (!found || scope_.flags.empty()) return Assign();
  const Local local = *found;
  std::string condition = random.Pick(scope_.flags);
  if (scope_.shaping == Shaping::kNamed && random.Chance(40)) {
    const Dim size = scope_.NamedSize();
    condition = fmt::format("{} > {}", size.text, random.Between(1, 20));
  }
  if (random.Chance(20)) condition = "not (" + condition + ")";
  scope_.Line(fmt::format("if {}:", condition));
  {
    const Block block(scope_);
    const std::string value = expressions_.Tile(local.type, kDepth - 1);
    scope_.Line(fmt::format("{} = {}", local.name, value));
    if (random.Chance(30)) Some(1);
  }
  if (random.Chance(50)) {
    scope_.Line("else:");
    const Block block(scope_);
    const std::string value = expressions_.Tile(local.type, kDepth - 1);
    scope_.Line(fmt::format("{} = {}", local.name, value));
  }
}

void Statements::DeviceIf() {
  const Local* found = Assignable();
  if (!found) return Assign();
  const Local local = *found;
  const std::string condition = expressions_.Condition(kDepth - 1);
  scope_.Line(fmt::format("if {}:", condition));
  const Block block(scope_);
  const std::string value = expressions_.Tile(local.type, kDepth - 1);
  scope_.Line(fmt::format("{} = {}", local.name, value));
}

void Statements::Optional() {
  const Local* found = Assignable();
  if (!found || scope_.shaping != Shaping::kNamed) return Assign();
  const Local local = *found;
  if (local.type.dims.empty()) return Assign();
  std::vector<std::string> sizes;
  for (const Dim& dim : local.type.dims) sizes.push_back(dim.size);
  const std::string name =
      scope_.NewOptional(local.type.dtype, sizes, scope_.random.Chance(50));
  scope_.Line(fmt::format("if present({}):", name));
  const Block block(scope_);
  scope_.Line(fmt::format("{} = where({}, {}, load({}))", local.name,
                          expressions_.Condition(1), local.name,
                          scope_.Subscript(name, local.type.dims)));
}

void Statements::FitsVariants() {
  scope_.Line("if fits():");
  {
    const Block block(scope_);
    CoresNest();
  }
  scope_.Line("else:");
  const Block block(scope_);
  CoresNest();
}

}  // namespace belay::crux::fuzz
