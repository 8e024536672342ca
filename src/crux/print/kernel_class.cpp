// SPDX-License-Identifier: Apache-2.0
#include "crux/print/kernel_class.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "crux/print/class_facts.h"
#include "crux/print/names.h"
#include "crux/print/statement_text.h"

namespace belay::crux::print {
namespace {

using code::Function;
using code::Global;
using code::QueuePosition;

class ClassWriter {
 public:
  ClassWriter(const code::Kernel& kernel, const std::string& tiling,
              const Source* source)
      : kernel_(kernel),
        tiling_(tiling),
        facts_(FactsOf(kernel)),
        writer_(kernel, facts_, source, names_, printed_) {
    printed_.syncs_all = facts_.syncs_all;
  }

  PrintedClass Print() {
    for (const Function& function : kernel_.functions) {
      names_.Take(function.name);
    }
    names_.Take("tiling_");
    for (const std::string& call : facts_.calls) names_.Take(call);
    PrintInit();
    PrintFunction(kernel_.functions.back());
    PrintShapes();
    for (size_t i = 0; i + 1 < kernel_.functions.size(); ++i) {
      PrintFunction(kernel_.functions[i]);
    }
    PrintMembers();
    return std::move(printed_);
  }

 private:
  const ir::Tensor& TensorOf(const Global& global) const {
    return kernel_.tiles->tensors.at(static_cast<size_t>(global.tensor));
  }

  void PrintInit() {
    for (const Global& global : kernel_.globals) {
      if (TensorOf(global).parameter == nullptr) printed_.uses_workspace = true;
    }
    for (const ir::Tensor& tensor : kernel_.tiles->tensors) {
      const bool used = std::any_of(
          kernel_.globals.begin(), kernel_.globals.end(),
          [&](const Global& global) { return global.tensor == tensor.id; });
      if (used && tensor.parameter != nullptr) {
        printed_.tensors.push_back(tensor.name);
      }
    }
    std::string parameters;
    for (const std::string& tensor : printed_.tensors) {
      parameters += fmt::format("GM_ADDR {}, ", LegalName(tensor));
    }
    if (printed_.uses_workspace) parameters += "GM_ADDR workspace, ";
    Text& text = printed_.functions.emplace_back();
    text.Declaration(
        fmt::format("__aicore__ inline void Init({}const {}* tiling, "
                    "TPipe* pipe) {{",
                    parameters, tiling_));
    text.Statement("tiling_ = tiling;");
    for (const Global& global : kernel_.globals) PrintBinding(global, text);
    PrintBuffers(true, text);
    PrintBuffers(false, text);
    text.Close();
  }

  void PrintBuffers(bool in_front, Text& text) {
    for (const code::Queue& queue : kernel_.queues) {
      if (queue.in_front != in_front) continue;
      text.Statement(fmt::format("pipe->InitBuffer({}, {}, {});",
                                 names_.Of(NameKind::kQueue, queue.name),
                                 queue.depth, writer_.Integer(queue.bytes)));
    }
    for (const code::Buffer& buffer : kernel_.buffers) {
      if (buffer.in_front != in_front) continue;
      text.Statement(fmt::format("pipe->InitBuffer({}, {});",
                                 names_.Of(NameKind::kBuffer, buffer.name),
                                 writer_.Integer(buffer.bytes)));
    }
  }

  void PrintBinding(const Global& global, Text& text) {
    const std::string& member = names_.Of(NameKind::kGlobal, global.name);
    const ir::Tensor& tensor = TensorOf(global);
    // One that is not there.
    const bool optional =
        tensor.parameter != nullptr && tensor.parameter->optional;
    if (optional && !global.list && global.elements.Is(0)) return;
    if (global.list) {
      text.Statement(fmt::format("{}.Init((__gm__ void*){});",
                                 names_.Of(NameKind::kList, global.name),
                                 LegalName(tensor.name)));
      return;
    }
    std::string address = LegalName(tensor.name);
    if (tensor.parameter == nullptr) {
      address = "workspace";
      if (!global.workspace.Is(0)) {
        address =
            fmt::format("(workspace + {})",
                        writer_.Integer(global.workspace, precedence::kSum));
      }
    }
    const std::string size =
        global.elements.Is(0) ? "" : ", " + writer_.Integer(global.elements);
    text.Statement(fmt::format("{}.SetGlobalBuffer((__gm__ {}*){}{});", member,
                               TypeName(global.dtype), address, size));
    if (global.past_l2.Is(0)) return;
    text.Statement(fmt::format("if ({}) {{", writer_.Integer(global.past_l2)));
    text.Statement(fmt::format(
        "{}.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);", member));
    text.Close();
  }

