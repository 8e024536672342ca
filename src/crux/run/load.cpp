// SPDX-License-Identifier: Apache-2.0
// Names to slots, statements to steps.

#include <fmt/format.h>

#include "base/error.h"
#include "crux/run/call_table.h"
#include "crux/run/compiled_work.h"
#include "crux/run/load_values.h"
#include "crux/run/program.h"

namespace belay::crux::run {
namespace {

using code::Stmt;
using code::StmtKind;

template <typename T>
int32_t PositionOf(const std::vector<T>& all, const std::string& name,
                   const char* what) {
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].name == name) return static_cast<int32_t>(i);
  }
  throw InternalError(fmt::format("[crux run] no {} '{}'", what, name));
}

class Loader {
 public:
  explicit Loader(const code::Kernel& kernel)
      : kernel_(kernel),
        work_(CompiledWorkOf(kernel)),
        values_(kernel, work_, program_) {}

  Program Run() {
    program_.kernel = kernel_.tiles->name;
    program_.start_place = PlaceOf(LineOfKernel(), "");
    program_.start_work = work_.start;
    LoadMembers();
    program_.functions.resize(kernel_.functions.size());
    for (size_t i = 0; i < kernel_.functions.size(); ++i) LoadFunction(i);
    return std::move(program_);
  }

 private:
  int LineOfKernel() const {
    return kernel_.tiles->source == nullptr ? 0
                                            : kernel_.tiles->source->range.line;
  }

  uint64_t PlaceOf(int line, const std::string& name) {
    program_.places.push_back({line, name});
    return program_.places.size();
  }

  void LoadMembers() {
    for (const code::Global& global : kernel_.globals) {
      GlobalPlan plan;
      plan.dtype = global.dtype;
      plan.tensor = global.tensor;
      plan.list = global.list;
      plan.workspace =
          kernel_.tiles->tensors.at(static_cast<size_t>(global.tensor))
              .parameter == nullptr;
      if (!global.list) plan.elements = values_.Load(global.elements);
      plan.offset = values_.Load(global.workspace);
      plan.past_l2 = values_.Load(global.past_l2);
      program_.globals.push_back(plan);
    }
    for (const code::Queue& queue : kernel_.queues) {
      program_.queues.push_back({queue.position, queue.depth,
                                 values_.Load(queue.slots),
                                 values_.Load(queue.bytes), queue.rank,
                                 PlaceOf(LineOfKernel(), queue.name)});
    }
    for (const code::Buffer& buffer : kernel_.buffers) {
      program_.buffers.push_back({values_.Load(buffer.bytes), buffer.rank,
                                  PlaceOf(LineOfKernel(), buffer.name)});
    }
  }

  void LoadFunction(size_t index) {
    const code::Function& function = kernel_.functions[index];
    values_.EnterFunction();
    FunctionPlan& plan = program_.functions[index];
    for (const std::string& name : function.parameters) {
      plan.parameters.push_back(values_.DeclareValue(name));
    }
    for (const code::TensorParameter& tensor : function.tensors) {
      plan.tensors.push_back(values_.DeclareLocal(tensor.name, tensor.dtype));
    }
    LoadBlock(function.body, plan.body);
  }

  void LoadBlock(const code::Block& block, Steps& steps) {
    for (const auto& stmt : block) {
      if (stmt->kind == StmtKind::kComment) continue;
      steps.push_back(LoadStep(*stmt));
    }
  }

