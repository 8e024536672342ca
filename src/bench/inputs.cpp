// SPDX-License-Identifier: Apache-2.0
#include "bench/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/draw_regime.h"
#include "bench/element.h"
#include "bench/hash.h"
#include "bench/random.h"
#include "bench/task_error.h"

namespace belay::bench {
namespace {

// One tensor being filled.
class TensorMaker {
 public:
  TensorMaker(const Task& task, const Case& one_case, const InputSpec& input,
              const Arguments& before, size_t index, Array& array)
      : task_(task),
        case_(one_case),
        input_(input),
        values_(ValuesOf(input, one_case)),
        before_(before),
        index_(index),
        array_(array),
        seed_(SeedOf(fmt::format("{}/{}", input.name, index), one_case.seed)),
        random_(seed_),
        count_(ElementCount(array.shape)),
        row_(array.shape.empty() ? 1 : array.shape.back()) {}

  void Fill() {
    switch (values_.kind) {
      case ValueKind::kProbability:
        return FillProbability();
      case ValueKind::kUniform:
      case ValueKind::kIndex:
        return FillUniform();
      case ValueKind::kPermutation:
        return FillRows([this](std::vector<double>& row) {
          for (size_t i = 0; i < row.size(); ++i) {
            const size_t other = random_.Next() % (i + 1);
            row[i] = row[other];
            row[other] = static_cast<double>(i);
          }
        });
      case ValueKind::kSorted:
        return FillSorted();
      case ValueKind::kPartition:
        return FillPartition();
      case ValueKind::kMask:
        for (int64_t i = 0; i < count_; ++i) {
          Put(i, random_.Chance(values_.probability) ? 1 : 0);
        }
        return;
      case ValueKind::kGiven:
        return FillGiven();
      case ValueKind::kCopy:
        FillRegime();
        return FillCopy();
      default:
        return FillRegime();
    }
  }

 private:
  [[noreturn]] void Fail(const std::string& message) const {
    throw TaskError(code::kK118, task_.file, input_.line,
                    fmt::format("[[input]] {}: {} in case {}", input_.name,
                                message, case_.name));
  }

  std::byte* At(int64_t i) {
    return array_.data.data() + BytesOf(array_.dtype) * static_cast<size_t>(i);
  }

  void Put(int64_t i, double value) {
    if (array_.dtype == DType::kComplex64) {
      StoreReal(DType::kFloat, value, At(i));
      StoreReal(DType::kFloat, 0, At(i) + 4);
    } else if (IsReal(array_.dtype)) {
      StoreReal(array_.dtype, value, At(i));
    } else {
      StoreInteger(array_.dtype, static_cast<int64_t>(value), At(i));
    }
  }

  double Number(const Expression& expression, double fallback) const {
    if (expression.empty()) return fallback;
    try {
      return expression.Evaluate(EnvironmentOf(case_)).get<double>();
    } catch (const std::exception& error) {
      Fail(fmt::format("\"{}\" gives no number ({})", expression.text(),
                       error.what()));
    }
  }

  void FillRegime() {
    const DType dtype = array_.dtype;
    if (!IsReal(dtype)) {
      IntegerRegime regime(case_.regime, values_, dtype, seed_);
      for (int64_t i = 0; i < count_; ++i) {
        StoreInteger(dtype, regime.Draw(), At(i));
      }
      return;
    }
    int64_t reals = 0;
    for (const InputSpec& other : task_.inputs) {
      reals += IsReal(DTypeOf(other.dtype, case_)) ? 1 : 0;
    }
    RealRegime regime(case_.regime, values_, dtype, array_.shape, seed_,
                      reals == 1);
    if (dtype == DType::kComplex64) {
      for (int64_t i = 0; i < count_; ++i) {
        StoreReal(DType::kFloat, regime.Draw(i), At(i));
        StoreReal(DType::kFloat, regime.Draw(i), At(i) + 4);
      }
      return;
    }
    for (int64_t i = 0; i < count_; ++i) {
      StoreReal(dtype, regime.Draw(i), At(i));
    }
  }

  template <typename MakeRow>
  void FillRows(MakeRow make_row) {
    if (count_ == 0) return;
    std::vector<double> row(static_cast<size_t>(row_));
    for (int64_t begin = 0; begin < count_; begin += row_) {
      make_row(row);
      for (int64_t i = 0; i < row_; ++i) Put(begin + i, row[i]);
    }
  }

  void FillProbability() {
    if (!IsFloating(array_.dtype)) Fail("probabilities need a real dtype");
    FillRows([this](std::vector<double>& row) {
      double sum = 0;
      for (double& value : row) {
        const double draw = random_.Uniform();
        sum += value = 0x1p-6 + draw * draw * draw;
      }
      for (double& value : row) value /= sum;
    });
  }

  void FillUniform() {
    const double low = Number(values_.low, 0);
    const double high = Number(values_.high, 0);
    const bool real =
        IsReal(array_.dtype) && values_.kind == ValueKind::kUniform;
    if (count_ > 0 && !(low < high)) {
      Fail(fmt::format("there is no value in [{}, {})", low, high));
    }
    for (int64_t i = 0; i < count_; ++i) {
      Put(i, real ? random_.Uniform(low, high)
                  : static_cast<double>(random_.Integer(
                        static_cast<int64_t>(std::ceil(low)),
                        static_cast<int64_t>(std::ceil(high)) - 1)));
    }
  }

