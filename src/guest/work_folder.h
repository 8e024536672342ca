// SPDX-License-Identifier: Apache-2.0
#ifndef BELAY_GUEST_WORK_FOLDER_H_
#define BELAY_GUEST_WORK_FOLDER_H_

// A folder for what is compiled on the way from text to result.

#include <filesystem>
#include <string>
#include <string_view>

namespace belay::guest {

// Goes with everything in it when it goes out of scope, unless it is kept. What
// a process left behind that was killed goes when the next one makes a folder.
class WorkFolder {
 public:
  // `keep`: the folder to use and leave behind, made if it is missing; empty
  // for a temporary one. Throws UserError when it cannot be made.
  explicit WorkFolder(const std::string& keep);
  ~WorkFolder();
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;

  bool kept() const { return keep_; }
  std::string File(std::string_view name) const {
    return (path_ / name).string();
  }

  // Writes a text file there and returns its path.
  std::string Write(std::string_view name, std::string_view text) const;

 private:
  bool keep_;
  std::filesystem::path path_;
  int lock_ = -1;  // of a file in a temporary folder, held as long as we live
};

}  // namespace belay::guest

#endif  // BELAY_GUEST_WORK_FOLDER_H_
