// SPDX-License-Identifier: Apache-2.0
#include "bench/export_project.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>

#include "base/error.h"
#include "bench/append_text.h"
#include "bench/export_host.h"
#include "bench/export_kernel.h"
#include "bench/task_list.h"

namespace belay::bench {
namespace {

namespace fs = std::filesystem;

std::string DTypes(const Task& task, const std::string& word,
                   const Case* only) {
  if (only != nullptr) return std::string(NameOf(DTypeOf(word, *only)));
  return fmt::format("{}", fmt::join(DTypesOf(task, word), ", "));
}

std::string SignatureTable(const Task& task, const Case* only) {
  std::string text =
      "| role | name | dtype | shape | meaning |\n|---|---|---|---|---|\n";
  for (const InputSpec& input : task.inputs) {
    Append(text, "| {}input{} | {} | {} | `{}` | {} |\n",
           input.optional ? "optional " : "", input.list ? " (list)" : "",
           input.name, DTypes(task, input.dtype, only), input.shape.text(),
           input.description);
  }
  for (const AttributeSpec& attribute : task.attributes) {
    Append(text, "| {} | {} | {} | | {}{} |\n",
           attribute.scalar.empty() ? "attribute" : "host scalar",
           attribute.name,
           attribute.scalar.empty() ? std::string(NameOf(attribute.type))
                                    : DTypes(task, attribute.scalar, only),
           attribute.description,
           attribute.fallback.is_null()
               ? ""
               : fmt::format(" (default {})", attribute.fallback.dump()));
  }
  for (const OutputSpec& output : task.outputs) {
    std::string marks;
    if (output.list) marks += " (list)";
    if (!output.in_place.empty()) {
      marks += fmt::format(", overwrites {}", output.in_place);
    }
    if (!output.when.empty()) {
      marks += fmt::format(", if `{}`", output.when.text());
    }
    Append(text, "| output{} | {} | {} | `{}` | {} |\n", marks, output.name,
           DTypes(task, output.dtype, only),
           output.shape.empty() ? "by the data" : output.shape.text(),
           output.description);
  }
  return text;
}

void AppendFile(const ExportedFile& file, std::string& text) {
  Append(text, "\n`{}`:\n\n```cpp\n{}```\n", file.path.string(), file.text);
}

std::string QuestionText(const Task& task, const ExportSignature& signature,
                         const ExportOptions& options,
                         const std::vector<ExportedFile>& files) {
  std::string text = fmt::format(
      "# {}\n\nWrite the operator {} in AscendC for the Ascend 910B.\n\n{}\n\n"
      "    {}\n\n## What it computes\n\n{}\n\n## Signature\n\n{}\n",
      signature.type, signature.type, task.summary, task.formula,
      task.specification, SignatureTable(task, options.only));
  if (options.only != nullptr) {
    Append(text,
           "## The case\n\nThe kernel is called for this case only: {}.\n"
           "Its sizes are constants in the kernel's file.\n\n",
           Describe(task, *options.only));
  } else {
    text +=
        "## The cases\n\nThe kernel is called with many shapes, all dtypes "
        "and all values of the\nattributes, down to empty tensors and sizes "
        "that are not multiples of 32 bytes.\n\n";
  }
  text += "## What to hand in\n\n";
  if (options.full) {
    text +=
        "All three files, whole. `op_host` works as it stands and may be "
        "changed, but for\nthe definition of the operator.\n\n";
  } else {
    Append(text,
           "`op_kernel/{}.cpp`, whole. `op_host` is compiled as it stands."
           "\n\n",
           signature.kernel);
  }
  Append(
      text,
      "* The tiling data carry every shape and attribute. A tensor x has "
      "`x_rank`,\n  `x_elements`, `x_shape[]` and, if it may be absent, "
      "`x_present`; a list\n  `x_count` and arrays of these, with as many "
      "sizes per tensor as the array has\n  room for.\n"
      "* Host scalars arrive in memory, one element each.\n"
      "* `DTYPE_X` is the type of parameter x.\n"
      "* A launch has as many blocks as the chip has {} cores, and 16 MiB "
      "of workspace\n  (`GetUserWorkspace`).\n"
      "* Outputs hold arbitrary bytes before. Inputs that no output overwrites "
      "must not be\n  changed.\n\n## The files\n",
      task.level == 3 ? "cube" : "vector");
  for (const ExportedFile& file : files) AppendFile(file, text);
  return text;
}

std::string Quoted(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) {
    quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  }
  return quoted + "'";
}

std::string CallsText(const Task& task, const ExportOptions& options) {
  std::string text = fmt::format(
      "# Runs the operator on the cases of {0},\n"
      "# or on those named: sh calls.sh edge-0 edge-1. Their files are made "
      "by\n"
      "#   belay tasks run {0} --write data\n"
      "set -e\ncd \"$(dirname \"$0\")\"\ncases=\" $* \"\n"
      "wanted() {{\n"
      "  case \"$cases\" in \"  \" | *\" $1 \"*) ;; *) return 1 ;; esac\n}}\n",
      task.id);
  const std::vector<Case> cases = options.only != nullptr
                                      ? std::vector<Case>{*options.only}
                                      : ExpandCases(task);
  for (const Case& one_case : cases) {
    Append(text, "\n# {}\nif wanted {}; then\nbelay run .",
           Describe(task, one_case), one_case.name);
    for (const std::string& word :
         CallArguments(task, one_case, "data/" + task.id)) {
      text += word.starts_with("--") ? " \\\n  " + word : " " + Quoted(word);
    }
    text += "\nfi\n";
  }
  return text;
}

}  // namespace

std::vector<ExportedFile> ExportTask(const Task& task,
                                     const ExportOptions& options) {
  const ExportSignature signature = SignatureOf(task, options.only);
  std::vector<ExportedFile> files = {
      {fs::path("op_host") / (signature.kernel + "_tiling.h"),
       TilingHeaderText(signature, options.full)},
      {fs::path("op_host") / (signature.kernel + ".cpp"),
       HostText(signature, task.level == 3, options.full)},
      {fs::path("op_kernel") / (signature.kernel + ".cpp"),
       KernelText(task, signature, options.only)}};
  ExportedFile question{"question.md",
                        QuestionText(task, signature, options, files)};
  files.push_back(std::move(question));
  files.push_back({"calls.sh", CallsText(task, options)});
  return files;
}

void WriteProject(const std::vector<ExportedFile>& files,
                  const fs::path& folder) {
  for (const ExportedFile& file : files) {
    const fs::path path = folder / file.path;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream stream(path);
    stream << file.text;
    stream.close();
    if (!stream) {
      throw UserError(
          fmt::format("[export] {} cannot be written", path.string()));
    }
  }
}

}  // namespace belay::bench
