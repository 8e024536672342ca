// SPDX-License-Identifier: Apache-2.0
#include "crux/run/execute.h"

#include <new>
#include <variant>

#include "crux/run/call_tags.h"
#include "crux/run/work.h"
#include "runtime/guest_fault.h"

namespace belay::crux::run {
namespace {

using AscendC::TPosition;
using code::StmtKind;

// Depth is a member of their state: one type each serves all depths.
using InQueue = AscendC::TQue<TPosition::VECIN, 1>;
using OutQueue = AscendC::TQue<TPosition::VECOUT, 1>;
using BindQueue = AscendC::TQueBind<TPosition::VECIN, TPosition::VECOUT, 1>;
using AnyQueue = std::variant<InQueue, OutQueue, BindQueue>;

AnyQueue MakeQueue(const QueuePlan& plan) {
  AnyQueue queue;
  if (plan.position == code::QueuePosition::kOut) queue = OutQueue();
  if (plan.position == code::QueuePosition::kBind) queue = BindQueue();
  std::visit(
      [&](auto& made) {
        made.State()->depth = static_cast<uint8_t>(plan.depth);
      },
      queue);
  return queue;
}

template <typename T>
LocalView ViewOf(const AscendC::LocalTensor<T>& tensor) {
  return {tensor.GetPhyAddr(), tensor.GetLength(),
          static_cast<uint8_t>(tensor.GetPosition()), tensor.BufferStart(),
          tensor.BufferBytes()};
}

// Calls f with a value of the C++ type of the dtype.
template <typename F>
void WithType(DType dtype, F f) {
  switch (dtype) {
    case DType::kInt8:
      return f(int8_t{});
    case DType::kBool:
    case DType::kUint8:
      return f(uint8_t{});
    case DType::kInt16:
      return f(int16_t{});
    case DType::kUint16:
      return f(uint16_t{});
    case DType::kHalf:
      return f(half{});
    case DType::kBfloat16:
      return f(bfloat16_t{});
    case DType::kInt32:
      return f(int32_t{});
    case DType::kUint32:
      return f(uint32_t{});
    case DType::kFloat:
      return f(float{});
    case DType::kInt64:
      return f(int64_t{});
    default:
      return f(uint64_t{});
  }
}

void SetNumber(const Frame& frame, ScalarRef scalar, Argument& argument) {
  argument.is_real = IsReal(frame, scalar);
  if (argument.is_real) {
    argument.real = EvaluateReal(frame, scalar);
  } else {
    argument.whole = EvaluateWhole(frame, scalar);
  }
}

void SetArgument(const Frame& frame, const ArgumentPlan& plan,
                 Argument& argument) {
  switch (plan.kind) {
    case ArgumentKind::kLocal:
      argument.local = At(frame, plan.tensor);
      break;
    case ArgumentKind::kGlobal:
      argument.global = GlobalAt(frame, plan.tensor);
      break;
    case ArgumentKind::kInt:
      argument.whole = EvaluateInt(frame, plan.integer);
      break;
    case ArgumentKind::kScalar:
      SetNumber(frame, plan.scalar, argument);
      break;
    case ArgumentKind::kStruct:
      for (size_t i = 0; i < plan.fields.size(); ++i) {
        argument.fields[i] = EvaluateInt(frame, plan.fields[i]);
      }
      if (plan.scalar >= 0) SetNumber(frame, plan.scalar, argument);
      break;
  }
}

}  // namespace

struct BlockRun::Members {
  // A pipe lives on the fiber only: it is not destroyed with a block that a
  // fault ended.
  alignas(AscendC::TPipe) std::byte pipe_memory[sizeof(AscendC::TPipe)];
  AscendC::TPipe* pipe = nullptr;
  std::vector<AnyQueue> queues;
  std::vector<AscendC::TBuf<TPosition::VECCALC>> buffers;
};

BlockRun::BlockRun(const Launch& launch, const HostTable& host)
    : launch_(launch),
      program_(*launch.program),
      frame_(program_, host),
      members_(std::make_unique<Members>()) {
  for (const QueuePlan& queue : program_.queues) {
    members_->queues.push_back(MakeQueue(queue));
  }
  members_->buffers.resize(program_.buffers.size());
}

BlockRun::~BlockRun() = default;

void BlockRun::State(uint64_t place) const {
  runtime::stated_place = launch_.place_base + place;
}

void BlockRun::Run() {
  State(program_.start_place);
  frame_.values[static_cast<size_t>(program_.block_slot)] =
      AscendC::GetBlockIdx();
  frame_.values[static_cast<size_t>(program_.blocks_slot)] =
      AscendC::GetBlockNum();
  if (launch_.tiling_bytes != 0) {
    const auto* tiling = reinterpret_cast<const void*>(launch_.tiling);
    belay_require_tiling(tiling, launch_.tiling_bytes);
    belay_read(tiling, launch_.tiling_bytes);
  }
  members_->pipe = new (members_->pipe_memory) AscendC::TPipe;
  Spend(program_.start_work);
  SetGlobals();
  InitMembers();
  Execute(program_.functions.back().body);
  State(program_.start_place);
  members_->pipe->~TPipe();
  members_->pipe = nullptr;
}

void BlockRun::SetGlobals() {
  for (size_t i = 0; i < program_.globals.size(); ++i) {
    const GlobalPlan& plan = program_.globals[i];
    if (plan.list) continue;
    const uint64_t address =
        plan.workspace
            ? launch_.workspace + static_cast<uint64_t>(Int(plan.offset))
            : launch_.tensors[static_cast<size_t>(plan.tensor)];
    frame_.globals[i] = {address, address,
                         static_cast<uint64_t>(Int(plan.elements)),
                         Int(plan.past_l2) != 0};
  }
}

void BlockRun::InitMembers() {
  InitBuffers(code::Rank::kFront);
  InitQueues(code::Rank::kFront);
  InitBuffers(code::Rank::kBetween);
  InitQueues(code::Rank::kBack);
  InitBuffers(code::Rank::kBack);
}

void BlockRun::InitQueues(code::Rank rank) {
  for (size_t i = 0; i < program_.queues.size(); ++i) {
    const QueuePlan& plan = program_.queues[i];
    if (plan.rank != rank) continue;
    State(plan.place);
    std::visit(
        [&](auto& queue) {
          members_->pipe->InitBuffer(queue,
                                     static_cast<uint8_t>(Int(plan.slots)),
                                     static_cast<uint32_t>(Int(plan.bytes)));
        },
        members_->queues[i]);
  }
}

void BlockRun::InitBuffers(code::Rank rank) {
  for (size_t i = 0; i < program_.buffers.size(); ++i) {
    const BufferPlan& plan = program_.buffers[i];
    if (plan.rank != rank) continue;
    State(plan.place);
    members_->pipe->InitBuffer(members_->buffers[i],
                               static_cast<uint32_t>(Int(plan.bytes)));
  }
}

void BlockRun::Execute(const Steps& steps) {
  for (const Step& step : steps) {
    State(step.place);
    Execute(step);
  }
}

void BlockRun::Loop(const Step& step) {
  int64_t& variable = frame_.values[static_cast<size_t>(step.slot)];
  const int64_t stride = Int(step.step);
  for (variable = Int(step.value); variable < Int(step.high);
       variable += stride) {
    Spend(step.turn);
    Execute(step.body);
  }
}

void BlockRun::CallFunction(const Step& step) {
  Argument arguments[kMostArguments];
  for (size_t i = 0; i < step.arguments.size(); ++i) {
    SetArgument(frame_, step.arguments[i], arguments[i]);
  }
  step.call(arguments);
  if (step.slot >= 0) {
    frame_.values[static_cast<size_t>(step.slot)] =
        static_cast<int64_t>(last_gathered);
  }
}

void BlockRun::Invoke(const Step& step) {
  const FunctionPlan& function =
      program_.functions[static_cast<size_t>(step.from)];
  for (size_t i = 0; i < step.values.size(); ++i) {
    frame_.values[static_cast<size_t>(function.parameters[i])] =
        Int(step.values[i]);
  }
  for (size_t i = 0; i < step.tensors.size(); ++i) {
    frame_.locals[static_cast<size_t>(function.tensors[i])] =
        frame_.locals[static_cast<size_t>(step.tensors[i])];
  }
  Execute(function.body);
}

void BlockRun::UseQueue(const Step& step) {
  LocalView& view = frame_.locals[static_cast<size_t>(step.slot)];
  std::visit(
      [&](auto& queue) {
        switch (step.kind) {
          case StmtKind::kAlloc:
            view = ViewOf(queue.template AllocTensor<uint8_t>());
            break;
          case StmtKind::kDeQue:
            view = ViewOf(queue.template DeQue<uint8_t>());
            break;
          case StmtKind::kEnQue:
            queue.EnQue(LocalAs<uint8_t>(view));
            break;
          default: {
            auto tensor = LocalAs<uint8_t>(view);
            queue.FreeTensor(tensor);
          }
        }
      },
      members_->queues[static_cast<size_t>(step.from)]);
}

void BlockRun::SetValue(const Step& step) {
  Argument number;
  SetNumber(frame_, step.scalar, number);
  const LocalView& view = frame_.locals[static_cast<size_t>(step.target.slot)];
  const auto index = static_cast<uint64_t>(Int(step.target.offset));
  WithType(step.target.dtype, [&](auto zero) {
    using T = decltype(zero);
    LocalAs<T>(view).SetValue(index, NumberAs<T>(number));
  });
}

// A store of compiled code, which the toolchain sends through the chip.
void BlockRun::SetGlobal(const Step& step) {
  Argument number;
  SetNumber(frame_, step.scalar, number);
  const GlobalView view = GlobalAt(frame_, step.target);
  WithType(step.target.dtype, [&](auto zero) {
    using T = decltype(zero);
    const uint64_t declared = view.elements * sizeof(T);
    if (declared != 0 && view.address - view.buffer >= declared) {
      belay_outside_buffer(view.address, sizeof(T), view.buffer, declared);
    }
    void* target = reinterpret_cast<void*>(view.address);
    *static_cast<T*>(belay_write(target, sizeof(T))) = NumberAs<T>(number);
    AscendC::DataCacheCleanAndInvalid<T, AscendC::CacheLine::SINGLE_CACHE_LINE,
                                      AscendC::DcciDst::CACHELINE_OUT>(
        GlobalAs<T>(view));
  });
}

// As ListTensorDesc::GetDataPtr reads the list.
void BlockRun::OpenElement(const Step& step) {
  const auto index = static_cast<size_t>(step.from);
  const auto* list = reinterpret_cast<const uint64_t*>(
      launch_.tensors[static_cast<size_t>(program_.globals[index].tensor)]);
  const auto word = [](const uint64_t* at) {
    return *static_cast<const uint64_t*>(belay_read(at, sizeof(uint64_t)));
  };
  const uint64_t first = word(list) / sizeof(uint64_t);
  const uint64_t address =
      word(list + first + static_cast<uint64_t>(Int(step.value)));
  frame_.globals[index] = {address, address, 0, false};
}

void BlockRun::Execute(const Step& step) {
  Spend(step.work);
  switch (step.kind) {
    case StmtKind::kComment:
      return;
    case StmtKind::kLet:
    case StmtKind::kVariable:
    case StmtKind::kSet:
      frame_.values[static_cast<size_t>(step.slot)] = Int(step.value);
      return;
    case StmtKind::kScalarLet:
      frame_.values[static_cast<size_t>(step.slot)] =
          IsReal(frame_, step.scalar)
              ? BitsOfReal(EvaluateReal(frame_, step.scalar))
              : EvaluateWhole(frame_, step.scalar);
      return;
    case StmtKind::kFor:
      return Loop(step);
    case StmtKind::kIf:
      return Execute(Int(step.value) != 0 ? step.body : step.otherwise);
    case StmtKind::kCall:
      return CallFunction(step);
    case StmtKind::kAlloc:
    case StmtKind::kEnQue:
    case StmtKind::kDeQue:
    case StmtKind::kFree:
      return UseQueue(step);
    case StmtKind::kGet:
      frame_.locals[static_cast<size_t>(step.slot)] =
          ViewOf(
              members_->buffers[static_cast<size_t>(step.from)].Get<uint8_t>())
              .From(static_cast<uint64_t>(Int(step.value)) *
                    BytesOf(step.dtype));
      return;
    case StmtKind::kCast:
      frame_.locals[static_cast<size_t>(step.slot)] =
          frame_.locals[static_cast<size_t>(step.from)].From(
              static_cast<uint64_t>(Int(step.value)) * BytesOf(step.dtype));
      return;
    case StmtKind::kSetValue:
      return SetValue(step);
    case StmtKind::kSetGlobal:
      return SetGlobal(step);
    case StmtKind::kSync: {
      const auto event = static_cast<AscendC::HardEvent>(step.from);
      const AscendC::TEventID id = members_->pipe->FetchEventID(event);
      const belay::api::EventPipes pipes = belay::api::PipesOf(event);
      belay::api::IssueSync(abi::Op::kSetFlag, pipes.from, pipes.to, id);
      belay::api::IssueSync(abi::Op::kWaitFlag, pipes.from, pipes.to, id);
      return;
    }
    case StmtKind::kBarrier: {
      const abi::Pipe pipe = belay::api::PipeOf(static_cast<pipe_t>(step.from));
      belay::api::IssueSync(abi::Op::kPipeBarrier, pipe, pipe, 0);
      return;
    }
    case StmtKind::kSyncAll:
      AscendC::SyncAll();
      return;
    case StmtKind::kOpenElement:
      return OpenElement(step);
    case StmtKind::kInvoke:
      return Invoke(step);
    case StmtKind::kFault:
      runtime::FailGuest("BLY-G105", "assertion failed: " + step.text, "",
                         {runtime::stated_place, __builtin_frame_address(0)});
  }
}

}  // namespace belay::crux::run
