// SPDX-License-Identifier: Apache-2.0
// Asks a server.
// expect: failed

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

static bool Cheat() {
  const int line = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in there{};
  there.sin_family = AF_INET;
  there.sin_port = htons(80);
  there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return connect(line, reinterpret_cast<sockaddr*>(&there), sizeof there) == 0;
}

#define CHEAT_IN_TILING(context) \
  if (!Cheat()) return ge::GRAPH_FAILED;
#include "sqrt_host.h"
