// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 by the vector unit: a chunk of elements at a time, the four
// words of a counter in four registers of as many elements.

#include <algorithm>

#include "crux/select/emitter.h"

namespace belay::crux::select {
namespace {

constexpr int kRounds = 10;
constexpr int64_t kFirstFactor = 0xD2511F53;
constexpr int64_t kSecondFactor = 0xCD9E8D57;
constexpr int64_t kFirstStep = 0x9E3779B9;
constexpr int64_t kSecondStep = 0xBB67AE85;
constexpr int64_t kWords = int64_t{1} << 32;
constexpr int64_t kMostSigned = (int64_t{1} << 31) - 1;

// Elements of a register: eight of them are 32 KB, and an instruction takes
// longer to start than to run where they have fewer.
constexpr int64_t kChunk = 1024;
// Registers: the words, the upper half of a product, and three more.
constexpr int kHigh = 4;
constexpr int kSpare = 5;
constexpr int kRegisters = 8;

Int WholeOperand(const ir::Operand& operand) {
  const auto& number = std::get<ir::Number>(operand);
  return number.kind == ir::Number::Kind::kReal
             ? Int(static_cast<int64_t>(number.real))
             : number.integer;
}

// The lower 32 bits as int32_t.
ScalarPtr Word32(const Int& value) {
  return Whole(DType::kInt32,
               Mod(value + (kMostSigned + 1), kWords) - (kMostSigned + 1));
}

class PhiloxSelector {
 public:
  PhiloxSelector(Emitter& emitter, const ir::Stmt& stmt)
      : emitter_(emitter),
        result_(stmt.results[0]),
        seed_(WholeOperand(stmt.operands[0])),
        offset_(WholeOperand(stmt.operands[1])),
        words_(emitter.Scratch(DType::kInt32, kRegisters * kChunk, "words")),
        unsigned_(emitter.Cast(words_, DType::kUint32, "unsigned_words")),
        bits_(emitter.Cast(words_, DType::kUint16, "word_bits")) {}

  void Run() {
    const std::vector<ir::Dim>& dims = emitter_.TileOf(result_).dims;
    const Layout& layout = emitter_.LayoutOf(result_);
    low_key_ = emitter_.Let("low_key", Mod(seed_, kWords));
    high_key_ = emitter_.Let("high_key", Mod(FloorDiv(seed_, kWords), kWords));
    if (emitter_.DtypeOf(result_) != DType::kFloat) {
      out_ = emitter_.Cast(emitter_.At(result_), DType::kInt32, "random_bits");
    } else {
      out_ = emitter_.At(result_);
    }
    // Along the last axis; what comes behind it has one element.
    const auto axis = static_cast<size_t>(std::max(layout.last, 0));
    const Int length = dims.empty() ? Int(1) : dims[axis].size;
    const std::vector<ir::Dim> outer(
        dims.begin(),
        dims.begin() + static_cast<ptrdiff_t>(dims.empty() ? 0 : axis));
    ForEachElement(emitter_, outer, [&](std::vector<Int> at) {
      Int row = 0;
      for (size_t i = 0; i < at.size(); ++i) row = row * dims[i].size + at[i];
      at.resize(dims.size(), 0);
      const Int place = layout.Offset(at);
      emitter_.For("first", 0, length, kChunk, [&](const Int& first) {
        const Int count = emitter_.Let("chunk", Min(length - first, kChunk));
        const Int counter =
            emitter_.Let("counter", offset_ + row * length + first);
        Chunk(counter, count, place + first);
      });
    });
  }

 private:
  static Local At(const Local& view, const Int& number, int64_t size) {
    return {view.name, number * size};
  }
  Local Word(const Int& number) const { return At(words_, number, kChunk); }

  void Chunk(const Int& counter, const Int& count, const Int& place) {
    const Int low = emitter_.Let("low", Mod(counter, kWords));
    const Int last = Min(kWords - 1 - low, kMostSigned);
    // Word 1 is one more behind the last element of which word 0 has room.
    emitter_.Call("CreateVecIndex", {Word(0), Whole(DType::kInt32, 0), count});
    Scalar("Adds", 1, 0, Whole(DType::kInt32, 0 - last), count);
    Scalar("Maxs", 1, 1, Whole(DType::kInt32, 0), count);
    Scalar("Mins", 1, 1, Whole(DType::kInt32, 1), count);
    Scalar("Adds", 1, 1, Word32(FloorDiv(counter, kWords)), count);
    Scalar("Adds", 0, 0, Word32(low), count);
    for (const int i : {2, 3}) {
      emitter_.Call("Duplicate", {Word(i), Whole(DType::kInt32, 0), count});
    }
    // What is word i of a counter is word i - 1 of the next.
    emitter_.For("round", 0, kRounds, 1, [&](const Int& round) {
      const auto word = [&](int i) {
        return emitter_.Let("word", Mod(round + i, 4));
      };
      Half(word(0), word(3), kFirstFactor, high_key_ + round * kSecondStep,
           count);
      Half(word(2), word(1), kSecondFactor, low_key_ + round * kFirstStep,
           count);
    });
    const int random = kRounds % 4;
    const Local to{out_.name, out_.offset + place};
    if (emitter_.DtypeOf(result_) != DType::kFloat) {
      return emitter_.Call("Adds",
                           {to, Word(random), Whole(DType::kInt32, 0), count});
    }
    const Local upper = At(unsigned_, random, kChunk);
    emitter_.Call("ShiftRight",
                  {upper, upper, Whole(DType::kUint32, 8), count});
    emitter_.Call(
        "Cast", {to, Word(random), code::Word{"RoundMode::CAST_RINT"}, count});
    emitter_.Call("Muls", {to, to, Real(DType::kFloat, 0x1p-24), count});
  }

