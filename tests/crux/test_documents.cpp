// SPDX-License-Identifier: Apache-2.0
// Documents that are programs: the tutorial, the pages of messages, the page of
// operations, and the examples.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/catalogue.h"
#include "call.h"
#include "crux/check.h"
#include "crux/format.h"
#include "files.h"
#include "operations_page.h"

namespace belay::testing::test_documents {
namespace {

using crux::Checked;
using nlohmann::json;
namespace typed = crux::typed;

std::string Describe(const std::vector<Diagnostic>& diagnostics) {
  std::string text;
  for (const Diagnostic& one : diagnostics) text += ToText(one) + "\n";
  return text;
}

bool Holds(const std::vector<Diagnostic>& diagnostics, std::string_view code) {
  return std::ranges::any_of(
      diagnostics, [&](const Diagnostic& one) { return one.code == code; });
}

TEST(OperationsPage, IsMadeFromTheRegistry) {
  const auto path = InSourceTree("docs/crux_operations.md");
  const std::string made = RenderOperationsPage();
  if (std::getenv("BELAY_UPDATE")) std::ofstream(path) << made;
  EXPECT_EQ(made, ReadAll(path))
      << "make it anew: BELAY_UPDATE=1 ctest -R OperationsPage";
}

// A nested array of numbers.
void Flatten(const json& value, size_t depth, Shape& shape,
             std::vector<double>& numbers) {
  if (!value.is_array()) {
    numbers.push_back(value.get<double>());
    return;
  }
  if (depth == shape.size()) {
    shape.push_back(static_cast<int64_t>(value.size()));
  }
  for (const json& item : value) Flatten(item, depth + 1, shape, numbers);
}

crux::interpret::AttributeValue Attribute(const json& value,
                                          crux::TypeKind kind) {
  if (kind == crux::TypeKind::kHostFloat) return value.get<double>();
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) return value.get<std::string>();
  return value.get<int64_t>();
}

// "name = value" lines: arguments and results of a kernel.
using Table = std::vector<std::pair<std::string, json>>;

Table ReadTable(const std::string& text) {
  Table table;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const size_t equals = line.find(" = ");
    table.emplace_back(line.substr(0, equals),
                       json::parse(line.substr(equals + 3)));
  }
  return table;
}

void ExpectResults(const typed::Kernel& kernel, const Table& table,
                   const crux::interpret::Options& options) {
  crux::interpret::Arguments arguments;
  for (const auto& [name, value] : table) {
    const typed::Parameter* parameter = kernel.FindParameter(name);
    ASSERT_NE(parameter, nullptr) << name;
    if (parameter->role == typed::ParameterRole::kAttribute) {
      arguments.attributes[name] = Attribute(value, parameter->type.kind);
    } else if (parameter->role != typed::ParameterRole::kOut) {
      Shape shape;
      std::vector<double> numbers;
      Flatten(value, 0, shape, numbers);
      const DType dtype = InstancesOf(parameter->type.element).front();
      arguments.tensors[name].arrays = {ArrayOf(dtype, shape, numbers)};
    }
  }
  const auto results = crux::interpret::Interpret(kernel, arguments, options);
  ASSERT_TRUE(results.diagnostics.empty()) << Describe(results.diagnostics);
  size_t compared = 0;
  for (const auto& [name, value] : table) {
    const crux::interpret::OutputTensor* output = results.Find(name);
    if (!output) continue;
    ++compared;
    Shape shape;
    std::vector<double> expected;
    Flatten(value, 0, shape, expected);
    EXPECT_EQ(output->array.shape, shape) << name;
    const std::vector<double> found = NumbersOf(output->array);
    ASSERT_EQ(found.size(), expected.size()) << name;
    for (size_t i = 0; i < found.size(); ++i) {
      // Three digits are printed.
      EXPECT_NEAR(found[i], expected[i], 0.002) << name << " element " << i;
    }
  }
  EXPECT_EQ(compared, results.outputs.size()) << "a result is not shown";
}

