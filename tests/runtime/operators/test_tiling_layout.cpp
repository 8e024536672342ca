// SPDX-License-Identifier: Apache-2.0
// Tiling classes of random fields: the bytes SaveToBuffer writes lie as in a
// plain struct of the same fields, and so does the struct that kernel code
// gets, in each of its three forms. Programs are generated and compiled; the
// seed is printed, BELAY_SEED sets another.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "runtime/operators/tiling_structs.h"

namespace belay::runtime {
namespace {

constexpr int kClasses = 24;

const char* const kTypes[] = {"int8_t",   "uint8_t",  "int16_t",
                              "uint16_t", "int32_t",  "uint32_t",
                              "int64_t",  "uint64_t", "float"};

struct Field {
  std::string type;
  std::string name;
  int count = 0;  // 0: not an array
  bool is_class = false;
};
using Fields = std::vector<Field>;

std::vector<Fields> RandomClasses(std::mt19937_64& random) {
  const auto below = [&](int limit) {
    return static_cast<int>(random() % static_cast<uint64_t>(limit));
  };
  std::vector<Fields> classes;
  for (int i = 0; i < kClasses; ++i) {
    Fields& fields = classes.emplace_back();
    const int count = 1 + below(12);
    for (int j = 0; j < count; ++j) {
      Field field;
      field.name = fmt::format("f{}", j);
      if (i > 0 && below(5) == 0) {
        field.is_class = true;
        field.type = fmt::format("C{}", below(i));
      } else {
        field.type = kTypes[below(std::size(kTypes))];
        if (below(3) == 0) field.count = 1 + below(9);
      }
      fields.push_back(field);
    }
  }
  return classes;
}

// The classes by the macros.
std::string Macros(const std::vector<Fields>& classes) {
  std::string text;
  for (size_t i = 0; i < classes.size(); ++i) {
    text += fmt::format("BEGIN_TILING_DATA_DEF(C{})\n", i);
    for (const Field& field : classes[i]) {
      if (field.is_class) {
        text += fmt::format("TILING_DATA_FIELD_DEF_STRUCT({}, {});\n",
                            field.type, field.name);
      } else if (field.count > 0) {
        text += fmt::format("TILING_DATA_FIELD_DEF_ARR({}, {}, {});\n",
                            field.type, field.count, field.name);
      } else {
        text += fmt::format("TILING_DATA_FIELD_DEF({}, {});\n", field.type,
                            field.name);
      }
    }
    text += fmt::format(
        "END_TILING_DATA_DEF;\nREGISTER_TILING_DATA_CLASS(C{}Op, C{})\n", i, i);
  }
  return text;
}

// The same as plain structs R0, R1, …
std::string Plain(const std::vector<Fields>& classes) {
  std::string text;
  for (size_t i = 0; i < classes.size(); ++i) {
    text += fmt::format("struct alignas(8) R{} {{\n", i);
    for (const Field& field : classes[i]) {
      std::string type = field.type;
      if (field.is_class) type[0] = 'R';
      text += fmt::format(
          "  {} {}{};\n", type, field.name,
          field.count > 0 ? fmt::format("[{}]", field.count) : std::string());
    }
    text += "};\n";
  }
  return text;
}

// Assertions that every C lies as its R.
std::string Assertions(const std::vector<Fields>& classes) {
  std::string text = "#include <stddef.h>\n";
  for (size_t i = 0; i < classes.size(); ++i) {
    text +=
        fmt::format("static_assert(sizeof(C{0}) == sizeof(R{0}), \"\");\n", i);
    for (const Field& field : classes[i]) {
      text += fmt::format(
          "static_assert(offsetof(C{0}, {1}) == offsetof(R{0}, {1}), \"\");\n",
          i, field.name);
    }
  }
  return text;
}

// Sets every number through set_…, saves, and compares with a plain struct
// that got the same; then prints the description of each class.
std::string HostProgram(const std::vector<Fields>& classes) {
  std::string text =
      "#include <cstdio>\n#include <cstring>\n#include <vector>\n"
      "#include \"register/tilingdata_base.h\"\n"
      "static std::vector<const belay::abi::HostTilingClass* (*)()> all;\n"
      "extern \"C\" void belay_register_tiling_class(const char*, const "
      "belay::abi::HostTilingClass* (*describe)()) {\n"
      "  all.push_back(describe);\n}\n"
      "extern \"C\" void belay_host_tiling_overflow(const char*, uint64_t, "
      "uint64_t) { std::puts(\"overflow\"); }\n"
      "namespace optiling {\n" +
      Macros(classes) + "}\nusing namespace optiling;\n" + Plain(classes) +
      "int main() {\n  int value = 0;\n";
  for (size_t i = 0; i < classes.size(); ++i) {
    text += fmt::format(
        "  {{\n    C{0} c;\n    R{0} r;\n"
        "    std::memset(static_cast<void*>(&r), 0, sizeof(r));\n",
        i);
    for (const Field& field : classes[i]) {
      if (field.is_class) continue;
      if (field.count > 0) {
        text += fmt::format(
            "    for (auto& e : r.{0}) e = static_cast<{1}>(++value);\n"
            "    c.set_{0}(r.{0});\n"
            "    if (c.get_{0}()[{2}] != r.{0}[{2}]) return 2;\n",
            field.name, field.type, field.count - 1);
      } else {
        text += fmt::format(
            "    r.{0} = static_cast<{1}>(++value);\n    c.set_{0}(r.{0});\n"
            "    if (c.get_{0}() != r.{0}) return 2;\n",
            field.name, field.type);
      }
    }
    for (const Field& field : classes[i]) {
      if (!field.is_class) continue;
      const int inner = std::stoi(field.type.substr(1));
      for (const Field& held : classes[static_cast<size_t>(inner)]) {
        if (held.is_class || held.count > 0) continue;
        text += fmt::format(
            "    r.{0}.{1} = static_cast<{2}>(++value);\n"
            "    c.{0}.set_{1}(r.{0}.{1});\n",
            field.name, held.name, held.type);
      }
    }
    text += fmt::format(
        "    static_assert(sizeof(C{0}) == sizeof(R{0}), \"\");\n"
        "    unsigned char saved[sizeof(R{0})] = {{}};\n"
        "    c.SaveToBuffer(saved, sizeof(saved));\n"
        "    if (c.GetDataSize() != sizeof(r)) return 3;\n"
        "    R{0} back;\n"
        "    std::memcpy(static_cast<void*>(&back), saved, sizeof(back));\n",
        i);
    for (const Field& field : classes[i]) {
      if (field.is_class) {
        const int inner = std::stoi(field.type.substr(1));
        for (const Field& held : classes[static_cast<size_t>(inner)]) {
          if (held.is_class || held.count > 0) continue;
          text += fmt::format("    if (back.{0}.{1} != r.{0}.{1}) return 4;\n",
                              field.name, held.name);
        }
      } else {
        text += fmt::format(
            "    if (std::memcmp(&back.{0}, &r.{0}, sizeof(r.{0})) != 0) "
            "return 5;\n",
            field.name);
      }
    }
    text += "  }\n";
  }
  text +=
      "  for (auto describe : all) {\n"
      "    const auto* d = describe();\n"
      "    std::printf(\"class %s %d %d\\n\", d->name, int(d->bytes), "
      "int(d->fields.size));\n"
      "    for (const auto& f : d->fields) std::printf(\"%s %s %d %d %d\\n\", "
      "f.name, f.type, int(f.offset), int(f.bytes), int(f.count));\n  }\n"
      "}\n";
  return text;
}

class TilingLayout : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() /
              fmt::format("belay_layout_{}", ::getpid());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    return path;
  }
  // What the command prints; the test fails when it does.
  std::string Run(const std::string& command) {
    const std::string log = (folder_ / "log").string();
    const int status = std::system((command + " >" + log + " 2>&1").c_str());
    std::stringstream text;
    text << std::ifstream(log).rdbuf();
    EXPECT_EQ(status, 0) << command << "\n" << text.str();
    return text.str();
  }
  std::string Compile(const std::string& options) {
    return Run(
        fmt::format("{} -std=c++17 -Wall -Wextra -Werror "
                    "-Wno-invalid-offsetof -I{} {}",
                    BELAY_TEST_COMPILER, BELAY_TEST_INCLUDE, options));
  }

