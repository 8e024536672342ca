// SPDX-License-Identifier: Apache-2.0
#include "bench/expression.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "base/dtype.h"
#include "bench/expression_node.h"

namespace belay::bench {
namespace {

int64_t ToInt(const Value& value, std::string_view where) {
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number_integer()) return value.get<int64_t>();
  throw ExpressionError(
      fmt::format("[{}] needs an integer, got {}", where, value.dump()));
}

const Value& ToList(const Value& value, std::string_view where) {
  if (value.is_array()) return value;
  throw ExpressionError(
      fmt::format("[{}] needs a list, got {}", where, value.dump()));
}

bool ToBool(const Value& value, std::string_view where) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0;
  throw ExpressionError(
      fmt::format("[{}] needs a truth value, got {}", where, value.dump()));
}

// The place `index` names in a list of `size`, counted from the end if
// negative; `extra` is 1 where one past the end is a place too.
size_t Place(int64_t index, size_t size, std::string_view where,
             int64_t extra = 0) {
  const int64_t bound = static_cast<int64_t>(size) + extra;
  const int64_t place = index < 0 ? index + bound : index;
  if (place < 0 || place >= bound) {
    throw ExpressionError(fmt::format("[{}] index {} lies outside a list of {}",
                                      where, index, size));
  }
  return static_cast<size_t>(place);
}

