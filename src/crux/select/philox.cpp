// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 by the scalar unit, which multiplies 64 bits.

#include "crux/select/emitter.h"

namespace belay::crux::select {
namespace {

constexpr int kRounds = 10;
constexpr int64_t kFirstFactor = 0xD2511F53;
constexpr int64_t kSecondFactor = 0xCD9E8D57;
constexpr int64_t kFirstStep = 0x9E3779B9;
constexpr int64_t kSecondStep = 0xBB67AE85;
constexpr int64_t kLowWord = 0xFFFFFFFF;

constexpr DType kWide = DType::kUint64;

ScalarPtr Low(const ScalarPtr& a) {
  return Binary(kWide, "&", a, Whole(kWide, kLowWord));
}
ScalarPtr High(const ScalarPtr& a) {
  return Binary(kWide, ">>", a, Whole(kWide, 32));
}
ScalarPtr Either(const ScalarPtr& a, const ScalarPtr& b) {
  return Binary(kWide, "^", a, b);
}

Int WholeOperand(const ir::Operand& operand) {
  const auto& number = std::get<ir::Number>(operand);
  return number.kind == ir::Number::Kind::kReal
             ? Int(static_cast<int64_t>(number.real))
             : number.integer;
}

}  // namespace

void SelectPhilox(Emitter& emitter, const ir::Stmt& stmt) {
  const int result = stmt.results[0];
  const DType dtype = emitter.DtypeOf(result);
  const Layout layout = emitter.LayoutOf(result);
  const std::vector<ir::Dim>& dims = emitter.TileOf(result).dims;
  const Int seed = WholeOperand(stmt.operands[0]);
  const Int offset = WholeOperand(stmt.operands[1]);
  // The keys of all rounds.
  const Local keys = emitter.Scratch(DType::kInt64, 2 * kRounds, "keys");
  ScalarPtr key[] = {emitter.LetScalar("low_key", Low(Whole(kWide, seed))),
                     emitter.LetScalar("high_key", High(Whole(kWide, seed)))};
  for (int round = 0; round < kRounds; ++round) {
    const int64_t steps[] = {kFirstStep * round, kSecondStep * round};
    for (const int i : {0, 1}) {
      emitter.SetValue(
          {keys.name, 2 * round + i},
          Converted(DType::kInt64,
                    Low(Binary(kWide, "+", key[i], Whole(kWide, steps[i])))));
    }
  }
  const Local words = emitter.Scratch(DType::kInt64, 4, "counter");
  const auto word = [&](int i) {
    return Converted(kWide, Element(DType::kInt64, {words.name, i}));
  };
  const auto set = [&](int i, const ScalarPtr& value) {
    emitter.SetValue({words.name, i}, Converted(DType::kInt64, value));
  };
  ForEachElement(emitter, dims, [&](const std::vector<Int>& at) {
    Int number = 0;
    for (size_t i = 0; i < at.size(); ++i)
      number = number * dims[i].size + at[i];
    const ScalarPtr count =
        emitter.LetScalar("count", Whole(kWide, offset + number));
    set(0, Low(count));
    set(1, High(count));
    set(2, Whole(kWide, 0));
    set(3, Whole(kWide, 0));
    emitter.For("round", 0, kRounds, 1, [&](const Int& round) {
      const auto key_at = [&](int i) {
        return Converted(kWide,
                         Element(DType::kInt64, {keys.name, round * 2 + i}));
      };
      const ScalarPtr first = emitter.LetScalar(
          "first", Binary(kWide, "*", word(0), Whole(kWide, kFirstFactor)));
      const ScalarPtr second = emitter.LetScalar(
          "second", Binary(kWide, "*", word(2), Whole(kWide, kSecondFactor)));
      set(0, Either(Either(High(second), word(1)), key_at(0)));
      set(1, Low(second));
      set(2, Either(Either(High(first), word(3)), key_at(1)));
      set(3, Low(first));
    });
    const Local place = emitter.At(result, layout.Offset(at));
    if (dtype != DType::kFloat) {
      emitter.SetValue(place, Converted(DType::kUint32, word(0)));
      return;
    }
    const ScalarPtr upper =
        Converted(DType::kInt32, Binary(kWide, ">>", word(0), Whole(kWide, 8)));
    emitter.SetValue(place,
                     Binary(DType::kFloat, "*", Converted(DType::kFloat, upper),
                            Real(DType::kFloat, 0x1p-24)));
  });
}

}  // namespace belay::crux::select
