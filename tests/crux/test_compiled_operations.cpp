// SPDX-License-Identifier: Apache-2.0
// Every elementwise operation, comparison, conversion and maker of every dtype,
// compiled: one small kernel each, on random and special numbers.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "call.h"
#include "compiled_text.h"
#include "crux/check.h"
#include "crux/fuzz/random.h"
#include "crux/type.h"

namespace belay::testing::test_compiled_operations {
namespace {

using crux::Op;
using crux::OpFamily;
using crux::OpInfo;
using crux::fuzz::Random;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::vector<double> SpecialsOf(DType dtype) {
  if (dtype == DType::kBool) return {0, 1};
  if (IsFloating(dtype)) {
    return {0,
            -0.0,
            1,
            -1,
            kInfinity,
            -kInfinity,
            NAN,
            0.5,
            -0.5,
            1.5,
            2.5,
            -2.5,
            1e-7,
            -1e-7,
            6e-8,
            1e-4,
            65504,
            -65504,
            3e38,
            -3e38,
            1e-38,
            -1e-38,
            1e-40,
            88.5,
            -88.5,
            -100,
            -20,
            3.14159265,
            127.5,
            255.5,
            -129.7,
            32768.5,
            2147483648.0,
            4294967296.0,
            1e19,
            0.99999994};
  }
  const int bits = BitsOf(dtype) - (IsSigned(dtype) ? 1 : 0);
  const double top = std::ldexp(1.0, bits) - (bits > 50 ? 2048 : 1);
  std::vector<double> numbers = {0, 1, 2, 3, 7, 100, top, top - 1};
  if (IsSigned(dtype)) {
    for (const double low : {-1.0, -2.0, -7.0, -100.0, -top, -top - 1}) {
      numbers.push_back(low);
    }
  }
  if (bits > 24) {
    for (const double large : {16777217.0, 16777219.0, 2147483520.0}) {
      numbers.push_back(large);
    }
  }
  return numbers;
}

double RandomNumber(Random& random, DType dtype) {
  if (dtype == DType::kBool) return random.Below(2);
  if (IsFloating(dtype)) {
    const double sign = random.Chance(50) ? 1 : -1;
    if (random.Chance(20)) {
      return sign * std::exp2(random.Uniform() * 60 - 30);
    }
    return sign * random.Uniform() * (random.Chance(50) ? 2 : 30);
  }
  const int low = IsSigned(dtype) ? -100 : 0;
  if (BitsOf(dtype) > 8 && random.Chance(30)) {
    return std::floor(
        (IsSigned(dtype) ? random.Uniform() - 0.5 : random.Uniform()) *
        std::ldexp(1.0, std::min(BitsOf(dtype), 50)));
  }
  return random.Between(low, 120);
}

// What the second operand of an operation may be.
double Allowed(Op op, DType dtype, double number, Random& random) {
  if (IsFloating(dtype)) return number;
  switch (op) {
    case Op::kFloorDiv:
    case Op::kMod:
      return number == 0 ? 3 : number;
    case Op::kPow:
      return random.Between(0, 9);
    case Op::kShiftLeft:
    case Op::kShiftRight:
      return random.Between(IsSigned(dtype) ? -2 : 0, 70);
    default:
      return number;
  }
}

// Pairs of special numbers, then random ones.
std::vector<std::vector<double>> OperandsOf(Op op, DType dtype, size_t operands,
                                            size_t count, Random& random) {
  const std::vector<double> specials = SpecialsOf(dtype);
  std::vector<std::vector<double>> all(operands);
  for (size_t i = 0; i < count; ++i) {
    for (size_t k = 0; k < operands; ++k) {
      const bool special =
          i < specials.size() * specials.size() ? true : random.Chance(3);
      const size_t pick = k == 0   ? i % specials.size()
                          : k == 1 ? i / specials.size() % specials.size()
                                   : random.Below(specials.size());
      double number = special ? specials[pick] : RandomNumber(random, dtype);
      if (k > 0) number = Allowed(op, dtype, number, random);
      all[k].push_back(number);
    }
  }
  return all;
}

using CruxCompiled = CompiledText;

std::vector<const OpInfo*> Operations(OpFamily family) {
  std::vector<const OpInfo*> found;
  for (const OpInfo& info : crux::AllOperations()) {
    if (info.family == family) found.push_back(&info);
  }
  return found;
}

size_t TilesOf(const OpInfo& info) {
  size_t tiles = 0;
  for (const crux::OpParameter& parameter : info.parameters) {
    tiles += parameter.role == crux::ArgRole::kTile ? 1 : 0;
  }
  return tiles;
}

// The operation written with these operands.
std::string Written(const OpInfo& info, const std::vector<std::string>& args,
                    const std::string& more = "") {
  if (info.is_operator()) {
    if (args.size() == 1) return fmt::format("{}{}", info.spelling, args[0]);
    return fmt::format("{}{}{}", args[0], info.spelling, args[1]);
  }
  return fmt::format("{}({}{})", info.spelling, fmt::join(args, ", "), more);
}

std::string OneAxis(DType dtype, size_t tiles, DType result,
                    const std::string& expression) {
  std::string text = "@kernel\ndef k(";
  for (size_t i = 0; i < tiles; ++i) {
    text +=
        fmt::format("{}: {}[N], ", static_cast<char>('a' + i), NameOf(dtype));
  }
  text += fmt::format("y: out({}[N])):\n", NameOf(result));
  text += "    for i in cores(N, tile=auto):\n";
  for (size_t i = 0; i < tiles; ++i) {
    const char name = static_cast<char>('a' + i);
    text += fmt::format("        t{} = load({}[i])\n", name, name);
  }
  return text + fmt::format("        store(y[i], {})\n", expression);
}

class CruxCompiledElementwise : public CruxCompiled {
 protected:
  void ExpectOperation(const OpInfo& info, DType dtype,
                       const std::string& more = "") {
    const size_t tiles = TilesOf(info);
    const bool compares = info.family == OpFamily::kCompare;
    const size_t specials = SpecialsOf(dtype).size();
    const size_t count = tiles == 1 ? 2000 : specials * specials + 1000;
    std::vector<std::string> names = {"ta", "tb", "tc"};
    names.resize(tiles);
    const std::vector<std::vector<double>> numbers =
        OperandsOf(info.op, dtype, tiles, count, random_);
    std::vector<Array> tensors;
    for (const std::vector<double>& one : numbers) {
      tensors.push_back(
          ArrayOf(dtype, {static_cast<int64_t>(one.size())}, one));
    }
    Expect(OneAxis(dtype, tiles, compares ? DType::kBool : dtype,
                   Written(info, names, more)),
           tensors);
  }
};

TEST_F(CruxCompiledElementwise, EveryOperationOfEveryDtype) {
  for (const OpFamily family : {OpFamily::kElementwise, OpFamily::kCompare}) {
    for (const OpInfo* info : Operations(family)) {
      if (info->op == Op::kWhere) continue;
      for (const DType dtype : crux::AllDtypes()) {
        if (!crux::Allows(info->dtypes, dtype)) continue;
        ExpectOperation(*info, dtype);
        if (info->op == Op::kGelu) {
          ExpectOperation(*info, dtype, ", approximate=\"tanh\"");
        }
      }
    }
  }
}

TEST_F(CruxCompiledElementwise, NumbersOnEitherSide) {
  for (const OpFamily family : {OpFamily::kElementwise, OpFamily::kCompare}) {
    for (const OpInfo* info : Operations(family)) {
      if (TilesOf(*info) != 2) continue;
      for (const DType dtype : crux::AllDtypes()) {
        if (!crux::Allows(info->dtypes, dtype) || dtype == DType::kBool) {
          continue;
        }
        const bool compares = family == OpFamily::kCompare;
        const DType result = compares ? DType::kBool : dtype;
        std::vector<double> numbers =
            OperandsOf(info->op, dtype, 1, 300, random_)[0];
        const Array left = ArrayOf(dtype, {300}, numbers);
        for (double& number : numbers) {
          number = Allowed(info->op, dtype, number, random_);
        }
        const Array right = ArrayOf(dtype, {300}, numbers);
        for (const char* number : {"3", "4", "1"}) {
          Expect(OneAxis(dtype, 1, result, Written(*info, {"ta", number})),
                 {left});
          Expect(OneAxis(dtype, 1, result, Written(*info, {number, "ta"})),
                 {right});
        }
      }
    }
  }
}

TEST_F(CruxCompiled, Where) {
  for (const DType dtype : crux::AllDtypes()) {
    const std::vector<std::vector<double>> numbers =
        OperandsOf(Op::kWhere, dtype, 2, 400, random_);
    const Array a = ArrayOf(dtype, {400}, numbers[0]);
    const Array b = ArrayOf(dtype, {400}, numbers[1]);
    std::vector<std::string> conditions = {"ta == tb", "ta != tb"};
    if (dtype != DType::kBool) {
      conditions.insert(conditions.end(), {"ta < tb", "ta >= tb", "ta > 1"});
    }
    for (const std::string& condition : conditions) {
      Expect(
          OneAxis(dtype, 2, dtype, fmt::format("where({}, ta, tb)", condition)),
          {a, b});
      if (dtype == DType::kBool) continue;
      Expect(
          OneAxis(dtype, 2, dtype, fmt::format("where({}, 5, tb)", condition)),
          {a, b});
      Expect(
          OneAxis(dtype, 2, dtype, fmt::format("where({}, ta, 5)", condition)),
          {a, b});
    }
  }
}

// A condition used twice stays a tile.
TEST_F(CruxCompiled, ConditionsAsTiles) {
  for (const DType dtype : {DType::kHalf, DType::kFloat, DType::kInt32}) {
    std::string text =
        OneAxis(dtype, 2, dtype, "where(m, ta, where(m, tb, 2))");
    const size_t at = text.find("        store");
    text.insert(at, "        m = (ta < tb) & ~(ta == 1)\n");
    const std::vector<std::vector<double>> numbers =
        OperandsOf(Op::kWhere, dtype, 2, 500, random_);
    Expect(text, {ArrayOf(dtype, {500}, numbers[0]),
                  ArrayOf(dtype, {500}, numbers[1])});
  }
}

TEST_F(CruxCompiled, Conversions) {
  const std::vector<std::string> modes = {"rint",  "floor", "ceil",
                                          "round", "trunc", "odd"};
  for (const DType from : crux::AllDtypes()) {
    const std::vector<double> numbers =
        OperandsOf(Op::kTo, from, 1, 700, random_)[0];
    const Array tensor = ArrayOf(from, {700}, numbers);
    for (const DType to : crux::AllDtypes()) {
      Expect(OneAxis(from, 1, to, fmt::format("ta.to({})", NameOf(to))),
             {tensor});
      if (BitsOf(from) == BitsOf(to) && from != DType::kBool) {
        Expect(OneAxis(from, 1, to, fmt::format("bitcast(ta, {})", NameOf(to))),
               {tensor});
      }
      if (from == DType::kBool || to == DType::kBool) continue;
      if (!IsFloating(from) && !IsFloating(to)) continue;
      for (const std::string& mode : modes) {
        Expect(
            OneAxis(from, 1, to,
                    fmt::format("ta.to({}, round=\"{}\")", NameOf(to), mode)),
            {tensor});
      }
    }
  }
}

TEST_F(CruxCompiled, Makers) {
  for (const DType dtype : crux::AllDtypes()) {
    const std::string name(NameOf(dtype));
    const Array tensor = ArrayOf(dtype, {333}, std::vector<double>(333, 1));
    const auto expect = [&](const std::string& value) {
      Expect(OneAxis(dtype, 1, dtype, value), {tensor});
    };
    expect(fmt::format("zeros({}[i])", name));
    expect(fmt::format("full({}[i], {})", name,
                       dtype == DType::kBool ? "True" : "5"));
    if (dtype == DType::kBool || IsFloating(dtype)) continue;
    expect(fmt::format("arange(i, dtype={})", name));
    expect(fmt::format("arange(i.size, dtype={}) + ta", name));
  }
}

// A number that is known is not asked for what others are asked for.
TEST_F(CruxCompiled, IntegersByAKnownNumber) {
  for (const DType dtype : {DType::kInt64, DType::kUint64, DType::kUint32,
                            DType::kInt16, DType::kInt8}) {
    std::vector<double> numbers(333);
    for (double& number : numbers) number = RandomNumber(random_, dtype);
    const Array tensor = ArrayOf(dtype, {333}, numbers);
    const auto expect = [&](const char* op, int64_t number) {
      const std::string value = fmt::format("ta {} {}", op, number);
      SCOPED_TRACE(fmt::format("{}: {}", NameOf(dtype), value));
      Expect(OneAxis(dtype, 1, dtype, value), {tensor});
    };
    for (const int64_t number : {1, 2, 7, 16, 127, -1, -2, -7, -16}) {
      if (number < 0 && !IsSigned(dtype)) continue;
      expect("//", number);
      expect("%", number);
    }
    for (const int64_t number : {0, 1, 7, 8, 31, 32, 63, 64, 100, -1}) {
      if (number < 0 && !IsSigned(dtype)) continue;
      expect("<<", number);
      expect(">>", number);
    }
    for (const int64_t number : {0, 1, 2, 3, 5, 64}) expect("**", number);
  }
}

// Rows that are batched meet a column, a row and a single number.
TEST_F(CruxCompiled, Broadcasts) {
  for (const DType dtype :
       {DType::kHalf, DType::kBfloat16, DType::kFloat, DType::kInt32,
        DType::kInt16, DType::kUint8, DType::kInt64}) {
    const std::string name(NameOf(dtype));
    for (const auto& [rows, columns] : {std::pair<int64_t, int64_t>{1, 1},
                                        {300, 10},
                                        {37, 65},
                                        {5, 1000},
                                        {3, 2100}}) {
      const auto make = [&](Shape shape) {
        std::vector<double> numbers(static_cast<size_t>(ElementCount(shape)));
        for (double& number : numbers) number = RandomNumber(random_, dtype);
        return ArrayOf(dtype, std::move(shape), numbers);
      };
      const std::string text = fmt::format(
          "@kernel\n"
          "def k(a: {0}[R, N], b: {0}[N], c: {0}[R], d: {0}[1],\n"
          "      y: out({0}[R, N]), z: out(bool[R, N]), w: out({0}[R])):\n"
          "    for r in cores(R):\n"
          "        t = load(a[r, :])\n"
          "        s = load(c[r])\n"
          "        v = maximum(t * load(b[:]) - s, load(d[0]))\n"
          "        store(y[r, :], where(t < s, s - v, v + load(b[:])))\n"
          "        store(z[r, :], t <= load(b[:]))\n"
          "        store(w[r], minimum(s, load(d[0])) + s)\n",
          name);
      Expect(text,
             {make({rows, columns}), make({columns}), make({rows}), make({1})});
    }
  }
}

// Tiles of rank 3 in one iteration.
TEST_F(CruxCompiled, BroadcastsOfHigherRank) {
  const std::string text =
      "@kernel\n"
      "def k(a: f32[A, B, N], b: f32[A, B], c: f32[B, N], d: f32[A, N],\n"
      "      y: out(f32[A, B, N])):\n"
      "    t = load(a[:, :, :])\n"
      "    u = t + load(b[:, :])[:, :, None]\n"
      "    v = u * load(c[:, :])\n"
      "    w = v - load(d[:, :])[:, None, :]\n"
      "    store(y[:, :, :], w / load(b[:, 0:1])[:, :, None])\n";
  for (const auto& [a, b, n] :
       {std::array<int64_t, 3>{3, 5, 70}, {2, 9, 13}, {1, 1, 1}, {4, 3, 300}}) {
    const auto make = [&](Shape shape) {
      std::vector<double> numbers(static_cast<size_t>(ElementCount(shape)));
      for (double& number : numbers) number = random_.Uniform() + 0.5;
      return ArrayOf(DType::kFloat, std::move(shape), numbers);
    };
    Expect(text, {make({a, b, n}), make({a, b}), make({b, n}), make({a, n})});
  }
}

// Operands lie as the result does and have fewer axes.
TEST_F(CruxCompiled, OperandsOfLowerRank) {
  for (const OpInfo* info : Operations(OpFamily::kElementwise)) {
    const size_t tiles = TilesOf(*info);
    if (tiles < 2) continue;
    for (const DType dtype : crux::AllDtypes()) {
      if (!crux::Allows(info->dtypes, dtype)) continue;
      const std::vector<std::vector<double>> numbers =
          OperandsOf(info->op, dtype, tiles, 44, random_);
      for (size_t low = 0; low < tiles; ++low) {
        std::string parameters;
        std::string loads;
        std::vector<std::string> names;
        std::vector<Array> tensors;
        for (size_t i = 0; i < tiles; ++i) {
          const char name = static_cast<char>('a' + i);
          const bool lower = i == low;
          parameters += fmt::format("{}: {}[{}4, N], ", name, NameOf(dtype),
                                    lower ? "" : "1, ");
          names.push_back(fmt::format("t{}", name));
          loads += fmt::format("    {} = load({}[:, :{}])\n", names.back(),
                               name, lower ? "" : ", :");
          tensors.push_back(ArrayOf(
              dtype, lower ? Shape{4, 11} : Shape{1, 4, 11}, numbers[i]));
        }
        Expect(fmt::format("@kernel\n"
                           "def k({}y: out({}[1, 4, N])):\n"
                           "{}    store(y[:, :, :], {})\n",
                           parameters, NameOf(dtype), loads,
                           Written(*info, names)),
               tensors);
      }
    }
  }
}

// The result lies where an operand lay.
TEST_F(CruxCompiled, CarriedThroughALoop) {
  for (const OpInfo* info : Operations(OpFamily::kElementwise)) {
    for (const DType dtype : crux::AllDtypes()) {
      if (!crux::Allows(info->dtypes, dtype)) continue;
      const size_t tiles = TilesOf(*info);
      for (const char* second : {"tb", "3"}) {
        if (dtype == DType::kBool && second[0] == '3') continue;
        std::vector<std::string> names = {"t", second, "tb"};
        names.resize(tiles);
        std::string text = OneAxis(dtype, 2, dtype, "t");
        text.insert(text.find("        store"),
                    "        t = ta\n"
                    "        for j in range(2):\n"
                    "            t = " +
                        Written(*info, names) + "\n");
        const std::vector<std::vector<double>> numbers =
            OperandsOf(info->op, dtype, 2, 200, random_);
        Expect(text, {ArrayOf(dtype, {200}, numbers[0]),
                      ArrayOf(dtype, {200}, numbers[1])});
      }
    }
  }
}

// Divisors that are numbers, known or of the host.
TEST_F(CruxCompiled, IntegerDivision) {
  const std::vector<double> numbers =
      OperandsOf(Op::kFloorDiv, DType::kInt32, 1, 3000, random_)[0];
  const Array tensor = ArrayOf(DType::kInt32, {3000}, numbers);
  for (const char* divisor :
       {"1", "3", "7", "100", "641", "65537", "16777217", "536870911",
        "536870912", "2147483647", "-3", "N", "N * 1000", "0 - N"}) {
    for (const char* op : {"//", "%"}) {
      Expect(OneAxis(DType::kInt32, 1, DType::kInt32,
                     fmt::format("ta {} ({})", op, divisor)),
             {tensor});
    }
  }
}

// Divisors that are tiles: quotients of floats miss most where multiples of the
// divisor are near and where either is large.
TEST_F(CruxCompiled, IntegerDivisionByTiles) {
  constexpr int64_t kHighest = std::numeric_limits<int32_t>::max();
  std::vector<int64_t> edges;
  for (int bit = 0; bit < 32; ++bit) {
    for (const int64_t sign : {1, -1}) {
      for (const int64_t more : {-1, 0, 1}) {
        const int64_t edge = sign * (int64_t{1} << bit) + more;
        if (edge == static_cast<int32_t>(edge)) edges.push_back(edge);
      }
    }
  }
  std::vector<double> left;
  std::vector<double> right;
  const auto add = [&](int64_t a, int64_t b) {
    if (b == 0) return;
    left.push_back(static_cast<int32_t>(a));
    right.push_back(static_cast<double>(b));
  };
  for (const int64_t a : edges) {
    for (const int64_t b : edges) add(a, b);
  }
  for (int i = 0; i < 20000; ++i) {
    const int64_t b = static_cast<int32_t>(random_.Bits()) >> random_.Below(32);
    const auto most = kHighest / std::max<int64_t>(1, std::abs(b));
    const auto multiple = static_cast<int64_t>(
        random_.Bits() % static_cast<uint64_t>(2 * most + 1));
    const int64_t a = (multiple - most) * b + random_.Between(-1, 1);
    if (a == static_cast<int32_t>(a)) add(a, b);
  }
  const auto count = static_cast<int64_t>(left.size());
  const Array a = ArrayOf(DType::kInt32, {count}, left);
  const Array b = ArrayOf(DType::kInt32, {count}, right);
  for (const char* op : {"//", "%"}) {
    Expect(
        OneAxis(DType::kInt32, 2, DType::kInt32, fmt::format("ta {} tb", op)),
        {a, b});
  }
}

// Rows by a row, by a number of each, and a number by rows.
TEST_F(CruxCompiled, IntegerDivisionOfRows) {
  for (const DType dtype : {DType::kInt8, DType::kUint8, DType::kInt16,
                            DType::kUint16, DType::kInt32}) {
    for (const int64_t columns : {1, 7, 64, 200}) {
      const int64_t rows = 37;
      const auto numbers = [&](int64_t count) {  // none is 0
        return OperandsOf(Op::kFloorDiv, dtype, 2, static_cast<size_t>(count),
                          random_)[1];
      };
      const Array a = ArrayOf(dtype, {rows, columns}, numbers(rows * columns));
      const Array b = ArrayOf(dtype, {columns}, numbers(columns));
      const Array c = ArrayOf(dtype, {rows}, numbers(rows));
      for (const char* expression :
           {"t // load(b[:])", "t % load(b[:])", "t // load(c[r])",
            "load(c[r]) % t", "(t // load(c[r])) % load(b[:])"}) {
        Expect(fmt::format("@kernel\n"
                           "def k(a: {0}[M, N], b: {0}[N], c: {0}[M], "
                           "y: out({0}[M, N])):\n"
                           "    for r in cores(M):\n"
                           "        t = load(a[r, :])\n"
                           "        store(y[r, :], {1})\n",
                           NameOf(dtype), expression),
               {a, b, c});
      }
    }
  }
}

TEST_F(CruxCompiled, DivisionByZeroIsAFault) {
  const std::string text = OneAxis(DType::kInt32, 2, DType::kInt32, "ta // tb");
  const crux::Checked checked = crux::Check("program", text);
  ASSERT_TRUE(checked.ok());
  crux::interpret::Arguments arguments;
  arguments.tensors["a"] = {{ArrayOf(DType::kInt32, {3}, {1, 2, 3})}, false};
  arguments.tensors["b"] = {{ArrayOf(DType::kInt32, {3}, {1, 0, 3})}, false};
  const crux::run::RunResult result =
      runner_.Run(*checked.program->kernels.front(), arguments, "program");
  ASSERT_FALSE(result.ok());
  EXPECT_NE(result.diagnostics.front().message.find("divided by zero"),
            std::string::npos)
      << result.diagnostics.front().message;
}

}  // namespace
}  // namespace belay::testing::test_compiled_operations
