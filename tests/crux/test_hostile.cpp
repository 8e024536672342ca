// SPDX-License-Identifier: Apache-2.0
// Texts that try to hurt the front end: deep, huge, binary. Each must get a
// message and no crash.

#include <gtest/gtest.h>

#include <string>

#include "crux/check.h"
#include "crux/format.h"
#include "crux/print_typed.h"

namespace belay::crux::test_hostile {
namespace {

std::string Repeated(const std::string& part, int count) {
  std::string text;
  text.reserve(part.size() * static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) text += part;
  return text;
}

constexpr char kHead[] =
    "@kernel\ndef k(x: f32[N], y: out(f32[N]), p: int = 1):\n";
constexpr int kMany = 100'000;

void ExpectRefused(const std::string& text) {
  const Checked checked = Check("hostile.crux", text);
  EXPECT_FALSE(checked.ok());
  EXPECT_FALSE(checked.diagnostics.empty());
  EXPECT_FALSE(Format("hostile.crux", text).ok);
}

TEST(Hostile, DeepBrackets) {
  ExpectRefused(kHead + std::string("    t = ") + Repeated("(", kMany) + "1" +
                Repeated(")", kMany) + "\n");
  ExpectRefused(kHead + std::string("    t = ") + Repeated("[", kMany));
}

TEST(Hostile, LongChains) {
  for (const char* part : {"- ", "not ", "1 + ", "1 ** ", "f(", "x[",
                           "1 if 1 "
                           "else "}) {
    ExpectRefused(kHead + std::string("    t = ") + Repeated(part, 20'000) +
                  "1\n");
  }
  ExpectRefused(kHead + std::string("    t = x") + Repeated(".a", kMany) +
                "\n");
  ExpectRefused(kHead + std::string("    t = x") + Repeated("[0]", kMany) +
                "\n");
}

TEST(Hostile, DeepBlocks) {
  std::string text = kHead;
  for (int i = 0; i < 2000; ++i) {
    text += std::string(static_cast<size_t>(4 + i), ' ') + "if p > 0:\n";
  }
  ExpectRefused(text);
  ExpectRefused(kHead + std::string("    ") + Repeated("if p > 0: ", kMany) +
                "pass\n");
}

TEST(Hostile, ManyBranches) {
  ExpectRefused(kHead + std::string("    if p > 0:\n        pass\n") +
                Repeated("    elif p > 1:\n        pass\n", 20'000));
}

TEST(Hostile, HugeFile) { ExpectRefused(Repeated("# a comment\n", 1'000'000)); }

TEST(Hostile, ManyStatements) {
  std::string same = kHead;
  std::string unknown = kHead;
  for (int i = 0; i < 60'000; ++i) {
    const std::string n = std::to_string(i);
    same += "    t = zeros(f32[" + n + "])  # " + n + "\n    # own\n";
    unknown += "    a" + n + " = b" + n + "\n";
  }
  EXPECT_FALSE(Check("same.crux", same).ok());
  EXPECT_TRUE(Format("same.crux", same).ok);
  EXPECT_FALSE(Check("unknown.crux", unknown).ok());
}

TEST(Hostile, BinaryAndEmpty) {
  ExpectRefused(std::string(1000, '\0'));
  ExpectRefused("\xff\xfe\x80\x80 def");
  EXPECT_FALSE(Check("empty.crux", "").ok());
  EXPECT_FALSE(Check("blank.crux", "\n\n   \n").ok());
}

// Helpers that double at each level would make 2^30 calls.
TEST(Hostile, HelpersThatMultiply) {
  std::string text = "@inline\ndef f0(t):\n    return t\n";
  for (int i = 1; i < 30; ++i) {
    const std::string last = "f" + std::to_string(i - 1);
    text += "@inline\ndef f" + std::to_string(i) + "(t):\n    return " + last +
            "(" + last + "(t))\n";
  }
  text += std::string(kHead) + "    store(y[:], f29(load(x[:])))\n";
  EXPECT_FALSE(Check("helpers.crux", text).ok());
}

// Names for tensors, and host values passed on, that double what they stand
// for.
TEST(Hostile, ExpressionsThatMultiply) {
  std::string views = kHead;
  views += "    v0 = x.view(x.size)\n";
  for (int i = 1; i < 200; ++i) {
    const std::string last = "v" + std::to_string(i - 1);
    views += "    v" + std::to_string(i) + " = " + last + ".view(" + last +
             ".size)\n";
  }
  views += "    store(y[:], load(v199[:]))\n";
  const Checked viewed = Check("views.crux", views);
  ASSERT_TRUE(viewed.ok());
  EXPECT_LT(ToText(*viewed.program).size(), 100'000u);

  std::string nested = "p";
  for (int i = 0; i < 60; ++i) nested = "twice(" + nested + ")";
  const Checked called =
      Check("nested.crux", "@inline\ndef twice(t):\n    return t + t\n" +
                               std::string(kHead) + "    n = " + nested +
                               "\n    store(y[:], load(x[:]) + n)\n");
  ASSERT_TRUE(called.ok());
  EXPECT_LT(ToText(*called.program).size(), 100'000u);
}

// Host lines whose definitions double would make sizes of 2^200 terms.
TEST(Hostile, SizesThatGrow) {
  std::string text = kHead;
  text += "    a0 = N // 2 + N // 3\n";
  for (int i = 1; i < 200; ++i) {
    const std::string last = "a" + std::to_string(i - 1);
    text += "    a" + std::to_string(i) + " = (" + last + " * " + last +
            " + 1) // 2 + " + last + " // 3\n";
  }
  text += "    store(y[:], load(x[:]))\n";
  EXPECT_TRUE(Check("sizes.crux", text).ok());
}

}  // namespace
}  // namespace belay::crux::test_hostile