int64_t FloorDivide(int64_t a, int64_t b, std::string_view sign) {
  if (b == 0) {
    throw ExpressionError(fmt::format("[{}] divides {} by 0", sign, a));
  }
  const int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// The number of a dtype in ACL's enumeration.
int64_t AclType(const std::string& name) {
  switch (ParseDType(name).value_or(DType::kNone)) {
    case DType::kFloat:
      return 0;
    case DType::kHalf:
      return 1;
    case DType::kInt8:
      return 2;
    case DType::kInt32:
      return 3;
    case DType::kUint8:
      return 4;
    case DType::kInt16:
      return 6;
    case DType::kUint16:
      return 7;
    case DType::kUint32:
      return 8;
    case DType::kInt64:
      return 9;
    case DType::kUint64:
      return 10;
    case DType::kDouble:
      return 11;
    case DType::kBool:
      return 12;
    case DType::kComplex64:
      return 16;
    case DType::kBfloat16:
      return 27;
    case DType::kInt4:
      return 29;
    case DType::kNone:
      break;
  }
  throw ExpressionError(
      fmt::format("[acl_type] '{}' is not the name of a dtype", name));
}

Value Extreme(const std::vector<Value>& arguments, bool largest) {
  const Value& first = arguments.at(0);
  const std::vector<Value> items =
      arguments.size() == 1 ? ToList(first, "min/max").get<std::vector<Value>>()
                            : arguments;
  if (items.empty()) {
    throw ExpressionError("[min/max] needs at least one value, got none");
  }
  Value best = items.front();
  for (const Value& item : items) {
    const bool less = item.get<double>() < best.get<double>();
    const bool more = item.get<double>() > best.get<double>();
    if (largest ? more : less) best = item;
  }
  return best;
}

Value CallAxisFunction(const std::string& name,
                       const std::vector<Value>& arguments) {
  Value list = ToList(arguments.at(0), name);
  const size_t place = Place(ToInt(arguments.at(1), name), list.size(), name,
                             name == "insert" ? 1 : 0);
  if (name == "remove") {
    list.erase(place);
  } else if (name == "replace") {
    list[place] = ToInt(arguments.at(2), name);
  } else {
    list.insert(list.begin() + static_cast<int64_t>(place),
                ToInt(arguments.at(2), name));
  }
  return list;
}

Value CallListFunction(const std::string& name, const Value& argument) {
  int64_t sum = 0;
  int64_t product = 1;
  Value running = Value::array();
  for (const Value& item : ToList(argument, name)) {
    sum += ToInt(item, name);
    product *= ToInt(item, name);
    running.push_back(sum);
  }
  if (name == "sum") return sum;
  if (name == "prod") return product;
  return running;
}

Value Call(const std::string& name, const std::vector<Value>& arguments) {
  struct Function {
    std::string_view name;
    size_t least;
    size_t most;
  };
  static constexpr Function kFunctions[] = {
      {"len", 1, 1},    {"prod", 1, 1},    {"sum", 1, 1},    {"cumsum", 1, 1},
      {"min", 1, 9},    {"max", 1, 9},     {"abs", 1, 1},    {"range", 1, 1},
      {"remove", 2, 2}, {"replace", 3, 3}, {"insert", 3, 3}, {"acl_type", 1, 1},
  };
  const Function* function = nullptr;
  for (const Function& candidate : kFunctions) {
    if (candidate.name == name) function = &candidate;
  }
  if (function == nullptr) {
    throw ExpressionError(fmt::format(
        "[{}] is not a function of expressions; there are len, prod, sum, "
        "cumsum, min, max, abs, range, replace, remove, insert, acl_type",
        name));
  }
  if (arguments.size() < function->least || arguments.size() > function->most) {
    throw ExpressionError(fmt::format("[{}] takes {} arguments, got {}", name,
                                      function->least, arguments.size()));
  }
  if (name == "len") return ToList(arguments[0], name).size();
  if (name == "min" || name == "max") return Extreme(arguments, name == "max");
  if (name == "abs") return std::abs(ToInt(arguments[0], name));
  if (name == "acl_type") return AclType(arguments[0].get<std::string>());
  if (name == "range") {
    Value list = Value::array();
    for (int64_t i = 0; i < ToInt(arguments[0], name); ++i) list.push_back(i);
    return list;
  }
  if (arguments.size() > 1) return CallAxisFunction(name, arguments);
  return CallListFunction(name, arguments[0]);
}

Value Arithmetic(const std::string& sign, const Value& a, const Value& b) {
  if (sign == "+" && a.is_array() && b.is_array()) {
    Value joined = a;
    joined.insert(joined.end(), b.begin(), b.end());
    return joined;
  }
  if (sign == "*" && a.is_array()) {
    Value repeated = Value::array();
    for (int64_t i = 0; i < ToInt(b, "*"); ++i) {
      repeated.insert(repeated.end(), a.begin(), a.end());
    }
    return repeated;
  }
  if (sign == "/" || sign == "**" || a.is_number_float() ||
      b.is_number_float()) {
    if (!a.is_number() || !b.is_number()) {
      throw ExpressionError(fmt::format("[{}] needs numbers, got {} and {}",
                                        sign, a.dump(), b.dump()));
    }
    const double x = a.get<double>();
    const double y = b.get<double>();
    if (sign == "+") return x + y;
    if (sign == "-") return x - y;
    if (sign == "*") return x * y;
    if (sign == "/") return x / y;
    if (sign == "**") {
      const double power = std::pow(x, y);
      const bool whole = a.is_number_integer() && b.is_number_integer() &&
                         y >= 0 && std::abs(power) < 0x1p62;
      return whole ? Value(static_cast<int64_t>(power)) : Value(power);
    }
    const double quotient = std::floor(x / y);
    return sign == "//" ? quotient : x - quotient * y;
  }
  const int64_t x = ToInt(a, sign);
  const int64_t y = ToInt(b, sign);
  if (sign == "+") return x + y;
  if (sign == "-") return x - y;
  if (sign == "*") return x * y;
  if (sign == "//") return FloorDivide(x, y, sign);
  return x - FloorDivide(x, y, sign) * y;
}

Value Binary(const ExpressionNode& node, const Environment& environment) {
  const std::string& sign = node.text;
  const Value a = EvaluateNode(*node.children[0], environment);
  if (sign == "and" || sign == "or") {
    if (ToBool(a, sign) != (sign == "and")) return a;
    return EvaluateNode(*node.children[1], environment);
  }
  const Value b = EvaluateNode(*node.children[1], environment);
  if (sign == "==") return a == b;
  if (sign == "!=") return a != b;
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  if (sign == ">") return a > b;
  if (sign == ">=") return a >= b;
  if (sign == "in") {
    const Value& list = ToList(b, sign);
    return std::find(list.begin(), list.end(), a) != list.end();
  }
  return Arithmetic(sign, a, b);
}

Value EvaluateList(const ExpressionNode& node, const Environment& environment) {
  Value list = Value::array();
  for (const NodePtr& child : node.children) {
    if (child->kind != NodeKind::kSpread) {
      list.push_back(EvaluateNode(*child, environment));
      continue;
    }
    const Value items = EvaluateNode(*child->children[0], environment);
    for (const Value& item : ToList(items, "*")) list.push_back(item);
  }
  return list;
}

void CollectNames(const ExpressionNode& node, std::set<std::string>& bound,
                  std::set<std::string>& names) {
  if (node.kind == NodeKind::kName && !bound.contains(node.text)) {
    names.insert(node.text);
  }
  if (node.kind == NodeKind::kEach) {
    CollectNames(*node.children[1], bound, names);
    const bool added = bound.insert(node.text).second;
    CollectNames(*node.children[0], bound, names);
    if (added) bound.erase(node.text);
    return;
  }
  for (const NodePtr& child : node.children) {
    CollectNames(*child, bound, names);
  }
}

}  // namespace

