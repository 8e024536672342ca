// SPDX-License-Identifier: Apache-2.0
#include "bench/case.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/float16.h"
#include "bench/case_reader.h"
#include "bench/hash.h"
#include "bench/task_error.h"

namespace belay::bench {
namespace {

// Names a case must bind by its sizes: what shapes, values and conditions use
// beyond attributes and types.
std::set<std::string> SizeNames(const Task& task) {
  std::set<std::string> names;
  const auto add = [&](const Expression& expression) {
    for (const std::string& name : expression.Names()) {
      if (FindAttribute(task, name) != nullptr) continue;
      if (task.types.front().contains(name)) continue;
      names.insert(name);
    }
  };
  const auto add_values = [&](const Values& values) {
    add(values.low);
    add(values.high);
    add(values.total);
    add(values.of);
  };
  for (const InputSpec& input : task.inputs) {
    add(input.shape);
    add_values(input.values);
  }
  for (const CaseGroup& group : task.groups) {
    for (const auto& [name, values] : group.values) add_values(values);
  }
  for (const OutputSpec& output : task.outputs) {
    add(output.shape);
    add(output.when);
  }
  for (const AttributeSpec& attribute : task.attributes) add(attribute.value);
  return names;
}

bool IsSizes(const Value& value) {
  if (value.is_number_integer()) return true;
  return value.is_array() && std::all_of(value.begin(), value.end(), IsSizes);
}

void RequireSizes(const Task& task, const CaseGroup& group, const Value& sizes,
                  const std::set<std::string>& wanted) {
  for (const std::string& name : wanted) {
    if (sizes.contains(name)) continue;
    throw TaskError(code::kK109, task.file, group.line,
                    fmt::format("[[cases]]: the size '{}' is missing in {}; "
                                "the signature uses {}",
                                name, sizes.dump(), fmt::join(wanted, ", ")));
  }
  for (const auto& [name, value] : sizes.items()) {
    if (!wanted.contains(name)) {
      throw TaskError(code::kK109, task.file, group.line,
                      fmt::format("[[cases]]: no shape uses the size '{}'; the "
                                  "signature uses {}",
                                  name, fmt::join(wanted, ", ")));
    }
    if (!IsSizes(value)) {
      throw TaskError(code::kK105, task.file, group.line,
                      fmt::format("[[cases]]: the size '{}' must be an integer "
                                  "or a list of them, got {}",
                                  name, value.dump()));
    }
  }
}

double RoundTo(DType dtype, double value) {
  switch (dtype) {
    case DType::kHalf:
      return ToFloat(HalfFromFloat(static_cast<float>(value)));
    case DType::kBfloat16:
      return ToFloat(BfloatFromFloat(static_cast<float>(value)));
    case DType::kFloat:
      return static_cast<float>(value);
    default:
      return value;
  }
}

Value RoundValue(const Value& value, DType dtype) {
  if (value.is_number_float()) return RoundTo(dtype, value.get<double>());
  if (!value.is_array()) return value;
  Value rounded = Value::array();
  for (const Value& item : value) rounded.push_back(RoundValue(item, dtype));
  return rounded;
}

// A float attribute keeps its type when a file writes it without a point.
Value AsDeclared(const Value& value, AttributeType type) {
  if (type == AttributeType::kFloat) return value.get<double>();
  if (type == AttributeType::kFloatList) {
    return value.get<std::vector<double>>();
  }
  return value;
}

Value Compute(const Task& task, const AttributeSpec& attribute,
              const Case& made) {
  try {
    return attribute.value.Evaluate(EnvironmentOf(made));
  } catch (const ExpressionError& error) {
    throw TaskError(
        code::kK109, task.file, attribute.line,
        fmt::format("[[attribute]] {}: {}", attribute.name, error.what()));
  }
}

void FillAttributes(const Task& task, const CaseGroup& group,
                    const Value& given, Case& made) {
  for (const AttributeSpec& attribute : task.attributes) {
    Value value = attribute.fallback;
    if (given.contains(attribute.name)) value = given[attribute.name];
    if (!attribute.value.empty()) {
      value = Compute(task, attribute, made);
    }
    if (value.is_null()) {
      throw TaskError(
          code::kK109, task.file, group.line,
          fmt::format("[[cases]]: the attribute '{}' is missing and has no "
                      "default",
                      attribute.name));
    }
    if (!FitsType(value, attribute.type)) {
      throw TaskError(
          code::kK105, task.file, attribute.line,
          fmt::format("[[attribute]] {}: must be of type {}, got "
                      "{}",
                      attribute.name, NameOf(attribute.type), value.dump()));
    }
    value = AsDeclared(value, attribute.type);
    if (!attribute.scalar.empty()) {
      value = RoundValue(value, DTypeOf(attribute.scalar, made));
    }
    made.attributes[attribute.name] = std::move(value);
  }
}

Shape ToShape(const Value& value) {
  if (!value.is_array()) {
    throw ExpressionError(
        fmt::format("[shape] must be a list of sizes, got {}", value.dump()));
  }
  Shape shape;
  for (const Value& size : value) {
    if (!size.is_number_integer() || size.get<int64_t>() < 0) {
      throw ExpressionError(fmt::format(
          "[shape] sizes must be integers >= 0, got {}", value.dump()));
    }
    shape.push_back(size.get<int64_t>());
  }
  ElementCount(shape);
  return shape;
}

std::vector<Shape> ToShapes(const Expression& expression, bool list,
                            const Case& one_case) {
  const Value value = expression.Evaluate(EnvironmentOf(one_case));
  if (!list) return {ToShape(value)};
  if (!value.is_array()) {
    throw ExpressionError(
        fmt::format("[shape] a list of tensors needs a list of shapes, got {}",
                    value.dump()));
  }
  std::vector<Shape> shapes;
  for (const Value& item : value) shapes.push_back(ToShape(item));
  return shapes;
}

// Evaluates every shape once, so that a case that cannot be is refused here.
void RequireShapes(const Task& task, const Case& made) {
  const auto attempt = [&](const auto& spec, auto&& evaluate) {
    try {
      evaluate(spec);
    } catch (const UserError& error) {
      throw TaskError(
          code::kK110, task.file, made.line,
          fmt::format("[[cases]] {}: '{}' has the shape {}: {}", made.name,
                      spec.name, spec.shape.text(), error.what()));
    }
  };
  for (const InputSpec& input : task.inputs) {
    attempt(input, [&](const InputSpec& spec) { InputShapes(spec, made); });
  }
  for (const OutputSpec& output : task.outputs) {
    attempt(output, [&](const OutputSpec& spec) {
      if (IsPresent(spec, made)) OutputShapes(spec, made);
    });
  }
}

}  // namespace

std::vector<Case> ExpandCases(const Task& task) {
  const std::set<std::string> wanted = SizeNames(task);
  std::vector<Case> cases;
  int counts[2] = {0, 0};
  for (const CaseGroup& group : task.groups) {
    for (const Value& sizes : group.sizes) {
      RequireSizes(task, group, sizes, wanted);
    }
    const size_t lengths[] = {group.sizes.size(), group.attributes.size(),
                              group.types.size(), group.regimes.size(),
                              group.absent.size()};
    size_t total = group.product ? 1 : 0;
    for (const size_t length : lengths) {
      total = group.product ? total * length : std::max(total, length);
    }
    for (size_t i = 0; i < total; ++i) {
      size_t at[5];
      size_t rest = i;
      for (int axis = 0; axis < 5; ++axis) {
        at[axis] = rest % lengths[axis];
        if (group.product) rest /= lengths[axis];
      }
      Case made;
      made.kind = group.kind;
      made.name = fmt::format("{}-{}", NameOf(group.kind),
                              counts[static_cast<int>(group.kind)]++);
      made.note = group.note;
      made.line = group.line;
      made.lint = group.lint;
      made.sizes = group.sizes[at[0]];
      made.types = group.types[at[2]];
      made.regime = group.regimes[at[3]];
      made.absent = group.absent[at[4]];
      made.values = group.values;
      made.seed = SeedOf(fmt::format("{}/{}", task.id, made.name), group.seed);
      FillAttributes(task, group, group.attributes[at[1]], made);
      RequireShapes(task, made);
      cases.push_back(std::move(made));
    }
  }
  return cases;
}

Environment EnvironmentOf(const Case& one_case) {
  Environment environment = one_case.sizes;
  for (const auto& [name, value] : one_case.attributes.items()) {
    environment[name] = value;
  }
  for (const auto& [name, dtype] : one_case.types) {
    environment[name] = NameOf(dtype);
  }
  return environment;
}

DType DTypeOf(const std::string& word, const Case& one_case) {
  const auto found = one_case.types.find(word);
  if (found != one_case.types.end()) return found->second;
  const std::optional<DType> dtype = ParseDType(word);
  if (!dtype) {
    throw InternalError(fmt::format("'{}' is not a dtype of this case", word));
  }
  return *dtype;
}

std::vector<Shape> InputShapes(const InputSpec& input, const Case& one_case) {
  if (!IsPresent(input, one_case)) return {};
  return ToShapes(input.shape, input.list, one_case);
}

std::optional<std::vector<Shape>> OutputShapes(const OutputSpec& output,
                                               const Case& one_case) {
  if (output.shape.empty()) return std::nullopt;
  return ToShapes(output.shape, output.list, one_case);
}

bool IsPresent(const InputSpec& input, const Case& one_case) {
  return std::find(one_case.absent.begin(), one_case.absent.end(),
                   input.name) == one_case.absent.end();
}

bool IsPresent(const OutputSpec& output, const Case& one_case) {
  if (output.when.empty()) return true;
  const Value value = output.when.Evaluate(EnvironmentOf(one_case));
  if (!value.is_boolean()) {
    throw ExpressionError(
        fmt::format("[when] \"{}\" must be true or false, got {}",
                    output.when.text(), value.dump()));
  }
  return value.get<bool>();
}

const Values& ValuesOf(const InputSpec& input, const Case& one_case) {
  const auto found = one_case.values.find(input.name);
  return found == one_case.values.end() ? input.values : found->second;
}

int64_t ElementsOf(const Task& task, const Case& one_case) {
  int64_t elements = 0;
  for (const InputSpec& input : task.inputs) {
    for (const Shape& shape : InputShapes(input, one_case)) {
      elements += ElementCount(shape);
    }
  }
  for (const OutputSpec& output : task.outputs) {
    if (!IsPresent(output, one_case)) continue;
    const auto shapes = OutputShapes(output, one_case);
    if (!shapes) continue;
    for (const Shape& shape : *shapes) elements += ElementCount(shape);
  }
  return elements;
}

std::string Describe(const Task& task, const Case& one_case) {
  std::vector<std::string> parts;
  for (const auto& [name, dtype] : one_case.types) {
    parts.push_back(fmt::format("{}={}", name, NameOf(dtype)));
  }
  for (const auto& [name, value] : one_case.sizes.items()) {
    parts.push_back(fmt::format("{}={}", name, value.dump()));
  }
  for (const AttributeSpec& attribute : task.attributes) {
    parts.push_back(fmt::format("{}={}", attribute.name,
                                one_case.attributes[attribute.name].dump()));
  }
  parts.emplace_back(NameOf(one_case.regime));
  for (const std::string& name : one_case.absent) {
    parts.push_back("without " + name);
  }
  return fmt::format("{}", fmt::join(parts, " "));
}

}  // namespace belay::bench
