// SPDX-License-Identifier: Apache-2.0
// Tests .npy files: bytes as numpy 1.24 wrote them, round trips of every type,
// and files that must be refused.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/npy.h"

namespace belay::test_npy {
namespace {

using namespace std::string_literals;

std::vector<std::byte> Bytes(std::string_view text) {
  const auto* begin = reinterpret_cast<const std::byte*>(text.data());
  return {begin, begin + text.size()};
}

// A file whose header is padded to 128 bytes, as numpy pads short ones.
std::string File(const std::string& header, const std::string& data,
                 int version = 1) {
  const std::string start = version == 1 ? "\x93NUMPY\x01\x00\x76\x00"s
                                         : "\x93NUMPY\x02\x00\x74\x00\x00\x00"s;
  std::string text = start + header;
  text.resize(127, ' ');
  return text + "\n" + data;
}

Array Parse(const std::string& text) { return ParseNpy(Bytes(text), "x.npy"); }

// The message of the refusal.
std::string Refusal(const std::string& text) {
  try {
    Parse(text);
  } catch (const UserError& error) {
    return error.what();
  }
  return "(accepted)";
}

template <typename T>
std::vector<T> Values(const Array& array) {
  std::vector<T> values(array.data.size() / sizeof(T));
  std::memcpy(values.data(), array.data.data(), array.data.size());
  return values;
}

TEST(Npy, ReadsAndWritesWhatNumpyWrote) {
  const std::string floats =
      File("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
           "\x00\x00\xc0?\x00\x00\x00\xc0\x00\x00@@\x00\x00\x80@\x00\x00\xa0@"
           "\x00\x00\xc0@"s);
  const Array array = Parse(floats);
  EXPECT_EQ(array.dtype, DType::kFloat);
  EXPECT_EQ(array.shape, (Shape{2, 3}));
  EXPECT_EQ(Values<float>(array), (std::vector<float>{1.5, -2, 3, 4, 5, 6}));
  EXPECT_EQ(FormatNpy(array), Bytes(floats));

  const std::string scalar =
      File("{'descr': '|u1', 'fortran_order': False, 'shape': (), }", "\x07");
  EXPECT_EQ(Parse(scalar).shape, Shape{});
  EXPECT_EQ(Values<uint8_t>(Parse(scalar)), std::vector<uint8_t>{7});
  EXPECT_EQ(FormatNpy(Parse(scalar)), Bytes(scalar));

  const std::string empty =
      File("{'descr': '<f2', 'fortran_order': False, 'shape': (0, 3), }", "");
  EXPECT_EQ(Parse(empty).dtype, DType::kHalf);
  EXPECT_EQ(FormatNpy(Parse(empty)), Bytes(empty));

  const std::string truths = File(
      "{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", "\x01\x00"s);
  EXPECT_EQ(Parse(truths).dtype, DType::kBool);
  EXPECT_EQ(FormatNpy(Parse(truths)), Bytes(truths));
}

TEST(Npy, ReadsVersion2) {
  const Array array =
      Parse(File("{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }",
                 "\x02\x01\x00\x00"s, 2));
  EXPECT_EQ(array.dtype, DType::kUint32);
  EXPECT_EQ(Values<uint32_t>(array), std::vector<uint32_t>{258});
}

TEST(Npy, ConvertsFortranOrder) {
  const Array array =
      Parse(File("{'descr': '<i2', 'fortran_order': True, 'shape': (2, 3), }",
                 "\x00\x00\x03\x00\x01\x00\x04\x00\x02\x00\x05\x00"s));
  EXPECT_EQ(Values<int16_t>(array), (std::vector<int16_t>{0, 1, 2, 3, 4, 5}));

  // Three dimensions: element (i, j, k) of shape (2, 3, 2) lies at
  // i + 2 j + 6 k and holds 6 i + 2 j + k.
  std::string data(12, '\0');
  for (int i = 0; i < 2; ++i) {
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 2; ++k) {
        data[i + 2 * j + 6 * k] = static_cast<char>(6 * i + 2 * j + k);
      }
    }
  }
  const Array cube = Parse(File(
      "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 3, 2), }", data));
  for (int i = 0; i < 12; ++i) EXPECT_EQ(static_cast<int>(cube.data[i]), i);
}

TEST(Npy, AcceptsOtherSpellings) {
  const Array array = Parse(File(
      "{\"shape\":(3L,),\"fortran_order\":True,\"descr\":\"<i1\"}", "abc"));
  EXPECT_EQ(array.shape, Shape{3});
  EXPECT_EQ(array.dtype, DType::kInt8);
}

TEST(Npy, EveryTypeComesBack) {
  for (const DType dtype :
       {DType::kBool, DType::kInt8, DType::kUint8, DType::kInt16,
        DType::kUint16, DType::kHalf, DType::kInt32, DType::kUint32,
        DType::kFloat, DType::kInt64, DType::kUint64, DType::kDouble,
        DType::kComplex64}) {
    Array array{dtype, {3, 5}, std::vector<std::byte>(BytesOf(dtype, 15))};
    for (size_t i = 0; i < array.data.size(); ++i) {
      array.data[i] = static_cast<std::byte>(i * 37);
    }
    const Array back = ParseNpy(FormatNpy(array), "x.npy");
    EXPECT_EQ(back.dtype, dtype);
    EXPECT_EQ(back.shape, array.shape);
    EXPECT_EQ(back.data, array.data);
  }
}

TEST(Npy, Bfloat16IsStoredAsUint16) {
  const Array array{DType::kBfloat16, {1}, Bytes("\x80\x3f")};
  const Array back = ParseNpy(FormatNpy(array), "x.npy");
  EXPECT_EQ(back.dtype, DType::kUint16);
  EXPECT_EQ(back.data, array.data);
}

