// SPDX-License-Identifier: Apache-2.0
#include "cli/crux_emit.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "base/error.h"
#include "base/small_blocks.h"
#include "cli/command.h"
#include "cli/crux_arguments.h"
#include "crux/check.h"
#include "crux/ir/refusal.h"
#include "crux/print/compiled.h"
#include "crux/print/plan_text.h"

namespace belay::cli {
namespace {

struct EmitFlags {
  std::string file;
  std::string kernel;
  std::string as = "ascendc";
  std::string output;
  std::vector<std::string> dtypes;
  int variant = 0;  // of those, from 1; 0: all
  bool dump_passes = false;
};

// What --dtype says, by the name of the variable. Throws UserError.
std::map<std::string, DType> ChosenDtypes(const EmitFlags& flags,
                                          const crux::typed::Kernel& kernel) {
  std::map<std::string, DType> chosen;
  for (const std::string& text : flags.dtypes) {
    const size_t equals = text.find('=');
    const auto dtype = equals == std::string::npos
                           ? std::nullopt
                           : ParseDType(text.substr(equals + 1));
    if (!dtype) {
      throw UserError(fmt::format("[crux emit] --dtype {}: use T=f16", text));
    }
    const std::string name = text.substr(0, equals);
    RequireVariable(kernel, name, text);
    chosen[name] = *dtype;
  }
  return chosen;
}

bool Matches(const crux::typed::Kernel& kernel,
             const std::vector<DType>& dtypes,
             const std::map<std::string, DType>& chosen) {
  for (size_t i = 0; i < dtypes.size(); ++i) {
    const auto found = chosen.find(kernel.dtypes[i]->name);
    if (found != chosen.end() && found->second != dtypes[i]) return false;
  }
  return true;
}

std::vector<crux::CompiledVariant> CompileChosen(
    const EmitFlags& flags, const crux::typed::Kernel& kernel,
    std::string& text) {
  crux::PassDump dump;
  if (flags.dump_passes) {
    dump = [&](std::string_view pass, const std::string& form) {
      text += fmt::format("# after {}\n{}\n", pass, form);
    };
  }
  const std::map<std::string, DType> chosen = ChosenDtypes(flags, kernel);
  std::vector<std::vector<DType>> instances = crux::typed::InstancesOf(kernel);
  std::erase_if(instances, [&](const std::vector<DType>& dtypes) {
    return !Matches(kernel, dtypes, chosen);
  });
  const bool all_printed = flags.variant == 0 && !flags.dump_passes &&
                           (flags.as == "project" || flags.as == "ascendc");
  std::vector<crux::CompiledVariant> variants =
      all_printed ? crux::CompileForPrint(kernel, instances)
                  : crux::CompileAll(kernel, instances, dump);
  if (variants.empty()) {
    throw UserError(fmt::format(
        "[crux emit] kernel `{}` has no instance for these dtypes: see its "
        "`dtype` and `dtypes` lines",
        kernel.name));
  }
  if (flags.variant == 0) return variants;
  const auto count = static_cast<int>(variants.size());
  if (flags.variant < 0 || flags.variant > count) {
    throw UserError(fmt::format(
        "[crux emit] --variant {}: kernel `{}` has the variants 1 to {} of "
        "these dtypes; --as plan lists them",
        flags.variant, kernel.name, count));
  }
  return {std::move(variants[flags.variant - 1])};
}

void WriteText(const std::filesystem::path& path, const std::string& text) {
  std::error_code ignored;
  if (path.has_parent_path()) {
    std::filesystem::create_directories(path.parent_path(), ignored);
  }
  std::ofstream file(path, std::ios::binary);
  file << text;
  if (!file.flush()) {
    throw UserError(
        fmt::format("[crux emit] cannot write '{}'", path.string()));
  }
}

// To the file of -o, or to standard output.
void Deliver(const EmitFlags& flags, const std::string& text) {
  if (flags.output.empty()) {
    std::fputs(text.c_str(), stdout);
    return;
  }
  WriteText(flags.output, text);
  fmt::print("{} written\n", flags.output);
}

void EmitProject(const EmitFlags& flags, crux::print::Compiled compiled) {
  for (const crux::print::File& file :
       crux::print::PrintProject(std::move(compiled))) {
    const std::filesystem::path path =
        std::filesystem::path(flags.output) / file.path;
    WriteText(path, file.text);
    fmt::print("{} written\n", path.string());
  }
}

void EmitKernel(const EmitFlags& flags, const crux::typed::Kernel& kernel,
                const crux::Source& source) {
  std::string dumped;
  crux::print::Compiled compiled;
  compiled.kernel = &kernel;
  compiled.source = &source;
  try {
    compiled.variants = CompileChosen(flags, kernel, dumped);
  } catch (...) {
    std::fputs(dumped.c_str(), stderr);  // as far as it came
    throw;
  }
  if (flags.as == "project") {
    std::fputs(dumped.c_str(), stderr);
    return EmitProject(flags, std::move(compiled));
  }
  std::string text;
  if (flags.as == "ascendc") {
    std::fputs(dumped.c_str(), stderr);
    text = PrintSource(compiled);
  } else {
    text = std::move(dumped);
    for (const crux::CompiledVariant& variant : compiled.variants) {
      if (!text.empty()) text += "\n";
      text += flags.as == "plan"
                  ? crux::print::PlanText(variant)
                  : ToText(*variant.tiles) + "\n" + ToText(*variant.code);
    }
  }
  Deliver(flags, text);
}

int Emit(const EmitFlags& flags) {
  if (flags.as == "project" && flags.output.empty()) {
    throw UserError(
        "[crux emit] --as project writes several files: name a "
        "folder with -o");
  }
  UseSmallBlocks();
  const std::string text = crux::ReadProgram(flags.file);
  const crux::Source source(flags.file, text);
  const crux::Checked checked = crux::Check(flags.file, text);
  const bool color = isatty(STDERR_FILENO) != 0;
  for (const Diagnostic& diagnostic : checked.diagnostics) {
    std::fputs(ToText(diagnostic, color).c_str(), stderr);
  }
  if (!checked.ok()) return kFinding;
  try {
    EmitKernel(flags, ChooseKernel(*checked.program, flags.kernel), source);
  } catch (const crux::ir::Refusal& refusal) {
    Diagnostic diagnostic = refusal.diagnostic();
    diagnostic.location.file = flags.file;
    std::fputs(ToText(diagnostic, color).c_str(), stderr);
    return kFinding;
  }
  return 0;
}

}  // namespace

void AddCruxEmit(CLI::App& crux, int* exit_code) {
  auto flags = std::make_shared<EmitFlags>();
  CLI::App* emit = crux.add_subcommand(
      "emit", "Print what a kernel is compiled to, in all its variants");
  emit->footer(
      "belay crux emit softmax.crux --as ascendc -o softmax.asc\n"
      "belay crux emit softmax.crux --as project -o softmax_op\n"
      "belay crux emit softmax.crux --as plan --dtype T=f16\n"
      "belay crux emit softmax.crux --dtype T=f32 --variant 2");
  emit->add_option("FILE", flags->file, "A Crux program")->required();
  emit->add_option("--as", flags->as,
                   "plan: what was derived; ir: tiles and code; ascendc: one "
                   "source that runs by itself; project: an operator project")
      ->check(CLI::IsMember({"plan", "ir", "ascendc", "project"}))
      ->capture_default_str();
  emit->add_option("-o,--output", flags->output,
                   "The file to write, or the project's folder");
  emit->add_option("--kernel", flags->kernel,
                   "Which kernel of the file, if it has several");
  emit->add_option("--dtype", flags->dtypes,
                   "Only variants with this dtype: T=f16")
      ->allow_extra_args(false);
  emit->add_option("--variant", flags->variant,
                   "Only one of them, in the order of --as plan, from 1: a "
                   "call that it is not for is refused");
  emit->add_flag("--dump-passes", flags->dump_passes,
                 "Print the kernel after every pass as well");
  emit->callback([flags, exit_code] { *exit_code = Emit(*flags); });
}

}  // namespace belay::cli
