// SPDX-License-Identifier: Apache-2.0
// Tests diagnostics as text, with the source line and its caret, and as JSON.

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/diagnostic.h"
#include "base/error.h"

namespace belay::test_diagnostic {
namespace {

// A source file that lives as long as the test.
class DiagnosticText : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
    path_ = std::filesystem::path(::testing::TempDir()) /
            ("belay_" + std::to_string(getpid()) + info->name() + ".asc");
  }
  void TearDown() override { std::filesystem::remove(path_); }

  std::string Write(std::string_view text) {
    std::ofstream(path_, std::ios::binary) << text;
    return path_.string();
  }

  std::filesystem::path path_;
};

Diagnostic Example(const std::string& file, int line, int column) {
  Diagnostic diagnostic;
  diagnostic.code = "BLY-N102";
  diagnostic.message = "[DataCopy] address must be 32-byte aligned, got 0x24";
  diagnostic.location = {file, line, column, "Compute"};
  return diagnostic;
}

TEST_F(DiagnosticText, WithEverything) {
  const std::string file = Write("int a;\n  DataCopy(x, y, 8);\nlast\n");
  Diagnostic diagnostic = Example(file, 2, 3);
  diagnostic.core = "aiv 3";
  diagnostic.pipe = "MTE2";
  diagnostic.notes = {{"x was allocated here", {file, 1, 0, ""}},
                      {"32 bytes are 16 halves", {}}};
  diagnostic.fix = "start at a multiple of 16 halves";
  EXPECT_EQ(ToText(diagnostic),
            file +
                ":2:3: error: [DataCopy] address must be 32-byte aligned, got "
                "0x24 [BLY-N102]\n"
                "    2 |   DataCopy(x, y, 8);\n"
                "      |   ^\n"
                "  core aiv 3, pipe MTE2\n" +
                file +
                ":1: note: x was allocated here\n"
                "    1 | int a;\n"
                "note: 32 bytes are 16 halves\n"
                "  fix: start at a multiple of 16 halves\n");
}

TEST_F(DiagnosticText, KeepsTabsBeforeTheCaret) {
  const std::string file = Write("\tif (a)\tb();\r\n");
  EXPECT_NE(ToText(Example(file, 1, 9))
                .find("    1 | \tif (a)\tb();\n"
                      "      | \t      \t^\n"),
            std::string::npos);
}

TEST_F(DiagnosticText, CountsWideLettersAsTwoColumns) {
  // Two Chinese letters of three bytes each, then é of two bytes.
  const std::string file = Write("/*\xe4\xb8\xad\xe6\x96\x87*/\xc3\xa9 f();\n");
  const std::string text = ToText(Example(file, 1, 14));
  EXPECT_NE(text.find("\n      | " + std::string(10, ' ') + "^\n"),
            std::string::npos)
      << text;
}

TEST_F(DiagnosticText, TheCaretStaysBesideTheLine) {
  const std::string file = Write("ab\n");
  EXPECT_NE(ToText(Example(file, 1, 80)).find("      |   ^\n"),
            std::string::npos);
}

TEST_F(DiagnosticText, ControlCharactersOfTheSourceAreNotPrinted) {
  const std::string file = Write("a\033[31mb\n");
  const std::string text = ToText(Example(file, 1, 1));
  EXPECT_EQ(text.find('\033'), std::string::npos);
  EXPECT_NE(text.find("a?[31mb"), std::string::npos);
}

TEST_F(DiagnosticText, LinesThatCannotBeReadAreLeftOut) {
  EXPECT_EQ(ToText(Example("/nonexistent/k.asc", 7, 2)),
            "/nonexistent/k.asc:7:2: error: [DataCopy] address must be 32-byte "
            "aligned, got 0x24 [BLY-N102]\n");
  const std::string file = Write("one line\n");
  EXPECT_EQ(ToText(Example(file, 9, 1)).find('|'), std::string::npos);
}

