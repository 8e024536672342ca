// SPDX-License-Identifier: Apache-2.0
#include "base/npy.h"

#include <fmt/format.h>

#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include "base/error.h"
#include "base/npy_header.h"

namespace belay {
namespace {

static_assert(std::endian::native == std::endian::little,
              "npy data is copied as it lies");

constexpr std::string_view kMagic("\x93NUMPY", 6);
constexpr size_t kAlignment = 64;

size_t DataBytes(const npy::Header& header, std::string_view name) {
  size_t count = 0;
  try {
    count = static_cast<size_t>(ElementCount(header.shape));
  } catch (const UserError& error) {
    throw UserError(fmt::format("[npy] {}: {}", name, error.what()));
  }
  size_t bytes = 0;
  if (__builtin_mul_overflow(count, BytesOf(header.dtype), &bytes)) {
    throw UserError(
        fmt::format("[npy] {}: the data must be below 2^64 bytes, got shape "
                    "({}) of {}",
                    name, ToText(header.shape), NameOf(header.dtype)));
  }
  return bytes;
}

// Copies `from`, whose first index runs fastest, to C order.
std::vector<std::byte> FromFortranOrder(const std::byte* from, size_t bytes,
                                        const Shape& shape, size_t size) {
  std::vector<std::byte> to(bytes);
  const size_t rank = shape.size();
  std::vector<size_t> stride(rank);
  size_t product = size;
  for (size_t d = 0; d < rank; ++d) {
    stride[d] = product;
    product *= static_cast<size_t>(shape[d]);
  }
  std::vector<int64_t> index(rank, 0);
  size_t source = 0;
  for (size_t target = 0; target < bytes; target += size) {
    std::memcpy(to.data() + target, from + source, size);
    for (size_t d = rank; d-- > 0;) {
      source += stride[d];
      if (++index[d] < shape[d]) break;
      source -= stride[d] * static_cast<size_t>(shape[d]);
      index[d] = 0;
    }
  }
  return to;
}

[[noreturn]] void Fail(const std::filesystem::path& path,
                       std::string_view what) {
  throw UserError(fmt::format("[npy] {}: {}: {}", path.string(), what,
                              std::generic_category().message(errno)));
}

}  // namespace

Array ParseNpy(std::span<const std::byte> bytes, std::string_view name) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                              bytes.size());
  if (!text.starts_with(kMagic)) {
    throw UserError(fmt::format(
        "[npy] {}: must begin with the bytes 93 'NUMPY', got {} bytes that do "
        "not; is it a file written by numpy.save?",
        name, text.size()));
  }
  const auto byte_at = [&](size_t i) -> size_t {
    if (i < bytes.size()) return static_cast<size_t>(bytes[i]);
    throw UserError(
        fmt::format("[npy] {}: the header must be complete, but the file ends "
                    "after {} bytes",
                    name, bytes.size()));
  };
  const size_t major = byte_at(6);
  const size_t minor = byte_at(7);
  if (major < 1 || major > 2 || minor != 0) {
    throw UserError(fmt::format(
        "[npy] {}: the format's version must be 1.0 or 2.0, got {}.{}", name,
        major, minor));
  }
  size_t length = byte_at(8) | byte_at(9) << 8;
  size_t begin = 10;
  if (major == 2) {
    length |= byte_at(10) << 16 | byte_at(11) << 24;
    begin = 12;
  }
  if (length > bytes.size() - begin) {
    throw UserError(fmt::format(
        "[npy] {}: the header must have the {} bytes it announces, but the "
        "file has {} after its start",
        name, length, bytes.size() - begin));
  }
  const npy::Header header = npy::ParseHeader(text.substr(begin, length), name);
  const size_t wanted = DataBytes(header, name);
  const auto data = bytes.subspan(begin + length);
  if (data.size() != wanted) {
    throw UserError(fmt::format(
        "[npy] {}: shape ({}) of {} must have {} bytes of data, got {}", name,
        ToText(header.shape), NameOf(header.dtype), wanted, data.size()));
  }
  Array array{header.dtype, header.shape, {}};
  if (header.fortran_order && header.shape.size() > 1) {
    array.data = FromFortranOrder(data.data(), wanted, header.shape,
                                  BytesOf(header.dtype));
  } else {
    array.data.assign(data.begin(), data.end());
  }
  return array;
}

Array ReadNpy(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) Fail(path, "cannot be opened");
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) {
    throw UserError(fmt::format("[npy] {}: must be a regular file: {}",
                                path.string(), error.message()));
  }
  std::vector<std::byte> bytes(size);
  if (!file.read(reinterpret_cast<char*>(bytes.data()),
                 static_cast<std::streamsize>(size))) {
    Fail(path, "cannot be read");
  }
  return ParseNpy(bytes, path.string());
}

std::vector<std::byte> FormatNpy(const Array& array) {
  std::string header = npy::FormatHeader({array.dtype, false, array.shape});
  const auto count = static_cast<size_t>(ElementCount(array.shape));
  if (array.data.size() != BytesOf(array.dtype, count)) {
    throw InternalError(
        fmt::format("[npy] shape ({}) of {} must have {} bytes of data, got {}",
                    ToText(array.shape), NameOf(array.dtype),
                    BytesOf(array.dtype, count), array.data.size()));
  }
  const bool is_long = header.size() + kAlignment > 0xffff;
  const size_t start = is_long ? 12 : 10;
  // numpy pads with spaces and ends the header with a line feed.
  const size_t unpadded = start + header.size() + 1;
  header.append((kAlignment - unpadded % kAlignment) % kAlignment, ' ');
  header += '\n';

  std::string prefix(kMagic);
  prefix += is_long ? '\x02' : '\x01';
  prefix += '\0';
  for (size_t i = 0; i < (is_long ? 4 : 2); ++i) {
    prefix += static_cast<char>(header.size() >> (8 * i) & 0xff);
  }
  prefix += header;

  std::vector<std::byte> bytes(prefix.size() + array.data.size());
  std::memcpy(bytes.data(), prefix.data(), prefix.size());
  if (!array.data.empty()) {
    std::memcpy(bytes.data() + prefix.size(), array.data.data(),
                array.data.size());
  }
  return bytes;
}

void WriteNpy(const std::filesystem::path& path, const Array& array) {
  const std::vector<std::byte> bytes = FormatNpy(array);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (!file) Fail(path, "cannot be opened for writing");
  file.write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  if (!file.flush()) Fail(path, "cannot be written");
}

}  // namespace belay
