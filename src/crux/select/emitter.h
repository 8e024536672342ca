// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_SELECT_EMITTER_H_
#define BELAY_CRUX_SELECT_EMITTER_H_

// What instruction selection writes with: names the places of tiles and appends
// code. Selectors (elementwise.h, reduce.h, …) turn one statement of the tile
// IR into calls through it.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "crux/ir/code.h"
#include "crux/ir/tile.h"
#include "crux/select/layout.h"

namespace belay::crux::select {

using code::Arg;
using code::Local;
using code::ScalarPtr;
using code::Word;
using ir::Int;
// The buffer that holds what statements need for themselves.
inline constexpr std::string_view kScratchBuffer = "work";
// The buffer of numbers that stay the same.
inline constexpr std::string_view kConstantsBuffer = "constants";

using TemplateArguments = std::vector<std::variant<DType, std::string>>;

class Emitter {
 public:
  Emitter(const ir::Kernel& tiles, code::Kernel& out);

  const ir::Kernel& kernel() const { return tiles_; }
  const ir::Tile& TileOf(int id) const { return tiles_.tiles[id]; }
  // The dtype the tile has on chip.
  DType DtypeOf(int id) const { return TileOf(id).dtype; }
  const Layout& LayoutOf(int id) const;
  const Padding& padding() const { return layouts_.padding(); }
  const Layouts& layouts() const { return layouts_; }

  // The tile's place, from element `offset` on. Its storage must have been
  // opened (storage.h).
  Local At(int tile, Int offset = 0) const;

  // Memory for the statement at hand, 32-byte aligned, undefined; as large as
  // 256-byte instructions over `elements` need.
  Local Scratch(DType dtype, const Int& elements, std::string_view wish);
  // `value` in every lane of a repeat. What the host knows is written once,
  // before anything else, and must not be written over; else it is scratch.
  Local Filled(DType dtype, const ScalarPtr& value);
  // A buffer that stays from turn to turn, undefined at first.
  std::string Kept(DType dtype, const Int& elements, std::string_view wish);
  // All of a buffer from element `from` on, as a tensor of `dtype`.
  Local AllOf(const std::string& buffer, DType dtype, std::string_view wish,
              const Int& from = 0);
  // A variable that is 0 before anything else, changed by Set.
  Int Counter(std::string_view wish);
  // The same memory seen as another dtype; `tensor.offset` must be 0.
  Local Cast(const Local& tensor, DType dtype, std::string_view wish);
  DType DtypeOf(const Local& tensor) const;
  // A name for what lies from `tensor.offset` on.
  Local Part(const Local& tensor, std::string_view wish);

  // --- code ------------------------------------------------------------------

  // AscendC::function<types…>(args…).
  void Call(std::string function, std::vector<Arg> args,
            TemplateArguments types = {});
  // A name for `value`, or `value` itself when it is a constant or a name.
  Int Let(std::string_view wish, const Int& value);
  void For(std::string_view wish, const Int& low, const Int& high,
           const Int& step, const std::function<void(const Int&)>& body);
  void If(const Int& condition, const std::function<void()>& body,
          const std::function<void()>& otherwise = {});
  // In counter mode one instruction does `count` elements, however many: those
  // that `body` calls, with Unmasked() for the mask.
  void Counting(DType dtype, const Int& count,
                const std::function<void()>& body);
  static Arg Unmasked() { return code::Word{"MASK_PLACEHOLDER"}; }
  void SetValue(const Local& target, ScalarPtr value);
  // A scalar variable of dtype; gives an expression that reads it.
  ScalarPtr LetScalar(std::string_view wish, ScalarPtr value);
  // An integer variable whose value is a scalar expression of integer dtype.
  Int LetInt(std::string_view wish, ScalarPtr value);
  // A variable that changes: declared here, changed by Set.
  Int Variable(std::string_view wish, const Int& value);
  void Set(const Int& variable, const Int& value);
  // A function of the kernel, written the first time it is asked for: `body`
  // gets its own tensors and integers. It may use nothing else, no scratch but
  // what it is handed. Equal names mean equal bodies.
  struct Handed {
    std::string name;
    Local tensor;
  };
  struct HandedInt {
    std::string name;
    Int value;
  };
  void Invoke(const std::string& function, const std::vector<Handed>& tensors,
              const std::vector<HandedInt>& integers,
              const std::function<void(const std::vector<Local>&,
                                       const std::vector<Int>&)>& body);
  void Sync(std::string_view event);    // "V_MTE2"
  void Barrier(std::string_view pipe);  // "PIPE_ALL"
  void Comment(std::string text);
  // kAlloc, kEnQue, kDeQue or kFree of a tensor, called `local`, in `queue`.
  void Queue(code::StmtKind kind, const std::string& queue, DType dtype,
             const std::string& local);
  void Append(code::Stmt&& stmt);  // anything else; line and stage are set

  // Of all that follows.
  void SetLine(int line) { line_ = line; }
  void SetStage(code::Stage stage) { stage_ = stage; }
  std::string FreshName(std::string_view wish);

  // --- for the storage of tiles and the driver -------------------------------

