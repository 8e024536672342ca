// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_IR_CODE_H_
#define BELAY_CRUX_IR_CODE_H_

// A kernel as AscendC: the class a good engineer would write, as data. The last
// form of a program; the printer writes it as text, the runner executes it
// directly, and neither decides anything.
//
// Integers are int64_t variables in C++; names are unique in a kernel. A name
// is a field of the tiling data, a parameter of its function, a kLet, a kRead
// or the variable of a kFor around it.

#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/dtype.h"
#include "crux/ir/integer.h"
#include "crux/ir/tile.h"

namespace belay::crux::code {

using ir::Int;

// What a member GlobalTensor stands for.
struct Global {
  std::string name;  // of the member; printed with a trailing underscore
  DType dtype = DType::kNone;
  int tensor = 0;     // in ir::Kernel::tensors
  bool list = false;  // set to an element by kOpenElement
  Int elements;       // its size, for SetGlobalBuffer
  Int workspace;      // workspace: where it begins, in bytes
  Int past_l2;        // not 0: loads pass the L2 cache by
};

enum class QueuePosition : uint8_t {
  kIn,    // VECIN
  kOut,   // VECOUT
  kBind,  // TQueBind<VECIN, VECOUT>: moved, never computed on
};

// Memory is initialised in this order: buffers in front, queues in front,
// buffers between, queues at the back, buffers at the back.
enum class Rank : uint8_t { kFront, kBetween, kBack };

struct Queue {
  std::string name;
  QueuePosition position = QueuePosition::kIn;
  int depth = 2;  // slots at most
  Int bytes;      // of one slot; a multiple of 32
  Rank rank = Rank::kBack;
  // That are there: `depth`, or fewer where host values say so.
  Int slots = 2;
};

// TBuf<VECCALC>.
struct Buffer {
  std::string name;
  Int bytes;
  Rank rank = Rank::kBack;
};

// A LocalTensor variable, from element `offset` on.
struct Local {
  std::string name;
  Int offset;
};

// A member GlobalTensor, from element `offset` on.
struct GlobalPart {
  std::string name;
  Int offset;
};

struct Scalar;
using ScalarPtr = std::shared_ptr<const Scalar>;

enum class ScalarKind : uint8_t {
  kReal,      // real, in dtype
  kHost,      // name: a float of the tiling data
  kInt,       // integer
  kVariable,  // name: a kScalarLet
  kElement,   // local.GetValue(offset): f16 and bf16 as float
  kGlobal,    // global.GetValue(offset)
  kUnary,     // op args[0]
  kBinary,    // args[0] op args[1]
  kSelect,    // args[0] ? args[1] : args[2]
  kCast,      // static_cast<dtype>(args[0])
  kBits,      // the same bits as dtype
};

// An expression of the scalar unit. C++'s meaning, but integers wrap. Numbers
// of f16 and bf16 have dtype f32 here; storing rounds them to nearest even.
struct Scalar {
  ScalarKind kind = ScalarKind::kReal;
  DType dtype = DType::kFloat;
  double real = 0;
  std::string name;
  Int integer;
  Local local;
  GlobalPart global;
  // C++'s operators: "+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<",
  // "<=", "==", "!=", "&&", "||"; unary "-", "~", "!". Integer / and % cut off;
  // their divisor is not 0. Shifts are below the width.
  std::string op;
  std::vector<ScalarPtr> args;
};

// RoundMode::CAST_RINT, CMPMODE::LT, SELMODE::…, ReduceOrder::…, true, false.
struct Word {
  std::string text;
};

// UnaryRepeatParams{1, 1, 8, 8} and the like: an aggregate by its name.
struct Struct {
  std::string type;  // "BinaryRepeatParams", "DataCopyExtParams", …
  std::vector<Int> fields;
  ScalarPtr padding;  // DataCopyPadExtParams: its last field
};

using Arg = std::variant<Local, GlobalPart, Int, ScalarPtr, Word, Struct>;

enum class StmtKind : uint8_t {
  kComment,    // text: a line for the reader
  kLet,        // const int64_t name = value
  kSet,        // name = value, of a kVariable
  kVariable,   // int64_t name = value
  kScalarLet,  // const dtype name = scalar
  kFor,        // for (int64_t name = value; name < high; name += step)
  kIf,         // if (value) body else otherwise
  kCall,       // AscendC::function<types…, words…>(args…)
  kAlloc,      // LocalTensor<dtype> name = queue.AllocTensor<dtype>()
  kEnQue,      // queue.EnQue(name)
  kDeQue,      // LocalTensor<dtype> name = queue.DeQue<dtype>()
  kFree,       // queue.FreeTensor(name)
  kGet,        // LocalTensor<dtype> name = buffer.Get<dtype>()[value]
  kCast,       // LocalTensor<dtype> name = from.ReinterpretCast<dtype>()[value]
  kSetValue,   // target.SetValue(offset, scalar)
  kSetGlobal,  // global.SetValue(offset, scalar), then the line is cleaned
  kSync,       // one SetFlag and WaitFlag of `text`: "V_MTE2", …
  kBarrier,    // PipeBarrier<text>: "PIPE_ALL", …
  kSyncAll,
  kOpenElement,  // global = tensor number `value` of its list
  kInvoke,       // function(arguments…)
  kFault,        // the kernel ends: text says why
};

struct Stmt;
using Block = std::vector<std::shared_ptr<Stmt>>;

// What a statement is part of; the outliner makes functions of runs.
enum class Stage : uint8_t { kNone, kCopyIn, kCompute, kCopyOut };

struct Stmt {
  StmtKind kind = StmtKind::kComment;
  int line = 0;  // of the Crux program; 0: none
  Stage stage = Stage::kNone;
  std::string name;
  std::string text;
  std::string from;  // queue, buffer or tensor
  DType dtype = DType::kNone;
  Int value;
  Int high;
  Int step = 1;
  ScalarPtr scalar;
  Local target;
  GlobalPart global;
  Block body;
  Block otherwise;
  // kCall: AscendC's name, template arguments in order, arguments.
  std::string function;
  std::vector<std::variant<DType, std::string>> types;
  std::vector<Arg> args;
  std::vector<Int> arguments;        // kInvoke
  std::vector<std::string> tensors;  // kInvoke: LocalTensors handed over
};

// A LocalTensor that a function gets from its caller.
struct TensorParameter {
  std::string name;
  DType dtype = DType::kNone;
};

struct Function {
  std::string name;
  std::vector<std::string> parameters;   // int64_t
  std::vector<TensorParameter> tensors;  // const LocalTensor<dtype>&
  Block body;
};

// A host value that memory on chip grows with, the slots of queues, or halves of
// a row: `most`, or 1 where not even the smallest pieces fit with so many.
struct HostSlots {
  std::string name;
  int64_t most = 2;
};

// One variant: one tiling key.
struct Kernel {
  const ir::Kernel* tiles =
      nullptr;  // where it comes from: host values, tensors
  std::string class_name;
  std::vector<Global> globals;
  std::vector<Queue> queues;
  std::vector<Buffer> buffers;
  std::vector<std::string> fields;  // host values that the device uses
  // The first of them is 1 before the next is.
  std::vector<HostSlots> slots;
  std::vector<Function> functions;  // the last is Process()

  Int ub_bytes;         // all queues and buffers, over host values
  Int block_dim;        // how many cores take part
  Int workspace_bytes;  // of all cores, behind the system's part
};

std::string ToText(const Kernel& kernel);

}  // namespace belay::crux::code

#endif  // BELAY_CRUX_IR_CODE_H_
