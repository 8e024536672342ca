// SPDX-License-Identifier: Apache-2.0
#include "calibration/fit.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace belay::calibration {
namespace {

constexpr int kSteps = 8;
constexpr double kEnough = 0.02;      // gain of a step, of the loss
constexpr double kDifference = 0.05;  // of a logarithm, for derivatives
constexpr double kLongest = 0.4;      // change of a logarithm in one step
constexpr double kDampings[] = {0.01, 0.3, 10};

using Matrix = std::vector<std::vector<double>>;

// Three figures are enough for anything that is fitted.
double Round(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 2);
  return std::round(value / unit) * unit;
}

// Solves a x = b by elimination; `a` is symmetric and positive definite.
std::vector<double> Solve(Matrix a, std::vector<double> b) {
  const size_t n = b.size();
  for (size_t i = 0; i < n; ++i) {
    for (size_t row = i + 1; row < n; ++row) {
      const double factor = a[row][i] / a[i][i];
      for (size_t k = i; k < n; ++k) a[row][k] -= factor * a[i][k];
      b[row] -= factor * b[i];
    }
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; ++k) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

class Search {
 public:
  Search(const std::vector<Row>& rows,
         const std::vector<FreeConstant>& constants,
         const clock::ClockSpec& spec, const FitOptions& options)
      : rows_(rows),
        constants_(constants),
        spec_(spec),
        options_(options),
        depends_(constants.size(), std::vector<bool>(rows.size(), true)) {}

  Fit Run() {
    for (const FreeConstant& constant : constants_) {
      best_.values.push_back(constant.start);
    }
    offs_ = OffsAt(best_.values, std::vector<bool>(rows_.size(), true));
    best_.loss = LossOf(offs_);
    Report();
    while (best_.steps < kSteps) {
      const double before = best_.loss;
      if (!Step()) break;
      ++best_.steps;
      Report();
      if (best_.loss > before * (1 - kEnough)) break;
    }
    return best_;
  }

 private:
  void Report() const {
    if (options_.progress) options_.progress(best_);
  }

  static double LossOf(const std::vector<double>& offs) {
    double sum = 0;
    for (const double off : offs) sum += off * off;
    return std::sqrt(sum / static_cast<double>(offs.size()));
  }

  // log(predicted / measured) of the chosen rows; of the others as they are.
  std::vector<double> OffsAt(const std::vector<double>& values,
                             const std::vector<bool>& chosen) const {
    std::vector<Row> rows;
    for (size_t i = 0; i < rows_.size(); ++i) {
      if (chosen[i]) rows.push_back(rows_[i]);
    }
    const auto predictions = PredictAll(rows, With(spec_, constants_, values),
                                        options_.threads, nullptr);
    std::vector<double> offs = offs_;
    offs.resize(rows_.size());
    for (size_t i = 0, next = 0; i < rows_.size(); ++i) {
      if (!chosen[i]) continue;
      offs[i] = std::log1p(ErrorOf(rows_[i], predictions[next]));
      ++next;
    }
    return offs;
  }

  // How each row answers to each constant. Rows that did not answer to a
  // constant before are not asked again.
  Matrix Derivatives() {
    Matrix derivatives;
    for (size_t i = 0; i < constants_.size(); ++i) {
      std::vector<double> values = best_.values;
      const bool up = values[i] * std::exp(kDifference) <= constants_[i].high;
      values[i] *= std::exp(up ? kDifference : -kDifference);
      const std::vector<double> offs = OffsAt(values, depends_[i]);
      std::vector<double> column;
      for (size_t row = 0; row < rows_.size(); ++row) {
        const double difference = offs[row] - offs_[row];
        depends_[i][row] = depends_[i][row] && difference != 0;
        column.push_back(difference / (up ? kDifference : -kDifference));
      }
      derivatives.push_back(column);
    }
    return derivatives;
  }

  // Takes the longest of a few steps that comes closer; false when none does.
  bool Step() {
    const Matrix derivatives = Derivatives();
    const size_t n = constants_.size();
    Matrix normal(n, std::vector<double>(n));
    std::vector<double> gradient(n);
    for (size_t i = 0; i < n; ++i) {
      for (size_t row = 0; row < rows_.size(); ++row) {
        gradient[i] -= derivatives[i][row] * offs_[row];
        for (size_t k = 0; k < n; ++k) {
          normal[i][k] += derivatives[i][row] * derivatives[k][row];
        }
      }
    }
    std::vector<bool> touched(rows_.size());
    for (const std::vector<bool>& depends : depends_) {
      for (size_t row = 0; row < rows_.size(); ++row) {
        touched[row] = touched[row] || depends[row];
      }
    }
    for (const double damping : kDampings) {
      Matrix damped = normal;
      for (size_t i = 0; i < n; ++i) {
        damped[i][i] = normal[i][i] * (1 + damping) + 1e-6;
      }
      const std::vector<double> change = Solve(damped, gradient);
      std::vector<double> values = best_.values;
      for (size_t i = 0; i < n; ++i) {
        const double limited = std::clamp(change[i], -kLongest, kLongest);
        values[i] = std::clamp(Round(values[i] * std::exp(limited)),
                               constants_[i].low, constants_[i].high);
      }
      const std::vector<double> offs = OffsAt(values, touched);
      const double loss = LossOf(offs);
      if (loss >= best_.loss) continue;
      best_.values = values;
      best_.loss = loss;
      offs_ = offs;
      return true;
    }
    return false;
  }

  const std::vector<Row>& rows_;
  const std::vector<FreeConstant>& constants_;
  const clock::ClockSpec& spec_;
  const FitOptions& options_;
  Fit best_;
  std::vector<double> offs_;                // at the best values
  std::vector<std::vector<bool>> depends_;  // constants by rows
};

}  // namespace

