// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_CLOCK_LOG_FILE_H_
#define BELAY_CLOCK_LOG_FILE_H_

// Logs of launches in a file: what a kernel's process hands to its parent, and
// what is kept to be timed again.

#include <string>
#include <vector>

#include "clock/log.h"

namespace belay::clock {

class LogFile {
 public:
  // Throws UserError when the file cannot be written.
  static void Write(const std::string& path,
                    const std::vector<LaunchLog>& launches);

  // Throws UserError when there is no such file, or when it is not a log of
  // this version, complete and sound.
  static std::vector<LaunchLog> Read(const std::string& path);

  // The same in memory. `name` stands for the file in messages.
  static std::string Format(const std::vector<LaunchLog>& launches);
  static std::vector<LaunchLog> Parse(std::string bytes,
                                      const std::string& name);

 private:
  class Writer;
  class Reader;
};

}  // namespace belay::clock

#endif  // BELAY_CLOCK_LOG_FILE_H_