TEST_F(DiagnosticText, PlacesAsFarAsKnown) {
  Diagnostic diagnostic;
  diagnostic.message = "m";
  diagnostic.severity = Severity::kWarning;
  EXPECT_EQ(ToText(diagnostic), "warning: m\n");
  diagnostic.location.file = "k.asc";
  EXPECT_EQ(ToText(diagnostic), "k.asc: warning: m\n");
  diagnostic.core = "aic 0";
  EXPECT_EQ(ToText(diagnostic), "k.asc: warning: m\n  core aic 0\n");
  diagnostic.core = "";
  diagnostic.pipe = "M";
  EXPECT_EQ(ToText(diagnostic), "k.asc: warning: m\n  pipe M\n");
}

TEST_F(DiagnosticText, ColourOnlyAddsSequences) {
  const std::string file = Write("  f();\n");
  Diagnostic diagnostic = Example(file, 1, 3);
  diagnostic.notes = {{"n", {}}};
  diagnostic.fix = "x";
  const std::string colored = ToText(diagnostic, true);
  EXPECT_NE(colored.find("\033[1;31merror"), std::string::npos);
  EXPECT_NE(colored.find("\033[1;32m^"), std::string::npos);
  std::string stripped;
  for (size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\033') {
      i = colored.find('m', i);
    } else {
      stripped += colored[i];
    }
  }
  EXPECT_EQ(stripped, ToText(diagnostic, false));
}

TEST(DiagnosticJson, ComesBack) {
  Diagnostic diagnostic = Example("k.asc", 12, 5);
  diagnostic.severity = Severity::kWarning;
  diagnostic.core = "aiv 3";
  diagnostic.pipe = "V";
  diagnostic.notes = {{"with a place", {"h.h", 3, 0, "Inner"}},
                      {"without", {}}};
  diagnostic.fix = "do \"this\"";
  const std::string text = nlohmann::json(diagnostic).dump();
  const auto back = nlohmann::json::parse(text).get<Diagnostic>();
  EXPECT_EQ(back.code, diagnostic.code);
  EXPECT_EQ(back.severity, diagnostic.severity);
  EXPECT_EQ(back.message, diagnostic.message);
  EXPECT_EQ(back.location.file, "k.asc");
  EXPECT_EQ(back.location.line, 12);
  EXPECT_EQ(back.location.column, 5);
  EXPECT_EQ(back.location.function, "Compute");
  EXPECT_EQ(back.core, diagnostic.core);
  EXPECT_EQ(back.pipe, diagnostic.pipe);
  EXPECT_EQ(back.fix, diagnostic.fix);
  ASSERT_EQ(back.notes.size(), 2u);
  EXPECT_EQ(back.notes[0].message, "with a place");
  EXPECT_EQ(back.notes[0].location.function, "Inner");
  EXPECT_EQ(back.notes[1].message, "without");
  EXPECT_FALSE(back.notes[1].location.known());
  EXPECT_EQ(nlohmann::json(back).dump(), text);
}

TEST(DiagnosticJson, HasTheSameKeysAlways) {
  const nlohmann::json json = Diagnostic{};
  for (const char* key : {"code", "severity", "message", "location", "core",
                          "pipe", "notes", "fix"}) {
    EXPECT_TRUE(json.contains(key)) << key;
  }
  EXPECT_TRUE(json.at("location").is_null());
  EXPECT_EQ(json.at("severity"), "error");
}

TEST(DiagnosticJson, NeedsOnlyCodeSeverityAndMessage) {
  const auto json = nlohmann::json::parse(
      R"({"code": "BLY-G101", "severity": "note", "message": "m"})");
  const auto diagnostic = json.get<Diagnostic>();
  EXPECT_EQ(diagnostic.severity, Severity::kNote);
  EXPECT_TRUE(diagnostic.notes.empty());
}

TEST(DiagnosticJson, RefusesWhatIsNoDiagnostic) {
  for (const char* text :
       {R"({})", R"([])", R"("x")",
        R"({"code": "c", "severity": "fatal", "message": "m"})",
        R"({"code": "c", "severity": 1, "message": "m"})",
        R"({"code": "c", "severity": "error", "message": 3})",
        R"({"code": "c", "severity": "error", "message": "m", "notes": [1]})",
        R"({"code": "c", "severity": "error", "message": "m",
            "location": {"line": 3}})"}) {
    EXPECT_THROW(nlohmann::json::parse(text).get<Diagnostic>(), UserError)
        << text;
  }
}

}  // namespace
}  // namespace belay::test_diagnostic
