// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_RUNTIME_MATMUL_SERVER_H_
#define BELAY_RUNTIME_MATMUL_SERVER_H_

// The cube core of a block that does what the Matmul objects of its vector
// cores ask for.

#include <optional>
#include <vector>

#include "runtime/matmul/channel.h"

namespace belay::runtime::matmul {

class Server {
 public:
  Server(Instructions& instructions,
         const std::vector<abi::MatmulState*>& states);

  // Returns when every object of every vector core has been destroyed.
  void Run();

 private:
  // Waits for a message that can be served now and takes it.
  struct Asked {
    int sub_block;
    Message message;
  };
  Asked Next();
  bool MayTake(int sub_block) const;
  void Serve(const Asked& asked);
  void Compute(const Asked& asked, abi::MatmulState& state);
  // Both vector cores ask for the same product: it is computed once.
  bool HoldBack(const Asked& asked, const abi::MatmulState& state);
  void Tell(int sub_block, uint32_t number, abi::Pipe after);

  Instructions& instructions_;
  std::vector<abi::MatmulState*> states_;
  std::vector<Channel> channels_;
  std::vector<std::optional<Message>> held_;
  int last_ = 0;
  int left_ = 0;  // objects of vector cores that have not quit
};

}  // namespace belay::runtime::matmul

#endif  // BELAY_RUNTIME_MATMUL_SERVER_H_