  void PrintShapes() {
    Text body;
    for (const auto& [index, output] : OpenOutputs(*kernel_.tiles->source)) {
      for (const Global& global : kernel_.globals) {
        const ir::Tensor& tensor = TensorOf(global);
        if (tensor.parameter != nullptr ||
            tensor.name != output->name + "_extent") {
          continue;
        }
        const size_t rank = output->dims.size();
        body.Statement(fmt::format("words.SetValue({}, {:#x});",
                                   index * kShapeWords, 0x80000000 | rank));
        for (size_t i = 0; i < rank; ++i) {
          body.Statement(fmt::format("words.SetValue({}, {}.GetValue({}));",
                                     index * kShapeWords + 1 + i,
                                     names_.Of(NameKind::kGlobal, global.name),
                                     i));
        }
      }
    }
    if (body.empty()) return;
    printed_.stores_shapes = true;
    Text& text = printed_.functions.emplace_back();
    text.Comment("The sizes of outputs, which are known by now.");
    text.Declaration("__aicore__ inline void StoreShapes(GM_ADDR shapes) {");
    text.Statement("if (GetBlockIdx() != 0) return;");
    text.Statement("PipeBarrier<PIPE_ALL>();");
    text.Statement("GlobalTensor<uint64_t> words;");
    text.Statement("words.SetGlobalBuffer((__gm__ uint64_t*)shapes);");
    text.Append(body);
    text.Statement(
        "DataCacheCleanAndInvalid<uint64_t, CacheLine::ENTIRE_DATA_CACHE, "
        "DcciDst::CACHELINE_OUT>(words);");
    text.Close();
  }

  void PrintFunction(const Function& function) {
    std::vector<std::string> parameters;
    for (const code::TensorParameter& tensor : function.tensors) {
      parameters.push_back(fmt::format(
          "{}LocalTensor<{}>& {}",
          facts_.handed_on.contains(tensor.name) ? "" : "const ",
          TypeName(tensor.dtype), names_.Of(NameKind::kVariable, tensor.name)));
    }
    for (const std::string& parameter : function.parameters) {
      parameters.push_back("int64_t " +
                           names_.Of(NameKind::kVariable, parameter));
    }
    Text& text = printed_.functions.emplace_back();
    text.Declaration(fmt::format("__aicore__ inline void {}({}) {{",
                                 function.name, fmt::join(parameters, ", ")));
    writer_.Print(function.body, text);
    text.Close();
  }

  void PrintMembers() {
    Text& text = printed_.members;
    const auto declare = [&](const std::string& type, const std::string& name) {
      text.Declaration(fmt::format("{} {};", type, name));
    };
    declare(fmt::format("const {}*", tiling_), "tiling_");
    for (const Global& global : kernel_.globals) {
      if (global.list) {
        declare("ListTensorDesc", names_.Of(NameKind::kList, global.name));
      }
      declare(fmt::format("GlobalTensor<{}>", TypeName(global.dtype)),
              names_.Of(NameKind::kGlobal, global.name));
    }
    for (const code::Queue& queue : kernel_.queues) {
      declare(QueueType(queue), names_.Of(NameKind::kQueue, queue.name));
    }
    for (const code::Buffer& buffer : kernel_.buffers) {
      declare("TBuf<TPosition::VECCALC>",
              names_.Of(NameKind::kBuffer, buffer.name));
    }
  }

  static std::string QueueType(const code::Queue& queue) {
    switch (queue.position) {
      case QueuePosition::kIn:
        return fmt::format("TQue<TPosition::VECIN, {}>", queue.depth);
      case QueuePosition::kOut:
        return fmt::format("TQue<TPosition::VECOUT, {}>", queue.depth);
      case QueuePosition::kBind:
        return fmt::format(
            "TQueBind<TPosition::VECIN, "
            "TPosition::VECOUT, {}>",
            queue.depth);
    }
    throw InternalError("[crux] a queue without a position");
  }

  const code::Kernel& kernel_;
  std::string tiling_;
  PrintedClass printed_;
  Names names_;
  ClassFacts facts_;
  StatementWriter writer_;
};

}  // namespace

PrintedClass PrintClass(const code::Kernel& kernel, const std::string& tiling,
                        const Source* source) {
  return ClassWriter(kernel, tiling, source).Print();
}

std::vector<std::pair<size_t, const typed::Parameter*>> OpenOutputs(
    const typed::Kernel& kernel) {
  std::vector<std::pair<size_t, const typed::Parameter*>> result;
  size_t index = 0;
  for (const typed::Parameter* parameter : kernel.parameters) {
    if (parameter->role != typed::ParameterRole::kOut &&
        parameter->role != typed::ParameterRole::kInOut) {
      continue;
    }
    const bool open =
        !parameter->list && !parameter->dims.empty() &&
        parameter->dims.size() < kShapeWords &&
        std::all_of(
            parameter->dims.begin(), parameter->dims.end(),
            [](const typed::ParameterDim& dim) { return dim.upto; });
    if (open) result.emplace_back(index, parameter);
    ++index;
  }
  return result;
}

std::string FieldName(const std::string& host_value) {
  return LegalName(host_value);
}

}  // namespace belay::crux::print
