// SPDX-License-Identifier: Apache-2.0
// The single-source programs of examples/cube against libtorch, under every
// checker: operands and results go through files.

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>
#include <random>
#include <sstream>

#include "../cli/operator_files.h"
#include "../cli/run_belay.h"
#include "torch_golden.h"

namespace belay::testing {
namespace {

// A program of examples/cube with the folder its numbers go through.
class CubeProgram {
 public:
  CubeProgram(std::string name, uint32_t seed)
      : name_(std::move(name)), random_(seed) {}

  // Numbers between -limit and limit as the dtype stores them, in NAME.bin.
  Doubles Input(const std::string& name, DType dtype, const Shape& shape,
                double limit) {
    std::vector<double> values(ElementCount(shape));
    for (double& value : values) {
      value = (random_() / 4294967296.0 * 2 - 1) * limit;
    }
    const Array array = MakeArray(dtype, shape, values);
    std::ofstream(FileOf(name), std::ios::binary)
        .write(reinterpret_cast<const char*>(array.data.data()),
               static_cast<std::streamsize>(array.data.size()));
    return {{shape.begin(), shape.end()}, ValuesOf(array)};
  }

  // Nothing may be found, warnings included.
  void Check(const std::string& words) {
    const Outcome outcome =
        RunBelay("check --strict examples/cube/" + name_ + "/" + name_ +
                 ".asc " + words + " " + folder_.path().string());
    EXPECT_EQ(outcome.exit_code, 0) << words << "\n"
                                    << outcome.out << outcome.err;
  }

  // Every number of NAME.bin must be within `allowed` of the golden one,
  // relative to max(1, |golden|).
  void Compare(const std::string& name, DType dtype, const Doubles& golden,
               double allowed) {
    const std::string text = ReadFile(FileOf(name));
    Array got;
    got.dtype = dtype;
    got.shape = Shape(golden.shape.begin(), golden.shape.end());
    got.data.resize(text.size());
    std::memcpy(got.data.data(), text.data(), text.size());
    ASSERT_EQ(text.size(), golden.values.size() * BytesOf(dtype));
    const std::vector<double> values = ValuesOf(got);
    for (size_t i = 0; i < values.size(); ++i) {
      const double error = std::abs(values[i] - golden.values[i]) /
                           std::fmax(1.0, std::abs(golden.values[i]));
      // Negated, so that a NaN fails.
      ASSERT_FALSE(!(error <= allowed))
          << name << "[" << i << "] is " << values[i] << ", expected "
          << golden.values[i];
    }
  }

 private:
  std::string FileOf(const std::string& name) const {
    return (folder_.path() / (name + ".bin")).string();
  }

  std::string name_;
  std::mt19937 random_;
  TemporaryFolder folder_;
};

struct Sizes {
  int64_t blocks, m, n, k;

  std::string Words() const {
    std::ostringstream text;
    text << blocks << " " << m << " " << n << " " << k;
    return text.str();
  }
};

TEST(CubePrograms, MatmulBasic) {
  for (const Sizes& sizes :
       {Sizes{1, 1, 1, 1}, Sizes{8, 300, 200, 150}, Sizes{24, 128, 512, 256},
        Sizes{3, 257, 129, 65}}) {
    SCOPED_TRACE(sizes.Words());
    CubeProgram program("matmul_basic", static_cast<uint32_t>(sizes.m));
    const double scale = 1 / std::sqrt(static_cast<double>(sizes.k));
    const Doubles a =
        program.Input("a", DType::kHalf, {sizes.m, sizes.k}, scale);
    const Doubles b = program.Input("b", DType::kHalf, {sizes.k, sizes.n}, 1);
    program.Check(sizes.Words());
    // Sums of k products of size 1 / sqrt(k), each rounded to float.
    const double allowed =
        0x1p-24 * std::fmax(4.0, static_cast<double>(sizes.k) * scale);
    program.Compare("c", DType::kFloat, MatmulGolden(a, b), allowed);
  }
}

TEST(CubePrograms, TemplateMatmul) {
  struct Case {
    Sizes sizes;
    const char* layouts;
  };
  for (const auto& [sizes, layouts] :
       {Case{{1, 1, 1, 1}, "rr"}, Case{{4, 400, 300, 350}, "rc"},
        Case{{2, 65, 129, 257}, "cr"}, Case{{24, 256, 384, 512}, "cc"}}) {
    SCOPED_TRACE(sizes.Words() + " " + layouts);
    CubeProgram program("template_matmul", static_cast<uint32_t>(sizes.m));
    const double scale = 1 / std::sqrt(static_cast<double>(sizes.k));
    const Doubles a =
        program.Input("a", DType::kHalf, {sizes.m, sizes.k}, scale);
    const Doubles b = program.Input("b", DType::kHalf, {sizes.k, sizes.n}, 1);
    const Doubles bias = program.Input("bias", DType::kFloat, {sizes.n}, 1);
    program.Check(sizes.Words() + " " + layouts);
    // The result's own rounding, and what the sums add to it.
    program.Compare("out", DType::kHalf,
                    LeakyReluMatmulGolden(a, b, bias, 0.125), 0x1p-10);
  }
}

}  // namespace
}  // namespace belay::testing