  void FillSorted() {
    const double low = Number(values_.low, 0);
    const double high = Number(values_.high, 0);
    const bool real = IsReal(array_.dtype);
    FillRows([&](std::vector<double>& row) {
      for (double& value : row) {
        value =
            real ? random_.Uniform(low, high)
                 : static_cast<double>(random_.Integer(
                       static_cast<int64_t>(low), static_cast<int64_t>(high)));
      }
      std::sort(row.begin(), row.end());
    });
  }

  void FillPartition() {
    const auto total = static_cast<int64_t>(Number(values_.total, 0));
    if (total < 0) Fail(fmt::format("cannot part {} into parts", total));
    FillRows([&](std::vector<double>& row) {
      for (double& cut : row) {
        cut = static_cast<double>(random_.Integer(0, total));
      }
      row.back() = static_cast<double>(total);
      std::sort(row.begin(), row.end());
      if (values_.cumulative) return;
      for (size_t i = row.size() - 1; i > 0; --i) row[i] -= row[i - 1];
    });
  }

  static void Flatten(const Value& value, std::vector<double>& numbers) {
    if (value.is_array()) {
      for (const Value& item : value) Flatten(item, numbers);
    } else {
      numbers.push_back(value.is_boolean() ? (value.get<bool>() ? 1.0 : 0.0)
                                           : value.get<double>());
    }
  }

  void FillGiven() {
    std::vector<double> numbers;
    try {
      Flatten(values_.of.Evaluate(EnvironmentOf(case_)), numbers);
    } catch (const std::exception& error) {
      Fail(fmt::format("\"{}\" gives no numbers ({})", values_.of.text(),
                       error.what()));
    }
    if (static_cast<int64_t>(numbers.size()) != count_) {
      Fail(fmt::format("\"{}\" gives {} numbers for the shape [{}]",
                       values_.of.text(), numbers.size(),
                       ToText(array_.shape)));
    }
    for (int64_t i = 0; i < count_; ++i) Put(i, numbers[i]);
  }

  // Elements that are not copied differ by one step half of the time, so that
  // nearly equal neighbours are met.
  void FillCopy() {
    const auto source = std::find_if(before_.begin(), before_.end(),
                                     [this](const Argument& argument) {
                                       return argument.name == values_.copy_of;
                                     });
    if (source == before_.end() || index_ >= source->tensors.size()) {
      Fail(fmt::format("there is no tensor {} of '{}' to copy", index_,
                       values_.copy_of));
    }
    const Array& other = source->tensors[index_];
    if (other.shape != array_.shape || other.dtype != array_.dtype) {
      Fail(fmt::format("'{}' has another shape or dtype", values_.copy_of));
    }
    const size_t bytes = BytesOf(array_.dtype);
    for (int64_t i = 0; i < count_; ++i) {
      const std::byte* from = other.data.data() + bytes * i;
      if (random_.Chance(values_.probability)) {
        std::memcpy(At(i), from, bytes);
      } else if (random_.Chance(0.5) && array_.dtype != DType::kComplex64 &&
                 array_.dtype != DType::kBool) {
        PutNeighbour(i, from);
      }
    }
  }

  // A finite real or an integer one step away from the one at `from`.
  void PutNeighbour(int64_t i, const std::byte* from) {
    const DType dtype = array_.dtype;
    if (!IsReal(dtype)) {
      return StoreInteger(dtype, LoadInteger(dtype, from) ^ 1, At(i));
    }
    if (!std::isfinite(LoadReal(dtype, from))) return;
    uint64_t bits = 0;
    std::memcpy(&bits, from, BytesOf(dtype));
    bits ^= 1;
    std::memcpy(At(i), &bits, BytesOf(dtype));
  }

  const Task& task_;
  const Case& case_;
  const InputSpec& input_;
  const Values& values_;
  const Arguments& before_;
  size_t index_;
  Array& array_;
  uint64_t seed_;
  Random random_;
  int64_t count_;
  int64_t row_;
};

}  // namespace

Arguments DrawInputs(const Task& task, const Case& one_case) {
  return DrawInputs(task, one_case, [](const InputSpec&) { return true; });
}

Arguments DrawInputs(const Task& task, const Case& one_case,
                     const std::function<bool(const InputSpec&)>& wanted) {
  Arguments arguments;
  for (const InputSpec& input : task.inputs) {
    Argument argument;
    argument.name = input.name;
    argument.list = input.list;
    argument.present = IsPresent(input, one_case);
    const DType dtype = DTypeOf(input.dtype, one_case);
    for (const Shape& shape : InputShapes(input, one_case)) {
      Array array;
      array.dtype = dtype;
      array.shape = shape;
      if (wanted(input)) {
        array.data.resize(
            BytesOf(dtype, static_cast<size_t>(ElementCount(shape))));
        TensorMaker(task, one_case, input, arguments, argument.tensors.size(),
                    array)
            .Fill();
      }
      argument.tensors.push_back(std::move(array));
    }
    arguments.push_back(std::move(argument));
  }
  return arguments;
}

}  // namespace belay::bench