Value EvaluateNode(const ExpressionNode& node, const Environment& environment) {
  const auto child = [&](size_t i) {
    return EvaluateNode(*node.children[i], environment);
  };
  switch (node.kind) {
    case NodeKind::kLiteral:
      return node.literal;
    case NodeKind::kName:
      if (!environment.contains(node.text)) {
        throw ExpressionError(fmt::format(
            "[expression] the name '{}' has no value here", node.text));
      }
      return environment[node.text];
    case NodeKind::kSpread:
      throw ExpressionError("[*] may stand only inside a list");
    case NodeKind::kList:
      return EvaluateList(node, environment);
    case NodeKind::kEach: {
      Value list = Value::array();
      Environment inner = environment;
      const Value items = child(1);
      for (const Value& item : ToList(items, "for")) {
        inner[node.text] = item;
        list.push_back(EvaluateNode(*node.children[0], inner));
      }
      return list;
    }
    case NodeKind::kIndex: {
      const Value list = child(0);
      const Value index = child(1);
      return ToList(list, "[]")[Place(ToInt(index, "[]"), list.size(), "[]")];
    }
    case NodeKind::kCall: {
      std::vector<Value> arguments;
      for (size_t i = 0; i < node.children.size(); ++i) {
        arguments.push_back(child(i));
      }
      return Call(node.text, arguments);
    }
    case NodeKind::kUnary: {
      const Value value = child(0);
      if (node.text == "not") return !ToBool(value, "not");
      if (value.is_number_float()) return -value.get<double>();
      return -ToInt(value, "-");
    }
    case NodeKind::kBinary:
      return Binary(node, environment);
    case NodeKind::kChoice:
      return ToBool(child(0), "if") ? child(1) : child(2);
  }
  throw InternalError("an expression node of no known kind");
}

Expression Expression::Parse(std::string_view text) {
  Expression expression;
  expression.text_ = text;
  expression.root_ = ParseExpression(text);
  return expression;
}

Value Expression::Evaluate(const Environment& environment) const {
  if (root_ == nullptr) {
    throw InternalError("an empty expression has no value");
  }
  try {
    return EvaluateNode(*root_, environment);
  } catch (const nlohmann::json::exception&) {
    throw ExpressionError(fmt::format(
        "[expression] \"{}\" mixes kinds of values that do not go together",
        text_));
  }
}

std::vector<std::string> Expression::Names() const {
  std::set<std::string> bound;
  std::set<std::string> names;
  if (root_ != nullptr) CollectNames(*root_, bound, names);
  return {names.begin(), names.end()};
}

}  // namespace belay::bench
