// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CRUX_RUN_PROGRAM_H_
#define BELAY_CRUX_RUN_PROGRAM_H_

// A code::Kernel made ready to be executed: names are slots, functions are
// pointers. Nothing in it depends on a call, and it may be run many times.

#include <cstdint>
#include <string>
#include <vector>

#include "base/dtype.h"
#include "crux/ir/code.h"
#include "crux/run/views.h"

namespace belay::crux::run {

// Positions in Program::ints, ::scalars, … of what a step needs.
using IntRef = int32_t;
using ScalarRef = int32_t;

struct IntNode {
  ir::IntKind kind = ir::IntKind::kConstant;
  int64_t value = 0;  // kConstant
  int32_t slot = 0;   // kName; kElement: the array
  IntRef args[3] = {0, 0, 0};
  // kAnd, kOr: in Program::seconds, the work of the second operand.
  int32_t rest = 0;
};

enum class ScalarOp : uint8_t {
  kAdd,
  kSub,
  kMul,
  kDiv,
  kMod,
  kAnd,
  kOr,
  kXor,
  kShiftLeft,
  kShiftRight,
  kLess,
  kLessEqual,
  kEqual,
  kNotEqual,
  kBothTrue,
  kEitherTrue,
  kNegate,
  kInvert,
  kNot,
};

struct TensorRef {
  int32_t slot = 0;
  IntRef offset = 0;
  DType dtype = DType::kNone;
};

// Scalar work, as compiled code would count it.
struct Work {
  int64_t all = 0;
  uint64_t words[2] = {0, 0};  // belay/scalar_work.h
};

struct ScalarNode {
  code::ScalarKind kind = code::ScalarKind::kReal;
  DType dtype = DType::kFloat;
  ScalarOp op = ScalarOp::kAdd;
  float real = 0;
  int32_t slot = 0;    // kHost, kVariable
  IntRef integer = 0;  // kInt
  TensorRef tensor;    // kElement, kGlobal
  ScalarRef args[3] = {0, 0, 0};
  Work rest;     // && and ||: of the second operand, if it is worked out
  Work arms[2];  // kSelect: of the operand that is chosen
};

enum class ArgumentKind : uint8_t { kLocal, kGlobal, kInt, kScalar, kStruct };

struct ArgumentPlan {
  ArgumentKind kind = ArgumentKind::kInt;
  TensorRef tensor;
  IntRef integer = 0;
  ScalarRef scalar = 0;  // kStruct: the padding value; -1: none
  std::vector<IntRef> fields;
};

using Call = void (*)(const Argument* arguments);

struct Step;
using Steps = std::vector<Step>;

struct Step {
  code::StmtKind kind = code::StmtKind::kComment;
  uint64_t place = 0;
  Work work;         // kFor: in front of it
  Work turn;         // kFor: of each turn
  int32_t slot = 0;  // of what is assigned; kFor: its variable
  int32_t from = 0;  // queue, buffer, tensor, global, function, event, pipe
  DType dtype = DType::kNone;
  IntRef value = 0;
  IntRef high = 0;
  IntRef step = 0;
  ScalarRef scalar = 0;
  TensorRef target;
  std::string text;  // kFault
  Call call = nullptr;
  std::vector<ArgumentPlan> arguments;
  std::vector<IntRef> values;    // kInvoke
  std::vector<int32_t> tensors;  // kInvoke
  Steps body;
  Steps otherwise;
};

struct FunctionPlan {
  std::vector<int32_t> parameters;  // slots
  std::vector<int32_t> tensors;
  Steps body;
};

struct GlobalPlan {
  DType dtype = DType::kNone;
  int tensor = 0;
  bool list = false;
  bool workspace = false;
  IntRef elements = 0;
  IntRef offset = 0;   // workspace: in bytes
  IntRef past_l2 = 0;  // a condition
};

struct QueuePlan {
  code::QueuePosition position = code::QueuePosition::kIn;
  int depth = 2;
  IntRef slots = 0;
  IntRef bytes = 0;
  code::Rank rank = code::Rank::kBack;
  uint64_t place = 0;
};

struct BufferPlan {
  IntRef bytes = 0;
  code::Rank rank = code::Rank::kBack;
  uint64_t place = 0;
};

// Where diagnostics are to point: a line of the Crux program, and the name of
// what a message is about.
struct PlacePlan {
  int line = 0;
  std::string name;
};

struct Program {
  std::string kernel;
  std::vector<IntNode> ints;
  std::vector<ScalarNode> scalars;
  std::vector<Work> seconds = {Work{}};
  std::vector<FunctionPlan> functions;  // the last is Process()
  std::vector<GlobalPlan> globals;
  std::vector<QueuePlan> queues;
  std::vector<BufferPlan> buffers;
  std::vector<PlacePlan> places;  // place n is places[n - 1]
  int32_t value_slots = 0;
  int32_t local_slots = 0;
  // Host values the device has: name and slot; arrays: name and number.
  std::vector<std::pair<std::string, int32_t>> integers;
  std::vector<std::pair<std::string, int32_t>> reals;
  std::vector<std::string> arrays;
  int32_t block_slot = 0;   // block_idx
  int32_t blocks_slot = 0;  // block_num
  uint64_t start_place = 0;
  Work start_work;     // before Process()
  bool meets = false;  // whether all cores meet somewhere
};

// Throws InternalError when the kernel names what is not there, or calls what
// the runner does not know.
Program Load(const code::Kernel& kernel);

}  // namespace belay::crux::run

#endif  // BELAY_CRUX_RUN_PROGRAM_H_
