// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_JUDGE_TENSOR_MESSAGE_H_
#define BELAY_JUDGE_TENSOR_MESSAGE_H_

// Tensors by name on a channel: what they are as JSON, their elements as bytes
// one after the other. What comes from the other side may be anything.

#include <cstddef>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/inputs.h"

namespace belay::judge {

// What the other side sent is not what it has to be.
class MessageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Appends the elements to `bytes`. Arrays may come without data.
nlohmann::json PackTensors(const bench::Arguments& tensors,
                           std::vector<std::byte>& bytes);

// The tensors that `json` describes, with elements from `bytes`, all of which
// must be used. Throws MessageError.
bench::Arguments UnpackTensors(const nlohmann::json& json,
                               const std::vector<std::byte>& bytes);

// A member of a message. Throws MessageError when it is missing or of another
// type.
template <typename T>
T MemberOf(const nlohmann::json& json, const char* key) {
  try {
    return json.at(key).get<T>();
  } catch (const nlohmann::json::exception&) {
    throw MessageError(std::string("the message lacks '") + key + "'");
  }
}

}  // namespace belay::judge

#endif  // BELAY_JUDGE_TENSOR_MESSAGE_H_
