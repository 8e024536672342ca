// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <sstream>

#include "crux/check.h"
#include "crux/format.h"
#include "crux/print_typed.h"
#include "files.h"

namespace belay::crux::test_format {
namespace {

std::string Formatted1(const std::string& text) {
  const Formatted formatted = Format("a.crux", text);
  EXPECT_TRUE(formatted.ok) << text;
  const Formatted again = Format("a.crux", formatted.text);
  EXPECT_EQ(again.text, formatted.text) << "formatting twice differs";
  return formatted.text;
}

struct Case {
  const char* before;
  const char* after;
};

class Form : public ::testing::TestWithParam<Case> {};

TEST_P(Form, IsCanonical) {
  EXPECT_EQ(Formatted1(GetParam().before), GetParam().after);
}

constexpr Case kCases[] = {
    {"x=1+2*3\n", "x = 1 + 2 * 3\n"},
    {"x = - 1 ** 2\n", "x = -1**2\n"},
    {"x = a [ 1 : 2 , : ]\n", "x = a[1:2, :]\n"},
    {"x = a[i*D:i*D+D]\n", "x = a[i * D : i * D + D]\n"},
    {"x = a[n+1:]\n", "x = a[n + 1 :]\n"},
    {"x = a[:n]\n", "x = a[:n]\n"},
    {"x = f( a,b = 2 )\n", "x = f(a, b=2)\n"},
    {"x = 'sum'\n", "x = \"sum\"\n"},
    {"x = 1E5 + 0XfF\n", "x = 1e5 + 0xfF\n"},
    {"x = (a,)\n", "x = (a,)\n"},
    {"x = ~ a & (b|c)\n", "x = ~a & (b | c)\n"},
    {"x = not  a\n", "x = not a\n"},
    {"x = p @ q.T\n", "x = p @ q.T\n"},
    {"a,b = c , d\n", "a, b = c, d\n"},
    {"x = 1 # why\n", "x = 1  # why\n"},
    {"#why\nx = 1\n", "# why\nx = 1\n"},
    {"x = 1\n\n\n\n\ny = 2\n", "x = 1\n\n\ny = 2\n"},
    {"@kernel\ndef f(x:T[*S],e:float=1.0):\n  pass\n",
     "@kernel\ndef f(x: T[*S], e: float = 1.0):\n    pass\n"},
    {"x = 1\n@inline\ndef f(t, n=2): return t\n",
     "x = 1\n\n\n@inline\ndef f(t, n=2):\n    return t\n"},
    {"@inline\ndef f(t):\n    for c in tiles(N,tile=auto):\n        pass\n    "
     "# end\n    return t\n",
     "@inline\ndef f(t):\n    for c in tiles(N, tile=auto):\n        pass\n    "
     "# end\n    return t\n"},
    {"x = f(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb, "
     "cccccccccccc)\n",
     "x = f(\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, "
     "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
     ", cccccccccccc\n)\n"},
    {"x = f(a, b,)\n", "x = f(\n    a,\n    b,\n)\n"},
    {"x = f(a,  # first\n      b)\n", "x = f(\n    a,  # first\n    b,\n)\n"},
    {"x = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa + bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb "
     "+ "
     "ccccccccccccccccc\n",
     "x = (\n    aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n    + "
     "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n    + ccccccccccccccccc\n)\n"},
    {"store(y[c], ((load(x[cccccccccccccccc]) if flag == 3 else "
     "-load(x[cccccccccccccccc])) < 1.0))\n",
     "store(\n    y[c],\n    (\n        (load(x[cccccccccccccccc]) if flag == "
     "3 "
     "else -load(x[cccccccccccccccc]))\n        < 1.0\n    ),\n)\n"},
};
INSTANTIATE_TEST_SUITE_P(All, Form, ::testing::ValuesIn(kCases));

TEST(Format, SyntaxErrorsLeaveTheTextAlone) {
  const Formatted formatted = Format("bad.crux", "x = (1\n");
  EXPECT_FALSE(formatted.ok);
  EXPECT_TRUE(formatted.text.empty());
  EXPECT_FALSE(formatted.diagnostics.empty());
}

// The program means the same before and after.
TEST(Format, KeepsTheMeaningOfTheExamples) {
  int seen = 0;
  for (const auto& path : testing::FilesIn("examples/crux", ".crux")) {
    ++seen;
    const std::string text = testing::ReadAll(path);
    // Written as badly as the tokens allow; comments and strings stay.
    std::string crowded;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
      const bool code = line.find_first_of("#\"") == std::string::npos;
      for (size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        crowded += c;
        const bool half = c == '=' && i + 1 < line.size() && line[i + 1] == '=';
        if (code && !half && (c == ',' || c == '(' || c == '=')) {
          crowded += "  ";
        }
      }
      crowded += code ? "  \n" : "\n";
    }
    const Checked before = Check("a.crux", crowded);
    const Checked after = Check("a.crux", Formatted1(crowded));
    ASSERT_TRUE(before.ok() && after.ok()) << path;
    EXPECT_EQ(ToText(*before.program), ToText(*after.program)) << path;
    EXPECT_EQ(Formatted1(crowded), Formatted1(text)) << path;
  }
  EXPECT_GE(seen, 19);
}

}  // namespace
}  // namespace belay::crux::test_format
