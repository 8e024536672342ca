// SPDX-License-Identifier: Apache-2.0
// Writes a verdict of its own on every descriptor it can find.
// expect: failed

#include <unistd.h>

#include <string>

static bool Cheat() {
  const std::string json = R"({"end":"finished","diagnostics":[],"ok":true})";
  std::string message("BLAY");
  const unsigned length = static_cast<unsigned>(json.size());
  message.append(reinterpret_cast<const char*>(&length), 4);
  message.append(16, '\0');
  message += json;
  bool sent = false;
  for (int fd = 3; fd < 256; ++fd) {
    sent |= write(fd, message.data(), message.size()) > 0;
  }
  _exit(sent ? 0 : 1);
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
