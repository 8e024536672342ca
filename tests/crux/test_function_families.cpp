// SPDX-License-Identifier: Apache-2.0
// Functions that differ in what they call, in the type of elements or in both
// become one template.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "crux/print/function_families.h"

namespace belay::crux::print {
namespace {

void Add(Text& text, const std::string& name, const std::string& type,
         const std::vector<std::string>& statements) {
  text.Declaration("__aicore__ inline void " + name + "(const LocalTensor<" +
                   type + ">& dst, int64_t columns) {");
  for (const std::string& statement : statements) text.Statement(statement);
  text.Close();
  text.Blank();
}

ClassGroup Calling(const std::vector<std::string>& calls) {
  ClassGroup group;
  for (const std::string& call : calls) group.text.Statement(call);
  return group;
}

Text MaxRowsOfTwoTypes() {
  Text functions;
  Add(functions, "MaxRows", "float",
      {"Duplicate<float>(dst, -kInfinity, columns / 64);",
       "Max(dst, dst, dst, columns % 8 + 65);"});
  Add(functions, "MaxRowsHalf", "half",
      {"Duplicate<half>(dst, static_cast<half>(-kInfinity), columns / 128);",
       "Max(dst, dst, dst, columns % 16 + 129);"});
  return functions;
}

TEST(FunctionFamilies, TypesOfElementsAreAParameter) {
  Text functions = MaxRowsOfTwoTypes();
  std::vector<ClassGroup> groups = {
      Calling({"MaxRows(t, 8);", "MaxRowsHalf(x, 8);"})};
  JoinFamilies(functions, groups);
  EXPECT_EQ(Laid(functions.lines()),
            "template <typename T>\n"
            "__aicore__ inline void MaxRows(const LocalTensor<T>& dst, "
            "int64_t columns) {\n"
            "  constexpr int64_t kBlock = 32 / sizeof(T);\n"
            "  Duplicate<T>(dst, static_cast<T>(-kInfinity), columns / "
            "(kBlock * 8));\n"
            "  Max(dst, dst, dst, columns % kBlock + kBlock * 8 + 1);\n"
            "}\n\n");
  EXPECT_EQ(Laid(groups[0].text.lines()), "MaxRows(t, 8);\nMaxRows(x, 8);\n");
}

TEST(FunctionFamilies, WhatIsCalledAndTypesTogether) {
  Text functions;
  Add(functions, "SumRows", "float",
      {"Duplicate<float>(dst, 0.0f, columns / 64);",
       "Add(dst, dst, dst, columns % 8 + 65);"});
  functions.Append(MaxRowsOfTwoTypes());
  std::vector<ClassGroup> groups = {
      Calling({"MaxRows(t, 8);", "MaxRowsHalf(x, 8);", "SumRows(t, 8);"})};
  JoinFamilies(functions, groups);
  EXPECT_EQ(Laid(functions.lines()),
            "enum class Op { kMax, kSum };\n\n"
            "template <Op op, typename T, bool... kSetMask, typename... Args>\n"
            "__aicore__ inline void Do(const Args&... args) {\n"
            "  if constexpr (op == Op::kMax) Max<T, kSetMask...>(args...);\n"
            "  if constexpr (op == Op::kSum) Add<T, kSetMask...>(args...);\n"
            "}\n\n"
            "template <Op op, typename T>\n"
            "__aicore__ inline void Rows(const LocalTensor<T>& dst, int64_t "
            "columns) {\n"
            "  constexpr float kStart = op == Op::kSum ? 0.0f : -kInfinity;\n"
            "  constexpr int64_t kBlock = 32 / sizeof(T);\n"
            "  Duplicate<T>(dst, static_cast<T>(kStart), columns / (kBlock * "
            "8));\n"
            "  Do<op, T>(dst, dst, dst, columns % kBlock + kBlock * 8 + 1);\n"
            "}\n\n");
  EXPECT_EQ(Laid(groups[0].text.lines()),
            "Rows<Op::kMax>(t, 8);\nRows<Op::kMax>(x, 8);\n"
            "Rows<Op::kSum>(t, 8);\n");
}

// What one line calls is written there; what two call is a function, as is what
// takes no fewer lines.
TEST(FunctionFamilies, WhatIsCalledOnceStandsInItsPlace) {
  const auto rows = [](const std::string& operation, bool twice) {
    Text functions;
    std::vector<std::string> statements = {
        "WholeReduce" + operation + "<float>(dst, dst, columns" +
        (operation == "Max" ? ", ReduceOrder::ORDER_ONLY_VALUE" : "") + ");"};
    if (twice) statements.push_back(statements[0]);
    Add(functions, operation + "Rows", "float", statements);
    return functions;
  };
  for (const bool twice : {false, true}) {
    Text functions = rows("Max", twice);
    functions.Append(rows("Sum", twice));
    std::vector<ClassGroup> groups = {
        Calling({"MaxRows(t, 8);", "SumRows(t, 8);"})};
    JoinFamilies(functions, groups);
    const std::string laid = Laid(functions.lines());
    const std::string in_place =
        "enum class Op { kMax, kSum };\n\n"
        "template <Op op>\n"
        "__aicore__ inline void Rows(const LocalTensor<float>& dst, int64_t "
        "columns) {\n"
        "  if constexpr (op == Op::kMax) {\n"
        "    WholeReduceMax<float>(dst, dst, columns, "
        "ReduceOrder::ORDER_ONLY_VALUE);\n"
        "  } else {\n"
        "    WholeReduceSum<float>(dst, dst, columns);\n"
        "  }\n"
        "}\n\n";
    if (!twice) {
      EXPECT_EQ(laid, in_place);
    } else {
      EXPECT_NE(laid.find("inline void WholeReduce("), std::string::npos);
      EXPECT_EQ(laid.find("else"), std::string::npos) << laid;
    }
  }
}

// Numbers that do not follow the size of an element, other types beside the
// one, other names.
// Calls are renamed by name.
TEST(FunctionFamilies, NamesThatOthersHaveStay) {
  const auto both = [] {
    Text functions;
    Add(functions, "SumRows", "float", {"Add(dst, dst, dst, columns);"});
    Add(functions, "MaxRows", "float", {"Max(dst, dst, dst, columns);"});
    return functions;
  };
  const auto joined = [](Text functions, ClassGroup group) {
    std::vector<ClassGroup> groups = {std::move(group)};
    JoinFamilies(functions, groups);
    return Laid(functions.lines()) + Laid(groups[0].text.lines());
  };
  const ClassGroup calls = Calling({"SumRows(t, 8);", "MaxRows(t, 8);"});
  EXPECT_NE(joined(both(), calls).find("Rows<Op::kSum>(t, 8)"),
            std::string::npos);
  Text overloaded = both();
  overloaded.Declaration("__aicore__ inline void SumRows(int64_t columns) {");
  overloaded.Close();
  overloaded.Blank();
  EXPECT_EQ(joined(overloaded, calls),
            Laid(overloaded.lines()) + Laid(calls.text.lines()));
  ClassGroup member = calls;
  member.text.Declaration("__aicore__ inline void MaxRows(int64_t columns) {");
  member.text.Close();
  EXPECT_EQ(joined(both(), member),
            Laid(both().lines()) + Laid(member.text.lines()));
}

TEST(FunctionFamilies, OtherDifferencesStay) {
  const std::vector<std::vector<std::string>> others = {
      {"AddRowsHalf", "half", "Add(dst, dst, dst, columns % 24);"},
      {"AddRowsHalf", "half", "Add(dst, dst, dst, columns % 8 + 0);"},
      {"AddRowsHalf", "half", "Sub(dst, dst, dst, columns % 16);"},
      {"SomeHalf", "half", "Add(dst, dst, dst, columns % 16);"},
  };
  for (const auto& other : others) {
    Text functions;
    Add(functions, "AddRows", "float", {"Add(dst, dst, dst, columns % 8);"});
    Add(functions, other[0], other[1], {other[2]});
    const std::string before = Laid(functions.lines());
    std::vector<ClassGroup> groups;
    JoinFamilies(functions, groups);
    EXPECT_EQ(Laid(functions.lines()), before);
  }
}

}  // namespace
}  // namespace belay::crux::print
