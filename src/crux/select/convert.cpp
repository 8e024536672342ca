// SPDX-License-Identifier: Apache-2.0
// Conversions: every pair of dtypes by Casts that are exact but for the one
// rounding that is asked for, else element by element.

#include <fmt/format.h>

#include <limits>

#include "base/error.h"
#include "crux/select/elementwise.h"

namespace belay::crux::select {
namespace {

using abi::Round;

class Converter {
 public:
  Converter(Emitter& emitter, const Lane& dst, const Lane& src)
      : emitter_(emitter),
        dst_(dst),
        src_(src),
        from_(emitter.DtypeOf(src.place)),
        to_(emitter.DtypeOf(dst.place)) {}

  void Run(std::optional<Round> mode) {
    if (from_ == to_) return CopyLanes(emitter_, dst_, src_);
    if (IsFloating(from_) && IsFloating(to_)) {
      return Floats(mode.value_or(Round::kRint));
    }
    if (IsFloating(from_)) return FloatToWhole(mode.value_or(Round::kTrunc));
    if (IsFloating(to_)) return WholeToFloat(mode.value_or(Round::kRint));
    Wholes();
  }

 private:
  Lane Fresh(DType dtype, const char* wish) {
    return ScratchLike(emitter_, src_.dims, dtype, wish);
  }
  void Cast(const Lane& to, const Lane& from, Round mode) {
    VectorCast(emitter_, to, from, mode);
  }
  // src in another dtype, on the way.
  Lane Through(DType dtype, Round mode = Round::kNone) {
    const Lane step = Fresh(dtype, "step");
    Cast(step, src_, mode);
    return step;
  }
  void Scalar(const char* function, const Lane& lane, ScalarPtr scalar) {
    VectorScalar(emitter_, function, lane, lane, std::move(scalar));
  }
  // By the same converter, from a step on.
  void Rest(const Lane& step, std::optional<Round> mode) {
    Converter(emitter_, dst_, step).Run(mode);
  }

  // --- floats to floats ------------------------------------------------------

  void Floats(Round mode) {
    if (to_ == DType::kFloat) return Cast(dst_, src_, Round::kNone);
    if (from_ != DType::kFloat) return Rest(Through(DType::kFloat), mode);
    if (to_ == DType::kBfloat16 && mode == Round::kOdd) return OddBfloat();
    Cast(dst_, src_, mode);
  }

  // Cut off; the last bit is set where something was lost.
  void OddBfloat() {
    ByElement([&](const ScalarPtr& value) {
      const DType u32 = DType::kUint32;
      const ScalarPtr bits = emitter_.LetScalar("bits", SameBits(u32, value));
      const ScalarPtr upper = Binary(u32, "&", bits, Whole(u32, 0xffff0000));
      const ScalarPtr lost = Binary(
          u32, "!=", Binary(u32, "&", bits, Whole(u32, 0xffff)), Whole(u32, 0));
      return SameBits(
          DType::kFloat,
          Choose(lost, Binary(u32, "|", upper, Whole(u32, 0x10000)), upper));
    });
  }

  // --- floats to integers ----------------------------------------------------

  void FloatToWhole(Round mode) {
    if (mode == Round::kOdd) return Rest(RoundedToOdd(), Round::kTrunc);
    switch (to_) {
      case DType::kInt32:
        return Cast(dst_, src_, mode);
      case DType::kInt16:
        if (from_ == DType::kBfloat16) break;
        return Cast(dst_, src_, mode);
      case DType::kInt8:
      case DType::kUint8:
        if (from_ == DType::kHalf) return Cast(dst_, src_, mode);
        if (from_ == DType::kFloat) return FloatToByte(mode);
        break;
      case DType::kUint16:
        if (from_ == DType::kFloat) return FloatToUint16(mode);
        break;
      case DType::kUint32:
        if (from_ == DType::kFloat) return FloatToUint32(mode);
        break;
      case DType::kInt64:
        if (from_ == DType::kFloat) return Cast(dst_, src_, mode);
        break;
      case DType::kUint64:
        if (from_ == DType::kFloat) return FloatToUint64(mode);
        break;
      default:
        throw Missing();
    }
    Rest(Through(DType::kFloat), mode);
  }