std::vector<FreeConstant> LoadFreeConstants(const std::filesystem::path& path) {
  toml::table file;
  try {
    file = toml::parse_file(path.string());
  } catch (const toml::parse_error& error) {
    throw UserError(fmt::format("[calibrate] {}:{}: {}", path.string(),
                                error.source().begin.line,
                                error.description()));
  }
  std::vector<FreeConstant> constants;
  const toml::array* list = file["constant"].as_array();
  for (size_t i = 0; list != nullptr && i < list->size(); ++i) {
    const toml::table* table = list->get(i)->as_table();
    FreeConstant constant;
    if (table != nullptr) {
      constant.key = (*table)["key"].value_or("");
      constant.start = (*table)["start"].value_or(0.0);
      constant.low = (*table)["low"].value_or(0.0);
      constant.high = (*table)["high"].value_or(0.0);
    }
    if (constant.key.empty() || constant.low <= 0 ||
        constant.low > constant.start || constant.start > constant.high) {
      throw UserError(fmt::format(
          "[calibrate] {}: constant {} needs a key and 0 < low ≤ start ≤ "
          "high",
          path.string(), i + 1));
    }
    constants.push_back(constant);
  }
  return constants;
}

double Loss(const std::vector<double>& errors) {
  double sum = 0;
  for (const double error : errors) {
    const double off = std::log1p(error);
    sum += off * off;
  }
  return std::sqrt(sum / static_cast<double>(errors.size()));
}

Fit FitConstants(const std::vector<Row>& rows,
                 const std::vector<FreeConstant>& constants,
                 const clock::ClockSpec& spec, const FitOptions& options) {
  return Search(rows, constants, spec, options).Run();
}

clock::ClockSpec With(const clock::ClockSpec& spec,
                      const std::vector<FreeConstant>& constants,
                      const std::vector<double>& values) {
  clock::ClockSpec changed = spec;
  for (size_t i = 0; i < constants.size(); ++i) {
    changed.Set(constants[i].key, values[i]);
  }
  return changed;
}

}  // namespace belay::calibration
