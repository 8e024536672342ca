// SPDX-License-Identifier: Apache-2.0
#include "crux/print/kernel_class.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "crux/ir/code_names.h"
#include "crux/print/class_facts.h"
#include "crux/print/concat.h"
#include "crux/print/names.h"
#include "crux/print/statement_text.h"

namespace belay::crux::print {
namespace {

using code::Function;
using code::Global;
using code::QueuePosition;

// Calls visit(begin, end) for each word.
template <typename Visit>
void ForEachWordIn(const std::string& text, const Visit& visit) {
  for (size_t i = 0; i < text.size();) {
    size_t end = i;
    while (end < text.size() && IsWordPart(text[end])) ++end;
    if (end > i) visit(i, end);
    i = std::max(end, i + 1);
  }
}

// Names that end in a digit.
void RenameWords(std::string& text,
                 const std::map<std::string, std::string, std::less<>>& names) {
  std::string renamed;
  size_t at = 0;
  ForEachWordIn(text, [&](size_t begin, size_t end) {
    if (text[end - 1] < '0' || text[end - 1] > '9') return;
    const auto found =
        names.find(std::string_view(text).substr(begin, end - begin));
    if (found == names.end()) return;
    renamed.append(text, at, begin - at).append(found->second);
    at = end;
  });
  text = renamed.append(text, at);
}

class ClassWriter {
 public:
  ClassWriter(const code::Kernel& kernel, const std::string& tiling,
              const std::string& late, const Source* source,
              PrintedFunctions& known)
      : kernel_(kernel),
        tiling_(tiling),
        facts_(FactsOf(kernel)),
        writer_(kernel, facts_, late, source, names_, printed_),
        keys_(kernel, facts_, names_),
        known_(known) {
    printed_.syncs_all = facts_.syncs_all;
  }

  PrintedClass Print() {
    for (const Function& function : kernel_.functions) {
      names_.Take(function.name);
    }
    names_.Take("tiling_");
    for (const std::string& tensor : facts_.kept) names_.Keep(tensor);
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
    Text text;
    text.Declaration(
        fmt::format("__aicore__ inline void Init({}const {}* tiling, "
                    "TPipe* pipe) {{",
                    parameters, tiling_));
    text.Statement("tiling_ = tiling;");
    for (const Global& global : kernel_.globals) PrintBinding(global, text);
    PrintBuffers(code::Rank::kFront, text);
    PrintQueues(code::Rank::kFront, text);
    PrintBuffers(code::Rank::kBetween, text);
    PrintQueues(code::Rank::kBack, text);
    PrintBuffers(code::Rank::kBack, text);
    text.Close();
    AddFunction(std::move(text));
  }

  void AddFunction(Text text) {
    printed_.functions.push_back(std::make_shared<const Text>(std::move(text)));
  }

  void PrintQueues(code::Rank rank, Text& text) {
    for (const code::Queue& queue : kernel_.queues) {
      if (queue.rank != rank) continue;
      text.Statement(
          Concat({"pipe->InitBuffer(", names_.Of(NameKind::kQueue, queue.name),
                  ", ", writer_.Integer(queue.slots), ", ",
                  writer_.Integer(ByFields(queue.bytes)), ");"}));
    }
  }

  void PrintBuffers(code::Rank rank, Text& text) {
    for (const code::Buffer& buffer : kernel_.buffers) {
      if (buffer.rank != rank) continue;
      text.Statement(Concat({"pipe->InitBuffer(",
                             names_.Of(NameKind::kBuffer, buffer.name), ", ",
                             writer_.Integer(ByFields(buffer.bytes)), ");"}));
    }
  }

  // With what fields of the tiling data hold by their names.
  ir::Int ByFields(const ir::Int& expr) const {
    if (expr.is_constant() || expr.kind() == ir::IntKind::kName) return expr;
    for (const ir::HostValue& value : kernel_.tiles->host) {
      if (value.source == ir::HostSource::kFormula &&
          Same(value.formula, expr) &&
          std::find(kernel_.fields.begin(), kernel_.fields.end(), value.name) !=
              kernel_.fields.end()) {
        return ir::Int::Name(value.name);
      }
    }
    if (expr.args().size() == 1) return expr;
    return MapArgs(expr, [&](const ir::Int& arg) { return ByFields(arg); });
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
    text.Statement(Concat({member, ".SetGlobalBuffer((__gm__ ",
                           TypeName(global.dtype), "*)", address, size, ");"}));
    if (global.past_l2.Is(0)) return;
    const bool always = global.past_l2.is_constant();
    if (!always) {
      text.Statement(
          fmt::format("if ({}) {{", writer_.Integer(global.past_l2)));
    }
    text.Statement(fmt::format(
        "{}.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);", member));
    if (!always) text.Close();
  }

