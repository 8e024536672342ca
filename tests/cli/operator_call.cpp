// SPDX-License-Identifier: Apache-2.0
#include "operator_call.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace belay::testing {
namespace {

// numpy has no bfloat16; the call says what the uint16 values mean.
std::string Marked(const std::string& file, DType dtype) {
  return dtype == DType::kBfloat16 ? file + ":bf16" : file;
}

std::string Joined(const std::vector<std::string>& files) {
  std::string text = "[";
  for (const std::string& file : files) {
    text += (text.size() > 1 ? "," : "") + file;
  }
  return text + "]";
}

// Half a unit in the last place of 1; 0 for integers.
double Precision(DType dtype) {
  switch (dtype) {
    case DType::kFloat:
      return 0x1p-24;
    case DType::kHalf:
      return 0x1p-11;
    case DType::kBfloat16:
      return 0x1p-8;
    default:
      return 0;
  }
}

void Compare(const Array& got, const Array& golden, double tolerance,
             const std::string& name) {
  ASSERT_EQ(got.shape, golden.shape) << name;
  const std::vector<double> a = ValuesOf(got);
  const std::vector<double> b = ValuesOf(golden);
  for (size_t i = 0; i < a.size(); ++i) {
    const double allowed =
        tolerance * Precision(golden.dtype) * std::max(1.0, std::abs(b[i]));
    // Negated, so that a NaN fails.
    ASSERT_FALSE(!(std::abs(a[i] - b[i]) <= allowed))
        << name << "[" << i << "] is " << a[i] << ", expected " << b[i];
  }
}

}  // namespace

OperatorCall::OperatorCall(std::string project)
    : project_(std::move(project)) {}

std::string OperatorCall::Fresh() {
  return (folder_.path() / (std::to_string(files_++) + ".npy")).string();
}

std::string OperatorCall::Write(const Array& array) {
  const std::string file = Fresh();
  WriteNpy(file, array);
  return Marked(file, array.dtype);
}

OperatorCall& OperatorCall::Input(const std::string& name, const Array& array) {
  return Words("--in " + name + "=" + Write(array));
}

OperatorCall& OperatorCall::InputList(const std::string& name,
                                      const std::vector<Array>& arrays) {
  std::vector<std::string> files;
  for (const Array& array : arrays) files.push_back(Write(array));
  return Words("--in '" + name + "=" + Joined(files) + "'");
}

OperatorCall& OperatorCall::Words(const std::string& words) {
  words_ += " " + words;
  return *this;
}

OperatorCall& OperatorCall::Golden(const std::string& name, const Array& golden,
                                   double tolerance) {
  const std::string file = Fresh();
  outputs_.push_back({name, {file}, {golden}, tolerance});
  return Words("--out " + name + "=" + file + " --expect " + name + "=" +
               Write(golden));
}

OperatorCall& OperatorCall::GoldenList(const std::string& name,
                                       const std::vector<Array>& golden) {
  Output output{name, {}, golden, 0};
  std::vector<std::string> expected;
  for (const Array& array : golden) {
    output.files.push_back(Fresh());
    expected.push_back(Write(array));
  }
  Words("--out '" + name + "=" + Joined(output.files) + "'");
  Words("--expect '" + name + "=" + Joined(expected) + "'");
  outputs_.push_back(std::move(output));
  return *this;
}

Outcome OperatorCall::Run() { return RunBelay("run " + project_ + words_); }

void OperatorCall::RunAndCompare() {
  const Outcome outcome = Run();
  ASSERT_EQ(outcome.exit_code, 0) << words_ << "\n"
                                  << outcome.out << outcome.err;
  for (const Output& output : outputs_) {
    for (size_t i = 0; i < output.files.size(); ++i) {
      Array got = ReadNpy(output.files[i]);
      if (output.golden[i].dtype == DType::kBfloat16) {
        ASSERT_EQ(got.dtype, DType::kUint16) << output.name;
        got.dtype = DType::kBfloat16;
      }
      ASSERT_EQ(got.dtype, output.golden[i].dtype) << output.name;
      Compare(got, output.golden[i], output.tolerance, output.name + words_);
    }
  }
}

}  // namespace belay::testing
