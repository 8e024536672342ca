// SPDX-License-Identifier: Apache-2.0
// Tests the list of codes, and that it and the pages under docs/diagnostics
// agree.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "base/catalogue.h"

namespace belay::test_catalogue {
namespace {

namespace fs = std::filesystem;

std::string ReadAll(const fs::path& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// "BLY-", one of the letters, three digits.
bool IsWellFormed(std::string_view code) {
  return code.size() == 8 && code.starts_with("BLY-") &&
         std::string_view("NQSMRIGCKLHPUTXJ").find(code[4]) !=
             std::string_view::npos &&
         code.substr(5).find_first_not_of("0123456789") ==
             std::string_view::npos;
}

TEST(Catalogue, CodesAreWellFormedSortedAndUnique) {
  std::set<std::string_view> seen;
  std::string_view previous;
  for (const CodeInfo& info : AllCodes()) {
    EXPECT_TRUE(IsWellFormed(info.code)) << info.code;
    EXPECT_TRUE(seen.insert(info.code).second) << info.code << " is double";
    EXPECT_FALSE(info.title.empty()) << info.code;
    if (!previous.empty() && previous[4] == info.code[4]) {
      EXPECT_LT(previous, info.code);
    }
    previous = info.code;
  }
  EXPECT_FALSE(seen.empty());
}

TEST(Catalogue, FindsEveryCodeAndNoOther) {
  for (const CodeInfo& info : AllCodes()) {
    EXPECT_EQ(FindCode(info.code), &info);
  }
  EXPECT_EQ(FindCode("BLY-N999"), nullptr);
  EXPECT_EQ(FindCode("N101"), nullptr);
  EXPECT_EQ(FindCode(""), nullptr);
  EXPECT_EQ(FindCode(code::kQ101)->title,
            "AllocTensor with no free buffer (deadlock)");
  EXPECT_EQ(FindCode(code::kC105)->severity, Severity::kWarning);
}

TEST(Catalogue, EveryCodeHasItsPage) {
  for (const CodeInfo& info : AllCodes()) {
    const fs::path page =
        fs::path(BELAY_PAGES_DIR) / (std::string(info.code) + ".md");
    ASSERT_TRUE(fs::exists(page)) << page;
    const std::string text = ReadAll(page);
    const std::string heading =
        "# " + std::string(info.code) + ": " + std::string(info.title);
    EXPECT_EQ(text.substr(0, text.find('\n')), heading);
    EXPECT_NE(text.find("\n## How to fix"), std::string::npos) << page;
  }
}

TEST(Catalogue, EveryPageHasItsCode) {
  for (const auto& entry : fs::directory_iterator(BELAY_PAGES_DIR)) {
    const std::string stem = entry.path().stem().string();
    if (stem == "README") continue;
    EXPECT_NE(FindCode(stem), nullptr) << entry.path();
  }
}

TEST(Catalogue, TheIndexListsEveryCode) {
  const std::string index = ReadAll(fs::path(BELAY_PAGES_DIR) / "README.md");
  for (const CodeInfo& info : AllCodes()) {
    const std::string code(info.code);
    const std::string row = "| [" + code + "](" + code + ".md) | " +
                            std::string(NameOf(info.severity)) + " | " +
                            std::string(info.title) + " |";
    EXPECT_NE(index.find(row), std::string::npos) << "missing: " << row;
  }
}

}  // namespace
}  // namespace belay::test_catalogue