  Step LoadStep(const Stmt& stmt) {
    Step step;
    step.kind = stmt.kind;
    step.dtype = stmt.dtype;
    step.place = PlaceOf(stmt.line, stmt.from);
    switch (stmt.kind) {
      case StmtKind::kComment:
        break;
      case StmtKind::kLet:
      case StmtKind::kVariable:
        step.value = values_.Load(stmt.value);
        step.slot = values_.DeclareValue(stmt.name);
        break;
      case StmtKind::kSet:
        step.value = values_.Load(stmt.value);
        step.slot = values_.SlotOf(stmt.name);
        break;
      case StmtKind::kScalarLet:
        step.scalar = values_.Load(*stmt.scalar);
        step.slot = values_.DeclareValue(stmt.name);
        break;
      case StmtKind::kFor:
        step.value = values_.Load(stmt.value);
        step.slot = values_.DeclareValue(stmt.name);
        step.high = values_.Load(stmt.high);
        step.step = values_.Load(stmt.step);
        LoadBlock(stmt.body, step.body);
        break;
      case StmtKind::kIf:
        step.value = values_.LoadCondition(stmt);
        LoadBlock(stmt.body, step.body);
        LoadBlock(stmt.otherwise, step.otherwise);
        break;
      case StmtKind::kCall:
        LoadCall(stmt, step);
        break;
      case StmtKind::kAlloc:
      case StmtKind::kDeQue:
        step.from = PositionOf(kernel_.queues, stmt.from, "queue");
        step.slot = values_.DeclareLocal(stmt.name, stmt.dtype);
        break;
      case StmtKind::kEnQue:
      case StmtKind::kFree:
        step.from = PositionOf(kernel_.queues, stmt.from, "queue");
        step.slot = values_.LocalOf(stmt.name);
        break;
      case StmtKind::kGet:
        step.from = PositionOf(kernel_.buffers, stmt.from, "buffer");
        step.value = values_.Load(stmt.value);
        step.slot = values_.DeclareLocal(stmt.name, stmt.dtype);
        break;
      case StmtKind::kCast:
        step.from = values_.LocalOf(stmt.from);
        step.value = values_.Load(stmt.value);
        step.slot = values_.DeclareLocal(stmt.name, stmt.dtype);
        break;
      case StmtKind::kSetValue:
        step.target = values_.Load(stmt.target);
        step.scalar = values_.Load(*stmt.scalar);
        break;
      case StmtKind::kSetGlobal:
        step.target = values_.Load(stmt.global);
        step.scalar = values_.Load(*stmt.scalar);
        break;
      case StmtKind::kSync:
        step.from = NumberOfEvent(stmt.text);
        break;
      case StmtKind::kBarrier:
        step.from = NumberOfPipe(stmt.text);
        break;
      case StmtKind::kSyncAll:
        program_.meets = true;
        break;
      case StmtKind::kOpenElement:
        step.from =
            PositionOf(kernel_.globals, stmt.global.name, "global tensor");
        step.value = values_.Load(stmt.value);
        break;
      case StmtKind::kInvoke:
        step.from = PositionOf(kernel_.functions, stmt.function, "function");
        for (const ir::Int& value : stmt.arguments) {
          step.values.push_back(values_.Load(value));
        }
        for (const std::string& tensor : stmt.tensors) {
          step.tensors.push_back(values_.LocalOf(tensor));
        }
        break;
      case StmtKind::kFault:
        step.text = stmt.text;
        break;
    }
    // Functions that are never called have none.
    const auto work = work_.statements.find(&stmt);
    if (work != work_.statements.end()) {
      step.work = work->second.work;
      step.turn = work->second.turn;
    }
    return step;
  }

  void LoadCall(const Stmt& stmt, Step& step) {
    std::string types;
    std::string dtypes;
    for (const auto& type : stmt.types) {
      if (const auto* dtype = std::get_if<DType>(&type)) {
        dtypes +=
            (dtypes.empty() ? "" : " ") + std::string(belay::NameOf(*dtype));
      } else {
        types += (types.empty() ? "" : " ") + std::get<std::string>(type);
      }
    }
    std::string tokens;
    bool has_tensor = false;
    for (const code::Arg& argument : stmt.args) {
      tokens += tokens.empty() ? "" : " ";
      tokens += LoadArgument(argument, step, has_tensor);
    }
    if (!has_tensor && !dtypes.empty()) {
      types = dtypes + (types.empty() ? "" : " ") + types;
    }
    const std::string key =
        fmt::format("{}{}({})", stmt.function,
                    types.empty() ? "" : "<" + types + ">", tokens);
    step.call = CallTable::Get().Find(key);
    if (step.call == nullptr || stmt.args.size() > kMostArguments) {
      throw InternalError("[crux run] no call " + key);
    }
    step.slot = stmt.name.empty() ? -1 : values_.DeclareValue(stmt.name);
  }

  // Gives the argument's token in the key of the call.
  std::string LoadArgument(const code::Arg& argument, Step& step,
                           bool& has_tensor) {
    ArgumentPlan& plan = step.arguments.emplace_back();
    plan.scalar = -1;
    if (const auto* local = std::get_if<code::Local>(&argument)) {
      plan.kind = ArgumentKind::kLocal;
      plan.tensor = values_.Load(*local);
      has_tensor = true;
      return std::string(belay::NameOf(plan.tensor.dtype));
    }
    if (const auto* global = std::get_if<code::GlobalPart>(&argument)) {
      plan.kind = ArgumentKind::kGlobal;
      plan.tensor = values_.Load(*global);
      has_tensor = true;
      return "@" + std::string(belay::NameOf(plan.tensor.dtype));
    }
    if (const auto* given = std::get_if<code::Struct>(&argument)) {
      plan.kind = ArgumentKind::kStruct;
      for (const ir::Int& field : given->fields) {
        plan.fields.push_back(values_.Load(field));
      }
      if (plan.fields.size() > Argument{}.fields.size()) {
        throw InternalError("[crux run] too many fields in " + given->type);
      }
      if (given->padding != nullptr) {
        plan.scalar = values_.Load(*given->padding);
      }
      return given->type;
    }
    if (const auto* scalar = std::get_if<code::ScalarPtr>(&argument)) {
      plan.kind = ArgumentKind::kScalar;
      plan.scalar = values_.Load(**scalar);
      return "#";
    }
    plan.kind = ArgumentKind::kInt;
    if (const auto* word = std::get_if<code::Word>(&argument)) {
      plan.integer = values_.Load(ir::Int(NumberOfWord(word->text)));
    } else {
      plan.integer = values_.Load(std::get<ir::Int>(argument));
    }
    return "#";
  }

  const code::Kernel& kernel_;
  CompiledWork work_;
  Program program_;
  ValueLoader values_;
};

}  // namespace

Program Load(const code::Kernel& kernel) { return Loader(kernel).Run(); }

}  // namespace belay::crux::run