TEST(Tutorial, ItsProgramsGiveWhatItSays) {
  const std::vector<CodeBlock> blocks =
      CodeBlocksOf(ReadAll(InSourceTree("docs/crux_tutorial.md")));
  size_t programs = 0;
  for (size_t i = 0; i < blocks.size(); ++i) {
    if (blocks[i].language != "python") continue;
    ++programs;
    SCOPED_TRACE(fmt::format("line {}", blocks[i].line));
    const Checked checked = crux::Check("tutorial", blocks[i].text);
    ASSERT_LT(i + 1, blocks.size());
    const CodeBlock& shown = blocks[i + 1];
    ASSERT_EQ(shown.language, "text");
    if (shown.text.starts_with("error ")) {
      const std::string code = shown.text.substr(6, 8);
      EXPECT_FALSE(checked.ok());
      EXPECT_TRUE(Holds(checked.diagnostics, code))
          << Describe(checked.diagnostics);
      continue;
    }
    EXPECT_TRUE(checked.diagnostics.empty()) << Describe(checked.diagnostics);
    ASSERT_TRUE(checked.ok());
    EXPECT_EQ(crux::Format("tutorial", blocks[i].text).text, blocks[i].text);
    const Table table = ReadTable(shown.text);
    for (const int64_t tile : {1, 2, 251}) {
      for (const bool fits : {true, false}) {
        crux::interpret::Options options;
        options.auto_tile = tile;
        options.fits = fits;
        ExpectResults(*checked.program->kernels.front(), table, options);
      }
    }
  }
  EXPECT_GE(programs, 12u);
}

TEST(CruxPage, ItsProgramChecks) {
  for (const CodeBlock& block :
       CodeBlocksOf(ReadAll(InSourceTree("docs/crux.md")))) {
    if (block.language != "python") continue;
    const Checked checked = crux::Check("crux.md", block.text);
    EXPECT_TRUE(checked.diagnostics.empty()) << Describe(checked.diagnostics);
  }
}

// A page with a wrong and a right program: the wrong one gets the page's code
// (those that only a run can find check clean), the right one no message.
TEST(MessagePages, TheirProgramsAreWrongAndRight) {
  for (const CodeInfo& info : AllCodes()) {
    if (info.code[4] != 'X') continue;
    SCOPED_TRACE(info.code);
    const std::string page = ReadAll(
        InSourceTree("docs/diagnostics/" + std::string(info.code) + ".md"));
    const std::vector<CodeBlock> blocks = CodeBlocksOf(page);
    ASSERT_FALSE(blocks.empty());
    if (page.find("\n## Right") == std::string::npos) continue;
    ASSERT_EQ(blocks.size(), 2u);
    const Checked wrong = crux::Check("wrong", blocks[0].text);
    const bool found_by_run = info.code >= code::kX180;
    if (found_by_run) {
      EXPECT_TRUE(wrong.ok()) << Describe(wrong.diagnostics);
    } else {
      EXPECT_TRUE(Holds(wrong.diagnostics, info.code))
          << Describe(wrong.diagnostics);
      EXPECT_EQ(wrong.diagnostics.size(), 1u) << Describe(wrong.diagnostics);
    }
    const Checked right = crux::Check("right", blocks[1].text);
    EXPECT_TRUE(right.diagnostics.empty()) << Describe(right.diagnostics);
  }
}

TEST(CruxExamples, AreInCanonicalForm) {
  for (const auto& path : FilesIn("examples/crux", ".crux")) {
    const std::string text = ReadAll(path);
    EXPECT_EQ(crux::Format(path.string(), text).text, text);
  }
}

TEST(CruxExamples, CheckWithoutAWord) {
  const auto programs = FilesIn("examples/crux", ".crux");
  EXPECT_GE(programs.size(), 19u);
  for (const auto& path : programs) {
    const Checked checked = crux::CheckFile(path.string());
    EXPECT_TRUE(checked.ok() && checked.diagnostics.empty())
        << path << "\n"
        << Describe(checked.diagnostics);
  }
}

}  // namespace
}  // namespace belay::testing::test_documents