  // A number that is not integral goes to the odd one of its two neighbours.
  Lane RoundedToOdd() {
    const Lane value = from_ == DType::kFloat ? src_ : Through(DType::kFloat);
    const Int count = CountOf(emitter_, value);
    const Int whole = WholeRepeats(count, DType::kFloat);
    const Lane low = Fresh(DType::kFloat, "low");
    const Lane even = Fresh(DType::kFloat, "even");
    const Lane next = Fresh(DType::kFloat, "next");
    Cast(low, value, Round::kFloor);
    VectorScalar(emitter_, "Muls", even, low, Real(DType::kFloat, 0.5));
    Cast(even, even, Round::kFloor);
    Scalar("Muls", even, Real(DType::kFloat, 2));
    VectorScalar(emitter_, "Adds", next, low, Real(DType::kFloat, 1));
    const Local bits = NewBits(emitter_, src_);
    const auto choose = [&](const Lane& a, const Lane& b, const char* mode) {
      emitter_.Call("Compare", {bits, a.place, b.place, Word{mode}, whole});
      emitter_.Call("Select",
                    {next.place, bits, next.place, low.place,
                     Word{"SELMODE::VSEL_TENSOR_TENSOR_MODE"}, count});
    };
    choose(even, low, "CMPMODE::EQ");
    choose(low, value, "CMPMODE::NE");
    return next;
  }

  void FloatToByte(Round mode) {
    const Lane rounded = Through(DType::kFloat, mode);
    const Lane half = Fresh(DType::kHalf, "half_step");
    Cast(half, rounded, Round::kRint);
    Cast(dst_, half, Round::kRint);
  }

  void FloatToUint16(Round mode) {
    const Lane words = Through(DType::kInt32, mode);
    Scalar("Maxs", words, Whole(DType::kInt32, 0));
    Scalar("Mins", words, Whole(DType::kInt32, 65535));
    Scalar("Adds", words, Whole(DType::kInt32, -32768));
    const Lane shorts = ViewAs(emitter_, dst_, DType::kInt16);
    Cast(shorts, words, Round::kNone);
    Scalar("Adds", shorts, Whole(DType::kInt16, -32768));
  }

  // From 2^31 on what is above 2^31 is converted.
  void FloatToUint32(Round mode) {
    const Int count = CountOf(emitter_, src_);
    const Int whole = WholeRepeats(count, DType::kFloat);
    const Lane part = Fresh(DType::kFloat, "part");
    const Lane above = Fresh(DType::kInt32, "above");
    const Lane below = Fresh(DType::kInt32, "below");
    VectorScalar(emitter_, "Adds", part, src_, Real(DType::kFloat, -0x1p31));
    Cast(above, part, mode);
    Scalar("Adds", above,
           Whole(DType::kInt32, std::numeric_limits<int32_t>::min()));
    VectorScalar(emitter_, "Maxs", part, src_, Real(DType::kFloat, 0));
    Cast(below, part, mode);
    const Local bits = NewBits(emitter_, src_);
    emitter_.Call("CompareScalar",
                  {bits, src_.place, Real(DType::kFloat, 0x1p31),
                   Word{"CMPMODE::GE"}, whole});
    emitter_.Call("Select", {ViewAs(emitter_, dst_, DType::kFloat).place, bits,
                             ViewAs(emitter_, above, DType::kFloat).place,
                             ViewAs(emitter_, below, DType::kFloat).place,
                             Word{"SELMODE::VSEL_TENSOR_TENSOR_MODE"}, count});
  }

  void FloatToUint64(Round mode) {
    const DType u64 = DType::kUint64;
    const DType f32 = DType::kFloat;
    Converter(emitter_, dst_, Through(f32, mode))
        .ByElement([&](const ScalarPtr& read) {
          const ScalarPtr value = emitter_.LetScalar("value", read);
          const ScalarPtr positive = Binary(f32, "<", Real(f32, 0), value);
          const ScalarPtr fits = Binary(f32, "<", value, Real(f32, 0x1p64));
          return Choose(positive,
                        Choose(fits, Converted(u64, value), Whole(u64, -1)),
                        Whole(u64, 0));
        });
  }

  // --- integers to floats ----------------------------------------------------

