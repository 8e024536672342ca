// SPDX-License-Identifier: Apache-2.0
#include "guest/fault_message.h"

#include <nlohmann/json.hpp>

namespace belay::guest {

std::string EncodeFault(const npu::Fault& fault, uint64_t base) {
  const auto offset = [base](uint64_t pc) { return pc < base ? 0 : pc - base; };
  nlohmann::json message;
  message["diagnostic"] = fault.diagnostic;
  message["pc"] = offset(fault.pc);
  message["name_pc"] = offset(fault.name_pc);
  message["notes"] = nlohmann::json::array();
  for (const auto& note : fault.notes) {
    message["notes"].push_back(
        {{"message", note.message}, {"pc", offset(note.pc)}});
  }
  message["callers"] = nlohmann::json::array();
  for (const uint64_t caller : fault.callers) {
    message["callers"].push_back(offset(caller));
  }
  return message.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::optional<npu::Fault> DecodeFault(const std::string& line) {
  const auto message = nlohmann::json::parse(line, nullptr, false);
  if (message.is_discarded()) return std::nullopt;
  try {
    npu::Fault fault;
    message.at("diagnostic").get_to(fault.diagnostic);
    message.at("pc").get_to(fault.pc);
    message.at("name_pc").get_to(fault.name_pc);
    for (const auto& note : message.at("notes")) {
      fault.notes.push_back({note.at("message").get<std::string>(),
                             note.at("pc").get<uint64_t>()});
    }
    message.at("callers").get_to(fault.callers);
    return fault;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

}  // namespace belay::guest
