// SPDX-License-Identifier: Apache-2.0
#include "crux/print/project.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/in_parallel.h"
#include "base/kernel_name.h"
#include "crux/print/host_prologue.h"
#include "crux/print/names.h"
#include "crux/print/piece_text.h"
#include "crux/print_typed.h"

namespace belay::crux::print {
namespace {

std::string_view LastPart(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

// Of <cmath>, that the host may call.
constexpr std::array kFunctions = {"abs",       "acos",
                                   "asin",      "atan",
                                   "ceil",      "cos",
                                   "cosh",      "erf",
                                   "erfc",      "exp",
                                   "expm1",     "floor",
                                   "fmod",      "isfinite",
                                   "isinf",     "isnan",
                                   "log",       "log10",
                                   "log1p",     "log2",
                                   "nearbyint", "numeric_limits",
                                   "pow",       "sin",
                                   "sinh",      "sqrt",
                                   "tan",       "tanh",
                                   "trunc"};

Text TilingFile(const Compiled& compiled, const TilingFields& fields) {
  std::string guard = compiled.kernel->name + "_TILING_H_";
  std::transform(guard.begin(), guard.end(), guard.begin(),
                 [](unsigned char c) { return std::toupper(c); });
  Text text;
  text.Directive("// SPDX-License-Identifier: Apache-2.0");
  text.Directive("#ifndef " + guard);
  text.Directive("#define " + guard);
  text.Blank();
  text.Comment("What tiling hands to the kernel.");
  text.Blank();
  text.Directive("#include <cstdint>");
  text.Blank();
  text.Append(TilingStruct(TilingType(*compiled.kernel), fields));
  text.Blank();
  text.Directive("#endif  // " + guard);
  return text;
}

// Of one that says its sizes itself.
std::string RankIsWrong(const typed::Parameter& parameter) {
  const auto packs = std::count_if(
      parameter.dims.begin(), parameter.dims.end(),
      [](const typed::ParameterDim& dim) { return !dim.pack.empty(); });
  const auto sizes = static_cast<ptrdiff_t>(parameter.dims.size()) - packs;
  if (packs > 0 && sizes == 1) return DimsName(parameter) + ".empty()";
  return fmt::format("{}.size() {} {}", DimsName(parameter),
                     packs > 0 ? "<" : "!=", sizes);
}

}  // namespace

std::string OperatorType(const typed::Kernel& kernel) {
  const std::string type = CamelCase(kernel.name);
  return IsReserved(KernelNameOf(type)) ? type + "Op" : type;
}

std::string EntryOf(const typed::Kernel& kernel) {
  return KernelNameOf(OperatorType(kernel));
}

std::string TilingType(const typed::Kernel& kernel) {
  return CamelCase(kernel.name) + "TilingData";
}

Text FileHead(const Compiled& compiled, const std::string& what) {
  Text text;
  text.Directive("// SPDX-License-Identifier: Apache-2.0");
  const std::string from =
      compiled.source == nullptr
          ? ""
          : fmt::format(" of {}", LastPart(compiled.source->name()));
  text.Comment(
      fmt::format("{} of kernel `{}`{}.", what, compiled.kernel->name, from));
  text.Blank();
  return text;
}

std::string ShapeWords(const typed::Kernel& kernel,
                       const typed::Parameter& parameter) {
  HostText host(kernel, typed::InstancesOf(kernel).front());
  std::vector<std::string> sizes;
  for (const typed::ParameterDim& dim : parameter.dims) {
    sizes.push_back(dim.pack.empty() ? host.Of(*dim.expr) : "*" + dim.pack);
  }
  return fmt::format("[{}]", fmt::join(sizes, ", "));
}

std::string SizeByDtype(const Compiled& compiled, size_t variable) {
  const std::string name = LegalName(compiled.kernel->dtypes[variable]->name);
  std::map<size_t, std::set<DType>> by_size;
  for (const DtypeChoice& choice : ChoicesOf(compiled)) {
    const DType dtype = choice.dtypes[variable];
    by_size[belay::BytesOf(dtype)].insert(dtype);
  }
  // The one that most dtypes have is said last.
  std::vector<std::pair<size_t, std::set<DType>>> sizes(by_size.begin(),
                                                        by_size.end());
  std::stable_sort(sizes.begin(), sizes.end(),
                   [](const auto& a, const auto& b) {
                     return a.second.size() < b.second.size();
                   });
  std::string text;
  for (const auto& [size, dtypes] : sizes) {
    if (size != sizes.back().first) {
      std::vector<std::string> asked;
      for (const DType dtype : dtypes) {
        asked.push_back(
            fmt::format("{} == \"{}\"", name, belay::NameOf(dtype)));
      }
      text += fmt::format("{} ? ", fmt::join(asked, " || "));
    }
    text += fmt::format("{}", size);
    if (size != sizes.back().first) text += " : ";
  }
  return text;
}

Text HostDefinitions(const HostNeeds& needs, const TilingText& tiling) {
  Text text;
  std::set<Helper> helpers = needs.integer_helpers;
  if (tiling.chooses_pieces) {
    helpers.insert(Helper::kAlignUp);
  }
  // The one is said by the other.
  if (helpers.contains(Helper::kAlignUp)) helpers.insert(Helper::kCeilDiv);
  text.Append(HelperDefinitions(helpers, true));
  for (const HostHelper helper : needs.helpers) {
    text.Verbatim(DefinitionOf(helper));
    text.Blank();
  }
  if (tiling.chooses_pieces) {
    text.Verbatim(PieceDefinitions(tiling.pieces_in_turns));
    text.Blank();
  }
  return text;
}

Text ShapeChecks(const typed::Kernel& kernel, HostNeeds& needs, Road road) {
  Text text;
  HostText host(kernel, typed::InstancesOf(kernel).front());
  for (const typed::Parameter* parameter : InputsOf(kernel)) {
    if (parameter->list) continue;
    const std::string dims = DimsName(*parameter);
    // A pack alone is whatever the shape is.
    const Binding binding =
        parameter->dims.size() == 1 && !parameter->dims[0].pack.empty()
            ? BindingOf(kernel, parameter->dims[0].pack)
            : Binding{};
    if (binding.parameter == parameter) continue;
    host.needs().shapes.insert(parameter);
    const bool own = BindsAllDims(kernel, *parameter);
    if (road == Road::kSource && own && IsOfKnownRank(*parameter)) {
      // Main looks at the rank of what its sizes come from.
      host.DeclaredDims(*parameter);
      continue;
    }
    text.Statement(RefusalText(
        own ? RankIsWrong(*parameter)
            : fmt::format(
                  "{}{} != {}",
                  parameter->optional ? "!" + dims + ".empty() && " : "", dims,
                  host.DeclaredDims(*parameter)),
        fmt::format("{} must have shape {}", parameter->name,
                    ShapeWords(kernel, *parameter)),
        road));
  }
  needs.Add(host.needs());
  return text;
}

bool Mentions(const Text& text, const std::string& word) {
  for (const Line& line : text.lines()) {
    if (line.kind == LineKind::kComment) continue;
    for (size_t at = line.text.find(word); at != std::string::npos;
         at = line.text.find(word, at + 1)) {
      const size_t end = at + word.size();
      if ((at == 0 || !IsWordPart(line.text[at - 1])) &&
          (end == line.text.size() || !IsWordPart(line.text[end]))) {
        return true;
      }
    }
  }
  return false;
}

bool CallsMath(const Text& text) {
  return std::any_of(kFunctions.begin(), kFunctions.end(),
                     [&](const char* name) { return Mentions(text, name); });
}

std::vector<File> PrintProject(Compiled compiled) {
  const typed::Kernel& kernel = *compiled.kernel;
  std::optional<ClassPrinter> printer(std::in_place, compiled,
                                      TilingType(kernel));
  const KernelClasses plan = printer->Plan();
  const TilingFields fields = FieldsOf(compiled, plan.fields);
  const std::string name = EntryOf(kernel);
  std::vector<File> files = {
      {fmt::format("op_host/{}.cpp", name), ""},
      {fmt::format("op_kernel/{}_tiling.h", name), ""},
      {fmt::format("op_kernel/{}.cpp", name), ""},
  };
  const auto print_host = [&](const KernelClasses& classes) {
    files[0].text = Laid(PrintHostFile(compiled, classes, fields).lines());
  };
  KernelClasses classes;
  InParallel(2, [&](size_t i) {
    if (i == 0) return print_host(plan);
    classes = printer->Write();
  });
  if (classes.groups.size() != plan.groups.size()) print_host(classes);
  files[1].text = Laid(TilingFile(compiled, fields).lines());
  const Text kernel_file = PrintKernelFile(compiled, classes);
  constexpr size_t kParts = 8;
  const auto parts = PartsToLay(kernel_file.lines(), kParts);
  std::vector<std::string> laid(parts.size());
  // To drop what is no longer needed takes a while.
  std::vector<CompiledVariant>& variants = compiled.variants;
  InParallel(parts.size() + 1 + variants.size(), [&](size_t i) {
    if (i < parts.size()) {
      laid[i] = Laid(parts[i]);
    } else if (i == parts.size()) {
      printer.reset();
    } else {
      CompiledVariant& variant = variants[i - parts.size() - 1];
      variant.code.reset();
      variant.tiles.reset();
    }
  });
  for (const std::string& part : laid) files[2].text += part;
  return files;
}

}  // namespace belay::crux::print
