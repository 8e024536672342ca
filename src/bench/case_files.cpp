// SPDX-License-Identifier: Apache-2.0
#include "bench/case_files.h"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "base/error.h"

namespace belay::bench {
namespace {

namespace fs = std::filesystem;

// JSON has no infinities: "inf", "-inf" and "nan" stand for them.
Value Writable(const Value& value) {
  if (value.is_array()) {
    Value list = Value::array();
    for (const Value& element : value) list.push_back(Writable(element));
    return list;
  }
  if (!value.is_number_float()) return value;
  const double number = value.get<double>();
  return std::isfinite(number) ? value : Value(fmt::format("{}", number));
}

void WriteText(const fs::path& file, const std::string& text) {
  std::ofstream stream(file);
  stream << text;
  stream.close();
  if (!stream) {
    throw UserError(fmt::format("[write] {} cannot be written", file.string()));
  }
}

void MakeFolder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) {
    throw UserError(fmt::format("[write] the folder {} cannot be made: {}",
                                folder.string(), error.message()));
  }
}

// Writes the tensors and says where they are.
Value WriteArguments(const Arguments& arguments, const std::string& role,
                     const fs::path& root, const std::string& folder) {
  Value list = Value::array();
  for (const Argument& argument : arguments) {
    Value tensors = Value::array();
    for (size_t i = 0; i < argument.tensors.size(); ++i) {
      const std::string file =
          fmt::format("{}/{}.{}.{}.npy", folder, role, argument.name, i);
      WriteNpy(root / file, argument.tensors[i]);
      tensors.push_back(
          {{"file", file}, {"dtype", NameOf(argument.tensors[i].dtype)}});
    }
    list.push_back({{"name", argument.name},
                    {"present", argument.present},
                    {"list", argument.list},
                    {"tensors", std::move(tensors)}});
  }
  return list;
}

}  // namespace

CaseFiles::CaseFiles(const Task& task, fs::path folder)
    : task_(task), folder_(std::move(folder)) {
  MakeFolder(folder_);
  WriteText(folder_ / "reference.py", task_.reference);
}

void CaseFiles::Add(const Case& one_case, const CaseData& data) {
  MakeFolder(folder_ / one_case.name);
  Value attributes = Value::array();
  for (const AttributeSpec& attribute : task_.attributes) {
    attributes.push_back(
        {{"name", attribute.name},
         {"type", NameOf(attribute.type)},
         {"value", Writable(one_case.attributes.at(attribute.name))}});
  }
  cases_.push_back(
      {{"name", one_case.name},
       {"description", Describe(task_, one_case)},
       {"attributes", std::move(attributes)},
       {"inputs", WriteArguments(data.inputs, "input", folder_, one_case.name)},
       {"reference",
        WriteArguments(data.reference, "reference", folder_, one_case.name)},
       {"eager", WriteArguments(data.eager, "eager", folder_, one_case.name)}});
}

void CaseFiles::Finish() const {
  const Value index = {
      {"task", task_.id}, {"hash", task_.hash}, {"cases", cases_}};
  WriteText(folder_ / "index.json", index.dump(1) + "\n");
}

}  // namespace belay::bench