TEST(Npy, LongHeadersTakeVersion2) {
  const Array array{DType::kInt8, Shape(30000, 1), Bytes("a")};
  const std::vector<std::byte> bytes = FormatNpy(array);
  EXPECT_EQ(static_cast<int>(bytes[6]), 2);
  EXPECT_EQ((bytes.size() - 1) % 64, 0u);
  EXPECT_EQ(ParseNpy(bytes, "x.npy").shape, array.shape);
}

TEST(Npy, Int4CannotBeStored) {
  const Array array{DType::kInt4, {2}, Bytes("a")};
  EXPECT_THROW(FormatNpy(array), UserError);
}

TEST(Npy, WrongAmountOfDataIsABug) {
  const Array array{DType::kFloat, {2}, Bytes("abc")};
  EXPECT_THROW(FormatNpy(array), InternalError);
}

TEST(Npy, FilesComeBack) {
  const auto path = std::filesystem::path(::testing::TempDir()) /
                    ("belay_test_npy_" + std::to_string(getpid()) + ".npy");
  const Array array{DType::kInt16, {2}, Bytes("abcd")};
  WriteNpy(path, array);
  const Array back = ReadNpy(path);
  EXPECT_EQ(back.shape, array.shape);
  EXPECT_EQ(back.data, array.data);
  std::filesystem::remove(path);
}

TEST(Npy, MissingFilesAndFoldersAreNamed) {
  const auto folder = std::filesystem::path(::testing::TempDir());
  try {
    ReadNpy(folder / "belay_no_such_file.npy");
    FAIL();
  } catch (const UserError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("belay_no_such_file.npy"), std::string::npos);
    EXPECT_NE(message.find("No such file"), std::string::npos) << message;
  }
  EXPECT_THROW(ReadNpy(folder), UserError);
  EXPECT_THROW(
      WriteNpy(folder / "belay_no_folder" / "y.npy", {DType::kInt8, {0}, {}}),
      UserError);
}

struct Bad {
  const char* what;
  std::string text;
  const char* says;  // part of the message
};

TEST(Npy, RefusesMalformedFiles) {
  const std::string good =
      "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }";
  const Bad cases[] = {
      {"empty", "", "must begin with"},
      {"no magic", "PK\x03\x04 something", "must begin with"},
      {"only magic", "\x93NUMPY", "ends after 6 bytes"},
      {"version 3", "\x93NUMPY\x03\x00\x10\x00\x00\x00"s, "got 3.0"},
      {"half a length", "\x93NUMPY\x01\x00\x76"s, "ends after 9 bytes"},
      {"short header", "\x93NUMPY\x01\x00\x76\x00{'descr'"s, "118 bytes"},
      {"too little data", File(good, "abc"),
       "must have 4 bytes of data, got 3"},
      {"too much data", File(good, "abcde"), "got 5"},
      {"big-endian",
       File("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }",
            "abcd"),
       "astype('<f4')"},
      {"unknown type",
       File("{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }", ""),
       "got '<U4'"},
      {"raw bytes",
       File("{'descr': '|V2', 'fortran_order': False, 'shape': (1,), }", "ab"),
       "view('uint16')"},
      {"structured",
       File("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (), }",
            ""),
       "structured types"},
      {"no dictionary", File("[1, 2]", ""), "must have '{' at position 0"},
      {"no end", File("{'descr': '<f4'", "abcd"), "must have '}'"},
      {"open quote", File("{'descr", ""), "end with its quote"},
      {"bare key", File("{descr: 1}", ""), "quoted name"},
      {"unknown key", File("{'order': 1}", ""), "got 'order'"},
      {"no descr", File("{'fortran_order': False, 'shape': (), }", ""),
       "got 'descr'"},
      {"no order", File("{'descr': '<f4', 'shape': (), }", "abcd"),
       "got 'fortran_order'"},
      {"no shape", File("{'descr': '<f4', 'fortran_order': False, }", "abcd"),
       "got 'shape'"},
      {"order not a truth value",
       File("{'descr': '<f4', 'fortran_order': 0, 'shape': (), }", "abcd"),
       "True or False"},
      {"negative size",
       File("{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }", ""),
       "tuple of sizes"},
      {"fractional size",
       File("{'descr': '<f4', 'fortran_order': False, 'shape': (1.5,), }", ""),
       "a tuple"},
      {"not a tuple",
       File("{'descr': '<f4', 'fortran_order': False, 'shape': (3), }", ""),
       "(n,)"},
      {"huge size",
       File("{'descr': '<f4', 'fortran_order': False, 'shape': "
            "(99999999999999999999,), }",
            ""),
       "tuple of sizes"},
      {"count beyond 2^63",
       File("{'descr': '<f4', 'fortran_order': False, 'shape': (4294967296, "
            "4294967296), }",
            ""),
       "below 2^63"},
      {"bytes beyond 2^64",
       File("{'descr': '<f4', 'fortran_order': False, 'shape': "
            "(9223372036854775807,), }",
            ""),
       "below 2^64 bytes"},
      {"more after the dictionary", File(good + "x", "abcd"), "may follow"},
  };
  for (const Bad& bad : cases) {
    const std::string message = Refusal(bad.text);
    EXPECT_NE(message.find(bad.says), std::string::npos)
        << bad.what << ": " << message;
    EXPECT_TRUE(message.starts_with("[npy] x.npy: "))
        << bad.what << ": " << message;
  }
}

}  // namespace
}  // namespace belay::test_npy