  std::filesystem::path folder_;
};

// What a program printed of its classes.
std::vector<abi::HostTilingClass>& Parse(const std::string& printed) {
  static std::vector<abi::HostTilingClass> classes;
  static std::vector<std::vector<abi::HostTilingField>> fields;
  static std::vector<std::unique_ptr<std::string>> texts;
  const auto keep = [](const std::string& text) {
    texts.push_back(std::make_unique<std::string>(text));
    return texts.back()->c_str();
  };
  std::istringstream stream(printed);
  std::string word, name, type;
  fields.reserve(kClasses);
  while (stream >> word >> name) {
    abi::HostTilingClass described{};
    size_t count = 0;
    stream >> described.bytes >> count;
    described.name = keep(name);
    auto& list = fields.emplace_back(count);
    for (abi::HostTilingField& field : list) {
      stream >> name >> type >> field.offset >> field.bytes >> field.count;
      field.name = keep(name);
      field.type = keep(type);
    }
    described.fields = {list.data(), list.size()};
    classes.push_back(described);
  }
  return classes;
}

template <size_t index>
const abi::HostTilingClass* Nth() {
  return &Parse("")[index];
}

template <size_t... indices>
std::vector<RegisteredTilingClass> AllOf(std::index_sequence<indices...>) {
  return {{fmt::format("C{}Op", indices), &Nth<indices>}...};
}

TEST_F(TilingLayout, IsAPlainStructs) {
  const char* given = std::getenv("BELAY_SEED");
  const uint64_t seed =
      given != nullptr ? std::strtoull(given, nullptr, 10) : 20240611;
  fmt::print("seed {}\n", seed);
  std::mt19937_64 random(seed);
  const std::vector<Fields> classes = RandomClasses(random);

  const std::string host = Write("host.cpp", HostProgram(classes));
  const std::string program = (folder_ / "host").string();
  Compile(host + " -o " + program);
  const std::string printed = Run(program);
  ASSERT_EQ(Parse(printed).size(), static_cast<size_t>(kClasses));

  // What `belay run` puts in front of a kernel.
  std::vector<std::string> problems;
  const std::string structs = TilingStructsText(
      AllOf(std::make_index_sequence<kClasses>()), "C3Op", 0, problems);
  EXPECT_TRUE(problems.empty());
  const std::string project =
      structs + Plain(classes) + Assertions(classes) +
      "static_assert(sizeof(BelayTilingData) == sizeof(R3), \"\");\n"
      // The kernel includes the operator's header as well.
      "#include \"register/tilingdata_base.h\"\nnamespace optiling {\n" +
      Macros(classes) + "}\nC0 global;\n";
  Compile("-D__BELAY_KERNEL_TU__ -D__BELAY_PROJECT_TILING__ -fsyntax-only " +
          Write("project.cpp", project));

  // A kernel that only includes the header.
  const std::string alone = "#include \"register/tilingdata_base.h\"\n" +
                            Macros(classes) + Plain(classes) +
                            Assertions(classes);
  Compile("-D__BELAY_KERNEL_TU__ -fsyntax-only " + Write("alone.cpp", alone));
}

}  // namespace
}  // namespace belay::runtime