  void WholeToFloat(Round mode) {
    // Only f32 to f16 knows odd; what it may differ by is one place.
    const Round known = mode == Round::kOdd ? Round::kTrunc : mode;
    switch (from_) {
      case DType::kInt8:
      case DType::kUint8:
        if (to_ == DType::kHalf) return Cast(dst_, src_, Round::kNone);
        return Rest(Through(DType::kHalf), mode);
      case DType::kInt16:
        if (to_ == DType::kFloat) return Cast(dst_, src_, Round::kNone);
        return Rest(Through(DType::kFloat), mode);
      case DType::kUint16: {
        const Lane moved = Fresh(DType::kInt16, "moved");
        VectorScalar(emitter_, "Adds", moved,
                     ViewAs(emitter_, src_, DType::kInt16),
                     Whole(DType::kInt16, -32768));
        const Lane step =
            to_ == DType::kFloat ? dst_ : Fresh(DType::kFloat, "step");
        Cast(step, moved, Round::kNone);
        Scalar("Adds", step, Real(DType::kFloat, 32768));
        if (to_ != DType::kFloat) Rest(step, mode);
        return;
      }
      case DType::kInt32:
      case DType::kInt64:
        if (to_ == DType::kFloat) return Cast(dst_, src_, known);
        return Rest(Through(DType::kFloat, known), mode);
      case DType::kUint32:
        return Uint32ToFloat(mode);
      case DType::kUint64:
        return ByElement([&](const ScalarPtr& value) {
          return Converted(DType::kFloat, value);
        });
      default:
        throw Missing();
    }
  }

  // upper · 2^16 + lower, rounded once: the product is exact.
  void Uint32ToFloat(Round mode) {
    const DType u32 = DType::kUint32;
    const Lane upper = Fresh(u32, "upper");
    const Lane lower = Fresh(u32, "lower");
    VectorScalar(emitter_, "ShiftRight", upper, src_, Whole(u32, 16));
    VectorScalar(emitter_, "ShiftLeft", lower, src_, Whole(u32, 16));
    VectorScalar(emitter_, "ShiftRight", lower, lower, Whole(u32, 16));
    const Lane upper_float = ViewAs(emitter_, upper, DType::kFloat);
    const Lane lower_float = ViewAs(emitter_, lower, DType::kFloat);
    Cast(upper_float, ViewAs(emitter_, upper, DType::kInt32), Round::kRint);
    Cast(lower_float, ViewAs(emitter_, lower, DType::kInt32), Round::kRint);
    Scalar("Muls", upper_float, Real(DType::kFloat, 65536));
    const Lane step = to_ == DType::kFloat ? dst_ : upper_float;
    VectorBinary(emitter_, "Add", step, upper_float, lower_float);
    if (to_ != DType::kFloat) Rest(step, mode);
  }

  // --- integers to integers: they wrap ---------------------------------------

  void Wholes() {
    const size_t from = BytesOf(from_);
    const size_t to = BytesOf(to_);
    if (from == to) {
      return CopyLanes(emitter_, dst_, src_);
    }
    if (from == 8 || to == 8) return Wholes64();
    if (from < to) return Widen();
    Narrow();
  }

  void Wholes64() {
    if (from_ == DType::kInt32) {
      return Cast(ViewAs(emitter_, dst_, DType::kInt64), src_, Round::kNone);
    }
    if (BytesOf(from_) <= 2) {
      const Lane step = Fresh(DType::kInt32, "step");
      Converter(emitter_, step, src_).Run(std::nullopt);
      return Rest(step, std::nullopt);
    }
    if (BytesOf(from_) == 8 && BytesOf(to_) < 8 && !src_.dims.empty()) {
      return LowWords();
    }
    ByElement([&](const ScalarPtr& value) { return Converted(to_, value); });
  }

  // Every other word of 32 bits.
  void LowWords() {
    const DType word = DType::kUint32;
    const Lane low = BytesOf(to_) == 4 ? ViewAs(emitter_, dst_, word)
                                       : Fresh(word, "low_words");
    emitter_.Call("GatherMask",
                  {low.place, ViewAs(emitter_, src_, word).place, Int(1),
                   Word{"true"}, CountOf(emitter_, src_) * 2,
                   code::Struct{"GatherMaskParams", {1, 1, 8, 8}, {}}});
    if (BytesOf(to_) < 4) Rest(low, std::nullopt);
  }

