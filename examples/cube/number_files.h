// SPDX-License-Identifier: Apache-2.0
#ifndef EXAMPLES_CUBE_NUMBER_FILES_H_
#define EXAMPLES_CUBE_NUMBER_FILES_H_

// Files of plain numbers, one after the other, as the host stores them.

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

// Ends the program unless the file holds exactly `count` numbers.
template <typename Number>
std::vector<Number> ReadNumbers(const std::string& path, size_t count) {
  std::vector<Number> numbers(count);
  const auto bytes = static_cast<std::streamsize>(count * sizeof(Number));
  std::ifstream file(path, std::ios::binary);
  file.read(reinterpret_cast<char*>(numbers.data()), bytes);
  if (file.gcount() != bytes ||
      file.peek() != std::ifstream::traits_type::eof()) {
    std::fprintf(stderr, "%s must hold %zu numbers of %zu bytes\n",
                 path.c_str(), count, sizeof(Number));
    std::exit(1);
  }
  return numbers;
}

// Ends the program when the file cannot be written.
template <typename Number>
void WriteNumbers(const std::string& path, const std::vector<Number>& numbers) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(numbers.data()),
             static_cast<std::streamsize>(numbers.size() * sizeof(Number)));
  if (!file.flush()) {
    std::fprintf(stderr, "%s cannot be written\n", path.c_str());
    std::exit(1);
  }
}

#endif  // EXAMPLES_CUBE_NUMBER_FILES_H_
