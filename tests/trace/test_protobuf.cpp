// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <random>

#include "trace/page_data.h"
#include "trace/protobuf.h"
#include "wire_format.h"

namespace belay::trace::test_protobuf {
namespace {

TEST(Protobuf, NumbersOfEveryLengthComeBack) {
  Message message;
  std::vector<uint64_t> values = {0, 1};
  for (int bit = 6; bit < 64; ++bit) {
    values.push_back((uint64_t{1} << bit) - 1);
    values.push_back(uint64_t{1} << bit);
  }
  values.push_back(std::numeric_limits<uint64_t>::max());
  for (const uint64_t value : values) {
    message.Varint(1, value);
    message.Fixed64(1000, value);
  }
  const std::vector<Field> fields = ReadFields(message.bytes());
  ASSERT_EQ(fields.size(), 2 * values.size());
  for (size_t i = 0; i < values.size(); ++i) {
    EXPECT_EQ(fields[2 * i].number, 1);
    EXPECT_EQ(fields[2 * i].wire_type, 0);
    EXPECT_EQ(fields[2 * i].value, values[i]);
    EXPECT_EQ(fields[2 * i + 1].number, 1000);
    EXPECT_EQ(fields[2 * i + 1].wire_type, 1);
    EXPECT_EQ(fields[2 * i + 1].value, values[i]);
  }
}

TEST(Protobuf, BytesAreThoseOfTheSpecification) {
  // The examples of the published encoding guide.
  Message inner;
  inner.Varint(1, 150);
  EXPECT_EQ(inner.bytes(), "\x08\x96\x01");
  Message outer;
  outer.Embed(3, inner);
  EXPECT_EQ(outer.bytes(), "\x1a\x03\x08\x96\x01");
  Message text;
  text.Bytes(2, "testing");
  EXPECT_EQ(text.bytes(), "\x12\x07testing");
}

TEST(Protobuf, NestedMessagesAndDoublesComeBack) {
  Message inner;
  inner.Double(5, -0.375);
  inner.Bytes(6, std::string("a\0b", 3));
  Message outer;
  outer.Embed(16, inner);
  const std::vector<Field> fields = ReadFields(outer.bytes());
  ASSERT_EQ(fields.size(), 1u);
  EXPECT_EQ(fields[0].number, 16);
  const std::vector<Field> within = ReadFields(fields[0].bytes);
  ASSERT_EQ(within.size(), 2u);
  EXPECT_EQ(std::bit_cast<double>(within[0].value), -0.375);
  EXPECT_EQ(within[1].bytes, std::string_view("a\0b", 3));
}

TEST(PageData, Base64IsThatOfTheStandard) {
  // RFC 4648, section 10.
  EXPECT_EQ(Base64(""), "");
  EXPECT_EQ(Base64("f"), "Zg==");
  EXPECT_EQ(Base64("fo"), "Zm8=");
  EXPECT_EQ(Base64("foo"), "Zm9v");
  EXPECT_EQ(Base64("foob"), "Zm9vYg==");
  EXPECT_EQ(Base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(Base64("foobar"), "Zm9vYmFy");
  EXPECT_EQ(Base64("\xff\xfe\xfd"), "//79");
}

TEST(PageData, SignedNumbersAlternate) {
  Numbers numbers;
  for (const int64_t value : {0, -1, 1, -2, 2, 64, -65}) {
    numbers.AddSigned(value);
  }
  EXPECT_EQ(numbers.Base64(),
            Base64(std::string("\x00\x01\x02\x03\x04\x80\x01\x81\x01", 9)));
}

}  // namespace
}  // namespace belay::trace::test_protobuf