  void Widen() {
    if (BytesOf(from_) == 1) {
      const Lane half = Through(DType::kHalf);
      const DType word = BytesOf(to_) == 2 ? DType::kInt16 : DType::kInt32;
      return Cast(ViewAs(emitter_, dst_, word), half, Round::kRint);
    }
    const Lane step = Fresh(DType::kFloat, "step");
    Cast(step, ViewAs(emitter_, src_, DType::kInt16), Round::kNone);
    Cast(ViewAs(emitter_, dst_, DType::kInt32), step, Round::kRint);
    if (from_ != DType::kUint16) return;
    const Lane bits = ViewAs(emitter_, dst_, DType::kUint32);
    Scalar("ShiftLeft", bits, Whole(DType::kUint32, 16));
    Scalar("ShiftRight", bits, Whole(DType::kUint32, 16));
  }

  // The low bits, their sign spread, then Casts that lose nothing.
  void Narrow() {
    const bool from_words = BytesOf(from_) == 4;
    const int64_t lost = BitsOf(from_) - BitsOf(to_);
    const DType as_unsigned = from_words ? DType::kUint32 : DType::kUint16;
    const DType as_signed = from_words ? DType::kInt32 : DType::kInt16;
    const Lane low = Fresh(as_unsigned, "low");
    VectorScalar(emitter_, "ShiftLeft", low,
                 ViewAs(emitter_, src_, as_unsigned), Whole(as_unsigned, lost));
    const bool spread = IsSigned(to_) || BytesOf(to_) == 2;
    const Lane back = spread ? ViewAs(emitter_, low, as_signed) : low;
    Scalar("ShiftRight", back, Whole(spread ? as_signed : as_unsigned, lost));
    Lane shorts = ViewAs(emitter_, low, as_signed);
    if (from_words) {
      const Lane words = shorts;
      shorts = BytesOf(to_) == 2 ? ViewAs(emitter_, dst_, DType::kInt16)
                                 : Fresh(DType::kInt16, "shorts");
      Cast(shorts, words, Round::kNone);
      if (BytesOf(to_) == 2) return;
    }
    const Lane half = Fresh(DType::kHalf, "half_step");
    Cast(half, shorts, Round::kRint);
    Cast(dst_, half, Round::kRint);
  }

  // --- element by element ----------------------------------------------------

  void ByElement(const std::function<ScalarPtr(const ScalarPtr&)>& value) {
    const Layout layout = LayoutOf(src_.dims, emitter_.padding());
    ForEachElement(emitter_, src_.dims, [&](const std::vector<Int>& indices) {
      const Int offset = layout.Offset(indices);
      emitter_.SetValue(
          {dst_.place.name, dst_.place.offset + offset},
          value(Element(from_, {src_.place.name, src_.place.offset + offset})));
    });
  }

  InternalError Missing() const {
    return InternalError(fmt::format("[crux] no conversion of {} to {}",
                                     belay::NameOf(from_), belay::NameOf(to_)));
  }

  Emitter& emitter_;
  Lane dst_;
  Lane src_;
  DType from_;
  DType to_;
};

}  // namespace

void ConvertLanes(Emitter& emitter, const Lane& dst, const Lane& src,
                  std::optional<abi::Round> mode) {
  Converter(emitter, dst, src).Run(mode);
}

void CopyLanes(Emitter& emitter, const Lane& dst, const Lane& src) {
  if (dst.place.name == src.place.name) return;
  const DType dtype = emitter.DtypeOf(dst.place);
  emitter.Call("DataCopy",
               {dst.place, ViewAs(emitter, src, dtype).place,
                AlignUp(CountOf(emitter, dst), LanesOfBlock(dtype))});
}

void SelectConvert(Emitter& emitter, const ir::Stmt& stmt) {
  const Lane dst = LaneOf(emitter, stmt.results[0]);
  const Lane src = LaneOf(emitter, std::get<int>(stmt.operands[0]));
  if (stmt.op == Op::kBitcast) return CopyLanes(emitter, dst, src);
  ConvertLanes(emitter, dst, src, stmt.round);
}

}  // namespace belay::crux::select