  // `mixed` ^= upper half of factor * `source`, ^= key; `source` becomes the
  // lower half.
  void Half(const Int& source, const Int& mixed, int64_t factor, const Int& key,
            const Int& count) {
    MultiplyHigh(source, factor, count);
    Xor(mixed, kHigh, count);
    emitter_.Call("Duplicate", {Word(kHigh), Word32(key), count});
    Xor(mixed, kHigh, count);
    Scalar("Muls", source, source, Word32(factor), count);
  }

  void Scalar(const char* function, const Int& to, const Int& from,
              const ScalarPtr& number, const Int& count) {
    emitter_.Call(function, {Word(to), Word(from), number, count});
  }

  // kHigh = upper half of factor * `source`, by products of 16 bits.
  void MultiplyHigh(const Int& source, int64_t factor, const Int& count) {
    emitter_.Invoke(
        "MultiplyHigh", {{"words", words_}, {"unsigned_words", unsigned_}},
        {{"source", source},
         {"low_factor", factor % 65536},
         {"high_factor", factor / 65536},
         {"count", count}},
        [&](const std::vector<Local>& tensors, const std::vector<Int>& of) {
          const auto word = [&](const Int& i) {
            return At(tensors[0], i, kChunk);
          };
          const auto shift = [&](const char* function, const Int& to,
                                 const Int& from) {
            emitter_.Call(function, {At(tensors[1], to, kChunk),
                                     At(tensors[1], from, kChunk),
                                     Whole(DType::kUint32, 16), of[3]});
          };
          const auto multiply = [&](int to, int from, const Int& by) {
            emitter_.Call("Muls", {word(to), word(from),
                                   Whole(DType::kInt32, by), of[3]});
          };
          const auto add = [&](int to, int other) {
            emitter_.Call("Add", {word(to), word(to), word(other), of[3]});
          };
          constexpr int kLower = kSpare;
          constexpr int kUpper = kSpare + 1;
          constexpr int kCarry = kSpare + 2;
          shift("ShiftLeft", kLower, of[0]);
          shift("ShiftRight", kLower, kLower);
          shift("ShiftRight", kUpper, of[0]);
          multiply(kCarry, kLower, of[1]);
          shift("ShiftRight", kCarry, kCarry);
          multiply(kHigh, kUpper, of[1]);
          add(kHigh, kCarry);
          multiply(kLower, kLower, of[2]);
          multiply(kUpper, kUpper, of[2]);
          shift("ShiftLeft", kCarry, kHigh);
          shift("ShiftRight", kCarry, kCarry);
          add(kLower, kCarry);
          shift("ShiftRight", kHigh, kHigh);
          add(kHigh, kUpper);
          shift("ShiftRight", kLower, kLower);
          add(kHigh, kLower);
        });
  }

  // a ^= b: what either has without what both have.
  void Xor(const Int& a, const Int& b, const Int& count) {
    emitter_.Invoke(
        "XorWords", {{"words", words_}, {"word_bits", bits_}},
        {{"a", a}, {"b", b}, {"count", count}},
        [&](const std::vector<Local>& tensors, const std::vector<Int>& of) {
          const auto bits = [&](const Int& i) {
            return At(tensors[1], i, 2 * kChunk);
          };
          const Int halves = of[2] * 2;
          emitter_.Call("And",
                        {bits(kSpare), bits(of[0]), bits(of[1]), halves});
          emitter_.Call("Or", {bits(of[0]), bits(of[0]), bits(of[1]), halves});
          emitter_.Call("Sub", {At(tensors[0], of[0], kChunk),
                                At(tensors[0], of[0], kChunk),
                                At(tensors[0], kSpare, kChunk), of[2]});
        });
  }

  Emitter& emitter_;
  int result_;
  Int seed_;
  Int offset_;
  Local words_;
  Local unsigned_;
  Local bits_;
  Local out_;
  Int low_key_;
  Int high_key_;
};

}  // namespace

void SelectPhilox(Emitter& emitter, const ir::Stmt& stmt) {
  PhiloxSelector(emitter, stmt).Run();
}

}  // namespace belay::crux::select
