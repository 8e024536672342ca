// SPDX-License-Identifier: Apache-2.0
#include "judge/operator_hosts.h"

#include <fmt/format.h>

#include <filesystem>

#include "bench/export_project.h"

namespace belay::judge {
namespace fs = std::filesystem;

OperatorHosts::OperatorHosts() : folder_(""), path_(folder_.File("")) {
  path_.pop_back();  // of "folder/"
}

std::shared_ptr<OperatorHosts> OperatorHosts::Of(guest::Broker& broker) {
  std::shared_ptr<void>& kept = broker.kept("operator-hosts");
  if (!kept) kept = std::make_shared<OperatorHosts>();
  return std::static_pointer_cast<OperatorHosts>(kept);
}

OperatorHost& OperatorHosts::Find(const bench::Task& task,
                                  const bench::Case* only) {
  const auto [entry, is_new] = hosts_.try_emplace(
      task.hash + " " + task.id + " " + (only == nullptr ? "" : only->name));
  OperatorHost& host = entry->second;
  if (!is_new) return host;
  const std::string number = fmt::format("{}", hosts_.size());
  const fs::path folder = folder_.File(number);
  host.module = folder_.File(number + ".so");
  bench::ExportOptions options;
  options.only = only;
  std::vector<bench::ExportedFile> files = bench::ExportTask(task, options);
  std::erase_if(files, [](const bench::ExportedFile& file) {
    return file.path.parent_path() != "op_host";
  });
  bench::WriteProject(files, folder);
  host.project.folder = folder.string();
  host.project.include_dirs = {folder.string(), (folder / "op_host").string()};
  for (const bench::ExportedFile& file : files) {
    if (file.path.extension() != ".cpp") continue;
    host.project.host_sources.push_back((folder / file.path).string());
  }
  return host;
}

}  // namespace belay::judge
