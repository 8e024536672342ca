// SPDX-License-Identifier: Apache-2.0
#include "bench/suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/edit_distance.h"
#include "base/resources.h"
#include "bench/family.h"
#include "bench/hash.h"
#include "bench/task_reader.h"
#include "bench/toml_reader.h"

namespace belay::bench {
namespace {

namespace fs = std::filesystem;

std::string Lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) {
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return lower;
}

// Whether `name` is the whole id or its end after a slash.
bool IsNameOf(const std::string& name, const std::string& id) {
  if (name.size() > id.size() || !id.ends_with(name)) return false;
  return name.size() == id.size() || id[id.size() - name.size() - 1] == '/';
}

void LoadFolder(const fs::path& root, const fs::path& folder,
                std::vector<Task>& tasks) {
  if (fs::exists(folder / "members.toml")) {
    for (const TaskText& text :
         ExpandFamily(folder, folder.parent_path().lexically_relative(root))) {
      tasks.push_back(ReadTask(text));
    }
    return;
  }
  if (fs::exists(folder / "task.toml")) {
    TaskText text;
    text.id = folder.lexically_relative(root).string();
    text.file = folder / "task.toml";
    text.reference_file = folder / "reference.py";
    text.toml = ReadText(text.file);
    text.reference = ReadText(text.reference_file);
    tasks.push_back(ReadTask(text));
    return;
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) LoadFolder(root, entry.path(), tasks);
  }
}

}  // namespace

Suite LoadSuite(const fs::path& root) {
  const fs::path file = root / "suite.toml";
  const toml::table parsed = ParseToml(ReadText(file), file);
  const TomlReader table(parsed, file, "[suite]");
  table.RequireKeys({"name", "version"});
  Suite suite;
  suite.root = root;
  suite.name = table.String("name");
  suite.version = table.String("version");
  LoadFolder(root, root, suite.tasks);
  std::sort(suite.tasks.begin(), suite.tasks.end(),
            [](const Task& a, const Task& b) { return a.id < b.id; });
  std::vector<std::string_view> texts = {suite.name, suite.version};
  for (size_t i = 0; i < suite.tasks.size(); ++i) {
    const Task& task = suite.tasks[i];
    if (i > 0 && suite.tasks[i - 1].id == task.id) {
      throw TaskError(code::kK107, task.file, 0,
                      fmt::format("[suite] there are two tasks '{}', the other "
                                  "one in {}",
                                  task.id, suite.tasks[i - 1].file.string()));
    }
    texts.push_back(task.id);
    texts.push_back(task.hash);
  }
  suite.hash = HashOf(texts);
  return suite;
}

Suite LoadShippedSuite() { return LoadSuite(Resource("tasks")); }

Task LoadTask(const fs::path& folder) {
  const fs::path clean = fs::absolute(folder / "task.toml").lexically_normal();
  TaskText text;
  text.id = clean.parent_path().filename().string();
  text.file = folder / "task.toml";
  text.reference_file = folder / "reference.py";
  text.toml = ReadText(text.file);
  text.reference = ReadText(text.reference_file);
  return ReadTask(text);
}

const Task& FindTask(const Suite& suite, std::string_view name) {
  const std::string wanted = Lower(name);
  std::vector<const Task*> found;
  std::vector<std::string> near;
  for (const Task& task : suite.tasks) {
    if (task.id == name) return task;
    if (IsNameOf(wanted, Lower(task.id))) found.push_back(&task);
    if (EditDistance(Lower(task.name), wanted) <= 2) near.push_back(task.id);
  }
  if (found.size() == 1) return *found.front();
  if (found.empty()) {
    throw TaskError(code::kK117, "", 0,
                    fmt::format("[tasks] there is no task '{}' in {}", name,
                                suite.root.string()),
                    near.empty() ? "`belay tasks list` shows all"
                                 : fmt::format("did you mean {}?",
                                               fmt::join(near, " or ")));
  }
  std::vector<std::string> ids;
  for (const Task* task : found) ids.push_back(task->id);
  throw TaskError(code::kK117, "", 0,
                  fmt::format("[tasks] '{}' means several tasks: {}", name,
                              fmt::join(ids, ", ")),
                  "give more of the id");
}

std::vector<const Task*> SelectTasks(const Suite& suite,
                                     const std::vector<std::string>& patterns) {
  std::set<const Task*> chosen;
  for (const std::string& pattern : patterns) {
    std::string folder = Lower(pattern);
    if (!folder.ends_with('/')) folder += '/';
    bool any = false;
    for (const Task& task : suite.tasks) {
      if (!Lower(task.id).starts_with(folder)) continue;
      chosen.insert(&task);
      any = true;
    }
    if (!any) chosen.insert(&FindTask(suite, pattern));
  }
  std::vector<const Task*> tasks;
  for (const Task& task : suite.tasks) {
    if (patterns.empty() || chosen.contains(&task)) tasks.push_back(&task);
  }
  return tasks;
}

}  // namespace belay::bench
