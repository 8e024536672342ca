// SPDX-License-Identifier: Apache-2.0
#include "crux/select/divide.h"

#include <functional>

#include "crux/select/elementwise.h"
#include "crux/select/extremes.h"
#include "crux/select/order.h"

namespace belay::crux::select {
namespace {

constexpr DType kWord = DType::kInt32;

void WithNumber(Emitter& emitter, const char* function, const Lane& to,
                const Lane& from, const Int& number) {
  VectorScalar(emitter, function, to, from, Whole(kWord, number));
}

// to = -1 where from is below 0, else 0.
void SignOf(Emitter& emitter, const Lane& to, const Lane& from) {
  WithNumber(emitter, "ShiftRight", to, from, 31);
}

// What a division goes by.
struct Divisor {
  using Make = std::function<void(const Lane& to, const Lane& from)>;

  Lane floats;
  Make multiply;    // from * divisor
  Make other_sign;  // -1 where the rest has not the divisor's sign, else 0
  Make too_large;   // -1 where it is not nearer to 0 than the divisor, else 0
};

// The quotient of floats, rounded down, misses by so little that what it leaves
// of a has a quotient of a few units, and that misses by one at most. Products
// and differences wrap on the way, and nothing that is asked for its sign does.
void Divide(Emitter& emitter, const Lane& a, const Divisor& by,
            const Lane& quotient, const Lane& rest, const Lane& step) {
  const Lane floats = ViewAs(emitter, step, DType::kFloat);
  const auto divide = [&](const Lane& from, const Lane& to) {
    VectorCast(emitter, floats, from, abi::Round::kRint);
    VectorBinary(emitter, "Div", floats, floats, by.floats);
    VectorCast(emitter, to, floats, abi::Round::kFloor);
  };
  divide(a, quotient);
  by.multiply(step, quotient);
  VectorBinary(emitter, "Sub", rest, a, step);
  divide(rest, step);
  VectorBinary(emitter, "Add", quotient, quotient, step);
  by.multiply(step, step);
  VectorBinary(emitter, "Sub", rest, rest, step);
  by.other_sign(step, rest);
  VectorBinary(emitter, "Add", quotient, quotient, step);
  by.multiply(step, step);
  VectorBinary(emitter, "Sub", rest, rest, step);
  by.too_large(step, rest);
  VectorBinary(emitter, "Sub", quotient, quotient, step);
  by.multiply(step, step);
  VectorBinary(emitter, "Add", rest, rest, step);
}

Divisor NumberAs(Emitter& emitter, const Lane& floats, const Int& divisor) {
  Divisor by;
  by.floats = floats;
  by.multiply = [&emitter, divisor](const Lane& to, const Lane& from) {
    WithNumber(emitter, "Muls", to, from, divisor);
  };
  by.other_sign = [&emitter](const Lane& to, const Lane& rest) {
    SignOf(emitter, to, rest);
  };
  by.too_large = [&emitter, divisor](const Lane& to, const Lane& rest) {
    WithNumber(emitter, "Muls", to, rest, -1);
    WithNumber(emitter, "Adds", to, to, divisor - 1);
    SignOf(emitter, to, to);
  };
  return by;
}

// `floats` becomes the signs of b, 1 or -1, once it has been divided by.
Divisor LanesAs(Emitter& emitter, const Lane& floats, const Lane& b) {
  const Lane signs = ViewAs(emitter, floats, kWord);
  Divisor by;
  by.floats = floats;
  by.multiply = [&emitter, b](const Lane& to, const Lane& from) {
    VectorBinary(emitter, "Mul", to, from, b);
  };
  by.other_sign = [&emitter, b, signs](const Lane& to, const Lane& rest) {
    SignOf(emitter, signs, b);
    WithNumber(emitter, "Muls", signs, signs, 2);
    WithNumber(emitter, "Adds", signs, signs, 1);
    VectorBinary(emitter, "Mul", to, rest, signs);
    SignOf(emitter, to, to);
  };
  by.too_large = [&emitter, b, signs](const Lane& to, const Lane& rest) {
    VectorBinary(emitter, "Sub", to, b, rest);
    VectorBinary(emitter, "Mul", to, to, signs);
    WithNumber(emitter, "Adds", to, to, -1);
    SignOf(emitter, to, to);
  };
  return by;
}

// As a function of the kernel: tensors are dst, a, what is divided by, and two
// to work in.
void InvokeDivision(
    Emitter& emitter, Division wanted, const std::string& suffix,
    const Lane& dst, const Lane& a, std::vector<Emitter::Handed> more,
    std::vector<Emitter::HandedInt> integers,
    const std::function<Divisor(const std::vector<Lane>&, const Int&)>& by) {
  const bool quotient = wanted == Division::kQuotient;
  const auto fresh = [&](const char* wish) {
    return ScratchLike(emitter, dst.dims, kWord, wish).place;
  };
  const char* const other = quotient ? "rest" : "quotient";
  std::vector<Emitter::Handed> tensors = {{"dst", dst.place},
                                          {"src", a.place},
                                          {"other", fresh(other)},
                                          {"step", fresh("step")}};
  tensors.insert(tensors.end(), more.begin(), more.end());
  integers.push_back({"count", CountOf(emitter, dst)});
  emitter.Invoke(
      (quotient ? "FloorDivide" : "Modulo") + suffix, tensors, integers,
      [&](const std::vector<Local>& own, const std::vector<Int>& numbers) {
        std::vector<Lane> lanes;
        for (const Local& one : own) {
          lanes.push_back({one, {{numbers.back(), numbers.back()}}});
        }
        const std::vector<Lane> rest(lanes.begin() + 4, lanes.end());
        Divide(emitter, lanes[1], by(rest, numbers[0]), lanes[quotient ? 0 : 2],
               lanes[quotient ? 2 : 0], lanes[3]);
      });
}

// Elements of 8 or 16 bits.
Lane InFloat(Emitter& emitter, const Lane& lane, const Lane& dst,
             const char* wish) {
  const Lane floats = ScratchLike(emitter, lane.dims, DType::kFloat, wish);
  ConvertLanes(emitter, floats, lane, std::nullopt);
  return Dense(emitter, floats, dst.dims);
}

// Writes over `left`.
void DivideFloats(Emitter& emitter, Division wanted, const Lane& dst,
                  const Lane& left, const Lane& right) {
  const Lane quotient =
      ScratchLike(emitter, dst.dims, DType::kFloat, "quotient");
  VectorBinary(emitter, "Div", quotient, left, right);
  VectorCast(emitter, quotient, quotient, abi::Round::kFloor);
  if (wanted == Division::kRest) {
    VectorBinary(emitter, "Mul", quotient, quotient, right);
    VectorBinary(emitter, "Sub", quotient, left, quotient);
  }
  // By i32: the lowest number divided by -1 wraps.
  const Lane wide = ViewAs(emitter, left, kWord);
  ConvertLanes(emitter, wide, quotient, std::nullopt);
  ConvertLanes(emitter, dst, wide, std::nullopt);
}

}  // namespace

void DivideByNumber(Emitter& emitter, Division wanted, const Lane& dst,
                    const Lane& a, const Int& divisor) {
  const Lane floats =
      FilledWith(emitter, DType::kFloat, Whole(DType::kFloat, divisor));
  InvokeDivision(emitter, wanted, "", dst, a, {{"by", floats.place}},
                 {{"divisor", divisor}},
                 [&](const std::vector<Lane>& lanes, const Int& number) {
                   Lane filled = lanes[0];
                   filled.filled = true;
                   return NumberAs(emitter, filled, number);
                 });
}

void DivideByLanes(Emitter& emitter, Division wanted, const Lane& dst,
                   const Lane& a, const Lane& b) {
  const Lane floats =
      ScratchLike(emitter, dst.dims, DType::kFloat, "divisor_float");
  InvokeDivision(emitter, wanted, "Lanes", dst, a,
                 {{"by", floats.place}, {"divisor", b.place}}, {},
                 [&](const std::vector<Lane>& lanes, const Int&) {
                   VectorCast(emitter, lanes[0], lanes[1], abi::Round::kRint);
                   return LanesAs(emitter, lanes[0], lanes[1]);
                 });
}

void DivideNarrow(Emitter& emitter, Division wanted, const Lane& dst,
                  const Lane& a, const Lane& b) {
  const Lane left = InFloat(emitter, a, dst, "left");
  DivideFloats(emitter, wanted, dst, left, InFloat(emitter, b, dst, "right"));
}

void DivideNarrowByNumber(Emitter& emitter, Division wanted, const Lane& dst,
                          const Lane& a, const Int& divisor) {
  const Lane left = InFloat(emitter, a, dst, "left");
  DivideFloats(
      emitter, wanted, dst, left,
      FilledWith(emitter, DType::kFloat, Whole(DType::kFloat, divisor)));
}

void RequireNoZero(Emitter& emitter, int tile) {
  Lane numbers = LaneOf(emitter, tile);
  const Lane signs = ScratchLike(emitter, numbers.dims, kWord, "sign");
  if (emitter.DtypeOf(tile) != kWord) {
    ConvertLanes(emitter, signs, numbers, std::nullopt);
    numbers = signs;
  }
  WithNumber(emitter, "Mins", signs, numbers, 1);
  WithNumber(emitter, "Maxs", signs, signs, -1);
  VectorBinary(emitter, "Mul", signs, signs, signs);
  const Int least = ExtremeOf(emitter, "Min", signs.place,
                              emitter.LayoutOf(tile), 1, "least");
  Require(emitter, least, "an integer is divided by zero");
}

}  // namespace belay::crux::select