  void PrintShapes() {
    Text body;
    for (const auto& [index, output] : OpenOutputs(*kernel_.tiles->source)) {
      for (const Global& global : kernel_.globals) {
        const ir::Tensor& tensor = TensorOf(global);
        if (tensor.extent_of < 0 ||
            kernel_.tiles->tensors[tensor.extent_of].parameter != output) {
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
    Text text;
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
    AddFunction(std::move(text));
  }

  void PrintFunction(const Function& function) {
    const FunctionKey key = keys_.Of(function);
    std::shared_ptr<const PrintedFunctions::One> one = known_.Find(key);
    if (one == nullptr) {
      // What this function needs, apart from what others do.
      PrintedFunctions::One made;
      made.helpers.swap(printed_.helpers);
      made.fields.swap(printed_.fields);
      const int own_variables = writer_.own_variables();
      made.text = std::make_shared<const Text>(Printed(function));
      made.helpers.swap(printed_.helpers);
      made.fields.swap(printed_.fields);
      one = writer_.own_variables() > own_variables
                ? std::make_shared<const PrintedFunctions::One>(std::move(made))
                : known_.Add(key, std::move(made));
    }
    printed_.helpers.insert(one->helpers.begin(), one->helpers.end());
    printed_.fields.insert(one->fields.begin(), one->fields.end());
    printed_.functions.push_back(one->text);
  }

  Text Printed(const Function& function) {
    std::vector<std::string> parameters;
    for (const code::TensorParameter& tensor : function.tensors) {
      const NameFacts& facts = facts_.Of(tensor.name);
      if (facts.kept) continue;
      parameters.push_back(
          Concat({facts.handed_on ? "" : "const ", "LocalTensor<",
                  TypeName(tensor.dtype), ">& ",
                  names_.Of(NameKind::kVariable, tensor.name)}));
    }
    for (const std::string& parameter : function.parameters) {
      parameters.push_back("int64_t " +
                           names_.Of(NameKind::kVariable, parameter));
    }
    Text text;
    text.Declaration(Concat({"__aicore__ inline void ", function.name, "(",
                             Joined(parameters, ", "), ") {"}));
    writer_.Print(function.body, text);
    text.Close();
    ShortenNames(function, text);
    return text;
  }

  // Names are unique in the kernel: "row4" is "row" where the function has no
  // other.
  void ShortenNames(const Function& function, Text& text) {
    code::NamesIn names;
    AddDefinitions(function.body, names);
    ir::NameSet numbered;
    // What they may be called begins with one of these.
    uint64_t letters = 0;
    const auto bit_of = [](char c) { return uint64_t{1} << (c & 63); };
    const auto add = [&](const std::string& name) {
      if (facts_.Of(name).kept) return;
      const std::string& full = names_.Of(NameKind::kVariable, name);
      const size_t stem = StemOf(full);
      const bool has_number =
          stem < full.size() && stem > 0 && full[stem - 1] != '_';
      // One that has its number because others of the kernel have its name.
      const std::string plain = name.substr(0, StemOf(name));
      const NameFacts& others = facts_.Of(plain);
      if (has_number && (others.variable || others.is_local())) {
        numbered.insert(full);
        letters |= bit_of(full[0]) | bit_of(LegalName(full.substr(0, stem))[0]);
      }
    };
    for (const std::string& name : names.defined_integers) add(name);
    for (const std::string& name : names.defined_tensors) add(name);
    for (const std::string& name : function.parameters) add(name);
    for (const code::TensorParameter& tensor : function.tensors) {
      add(tensor.name);
    }
    if (numbered.empty()) return;
    std::vector<std::string> order;  // as they occur
    ir::NameSet seen;
    ir::NameSet taken;
    std::vector<Line*> lines;  // that have some
    for (Line& line : text.mutable_lines()) {
      if (line.kind == LineKind::kComment) continue;
      ForEachWordIn(line.text, [&](size_t begin, size_t end) {
        const auto word =
            std::string_view(line.text).substr(begin, end - begin);
        if ((letters & bit_of(word[0])) == 0) return;
        const bool ends_in_digit = word.back() >= '0' && word.back() <= '9';
        if (!ends_in_digit || !numbered.contains(word)) {
          return taken.insert(word);
        }
        if (lines.empty() || lines.back() != &line) lines.push_back(&line);
        if (seen.contains(word)) return;
        seen.insert(word);
        order.emplace_back(word);
      });
    }
    std::map<std::string, std::string, std::less<>> shorter;
    for (const std::string& name : order) {
      const std::string stem = name.substr(0, StemOf(name));
      std::string wish = LegalName(stem);
      for (int i = 2; taken.contains(wish); ++i) {
        wish = fmt::format("{}{}", stem, i);
      }
      taken.insert(wish);
      shorter[name] = wish;
    }
    for (Line* line : lines) RenameWords(line->text, shorter);
  }

  // How long the name is without the number at its end.
  static size_t StemOf(const std::string& name) {
    return name.find_last_not_of("0123456789") + 1;
  }

  void PrintMembers() {
    Text& text = printed_.members;
    const auto declare = [&](const std::string& type, const std::string& name) {
      text.Declaration(Concat({type, " ", name, ";"}));
    };
    declare(fmt::format("const {}*", tiling_), "tiling_");
    for (const Global& global : kernel_.globals) {
      if (global.list) {
        declare("ListTensorDesc", names_.Of(NameKind::kList, global.name));
      }
      declare(Concat({"GlobalTensor<", TypeName(global.dtype), ">"}),
              names_.Of(NameKind::kGlobal, global.name));
    }
    for (const code::Queue& queue : kernel_.queues) {
      declare(QueueType(queue), names_.Of(NameKind::kQueue, queue.name));
    }
    for (const std::string& tensor : facts_.kept) {
      declare(fmt::format("LocalTensor<{}>", TypeName(facts_.DtypeOf(tensor))),
              names_.Of(NameKind::kVariable, tensor));
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
  FunctionKeys keys_;
  PrintedFunctions& known_;
};

}  // namespace

PrintedClass PrintClass(const code::Kernel& kernel, const std::string& tiling,
                        const std::string& late, const Source* source,
                        PrintedFunctions& known) {
  return ClassWriter(kernel, tiling, late, source, known).Print();
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
    const bool open = !parameter->list && parameter->dims.size() == 1 &&
                      parameter->dims[0].upto;
    if (open) result.emplace_back(index, parameter);
    ++index;
  }
  return result;
}

std::string FieldName(const std::string& host_value) {
  return LegalName(host_value);
}

}  // namespace belay::crux::print