  // Says where a tile is: `local` is declared from now on, with the tile's
  // dtype. Others may have the same memory under other names.
  void Open(int tile, const std::string& local, const std::string& memory);
  const std::string& MemoryOf(int tile) const { return memories_.at(tile); }
  // `tile` is another name of `other`.
  void Alias(int tile, int other) { aliases_[tile] = NamedBy(other); }
  // Every number of `tile` lies in a block of its own from `place` on, `apart`
  // elements from the next, until `holder`, whose memory it is, is stored.
  struct Blocks {
    int holder = -1;
    Local place;
    Int apart;
  };
  void KeepBlocks(int tile, Blocks blocks);
  void DropBlocks(int holder);
  bool HoldsBlocks(int holder) const;
  // Of this tile; null: there are none.
  const Blocks* BlocksOf(int tile) const;
  void Declare(const std::string& local, DType dtype);
  code::Kernel& out() { return out_; }
  // Code goes into `block` while `body` runs.
  void Into(code::Block& block, const std::function<void()>& body);
  // Code goes behind the last statement before all loops that has `local` or a
  // view of it, or waits for what was loaded into it, while `body` runs.
  void BehindLast(const std::string& local, const std::function<void()>& body);
  // The local is written before all loops, and never again.
  void Settle(const std::string& local) { settled_.insert(local); }
  bool IsSettled(const Local& place) const {
    return settled_.contains(place.name);
  }
  // Integers that `body` defines under these names get others.
  void Renaming(const std::vector<std::string>& names,
                const std::function<void()>& body);
  // Between statements: scratch of the last one is free again.
  void EndStatement();
  // Bytes that scratch needs at most.
  Int scratch_bytes() const;
  // What begins counters and writes the numbers that stay the same; the bytes
  // of these.
  code::Block WriteConstants();
  int64_t constant_bytes() const;

 private:
  int NamedBy(int tile) const {
    const auto found = aliases_.find(tile);
    return found == aliases_.end() ? tile : found->second;
  }

  struct Constant {
    DType dtype = DType::kNone;
    ScalarPtr value;
    Local place;
  };

  const ir::Kernel& tiles_;
  code::Kernel& out_;
  Layouts layouts_;
  int line_ = 0;
  code::Stage stage_ = code::Stage::kNone;
  code::Block* block_ = nullptr;
  code::Block* outermost_ = nullptr;
  std::set<std::string> settled_;
  std::map<int, std::string> places_;    // local of a tile
  std::map<int, std::string> memories_;  // what it is a local of
  std::map<int, int> aliases_;           // and what they name
  std::map<int, Blocks> blocks_;
  std::unordered_map<std::string, DType> local_dtypes_;
  std::unordered_map<std::string, int> names_;
  Int scratch_used_;  // by the statement at hand
  // Of statements; none that another is never below.
  std::vector<Int> scratch_totals_;
  std::vector<Constant> constants_;
  std::vector<std::string> counters_;
};

// --- scalar expressions
// --------------------------------------------------------

ScalarPtr Real(DType dtype, double value);
ScalarPtr HostReal(std::string name);
// A constant that an integer dtype does not hold wraps.
ScalarPtr Whole(DType dtype, Int value);
ScalarPtr Element(DType dtype, Local place);  // f16, bf16: reads as f32
ScalarPtr GlobalElement(DType dtype, code::GlobalPart place);
ScalarPtr Unary(std::string op, ScalarPtr a);
ScalarPtr Binary(DType dtype, std::string op, ScalarPtr a, ScalarPtr b);
ScalarPtr Choose(ScalarPtr condition, ScalarPtr a, ScalarPtr b);
ScalarPtr Converted(DType dtype, ScalarPtr a);
ScalarPtr SameBits(DType dtype, ScalarPtr a);
// A number of the tile IR in dtype.
ScalarPtr ScalarOf(const ir::Number& number, DType dtype);

// Calls `body` with the indices of every valid element of a tile with these
// dims, by nested loops.
void ForEachElement(Emitter& emitter, const std::vector<ir::Dim>& dims,
                    const std::function<void(const std::vector<Int>&)>& body);

// The indices under which an operand of `operand_dims` broadcasts to the
// element `indices` of a result: NumPy's rule.
std::vector<Int> BroadcastIndices(const std::vector<ir::Dim>& operand_dims,
                                  const std::vector<Int>& indices);

// --- selectors: one statement each
// --------------------------------------------- Operands and results have
// places when they are called.

// kCompute of the families elementwise, compare, convert, make.
void SelectElementwise(Emitter& emitter, const ir::Stmt& stmt);
// kCompute of the families reduce and scan.
// A reduction may use the tensor `spare`: see StoragePlan. Empty: there is
// none.
void SelectReduce(Emitter& emitter, const ir::Stmt& stmt,
                  const std::string& spare);
void SelectScan(Emitter& emitter, const ir::Stmt& stmt);
// kCompute of the families shape and order, philox.
void SelectShape(Emitter& emitter, const ir::Stmt& stmt);
void SelectOrder(Emitter& emitter, const ir::Stmt& stmt);
void SelectPhilox(Emitter& emitter, const ir::Stmt& stmt);
// kSlice, and kReshape where it moves elements.
void SelectSlice(Emitter& emitter, const ir::Stmt& stmt);
void SelectReshape(Emitter& emitter, const ir::Stmt& stmt);
// Copies `from` to `to`, tiles of equal dtype and dims.
void CopyTile(Emitter& emitter, int to, int from);

// Whether the statement's result may take the memory of operand `i`, whose
// element places are the same: every lane is read before it is written.
bool RunsInPlace(const ir::Kernel& kernel, const ir::Stmt& stmt, size_t i);

}  // namespace belay::crux::select

#endif  // BELAY_CRUX_SELECT_EMITTER_H_
